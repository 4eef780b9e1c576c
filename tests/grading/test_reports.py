"""What a teacher and a student get: right numbers, nothing active, changes by hand that win."""

from __future__ import annotations

import csv
import io
import json
import time
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pytest

from lectures_lib.grading.batches.store import Store
from lectures_lib.grading.reports import write_reports
from lectures_lib.grading.reports.anonymous import anonymous
from lectures_lib.grading.reports.clusters import alike
from lectures_lib.grading.reports.marks import by_policy, file_name
from lectures_lib.grading.reports.policy import PolicyError, read_changes, read_policy
from lectures_lib.grading.walls.fingerprint import fingerprint
from tests.checks.answers import SOLVED, UNTOUCHED

EVIL = '=cmd|"<script>alert(1)</script>\x1b[31m'
FIT, LOSS = "perceptron.fit", "perceptron.loss"


def exercise(name: str, points: float, status: str, **more) -> dict:
    return {"id": name, "status": status, "points": points, "out_of": 6.0, "text": EVIL,
            "slips": [], "flags": [], "fingerprint": ""} | more  # fmt: skip


def store_with(folder: Path, students: dict[str, float], when: str = "") -> Store:
    store = Store(folder)
    for k, (student, points) in enumerate(students.items()):
        store.add(
            {"kind": "submission", "student": student, "assignment": "04_perceptron",
             "moodle": str(1000 + k),
             "versions": [{"file": "f", "when": when, "key": f"k{k}", "reason": ""}]}
        )  # fmt: skip
        slips = [["The sign", "Add, do not subtract."]] if points < 6 else []
        store.add(
            {"kind": "result", "key": f"k{k}", "assignment": "04_perceptron", "notes": [EVIL],
             "sandbox": ["user", "pid"], "answers": {FIT: EVIL, LOSS: EVIL}, "exercises": [
                 exercise(FIT, points, "right" if points == 6 else "wrong", slips=slips,
                          fingerprint="same"),
                 exercise(LOSS, 0.0, "timeout", flags=["flaky: <b>"]),
             ]}
        )  # fmt: skip
    return store


def written(store: Store, policy: Path | None = None, manual: Path | None = None) -> Path:
    write_reports(store, read_policy(policy), read_changes(manual), names=True)
    return store.folder


def points(folder: Path) -> dict[tuple[str, str], dict[str, str]]:
    rows = csv.DictReader(io.StringIO((folder / "points.csv").read_text(encoding="utf-8")))
    return {(row["student"], row["exercise"]): row for row in rows}


def test_the_tables_of_other_systems(tmp_path: Path) -> None:
    folder = written(store_with(tmp_path, {"anna": 6.0, "ben": 2.5}))
    assert points(folder)["ben", FIT]["points"] == "2.5"
    moodle = (folder / "moodle" / "04_perceptron.csv").read_text().splitlines()
    assert moodle[0] == "Identifier,Full name,Maximum grade,Grade,Feedback comments"
    assert moodle[2].startswith("Participant 1001,ben,12,2.5,")
    assert "(The sign)" in moodle[2]
    canvas = list(csv.reader(io.StringIO((folder / "canvas.csv").read_text())))
    assert canvas[0] == ["Student", "ID", "SIS Login ID", "Section", "04_perceptron"]
    assert canvas[1] == ["    Points Possible", "", "", "", "12"]
    assert canvas[3] == ["ben", "", "ben", "", "2.5"]
    scope = json.loads((folder / "gradescope" / "ben-04_perceptron.json").read_text())
    assert scope["score"] == 2.5
    assert [test["max_score"] for test in scope["tests"]] == [6, 6]
    junit = ElementTree.parse(folder / "junit" / "04_perceptron.xml").getroot()
    assert [suite.get("failures") for suite in junit] == ["1", "2"]


def test_no_cell_is_a_formula_and_no_page_is_active(tmp_path: Path) -> None:
    folder = written(store_with(tmp_path, {"=1+1": 6.0, "../../up": 2.0, "<b>": 1.0}))
    assert ("'=1+1", FIT) in points(folder)
    pages = sorted(folder.rglob("*.html"))
    assert len(pages) == 5
    for page in pages:
        text = page.read_text(encoding="utf-8")
        if page.name == "class.html":
            assert "alert" not in text  # nothing of a student's but anonymous code
            continue
        assert "<script" not in text
        assert "<b>" not in text
        assert "\x1b" not in text
        assert "&lt;script&gt;" in text
    assert all(folder in path.resolve().parents for path in folder.rglob("*"))


