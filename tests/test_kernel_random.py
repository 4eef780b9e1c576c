"""Random calls of the kernel's rules with random arguments: every fact that is made, and every
normal form, holds at every point of a grid at which the context holds."""

from __future__ import annotations

import ast
import inspect
import itertools
import math
import random
import sys
import types
from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction
from statistics import NormalDist

import pytest

from linecheck.expand.graph import Graph
from linecheck.kernel import facts, normal, numbers, rules
from linecheck.kernel import polynomials as poly
from linecheck.kernel.facts import ANY, NEG, POS, ZERO, RuleError, Table
from linecheck.kernel.normal import Ratio
from linecheck.kernel.polynomials import Key, Poly, Work
from linecheck.kernel.rules import CASES, Context
from linecheck.language.domains import SCALARS
from linecheck.language.terms import TooBigError
from linecheck.prove.guess import Guess, enclosures
from linecheck.prove.nodes import node_of
from tests.test_kernel import LIES, REFUSED, Liar, Place, told_by

KINDS = {"x": "real", "y": "real", "p": "probability", "q": "positive", "n": "nonnegative",
         "s": "label01"}  # fmt: skip
HALF = Fraction(1, 2)
VALUES = {"real": (-2, -1, -HALF, 0, HALF, 1, 3), "probability": (Fraction(1, 4), HALF),
          "positive": (HALF, 1, 2), "nonnegative": (0, 1, 3), "label01": (0, 1)}  # fmt: skip
NOWHERE = {"log": 0.37, "Phi_inv": -1.3}  # what a function is where it is not defined
TOLD = {"exp": (0, math.inf), "Phi": (0, 1 - 1e-6)}  # where floats tell it from its ends
Point = Mapping[str, Fraction]
NORMAL = NormalDist()


def phi(x: float) -> float:
    """Phi, precise where it is small."""
    return math.erfc(-x / math.sqrt(2)) / 2


class Grid:
    """Values of polynomials and quotients at one point, by floats and with none of the kernel."""

    def __init__(self, table: Table, point: Point) -> None:
        self.table, self.point = table, point

    def atom(self, index: int) -> float:
        atom = self.table.atoms[index]
        if atom.kind == "var":
            return float(self.point[str(atom.data)])
        if atom.kind == "prime":
            return float(str(atom.data))
        inside, size = self.fraction(*atom.args[0])
        inside = 0.0 if abs(inside) <= 1e-9 * size else inside
        if atom.kind == "log":
            return math.log(abs(inside)) if inside else NOWHERE["log"]
        if atom.kind == "Phi_inv":
            return NORMAL.inv_cdf(inside) if 0 < inside < 1 else NOWHERE["Phi_inv"]
        if atom.kind == "root":
            return abs(inside) ** (1 / float(str(atom.data)))
        value = {
            "exp": math.exp,
            "abs": abs,
            "pos": lambda x: float(x > 0),
            "inv": lambda x: 1 / x if x else 0.0,
            "Phi": phi,
        }[atom.kind](inside)
        low, high = TOLD.get(atom.kind, (-math.inf, math.inf))
        if not low < value < high:
            raise OverflowError("a float does not tell it from the end")
        return value

    def of(self, a: Poly) -> tuple[float, float]:
        """The value, and the size of its terms."""
        total = size = 0.0
        for monomial, coefficient in a.items():
            term = float(coefficient)
            for index, exponent in monomial:
                term *= self.atom(index) ** float(exponent)
            total, size = total + term, size + abs(term)
        return total, size

    def fraction(self, top: Key, below: tuple[tuple[Key, int], ...]) -> tuple[float, float]:
        value, size = self.of(dict(top))
        for key, exponent in below:
            under = self.of(dict(key))[0] ** exponent
            value, size = value / under, size / abs(under)
        return value, size

    def exact(self, a: Poly) -> Fraction:
        """The value where it is rational: so strictness is seen where a fact is tight."""
        total = Fraction(0)
        for monomial, coefficient in a.items():
            for index, exponent in monomial:
                atom = self.table.atoms[index]
                if atom.kind == "var":
                    value = self.point[str(atom.data)]
                elif not atom.args:
                    raise ValueError("not rational")
                else:
                    value = self.exact_function(atom.kind, self.exact(dict(atom.args[0][0])))
                coefficient *= value ** int(exponent)
            total += coefficient
        return total

    @staticmethod
    def exact_function(kind: str, x: Fraction) -> Fraction:
        if kind in ("exp", "log") and x == (kind == "log"):
            return Fraction(kind == "exp")
        if kind not in ("abs", "pos", "inv"):
            raise ValueError("not rational")
        return {"abs": abs(x), "pos": Fraction(x > 0), "inv": 1 / x if x else x}[kind]

    def signs(self, a: Poly) -> int:
        """The sign; all of them when the value is irrational and too close to 0 to tell."""
        if not a:
            return ZERO
        try:
            value, size = self.of(a)
        except (OverflowError, ZeroDivisionError):  # exp of what is far from 0
            return ANY
        if abs(value) <= 1e-9 * size + 1e-12:
            with suppress(ValueError):
                value = self.exact(a)
                return ZERO if not value else POS if value > 0 else NEG
            return ANY
        return POS if value > 0 else NEG


