"""Checks of note 001: the printed form fails, the corrected form holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from lectures_lib.errata._entry import Check, Finding

# ---------------------------------------------------------------------------------- losses

XOR = (((1, 0, 0), -1), ((1, 1, 1), -1), ((1, 0, 1), 1), ((1, 1, 0), 1))


def _dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return sum(u * v for u, v in zip(a, b, strict=True))


def _zero_risk_means_all_correct(loss: Callable[[int], int]) -> Finding:
    """At w = 0 no example is classified strictly correctly, so the risk must not be 0."""
    risk = sum(loss(s * _dot((0, 0, 0), x)) for x, s in XOR)
    return Finding(risk > 0, f"on XOR w = 0 has risk {risk}, with no example strictly correct.")


def _adds_up_to_one(total: Callable[[float], float]) -> Finding:
    value = total(0.8)
    return Finding(abs(value - 1) < 1e-9, f"at h = 0.8 the total is {value:.3f}.")


def _integral(h: float) -> float:
    """Integral of h^y (1-h)^(1-y) over 0 <= y <= 1, by the midpoint rule."""
    y = (np.arange(10_000) + 0.5) / 10_000
    return float(np.mean(h**y * (1 - h) ** (1 - y)))


def _has_a_minimiser(data: Sequence[tuple[int, int]]) -> Finding:
    """The slope of the summed logistic loss in w (one feature, s = 1 or -1) changes its sign."""
    x, s = (np.array(column, dtype=float) for column in zip(*data, strict=True))

    def slope(w: float) -> float:
        return float(-(s * x / (1 + np.exp(s * x * w))).sum())

    low, high = slope(-30), slope(30)
    return Finding(
        low < 0 < high, f"the slope of the loss is {low:.2g} at w = -30 and {high:.2g} at w = 30."
    )


SEPARABLE = ((-1, -1), (1, 1))
OVERLAPPING = ((-1, -1), (1, 1), (2, -1))


# ---------------------------------------------------------------------------------- margin


def _separates_with_margin_one(w0: Callable[[Fraction], Fraction]) -> Finding:
    """Points 1 (-) and 3 (+): alpha = 1/2 each, w = 1; every s (w x + w0) must reach 1."""
    points, alpha = ((1, -1), (3, 1)), Fraction(1, 2)
    w = sum((alpha * s * x for x, s in points), Fraction(0))
    margins = [s * (w * x + w0(w)) for x, s in points]
    told = " and ".join(str(margin) for margin in margins)
    return Finding(min(margins) >= 1, f"w = {w}, w0 = {w0(w)}: the margins are {told}.")


def _printed_bias(_: Fraction) -> Fraction:
    """The sum over alpha_i s_i x_i for the constant feature x0 = 1."""
    return sum((Fraction(1, 2) * s for s in (-1, 1)), Fraction(0))


GRID = [Fraction(k, 4) for k in range(-16, 17)]


def _is_feasible(slacks: Sequence[Fraction]) -> Finding:
    """Two equal points with opposite labels, x = 1: some w, w0, slack meet all constraints."""
    found = [
        (w, w0, slack)
        for w, w0, slack in product(GRID, GRID, slacks)
        if all(s * (w * 1 + w0) >= 1 - slack for s in (-1, 1))
    ]
    told = f"w = {found[0][0]}, ξ = {found[0][2]} meet" if found else "no grid point meets"
    return Finding(bool(found), f"{told} both constraints of two contradictory examples.")


def _are_determined(names: Sequence[str]) -> Finding:
    """With C = 0 the objective w1² rises whenever one of these weights leaves 0."""
    weight = {"w1": 1, "w0": 0}  # the objective is 1 w1² + 0 w0²
    free = [name for name in names if any(weight[name] * v**2 == 0 for v in GRID if v != 0)]
    told = f"the objective is 0 for every {free[0]}" if free else "any other value costs more"
    return Finding(not free, f"{' and '.join(names)}: {told}.")


def _hard_margin_exists(sets: dict[str, Sequence[tuple[int, int]]]) -> Finding:
    """Some (w, w0) has s (w x + w0) >= 1 on every one of the data sets."""
    unsolved = [
        name
        for name, points in sets.items()
        if not any(all(s * (w * x + w0) >= 1 for x, s in points) for w, w0 in product(GRID, GRID))
    ]
    told = f"the hard problem has no solution on {unsolved[0]} data" if unsolved else "solved"
    return Finding(not unsolved, f"{', '.join(sets)}: {told}.")


# ------------------------------------------------------------------------------ perceptron


def _ends(stop: Callable[[int, bool], bool]) -> Finding:
    """With this stopping rule the run ends within 2000 passes, on separable data and on XOR."""
    passes = {name: _passes(data, stop) for name, data in (("OR", OR), ("XOR", XOR))}
    told = " and ".join(
        f"{name} ends after {count} passes" if count else f"{name} still runs after 2000 passes"
        for name, count in passes.items()
    )
    return Finding(all(passes.values()), f"{told}.")


OR = tuple((x, 1 if x[1] or x[2] else -1) for x, _ in XOR)


def _passes(data: Sequence[tuple[tuple[int, ...], int]], stop: Callable[[int, bool], bool]) -> int:
    w = (0, 0, 0)
    for count in range(1, 2001):
        clean = True
        for x, s in data:
            if s * _dot(w, x) <= 0:
                w, clean = (w[0] + s * x[0], w[1] + s * x[1], w[2] + s * x[2]), False
        if stop(count, clean):
            return count
    return 0


def _bernoulli_total(h: float) -> float:
    return sum(h**y * (1 - h) ** (1 - y) for y in (0, 1))


_MARGIN: dict[str, str] = {"m": "real"}

CHECKS: dict[str, Check[Any]] = {
    "E1-05": Check(_integral, _bernoulli_total, _adds_up_to_one),
    "E1-07": Check(SEPARABLE, OVERLAPPING, _has_a_minimiser),
    "E1-08": Check(_printed_bias, lambda w: 1 - w * 3, _separates_with_margin_one),
    "E1-09": Check([Fraction(0)], [Fraction(0), Fraction(1)], _is_feasible),
    "E1-10": Check(("w1", "w0"), ("w1",), _are_determined),
    "E1-11": Check(
        {"separable": ((1, -1), (3, 1)), "contradictory": ((1, -1), (1, 1))},
        {"separable": ((1, -1), (3, 1))},
        _hard_margin_exists,
    ),
    "E1-12": Check(
        lambda passes, clean: False, lambda passes, clean: clean or passes >= 1000, _ends
    ),
    "E1-13": Check(lambda m: max(-m, 0), lambda m: int(m <= 0), _zero_risk_means_all_correct),
}
