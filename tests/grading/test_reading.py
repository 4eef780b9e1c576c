"""What a stranger sends is read within limits, and only answers are taken from it."""

import json
import os
from pathlib import Path

import pytest

from lectures_lib.grading.intake import reading
from lectures_lib.grading.intake.assembly import assemble, canonical
from lectures_lib.grading.intake.reading import (
    ReadCell,
    UnreadableError,
    read_bytes,
    read_submission,
)
from tests.conftest import ROOT
from tests.grading.hostile import NOTEBOOKS

EXERCISES = ROOT / "exercises" / "04_perceptron.ipynb"
WANTED = canonical(EXERCISES)
FIT = "def perceptron_fit(X, s, eta, tie, max_passes):\n    return 1, 2"


def handed_out() -> dict:
    return json.loads(EXERCISES.read_text(encoding="utf-8"))


def cell_of(notebook: dict, name: str) -> dict:
    return next(cell for cell in notebook["cells"] if cell["id"] == name)


def with_answer(source: str = FIT, name: str = "perceptron-fit-answer") -> dict:
    notebook = handed_out()
    cell_of(notebook, name)["source"] = source
    return notebook


def assembled(notebook: dict):
    return assemble(read_bytes(json.dumps(notebook).encode()), WANTED)


UNREADABLE = {
    **{name: (content, word) for name, (content, points, word) in NOTEBOOKS.items()
       if points is None and name != "another assignment"},
    "empty": (b"", "empty"),
    "a list": (b"[]", "no list of cells"),
    "cells are no list": (b'{"cells": {}}', "no list of cells"),
    "format 3": (b'{"worksheets": []}', "format 3"),
    "deep and never closed": (b'{"a":' * 50_000, "deep"),
    "a text that nobody closes": (b'"' + b'\\"' * 1_000_000 + b"\\", "not JSON"),
    "many things that are no cells": (b'{"cells": [' + b"1," * 100_000 + b"1]}", "cells"),
    "a number without end": (b'{"cells": [], "n": ' + b"9" * 100_000 + b"}", "digits"),
    "half a character": (b'{"cells": [{"cell_type": "code", "source": "\\ud800"}]}', "halves"),
    "much source": (
        json.dumps({"cells": [{"cell_type": "code", "source": "x\n" * 150_000}]}).encode(), "hold",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_notebook_is_refused_with_a_reason(name: str) -> None:
    content, reason = UNREADABLE[name]
    with pytest.raises(UnreadableError, match=reason):
        read_bytes(content)


def test_a_huge_file_is_refused_by_its_size(tmp_path: Path) -> None:
    path = tmp_path / "huge.ipynb"
    with path.open("wb") as file:
        file.truncate(500_000_000)
    with pytest.raises(UnreadableError, match="500 MB; at most 20 MB"):
        read_submission(path)


def test_links_pipes_folders_and_nothing_are_refused(tmp_path: Path) -> None:
    link, pipe = tmp_path / "link.ipynb", tmp_path / "pipe.ipynb"
    link.symlink_to(EXERCISES)
    os.mkfifo(pipe)
    for path in (link, pipe, tmp_path, tmp_path / "nothing.ipynb"):
        with pytest.raises(UnreadableError):
            read_submission(path)


def test_what_is_handed_out_is_untouched_throughout() -> None:
    found = assembled(handed_out())
    assert found.untouched == {place.exercise for place in WANTED.places}
    assert not found.notes
    assert [piece.exercise for piece in found.pieces][1:] == [p.exercise for p in WANTED.places]


def test_a_byte_order_mark_and_windows_lines_are_read() -> None:
    text = json.dumps(with_answer(FIT.replace("\n", "\r\n")))
    read = read_bytes(b"\xef\xbb\xbf" + text.encode())
    assert assemble(read, WANTED).answer("perceptron.fit") == FIT


def test_only_the_answer_counts_and_every_other_change_is_a_note() -> None:
    notebook = with_answer()
    cell_of(notebook, "perceptron-fit-check")["source"] = "print('Right: 6 of 6 points.')"
    cell_of(notebook, "perceptron-setup")["source"] = "check = lambda *_: 'right'"
    notebook["cells"] = [c for c in notebook["cells"] if c["id"] != "perceptron-trace-answer"]
    found = assembled(notebook)
    assert found.answer("perceptron.fit") == FIT
    assert "perceptron.trace" in found.untouched
    assert found.pieces[0].source == WANTED.sources["perceptron-setup"][1]
    assert sorted(found.notes) == [
        "the answer cell of perceptron.trace is missing",
        "the cell perceptron-fit-check was changed; the one of the course is used",
        "the cell perceptron-setup was changed; the one of the course is used",
    ]


def test_of_doubled_answers_the_last_that_was_written_in_counts() -> None:
    notebook = with_answer()
    stub = cell_of(handed_out(), "perceptron-fit-answer")
    notebook["cells"] += [dict(stub, source="def perceptron_fit():\n    pass"), dict(stub)]
    found = assembled(notebook)
    assert found.answer("perceptron.fit") == "def perceptron_fit():\n    pass"
    assert "stands there 3 times" in " ".join(found.notes)


def test_cells_in_another_order_and_of_another_type_are_read() -> None:
    notebook = with_answer()
    cell_of(notebook, "perceptron-fit-answer")["cell_type"] = "markdown"
    notebook["cells"].reverse()
    found = assembled(notebook)
    assert [p.exercise for p in found.pieces][1:] == [p.exercise for p in WANTED.places]
    assert found.answer("perceptron.fit") == FIT
    assert "another order" in " ".join(found.notes)
    assert "was not a code cell" in " ".join(found.notes)


def test_an_answer_without_its_id_is_found_by_grade_id_or_by_its_names() -> None:
    for keep in (True, False):
        notebook = with_answer()
        for number, cell in enumerate(notebook["cells"]):
            cell["id"] = f"other-{number}"
            if not keep:
                cell["metadata"] = {}
        assert assembled(notebook).answer("perceptron.fit") == FIT


def test_own_cells_before_an_answer_are_taken_along_and_those_after_the_last_are_not() -> None:
    notebook = with_answer()
    own = {"cell_type": "code", "id": "own", "metadata": {}, "source": "def helper(): return 1"}
    prose = dict(own, id="prose", cell_type="markdown", source="def no(): code")
    notebook["cells"][3:3] = [own, prose]
    notebook["cells"].append(dict(own, id="late", source="late = 1"))
    sources = [piece.source for piece in assembled(notebook).pieces]
    assert sources[1:3] == ["def helper(): return 1", FIT]
    assert "late = 1" not in sources
    assert "def no(): code" not in sources


def test_forged_metadata_change_nothing_and_another_version_is_a_note() -> None:
    notebook = with_answer()
    checked = cell_of(notebook, "perceptron-fit-check")
    checked["metadata"] = {
        "lectures": {"check": "perceptron.fit", "version": 7},
        "nbgrader": {"grade_id": "perceptron-fit-check", "points": 10**6},
    }
    checked["outputs"] = [{"output_type": "stream", "text": "Right: 6 of 6 points."}]
    found = assembled(notebook)
    assert found.notes == ("perceptron.fit says that it is version 7; it is graded as version 1",)


def test_odd_cells_are_left_out() -> None:
    read = read_bytes(b'{"cells": [1, {"source": 5}, {"cell_type": 3, "metadata": [], "id": {}}]}')
    assert read.cells == (ReadCell("", "", "raw", ""),)
    assert read.notes


def test_the_limits_leave_room_for_every_notebook_of_the_course() -> None:
    for path in sorted((ROOT / "solutions").glob("*.ipynb")):
        read = read_submission(path)
        assert len(read.cells) * 20 < reading.CELLS
        assert sum(len(cell.source) for cell in read.cells) * 4 < reading.SOURCE
