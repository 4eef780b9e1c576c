"""The derivation of learning from examples: what the probability of an error is."""

from __future__ import annotations

from collections.abc import Callable

from lectures_lib.proofs import Derivation

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


DERIVATIONS: tuple[Callable[[], Derivation], ...] = (risk_point_by_point,)
AGREES: dict[str, str] = {}
