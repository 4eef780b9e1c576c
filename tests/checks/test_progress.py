"""Progress and hints are remembered, and survive what happens to files."""

import errno
import json
import multiprocessing
import os
import re
import shutil
import sys
import time
from pathlib import Path

import pytest

from lectures_lib.__main__ import main
from lectures_lib.checks import check, hint
from lectures_lib.checks.registry import all_exercises, exercises_of, find
from lectures_lib.checks.student import progress
from lectures_lib.checks.student.overview import glance, overview, table
from lectures_lib.workspace import files

QUIZ, RIGHT = "perceptron.losses_quiz", ("de", "ab")
FORK = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
FORKS = pytest.mark.skipif(sys.platform != "linux", reason="another kernel is a fork of this one")


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A student's folder in which this process stands."""
    folder = tmp_path / "work"
    (folder / ".lectures").mkdir(parents=True)
    (folder / "exercises").mkdir()
    monkeypatch.chdir(folder / "exercises")
    monkeypatch.setattr(progress, "_opened_here", {})
    return folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def stored(work: Path, identity: str = QUIZ) -> dict:
    return json.loads(progress.path_of(work, identity).read_text(encoding="utf-8"))


def test_nothing_is_written_outside_a_students_folder(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(progress, "_opened_here", {})
    check(QUIZ, *RIGHT)
    assert [hint(QUIZ).opened for _ in range(4)] == [1, 2, 3, 3], "the kernel remembers the hints"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("untouched", [True, False])
def test_no_trace_is_left_of_untouched_work_and_by_nbgrader(
    work: Path, monkeypatch, untouched: bool
) -> None:
    if not untouched:
        monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    check(QUIZ, *((..., ...) if untouched else RIGHT))
    assert not (work / "progress").exists()


def test_attempts_points_and_the_best_are_remembered(work: Path) -> None:
    check(QUIZ, "a", "c")
    assert stored(work)["status"] == "wrong"
    check(QUIZ, *RIGHT)
    check(QUIZ, "c", "c")
    found = stored(work)
    assert (found["attempts"], found["points"], found["best"], found["out_of"]) == (3, 0, 2, 2)
    assert names(work / "progress") == [f"{QUIZ}.json"]


def test_hints_open_one_at_a_time_and_stay_open(work: Path, monkeypatch) -> None:
    shown = []
    for _ in range(4):
        monkeypatch.setattr(progress, "_opened_here", {})  # a new kernel every time
        shown.append(repr(hint(QUIZ)).count("Hint "))
    assert shown == [1, 2, 3, 3]
    assert stored(work)["hints"] == 3
    first = repr(hint("perceptron.fit"))
    assert first.startswith("Hint 1 of 3, the idea: ")
    assert 'hint("perceptron.fit") once more opens the formula.' in first
    assert "A question has no hints" in repr(hint("perceptron.shifted"))


@pytest.mark.parametrize(
    "damage",
    [
        b"", b"{", b"null", b"[1]", b'{"attempts": "many"}', b'{"best": -1}', b"\x00\x01",
        b'{"version": "x"}', b'{"version": 1e400}', b'{"attempts": 1e400}', b"\xff\xfe{",
    ],
)  # fmt: skip
def test_a_damaged_file_is_kept_and_told(work: Path, damage: bytes) -> None:
    path = progress.path_of(work, QUIZ)
    path.parent.mkdir()
    path.write_bytes(damage)
    assert "its file is damaged" in table(overview(work))
    outcome = check(QUIZ, *RIGHT)
    assert outcome.status == "right"
    assert f"{path.name} was damaged. It is kept as {path.name}.damaged-1" in repr(outcome)
    assert (path.parent / f"{path.name}.damaged-1").read_bytes() == damage
    assert stored(work)["best"] == 2
    assert "damaged" not in repr(check(QUIZ, *RIGHT))


def test_a_second_damaged_file_does_not_replace_the_first(work: Path) -> None:
    path = progress.path_of(work, QUIZ)
    for text in ("one", "two"):
        check(QUIZ, *RIGHT)
        path.write_text(text, encoding="utf-8")
        check(QUIZ, *RIGHT)
    kept = [(path.parent / f"{path.name}.damaged-{k}").read_text() for k in (1, 2)]
    assert kept == ["one", "two"]


def test_a_full_disk_is_told_and_the_old_file_stays(work: Path, monkeypatch) -> None:
    check(QUIZ, *RIGHT)
    before = stored(work)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "fsync", full)
    outcome = check(QUIZ, "a", "c")
    assert outcome.status == "wrong"
    assert "could not be saved (No space left on device)" in repr(outcome)
    assert stored(work) == before
    assert "could not be saved" in repr(hint(QUIZ))
    assert names(work / "progress") == [f"{QUIZ}.json"]


def _check_with_a_small_disk() -> str:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))
    return repr(check(QUIZ, "a", "c"))


@FORKS
def test_a_write_that_really_fails_loses_nothing(work: Path) -> None:
    check(QUIZ, *RIGHT)
    before = stored(work)
    with FORK.Pool(1) as pool:
        said = pool.apply(_check_with_a_small_disk)
    assert "could not be saved (File too large)" in said
    assert stored(work) == before


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_write_access_is_told(work: Path) -> None:
    (work / "progress").mkdir(mode=0o500)
    assert "could not be saved (Permission denied)" in repr(check(QUIZ, *RIGHT))


