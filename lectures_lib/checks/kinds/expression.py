"""An answer made with SymPy: an expression or a matrix, judged by its values, not by its form.

It is evaluated, with 30 digits, at the cases of the reference, which is plain code in numbers: its
parameters are the symbols the expression may have. So another form of the right answer is right,
one that is undefined where it should not be is told so, and a slip is an edit of the reference.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from lectures_lib.checks.exercise import Part, Runner, Slip
from lectures_lib.checks.judging.readings import Result
from lectures_lib.checks.kinds.function import Case, Function
from lectures_lib.checks.kinds.given import trouble, untouched
from lectures_lib.checks.running.named_calls import Ask, warm
from lectures_lib.checks.telling.outcomes import PartOutcome


@dataclass(frozen=True)
class Expression(Part):
    """A SymPy expression to give; its symbols are the parameters of the reference, by name.

    `axes` is empty for one number, `("2",)` for a vector and `("2", "2")` for a matrix.
    """

    reference: Callable[..., Any]
    cases: tuple[Case, ...]
    draw: Callable[[np.random.Generator], tuple[Any, ...]]
    axes: tuple[str, ...] = ()
    points: float = 1.0
    slips: tuple[Slip, ...] = ()
    forms: tuple[str, ...] = ()
    valid: Callable[..., bool] | None = None

    @cached_property
    def name(self) -> str:
        return self.reference.__name__

    @property
    def credits(self) -> tuple[tuple[str, float], ...]:
        return (("the expression", 0.0),)

    @cached_property
    def function(self) -> Function:
        """The values of the expression, as an exercise on a function."""
        result = Result(self.name, self.axes, points=self.points)
        return Function(
            self.reference, (result,), self.cases, self.draw, self.slips, self.forms, self.valid
        )

    def judge(self, answers: tuple[object, ...], run: Runner) -> PartOutcome:
        """First whether it is an expression in the right symbols, then its values."""
        (answer,) = answers
        if untouched(answer):  # type: ignore[arg-type]
            return self.every("not attempted")
        if "sympy" in sys.modules:  # not where a grader asks from
            warm()
        known = self.function.parameters
        asked = Ask("value at", answer, (known,))
        reply, *replies = run(asked, [(), *self.function.calls])
        if reply.status != "returned":
            return self.every("error", trouble(reply))
        assert isinstance(reply.value, tuple)
        kind, *symbols = (str(entry) for entry in reply.value)
        if kind:
            return self.every("wrong", f"`{self.name}` is {kind}.")
        strangers = [symbol for symbol in symbols if symbol not in known]
        if strangers:
            found = ", ".join(f"`{symbol}`" for symbol in strangers)
            allowed = ", ".join(f"`{symbol}`" for symbol in known)
            return self.every("wrong", f"It has the symbol {found}; expected only {allowed}.")
        outcome = self.function.judge_replies(asked, replies, run)
        return replace(outcome, name=self.name)
