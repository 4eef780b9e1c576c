"""The student's copies: made, updated by cells, reset; nothing is ever lost."""

import errno
import json
import os
import shutil
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from lectures_lib.__main__ import main
from lectures_lib.commands import reset as reset_command
from lectures_lib.commands import update as update_command
from lectures_lib.commands import work as work_command
from lectures_lib.workspace import copies, files
from lectures_lib.workspace.merge import merge
from lectures_lib.workspace.normal_form import for_this_machine
from lectures_lib.workspace.place import NotFound, find_course, find_work
from tests.conftest import ROOT

EXERCISE = Path("exercises/04_perceptron.ipynb")
LESSON = Path("notebooks/04_perceptron.ipynb")
ANSWER = "def losses_at(m):\n    return my_own_work(m)"

Change = Callable[[dict[str, Any], Any], object]
"""Something done to a notebook: it gets the cells by their ids, and the notebook."""


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course with one lesson and one exercise notebook."""
    folder = tmp_path / "a course, ñ"
    (folder / "exercises").mkdir(parents=True)
    (folder / "notebooks").mkdir()
    shutil.copy(ROOT / EXERCISE, folder / EXERCISE)
    lesson = new_notebook(cells=[new_markdown_cell("# Lesson"), new_code_cell("1 + 1")])
    for number, cell in enumerate(lesson.cells):
        cell.id = f"lesson-{number}"
    nbformat.write(lesson, folder / LESSON)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def mine(course: Path) -> Path:
    """The student's copy of the exercise notebook, with one answer in it."""
    copies.make(course)
    edit(course / "work" / EXERCISE, answer)
    return course / "work" / EXERCISE


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def edit(path: Path, change: Change) -> None:
    notebook = read(path)
    change({cell.id: cell for cell in notebook.cells}, notebook)
    nbformat.write(notebook, path)


def answer(cells: dict[str, Any], notebook: Any) -> None:
    cells["perceptron-losses-answer"].source = ANSWER


def retitle(cells: dict[str, Any], notebook: Any) -> None:
    cells["perceptron-title"].source = "# New"


def longer(*names: str) -> Change:
    """A new version of the course changes the text of these cells."""

    def change(cells: dict[str, Any], notebook: Any) -> None:
        for name in names:
            cells[name].source += f"\n\nNew text {len(cells[name].source)}."

    return change


def said(course: Path) -> dict[str, str]:
    return {copied.relative.as_posix(): copied.what for copied in copies.update(course)}


def brought(course: Path, change: Change = retitle) -> str:
    """What an update says of the exercise notebook when the course has changed it."""
    edit(course / EXERCISE, change)
    return said(course)[EXERCISE.as_posix()]


def sources(path: Path) -> dict[str, str]:
    return {cell.id: cell.source for cell in read(path).cells}


def backups(course: Path) -> list[Path]:
    return [path for path in (course / "work" / "backups").rglob("*") if path.is_file()]


def as_handed_out(path: Path) -> str:
    """What the student's copy of a notebook holds."""
    return for_this_machine(path.read_text(encoding="utf-8"))


# Making -------------------------------------------------------------------------------------


def test_copies_are_made_once_and_then_left_alone(course: Path, capsys) -> None:
    assert work_command.run(None) == 0
    assert "2 new notebooks" in capsys.readouterr().out
    work = course / "work"
    assert (work / EXERCISE).read_text("utf-8") == as_handed_out(course / EXERCISE)
    (work / EXERCISE).write_text("mine", encoding="utf-8")
    (work / LESSON).unlink()
    assert work_command.run(None) == 0
    assert "1 new notebooks" in capsys.readouterr().out
    assert (work / EXERCISE).read_text(encoding="utf-8") == "mine"
    assert (work / LESSON).exists(), "a deleted copy is made again"


def test_a_newer_course_is_announced_and_not_brought(course: Path, mine: Path, capsys) -> None:
    edit(course / EXERCISE, retitle)
    before = mine.read_bytes()
    assert work_command.run(None) == 0
    assert "newer version of 04_perceptron: `lectures update`" in capsys.readouterr().out
    assert mine.read_bytes() == before


