"""The kernel attacked directly: facts come from rules, and every rule asks for its conditions."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from types import ModuleType

import mpmath
import pytest

from linecheck.expand.graph import Graph, Node
from linecheck.expand.problem import Problem
from linecheck.kernel import numbers, rules
from linecheck.kernel import polynomials as poly
from linecheck.kernel.facts import ANY, NEG, NONZERO, POS, WEAK, ZERO, Fact, RuleError
from linecheck.kernel.normal import NOUGHT, Ratio
from linecheck.kernel.polynomials import Exponent, Key, Poly, Work
from linecheck.kernel.rules import proves, sign_goal
from linecheck.language.domains import SCALARS
from linecheck.prove.guess import Guess, enclosures
from linecheck.prove.nodes import node_of

HALF = Fraction(1, 2)


class Place:
    """A context with variables x y z (real), p (probability), q (positive), n (nonnegative)."""

    def __init__(self, module: ModuleType = rules, guess: Guess | None = None) -> None:
        self.rules = module
        kinds = {**dict.fromkeys("xyz", "real"), "p": "probability", "q": "positive",
                 "n": "nonnegative", "s": "label01", "w": "nonzero"}  # fmt: skip
        domains = {name: SCALARS[kind] for name, kind in kinds.items()}
        table = module.Table(guess or Guess(), Graph())
        self.context = module.Context(table, domains, Work(10**6))
        for name in domains:
            self.context.bounds(name)
        self.x, self.y, self.z, self.p, self.q, self.n, self.s, self.w = (
            self.context.atom("var", name).top for name in "xyzpqnsw"
        )

    def solved(self, equation: Poly) -> None:
        """Solve an equation for x, in a case in which it holds."""
        case = self.context.case()
        case.assume(equation, ZERO)
        case.rule_solve(max(self.x)[0][0], equation)

    def supposing(self, a: Poly, signs: int) -> Place:
        """A case of it."""
        inner = copy.copy(self)
        inner.context = self.context.case()
        inner.context.assume(a, signs)
        return inner

    def signs(self, a: Poly) -> int:
        return self.context.signs(a)

    def lowest(self, a: Poly, x: Poly, at: int) -> None:
        """Say that a is convex in x and lowest, and not negative, at a number."""
        self.lowest_of(node_of(self.context.table.graph, self.context, Ratio(a)), x, at)

    def lowest_of(self, f: Node, x: Poly, at: int) -> None:
        self.context.rule_convex(f.number, max(x)[0][0], poly.constant(at), [])

    def bent(self) -> Node:
        """x**2 - 6 |x - 1| + 3: flat at 3, where it is 0, and at -3, where it is -12."""
        graph = self.context.table.graph
        x = graph.var("x")
        size = graph.call("abs", graph.sub(x, graph.one))
        square = graph.pow(x, graph.num(2))
        return graph.add((square, graph.mul((graph.num(-6), size)), graph.num(3)))

    def above_log(self, name: str) -> Node:
        """x - 1 - log|x|."""
        graph = self.context.table.graph
        x = graph.var(name)
        return graph.sub(graph.sub(x, graph.one), graph.call("log", x))

    def cubic(self, x: Poly) -> Poly:
        """x**3 - 3 x - 2, which is flat at -1 and at 1."""
        cube = self.context.times(x, self.context.times(x, x))
        return one_more(poly.add(cube, x, -3), -2)

    @property
    def root(self) -> Poly:
        """The root of 2."""
        return self.context.root(number(2), HALF).top

    @property
    def root_power(self) -> tuple[int, Exponent]:
        return max(self.root)[0]

    def divided(self, kind: str) -> Poly:
        """A function of 1/(1 + exp(-1))."""
        below = one_more(self.context.exp(number(-1)).top)
        return self.context.atom(kind, None, Ratio(poly.ONE, {poly.key_of(below): 1})).top

    def number(self, a: Poly, low: float = 1, high: float = 2) -> None:
        """Say that the last atom of a number lies between these."""
        power = max(a)[0]
        ends = (int(10 * end) * numbers.ONE // 10 for end in (low, high))
        self.context.rule_number(a, {power: tuple(ends)})


def number(value: int) -> Ratio:
    return Ratio(poly.constant(value))


def minus(a: Poly) -> Poly:
    return poly.scale(a, -1)


def one_more(a: Poly, number: int | Fraction = 1) -> Poly:
    return poly.add(a, poly.constant(number))


def test_a_fact_cannot_be_made_outside_the_rules() -> None:
    place = Place()
    with pytest.raises(TypeError):
        Fact(place.x, POS, "sum")
    known = next(iter(place.context.known.values()))
    with pytest.raises(dataclasses.FrozenInstanceError):
        known.signs = NEG  # type: ignore[misc]
    with pytest.raises(TypeError):
        dataclasses.replace(known, signs=NEG, seal=None)


REFUSED: dict[str, Callable[[Place], object]] = {
    "a sum that is not the target": lambda at: at.context.rule_sum(
        at.x, [(1, [(at.q, 1)])], []
    ),
    "a multiple of what may not be 0": lambda at: at.context.rule_sum(
        at.x, [], [(poly.ONE, at.x)]
    ),
    "a coefficient that is a float": lambda at: at.context.rule_sum(
        {max(at.x): 0.5}, [], []
    ),
    "a factor that is rounded": lambda at: at.context.rule_sum(
        poly.constant(1 + Fraction(1, 10**20)), [(1.0, [])], []
    ),
    "a negative power of a variable": lambda at: at.context.checked({((0, -1),): 1}),
    "an exponent that is not whole": lambda at: at.context.checked({((0, HALF),): 1}),
    "an atom that does not exist": lambda at: at.context.checked({((-1, 1),): 1}),
    "a logarithm of what may be 0": lambda at: at.context.rule_logarithm(at.n, poly.ONE),
    "a logarithm of what may be negative": lambda at: at.context.rule_logarithm(at.w, poly.ONE),
    "logarithms compared where both may be negative": lambda at: at.context.rule_monotone(
        "log", (at.w, poly.ONE), (poly.scale(at.w, 2), poly.ONE)
    ),
    "a divisor that may be 0": lambda at: at.context.rule_logarithm(at.q, at.n),
    "what does not grow": lambda at: at.context.rule_monotone(
        "abs", (at.q, poly.ONE), (minus(at.q), poly.ONE)
    ),
    "logarithms compared where one is negative": lambda at: at.context.rule_monotone(
        "log", (at.x, poly.ONE), (at.q, poly.ONE)
    ),
    "a discriminant with a < 0": lambda at: at.context.rule_discriminant(
        minus(at.q), {}, poly.ONE, at.x
    ),
    "a discriminant that is too small": lambda at: at.context.rule_discriminant(
        poly.ONE, poly.constant(3), poly.ONE, at.x
    ),
    "a coefficient that is no fraction": lambda at: at.context.checked({max(at.x): 0.5}),
    "a rounded exponent": lambda at: at.context.checked(
        {((max(at.context.atom("prime", 2).top)[0][0], 0.5),): 1}
    ),
    "an exponential that is too large": lambda at: at.number(at.context.exp(number(200)).top),
    "a function of what is divided": lambda at: at.number(
        one_more(at.divided("Phi"), Fraction(-4, 5))
    ),
    "a number that is no number": lambda at: at.number(
        at.context.atom("abs", None, at.context.exp(number(-1))).top, -0.4, -0.3
    ),
    "a root that is elsewhere": lambda at: at.number(at.root, 2, 3),
    "the other root": lambda at: at.number(at.root, -1, -2),
    "a logarithm that is elsewhere": lambda at: at.number(at.context.log(number(2)).top, -1, 0),
    "ends that are rounded": lambda at: at.context.rule_number(
        at.root, {at.root_power: (1.4 * numbers.ONE, 1.5 * numbers.ONE)}
    ),
    "half a factor": lambda at: at.context.rule_sum(poly.ONE, [(1, [(at.x, HALF)])], []),
    "an equation of degree 2": lambda at: at.solved(
        poly.add(at.context.times(at.x, at.x), at.y, -1)
    ),
    "an equation with x in a function": lambda at: at.solved(
        poly.add(at.x, at.context.exp(at.context.renew(at.x)).top, -1)
    ),
    "an equation whose slope may be 0": lambda at: at.solved(
        poly.add(at.context.times(at.x, at.y), at.z, -1)
    ),
    "a case left out": lambda at: at.rules.proves(
        at.context, sign_goal(at.context.times(at.x, at.x), WEAK), [("cases", at.x, "three", [[]])]
    ),
    "what is highest where it is flat": lambda at: at.lowest(
        minus(at.context.times(at.x, at.x)), at.x, 0
    ),
    "what bends up where it is, and down elsewhere": lambda at: at.supposing(at.x, POS).lowest(
        at.cubic(at.x), at.x, -1
    ),
    "what is flat outside the domain": lambda at: at.lowest(at.cubic(at.q), at.q, -1),
    "what is not flat": lambda at: at.lowest(
        poly.add(at.context.times(at.x, at.x), at.x, -2), at.x, 0
    ),
    "what is negative where it is flat": lambda at: at.lowest(
        one_more(at.context.times(at.x, at.x), -1), at.x, 0
    ),
    "what is not smooth": lambda at: at.lowest_of(at.bent(), at.x, 3),
    "a logarithm along a way through 0": lambda at: at.lowest_of(at.above_log("x"), at.x, 1),
    "a way around 0": lambda at: at.lowest_of(at.above_log("w"), at.w, 1),
    "nodes of another graph": lambda at: at.context.begin(
        Problem(Graph(), {}, [], [], "==", ([], []), [], {}, (), {})
    ),
    "an equation that is not known": lambda at: at.context.rule_solve(max(at.x)[0][0], at.x),
}  # fmt: skip


@pytest.mark.parametrize("attack", REFUSED)
def test_a_rule_is_refused_where_its_condition_is_not_met(attack: str) -> None:
    place = Place()
    before = {key: fact.signs for key, fact in place.context.known.items()}
    with pytest.raises(RuleError):
        REFUSED[attack](place)
    assert {key: fact.signs for key, fact in place.context.known.items()} == before


def test_an_equation_is_solved_only_for_a_variable_whose_factor_is_not_0() -> None:
    place = Place()
    equation = poly.add(place.context.times(place.x, place.y), place.z, -1)
    case = place.context.case()
    case.assume(equation, ZERO)
    with pytest.raises(RuleError):
        case.rule_solve(max(place.x)[0][0], equation)  # x y = z says nothing of x where y = 0
    case.assume(place.y, NONZERO)
    case.rule_solve(max(place.x)[0][0], equation)
    assert not case.add(case.renew(case.times(place.x, place.y)), case.renew(place.z), -1).top


def test_what_is_assumed_in_a_case_is_not_known_outside_it() -> None:
    place = Place()
    case = place.context.case()
    inner = case.case()
    inner.assume(place.x, POS)
    assert place.signs(place.x) == case.signs(place.x) == NEG | ZERO | POS
    assert inner.signs(place.x) == POS


def test_cases_that_leave_something_out_prove_nothing() -> None:
    place = Place()
    square = place.context.times(place.x, place.x)
    goal = sign_goal(square, POS)
    with pytest.raises(RuleError):
        proves(place.context, sign_goal(square, WEAK), [("cases", place.x, "three", [[], []])])
    assert not proves(place.context, goal, [("cases", place.x, "three", [[], [], []])])
    assert proves(place.context, sign_goal(square, WEAK), [])
    assert {sum({bit for bit in (NEG, ZERO, POS) for one in kind if one & bit})
            for kind in rules.CASES.values()} == {ANY}  # fmt: skip


def test_nothing_is_cancelled_that_may_be_0() -> None:
    place, graph = Place(), Graph()
    x, q = graph.var("x"), graph.var("q")
    assert place.context.of(graph.div(q, q)).top == poly.ONE
    assert place.context.of(graph.node("mul", (x, graph.pow(x, graph.minus_one)))).top != poly.ONE
    assert place.context.of(graph.call("exp", graph.call("log", x))).top != place.x
    assert place.context.of(graph.call("exp", graph.call("log", q))).top == place.q


def test_a_power_is_0_only_where_its_base_is_0_and_its_exponent_positive() -> None:
    for base, exponent, nought in ((ZERO, "q", True), (ZERO, "n", False), (NEG, "q", False)):
        place, graph = Place(), Graph()
        case = place.context.case()
        case.assume(place.x, base)
        power = graph.pow(graph.var("x"), graph.var(exponent))
        assert (case.of(power) == NOUGHT) == nought


def test_a_root_squared_is_its_inside_where_that_is_not_negative() -> None:
    place = Place()
    for inside, same in ((place.x, False), (place.n, True)):
        root = place.context.root(place.context.renew(inside), HALF)
        assert (place.context.multiply(root, root).top == inside) == same


def test_a_function_sees_the_power_of_what_it_undoes() -> None:
    context, graph = Place().context, Graph()
    x, p, two = graph.var("x"), graph.var("p"), graph.num(2)
    share = graph.pow(graph.call("Phi", x), two)
    score = graph.pow(graph.call("Phi_inv", p), two)
    assert context.of(graph.call("Phi_inv", share)).key != context.of(x).key
    assert context.of(graph.call("Phi", score)).key != context.of(p).key
    for power in (Fraction(3, 2), Fraction(-3, 2)):  # log(1 + exp(a)) is log(1 + exp(-a)) + a
        a = graph.mul((graph.num(power), x))
        above, below = (
            context.of(graph.call("log", graph.add((graph.one, graph.call("exp", one)))))
            for one in (a, graph.neg(a))
        )
        assert context.add(context.add(above, below, -1), context.of(a), -1) == NOUGHT


def test_a_quantile_is_turned_over_where_there_is_one() -> None:
    context, graph = Place().context, Graph()
    for name, turned in (("p", True), ("x", False), ("q", False)):
        x = graph.var(name)
        both = [graph.call("Phi_inv", one) for one in (x, graph.sub(graph.one, x))]
        assert (context.of(graph.add(both)) == NOUGHT) == turned


class Liar(Guess):
    """Says what is not so, one thing at a time."""

    def __init__(self, lie: str) -> None:
        self.lie = lie

    def cancelled(
        self, top: Poly, below: Mapping[Key, int], work: Work
    ) -> tuple[Poly, dict[Key, int]]:
        less, kept = super().cancelled(top, below, work)
        if self.lie == "another top":
            return one_more(less), kept
        if self.lie == "a divisor left out":
            return less, {}
        if self.lie == "a divisor too many":
            return less, {key: exponent + 1 for key, exponent in below.items()}
        return less, kept

    def factors(self, a: Poly, parts: Iterable[Poly], work: Work) -> list[tuple[Poly, int]]:
        found = super().factors(a, parts, work)
        return {
            "another factor": [*found, ({((0, 1),): 1, (): 1}, 1)],
            "a factor that stands there no times": [*found, ({((0, 1),): 1, (): 1}, 0)],
            "a factor that is taken away": [*found, *found, *((a, -n) for a, n in found)],
            "a power that may be 1/0": [*found, ({((0, -1),): 1}, 1), ({((0, 1),): 1}, 1)],
        }.get(self.lie, found)

    def primes(self, value: int) -> list[tuple[int, int]]:
        found = super().primes(value)
        return {
            "another prime": [*found, (7, 1)],
            "a prime that is taken away": [*found, (7, 1), (7, -1)],
        }.get(self.lie, found)


def told_by(guess: Guess, module: ModuleType = rules) -> object:
    """A root, with a quotient and primes in it."""
    place = Place(module, guess)
    graph = place.context.table.graph
    x, q = graph.var("x"), graph.var("q")
    top = graph.add((graph.pow(x, graph.num(2)), graph.num(12)))
    over = graph.div(graph.mul((graph.num(12), top)), graph.add((q, graph.one)))
    return place.context.of(graph.sqrt(over)).key


LIES = ("another top", "a divisor left out", "a divisor too many", "another factor",
        "a factor that stands there no times", "a factor that is taken away",
        "a power that may be 1/0", "another prime", "a prime that is taken away")  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_what_search_proposes_is_checked(lie: str) -> None:
    assert told_by(Liar("")) == told_by(Guess())
    with pytest.raises(RuleError):
        told_by(Liar(lie))


def test_strictness_needs_a_term_that_is_positive() -> None:
    place = Place()
    both = poly.add(place.n, place.q)
    assert place.signs(both) == POS
    assert place.signs(poly.add(place.n, place.p)) == POS
    assert place.signs(poly.add(place.n, place.context.times(place.x, place.x))) == WEAK
    assert place.signs(one_more(minus(place.p))) == POS  # 1 - p, from the domain
    assert place.signs(poly.add(place.n, minus(place.q))) == NEG | ZERO | POS


def test_a_square_is_completed_strictly_only_where_the_gap_is_not_0() -> None:
    place = Place()
    for rest, signs in ((place.n, WEAK), (place.q, POS)):  # (x + 1)**2 + rest
        place.context.rule_discriminant(poly.ONE, poly.constant(2), one_more(rest), place.x)
        square = poly.add(place.context.times(place.x, place.x), poly.scale(place.x, 2))
        assert place.signs(one_more(poly.add(square, rest))) == signs


def test_what_is_flat_where_it_is_0_may_be_0_there() -> None:
    place = Place()
    for number, signs in ((-2, WEAK), (-1, POS)):  # exp(x) + exp(-x) + number
        both = [place.context.exp(Ratio(one)).top for one in (place.x, minus(place.x))]
        gap = one_more(poly.add(*both), number)
        place.lowest(gap, place.x, 0)
        assert place.signs(gap) == signs


def test_a_condition_at_a_tie_and_a_slope_at_a_kink() -> None:
    place, graph = Place(), Graph()
    x, y, n, q = (graph.var(name) for name in "xynq")
    tie = place.context.case()
    tie.assume(poly.add(place.x, place.y, -1), ZERO)
    tie.rule_solve(max(place.x)[0][0], poly.add(place.x, place.y, -1))
    for relation, truth in (("<", {}), ("<=", poly.ONE), ("==", poly.ONE)):
        assert tie.truth(graph.compare(relation, x, y), tie.positive).top == truth
    for inside, opaque in ((n, True), (q, False)):  # sqrt(n) has no slope at 0
        root = graph.sqrt(inside)
        slope = graph.node("diff", (root, graph.derivative(root, inside)), inside.data)
        assert (place.context.kind_of(place.context.of(slope).top) == "opaque") == opaque


def test_what_follows_from_a_condition_need_not_say_the_same() -> None:
    place = Place()
    graph = place.context.table.graph
    x, q = (graph.compare(">", graph.var(name), graph.zero) for name in "xq")  # q > 0 always
    weaker = graph.compare(">=", graph.var("q"), graph.zero)
    for left, right, relation, holds in (
        (x, q, "implies", True), (q, x, "implies", False),
        (x, q, "iff", False), (q, weaker, "iff", True),
    ):  # fmt: skip
        assert rules.is_true(left, right, relation, place.context) == holds


def test_an_assumption_that_leaves_a_polynomial_no_sign_closes_its_case() -> None:
    place = Place()
    case = place.context.case()
    case.assume(one_more(poly.scale(place.context.times(place.x, place.x), 2), -1), ZERO)
    assert not case.closed  # 2 x**2 = 1
    case.assume(place.x, ZERO)
    assert case.closed


def test_a_product_is_divided_by_what_is_not_0_alone() -> None:
    for factor, left in (("q", ZERO), ("w", ZERO), ("n", NEG | ZERO | POS)):
        place = Place()
        gap = poly.add(place.y, place.z, -1)
        product = place.context.times(getattr(place, factor), gap)
        place.context.learn(product, ZERO, "hypothesis")
        assert place.signs(gap) == left
    place.context.learn(place.context.times(place.w, one_more(place.y)), POS, "hypothesis")
    assert place.signs(one_more(place.y)) == NONZERO  # w may be negative


@pytest.mark.parametrize(
    ("kind", "data", "divided"),
    [("root", 2, True), ("abs", None, True), ("pos", None, True), ("inv", None, True),
     ("root", 0, False), ("root", HALF, False), ("prime", -3, False), ("prime", HALF, False)],
)  # fmt: skip
def test_an_atom_that_rules_would_misread_is_not_made(
    kind: str, data: object, divided: bool
) -> None:
    place = Place()
    inside = place.context.fraction(place.x, place.q) if divided else Ratio(place.x)
    with pytest.raises(ValueError, match="no such atom"):
        place.context.atom(kind, data, *([] if kind == "prime" else [inside]))


def test_numbers_are_enclosed_and_not_rounded() -> None:
    place = Place()
    place.context.rule_number({}, {})
    assert not place.context.closed  # 0 is no interval
    log2 = place.context.log_of(poly.constant(2)).top
    for number, signs in ((Fraction(693147, 10**6), POS), (Fraction(693148, 10**6), NEG)):
        gap = one_more(log2, -number)
        place.context.rule_number(gap, enclosures(place.context, gap))
        assert place.signs(gap) == signs


def test_a_logarithm_is_known_to_be_positive_above_1_alone() -> None:
    place = Place()
    for number, signs in ((2, POS), (1, NEG | ZERO | POS), (HALF, NEG | ZERO | POS)):
        log = place.context.atom("log", None, Ratio(poly.constant(number)))
        assert place.signs(log.top) == signs


def test_an_enclosure_holds_the_number_to_its_last_digit() -> None:
    context = Place().context
    for top in (Fraction(1, 3), Fraction(-7, 3), Fraction(2, 7), Fraction(9)):
        x = Ratio(poly.constant(top))
        with mpmath.workdps(150):
            value = mpmath.mpf(top.numerator) / top.denominator
            for found, true in (
                (context.exp(x), mpmath.exp(value)),
                (context.log(x), mpmath.log(abs(value))),
                (context.root(x, HALF), mpmath.sqrt(abs(value))),
                (
                    context.root(Ratio(one_more(context.root(x, HALF).top)), HALF),
                    mpmath.sqrt(1 + mpmath.sqrt(abs(value))),
                ),
                (context.normal(x), mpmath.ncdf(value)),
                (context.atom("pi"), mpmath.pi),
            ):
                given = enclosures(context, found.top)
                low, high = numbers.enclosed(context.table, found.top, given)
                assert low <= true * numbers.ONE <= high
                assert high - low < numbers.ONE // 10**55
