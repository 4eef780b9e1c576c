"""What `lectures new-chapter` writes: a chapter that runs, with a place for everything.

A cell that is still to be written carries `"lectures": {"draft": true}` in its metadata and says
what belongs there. While one such cell is left, the notebook is a draft: the tests that ask for a
finished chapter wait, all others hold from the first minute.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from lectures_lib.chapters import CHAPTERS, Chapter, chapter
from lectures_lib.concordance import KINDS, items
from lectures_lib.errata import errata
from lectures_lib.grading.handing_out.solutions import empty, filled

FOLDED = {"jupyter": {"source_hidden": True}, "tags": ["hide-input"]}

DERIVATION = '''derive("""
To write: what is claimed
x: real

x + x
= 2*x   # the reason
""")'''

EXERCISES = '''"""The exercises of the chapter: {title}."""

from __future__ import annotations

from lectures_lib.checks.author import Exercise

EXERCISES: tuple[Exercise, ...] = ()
'''

PICTURES = '''"""The pictures of the chapter: {title}."""

from __future__ import annotations

import numpy as np

from lectures_lib.figures import Axis, Panel, Points, Scene


def opening_scene(share: float = 0.5) -> Scene:
    """Twenty points on a line; the first `share` of them belong to class 0."""
    at = np.linspace(0, 1, 20)
    y = (at > share).astype(int)
    points = Points(np.column_stack([at, at]), y, ("class 0", "class 1"))
    sentence = f"20 points in two classes, {{int(y.sum())}} of them in class 1."
    return Scene((Panel((points,), Axis("x1", 0, 1), Axis("x2", 0, 1), equal=True),), sentence)
'''

LIVE = '''"""The live pictures of the chapter: {title}."""

from __future__ import annotations

from lectures_lib.chapters.{slug}.pictures import opening_scene
from lectures_lib.widgets import Live, live, slider


def opening() -> Live:
    """The opening picture with a slider for the share of class 0."""
    return live(opening_scene, share=slider(0, 1, 0.1, value=0.5, label="share of class 0"))
'''

TESTS = '''"""What is only true of this chapter: {title}."""

from lectures_lib.chapters.{slug} import live, pictures
from tests.exercise_tests import ExerciseTests


def test_the_opening_picture_says_what_it_shows() -> None:
    scene = pictures.opening_scene(share=0.25)
    assert scene.describe() == "20 points in two classes, 15 of them in class 1."


def test_the_live_picture_starts_with_the_still_one() -> None:
    assert live.opening().scene == pictures.opening_scene()


class TestExercises(ExerciseTests):
    slug = "{slug}"
    right_answers = {{}}
'''

BLOCKS = {
    "The question": "A question about real data that the reader wants answered. The first three "
    "code cells compute what it is about; the summary answers it.",
    "The same thing in code": "The key function, written out beside its formula, compared with the "
    "library's and with what scikit-learn calls it.",
    "The check": "Numbers against something that does not share this code: finite differences, "
    "brute force, a published table, a case by hand.",
    "What goes wrong": "The trap happens before the reader's eyes, with numbers, and the way out "
    "stands beside it.",
}


def modules(c: Chapter) -> dict[str, str]:
    """The text of every module of a new chapter, by file name."""
    texts = {
        "__init__.py": "",
        "exercises.py": EXERCISES,
        "pictures.py": PICTURES,
        "live.py": LIVE,
    }
    return {name: text.format(title=c.title, slug=c.slug) for name, text in texts.items()}


def tests(c: Chapter) -> str:
    """The text of `tests/chapters/test_<slug>.py`."""
    return TESTS.format(title=c.title, slug=c.slug)


def notebook(c: Chapter) -> Any:
    """The notebook with every heading of the house, not yet run."""
    cells = [
        _text("title", _title(c), draft=True),
        _code("imports", _imports(c), **FOLDED),
        _text("question", _block("The question"), draft=True),
        _code("opening", "show(pictures.opening_scene())"),
        _text("opening-text", "*To write:* one sentence that reads the picture.", draft=True),
        _text("math", "## The mathematics\n\n" + _items_to_treat(c), draft=True),
        _code("derivation", DERIVATION, lectures={"draft": True, "steps": [1]}),
        _text("code", _block("The same thing in code"), draft=True),
        _text(
            "before-live",
            "*To write:* one sentence that asks for a prediction before the picture is moved.",
            draft=True,
        ),
        _code("live", "live.opening()", tags=["nbval-ignore-output"]),
        _text("live-text", "*To write:* one sentence that says what happened.", draft=True),
        _text("check", _block("The check"), draft=True),
        _text("wrong", _block("What goes wrong"), draft=True),
        *_errata_cells(c),
        _text("exercises", _exercises(c), draft=True),
    ]
    return new_notebook(cells=cells)


def solution(c: Chapter) -> Any:
    """The solved notebook, as far as its exercises are there."""
    return filled(empty(), c.slug)


def _text(name: str, source: str, *, draft: bool = False) -> Any:
    cell = new_markdown_cell(source, metadata={"lectures": {"draft": True}} if draft else {})
    cell.id = name
    return cell


def _code(name: str, source: str, **metadata: Any) -> Any:
    cell = new_code_cell(source, metadata=nbformat.from_dict(metadata))
    cell.id = name
    return cell


def _block(heading: str) -> str:
    return f"## {heading}\n\n*To write:* {BLOCKS[heading]}"


def _title(c: Chapter) -> str:
    return (
        f"# {c.number}. {c.title}\n\n"
        "## What you will be able to do\n\n"
        "*To write:* three to five lines, each with a verb: say, derive, compute, name.\n\n"
        f"**Before you start:** {_needs(c)}.\n"
        f"**Time:** {c.minutes} minutes, and {c.exercise_minutes} for the exercises."
    )


def _needs(c: Chapter) -> str:
    needed = [chapter(slug) for slug in c.prerequisites]
    return ", ".join(f"{_link(n)} ({n.title})" for n in needed) or "nothing"


def _link(c: Chapter) -> str:
    return f"[chapter {c.number:02d}]({c.stem}.ipynb)"


def _imports(c: Chapter) -> str:
    return (
        "import numpy as np\n\n"
        f"from lectures_lib.chapters.{c.slug} import live, pictures\n"
        "from lectures_lib.errata import errata\n"
        "from lectures_lib.figures import show\n"
        "from linecheck import derive"
    )


def _items_to_treat(c: Chapter) -> str:
    """The items of the lecture notes that this chapter treats, as a list to work through."""
    found = items(c.slug)
    if not found:
        return "*To write:* definitions, formulas, claims; the notes hold nothing on this subject."
    lines = (
        f"- {item.id}: {KINDS[item.kind]} (note {item.note}, {item.section}"
        + "".join(f", ({number})" for number in item.equations)
        + ")"
        for item in found
    )
    return (
        "*To write.* Each item of the notes gets a cell that does it, and that names it in its "
        'metadata, as in `"lectures": {"items": ["' + found[0].id + '"]}`:\n\n' + "\n".join(lines)
    )


def _errata_cells(c: Chapter) -> Iterable[Any]:
    entries = list(errata(c.slug))
    told = (
        "*To write:* which slips are treated above, and why everybody makes them. The whole list:"
        if entries
        else "The ledger has no entry on this subject."
    )
    yield _text("notes", f"## The notes say\n\n{told}", draft=bool(entries))
    if entries:
        ours = {"errata": [entry.id for entry in entries]}
        yield _code("errata", f'errata("{c.slug}")', lectures=ours)


def _exercises(c: Chapter) -> str:
    path = f"exercises/{c.stem}.ipynb"
    following = [later for later in CHAPTERS if later.number == c.number + 1]
    after = "".join(f"\n\nNext: {_link(n)}, {n.title}." for n in following)
    return (
        f"## Exercises\n\nThey are in [the notebook of exercises](../{path}); "
        "each one is checked where you write it."
        "\n\n## Summary and what comes next\n\n"
        "*To write:* the answer to the question, and three to five lines to take away." + after
    )
