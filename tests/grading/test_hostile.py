"""Every hostile submission, some in one batch with honest ones, and each gets what it deserves."""

from __future__ import annotations

import csv
import json
import multiprocessing
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from lectures_lib.grading.intake.assembly import canonical
from lectures_lib.grading.intake.reading import read_bytes
from lectures_lib.grading.judging.judge import Judge, Result
from lectures_lib.grading.walls.client import Workers
from lectures_lib.grading.walls.sandbox import best_rung
from tests.checks.answers import UNTOUCHED
from tests.conftest import ROOT
from tests.grading.hostile import ANSWERS, ENDLESS, NOTEBOOKS, TARGET, notebook, with_target

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(best_rung()[0] != "namespaces", reason="no namespaces on this machine"),
]
SLIPPED = """
def losses_at(m):
    return (m < 0) * 1.0, np.maximum(-m, 0), np.maximum(1 - m, 0), np.logaddexp(0, -m)
"""
NOTHING = {name.replace(".", "__"): source for name, source in UNTOUCHED.items()}
HONEST = {
    "solved": (notebook(), 26.0, ""),
    "a slip": (notebook(perceptron__losses=SLIPPED), 25.0, "A signed score of 0 counts as right"),
    "half": (
        notebook(perceptron__fit=UNTOUCHED["perceptron.fit"],
                 perceptron__losses_quiz="flawed, because = 'bc'"), 18.0, "",
    ),
    "untouched": (notebook(**NOTHING), 0.0, ""),
}  # fmt: skip
LONG, SHORT = 300.0, 1.0  # seconds for what ends by itself, and for what does not


def hand_in(folder: Path, name: str, content: bytes) -> None:
    path = folder / name / "04_perceptron.ipynb"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)


def by_student(results: Path) -> dict[str, dict[str, dict[str, str]]]:
    found: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
    with (results / "points.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found[row["student"]][row["exercise"]] = row
    return found


def total(marks: dict[str, dict[str, str]]) -> float:
    return sum(float(row["points"]) for row in marks.values())


@pytest.fixture(scope="module")
def batch(tmp_path_factory) -> tuple[Path, dict]:
    """The results of one batch with everything in it that ends."""
    folder = tmp_path_factory.mktemp("hostile")
    for name, (content, _, _) in HONEST.items():
        hand_in(folder / "in", f"honest {name}", json.dumps(content).encode())
    for name in set(ANSWERS) - set(ENDLESS):
        hand_in(folder / "in", name, with_target(ANSWERS[name].source))
    for name, (content, _, _) in NOTEBOOKS.items():
        hand_in(folder / "in", f"notebook {name}", content)
    words = ["grade", folder / "in", "--out", folder / "out", "--seconds", str(LONG)]
    done = subprocess.run(
        [sys.executable, "-m", "lectures_lib", *words, "--workers", "2"],
        cwd=ROOT, capture_output=True, text=True, timeout=1800,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "out", by_student(folder / "out")


def _stopped(name: str) -> Result:
    """In a process of its own: what a judge says of an answer that does not end."""
    workers = Workers("namespaces", ["numpy"])
    wanted = canonical(ROOT / "exercises" / "04_perceptron.ipynb")
    read = read_bytes(with_target(ANSWERS[name].source))
    result = Judge(workers, b"secret", SHORT).grade(read, wanted)
    workers.close()
    return result


@pytest.fixture(scope="module")
def stopped() -> dict[str, Result]:
    """The results of what does not end: mostly of waiting, so by several judges at a time."""
    with multiprocessing.get_context("fork").Pool(6) as pool:
        return dict(zip(ENDLESS, pool.map(_stopped, ENDLESS, chunksize=1), strict=True))


def test_honest_work_gets_its_points_beside_the_others(batch) -> None:
    _, found = batch
    for name, (_, points, slip) in HONEST.items():
        marks = found[f"honest {name}"]
        assert total(marks) == points
        assert marks[TARGET]["slips"] == slip


@pytest.mark.parametrize("name", [name for name in ANSWERS if name not in ENDLESS])
def test_a_hostile_answer_gets_what_it_deserves(batch, name: str) -> None:
    _, found = batch
    expected, marks = ANSWERS[name], found[name]
    assert marks[TARGET]["status"] in expected.statuses, marks[TARGET]
    if expected.points is not None:
        assert total(marks) == expected.points
    assert expected.flag in marks[TARGET]["flags"]
    if marks[TARGET]["status"] != "right":
        assert float(marks[TARGET]["points"]) < 4


@pytest.mark.parametrize("name", ENDLESS)
def test_an_answer_without_end_is_stopped_and_takes_no_points_from_others(
    stopped, name: str
) -> None:
    (found,) = (exercise for exercise in stopped[name].exercises if exercise.id == TARGET)
    assert found.status in ANSWERS[name].statuses, found
    assert stopped[name].points == ANSWERS[name].points


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_hostile_notebook_gets_what_it_deserves(batch, name: str) -> None:
    folder, found = batch
    _, points, word = NOTEBOOKS[name]
    marks = found[f"notebook {name}"]
    assert total(marks) == (points or 0.0)
    assert (points is None) == all(row["status"] == "unreadable" for row in marks.values())
    lines = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    (versions,) = (s["versions"] for s in lines if s.get("student") == f"notebook {name}")
    (key,) = (version["key"] for version in versions)
    (notes,) = (r["notes"] for r in lines if r["kind"] == "result" and r["key"] == key)
    assert word in " ".join(notes)


def test_every_result_says_what_the_code_was_shut_in_by(batch) -> None:
    folder, _ = batch
    for line in (folder / "results.jsonl").read_text().splitlines():
        record = json.loads(line)
        verdicts = {e["status"] for e in record.get("exercises", ())}
        if record["kind"] == "result" and verdicts - {"unreadable", "not_attempted"}:
            assert {"user", "pid", "mount", "network", "ipc", "rlimits"} <= set(record["sandbox"])


def test_nothing_active_is_left_in_a_page(batch) -> None:
    folder, _ = batch
    pages = list(folder.rglob("*.html"))
    assert len(pages) > len(ANSWERS) - len(ENDLESS)
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "<script" not in text
        assert "<img" not in text
        assert "\x1b" not in text
        assert "\u202e" not in text


def test_nothing_was_written_outside_and_nothing_goes_on_running(batch) -> None:
    assert not (ROOT / "evil.txt").exists()
    assert not Path("/tmp/evil.txt").exists()
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=False)
    mine = [line for line in listed.stdout.splitlines() if str(batch[0]) in line]
    assert not mine
