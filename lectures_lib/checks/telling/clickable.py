"""The options of a question under its check, to be clicked; the verdict below follows the click."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lectures_lib.checks.exercise import Exercise
from lectures_lib.checks.kinds.questions import Number, Prediction, Quiz
from lectures_lib.checks.student.session import notebook
from lectures_lib.checks.telling.html import marked
from lectures_lib.checks.telling.outcomes import Outcome

Judge = Callable[[tuple[object, ...]], Outcome]


@dataclass(frozen=True, repr=False)
class Clickable(Outcome):
    """An outcome that is displayed under the options it is about."""

    answers: tuple[object, ...] = ()
    judge: Judge | None = None

    def _ipython_display_(self) -> None:
        """The options first, then the verdict, which every click replaces."""
        from IPython.display import display

        from lectures_lib.widgets.choices import Choices

        shell = notebook()
        if shell is None:  # IPython in a terminal
            print(repr(self))
            return
        verdict: Any = None

        def answer(chosen: Mapping[str, object]) -> None:
            shell.user_ns.update(chosen)
            names = self.exercise.names
            assert self.judge is not None
            given = tuple(
                chosen.get(name, before) for name, before in zip(names, self.answers, strict=True)
            )
            verdict.update(self.judge(given)._repr_mimebundle_(), raw=True)

        display(Choices(self._questions(), answer))
        verdict = display(self._repr_mimebundle_(), raw=True, display_id=True)

    def _questions(self) -> list[Any]:
        from lectures_lib.widgets.choices import Place, Question

        given = dict(zip(self.exercise.names, self.answers, strict=True))
        made = []
        for asked in questions_of(self.exercise):
            chosen = given[asked.name]
            told = f"<code>{asked.name}</code>: "
            if isinstance(asked, Number):
                place = Place.in_scene(asked.picture()) if asked.picture is not None else None
                told += "a place in the picture" if place else "a number"
                made.append(Question(asked.name, told, place=place, numbers=asked.length))
                continue
            several = len(asked.letters) > 1
            told += "all that belong to the answer" if several else "one of these"
            options = tuple((choice.letter, marked(choice.text)) for choice in asked.choices)
            chosen = chosen if isinstance(chosen, str) else ""
            made.append(Question(asked.name, told, options, several, chosen))
        return made


def questions_of(exercise: Exercise) -> list[Quiz | Number]:
    """The questions that can be answered by a click among the parts of an exercise."""
    found: list[Quiz | Number] = []
    for part in exercise.parts:
        if isinstance(part, Quiz | Number):
            found.append(part)
        elif isinstance(part, Prediction):
            found += part.questions
    return found


def with_options(outcome: Outcome, answers: tuple[object, ...], judge: Judge) -> Outcome:
    """The outcome with its options, while there is something to choose and somebody to click."""
    alone = notebook() is None or os.environ.get("NBGRADER_EXECUTION")
    if alone or outcome.status == "right" or not questions_of(outcome.exercise):
        return outcome
    fields = {name: getattr(outcome, name) for name in Outcome.__dataclass_fields__}
    return Clickable(**fields, answers=answers, judge=judge)
