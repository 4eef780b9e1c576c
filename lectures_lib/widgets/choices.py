"""Questions that are answered in the output of a cell: by options, a number, a place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from lectures_lib.figures import Scene, show
from lectures_lib.figures.layout import frame_box
from lectures_lib.figures.palette import stylesheet

BROWSER = Path(__file__).parent / "browser"


@dataclass(frozen=True)
class Place:
    """A picture of one panel, and where its axes lie in it: left, top, width, height in pixels."""

    html: str
    width: float
    frame: tuple[float, float, float, float]
    x: tuple[float, float]
    y: tuple[float, float]

    @classmethod
    def in_scene(cls, scene: Scene) -> Place:
        """The picture of a scene with one panel."""
        (panel,) = scene.panels
        drawn = show(scene)
        ((_, width, _),) = drawn.images
        box = frame_box(panel, width)
        frame = (box.left, box.top, box.w, box.h)
        return cls(drawn.html(), width, frame, (panel.x.lo, panel.x.hi), (panel.y.lo, panel.y.hi))


@dataclass(frozen=True)
class Question:
    """A variable and the letters it may take, or how many numbers; `told` and texts are HTML."""

    name: str
    told: str
    options: tuple[tuple[str, str], ...] = ()  # (letter, text)
    several: bool = False
    chosen: str = ""
    numbers: int = 0
    place: Place | None = None


class Choices(anywidget.AnyWidget):
    """Options to click. The choice is written into the answer cell above and given to `answer`.

    Where the cell cannot be reached from its output (outside JupyterLab), the reader is asked to
    type the line.
    """

    _esm = "\n".join(
        (BROWSER / f"{part}.js").read_text(encoding="utf-8") for part in ("basics", "choices")
    )
    _css = stylesheet() + (BROWSER / "live.css").read_text(encoding="utf-8")
    _questions: Any = traitlets.List().tag(sync=True)

    def __init__(
        self, questions: Sequence[Question], answer: Callable[[Mapping[str, object]], None]
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
            known = {question["name"]: question for question in self._questions}
            given = content.get("given") or {}
            self._answer({n: _read(known[n], given[n]) for n in given if n in known})

    def __repr__(self) -> str:
        if any(question["numbers"] for question in self._questions):
            return "Fields to fill in"
        names = " and ".join(question["name"] for question in self._questions)
        return f"Options to click for {names}"


def _read(question: Mapping[str, Any], given: Any) -> object:
    """Letters, a number, or the two numbers of a place."""
    if not question["numbers"]:
        return str(given)
    numbers = [float(value) for value in given]
    return numbers[0] if question["numbers"] == 1 else tuple(numbers)
