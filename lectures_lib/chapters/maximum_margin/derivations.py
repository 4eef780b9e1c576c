"""Derivations: the margin, its dual, the soft margin and the constant C."""

from __future__ import annotations

from collections.abc import Callable

from linecheck import Derivation


def width_of_the_slab() -> Derivation:
    """Step 1: the lines g = 1 and g = -1 are 2/‖w‖ apart."""
    d = Derivation(
        "The width of the slab",
        symbols={"w": "vector 2", "w0": "real"},
        given="norm(w) > 0",
        where={"a": "(1 - w0)/norm(w)**2*w", "b": "(-1 - w0)/norm(w)**2*w"},
    )
    d.claim("dot(w, a) + w0", "1", because="a lies on g = 1")
    d.claim("dot(w, b) + w0", "-1", because="b lies on g = -1, on the same perpendicular")
    d.line("norm(a - b)", because="their distance")
    d.line("norm(2/norm(w)**2*w)", because="the terms with w0 cancel")
    d.line("2/norm(w)", because="the norm of a multiple")
    return d


def rescaling() -> Derivation:
    """Step 2: a separator with smallest score k becomes one with smallest score 1."""
    d = Derivation(
        "Rescaling a separator",
        symbols={"w x": "vector 2", "w0": "real", "s": "sign", "k": "positive"},
        given="s*(dot(w, x) + w0) >= k",
    )
    d.line("s*(dot(w/k, x) + w0/k)", because="score with (w, w0)/k")
    d.line("s*(dot(w, x) + w0)/k", because="take out 1/k")
    d.line("1", relation=">=", because="the score was at least k")
    return d


def two_points() -> Derivation:
    """Step 3: the conditions of Karush, Kuhn and Tucker for the points 1 (-) and 3 (+)."""
    d = Derivation(
        "Two points on a line, exactly",
        symbols={"w b l1 l2": "real"},
        where={"L": "w**2/2 - l1*(-(w + b) - 1) - l2*((3*w + b) - 1)"},
    )
    d.claim("L", "w + l1 - 3*l2", derivative="w", because="stationarity in the weight")
    d.claim("L", "l1 - l2", derivative="b", because="stationarity in the bias: l1 = l2")
    d.claim(
        "subs(w + l1 - 3*l2, {w: 1, l1: 1/2, l2: 1/2})",
        "0",
        because="w = 1 with both multipliers 1/2",
    )
    d.claim("subs(-(w + b), {w: 1, b: -2})", "1", because="the point 1 lies on its kerb")
    d.claim("subs(3*w + b, {w: 1, b: -2})", "1", because="and so does the point 3")
    return d


def stationarity() -> Derivation:
    """Step 4: the weights are a sum over the examples; the bias gives a condition only."""
    d = Derivation(
        "Stationarity of the Lagrange function",
        symbols={
            "X": "matrix N 2",
            "w": "vector 2",
            "w0": "real",
            "alpha": "nonnegative vector N",
            "s": "sign vector N",
        },
        sizes={"N": (1, 2, 3)},
        where={
            "L": "norm(w)**2/2 - sum(alpha[i]*(s[i]*(dot(w, X[i]) + w0) - 1), i, 1, N)",
        },
    )
    d.claim(
        "L",
        "w - sum(alpha[i]*s[i]*X[i], i, 1, N)",
        derivative="w",
        because="0 for w = Σ α s x",
    )
    d.claim(
        "L",
        "-sum(alpha[i]*s[i], i, 1, N)",
        derivative="w0",
        because="0 for Σ α s = 0; w0 itself does not occur",
    )
    return d


def dual_of_two_points() -> Derivation:
    """Step 5: the dual of the two points has its maximum where the primal has its minimum."""
    d = Derivation("The dual problem of two points", symbols={"a c": "real"})
    d.line("a + a - (a*(-1)*1 + a*1*3)**2/2", because="Σα - ½‖Σ α s x‖² with α1 = α2 = a")
    d.line("2*a - 2*a**2", because="3 - 1 = 2")
    d.maximum("2*a - 2*a**2", "a", "1/2", because="the largest value is at a = 1/2")
    d.claim("subs(2*a - 2*a**2, a, 1/2)", "1**2/2", because="and equals ½ w² at the optimum w = 1")
    d.claim(
        "(a + c) + a + c - (-(a + c) + 3*a + 5*c)**2/2",
        "2*(a + c) - 2*(a + 2*c)**2",
        because="a third point, 5 (+), with multiplier c",
    )
    d.claim(
        "2*(a + c) - 2*(a + 2*c)**2",
        "1/2",
        relation="<=",
        given="c >= 0",
        because="it cannot improve the optimum: it is no support vector",
    )
    return d


def slack_becomes_hinge() -> Derivation:
    """Step 6: the best slack is the hinge loss."""
    d = Derivation("The best slack", symbols={"m xi": "real"})
    d.claim("max(0, 1 - m)", "0", relation=">=", because="it is an allowed slack: not negative")
    d.claim("max(0, 1 - m)", "1 - m", relation=">=", because="and it meets the constraint")
    d.claim(
        "xi",
        "max(0, 1 - m)",
        relation=">=",
        given=["xi >= 0", "xi >= 1 - m"],
        because="no allowed slack is smaller",
    )
    d.claim(
        "max(0, 1 - m)",
        "indicator(m <= 0)",
        relation=">=",
        because="and it is nowhere below the 0-1 loss",
    )
    return d


def two_constants() -> Derivation:
    """Step 7: the C of note 001 is twice the usual one."""
    d = Derivation("Two conventions for C", symbols={"w": "vector 2", "C h": "nonnegative"})
    d.line("norm(w)**2 + C*h", because="objective of note 001; h is the sum of the slacks")
    d.line("2*(norm(w)**2/2 + C/2*h)", because="take out 2: the usual objective with C' = C/2")
    return d


def subgradient() -> Derivation:
    """Step 8: a subgradient of the soft-margin objective."""
    d = Derivation(
        "A subgradient of the soft-margin objective",
        symbols={
            "w x": "vector 2",
            "w0 m": "real",
            "s": "sign",
            "C": "positive",
            "t": "closed probability",
        },
        where={"J": "norm(w)**2/2 + C*max(0, 1 - s*(dot(w, x) + w0))"},
    )
    d.claim(
        "J",
        "w - C*s*x",
        derivative="w",
        given="s*(dot(w, x) + w0) < 1",
        because="inside the margin the slack is 1 - s g",
    )
    d.claim("J", "w", derivative="w", given="s*(dot(w, x) + w0) > 1", because="outside it is 0")
    d.claim(
        "max(0, 1 - m)",
        "-t*(m - 1)",
        relation=">=",
        because="on the margin every slope from -1 to 0 will do",
    )
    return d


DERIVATIONS: tuple[Callable[[], Derivation], ...] = (
    width_of_the_slab,
    rescaling,
    two_points,
    stationarity,
    dual_of_two_points,
    slack_becomes_hinge,
    two_constants,
    subgradient,
)
AGREES: dict[str, str] = {}
