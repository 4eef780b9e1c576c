"""Questions whose options are clicked, or chosen by keyboard, in the output of a cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from lectures_lib.figures.palette import stylesheet

BROWSER = Path(__file__).parent / "browser"


@dataclass(frozen=True)
class Question:
    """A variable and the letters it may take; `told` and the options' texts are HTML."""

    name: str
    told: str
    options: tuple[tuple[str, str], ...]  # (letter, text)
    several: bool = False
    chosen: str = ""


class Choices(anywidget.AnyWidget):
    """Options to click. The choice is written into the answer cell above and given to `answer`.

    Where the cell cannot be reached from its output (outside JupyterLab), the reader is asked to
    type the line.
    """

    _esm = (BROWSER / "choices.js").read_text(encoding="utf-8")
    _css = stylesheet() + (BROWSER / "live.css").read_text(encoding="utf-8")
    _questions: Any = traitlets.List().tag(sync=True)

    def __init__(
        self, questions: Sequence[Question], answer: Callable[[Mapping[str, str]], None]
    ) -> None:
        wire = [
            asdict(q)
            | {"options": [{"letter": letter, "html": text} for letter, text in q.options]}
            for q in questions
        ]
        super().__init__(_questions=wire)
        self._answer = answer
        self.on_msg(self._received)

    def _received(self, _: object, content: Mapping[str, Any], buffers: object) -> None:
        if content.get("kind") == "choice":
            known = {question["name"] for question in self._questions}
            letters = content.get("letters") or {}
            self._answer({name: str(letters[name]) for name in letters if name in known})

    def __repr__(self) -> str:
        names = " and ".join(question["name"] for question in self._questions)
        return f"Options to click for {names}"
