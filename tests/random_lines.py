"""Random lines, put to the judge and to exact fractions: what is PROVED holds at every point tried,
and what is REFUTED fails at the witness.

.venv/bin/python -m tests.random_lines                            20,000 lines of each kind
.venv/bin/python -m tests.random_lines --count 500 --kind sums    so many of one kind

The lines are evaluated by Python itself, with fractions; nothing is shared with the engine.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import math
import operator
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from types import CodeType
from typing import Any

from linecheck import Verdict, verdict
from linecheck.judge.verdicts import Status
from tests.truth_table import Step, split

Names = dict[str, Any]  # Fractions, and vectors of them
GRID = tuple(Fraction(text) for text in ("-2", "-1", "-1/2", "0", "1/2", "1", "2", "3"))
DOMAINS: dict[str, Callable[[Fraction], bool]] = {
    "real": lambda x: True,
    "nonnegative": lambda x: x >= 0,
    "positive": lambda x: x > 0,
    "nonzero": lambda x: x != 0,
    "negative": lambda x: x < 0,
    "integer": lambda x: x.denominator == 1,
    "closed probability": lambda x: 0 <= x <= 1,
    "label01": lambda x: x in (0, 1),
    "sign": lambda x: x in (-1, 1),
}
RELATIONS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
             ">": operator.gt, ">=": operator.ge}  # fmt: skip
ROUGH = Fraction(1, 10**6)  # what an irrational witness, shown with 12 digits, may be off
BATCH = 1000  # lines between two words on how far it is
FAR = (1, 2, 3, 4, 5, 6, 7, 9, 12, 17, 23, 29, 31, 38, 40)  # sizes, beyond those that are tried


# ------------------------------------------------------------------ the exact evaluator


class Vector(tuple[Fraction, ...]):
    """Entries that are counted from 1; what is done with a vector is done with each entry."""

    def __getitem__(self, place: Any) -> Any:
        if not 1 <= place <= len(self):
            raise ValueError("no such entry")
        return super().__getitem__(int(place) - 1)

    def each(self, other: Any, do: Callable[[Any, Any], Any]) -> Vector:
        others = other if isinstance(other, Vector) else (other,) * len(self)
        return Vector(do(a, b) for a, b in zip(self, others, strict=True))

    def __add__(self, other: Any) -> Any:
        return self.each(other, operator.add)

    def __sub__(self, other: Any) -> Vector:
        return self.each(other, operator.sub)

    def __mul__(self, other: Any) -> Any:
        return self.each(other, operator.mul)

    def __rmul__(self, other: Any) -> Any:
        return self.each(other, operator.mul)

    def __pow__(self, other: Fraction) -> Vector:
        return self.each(other, operator.pow)


class Written(ast.NodeTransformer):
    """Numbers become fractions, and sum(term, i, 1, N) becomes a generator over its terms."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.parse(f"Fraction({node.value!r})", mode="eval").body

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if len(node.args) < 4 or not isinstance(node.args[1], ast.Name):
            return node
        body, index, first, last, *conditions = node.args
        target = ast.Name(ast.unparse(index), ast.Store())
        span = ast.Call(ast.Name("span", ast.Load()), [first, last], [])
        loop = ast.comprehension(target, span, list(conditions), 0)
        return ast.Call(node.func, [ast.GeneratorExp(body, [loop])], [])


def span(first: Fraction, last: Fraction) -> list[Fraction]:
    return [Fraction(k) for k in range(int(first), int(last) + 1)]


def flat(value: Any) -> list[Any]:
    return [one for row in value for one in (row if isinstance(row, Vector) else (row,))]


