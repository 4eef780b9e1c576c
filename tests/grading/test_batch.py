"""A batch goes on where it was, counts nothing twice, and refuses where it cannot be trusted."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from lectures_lib.__main__ import main
from lectures_lib.commands import grade as command
from lectures_lib.grading.batches import batch
from lectures_lib.grading.batches.store import BusyError, Store
from lectures_lib.grading.intake.collect import Submission, find_submissions
from lectures_lib.grading.walls import sandbox
from tests.conftest import ROOT
from tests.grading.hostile import notebook

STEMS = ("04_perceptron", "05_perceptron_convergence")
SETTINGS = batch.settings_for(ROOT, STEMS, "namespaces", b"secret", 5.0)
needs_namespaces = pytest.mark.skipif(
    sandbox.best_rung()[0] != "namespaces", reason="no namespaces on this machine"
)


def hand_in(folder: Path, count: int) -> list[Submission]:
    """So many notebooks, each with an answer of its own."""
    for k in range(count):
        path = folder / f"s{k:03d}" / "04_perceptron.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            json.dumps(notebook(perceptron__losses_quiz=f"flawed, because = 'b', 'c'  # {k}"))
        )
    return find_submissions(folder, STEMS)


class Pretend:
    """Judges that give all points, except to what is untouched; they count their tasks."""

    def __init__(self, stop_after: int = 10**9) -> None:
        self.tasks: list[str] = []
        self.stop_after = stop_after

    def __call__(self, settings, tasks):
        for task in tasks:
            if len(self.tasks) == self.stop_after:
                raise KeyboardInterrupt
            self.tasks.append(task["key"])
            yield task, self.result(task)

    def result(self, task) -> dict:
        exercises = []
        for _, name, source, given in task["pieces"]:
            if name:
                done = source != given
                exercises.append(
                    {
                        "id": name, "status": "right" if done else "not_attempted",
                        "points": batch.find(name).points * done,
                        "out_of": batch.find(name).points, "text": "", "slips": [], "flags": [],
                        "fingerprint": "",
                    }
                )  # fmt: skip
        return {"assignment": task["stem"], "exercises": exercises, "notes": [], "sandbox": ["x"]}


def run(folder: Path, submissions, runner, settings=SETTINGS) -> batch.Summary:
    with closing(Store(folder)) as store:
        return batch.grade(ROOT, submissions, store, settings, runner)


def students(folder: Path) -> list[str]:
    """Whose submissions have a result, in their order."""
    with closing(Store(folder)) as store:
        return [submission["student"] for submission, _ in store.graded()]


def test_a_second_run_does_only_what_is_new(tmp_path: Path) -> None:
    submissions = hand_in(tmp_path / "in", 5)
    first = Pretend()
    assert run(tmp_path / "out", submissions, first).graded == 5
    assert len(first.tasks) == 7, "two for the self-check"
    again = Pretend()
    summary = run(tmp_path / "out", submissions, again)
    assert (summary.graded, summary.known, again.tasks) == (0, 5, [])
    changed = submissions[0].path
    changed.write_text(changed.read_text().replace("# 0", "# changed"))
    summary = run(tmp_path / "out", submissions, again)
    assert (summary.graded, summary.known) == (1, 4)
    assert len(students(tmp_path / "out")) == 5
    other = batch.settings_for(ROOT, STEMS, "namespaces", b"another secret", 5.0)
    assert run(tmp_path / "out", submissions, again, other).graded == 5


@pytest.mark.parametrize("cut", [1, 40, 4000])
def test_a_batch_that_broke_off_goes_on_and_counts_nothing_twice(tmp_path: Path, cut: int) -> None:
    submissions = hand_in(tmp_path / "in", 6)
    broken = Pretend(stop_after=5)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "out", submissions, broken)
    path = tmp_path / "out" / "results.jsonl"
    path.write_bytes(path.read_bytes()[:-cut])  # killed, or the disk full, in the middle of a line
    rest = Pretend()
    run(tmp_path / "out", submissions, rest)
    results = [json.loads(line) for line in path.read_text().splitlines()]
    keys = [r["key"] for r in results if r["kind"] == "result"]
    assert len(keys) == len(set(keys)) == 6
    assert students(tmp_path / "out") == [s.student for s in submissions]


def test_a_full_disk_stops_with_what_was_written_and_goes_on_later(tmp_path: Path) -> None:
    submissions = hand_in(tmp_path / "in", 4)
    store = Store(tmp_path / "out")
    file, room = store.file, 6

    class Full:
        def write(self, text: str) -> None:
            nonlocal room
            room -= 1
            if room < 0:
                file.write(text[:20])
                file.flush()
                raise OSError(28, "No space left on device")
            file.write(text)

        def __getattr__(self, name: str):
            return getattr(file, name)

    store.file = Full()
    with pytest.raises(OSError, match="No space"):
        batch.grade(ROOT, submissions, store, SETTINGS, Pretend())
    store.close()
    run(tmp_path / "out", submissions, Pretend())
    assert len(students(tmp_path / "out")) == 4


def test_two_graders_at_once_are_refused(tmp_path: Path) -> None:
    with closing(Store(tmp_path)), pytest.raises(BusyError):
        Store(tmp_path)
    Store(tmp_path).close()


def test_an_error_of_a_judge_is_reported_and_not_stored(tmp_path: Path) -> None:
    submissions = hand_in(tmp_path / "in", 2)

    class Failing(Pretend):
        def __call__(self, settings, tasks):
            for task, result in super().__call__(settings, tasks):
                bad = task["of"].startswith("s001")
                yield task, RuntimeError("the judge fell over") if bad else result

    summary = run(tmp_path / "out", submissions, Failing())
    assert summary.failed == ["s001, 04_perceptron: the judge fell over"]
    assert run(tmp_path / "out", submissions, Pretend()).graded == 1


@pytest.mark.parametrize(
    ("folder", "points", "message"),
    [("solutions", 0.0, "fit in solutions/ got 0"), ("exercises", 6.0, "fit in exercises/ got 6")],
)
def test_it_refuses_where_its_own_check_fails(tmp_path, folder: str, points, message) -> None:
    class Wrong(Pretend):
        def result(self, task) -> dict:
            found = super().result(task)
            if task["key"].startswith(folder):
                found["exercises"][0]["points"] = points
            return found

    with pytest.raises(batch.GraderError, match=message):
        run(tmp_path / "out", hand_in(tmp_path / "in", 1), Wrong())


def test_the_tables_can_be_queried(tmp_path: Path) -> None:
    run(tmp_path / "out", hand_in(tmp_path / "in", 3), Pretend())
    with closing(Store(tmp_path / "out")) as store, sqlite3.connect(store.write_sqlite()) as base:
        (total,) = base.execute("SELECT SUM(points) FROM verdicts").fetchone()
        assert total == 3 * 26
        query = "SELECT COUNT(*) FROM submissions WHERE sandbox = 'x'"
        assert base.execute(query).fetchone() == (3,)


def test_without_a_sandbox_it_refuses_and_says_what_to_do(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(command, "best_rung", lambda: ("", "a reason"))
    hand_in(tmp_path / "in", 1)
    assert main(["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().out
    assert "a reason" in said
    assert "--sandbox none" in said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_windows_and_macos_have_no_sandbox(monkeypatch, platform: str) -> None:
    monkeypatch.setattr(sandbox.sys, "platform", platform)
    assert sandbox.best_rung() == ("", f"{platform} offers no sandbox to a Python program")


def test_the_command_explains_itself_where_there_is_no_linux() -> None:
    code = (
        "import asyncio, sys\nsys.modules['resource'] = None\nsys.modules['fcntl'] = None\n"
        "sys.platform = 'win32'\nimport lectures_lib.commands.grade as grade\n"
        "print(grade._best() == '')"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert "use WSL 2" in told.stdout, told.stderr
    assert told.stdout.endswith("True\n")


GRADE = [sys.executable, "-m", "lectures_lib", "grade"]


@pytest.mark.slow
@needs_namespaces
def test_a_grader_that_is_killed_goes_on(tmp_path: Path) -> None:
    hand_in(tmp_path / "in", 10)
    words = [*GRADE, str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--workers", "2"]
    first = subprocess.Popen(words, cwd=ROOT, start_new_session=True)
    path, end = tmp_path / "out" / "results.jsonl", time.monotonic() + 900
    while (
        first.poll() is None
        and time.monotonic() < end
        and (not path.exists() or path.read_text().count('"kind": "result"') < 3)
    ):
        time.sleep(0.02)
    with suppress(ProcessLookupError):  # on a machine that was faster than this test
        os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    whole = path.read_text().rpartition("\n")[0]  # a line that was being written does not count
    done = whole.count('"kind": "result"')
    again = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert again.returncode == 0, again.stdout + again.stderr
    assert f"{10 - done} graded" in again.stdout
    assert (tmp_path / "out" / "points.csv").read_text().count("\n") == 1 + 10 * 6


@pytest.mark.slow
@needs_namespaces
def test_broken_solutions_stop_the_command(tmp_path: Path) -> None:
    course = tmp_path / "course"
    for name in ("exercises", "solutions", "notebooks"):
        shutil.copytree(ROOT / name, course / name, ignore=lambda _, names: [
            name for name in names if name.endswith(".ipynb") and "04" not in name
        ])  # fmt: skip
    path = course / "solutions" / "04_perceptron.ipynb"
    path.write_text(path.read_text().replace("np.maximum(1 - m, 0)", "np.maximum(2 - m, 0)"))
    hand_in(tmp_path / "in", 1)
    words = [*GRADE, str(tmp_path / "in"), "--out", str(tmp_path / "out")]
    done = subprocess.run(
        words, cwd=course, capture_output=True, text=True, timeout=900,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 2
    assert "refuses to grade" in done.stdout
    assert "perceptron.losses in solutions/" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("rung", ["none", "landlock"])
def test_the_lower_rungs_give_the_same_points_and_say_so(tmp_path: Path, rung: str) -> None:
    if rung == "landlock" and sandbox.linux.landlock_version() < 6:
        pytest.skip("no Landlock 6 in this kernel")
    hand_in(tmp_path / "in", 1)
    words = [*GRADE, str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--sandbox", rung]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ("WITHOUT A SANDBOX" in done.stdout) == (rung == "none")
    lines = [json.loads(line) for line in (tmp_path / "out" / "results.jsonl").open()]
    found = [line for line in lines if line["kind"] == "result"]
    assert [sum(e["points"] for e in line["exercises"]) for line in found] == [24.0]
    expected = ["rlimits"] if rung == "none" else ["rlimits", "landlock", "seccomp"]
    assert all(line["sandbox"] == expected for line in found)
    page = (tmp_path / "out" / "class.html").read_text()
    assert ("without a sandbox" in page) == (rung == "none")
