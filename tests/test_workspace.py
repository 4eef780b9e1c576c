"""The student's copies: made, updated by cells, reset; nothing is ever lost."""

import errno
import json
import os
import shutil
from copy import deepcopy
from pathlib import Path

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from lectures_lib.commands import reset as reset_command
from lectures_lib.commands import update as update_command
from lectures_lib.commands import work as work_command
from lectures_lib.workspace import copies, files
from lectures_lib.workspace.merge import merge, same
from lectures_lib.workspace.normal_form import for_this_machine
from lectures_lib.workspace.place import NotFound, find_course, find_work
from tests.conftest import ROOT

EXERCISE = Path("exercises/04_perceptron.ipynb")


def as_handed_out(path: Path) -> str:
    """What the student's copy of a notebook holds."""
    return for_this_machine(path.read_text(encoding="utf-8"))


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
    nbformat.write(lesson, folder / "notebooks" / "04_perceptron.ipynb")
    monkeypatch.chdir(folder)
    return folder


def read(path: Path):
    return nbformat.read(path, as_version=4)


def edit(path: Path, change) -> None:
    notebook = read(path)
    change({cell.id: cell for cell in notebook.cells}, notebook)
    nbformat.write(notebook, path)


def sources(path: Path) -> dict[str, str]:
    return {cell.id: cell.source for cell in read(path).cells}


def said(course: Path) -> dict[str, str]:
    return {copied.relative.as_posix(): copied.what for copied in copies.update(course)}


def backups(course: Path) -> list[str]:
    found = (course / "work" / "backups").rglob("*.*")
    return sorted(path.name for path in found if path.is_file())


ANSWER = "def losses_at(m):\n    return my_own_work(m)"


def answer(cells, notebook) -> None:
    cells["perceptron-losses-answer"].source = ANSWER


# Making -------------------------------------------------------------------------------------


def test_copies_are_made_once_and_then_left_alone(course: Path, capsys) -> None:
    assert work_command.run(None) == 0
    assert "2 new notebooks" in capsys.readouterr().out
    work = course / "work"
    assert (course / "work" / EXERCISE).read_text("utf-8") == as_handed_out(course / EXERCISE)
    (work / EXERCISE).write_text("mine", encoding="utf-8")
    assert work_command.run(None) == 0
    assert "0 new notebooks" in capsys.readouterr().out
    assert (work / EXERCISE).read_text(encoding="utf-8") == "mine"


def test_a_newer_course_is_announced_and_not_brought(course: Path, capsys) -> None:
    copies.make(course)
    edit(
        course / EXERCISE, lambda cells, notebook: cells["perceptron-title"].update(source="# New")
    )
    before = (course / "work" / EXERCISE).read_bytes()
    assert work_command.run(None) == 0
    assert "newer version of 04_perceptron: `lectures update`" in capsys.readouterr().out
    assert (course / "work" / EXERCISE).read_bytes() == before


def test_places_are_found_from_inside_and_outside(course: Path) -> None:
    assert find_work(course) is None
    copies.make(course)
    inside = course / "work" / "exercises"
    assert find_work(inside) == course / "work"
    assert find_work(course) is None
    assert find_course(inside) == find_course(course / "notebooks") == course
    with pytest.raises(NotFound, match="No course found in"):
        find_course(course.parent)


