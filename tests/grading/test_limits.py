"""What one submission can cost the judge, the machine and the others stays within limits."""

from __future__ import annotations

import json
import mmap
import sys
import zipfile
from pathlib import Path

import pytest

from lectures_lib.__main__ import main
from lectures_lib.checks.running import wire
from lectures_lib.grading.intake import collect
from lectures_lib.grading.intake.assembly import assemble, canonical
from lectures_lib.grading.intake.collect import find_submissions, without_notebook
from lectures_lib.grading.intake.reading import (
    ReadCell,
    ReadNotebook,
    UnreadableError,
    read_bytes,
)
from lectures_lib.grading.judging.judge import Judge
from lectures_lib.grading.walls.client import Workers
from lectures_lib.grading.walls.sandbox import best_rung, memory_of
from tests.conftest import ROOT
from tests.grading.hostile import SOLUTION, notebook

STEMS = ["04_perceptron"]
WANTED = canonical(ROOT / "exercises" / "04_perceptron.ipynb")
NOTEBOOK = (ROOT / "exercises" / "04_perceptron.ipynb").read_bytes()


@pytest.mark.parametrize(
    "text", [b"[" + b"[]," * 10**6 + b"[]]", b"[" + b'{"stub":true},' * 2 * 10**6]
)
def test_a_message_of_many_small_pieces_is_refused_before_it_is_parsed(monkeypatch, text) -> None:
    def parsed(_: bytes) -> None:
        raise AssertionError("it was parsed")

    monkeypatch.setattr(wire, "MOST_PIECES", 10**6)
    monkeypatch.setattr(wire.json, "loads", parsed)
    with pytest.raises(wire.WireError, match="pieces"):
        wire.unpack(wire.LENGTH.pack(len(text)) + text)


@pytest.mark.slow
def test_a_long_list_of_numbers_is_no_such_message() -> None:
    numbers = tuple(float(k) for k in range(wire.LONGEST_LIST))
    assert wire.unpack(wire.pack(numbers)) == numbers


@pytest.mark.skipif(sys.platform != "linux", reason="it is read from /proc")
@pytest.mark.parametrize("flags", ["MAP_SHARED", "MAP_PRIVATE"])
def test_memory_that_is_shared_without_a_file_counts(flags: str) -> None:
    size, before = 64 * 2**20, memory_of("self")
    with mmap.mmap(-1, size, flags=getattr(mmap, flags)) as held:
        held.write(b"x" * size)
        assert memory_of("self") - before > 0.9 * size
    assert memory_of("0") == 0, "a process that has ended"


@pytest.mark.parametrize("source", ["a,\n" * 60_000, "a\n,\n" * 40_000, ("a," * 9_000 + "\n") * 9])
def test_names_are_looked_for_without_going_back(source: str) -> None:
    """With a search that goes back this took hours, in the process that all others wait for."""
    assembled = assemble(ReadNotebook((ReadCell("", "", "code", source),)), WANTED)
    assert len(assembled.untouched) == len(WANTED.places)


@pytest.mark.slow
@pytest.mark.skipif(best_rung()[0] != "namespaces", reason="no namespaces on this machine")
def test_many_slow_cells_end_with_the_time_of_the_submission() -> None:
    found = notebook(perceptron__fit="import time\ntime.sleep(0.5)\n" + SOLUTION)
    own = {"cell_type": "code", "id": "", "metadata": {}, "source": "import time\ntime.sleep(0.5)"}
    found["cells"] += [dict(own) for _ in range(200)] + [
        cell for cell in found["cells"] if cell["id"] == "perceptron-losses-quiz-answer"
    ]
    found["cells"].sort(key=lambda cell: cell["id"] == "perceptron-losses-quiz-answer")
    workers = Workers("namespaces", ["numpy"])
    judge = Judge(workers, b"secret", submission_seconds=2.0)
    result = judge.grade(read_bytes(json.dumps(found).encode()), WANTED)
    workers.close()
    last = result.exercises[-1]
    assert (last.id, last.status) == ("perceptron.losses_quiz", "timeout")
    first, second = last.text.split("\n")
    assert first == "The cell did not come to an end and was stopped."
    limit = (
        "stopped after 2 s, the limit for a whole notebook: `--submission-seconds 5` allows more"
    )
    assert (second, last.flags) == (f"It was {limit}.", (limit,))


