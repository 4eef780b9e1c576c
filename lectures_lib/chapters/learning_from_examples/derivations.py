"""The derivations of learning from examples: what an error costs, and how well it is measured."""

from __future__ import annotations

from collections.abc import Callable

from linecheck import Derivation

TABLE = {"P": "positive matrix 2 2"}


def risk_point_by_point() -> Derivation:
    """Step 1: the probability of error at each point x, for any label f = f(x)."""
    d = Derivation("The risk, point by point", symbols=TABLE | {"x f": "int 1..2"})
    d.line(
        "sum(indicator(f != y)*P[x, y], y, 1, 2)",
        because="mass of the wrong labels at x; the risk is the sum of this over x",
    )
    d.line("P[x, 1] + P[x, 2] - P[x, f]", because="all mass at x minus that of the chosen label")
    d.line(
        "(P[x, 1] + P[x, 2])*(1 - P[x, f]/(P[x, 1] + P[x, 2]))", because="p(x) times 1 - p(f(x)|x)"
    )
    return d


def wrong_choice() -> Derivation:
    """Step 2: what it costs to choose the other label at one point of the input space."""
    d = Derivation("What a wrong choice costs at one point", symbols={"a b": "positive"})
    d.line(
        "(a + b - min(a, b)) - (a + b - max(a, b))",
        because="a, b: mass of both labels at x; error of the lesser label minus that of the other",
    )
    d.line("max(a, b) - min(a, b)", because="the total mass cancels")
    d.line("abs(a - b)", because="large where one label is nearly sure, 0 where both are equal")
    return d


def mean_and_variance_of_a_mistake() -> Derivation:
    """Step 3: a mistake is a 0-1 number with mean R; its variance says how long to count."""
    d = Derivation("Mean and variance of one mistake", symbols={"R": "probability"})
    d.claim("R*1 + (1 - R)*0", "R", because="the mean: 1 with probability R, 0 otherwise")
    d.line("R*(1 - R)**2 + (1 - R)*(0 - R)**2", because="the mean squared distance from R")
    d.line("R*(1 - R)*((1 - R) + R)", because="take out R(1 - R)")
    d.line("R*(1 - R)", because="the bracket is 1; the mean of n cases has this divided by n")
    return d


DERIVATIONS: tuple[Callable[[], Derivation], ...] = (
    risk_point_by_point,
    wrong_choice,
    mean_and_variance_of_a_mistake,
)
AGREES: dict[str, str] = {}
