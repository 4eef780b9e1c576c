"""The steps of a derivation written down instead of judged, for tests to look at and to mutate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Step:
    """One step of a derivation, as the arguments of `verdict`."""

    lhs: str
    rhs: str
    symbols: Mapping[str, str]
    relation: str = "=="
    given: tuple[str, ...] = ()
    derivative: str | None = None
    where: Mapping[str, str] = field(default_factory=dict)
    sizes: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def with_rhs(self, rhs: str) -> Step:
        """The same step with another right side."""
        return replace(self, rhs=rhs)

    def arguments(self) -> dict[str, Any]:
        """Keyword arguments for `verdict`."""
        return {
            "symbols": dict(self.symbols),
            "relation": self.relation,
            "given": list(self.given),
            "derivative": self.derivative,
            "where": dict(self.where),
            "sizes": dict(self.sizes),
        }


class Recorder:
    """Stands in for `Derivation` and writes down its steps instead of judging them."""

    def __init__(
        self,
        title: str,
        *,
        symbols: Mapping[str, str] | None = None,
        given: Sequence[str] | str = (),
        where: Mapping[str, str] | None = None,
        sizes: Mapping[str, Sequence[int]] | None = None,
        **more: str,
    ) -> None:
        self.title = title
        self.steps: list[Step] = []
        self.reasons: list[str] = []
        self._frame = Step(
            "",
            "",
            {**(symbols or {}), **more},
            "==",
            _several(given),
            None,
            where or {},
            sizes or {},
        )
        self._last = ""

    def _add(self, lhs: str, rhs: str, **changes: Any) -> None:
        given = (*self._frame.given, *_several(changes.pop("given", ())))
        self.steps.append(replace(self._frame, lhs=lhs, rhs=rhs, given=given, **changes))

    def line(
        self, expression: str, because: str = "", *, relation: str = "==", given: Any = ()
    ) -> None:
        self.reasons.append(because)
        if self._last:
            self._add(self._last, expression, relation=relation, given=given)
        self._last = expression

    def start(self, expression: str, because: str = "") -> None:
        self.reasons.append(because)
        self._last = expression

    def differentiate(self, variable: str, expression: str, because: str = "") -> None:
        self.reasons.append(because)
        self._add(self._last, expression, derivative=variable)
        self._last = expression

    def substitute(self, values: Mapping[str, str], expression: str, because: str = "") -> None:
        self.reasons.append(because)
        pairs = ", ".join(f"{name}: {value}" for name, value in values.items())
        self._add(f"subs({self._last}, {{{pairs}}})", expression)
        self._last = expression

    def expect(
        self, variable: str, distribution: Mapping[str, str], expression: str, because: str = ""
    ) -> None:
        self.reasons.append(because)
        pairs = ", ".join(f"{value}: {weight}" for value, weight in distribution.items())
        self._add(f"E({self._last}, {variable}, {{{pairs}}})", expression)
        self._last = expression

    def claim(
        self,
        lhs: str,
        rhs: str,
        because: str = "",
        *,
        relation: str = "==",
        given: Any = (),
        derivative: str | None = None,
    ) -> None:
        self.reasons.append(because)
        self._add(lhs, rhs, relation=relation, given=given, derivative=derivative)
        self._last = ""

    def equivalent(self, left: str, right: str, because: str = "") -> None:
        self.claim(left, right, because, relation="iff")

    def _extremum(self, sign: str, objective: str, variable: str, at: str, local: bool) -> None:
        self._add(f"subs(diff({objective}, {variable}), {variable}, {at})", "0")
        second = f"diff({objective}, {variable}, {variable})"
        if local:
            second = f"subs({second}, {variable}, {at})"
        self._add(second, "0", relation=sign if local else sign + "=")
        self._last = ""

    def maximum(
        self, objective: str, variable: str, at: str, because: str = "", *, local: bool = False
    ) -> None:
        self.reasons.append(because)
        self._extremum("<", objective, variable, at, local)

    def minimum(
        self, objective: str, variable: str, at: str, because: str = "", *, local: bool = False
    ) -> None:
        self.reasons.append(because)
        self._extremum(">", objective, variable, at, local)

    def given(self, *conditions: str) -> None:
        self._frame = replace(self._frame, given=(*self._frame.given, *conditions))

    def let(self, **abbreviations: str) -> None:
        self._frame = replace(self._frame, where={**self._frame.where, **abbreviations})


def _several(conditions: Sequence[str] | str) -> tuple[str, ...]:
    return (conditions,) if isinstance(conditions, str) else tuple(conditions)
