"""Live pictures without a kernel: their scenes, computed when the site is built.

A picture is a file of its own beside the pages: one call of a function of `live.js` with the
widget's state, packed and written as text. A page reads it as a script when the picture comes near,
which works from a disk too, where a page may fetch nothing.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import gzip
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from builder.needed import needed_cells
from lectures_lib.widgets import Live
from lectures_lib.widgets.walks import recorded

Cell = Mapping[str, Any]
NOT_OURS = re.compile(r"_(esm|css|anywidget_id|dom_classes|model_.*|view_.*)|layout|tab.*|tooltip")


@dataclass(frozen=True)
class LivePicture:
    """What the page holds of a widget: its file, and the sentence below a recording."""

    fallback: str  # the fingerprint of the scene that its static picture shows
    script: str
    recorded: str  # what Python would add to a recorded walk; "" when all scenes were sent ahead


def is_live(cell: Cell) -> bool:
    """Whether the stored outputs of a cell hold the static picture of a widget."""
    return any(
        "data-live=" in "".join(output.get("data", {}).get("text/html", ""))
        for output in cell.get("outputs", [])
    )


def live_pictures(stem: str, cells: Sequence[Cell]) -> dict[str, LivePicture]:
    """The live pictures of a notebook by their names; each is made from the cells it needs."""
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    sources = [str(cell["source"]) for cell in code]
    wanted = [number for number, cell in enumerate(code) if is_live(cell)]
    return {
        f"{stem}-{count}": picture(f"{stem}-{count}", result(sources, number))
        for count, number in enumerate(wanted, 1)
    }


def picture(name: str, widget: Live) -> LivePicture:
    """A widget as a page without a kernel needs it."""
    ahead = widget.mode == "ahead"
    state = widget.get_state() if ahead else recorded(widget)
    said = "" if ahead else f"A recording: play it, or drag its slider. {state['_asleep']}"
    return LivePicture(state["_fallback"], _script(name, state), said)


def result(sources: Sequence[str], wanted: int) -> Live:
    """The widget that a cell ends in, after the cells that it needs; what they print is dropped."""
    names: dict[str, Any] = {"display": lambda *shown: None}
    with contextlib.redirect_stdout(io.StringIO()):
        for number in needed_cells(sources, wanted):
            tree = ast.parse(sources[number])
            last = tree.body.pop() if number == wanted else None
            exec(compile(tree, f"cell {number}", "exec"), names)
    assert isinstance(last, ast.Expr), f"cell {wanted} does not end in a picture"
    found = eval(compile(ast.Expression(last.value), f"cell {wanted}", "eval"), names)
    if not isinstance(found, Live):
        raise TypeError(f"cell {wanted}: expected a live picture, found {type(found).__name__}")
    return found


def _script(name: str, state: Mapping[str, Any]) -> str:
    """The state as a script: JSON on a line, the arrays behind it, compressed, as text."""
    kept = {key: value for key, value in state.items() if not NOT_OURS.fullmatch(key)}
    arrays = {key: value for key, value in kept.items() if isinstance(value, bytes | memoryview)}
    plain = {key: value for key, value in kept.items() if key not in arrays}
    buffers = [[key, len(value)] for key, value in arrays.items()]
    head = json.dumps({"state": plain, "buffers": buffers}, separators=(",", ":"))
    content = head.encode("utf-8") + b"\n" + b"".join(bytes(value) for value in arrays.values())
    packed = base64.b64encode(gzip.compress(content, mtime=0)).decode("ascii")
    return f'lecturesPicture({json.dumps(name)},"{packed}");\n'