@pytest.mark.slow
@pytest.mark.skipif(best_rung()[0] != "namespaces", reason="no namespaces on this machine")
@pytest.mark.parametrize(
    ("source", "limit"),
    [("while True:\n    pass\n", "2 s, the limit for a cell: `--seconds 4`"),
     ("def losses_at(m):\n    while True:\n        pass\n",
      "1 s, the limit for a part: `--seconds 4`")],
)  # fmt: skip
def test_the_limit_of_time_that_was_met_is_named(source: str, limit: str) -> None:
    workers = Workers("namespaces", ["numpy"])
    read = read_bytes(json.dumps(notebook(perceptron__losses=source)).encode())
    result = Judge(workers, b"secret", 1.0).grade(read, WANTED)
    workers.close()
    (found,) = (one for one in result.exercises if one.id == "perceptron.losses")
    assert found.status == "timeout"
    assert limit in found.text
    assert [limit in flag for flag in found.flags] == [True]


def test_the_limit_of_characters_is_named_and_can_be_raised() -> None:
    cells = [{"cell_type": "code", "source": "x = 1\n" * 6_000} for _ in range(6)]
    content = json.dumps({"cells": cells}).encode()
    with pytest.raises(UnreadableError, match=r"200,000 .*--submission-characters 400000"):
        read_bytes(content)
    assert len(read_bytes(content, 400_000).cells) == 6


def test_the_contents_of_a_zip_are_read_once(tmp_path: Path, monkeypatch) -> None:
    place = tmp_path / "moodle.zip"
    with zipfile.ZipFile(place, "w") as archive:
        for k in range(50):
            archive.writestr(f"S {k}_{k}_assignsubmission_file_/04_perceptron.ipynb", NOTEBOOK)
    found = find_submissions(place, STEMS)
    opened = []
    real = zipfile.ZipFile
    monkeypatch.setattr(
        collect.zipfile, "ZipFile", lambda *a, **k: opened.append(1) or real(*a, **k)
    )
    assert all(submission.content() == NOTEBOOK for submission in found)
    assert (len(found), len(opened)) == (50, 1)


def test_a_time_stamp_that_a_student_handed_in_is_not_believed(tmp_path: Path) -> None:
    for place in ("Eva_9_assignsubmission_file_", "ole", "submitted/mia/04_perceptron"):
        folder = tmp_path / place
        folder.mkdir(parents=True)
        (folder / "04_perceptron.ipynb").write_bytes(NOTEBOOK)
        (folder / "timestamp.txt").write_text("2020-01-01 00:00:00 UTC")
    (mia,) = find_submissions(tmp_path, STEMS)
    assert mia.when.startswith("2020")
    (tmp_path / "submitted").rename(tmp_path / "others")
    eva, ole, _ = find_submissions(tmp_path, STEMS)
    assert (eva.student, eva.when) == ("Eva", "")
    assert (ole.student, ole.when) == ("ole", "")


def test_who_handed_in_no_notebook_is_named(tmp_path: Path) -> None:
    place = tmp_path / "moodle.zip"
    names = ("Bo_7_assignsubmission_file_/work.zip", "Al_8_assignsubmission_file_/a.ipynb", "x.txt")
    with zipfile.ZipFile(place, "w") as archive:
        for name in names:
            archive.writestr(name, NOTEBOOK)
    assert without_notebook(place) == ["Bo (work.zip)"]
    with zipfile.ZipFile(place) as archive:
        archive.extractall(tmp_path / "in")
    assert without_notebook(tmp_path / "in") == ["Bo (work.zip)"]


def test_the_command_tells_what_it_could_not_use(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(ROOT)
    for name in ("anna/04_perceptron.ipynb", "bo/04_perceptron.py"):
        (tmp_path / "in" / name).parent.mkdir(parents=True)
        (tmp_path / "in" / name).write_bytes(b"no notebook")
    manual = tmp_path / "manual.csv"
    manual.write_text(
        "student,assignment,exercise,points\nanna,04_perceptron,perceptron.fit,2\n"
        "ana,04_perceptron,perceptron.fit,2\n"
    )
    words = ["--manual", str(manual), "--sandbox", "none"]
    assert main(["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), *words]) == 0
    said = capsys.readouterr().out
    assert "Files, but no notebook, from: bo (04_perceptron.py)" in said
    assert "nobody handed in: ana, 04_perceptron, perceptron.fit\n" in said
