"""In which order proofs are tried: quick ways, calculus, all ways.

Cases are sound because they cover everything: >= or <=; >, < or ==; and a case whose facts
contradict each other holds of nothing. What was proved of a need may be used afterwards, because
the line is then defined at every point.
"""

from __future__ import annotations

from collections.abc import Callable

from linecheck.expand.graph import Node
from linecheck.expand.needs import SAYS, Need, met
from linecheck.expand.problem import Fact
from linecheck.prove.calculus import Calculus
from linecheck.prove.node_signs import sign_of_node
from linecheck.prove.proof import ProofByCases


def prove_need(proof: ProofByCases, need: Need) -> bool:
    """Whether a partial operation is defined at every point."""
    plain = sign_of_node(proof.problem.graph, need.node, proof.problem.variables)
    if met(need.kind, plain):
        return True
    if not any(_with_effort(proof, effort, lambda: proof.defined(need)) for effort in (0, 1)):
        return False
    said = ">=" if need.kind == "power" else SAYS.get(need.kind)
    if said and need.kind != "one":
        proof.knowledge.extra.append(Fact(said, need.node))
    return True


def _with_effort(proof: ProofByCases, effort: int, task: Callable[[], bool]) -> bool:
    """The task by cases; the second time with everything there is."""
    proof.prover.effort = effort
    proof.branches = 0
    return proof.by_cases(task)


def prove_relation(proof: ProofByCases, entry: int) -> bool:
    """Whether the relation holds for one pair of entries."""
    left, right = proof.problem.pairs[entry]
    relation = proof.problem.relation
    if relation in (">=", ">"):
        left, right, relation = right, left, {">=": "<=", ">": "<"}[relation]
    if relation in ("<=", "<"):
        sides = [(a, b) for a in _largest(proof, left) for b in _least(proof, right)]
        if len(sides) > 1:
            return all(_ordered(proof, a, b, relation) for a, b in sides)
    return _ordered(proof, left, right, relation)


def _largest(proof: ProofByCases, node: Node) -> list[Node]:
    """max(a, b) <= c says a <= c and b <= c."""
    if node.op == "max":
        return [one for arg in node.args for one in _largest(proof, arg)]
    if node.op == "abs":
        return [node.args[0], proof.problem.graph.neg(node.args[0])]
    return [node]


def _least(proof: ProofByCases, node: Node) -> list[Node]:
    """a <= min(b, c) says a <= b and a <= c."""
    if node.op == "min":
        return [one for arg in node.args for one in _least(proof, arg)]
    return [node]


def _ordered(proof: ProofByCases, left: Node, right: Node, relation: str) -> bool:
    """One relation, by algebra and cases, then by calculus."""

    def task() -> bool:
        return proof.related(left, right, relation)

    if _with_effort(proof, 0, task):
        return True
    calculus = Calculus(proof) if relation in ("<=", "<") else None
    if calculus is not None and calculus.proves(left, right, relation == "<"):
        return True
    if _with_effort(proof, 1, task):
        return True
    return calculus is not None and calculus.proves(left, right, relation == "<")