POINTS = [
    dict(zip(KINDS, map(Fraction, values), strict=True))
    for values in random.Random(1).sample(
        list(itertools.product(*(VALUES[kind] for kind in KINDS.values()))), 40
    )
]


class Round:
    """One context and what is done in it at random."""

    def __init__(self, seed: str) -> None:
        self.rng = random.Random(seed)
        domains = {name: SCALARS[kind] for name, kind in KINDS.items()}
        self.context = Context(Table(Guess(), Graph()), domains, Work(60_000))
        for name in domains:
            self.context.bounds(name)
        self.points = self.sure = POINTS  # the second surely belong to the case
        self.made = [self.context.atom("var", name).top for name in KINDS]

    def poly(self) -> Poly:
        """A small polynomial in what there is."""
        rng = self.rng
        total = poly.constant(Fraction(rng.choice((0, 0, 1, -1, 2, HALF))))
        for _ in range(rng.randint(1, 2)):
            term = rng.choice(self.made)
            if rng.random() < 0.3:
                term = self.context.times(term, rng.choice(self.made))
            total = poly.add(total, term, Fraction(rng.choice((1, 1, -1, 2, -HALF))))
        return total

    def one(self) -> Poly:
        """A polynomial, perhaps the numerator of a new function."""
        if self.rng.random() < 0.6:
            return self.poly()
        inside = self.poly()
        name = self.rng.choice(("absolute", "exp", "log", "root", "inverse", "positive", "normal"))
        found = self.function(name, inside)
        self.same(name, inside, found)
        if len(found.top) <= 4 and self.small(found.top):
            self.made.append(found.top)
        return found.top

    def small(self, a: Poly) -> bool:
        try:
            return all(Grid(self.context.table, point).of(a)[1] < 50 for point in POINTS[:20])
        except OverflowError:
            return False

    def function(self, name: str, inside: Poly) -> Ratio:
        if name == "root":
            return self.context.root(Ratio(inside), HALF)
        return getattr(self.context, name)(Ratio(inside))

    def same(self, name: str, inside: Poly, found: Ratio) -> None:
        """The normal form has the value of the function."""
        if not self.small(inside):
            return
        for point in self.points:
            grid = Grid(self.context.table, point)
            try:
                value, size = grid.of(inside)
                right, right_size = grid.fraction(*found.key)
            except (OverflowError, ZeroDivisionError):
                continue  # beyond what floats can tell
            if inside and abs(value) <= 1e-9 * size:
                if name in ("inverse", "positive"):
                    continue  # floats do not say whether it is 0
                value = 0.0
            size = right_size
            if name == "log" and not value:
                continue  # log 0 is any number, and log of x*y need not be that of its factors
            left = {
                "absolute": abs, "exp": math.exp, "log": lambda x: math.log(abs(x)),
                "root": lambda x: abs(x) ** 0.5, "inverse": lambda x: 1 / x if x else 0.0,
                "positive": lambda x: float(x > 0), "normal": phi,
            }[name](value)  # fmt: skip
            assert abs(left - right) <= 1e-6 * (1 + size + abs(left)), (name, inside, point)

    def call(self) -> None:
        rng, context = self.rng, self.context
        name = rng.choice(("sum", "sum", "logarithm", "monotone", "number", "again",
                           "convex", "solve", "case", "case"))  # fmt: skip
        if name == "sum":
            parts = [(Fraction(rng.choice((1, 2, -1))), [(self.one(), rng.choice((1, 1, 2)))])
                     for _ in range(rng.randint(1, 2))]  # fmt: skip
            target: Poly = {}
            for coefficient, factors in parts:
                for factor, exponent in factors:
                    value = context.times(factor, factor) if exponent == 2 else factor
                    target = poly.add(target, value, coefficient)
            zeros = [(self.one(), fact.poly) for fact in list(context.known.values())
                     if fact.signs == ZERO][:1]  # fmt: skip
            for factor, zero in zeros:
                target = poly.add(target, context.times(factor, zero))
            context.rule_sum(context.reduce(target), parts, zeros)
        elif name == "logarithm":
            context.rule_logarithm(self.one(), rng.choice((poly.ONE, self.one())))
        elif name == "number":
            a = self.one()
            context.rule_number(a, enclosures(context, a))
        elif name == "monotone":
            context.rule_monotone(
                rng.choice(("log", "Phi")), (self.one(), poly.ONE), (self.one(), poly.ONE)
            )
        elif name == "convex":
            x, at = rng.choice(self.made[:5]), poly.constant(rng.choice((0, 1, -1)))
            u = poly.add(x, at, -1)
            smooth = rng.choice((context.times(u, u), poly.add(context.exp(Ratio(u)).top, u, -1)))
            a = poly.add(rng.choice((self.one(), *self.made[4:6])), smooth, rng.choice((1, 2, -1)))
            f = node_of(context.table.graph, context, Ratio(a))
            context.rule_convex(f.number, poly.atoms_in(x)[0], at, [])
        elif name == "again":
            context.rule_again()
        elif name == "solve":
            zeros = [fact.poly for fact in context.known.values() if fact.signs == ZERO]
            zero = rng.choice(zeros) if zeros else self.one()
            index = rng.choice(poly.atoms_in(zero) or [0])
            context.rule_solve(index, zero)
        else:
            self.case(self.one(), rng.choice(rng.choice(list(CASES.values()))))

    def case(self, a: Poly, signs: int) -> None:
        """Go on in a case, at the points that surely belong to it, or may."""
        table = self.context.table
        exact = [p for p in self.points if not Grid(table, p).signs(a) & ~signs]
        kept = [p for p in self.points if signs & ZERO and _cancels(*Grid(table, p).of(a))]
        outer = self.context
        self.context = outer.case()
        self.context.assume(a, signs)
        self.points = exact + [p for p in kept if p not in exact]
        self.sure = [p for p in self.sure if p in exact]

    def check(self) -> None:
        """Every fact holds at every point."""
        assert not (self.context.closed and self.sure)
        for point in self.points:
            grid = Grid(self.context.table, point)
            for fact in self.context.known.values():
                assert grid.signs(fact.poly) & fact.signs, (fact.rule, fact.poly, point)


