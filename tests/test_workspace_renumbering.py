"""A chapter's number changes, and a student's work goes with it.

The folder in tests/data was made by the version in which the perceptron was chapter 03: two
answers, a note of the student's own, one right check. Only outputs were taken out.
"""

import shutil
from pathlib import Path

import nbformat
import pytest

from lectures_lib.checks.registry import find
from lectures_lib.checks.student import progress
from lectures_lib.commands import update as update_command
from lectures_lib.commands import work as work_command
from lectures_lib.workspace import copies
from lectures_lib.workspace.normal_form import for_this_machine
from tests.conftest import ROOT

BEFORE = ROOT / "tests" / "data" / "work_of_the_version_before"
ANSWERED = Path("exercises/04_perceptron.ipynb")
UNTOUCHED = Path("exercises/05_perceptron_convergence.ipynb")
LESSON = Path("notebooks/04_perceptron.ipynb")
MINE = 'above = "bd"  # the hinge, and base 2'


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Today's course with the work of the version before."""
    for relative in (ANSWERED, UNTOUCHED, LESSON):
        (tmp_path / relative).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / relative, tmp_path / relative)
    shutil.copytree(BEFORE, tmp_path / "work")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sources(path: Path) -> list[str]:
    return [cell.source for cell in nbformat.read(path, as_version=4).cells]


def test_answers_notes_and_results_go_with_the_chapter(course: Path, capsys) -> None:
    assert update_command.run(None) == 0
    told = capsys.readouterr().out
    assert "04_perceptron.ipynb: was 03_perceptron.ipynb; yours has moved" in told
    mine = sources(course / "work" / ANSWERED)
    assert MINE in mine
    assert "trace = [(0, 1, 2, -2), ..., ..., ..., ...]" in mine
    assert "Ask about ties on Monday." in mine
    assert mine[0] == sources(course / ANSWERED)[0]
    for relative in (UNTOUCHED, LESSON):
        stored = (course / relative).read_text(encoding="utf-8")
        mine_now = (course / "work" / relative).read_text(encoding="utf-8")
        assert mine_now == for_this_machine(stored)
    work, folders = course / "work", (Path(), Path(".lectures/handed_out"))
    expected = {work / f / r for f in folders for r in (ANSWERED, UNTOUCHED, LESSON)}
    assert set(work.rglob("*.ipynb")) - set((work / "backups").rglob("*")) == expected
    assert progress.read(work, find("perceptron.losses_quiz")).best == 2
    assert update_command.run(None) == 0
    assert capsys.readouterr().out == "Everything is up to date.\n"


def test_opening_the_course_is_enough_to_move_the_files(course: Path, capsys) -> None:
    assert work_command.run(None) == 0
    told = capsys.readouterr().out
    assert "0 new notebooks" in told
    assert "was 03_perceptron.ipynb" in told
    assert MINE in sources(course / "work" / ANSWERED)


def test_a_fresh_copy_under_the_new_name_gives_way(course: Path) -> None:
    for folder in (course / "work", course / "work" / ".lectures" / "handed_out"):
        shutil.copy(course / ANSWERED, folder / ANSWERED)
    copies.make(course)
    assert MINE in sources(course / "work" / ANSWERED)


def test_two_copies_that_were_both_written_in_both_stay(course: Path) -> None:
    copies.make(course)
    shutil.copy(BEFORE / "exercises" / "03_perceptron.ipynb", course / "work" / "exercises")
    both = course / "work" / ANSWERED, course / "work" / "exercises" / "03_perceptron.ipynb"
    before = [path.read_bytes() for path in both]
    told = {copied.relative: copied.what for copied in copies.make(course)}
    assert "03_perceptron.ipynb of the same chapter too; both stay" in told[ANSWERED]
    assert [path.read_bytes() for path in both] == before


def test_a_move_that_was_cut_off_is_finished(course: Path) -> None:
    """The handed-out copy had moved, the student's own file had not."""
    base = course / "work" / ".lectures" / "handed_out"
    (base / "exercises" / "03_perceptron.ipynb").replace(base / ANSWERED)
    list(copies.update(course))
    mine = sources(course / "work" / ANSWERED)
    assert MINE in mine
    assert mine[0] == sources(course / ANSWERED)[0]