def test_commands_outside_a_course_say_so(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = type("Arguments", (), {"chapter": "perceptron"})
    for command in (work_command, update_command, reset_command):
        assert command.run(arguments) == 1
        assert "No course found in" in capsys.readouterr().out


# Updating -----------------------------------------------------------------------------------


def test_nothing_new_changes_nothing(course: Path, capsys) -> None:
    copies.make(course)
    edit(course / "work" / EXERCISE, answer)
    before = (course / "work" / EXERCISE).read_bytes()
    assert update_command.run(None) == 0
    assert capsys.readouterr().out == "Everything is up to date.\n"
    assert (course / "work" / EXERCISE).read_bytes() == before


def test_an_untouched_copy_is_replaced(course: Path) -> None:
    copies.make(course)
    edit(
        course / EXERCISE, lambda cells, notebook: cells["perceptron-title"].update(source="# New")
    )
    assert "replaced by the new version" in said(course)[EXERCISE.as_posix()]
    assert (course / "work" / EXERCISE).read_text("utf-8") == as_handed_out(course / EXERCISE)
    assert backups(course) == []


def test_an_answer_is_carried_over_and_everything_else_is_new(course: Path) -> None:
    copies.make(course)
    work = course / "work" / EXERCISE
    edit(work, answer)
    old = work.read_bytes()
    edit(
        course / EXERCISE, lambda cells, notebook: cells["perceptron-title"].update(source="# New")
    )
    message = said(course)[EXERCISE.as_posix()]
    assert message.startswith("updated, what you wrote is kept; the old file is in work/backups/")
    found = sources(work)
    assert found["perceptron-losses-answer"] == ANSWER
    assert found["perceptron-title"] == "# New"
    (copy,) = (course / "work" / "backups").rglob(EXERCISE.name)
    assert copy.read_bytes() == old
    assert said(course) == {}


def test_an_exercise_that_changed_after_it_was_answered_says_so(course: Path) -> None:
    copies.make(course)
    work = course / "work" / EXERCISE
    edit(work, answer)

    def changed(cells, notebook) -> None:
        cells["perceptron-losses-task"].source += "\n\nNow with a base."
        cells["perceptron-losses-answer"].source = "def losses_at(m, base):\n    return ..."
        cells["perceptron-trace-task"].source += "\n\nAlso changed, but not answered yet."

    edit(course / EXERCISE, changed)
    assert (
        "the exercise perceptron-losses has changed; your answer is kept"
        in said(course)[EXERCISE.as_posix()]
    )
    cells = read(work).cells
    place = next(k for k, cell in enumerate(cells) if cell.id == "perceptron-losses-answer")
    assert cells[place].source == ANSWER
    assert "This exercise changed after you answered it" in cells[place - 1].source
    assert "def losses_at(m, base)" in cells[place - 1].source
    assert "Now with a base" in cells[place - 2].source
    assert len([c for c in cells if "This exercise changed" in c.source]) == 1
    nbformat.validate(read(work))


def test_a_new_version_number_counts_as_a_change(course: Path) -> None:
    copies.make(course)
    edit(course / "work" / EXERCISE, answer)

    def newer(cells, notebook) -> None:
        cells["perceptron-losses-check"].metadata["lectures"]["version"] = 2

    edit(course / EXERCISE, newer)
    assert "has changed; your answer is kept" in said(course)[EXERCISE.as_posix()]


def test_own_cells_stay_where_they_were(course: Path) -> None:
    copies.make(course)
    work = course / "work" / EXERCISE

    def add(cells, notebook) -> None:
        place = notebook.cells.index(cells["perceptron-fit-check"])
        notebook.cells.insert(place + 1, new_code_cell('hint("perceptron.fit")'))
        notebook.cells.insert(place + 2, new_markdown_cell("My remark."))
        notebook.cells.insert(0, new_markdown_cell("On top."))
        notebook.cells.append(new_code_cell("my_last = 1"))

    edit(work, add)

    def insert(cells, notebook) -> None:
        place = notebook.cells.index(cells["perceptron-loss-task"])
        notebook.cells.insert(place, new_markdown_cell("A new paragraph of the course."))

    edit(course / EXERCISE, insert)
    said(course)
    texts = [cell.source for cell in read(work).cells]
    assert texts[0] == "On top."
    assert texts[-1] == "my_last = 1"
    place = texts.index('check("perceptron.fit", perceptron_fit)')
    assert texts[place + 1 : place + 4] == [
        'hint("perceptron.fit")',
        "My remark.",
        "A new paragraph of the course.",
    ]


def test_text_that_both_changed_is_kept_below_the_new_one(course: Path) -> None:
    copies.make(course)
    work = course / "work" / EXERCISE
    edit(work, lambda cells, notebook: cells["perceptron-fit-task"].update(source="My notes."))
    edit(
        course / EXERCISE, lambda cells, notebook: cells["perceptron-fit-task"].update(source="New")
    )
    assert "a cell that you had changed has a new version" in said(course)[EXERCISE.as_posix()]
    texts = [cell.source for cell in read(work).cells]
    assert "My notes." in texts[texts.index("New") + 1]


def test_text_that_only_the_student_changed_stays(course: Path) -> None:
    copies.make(course)
    work = course / "work" / "notebooks" / "04_perceptron.ipynb"
    edit(work, lambda cells, notebook: cells["lesson-1"].update(source="2 + 2"))
    new = lambda cells, notebook: notebook.cells.append(new_markdown_cell("More."))  # noqa: E731
    edit(course / "notebooks" / "04_perceptron.ipynb", new)
    said(course)
    assert list(sources(work).values()) == ["# Lesson", "2 + 2", "More."]


def test_outputs_of_the_student_stay_with_cells_that_did_not_change(course: Path) -> None:
    copies.make(course)
    work = course / "work" / EXERCISE

    def run(cells, notebook) -> None:
        answer(cells, notebook)
        cells["perceptron-losses-check"].outputs = [nbformat.v4.new_output("stream", text="Right")]

    edit(work, run)
    edit(
        course / EXERCISE, lambda cells, notebook: cells["perceptron-title"].update(source="# New")
    )
    said(course)
    found = {cell.id: cell for cell in read(work).cells}
    assert found["perceptron-losses-check"].outputs[0].text == "Right"


def test_a_removed_exercise_leaves_its_answer(course: Path) -> None:
    copies.make(course)
    work = course / "work" / EXERCISE
    edit(work, answer)

    def remove(cells, notebook) -> None:
        notebook.cells = [c for c in notebook.cells if not c.id.startswith("perceptron-losses-")]

    edit(course / EXERCISE, remove)
    assert "no longer part of the course; yours is kept" in said(course)[EXERCISE.as_posix()]
    texts = [cell.source for cell in read(work).cells]
    assert ANSWER in texts
    assert 'check("perceptron.losses", losses_at)' not in texts


def test_a_deleted_check_comes_back_with_the_next_version(course: Path) -> None:
    copies.make(course)
    work = course / "work" / EXERCISE

    def delete(cells, notebook) -> None:
        answer(cells, notebook)
        notebook.cells.remove(cells["perceptron-losses-check"])

    edit(work, delete)
    edit(
        course / EXERCISE, lambda cells, notebook: cells["perceptron-title"].update(source="# New")
    )
    said(course)
    assert "perceptron-losses-check" in sources(work)


@pytest.mark.parametrize("keep_metadata", [True, False])
def test_cells_that_lost_their_ids_are_recognised(course: Path, keep_metadata: bool) -> None:
    copies.make(course)
    work = course / "work" / EXERCISE

    def lose_ids(cells, notebook) -> None:
        answer(cells, notebook)
        for number, cell in enumerate(notebook.cells):
            cell.id = f"other-{number}"
            if not keep_metadata and cell.source != ANSWER:
                cell.metadata = {}

    edit(work, lose_ids)
    edit(
        course / EXERCISE, lambda cells, notebook: cells["perceptron-title"].update(source="# New")
    )
    said(course)
    found = sources(work)
    assert found["perceptron-losses-answer"] == ANSWER
    assert len(found) == len(read(course / EXERCISE).cells)
    assert len([text for text in found.values() if text.startswith("check(")]) == 6


def test_a_damaged_notebook_is_set_aside(course: Path) -> None:
    copies.make(course)
    work = course / "work" / EXERCISE
    work.write_text('{"cells": [', encoding="utf-8")
    edit(
        course / EXERCISE, lambda cells, notebook: cells["perceptron-title"].update(source="# New")
    )
    assert (
        "could not be read and is kept as 04_perceptron.ipynb.damaged-1"
        in said(course)[EXERCISE.as_posix()]
    )
    assert work.with_name(f"{work.name}.damaged-1").read_text(encoding="utf-8") == '{"cells": ['
    assert "perceptron-title" in sources(work)


def test_a_deleted_copy_is_made_again(course: Path) -> None:
    copies.make(course)
    (course / "work" / EXERCISE).unlink()
    assert said(course) == {EXERCISE.as_posix(): "new"}


def test_without_a_record_of_what_was_handed_out_everything_is_kept(course: Path) -> None:
    copies.make(course)
    work = course / "work" / EXERCISE
    edit(work, answer)
    shutil.rmtree(course / "work" / ".lectures")
    (course / "work" / ".lectures").mkdir()
    before = work.read_bytes()
    assert said(course)[EXERCISE.as_posix()] == "kept as it is"
    assert work.read_bytes() == before


def test_a_full_disk_during_an_update_leaves_every_file_whole(
    course: Path, monkeypatch, capsys
) -> None:
    copies.make(course)
    work = course / "work" / EXERCISE
    edit(work, answer)
    edit(
        course / EXERCISE, lambda cells, notebook: cells["perceptron-title"].update(source="# New")
    )
    before, real, left = work.read_bytes(), os.fsync, [0]

    def full_after_a_while(handle: int) -> None:
        if left[0] <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        left[0] -= 1
        real(handle)

    monkeypatch.setattr(files.os, "fsync", full_after_a_while)
    for writes in range(3):  # nothing; the backup; the backup and the notebook
        left[0] = writes
        assert update_command.run(None) == 1
        assert "stopped: No space left on device. No file was left half" in capsys.readouterr().out
        assert sources(work)["perceptron-losses-answer"] == ANSWER
        assert (work.read_bytes() == before) == (writes < 2)
    left[0] = 100
    assert update_command.run(None) == 0
    assert sources(work)["perceptron-title"] == "# New"
    assert sources(work)["perceptron-losses-answer"] == ANSWER
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


def test_reset_starts_afresh_and_keeps_the_old_work(course: Path, capsys) -> None:
    copies.make(course)
    work = course / "work"
    edit(work / EXERCISE, answer)
    (work / "progress").mkdir()
    for name in ("perceptron.fit", "perceptron_convergence.bound"):
        (work / "progress" / f"{name}.json").write_text(json.dumps({"best": 1}), encoding="utf-8")
    arguments = type("Arguments", (), {"chapter": "perceptron"})
    assert reset_command.run(arguments) == 0
    printed = capsys.readouterr().out
    assert "exercises/04_perceptron.ipynb: as handed out; yours is in work/backups/" in printed
    assert (course / "work" / EXERCISE).read_text("utf-8") == as_handed_out(course / EXERCISE)
    assert [p.name for p in (work / "progress").iterdir()] == ["perceptron_convergence.bound.json"]
    kept = [path for path in (work / "backups").rglob("*") if path.is_file()]
    assert sorted(p.name for p in kept) == ["04_perceptron.ipynb"] * 2 + ["perceptron.fit.json"]
    assert ANSWER in {text for p in kept if "exercises" in p.parts for text in sources(p).values()}
    assert reset_command.run(arguments) == 0
    assert len(backups(course)) == 5, "a second reset gets a folder of its own"


def test_reset_of_an_unknown_chapter_names_the_known_ones(course: Path, capsys) -> None:
    arguments = type("Arguments", (), {"chapter": "perzeptron"})
    assert reset_command.run(arguments) == 1
    assert "There is no chapter 'perzeptron'" in capsys.readouterr().out


# Merging, whatever was done -------------------------------------------------------------------


def notebook_of(texts: dict[str, str]):
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
        if changed and name.startswith("a") and name in new:
            assert found[name].source == text
        elif changed:
            assert text in texts
    for name in new:
        if name not in old and name not in mine:
            assert found[name].source == new[name]
    again = merge(notebook_of(new), merged, notebook_of(new)).notebook
    assert [c.source for c in again.cells] == [c.source for c in merged.cells]


def test_same_looks_at_type_and_text_only() -> None:
    cell = new_code_cell("1 + 1")
    other = deepcopy(cell)
    other.outputs, other.metadata = [nbformat.v4.new_output("stream", text="2")], {"tags": ["x"]}
    assert same(cell, other)
    assert not same(cell, new_markdown_cell("1 + 1"))


# Notebooks as other editors and accidents leave them -------------------------------------------


def new_version(course: Path, *cells: str) -> None:
    """A new version of the course changes the text of these cells."""

    def change(found, notebook) -> None:
        for name in cells:
            found[name].source += f"\n\nNew text {len(found[name].source)}."

    edit(course / EXERCISE, change)


def own_texts(course: Path) -> str:
    notebook = read(course / "work" / EXERCISE)
    return "\n".join(cell.source for cell in notebook.cells)


def test_a_notebook_without_cell_ids_is_updated(course: Path) -> None:
    copies.make(course)
    path = course / "work" / EXERCISE
    edit(path, answer)
    stored = json.loads(path.read_text(encoding="utf-8"))
    stored["nbformat_minor"] = 4
    for cell in stored["cells"]:
        del cell["id"]
    path.write_text(json.dumps(stored), encoding="utf-8")
    new_version(course, "perceptron-fit-task")
    assert "updated, what you wrote is kept" in said(course)[EXERCISE.as_posix()]
    assert sources(path)["perceptron-losses-answer"] == ANSWER
    assert own_texts(course).count("def losses_at") == 1


@pytest.mark.parametrize("damage", ["", "{", '{"cells": 3}'])
def test_damaged_copies_end_in_a_sentence(course: Path, damage: str) -> None:
    copies.make(course)
    path = course / "work" / EXERCISE
    edit(path, answer)
    base = course / "work" / ".lectures" / "handed_out" / EXERCISE
    base.write_text(damage or " ", encoding="utf-8")
    new_version(course, "perceptron-fit-task")
    told = said(course)[EXERCISE.as_posix()]
    assert "kept as it is: what was handed out could not be read" in told
    assert ANSWER in own_texts(course)
    (course / EXERCISE).write_text(damage or " ", encoding="utf-8")
    told = said(course)[EXERCISE.as_posix()]
    assert "the course's own notebook cannot be read" in told
    assert ANSWER in own_texts(course)


def test_every_note_in_a_task_stays(course: Path) -> None:
    copies.make(course)
    path = course / "work" / EXERCISE
    for round_ in ("first", "second", "third"):

        def write(cells, notebook, round_=round_) -> None:
            cells["perceptron-fit-task"].source += f"\n\nMy {round_} note."

        edit(path, write)
        new_version(course, "perceptron-fit-task")
        said(course)
    assert all(f"My {word} note." in own_texts(course) for word in ("first", "second", "third"))


def test_a_remark_inside_a_note_of_the_update_stays(course: Path) -> None:
    copies.make(course)
    path = course / "work" / EXERCISE
    edit(path, answer)
    new_version(course, "perceptron-losses-task")
    said(course)

    def remark(cells, notebook) -> None:
        cells["changed-perceptron-losses-answer"].source += "\n\nRead on Monday."

    edit(path, remark)
    new_version(course, "perceptron-losses-task")
    said(course)
    assert "Read on Monday." in own_texts(course)
    new_version(course, "perceptron-fit-task")
    said(course)
    assert "Read on Monday." in own_texts(course)
    assert ANSWER in own_texts(course)


def test_a_pasted_image_stays(course: Path) -> None:
    copies.make(course)
    path = course / "work" / EXERCISE

    def paste(cells, notebook) -> None:
        task = cells["perceptron-fit-task"]
        task.source += "\n\n![sketch](attachment:sketch.png)"
        task.attachments = {"sketch.png": {"image/png": "aGVsbG8="}}

    edit(path, paste)
    new_version(course, "perceptron-fit-task")
    said(course)
    kept = [c for c in read(path).cells if "attachment:sketch.png" in c.source]
    assert [c.attachments["sketch.png"]["image/png"] for c in kept] == ["aGVsbG8="]


def test_an_answer_whose_id_was_lost_takes_the_place_of_the_stub(course: Path) -> None:
    copies.make(course)
    path = course / "work" / EXERCISE
    edit(path, answer)

    def forget(cells, notebook) -> None:
        cells["perceptron-losses-answer"].id = "a1b2c3"
        cells["perceptron-losses-answer"].metadata = {}

    edit(path, forget)
    new_version(course, "perceptron-fit-task")
    said(course)
    assert sources(path)["perceptron-losses-answer"] == ANSWER
    assert own_texts(course).count("def losses_at") == 1


def test_a_copied_cell_with_the_same_id_stays(course: Path) -> None:
    copies.make(course)
    path = course / "work" / EXERCISE
    stored = json.loads(path.read_text(encoding="utf-8"))
    place = next(k for k, c in enumerate(stored["cells"]) if c["id"] == "perceptron-losses-answer")
    twin = deepcopy(stored["cells"][place]) | {"source": ["my_second_try = 1"]}
    stored["cells"][place]["source"] = [ANSWER]
    stored["cells"].insert(place + 1, twin)
    path.write_text(json.dumps(stored), encoding="utf-8")
    new_version(course, "perceptron-fit-task")
    said(course)
    assert ANSWER in own_texts(course)
    assert "my_second_try = 1" in own_texts(course)


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_a_linked_notebook_stays_a_link(course: Path, tmp_path: Path) -> None:
    copies.make(course)
    path, elsewhere = course / "work" / EXERCISE, tmp_path / "elsewhere.ipynb"
    edit(path, answer)
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    new_version(course, "perceptron-fit-task")
    assert "updated" in said(course)[EXERCISE.as_posix()]
    assert path.is_symlink()
    assert "New text" in elsewhere.read_text(encoding="utf-8")
    assert sources(elsewhere)["perceptron-losses-answer"] == ANSWER


def test_a_copy_says_of_its_language_what_the_kernel_says(course: Path) -> None:
    """Otherwise JupyterLab changes the notebook as soon as it is opened."""
    from ipykernel.ipkernel import IPythonKernel

    copies.make(course)
    mine = json.loads((course / "work" / EXERCISE).read_text(encoding="utf-8"))
    stored = json.loads((course / EXERCISE).read_text(encoding="utf-8"))
    assert mine["metadata"].pop("language_info") == IPythonKernel.language_info
    assert stored["metadata"].pop("language_info") == {"name": "python"}
    assert mine == stored