def test_feedback_notebooks_are_notebooks(tmp_path: Path) -> None:
    folder = written(store_with(tmp_path, {"anna": 2.0}))
    found = nbformat.read(folder / "feedback" / "anna" / "04_perceptron.ipynb", as_version=4)
    nbformat.validate(found)
    assert found.cells[0].source.startswith("# 04_perceptron: 2 of 12 points")
    assert found.cells[2].source == EVIL


def test_the_class_page_counts_slips_and_shows_what_to_look_at(tmp_path: Path) -> None:
    folder = written(store_with(tmp_path, {f"s{k}": 6.0 if k == 0 else 2.0 for k in range(9)}))
    text = (folder / "class.html").read_text(encoding="utf-8")
    assert '<td class="number">8</td>' in text
    assert "The sign" in text
    assert "user, pid" in text
    text = (folder / "teacher.html").read_text(encoding="utf-8")
    assert "flaky: &lt;b&gt;" in text
    assert "9 notebooks" in text


def test_the_page_of_a_student_says_the_verdict_once(tmp_path: Path) -> None:
    store = store_with(tmp_path, {"anna": 2.0})
    title = "The perceptron, with both tie rules and a cap on the passes"
    told = f"Wrong: {title}, 2 of 6 points.\nThe first case."
    store.add(
        json.loads(
            json.dumps(store.results["k0"]).replace(json.dumps(EVIL)[1:-1], json.dumps(told)[1:-1])
        )
    )
    page = (written(store) / "feedback" / "anna" / "04_perceptron.html").read_text()
    assert "Wrong: 2 of 6 points." in page
    assert '<pre tabindex="0">The first case.</pre>' in page


def test_names_stand_on_the_page_of_the_class_only_when_asked_for(tmp_path: Path) -> None:
    store = store_with(tmp_path, {"Zacharias": 2.0})
    for names in (False, True):
        write_reports(store, read_policy(None), {}, names=names)
        text = (tmp_path / "class.html").read_text(encoding="utf-8")
        assert ("Zacharias" in text) == names
        assert "href" not in text
        teachers = (tmp_path / "teacher.html").read_text(encoding="utf-8")
        assert "feedback/Zacharias/04_perceptron.html" in teachers


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("def f(anna):\n    return anna + 1  # by anna", "def f(name1):\n    return name1 + 1"),
        ('"""anna"""\nx = f"{anna}" \'an\\\'na\'', 'x = "…" "…"'),
        ("x = 'anna\ny = anna", 'x = "…"\ny = name1'),
        ("np.anna(axis=0).mean(k=1e-5, ddof=1)", "np.name1(axis=0).mean(k=1e-5, ddof=1)"),
        ("anna = 7654321 + 0xA22A + 1_234_567 + 10000 + .123456789",
         "name1 = … + … + … + 10000 + .123456789"),
        ("from anna.anna_ import ánna as 安娜", "from name1.name2 import name3 as name4"),
        ('if tie == "update" and kind == "updates":', 'if name1 == "update" and kind == "…":'),
        ("x = 1 \u202e→ ☺", "x = 1"),
    ],
)  # fmt: skip
def test_a_sample_keeps_nothing_of_its_writer(source: str, shown: str) -> None:
    assert anonymous(source, {"update"}) == shown


@pytest.mark.parametrize("source", ["'" * 90_000, "'\\" * 50_000, '"""' * 40_000, "a" * 200_000])
def test_a_sample_is_read_without_going_back(source: str) -> None:
    start = time.process_time()
    anonymous(source)
    assert time.process_time() - start < 5