def _cancels(value: float, size: float) -> bool:
    """Whether the terms may add up to 0; a small one alone, as Phi(-11), does not."""
    return abs(value) <= 1e-12 * size


def attack(seed: str) -> None:
    at = Round(seed)
    for _ in range(10):
        try:
            at.call()
        except (RuleError, TooBigError, OverflowError):
            continue
        at.check()


def attacks(first: int, last: int) -> None:
    for number in range(first, last):
        try:
            attack(f"round {number}")
        except AssertionError as problem:
            raise AssertionError(f"round {number}: {problem}") from None


@pytest.mark.slow
def test_hundreds_of_rounds_of_random_calls_make_no_false_fact() -> None:
    attacks(0, 300)


@pytest.mark.deep
def test_twenty_thousand_rounds_of_random_calls_make_no_false_fact() -> None:
    attacks(300, 21_000)


# ------------------------------------------------------------------ without a condition


class Without(ast.NodeTransformer):
    """Takes one call of `require` out."""

    def __init__(self, place: int) -> None:
        self.place, self.met = place, 0

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        call = node.value
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "require":
            self.met += 1
            if self.met - 1 == self.place:
                return ast.Pass()
        return node


MODULES = (facts, numbers, normal, rules)
CONDITIONS = sum(inspect.getsource(one).count("    require(") for one in MODULES)


def kernel_without(place: int, monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """The rules, where one condition of the kernel is taken out."""
    for module in MODULES:
        without = Without(place)
        tree = ast.fix_missing_locations(without.visit(ast.parse(inspect.getsource(module))))
        place -= without.met
        changed = types.ModuleType(module.__name__)
        monkeypatch.setitem(sys.modules, module.__name__, changed)
        exec(compile(tree, module.__name__, "exec"), changed.__dict__)
    return changed


@pytest.mark.parametrize("place", range(CONDITIONS + 1))  # the last one takes nothing out
def test_each_condition_of_a_rule_is_missed_when_it_is_taken_out(
    place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = kernel_without(place, monkeypatch)
    refused = sys.modules[facts.__name__].RuleError
    attacks = [lambda one=one: one(Place(module)) for one in REFUSED.values()]
    attacks += [lambda lie=lie: told_by(Liar(lie), module) for lie in LIES]
    assert any(_passes(one, refused) for one in attacks) == (place < CONDITIONS)


def _passes(attack: Callable[[], object], refused: type[Exception]) -> bool:
    """Whether an attack comes through, or fails otherwise than by being refused."""
    try:
        attack()
    except refused:
        return False
    except Exception:
        return True
    return True