@pytest.mark.parametrize("ahead", [0.0, 1e6])
def test_a_lock_left_behind_by_a_killed_kernel_is_broken(work: Path, monkeypatch, ahead) -> None:
    monkeypatch.setattr(files, "LOCK_SECONDS", 0.2)
    path = progress.path_of(work, QUIZ)
    path.parent.mkdir()
    lock = path.with_name(f"{path.name}.lock")
    lock.touch()
    os.utime(lock, (time.time() + ahead, time.time() + ahead))
    assert "Note" not in repr(check(QUIZ, "a", "c"))
    assert names(path.parent) == [path.name]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps a folder somebody stands in")
def test_a_deleted_folder_is_told(work: Path) -> None:
    shutil.rmtree(work)
    outcome = check(QUIZ, *RIGHT)
    assert outcome.status == "right"
    assert "The folder of this notebook is not there any more" in repr(outcome)
    assert hint(QUIZ).opened == 1


def test_a_notebook_that_changes_its_folder_keeps_its_progress(
    work: Path, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr(progress, "_started_in", work)
    monkeypatch.chdir(tmp_path)  # %cd
    check(QUIZ, *RIGHT)
    assert stored(work)["best"] == 2


def _check_often(times: int) -> None:
    for _ in range(times):
        check(QUIZ, "a", "c")


@FORKS
def test_two_kernels_on_one_exercise_lose_no_attempt(work: Path) -> None:
    check(QUIZ, *RIGHT)
    both = [FORK.Process(target=_check_often, args=(20,)) for _ in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join()
        assert process.exitcode == 0
    found = stored(work)
    assert (found["attempts"], found["best"]) == (41, 2)


@FORKS
def test_a_kernel_killed_while_it_checks_leaves_a_whole_file(work: Path, monkeypatch) -> None:
    monkeypatch.setattr(files, "LOCK_SECONDS", 0.2)
    check(QUIZ, *RIGHT)
    for more in (1, 2, 5):
        enough = stored(work)["attempts"] + more
        kernel = FORK.Process(target=_check_often, args=(10**9,))
        kernel.start()
        while kernel.is_alive() and stored(work)["attempts"] < enough:
            time.sleep(0.001)
        kernel.kill()
        kernel.join()
        assert stored(work)["best"] == 2
        said = repr(check(QUIZ, *RIGHT))
        assert "damaged" not in said
        assert "could not be saved" not in said


def test_points_stay_when_an_exercise_has_a_newer_version(work: Path) -> None:
    check(QUIZ, *RIGHT)
    path = progress.path_of(work, QUIZ)
    path.write_text(json.dumps(stored(work) | {"version": 0}), encoding="utf-8")
    assert "2/2  its task has changed; your 2 points stay" in table(overview(work))
    check(QUIZ, "a", "c")
    assert (stored(work)["version"], stored(work)["points"], stored(work)["best"]) == (2, 0, 2)
    assert "04 The perceptron: 2 of 26 points" in table(overview(work))


def test_the_command_prints_chapters_and_exercises(work: Path, capsys) -> None:
    check(QUIZ, *RIGHT)
    hint("perceptron.fit")
    assert main(["progress", "--all"]) == 0
    printed = capsys.readouterr().out
    assert "04 The perceptron: 2 of 26 points" in printed
    assert "2/2  right, 1 check" in printed
    assert "0/6  not attempted, 1 of 3 hints open" in printed


def test_progress_fits_on_a_screen_and_says_what_comes_next(
    work: Path, capsys, monkeypatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    check(QUIZ, *RIGHT)
    assert main(["progress"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 24
    assert all(len(line) <= 80 for line in lines)
    (chapter,) = [line for line in lines if " perceptron " in line]
    assert "2/26 5 open: " in chapter
    assert "losses_quiz" not in chapter
    assert f" 1 of {len(all_exercises())} right" in lines[-2]
    own = [e.id for e in exercises_of("perceptron")]
    following = find(own[(own.index(QUIZ) + 1) % len(own)])
    begin = f"of chapter 04, {following.title}"[:40]
    assert begin in lines[-1]
    assert "04 The perceptron " in glance(work, titles=True)


def test_the_screen_of_who_has_done_everything_names_nothing_next(work: Path) -> None:
    for exercise in all_exercises():
        done = {"best": exercise.points, "status": "right", "attempts": 1}
        path = progress.path_of(work, exercise.id)
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(done), encoding="utf-8")
    lines = glance(work).splitlines()
    assert f"{len(all_exercises())} of {len(all_exercises())} right" in lines[-1]
    assert all("all right" in line for line in lines[:-1])


@pytest.mark.parametrize("wrong", ["perceptron.fitt", "percepton.fit", "perceptron", "fit"])
def test_an_unknown_identity_is_told_three_near_ones(wrong: str) -> None:
    for asked in (check, hint):
        with pytest.raises(ValueError, match=re.escape(repr(wrong))) as told:
            asked(wrong)
        named = re.findall("'([^']+)'", str(told.value))[1:]
        assert len(named) == 3
        assert "perceptron.fit" in named


def test_progress_of_an_unknown_field_is_ignored(work: Path) -> None:
    check(QUIZ, *RIGHT)
    path = progress.path_of(work, QUIZ)
    path.write_text(json.dumps(stored(work) | {"colour": "blue"}), encoding="utf-8")
    assert progress.read(work, find(QUIZ)).best == 2