FUNCTIONS: Names = {
    "__builtins__": {},
    "Fraction": Fraction, "span": span, "abs": abs, "prod": math.prod,
    "max": lambda *parts: builtins.max(*parts), "min": lambda *parts: builtins.min(*parts),
    "sum": lambda value: builtins.sum(flat(value), Fraction(0)),
    "dot": lambda x, y: builtins.sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0)),
    "outer": lambda x, y: tuple(y * a for a in x),
    "mean": lambda x: builtins.sum(x, Fraction(0)) / len(x),
    "ones": lambda n, m=None: Vector([Fraction(1)] * int(n)) * 1 if m is None else
    tuple(Vector([Fraction(1)] * int(m)) for _ in range(int(n))),
    "trace": lambda rows: builtins.sum((row[k + 1] for k, row in enumerate(rows)), Fraction(0)),
    "eye": lambda n: tuple(Vector(Fraction(i == j) for j in span(1, n)) for i in span(1, n)),
    "delta": lambda i, j: Fraction(i == j),
    "indicator": lambda fact: Fraction(bool(fact)),
    "len": lambda x: Fraction(len(x)),
}  # fmt: skip


@cache
def code(text: str) -> CodeType:
    tree = ast.fix_missing_locations(Written().visit(ast.parse(text, mode="eval")))
    return compile(tree, text, "eval")


def value(text: str, names: Names) -> Any:
    """The value of a side or of a condition; None where it has none."""
    try:
        return eval(code(text), FUNCTIONS | names)
    except (ZeroDivisionError, ValueError):
        return None


def says(step: Step, names: Names) -> bool | None:
    """Whether a line is true at a point; None where a side has no value."""
    left, right = value(step.lhs, names), value(step.rhs, names)
    if left is None or right is None:
        return None
    return bool(RELATIONS[step.relation](left, right))


def meets(step: Step, names: Names) -> bool:
    return all(value(text, names) is True for text in step.given)


# ------------------------------------------------------------------ numbers on a grid


def points(step: Step) -> Iterator[Names]:
    """The points of the grid that lie in the domains and meet the hypotheses."""
    texts = (step.lhs, step.rhs, *step.given)
    used = [name for name in step.symbols if any(name in code(text).co_names for text in texts)]
    values = [[x for x in GRID if DOMAINS[step.symbols[name]](x)] for name in used]
    for chosen in product(*values):
        names = dict(zip(used, chosen, strict=True))
        if meets(step, names):
            yield names


