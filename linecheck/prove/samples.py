"""Polynomials at sample points, in floating point: what cannot be proved is seen at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from statistics import NormalDist

from linecheck.kernel.facts import ANY, NEG, POS, Table
from linecheck.kernel.polynomials import Poly

NORMAL = NormalDist()
CLOSE = 1e-9


class Samples:
    """The points of one case."""

    def __init__(self, table: Table, points: Sequence[Mapping[str, float]]) -> None:
        self.table, self.points = table, points
        self.values: dict[tuple[int, int], float] = {}

    def those(self, a: Poly, signs: int) -> Samples:
        """The points at which a polynomial has one of these signs."""
        kept = [k for k in range(len(self.points)) if self.sign(a, k) & signs]
        return Samples(self.table, [self.points[k] for k in kept])

    def seen(self, a: Poly) -> int:
        """The signs that the polynomial surely has somewhere."""
        found = 0
        if len(a) <= 400:
            for k in range(len(self.points)):
                sign = self.sign(a, k)
                found |= sign if sign in (NEG, POS) else 0
        return found

    def sign(self, a: Poly, place: int) -> int:
        """POS or NEG at a point; every sign when it is too close to 0 or not known."""
        total = size = 0.0
        try:
            for monomial, coefficient in a.items():
                term = float(coefficient)
                for index, exponent in monomial:
                    term *= self.value(index, place) ** float(exponent)
                total += term
                size += abs(term)
        except (ArithmeticError, ValueError, TypeError):
            return ANY
        if not abs(total) > CLOSE * size:
            return ANY
        return POS if total > 0 else NEG

    def value(self, index: int, place: int) -> float:
        key = (index, place)
        if key not in self.values:
            self.values[key] = math.nan
            with suppress(ArithmeticError, ValueError):
                self.values[key] = self._value(index, place)
        return self.values[key]

    def _value(self, index: int, place: int) -> float:
        atom = self.table.atoms[index]
        if atom.kind == "var":
            return self.points[place].get(str(atom.data), math.nan)
        if atom.kind == "pi":
            return math.pi
        if atom.kind == "prime":
            return float(str(atom.data))
        if atom.kind == "opaque":
            return math.nan
        top, below = atom.args[0]
        inside = self.number(dict(top), place)
        for key, exponent in below:
            inside /= self.number(dict(key), place) ** exponent
        if atom.kind == "root":
            return float(abs(inside) ** (1 / float(str(atom.data))))
        if atom.kind == "inv":
            return 1 / inside if inside else 0.0
        if atom.kind == "pos":
            return float(inside > 0)
        functions: dict[str, Callable[[float], float]] = {
            "exp": math.exp, "log": lambda x: math.log(abs(x)), "abs": abs,
                     "Phi": NORMAL.cdf, "Phi_inv": NORMAL.inv_cdf,
        }  # fmt: skip
        return functions[atom.kind](inside)

    def number(self, a: Poly, place: int) -> float:
        total = 0.0
        for monomial, coefficient in a.items():
            term = float(coefficient)
            for index, exponent in monomial:
                term *= self.value(index, place) ** float(exponent)
            total += term
        return total
