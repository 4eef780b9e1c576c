"""Polynomials at sample points, in floating point: what cannot be proved is seen at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress

from linecheck.expand.graph import Graph
from linecheck.kernel.facts import ANY, NEG, POS
from linecheck.kernel.polynomials import Poly
from linecheck.kernel.rules import Context
from linecheck.language.terms import TooBigError
from linecheck.prove.nodes import NoNodeError, node_of_atom
from linecheck.search.floats import FloatEvaluator

CLOSE = 1e-9


class Samples:
    """The points of one case."""

    def __init__(self, context: Context, graph: Graph, points: Sequence[dict[str, float]]) -> None:
        self.context, self.graph, self.points = context, graph, points
        self.values: dict[tuple[int, int], float] = {}

    def those(self, a: Poly, signs: int) -> Samples:
        """The points at which a polynomial has one of these signs."""
        kept = [k for k in range(len(self.points)) if self.sign(a, k) & signs]
        return Samples(self.context, self.graph, [self.points[k] for k in kept])

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
            with suppress(KeyError, NoNodeError, TooBigError):
                node = node_of_atom(self.graph, self.context, index)
                (self.values[key],) = FloatEvaluator([node]).at(self.points[place])
        return self.values[key]