def term(rng: random.Random, depth: int, atoms: tuple[str, ...]) -> str:
    """A random term of + - * ** abs max min."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(atoms)
    first, second = (term(rng, depth - 1, atoms) for _ in range(2))
    form = rng.choice(
        ("({0}) + ({1})", "({0}) - ({1})", "({0})*({1})", "({0})*({1})", "({0})**{2}", "abs({0})",
         "max({0}, {1})", "min({0}, {1})")
    )  # fmt: skip
    return form.format(first, second, rng.choice(("2", "2", "3", "4", "0", "(-1)", "(-2)")))


# Of a hypothesis l R r and a term t. Some follow from it, some do where t is not 0, some do not.
FROM_HYPOTHESIS = (
    ("({l})*({t})", "({r})*({t})"), ("({l}) - ({r})", "0"), ("({l})**2", "({r})**2"),
    ("({l}) + ({t})", "({r}) + ({t})"), ("abs({l})", "abs({r})"), ("({l})**3", "({r})**3"),
    ("max({l}, {t})", "max({r}, {t})"), ("({l})*abs({t})", "({r})*abs({t})"),
    ("(({l}) - ({r}))*({t})", "0"), ("({r})", "({l})"), ("({l})**(-1)", "({r})**(-1)"),
)  # fmt: skip
SAME = ("({0}) + 0", "-(-({0}))", "max({0}, {0})", "(2*({0}) - ({0}))", "({0})**1",
        "max({0}, -abs({0}))", "({0})*(({1})**2 + 1) - ({0})*({1})**2",
        "abs({0})**2 - ({0})**2 + ({0})",
        "({0})*({1})*({1})**(-1)", "max({0}, {1}) + min({0}, {1}) - ({1})")  # fmt: skip


def numeric(rng: random.Random, hypotheses: int) -> Step:
    """A random line about three numbers, with so many hypotheses."""
    domains = rng.choices([*DOMAINS], [14, 2, 2, 1, 1, 1, 1, 1, 1], k=3)
    symbols = dict(zip("xyz", domains, strict=True))
    atoms = ("x", "y", "z", "x", "y", "0", "1", "2", "1/2")
    sides = [(term(rng, rng.randint(0, 2), atoms), term(rng, rng.randint(0, 1), atoms))
             for _ in range(hypotheses)]  # fmt: skip
    if rng.random() < 0.3:  # both sides with a factor that may be 0
        more = term(rng, 1, atoms)
        sides = [(f"({l})*({more})", f"({r})*({more})") for l, r in sides]
    told = [rng.choice(("==", "==", *RELATIONS)) for _ in sides]
    given = tuple(f"{l} {one} {r}" for (l, r), one in zip(sides, told, strict=True))
    relation = rng.choice(("==", *RELATIONS))
    lhs, rhs = term(rng, rng.randint(1, 3), atoms), term(rng, rng.randint(0, 2), atoms)
    chance = rng.random()
    if sides and chance < 0.45:
        k = rng.randrange(len(sides))
        (l, r), t = sides[k], term(rng, 1, atoms)
        lhs, rhs = (one.format(l=l, r=r, t=t) for one in rng.choice(FROM_HYPOTHESIS))
        relation = rng.choice((told[k], relation))
    elif chance < 0.75:
        rhs = rng.choice(SAME).format(lhs, rhs)
        relation = rng.choice(("==", "<=", ">=", "==", relation))
    return Step(lhs, rhs, symbols, relation, given)


# ------------------------------------------------------------------ sums over a size


ENTRIES = {"real": GRID, "label01": GRID[3:6:2], "sign": GRID[1:6:4], "nonnegative": GRID[3:],
           "positive": GRID[4:], "negative": GRID[:3]}  # fmt: skip
INDEXED = ("x[i]", "x[i]", "y[i]", "a", "x[i]*y[i]", "x[i]**2", "1", "i", "abs(x[i])", "N",
           "max(x[i], 0)", "max(x[i], y[i])", "a*x[i]", "(i - {c})", "delta(i, {c})",
           "indicator(i > {c})", "indicator(x[i] > 0)", "max(i - {c}, 0)")  # fmt: skip
WHOLE = ("sum(x)", "sum(y)", "dot(x, y)", "dot(x, x)", "N", "len(x)", "mean(x)", "max(x)",
         "min(y)", "dot(ones(N), ones(N))", "trace(eye(N))", "sum(outer(x, y))", "sum(ones(N, N))",
         "prod(x)", "indicator(x == y)", "sum(x**2)", "dot(x, ones(N))", "sum(x*y)", "a", "1",
         "max(N - {c}, 0)", "delta(N, {c})", "min(N, {c})", "indicator(N <= {c})", "abs(N - {c})",
         "(N - {c})")  # fmt: skip
ENDS = ("i, 1, N", "i, 1, N", "i, 1, N", "i, 1, N, i < {c}", "i, 1, N, i != {c}",
        "i, 1, min(N, {c})")  # fmt: skip
# True for every size, or as far as the c in it allows; the second side may be changed.
IDENTITIES = (
    ("sum({f} + {g}, i, 1, N)", "==", "sum({f}, i, 1, N) + sum({g}, i, 1, N)"),
    ("sum(a*({f}), i, 1, N)", "==", "a*sum({f}, i, 1, N)"),
    ("sum({f}, i, 1, N)**2", "==", "sum(sum({f}, i, 1, N)*({f}), i, 1, N)"),
    ("sum(x)**2", "==", "sum(outer(x, x))"),
    ("sum(x)**2", "<=", "{c}*dot(x, x)"),
    ("sum(x)**2", "<=", "N*dot(x, x)"),
    ("sum(outer(x, x))", "<=", "{c}*sum(x)"),
    ("sum(sum(x[i]*x[j], j, 1, N, j != i), i, 1, N)", "==", "sum(x)**2 - dot(x, x)"),
    ("sum({f}, i, 1, N)", "==", "sum({f}, {e})"),
    ("sum({f}, {e})", "<=", "{c}"),
    ("sum(({f})**2, i, 1, N)", ">=", "0"),
    ("min(sum({f}, i, 1, N), {c})", "==", "sum({f}, i, 1, N)"),
    ("sum((x[i] - mean(x))**2, i, 1, N)", "==", "dot(x, x) - N*mean(x)**2"),
    ("sum(i, i, 1, N)", "==", "N*(N + 1)/2"),
    ("sum(1, i, 1, N)", "==", "N"),
    ("sum({f} + {c}, i, 1, N)", "==", "sum({f}, i, 1, N) + {c}*N"),
    ("prod({f}, i, 1, N)*prod({g}, i, 1, N)", "==", "prod(({f})*({g}), i, 1, N)"),
    ("(dot(ones(N), ones(N)) - 1)*(N - 2)*(trace(eye(N)) - 3)*(len(x) - 4)*(sum(ones(N)) - 5)",
     "==", "0"),
    ("sum(sum({f}, i, 1, N) - {c}, j, 1, 2)", "<=", "0"),
)  # fmt: skip


def of_size(rng: random.Random) -> Step:
    """A random line with vectors of a size N and sums over it."""
    kinds = rng.choices([*ENTRIES], [5, 2, 1, 1, 1, 1], k=2)
    symbols = {"x": f"{kinds[0]} vector N", "y": f"{kinds[1]} vector N", "a": "real", "N": "size"}

    def fill(text: str) -> str:
        low, high = rng.choice(((0, 4), (3, 9), (4, 40)))
        parts = {"f": rng.choice(INDEXED), "g": rng.choice(INDEXED), "e": rng.choice(ENDS)}
        for _ in range(2):
            for name, part in parts.items():
                text = text.replace("{" + name + "}", part)
        return text.replace("{c}", str(rng.randint(low, high)))

    def whole() -> str:
        if rng.random() < 0.5:
            return fill(rng.choice(WHOLE))
        return fill("sum({f}, {e})")

    chance = rng.random()
    if chance < 0.6:
        lhs, relation, rhs = (fill(part) for part in rng.choice(IDENTITIES))
        if rng.random() < 0.4:
            rhs = f"{rhs} + {rng.choice(('a*', '', '-'))}{whole()}*{whole()}"
    else:
        lhs = " + ".join(whole() for _ in range(rng.randint(1, 2)))
        rhs = f"{whole()}*{whole()}" if rng.random() < 0.5 else whole()
        relation = rng.choice(("==", *RELATIONS))
        if chance > 0.8:
            rhs = rng.choice(("{0} + 0*{1}", "1*{0}", "{0} + {1} - {1}", "max({0}, {0})")).format(
                lhs if rng.random() < 0.5 else f"({lhs})", f"({rhs})"
            )
    return Step(lhs, rhs, symbols, relation)


def far_points(step: Step, rng: random.Random, sizes: Iterable[int]) -> Iterator[Names]:
    """Random entries at each size, and vectors whose entries are all the same."""
    entries = [ENTRIES[step.symbols[name].removesuffix(" vector N")] for name in "xy"]
    for size in sizes:
        fixed = [tuple(rng.choice(one) for one in entries) for _ in range(2)]
        drawn = [[tuple(rng.choices(one, k=size)) for one in entries] for _ in range(2)]
        flats = [[(one,) * size for one in pair] for pair in [*fixed, [one[-1] for one in entries]]]
        for x, y in (*drawn, *flats):
            yield {"x": Vector(x), "y": Vector(y), "N": Fraction(size), "a": rng.choice(GRID)}


# ------------------------------------------------------------------ the two put side by side


def wrong(step: Step, found: Verdict, rng: random.Random) -> str:
    """What is wrong about a verdict, in words; empty when nothing is."""
    if str(found.status) == "INTERNAL":
        return "the judge failed"
    if found.status is Status.PROVED or found.holds:
        for names in claimed(step, found, rng):
            if not says(step, names):
                return f"false at {shown(names)}"
    if found.status in (Status.REFUTED, Status.DOMAIN):
        return wrong_witness(step, found)
    return ""


def claimed(step: Step, found: Verdict, rng: random.Random) -> Iterator[Names]:
    """Points at which the line holds, if the verdict is right."""
    if "N" not in step.symbols:
        return points(step)
    named = [int(size) for size in found.sizes.removeprefix("N = ").split(",") if size]
    return far_points(step, rng, FAR if found.holds else named)


def wrong_witness(step: Step, found: Verdict) -> str:
    assert found.witness is not None
    names = {name: number(text) for name, text in found.witness.point}
    rest = {name: Fraction(1) for name in step.symbols if name not in names}
    if any("." in text for _, text in found.witness.point):
        return "" if roughly(step, {**rest, **names}) else "no counter-example"
    if "N" not in step.symbols and not all(DOMAINS[step.symbols[n]](x) for n, x in names.items()):
        return "a witness outside its domain"
    if not meets(step, {**rest, **names}):
        return "a witness that does not meet the hypotheses"
    expected = None if found.status is Status.DOMAIN else False
    return "" if says(step, {**rest, **names}) is expected else "no counter-example"


def number(text: str) -> Any:
    """What a witness shows: a number, or a vector (of one entry without brackets)."""
    if text.startswith("("):
        return Vector(Fraction(one) for one in text.strip("(),").split(", "))
    return Fraction(text)


def roughly(step: Step, names: Names) -> bool:
    """Whether a point of rounded numbers meets the hypotheses and fails the line, nearly."""

    def gap_of(text: str) -> tuple[str, Fraction | None]:
        lhs, relation, rhs = split(text)
        left, right = value(lhs, names), value(rhs, names)
        if left is None or right is None:
            return relation, None
        return relation, (left - right) / (ROUGH * (1 + abs(left) + abs(right)))

    for relation, gap in map(gap_of, step.given):
        if gap is None or (abs(gap) > 1 and not RELATIONS[relation](gap, 0)):
            return False
    relation, gap = gap_of(f"{step.lhs} {step.relation} {step.rhs}")
    if gap is None or relation == "==":
        return gap is None or abs(gap) > 1
    return abs(gap) <= 1 or not RELATIONS[relation](gap, 0)


def shown(names: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {x if isinstance(x, Fraction) else list(map(str, x))}"
                     for name, x in names.items())  # fmt: skip


KINDS: dict[str, Callable[[random.Random], Step]] = {
    "bare": lambda rng: numeric(rng, 0),
    "one": lambda rng: numeric(rng, 1),
    "two": lambda rng: numeric(rng, 2),
    "sums": of_size,
}


@dataclass
class Told:
    """How often each verdict was given, and the lines with a wrong one."""

    counts: Counter[str]
    wrong: list[str]


def judged(kind: str, count: int, seed: int, first: int = 0) -> Told:
    """So many random lines of a kind."""
    told = Told(Counter(), [])
    for number in range(first, first + count):
        rng = random.Random(f"{kind} {seed} {number}")
        step = KINDS[kind](rng)
        found = verdict(step.lhs, step.rhs, step.symbols, step.relation, step.given, explain=False)
        told.counts[str(found.status)] += 1
        if why := wrong(step, found, rng):
            place = f"{kind} {seed} {number}"
            told.wrong.append(f"{place}: {step}  {dict(step.symbols)}\n    {found}\n    {why}")
            print(told.wrong[-1], flush=True)
    return told


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=[*KINDS], action="append")
    parser.add_argument("--first", type=int, default=0)
    chosen = parser.parse_args(arguments)
    bad = 0
    for kind in chosen.kind or KINDS:
        counts: Counter[str] = Counter()
        for first in range(0, chosen.count, BATCH):
            told = judged(kind, min(BATCH, chosen.count - first), chosen.seed, chosen.first + first)
            counts += told.counts
            bad += len(told.wrong)
            print(f"{kind}: {bad} wrong in all; {counts.total()}: {dict(counts)}", flush=True)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
