"""Two versions of one student: which counts, and why, is said; somebody else's name is noted."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from lectures_lib.grading.batches.store import Store
from lectures_lib.grading.intake.identity import Identities
from lectures_lib.grading.reports import write_reports
from lectures_lib.grading.reports.marks import rows
from lectures_lib.grading.reports.policy import read_policy
from tests.checks.answers import UNTOUCHED
from tests.grading.hostile import notebook
from tests.grading.test_batch import Pretend, find_submissions, run

STEMS = ("04_perceptron",)
NOTHING = {name.replace(".", "__"): source for name, source in UNTOUCHED.items()}
POOR = notebook(**NOTHING | {"perceptron__losses": "losses_at = None"})  # 4 points of Pretend's
GOOD = notebook()  # 26


def hand_in(folder: Path, files: dict[str, dict], times: dict[str, str]) -> Path:
    """Files of one student; with times, as nbgrader stores each attempt."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))
        if name in times:
            path.with_name("timestamp.txt").write_text(times[name])
    return folder


@pytest.mark.parametrize(
    ("keep", "points", "words"),
    [("newest", 26.0, "the best counts, because no time that can be trusted says which is"),
     ("best", 26.0, "the best counts: 04_perceptron.ipynb")],
)  # fmt: skip
def test_without_a_time_both_are_listed_and_the_best_counts(
    tmp_path: Path, keep: str, points: float, words: str
) -> None:
    files = {"anna/04_perceptron.ipynb": GOOD, "anna/04_perceptron-Copy1.ipynb": POOR}
    submissions = find_submissions(hand_in(tmp_path / "in", files, {}), STEMS)
    assert run(tmp_path / "out", submissions, Pretend()).graded == 2
    with closing(Store(tmp_path / "out")) as store:
        write_reports(store, read_policy(None), {}, keep=keep)
        (row,) = rows(store, read_policy(None), {}, keep)
    assert row.points == points
    (note,) = row.notes
    assert "2 versions were handed in: 04_perceptron-Copy1.ipynb (4 points), " in note
    assert words in note
    for page in ("teacher.html", "feedback/anna/04_perceptron.html"):
        assert words in (tmp_path / "out" / page).read_text()


def test_with_times_the_newest_counts_or_the_best_as_asked(tmp_path: Path) -> None:
    place = tmp_path / "in"
    for number, content in enumerate((GOOD, POOR)):
        folder = place / "submitted" / "anna" / "04_perceptron"
        hand_in(folder, {"04_perceptron.ipynb": content}, {"04_perceptron.ipynb": ""})
        (folder / "timestamp.txt").write_text(f"2026-11-1{number} 12:00:00 UTC")
        found = find_submissions(place, STEMS)
        run(tmp_path / str(number), found, Pretend())
    records = [Store(tmp_path / str(number)) for number in range(2)]
    (first,), (second,) = (store.submissions.values() for store in records)
    with closing(Store(tmp_path / "both")) as both:
        both.add(first | {"versions": first["versions"] + second["versions"]})
        for store in records:
            for result in store.results.values():
                both.add(result)
            store.close()
        found = {keep: rows(both, read_policy(None), {}, keep)[0] for keep in ("newest", "best")}
    assert {keep: row.points for keep, row in found.items()} == {"newest": 4.0, "best": 26.0}
    assert "; the newest counts: " in found["newest"].notes[0]


def test_the_same_twice_is_one_version_and_an_empty_one_never_counts_before_work(
    tmp_path: Path,
) -> None:
    files = {"anna/a.ipynb": POOR, "anna/b/c.ipynb": POOR, "anna/z.ipynb": notebook(**NOTHING)}
    submissions = find_submissions(hand_in(tmp_path / "in", files, {}), STEMS)
    run(tmp_path / "out", submissions, Pretend())
    with closing(Store(tmp_path / "out")) as store:
        (row,) = rows(store, read_policy(None), {})
    assert (row.points, [note[:10] for note in row.notes]) == (4.0, ["2 versions"])


NAMES = ["Anna Maria Berg", "Ben", "Will", "Cara Berg", "anna7", "Perceptron Rule"]


@pytest.mark.parametrize(
    ("text", "owner", "others"),
    [
        ("the work of anna_maria-BERG", "Ben", ["Anna Maria Berg"]),
        ("/srv/anna7/work: line 3", "Ben", ["anna7"]),
        ("anna, and far away berg", "Ben", []),
        ("Cara Berg", "Cara Berg", []),
        ("a word of Ben", "Cara Berg", []),  # too short: such words stand everywhere
        ("Will it stop?", "Cara Berg", []),  # so it was handed out
        ("the perceptron rule", "Cara Berg", []),
        ("annas7 and anna77", "Cara Berg", []),
    ],
)  # fmt: skip
def test_whose_name_a_submission_carries(text: str, owner: str, others: list[str]) -> None:
    common = ["Will the perceptron rule stop?"]
    assert Identities(NAMES, common).others_in(text, owner) == others


def test_a_copy_with_its_first_owners_name_is_marked_for_the_teacher_alone(tmp_path: Path) -> None:
    stolen = notebook(perceptron__losses="# Zora Quist, 7th of May\nlosses_at = None")
    files = {"Zora Quist/04_perceptron.ipynb": GOOD, "ben/04_perceptron.ipynb": stolen}
    run(tmp_path / "out", find_submissions(hand_in(tmp_path / "in", files, {}), STEMS), Pretend())
    with closing(Store(tmp_path / "out")) as store:
        write_reports(store, read_policy(None), {})
    told = "it carries the name of Zora Quist"
    assert (tmp_path / "out" / "teacher.html").read_text().count(told) == 1
    assert told not in (tmp_path / "out" / "feedback" / "ben" / "04_perceptron.html").read_text()
    assert "Zora" not in (tmp_path / "out" / "class.html").read_text()