def test_places_are_found_from_inside_and_outside(course: Path) -> None:
    assert find_work(course) is None
    copies.make(course)
    inside = course / "work" / "exercises"
    assert find_work(inside) == course / "work"
    assert find_work(course) is None
    assert find_course(inside) == find_course(course / "notebooks") == course
    with pytest.raises(NotFound):
        find_course(course.parent)


def test_commands_outside_a_course_say_so(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (["work"], ["update"], ["reset", "perceptron"], ["progress"]):
        assert main(words) == 1
        assert "No course found in" in capsys.readouterr().out


def test_a_copy_says_of_its_language_what_the_kernel_says(course: Path) -> None:
    """Otherwise JupyterLab changes the notebook as soon as it is opened."""
    from ipykernel.ipkernel import IPythonKernel

    copies.make(course)
    mine = json.loads((course / "work" / EXERCISE).read_text(encoding="utf-8"))
    stored = json.loads((course / EXERCISE).read_text(encoding="utf-8"))
    assert mine["metadata"].pop("language_info") == IPythonKernel.language_info
    assert stored["metadata"].pop("language_info") == {"name": "python"}
    assert mine == stored


# Updating -----------------------------------------------------------------------------------


def test_nothing_new_changes_nothing(mine: Path, capsys) -> None:
    before = mine.read_bytes()
    assert update_command.run(None) == 0
    assert capsys.readouterr().out == "Everything is up to date.\n"
    assert mine.read_bytes() == before


def test_an_untouched_copy_is_replaced(course: Path) -> None:
    copies.make(course)
    assert "replaced by the new version" in brought(course)
    assert (course / "work" / EXERCISE).read_text("utf-8") == as_handed_out(course / EXERCISE)
    assert backups(course) == []


def test_an_answer_is_carried_over_and_everything_else_is_new(course: Path, mine: Path) -> None:
    def run(cells: dict[str, Any], notebook: Any) -> None:
        cells["perceptron-losses-check"].outputs = [nbformat.v4.new_output("stream", text="Right")]

    edit(mine, run)
    old = mine.read_bytes()
    message = brought(course)
    assert message.startswith("updated, what you wrote is kept; the old file is in work/backups/")
    cells = {cell.id: cell for cell in read(mine).cells}
    assert cells["perceptron-losses-answer"].source == ANSWER
    assert cells["perceptron-title"].source == "# New"
    assert cells["perceptron-losses-check"].outputs[0].text == "Right"
    (copy,) = backups(course)
    assert copy.read_bytes() == old
    assert said(course) == {}


def test_an_exercise_that_changed_after_it_was_answered_says_so(course: Path, mine: Path) -> None:
    def change(cells: dict[str, Any], notebook: Any) -> None:
        cells["perceptron-losses-task"].source += "\n\nNow with a base."
        cells["perceptron-losses-answer"].source = "def losses_at(m, base):\n    return ..."
        cells["perceptron-trace-task"].source += "\n\nAlso changed, but not answered yet."

    assert "the exercise perceptron-losses has changed; your answer is kept" in brought(
        course, change
    )
    cells = read(mine).cells
    place = next(k for k, cell in enumerate(cells) if cell.id == "perceptron-losses-answer")
    task, note, kept = (cell.source for cell in cells[place - 2 : place + 1])
    assert kept == ANSWER
    assert "This exercise changed after you answered it" in note
    assert "def losses_at(m, base)" in note
    assert "Now with a base" in task
    assert len([c for c in cells if "This exercise changed" in c.source]) == 1
    nbformat.validate(read(mine))


def test_a_new_version_number_counts_as_a_change(course: Path, mine: Path) -> None:
    def newer(cells: dict[str, Any], notebook: Any) -> None:
        cells["perceptron-losses-check"].metadata["lectures"]["version"] = 2

    assert "has changed; your answer is kept" in brought(course, newer)


def test_own_cells_stay_where_they_were(course: Path, mine: Path) -> None:
    def add(cells: dict[str, Any], notebook: Any) -> None:
        place = notebook.cells.index(cells["perceptron-fit-check"])
        notebook.cells.insert(place + 1, new_code_cell('hint("perceptron.fit")'))
        notebook.cells.insert(place + 2, new_markdown_cell("My remark."))
        notebook.cells.insert(0, new_markdown_cell("On top."))
        notebook.cells.append(new_code_cell("my_last = 1"))

    def insert(cells: dict[str, Any], notebook: Any) -> None:
        place = notebook.cells.index(cells["perceptron-loss-task"])
        notebook.cells.insert(place, new_markdown_cell("A new paragraph of the course."))

    edit(mine, add)
    brought(course, insert)
    texts = list(sources(mine).values())
    assert texts[0] == "On top."
    assert texts[-1] == "my_last = 1"
    place = texts.index('check("perceptron.fit", perceptron_fit)')
    assert texts[place + 1 : place + 4] == [
        'hint("perceptron.fit")',
        "My remark.",
        "A new paragraph of the course.",
    ]


def test_text_that_both_changed_is_kept_below_the_new_one_again_and_again(
    course: Path, mine: Path
) -> None:
    notes = [f"My {word} note." for word in ("first", "second", "third")]
    for count, note in enumerate(notes, start=1):
        edit(mine, lambda cells, _, note=note: cells["perceptron-fit-task"].update(source=note))
        told = brought(course, longer("perceptron-fit-task"))
        assert "a cell that you had changed has a new version" in told
        texts = list(sources(mine).values())
        place = texts.index(sources(course / EXERCISE)["perceptron-fit-task"])
        below = "\n".join(texts[place + 1 : place + 1 + count])
        assert all(kept in below for kept in notes[:count])


def test_a_removed_exercise_leaves_its_answer(course: Path, mine: Path) -> None:
    def remove(cells: dict[str, Any], notebook: Any) -> None:
        notebook.cells = [c for c in notebook.cells if not c.id.startswith("perceptron-losses-")]

    assert "no longer part of the course; yours is kept" in brought(course, remove)
    texts = list(sources(mine).values())
    assert ANSWER in texts
    assert 'check("perceptron.losses", losses_at)' not in texts


@pytest.mark.parametrize("lost", ["every id", "ids and metadata", "of the answer", "format 4.4"])
def test_cells_that_lost_their_ids_are_recognised(course: Path, mine: Path, lost: str) -> None:
    """By the grade id, by an unchanged text, or by the names that the answer defines."""
    stored = json.loads(mine.read_text(encoding="utf-8"))
    for number, cell in enumerate(stored["cells"]):
        answered = cell["id"] == "perceptron-losses-answer"
        if answered or lost != "of the answer":
            cell["id"] = f"other-{number}"
        if answered == (lost == "of the answer") and lost in ("ids and metadata", "of the answer"):
            cell["metadata"] = {}
        if lost == "format 4.4":
            stored["nbformat_minor"] = 4
            del cell["id"]
    mine.write_text(json.dumps(stored), encoding="utf-8")
    assert "updated, what you wrote is kept" in brought(course, longer("perceptron-fit-task"))
    found = sources(mine)
    assert found["perceptron-losses-answer"] == ANSWER
    assert found.keys() == sources(course / EXERCISE).keys()
    assert len([text for text in found.values() if text.startswith("check(")]) == 6


def test_a_remark_inside_a_note_of_the_update_stays(course: Path, mine: Path) -> None:
    brought(course, longer("perceptron-losses-task"))

    def remark(cells: dict[str, Any], notebook: Any) -> None:
        cells["changed-perceptron-losses-answer"].source += "\n\nRead on Monday."

    edit(mine, remark)
    for name in ("perceptron-losses-task", "perceptron-fit-task"):
        brought(course, longer(name))
        texts = "\n".join(sources(mine).values())
        assert "Read on Monday." in texts
        assert ANSWER in texts


def test_a_pasted_image_stays(course: Path, mine: Path) -> None:
    def paste(cells: dict[str, Any], notebook: Any) -> None:
        task = cells["perceptron-fit-task"]
        task.source += "\n\n![sketch](attachment:sketch.png)"
        task.attachments = {"sketch.png": {"image/png": "aGVsbG8="}}

    edit(mine, paste)
    brought(course, longer("perceptron-fit-task"))
    kept = [c for c in read(mine).cells if "attachment:sketch.png" in c.source]
    assert [c.attachments["sketch.png"]["image/png"] for c in kept] == ["aGVsbG8="]


def test_a_copied_cell_with_the_same_id_stays(course: Path, mine: Path) -> None:
    stored = json.loads(mine.read_text(encoding="utf-8"))
    place = next(k for k, c in enumerate(stored["cells"]) if c["id"] == "perceptron-losses-answer")
    twin = deepcopy(stored["cells"][place]) | {"source": ["my_second_try = 1"]}
    stored["cells"].insert(place + 1, twin)
    mine.write_text(json.dumps(stored), encoding="utf-8")
    brought(course)
    assert {ANSWER, "my_second_try = 1"} <= set(sources(mine).values())


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_a_linked_notebook_stays_a_link(course: Path, mine: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.ipynb"
    mine.rename(elsewhere)
    mine.symlink_to(elsewhere)
    assert "updated" in brought(course)
    assert mine.is_symlink()
    found = sources(elsewhere)
    assert found["perceptron-title"] == "# New"
    assert found["perceptron-losses-answer"] == ANSWER


# Accidents ----------------------------------------------------------------------------------


def test_a_damaged_notebook_is_set_aside(course: Path, mine: Path) -> None:
    for count in (1, 2):
        mine.write_text(f'{{"cells": [{count}', encoding="utf-8")
        told = brought(course, longer("perceptron-title"))
        aside = mine.with_name(f"{mine.name}.damaged-{count}")
        assert f"could not be read and is kept as {aside.name}" in told
        assert aside.read_text(encoding="utf-8") == f'{{"cells": [{count}'
        assert "perceptron-title" in sources(mine)


def test_without_a_record_of_what_was_handed_out_everything_is_kept(
    course: Path, mine: Path
) -> None:
    shutil.rmtree(course / "work" / ".lectures")
    (course / "work" / ".lectures").mkdir()
    before = mine.read_bytes()
    assert said(course)[EXERCISE.as_posix()] == "kept as it is"
    assert mine.read_bytes() == before


@pytest.mark.parametrize("damage", [" ", "{", '{"cells": 3}'])
def test_damaged_copies_end_in_a_sentence(course: Path, mine: Path, damage: str) -> None:
    base = course / "work" / ".lectures" / "handed_out" / EXERCISE
    base.write_text(damage, encoding="utf-8")
    assert "what was handed out could not be read" in brought(course)
    assert ANSWER in sources(mine).values()
    (course / EXERCISE).write_text(damage, encoding="utf-8")
    assert "the course's own notebook cannot be read" in said(course)[EXERCISE.as_posix()]
    assert ANSWER in sources(mine).values()


def test_a_full_disk_during_an_update_leaves_every_file_whole(
    course: Path, mine: Path, monkeypatch, capsys
) -> None:
    edit(course / EXERCISE, retitle)
    before, real, left = mine.read_bytes(), os.fsync, [0]

    def full_after_a_while(handle: int) -> None:
        if left[0] <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        left[0] -= 1
        real(handle)

    monkeypatch.setattr(files.os, "fsync", full_after_a_while)
    for writes in range(3):  # nothing; the backup; the backup and the notebook
        left[0] = writes
        assert update_command.run(None) == 1
        assert "stopped: No space left on device" in capsys.readouterr().out
        assert sources(mine)["perceptron-losses-answer"] == ANSWER
        assert (mine.read_bytes() == before) == (writes < 2)
    left[0] = 100
    assert update_command.run(None) == 0
    assert sources(mine)["perceptron-title"] == "# New"
    assert sources(mine)["perceptron-losses-answer"] == ANSWER
    assert not list((course / "work").rglob("*.tmp"))


def test_files_are_readable_for_others_and_remains_are_cleared(tmp_path: Path) -> None:
    remains = tmp_path / ".a.txt.1-1.tmp"
    remains.write_text("half", encoding="utf-8")
    os.utime(remains, (0, 0))
    files.write_whole(tmp_path / "a.txt", "whole")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    (tmp_path / "b.txt").write_text("as others write", encoding="utf-8")
    assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "b.txt").stat().st_mode


# Resetting ----------------------------------------------------------------------------------


def test_reset_starts_afresh_and_keeps_the_old_work(course: Path, mine: Path, capsys) -> None:
    progress = course / "work" / "progress"
    progress.mkdir()
    for name in ("perceptron.fit", "perceptron_convergence.bound"):
        (progress / f"{name}.json").write_text(json.dumps({"best": 1}), encoding="utf-8")
    arguments = type("Arguments", (), {"chapter": "perceptron"})
    assert reset_command.run(arguments) == 0
    printed = capsys.readouterr().out
    assert "exercises/04_perceptron.ipynb: as handed out; yours is in work/backups/" in printed
    assert mine.read_text("utf-8") == as_handed_out(course / EXERCISE)
    assert [p.name for p in progress.iterdir()] == ["perceptron_convergence.bound.json"]
    kept = backups(course)
    assert sorted(p.name for p in kept) == ["04_perceptron.ipynb"] * 2 + ["perceptron.fit.json"]
    assert ANSWER in {text for p in kept if "exercises" in p.parts for text in sources(p).values()}
    assert reset_command.run(arguments) == 0
    assert len(backups(course)) == 5, "a second reset gets a folder of its own"


def test_reset_of_an_unknown_chapter_says_so(course: Path, capsys) -> None:
    assert reset_command.run(type("Arguments", (), {"chapter": "perzeptron"})) == 1
    assert "'perzeptron'" in capsys.readouterr().out


# Merging, whatever was done -------------------------------------------------------------------


def notebook_of(texts: dict[str, str]) -> Any:
    cells = []
    for name, text in texts.items():
        cell = new_code_cell(text)
        cell.id = name
        if name.startswith("a"):
            cell.metadata["nbgrader"] = {"grade_id": f"{name}-answer", "solution": True}
        cells.append(cell)
    return new_notebook(cells=cells)


names = st.sampled_from(["a1", "a2", "b1", "b2", "c1"])
versions = st.dictionaries(names, st.sampled_from(["x", "y"]), max_size=5)
own = st.one_of(names, st.sampled_from(["own1", "own2"]))
students = st.dictionaries(own, st.sampled_from(["x", "y", "mine"]), max_size=6)


@given(versions, students, versions)
def test_no_text_of_the_student_is_ever_lost(old, mine, new) -> None:
    old, mine, new = ({k: f"{k} {text}" for k, text in d.items()} for d in (old, mine, new))
    notebooks = [notebook_of(texts) for texts in (old, mine, new)]
    before = deepcopy(notebooks)
    merged = merge(*notebooks).notebook
    assert notebooks == before
    nbformat.validate(merged)
    ids = [cell.id for cell in merged.cells]
    assert len(set(ids)) == len(ids)
    found = {cell.id: cell for cell in merged.cells}
    texts = "\n".join(cell.source for cell in merged.cells)
    for name, text in mine.items():
        changed = old.get(name) != text
        if changed and name in new and (name[0] == "a" or old.get(name) == new[name]):
            assert found[name].source == text
        elif changed:
            assert text in texts
    for name in new.keys() - mine.keys():
        if name[0] == "a" or old.get(name) != new[name]:
            assert found[name].source == new[name]
        else:
            assert name not in found, "a cell that the student deleted stays away"
    again = merge(notebook_of(new), merged, notebook_of(new)).notebook
    assert [c.source for c in again.cells] == [c.source for c in merged.cells]
