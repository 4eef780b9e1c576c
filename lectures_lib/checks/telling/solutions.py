"""The solution of an exercise, beside what the reader has written.

A class has none where a file `lectures.toml`, in the folder of the notebook or above it, says
`solutions = false`.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lectures_lib.checks.exercise import Exercise
from lectures_lib.checks.kinds.derivation import Proof
from lectures_lib.checks.kinds.expression import Expression
from lectures_lib.checks.kinds.function import Function, drawn
from lectures_lib.checks.kinds.values import Values
from lectures_lib.checks.running.plain_data import plain as plain_data
from lectures_lib.checks.telling.clickable import questions_of
from lectures_lib.checks.telling.formulas import plain
from lectures_lib.checks.telling.html import code, frame, marked, picture, wrap

if TYPE_CHECKING:
    from lectures_lib.figures import Scene

CONFIGURATION = "lectures.toml"
Row = tuple[str, str, str, str]


def switched_off() -> bool:
    """Whether the class whose folder this is has no solutions."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        with suppress(OSError, tomllib.TOMLDecodeError):
            found = tomllib.loads((folder / CONFIGURATION).read_text(encoding="utf-8"))
            return found.get("solutions", True) is False
    return False


@dataclass(frozen=True)
class Solution:
    """What is told, and for each part its name, the reference, the reader's own, a sentence."""

    exercise: Exercise
    told: str
    shown: tuple[Row, ...] = ()
    another: str = ""  # a right answer that is not the reference
    picture: Scene | None = None  # of it, where it is a construction

    @property
    def head(self) -> str:
        """What stands over the right answer; nothing stands before that of a construction."""
        return "Another right answer" if self.shown else "A right answer"

    def __repr__(self) -> str:
        lines = [self.told]
        for name, reference, own, differs in self.shown:
            lines += [f"{name}, the reference:", textwrap.indent(reference, "    ")]
            lines += [f"{name}, yours:", textwrap.indent(own, "    ")] if own else []
            lines += [differs] if differs else []
        lines += [f"{self.head}:", textwrap.indent(self.another, "    ")] if self.another else []
        lines += [self.picture.describe()] if self.picture else []
        return plain("\n".join(lines))

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        blocks = [wrap(marked(self.told))]
        for name, reference, own, differs in self.shown:
            sides = [(f"{name}, the reference", reference), (f"{name}, yours", own)]
            columns = (f'<div style="flex:1 1 20em"><strong>{head}</strong>{code((text,))}</div>'
                       for head, text in sides if text)  # fmt: skip
            blocks.append(f'<div style="display:flex;flex-wrap:wrap;gap:0 16px">{"".join(columns)}'
                          f"</div>{wrap(marked(differs)) if differs else ''}")  # fmt: skip
        if self.another:
            shown = f"{code((self.another,))}{picture(self.picture)}"
            blocks.append(f"<strong>{self.head}</strong>{shown}")
        page = frame("#3b74c9", blocks, f"Solution of {self.exercise.title}")
        return {"text/plain": repr(self), "text/html": page}


def solved(exercise: Exercise, names: dict[str, Any]) -> Solution:
    """The solution beside the reader's answers, which stand in the notebook under these names."""
    shown = tuple(row for part in exercise.parts for row in _rows(exercise, part, names))
    told = f"The solution of “{exercise.title}”. Your progress notes that you have opened it."
    told = told if shown else f"{told} {HINTED} {exercise.hints[2]}"
    return Solution(exercise, told, shown, exercise.another.strip(), _picture(exercise))


def _picture(exercise: Exercise) -> Scene | None:
    """The construction that is shown, drawn as a check draws an answer."""
    (part, *_), names = exercise.parts, dict[str, Any](np=np)
    if not (exercise.another and isinstance(part, Values) and part.picture):
        return None
    exec(exercise.another, names)
    given = zip(part.reads, (plain_data(names[name]) for name in part.names), strict=True)
    return drawn(
        part.picture, *(read.read(value).value if read else value for read, value in given)
    )


HINTED = "How one is made:"


def _rows(exercise: Exercise, part: Any, names: dict[str, Any]) -> Iterator[Row]:
    if isinstance(part, Function | Expression):
        reference, own = _source(part.reference), _own(names.get(part.names[0], ...))
        yield part.names[0], reference, own, _differs(reference, own)
    elif isinstance(part, Proof):
        yield part.name, chain(part), _text(names.get(part.name)), ""
    for asked in questions_of(exercise) if part is exercise.parts[0] else ():
        right = [c for c in getattr(asked, "choices", ()) if c.right]
        reasons = (f"{c.letter}, {c.text}: {c.why}" for c in right)
        yield asked.name, "\n".join(reasons), _text(names.get(asked.name)), ""


def _source(function: Any) -> str:
    with suppress(OSError, TypeError):
        return textwrap.dedent(inspect.getsource(function)).strip()
    return ""


def _text(answer: Any) -> str:
    return answer.strip() if isinstance(answer, str) else ""


def _own(answer: Any) -> str:
    return _source(answer) if inspect.isfunction(answer) else "" if answer is ... else str(answer)


def _differs(reference: str, own: str) -> str:
    """One sentence: what only one of them calls."""
    try:
        theirs, yours = (_called(text) for text in (reference, own))
    except SyntaxError:
        return ""
    sides = (("the reference", theirs - yours), ("yours", yours - theirs))
    told = [f"{who} calls {', '.join(sorted(found))}" for who, found in sides if found]
    words = "; ".join(told) or "both call the same functions"
    return f"What differs: {words}." if own else ""


def _called(source: str) -> set[str]:
    calls = [node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return {f"`{ast.unparse(called).rpartition('.')[2]}`" for called in calls}


def chain(proof: Proof) -> str:
    """One right chain, as it is typed."""
    lines, before = [proof.start], proof.start
    for step in proof.steps:
        same = proof.asked == "=" or proof.holds(before, "==", step.expression)
        lines.append(f"{'=' if same else proof.asked} {step.expression}  # {step.name}")
        before = step.expression
    return "\n".join(lines)