def test_late_days_and_caps(tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text(
        '[late]\nper_day = 0.25\nmost_days = 3\ngrace_minutes = 10\n[deadlines]\n'
        '04_perceptron = 2026-11-18T12:00:00\n[caps]\n"perceptron.fit" = 4\n'
    )  # fmt: skip
    shares = {
        "2026-11-18T12:09:00+00:00": 1.0, "2026-11-18T12:11:00+00:00": 0.75,
        "2026-11-19T12:11:00+00:00": 0.5, "2026-11-22T00:00:00+00:00": 0.0, "": 1.0,
    }  # fmt: skip
    for k, (when, share) in enumerate(shares.items()):
        folder = written(store_with(tmp_path / str(k), {"anna": 6.0}, when), policy)
        assert float(points(folder)["anna", FIT]["points"]) == 4 * share
        assert points(folder)["anna", FIT]["automatic_points"] == "6"


def test_changes_by_hand_win_and_are_flagged_after_a_regrade(tmp_path: Path) -> None:
    manual = tmp_path / "manual.csv"
    manual.write_text(
        "student,assignment,exercise,points,comment\n"
        "anna,04_perceptron,perceptron.fit,5,sign only\n"
    )
    store = store_with(tmp_path / "r", {"anna": 2.0})
    row = points(written(store, None, manual))["anna", FIT]
    assert (row["points"], row["automatic_points"], row["comment"]) == ("5", "2", "sign only")
    assert "graded anew" not in row["flags"]
    result = store.results["k0"]
    store.add(json.loads(json.dumps(result).replace('"points": 2.0', '"points": 3.0')))
    row = points(written(store, None, manual))["anna", FIT]
    assert (row["points"], row["automatic_points"]) == ("5", "3")
    assert "changed by hand before it was graded anew" in row["flags"]
    assert "graded anew since, to 3" in (tmp_path / "r" / "teacher.html").read_text()
    store.close()


def test_late_days_do_not_reduce_points_by_hand(tmp_path: Path) -> None:
    policy, manual = tmp_path / "p.toml", tmp_path / "m.csv"
    policy.write_text("[late]\nper_day = 0.5\n[deadlines]\n04_perceptron = 2026-11-18T12:00:00\n")
    manual.write_text("student,assignment,exercise,points\nanna,04_perceptron,perceptron.loss,5\n")
    store = store_with(tmp_path / "r", {"anna": 6.0}, "2026-11-18T13:00:00+00:00")
    found = points(written(store, policy, manual))
    assert [found["anna", name]["points"] for name in (FIT, LOSS)] == ["3", "5"]
    moodle = (tmp_path / "r" / "moodle" / "04_perceptron.csv").read_text().splitlines()
    assert moodle[1].startswith("Participant 1000,anna,12,8,")


@pytest.mark.parametrize(
    ("word", "points_", "status", "flagged"),
    [("forbid", 2.0, "wrong", True), ("flag", 6.0, "right", True), ("allow", 6.0, "right", False)],
)
def test_the_policy_says_what_calling_the_library_is_worth(
    tmp_path: Path, word: str, points_: float, status: str, flagged: bool
) -> None:
    path = tmp_path / "p.toml"
    path.write_text(f'library = "{word}"\n[late]\nper_day = 0.5\n')
    called = {"points": 2.0, "borrowed": 4.0, "out_of": 6.0, "status": "wrong", "flags": []}
    found = by_policy({**called, "by_library": "lectures_lib.perceptron.f"}, read_policy(path))
    assert (found["points"], found["status"]) == (points_, status)
    assert any("lectures_lib.perceptron.f" in flag for flag in found["flags"]) == flagged
    assert by_policy(called, read_policy(path)) == called


@pytest.mark.parametrize(
    ("name", "text"),
    [("p.toml", "[lat]\nx = 1"), ("p.toml", "x ="), ("p.toml", 'library = "no"'),
     ("p.toml", "[deadlines]\na = 5"),
     ("m.csv", "student,points\na,1\n"),
     ("m.csv", "student,assignment,exercise,points\na,b,c,x\n")],
)  # fmt: skip
def test_what_cannot_be_read_is_an_error_with_its_place(tmp_path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(PolicyError, match=name):
        (read_policy if name.endswith("toml") else read_changes)(path)


def test_file_names_are_safe_and_differ() -> None:
    names = ["anna", "../anna", "a/b", "a_b", "é", "è", "", "x" * 300, "CON:"]
    found = [file_name(name) for name in names]
    assert len(set(found)) == len(names)
    assert all(name.replace("-", "").replace("_", "").isalnum() for name in found)


def test_a_fingerprint_does_not_see_names_and_layout() -> None:
    source, given = SOLVED[FIT], UNTOUCHED[FIT]
    renamed = source.replace("updates", "count").replace("before", "old").replace("A[", "A [")
    commented = source.replace("for i in", "# each example\n        for i in")
    assert fingerprint(source, given)
    assert fingerprint(renamed, given) == fingerprint(source, given)
    assert fingerprint(commented, given) == fingerprint(source, given)
    assert fingerprint(source.replace("updates += 1", "updates += 2"), given) != fingerprint(
        source, given
    )
    assert fingerprint(given, given) == ""
    assert fingerprint("def f(:", given) == ""


def test_alike_are_few_and_not_half_of_the_class() -> None:
    pairs = [("a", "x"), ("b", "x"), ("c", "y"), ("d", ""), ("e", "")]
    assert alike(pairs, 5) == [("a", "b")]
    assert alike([(str(k), "x") for k in range(30)], 40) == []
