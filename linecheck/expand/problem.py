"""A step, written out: one problem about numbers for each size and each value of finite symbols."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from linecheck.expand.functions import writer
from linecheck.expand.graph import Graph, Node, in_order
from linecheck.expand.hints import hint
from linecheck.expand.linear import Linear
from linecheck.expand.needs import SAYS, Need
from linecheck.expand.request import ParsedStep, PlacedError
from linecheck.expand.sizes import SizeChoice, choose
from linecheck.expand.values import Array, NeedsValueError, Value, is_condition, same_shape, told
from linecheck.expand.writing import Writer
from linecheck.language.domains import Declared, Finite, ScalarDomain, Span
from linecheck.language.terms import LineError, Term, TooBigError, names_in

MOST_CASES = 256
MOST_ALTERNATIVES = 8


@dataclass(frozen=True)
class Fact:
    """A hypothesis about one number: kind is >= > == or !=, always against 0."""

    kind: str
    node: Node


def domain_facts(graph: Graph, name: str, domain: ScalarDomain) -> list[Fact]:
    """What the domain of a variable says of it."""
    if isinstance(domain, Finite):
        domain = Span(domain.values[0], domain.values[-1], False, False, 0 not in domain.values)
    x = graph.var(name)
    found = [Fact("!=", x)] if domain.no_zero else []
    for end, is_open, turn in (
        (domain.lower, domain.lower_open, 1),
        (domain.upper, domain.upper_open, -1),
    ):
        if end is not None:
            side = graph.mul((graph.num(turn), x))
            found.append(Fact(">" if is_open else ">=", graph.sub(side, graph.num(turn * end))))
            found += [Fact(">", side)] if turn * end > 0 else []
    return found


@dataclass
class Problem:
    """One case: everything is a number or a variable that stands for a number."""

    graph: Graph
    variables: dict[str, ScalarDomain]
    simplices: list[tuple[str, ...]]  # variables that are positive with a sum below 1
    pairs: list[tuple[Node, Node]]  # (left, right), entry by entry; or two conditions
    relation: str
    needs: tuple[list[Need], list[Need]]  # of the left and of the right side
    facts: list[Fact]
    shown: dict[str, Value]  # how the symbols are written at a witness
    shape: tuple[int, ...]
    sizes: dict[str, int]
    sample_only: bool = False
    further: bool = False  # of a size that is proved for the sake of every size

    @property
    def at_sizes(self) -> tuple[tuple[str, int], ...]:
        """The sizes of this case."""
        return tuple(self.sizes.items())

    def nodes(self) -> list[Node]:
        """Everything that matters for the step: sides, needs, facts."""
        found = [side for pair in self.pairs for side in pair]
        for need in (*self.needs[0], *self.needs[1]):
            found += [need.node, *([need.exponent] if need.exponent else [])]
        return [*found, *(fact.node for fact in self.facts)]


def sizes_to_try(step: ParsedStep) -> SizeChoice:
    """Sizes to prove at, and larger ones for samples only."""
    return choose(step.declared, dict(step.sizes), (step.lhs, step.rhs), step.relation, step.given)


def cases(step: ParsedStep, every_value: bool = False) -> Iterator[Problem | None]:
    """Every case of a step; None stands for cases that were left out because there are too many.

    Labels and signs stay symbols unless `every_value` is set or an index or exponent needs them.
    """
    choice = sizes_to_try(step)
    for sizes in choice.chosen:
        yield from _cases_of_size(step, sizes, MOST_CASES // len(choice.chosen), every_value)
    for sizes in (*choice.further, *choice.larger):
        further = sizes in choice.further
        try:
            for problem in _cases_of_size(step, sizes, 4, False):
                if problem is not None:
                    problem.further, problem.sample_only = further, not further
                    yield problem
        except TooBigError:
            continue


def _cases_of_size(
    step: ParsedStep, sizes: dict[str, int], most: int, every_value: bool
) -> Iterator[Problem | None]:
    domains = entry_domains(step.declared, sizes)
    enumerated = {
        name
        for name, domain in domains.items()
        if isinstance(domain, Finite)
        and (every_value or (name in step.declared and not _stays_symbolic(domain)))
    }
    while True:
        try:
            yield from list(_cases_of_values(step, sizes, enumerated, most))
            return
        except NeedsValueError as missing:
            if missing.names <= enumerated:
                raise LineError("a whole number is expected, found a symbol") from None
            enumerated |= missing.names


def _stays_symbolic(domain: Finite) -> bool:
    """Labels and signs can be calculated with (y**2 == y, s**2 == 1); long ranges must be."""
    return domain.rule != "" or len(domain.values) > 64


def _cases_of_values(
    step: ParsedStep, sizes: dict[str, int], enumerated: set[str], most: int
) -> Iterator[Problem | None]:
    domains = entry_domains(step.declared, sizes)
    chosen = ((name, domains[name]) for name in sorted(enumerated))
    spans = [(name, domain.values) for name, domain in chosen if isinstance(domain, Finite)]
    choices: Iterator[tuple[Fraction, ...]] = itertools.product(*(values for _, values in spans))
    if math.prod(len(values) for _, values in spans) > most:
        choices = _some(spans, most)
        yield None
    for values in choices:
        fixed = {name: value for (name, _), value in zip(spans, values, strict=True)}
        yield from _problems(step, sizes, fixed)


def _some(
    spans: Sequence[tuple[str, tuple[Fraction, ...]]], most: int
) -> Iterator[tuple[Fraction, ...]]:
    """A reproducible choice of cases, the corners among them."""
    rng = random.Random(1)
    yield tuple(values[0] for _, values in spans)
    yield tuple(values[-1] for _, values in spans)
    for _ in range(min(most, 40) - 2):
        yield tuple(rng.choice(values) for _, values in spans)


def entry_domains(
    declared: Mapping[str, Declared], sizes: Mapping[str, int]
) -> dict[str, ScalarDomain]:
    """Domain of every entry by its name: w, x[1], A[1,2]."""
    found: dict[str, ScalarDomain] = {}
    for name, domain in declared.items():
        for entry in entry_names(name, domain, sizes):
            found[entry] = domain.entry
    return found


def shape_of(domain: Declared, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """The shape with its sizes filled in."""
    return tuple(sizes[size] if isinstance(size, str) else size for size in domain.shape)


def entry_names(name: str, domain: Declared, sizes: Mapping[str, int]) -> list[str]:
    """Names of the entries, by rows."""
    shape = shape_of(domain, sizes)
    if domain.kind == "size":
        return []
    if domain.kind == "scalar":
        return [name]
    if domain.kind == "vector":
        return [f"{name}[{i}]" for i in range(1, shape[0] + 1)]
    return [f"{name}[{i},{j}]" for i in range(1, shape[0] + 1) for j in range(1, shape[1] + 1)]


class _Builder:
    """Builds the problems of one case."""

    def __init__(self, step: ParsedStep, sizes: dict[str, int], fixed: dict[str, Fraction]) -> None:
        self.step = step
        self.sizes = sizes
        self.fixed = fixed
        self.graph = Graph()
        self.variables: dict[str, ScalarDomain] = {}
        self.simplices: list[tuple[str, ...]] = []
        self.definitions: dict[Node, Node] = {}
        self.facts: list[Fact] = []
        self.ranges: dict[str, tuple[Fraction, ...]] = {}
        self.names: dict[str, Value] = {}
        for name, domain in step.declared.items():
            self.names[name] = self.symbol(name, domain)

    def symbol(self, name: str, domain: Declared) -> Value:
        if domain.kind == "size":
            return self.graph.num(self.sizes[name])
        names, graph, fixed = entry_names(name, domain, self.sizes), self.graph, self.fixed
        entries = [graph.num(fixed[n]) if n in fixed else graph.var(n) for n in names]
        if isinstance(domain.entry, Finite):
            self.ranges |= dict.fromkeys(names, domain.entry.values)
        if domain.kind == "scalar":
            if name not in self.fixed:
                self.scalar(entries[0], domain.entry)
            return entries[0]
        value = Array(tuple(entries), shape_of(domain, self.sizes))
        if domain.structure:
            return self.structured(name, domain.structure, value)
        for entry_node in value.entries:
            if entry_node.op == "var":
                self.scalar(entry_node, domain.entry)
        return value

    def scalar(self, node: Node, domain: ScalarDomain) -> None:
        """A free variable; negative ones are written as minus a positive one."""
        name = str(node.data)
        if isinstance(domain, Span) and domain.upper == 0 and domain.lower is None:
            mirrored = self.graph.var(f"-{name}")
            self.variables[f"-{name}"] = Span(Fraction(0), None, domain.upper_open)
            self.definitions[node] = self.graph.neg(mirrored)
            return
        self.variables[name] = domain

    def structured(self, name: str, structure: str, value: Array) -> Value:
        graph = self.graph
        n = value.shape[0]
        if structure == "simplex":
            *first, last = value.entries
            names = [str(node.data) for node in first]
            self.variables |= dict.fromkeys(names, Span(Fraction(0), Fraction(1)))
            self.definitions[last] = graph.sub(graph.one, graph.add(first))
            if names:
                self.facts.append(Fact(">", self.definitions[last]))
                self.simplices.append(tuple(names))
            return value
        if structure in ("spd", "psd"):
            self.cholesky(name, value, structure == "spd")
            return value
        if structure == "diagonal":
            entries = [value.at(i, j) if i == j else graph.zero for i in range(n) for j in range(n)]
            for i in range(n):
                self.scalar(value.at(i, i), Span())
            return Array(tuple(entries), value.shape)
        for i in range(n):
            for j in range(n):
                if structure == "symmetric" and j < i:
                    self.definitions[value.at(i, j)] = value.at(j, i)
                else:
                    self.scalar(value.at(i, j), Span())
        if structure == "invertible":
            self.facts.append(Fact("!=", Linear(graph).determinant(value)))
        return value

    def cholesky(self, name: str, value: Array, definite: bool) -> None:
        """S = L L^T with a positive diagonal of L (or >= 0, when S need not be definite)."""
        n = value.shape[0]
        factor: dict[tuple[int, int], Node] = {}
        for i in range(n):
            for j in range(i + 1):
                label = f"{name}~{i + 1}{j + 1}"
                factor[i, j] = self.graph.var(label)
                diagonal = Span(Fraction(0), lower_open=definite)
                self.variables[label] = diagonal if i == j else Span()
        for i in range(n):
            for j in range(n):
                terms = (self.graph.mul((factor[i, k], factor[j, k])) for k in range(min(i, j) + 1))
                self.definitions[value.at(i, j)] = self.graph.add(terms)

    def defined(self, node: Node) -> Node:
        return self.graph.substitute(node, self.definitions) if self.definitions else node

    def value(self, value: Value) -> Value:
        if isinstance(value, Array):
            entries = tuple(self.defined(entry) for entry in value.entries)
            return Array(entries, value.shape, value.row)
        return self.defined(value)

    def needs(self, lowering: Writer) -> list[Need]:
        return [
            Need(n.kind, self.defined(n.node), n.told, n.exponent and self.defined(n.exponent))
            for n in lowering.linear.needs.values()
        ]


def _problems(
    step: ParsedStep, sizes: dict[str, int], fixed: dict[str, Fraction]
) -> Iterator[Problem | None]:
    builder = _Builder(step, sizes, fixed)
    graph = builder.graph
    hypotheses = writer(graph, builder.names, builder.ranges)
    conditions = [hypotheses.condition(term) for term in step.given]
    sides = [writer(graph, builder.names, builder.ranges) for _ in range(2)]
    left = _lowered(sides[0], step.lhs, "left side", step, 0)
    right = _lowered(sides[1], step.rhs, "right side", step, 1)
    try:
        pairs, shape = paired(left, right, step.relation, graph)
    except LineError as problem:
        meant = hint(step.rhs, step.declared) or hint(step.lhs, step.declared)
        raise LineError(problem.message + meant) from None
    pairs = [(builder.defined(a), builder.defined(b)) for a, b in pairs]
    claimed = claimed_derivatives(pairs) if step.relation == "==" else set()
    supposed = [*builder.facts, *_facts_of_needs(builder.needs(hypotheses), graph)]
    supposed = [Fact(fact.kind, builder.defined(fact.node)) for fact in supposed]
    shown = {
        name: builder.value(value)
        for name, value in builder.names.items()
        if step.declared[name].kind != "size" and name not in _put_in(step)
    }
    for alternative in alternatives([builder.defined(node) for node in conditions], graph):
        yield Problem(
            graph,
            dict(builder.variables),
            builder.simplices,
            pairs,
            step.relation,
            (
                [need for need in builder.needs(sides[0]) if need.node not in claimed],
                [need for need in builder.needs(sides[1]) if need.node not in claimed],
            ),
            [*supposed, *alternative],
            shown,
            shape,
            sizes,
        )


def _put_in(step: ParsedStep) -> set[str]:
    """The names that are given a value by subs on the left and stand nowhere else."""
    if step.lhs.op != "call" or step.lhs.name != "subs":
        return set()
    _, *rest = step.lhs.args
    pairs = rest[0].args if rest[0].op == "pairs" else rest
    elsewhere = (step.rhs, *step.given, *pairs[1::2])
    return {old.name for old in pairs[::2]}.difference(*map(names_in, elsewhere))


def _lowered(lowering: Writer, term: Term, what: str, step: ParsedStep, side: int) -> Value:
    try:
        return lowering.lower(term)
    except TooBigError:
        raise
    except LineError as problem:
        told = LineError(problem.message + hint(term, step.declared), problem.column)
        raise PlacedError(told, what, step.texts[side]) from None


def claimed_derivatives(pairs: list[tuple[Node, Node]]) -> set[Node]:
    """Derivatives that are a whole side: if both sides of every kink give the value claimed, they
    exist there. A derivative inside a larger term needs a proof of its own."""
    found: set[Node] = set()
    for left, right in pairs:
        for side, other in ((left, right), (right, left)):
            if side.op == "diff" and all(part.op != "diff" for part in in_order([other])):
                found.add(side)
    return found


def paired(
    left: Value, right: Value, relation: str, graph: Graph
) -> tuple[list[tuple[Node, Node]], tuple[int, ...]]:
    """The entries that must be compared."""
    if relation in ("iff", "implies"):
        if not is_condition(left) or not is_condition(right):
            raise LineError(f"{relation} stands between two conditions such as a > b")
        assert isinstance(left, Node)
        assert isinstance(right, Node)
        return [(left, right)], ()
    left, right = Linear.unwrap(left, right), Linear.unwrap(right, left)
    if is_condition(left) or is_condition(right):
        raise LineError(
            "a condition stands where a number is expected: compare conditions with"
            " relation='iff', or count them with indicator(...)"
        )
    if isinstance(left, Node) and isinstance(right, Node):
        return [(left, right)], ()
    if isinstance(left, Array) and right is graph.zero:
        right = Array((graph.zero,) * len(left.entries), left.shape, left.row)
    if isinstance(right, Array) and left is graph.zero:
        left = Array((graph.zero,) * len(right.entries), right.shape, right.row)
    if not (isinstance(left, Array) and isinstance(right, Array)) or not same_shape(left, right):
        raise LineError(f"the left side is {told(left)}, the right side {told(right)}")
    return list(zip(left.entries, right.entries, strict=True)), left.shape


def _facts_of_needs(needs: list[Need], graph: Graph) -> list[Fact]:
    """A hypothesis supposes that it is defined."""
    found = [Fact(SAYS[need.kind], need.node) for need in needs if need.kind in SAYS]
    sums = [need.node for need in needs if need.kind == "one"]
    return [*found, *(Fact("==", graph.sub(node, graph.one)) for node in sums)]


def alternatives(conditions: list[Node], graph: Graph) -> list[list[Fact]]:
    """The hypotheses as alternatives, each a list of facts that hold together."""
    found: list[list[Fact]] = [[]]
    for condition in conditions:
        found = [old + new for old in found for new in _alternatives(condition, graph)]
        if len(found) > MOST_ALTERNATIVES:
            raise TooBigError("the hypotheses have too many alternatives (or)")
    return found


def _alternatives(condition: Node, graph: Graph) -> list[list[Fact]]:
    op = condition.op
    if op == "true":
        return [[]]
    if op == "false":
        return []
    if op == "and":
        return alternatives(list(condition.args), graph)
    if op == "or":
        return [one for part in condition.args for one in _alternatives(part, graph)]
    if op == "not":
        inside = condition.args[0]
        if inside.op == "==":
            return [[Fact("!=", graph.sub(*inside.args))]]
        flipped = [graph.negate(part) for part in inside.args]
        combined = graph.either(flipped) if inside.op == "and" else graph.both(flipped)
        return _alternatives(combined, graph)
    left, right = condition.args
    if op == "==":
        return [[Fact("==", graph.sub(left, right))]]
    return [[Fact(">" if op == "<" else ">=", graph.sub(right, left))]]
