"""Submissions are found in nbgrader's layout, in Moodle's zip and in a plain folder."""

import zipfile
from pathlib import Path

import pytest

from lectures_lib.grading.intake.collect import find_submissions, without_notebook
from lectures_lib.grading.intake.reading import UnreadableError
from tests.conftest import ROOT

STEMS = ["04_perceptron", "05_perceptron_convergence"]
NOTEBOOK = (ROOT / "exercises" / "04_perceptron.ipynb").read_bytes()


def put(path: Path, content: bytes = NOTEBOOK) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def whose(place: Path) -> list[tuple[str, str]]:
    return [(s.student, s.assignment) for s in find_submissions(place, STEMS)]


def test_nbgraders_layout_with_time_stamps(tmp_path: Path) -> None:
    own = put(tmp_path / "submitted" / "anna" / "04_perceptron" / "04_perceptron.ipynb")
    own.with_name("timestamp.txt").write_text("2026-11-18 23:59:30.123456 UTC\n")
    put(own.with_name("scratch.ipynb"), b"{}")
    second = "05_perceptron_convergence"
    put(tmp_path / "submitted" / "ben" / second / f"{second}.ipynb")
    put(tmp_path / "source" / "04_perceptron" / "04_perceptron.ipynb")
    anna, ben = find_submissions(tmp_path, STEMS)
    assert (anna.student, anna.assignment) == ("anna", "04_perceptron")
    assert anna.path == own, "not the other notebook beside it"
    assert anna.when.startswith("2026-11-18T23:59:30")
    assert (ben.student, ben.assignment, ben.when) == ("ben", "05_perceptron_convergence", "")
    assert find_submissions(tmp_path / "submitted", STEMS) == [anna, ben]


def test_a_plain_folder(tmp_path: Path) -> None:
    for name in ("anna_04_perceptron.ipynb", "perceptron-ben.ipynb", "carl/anything.ipynb",
                 "dora/05_perceptron_convergence.ipynb", "eve.ipynb"):  # fmt: skip
        put(tmp_path / name)
    assert whose(tmp_path) == [
        ("anna", "04_perceptron"), ("ben", "04_perceptron"), ("carl", ""),
        ("dora", "05_perceptron_convergence"), ("eve", ""),
    ]  # fmt: skip


@pytest.mark.parametrize("packed", [True, False])
def test_moodles_zip_and_what_comes_out_of_it(tmp_path: Path, packed: bool) -> None:
    names = (
        "Anna Müller_1234_assignsubmission_file_/04_perceptron.ipynb",
        "Ben_77_assignsubmission_file_04_perceptron.ipynb",
    )
    place = tmp_path / "moodle.zip"
    with zipfile.ZipFile(place, "w") as archive:
        for name in names:
            archive.writestr(name, NOTEBOOK)
        archive.writestr("__MACOSX/._x.ipynb", b"")
    if not packed:
        with zipfile.ZipFile(place) as archive:
            archive.extractall(tmp_path / "folder")
        place = tmp_path / "folder"
    found = find_submissions(place, STEMS)
    assert [(s.student, s.moodle) for s in found] == [("Anna Müller", "1234"), ("Ben", "77")]
    assert all(s.content() == NOTEBOOK for s in found)
    assert list(tmp_path.glob("*.ipynb")) == []


def test_a_zip_that_unpacks_to_gigabytes_is_unreadable(tmp_path: Path) -> None:
    place = tmp_path / "bomb.zip"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/04_perceptron.ipynb", bytes(30_000_000))
        archive.writestr("../../04_perceptron.ipynb", NOTEBOOK)
    for submission in find_submissions(place, STEMS):
        if submission.student == "a":
            with pytest.raises(UnreadableError, match="more than 20 MB"):
                submission.content()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bomb.zip"], "nothing is unpacked"


def test_links_to_other_folders_are_not_followed(tmp_path: Path) -> None:
    put(tmp_path / "elsewhere" / "04_perceptron.ipynb")
    (tmp_path / "in" / "anna").mkdir(parents=True)
    (tmp_path / "in" / "evil").symlink_to(tmp_path / "elsewhere")
    link = tmp_path / "in" / "anna" / "a.ipynb"
    link.symlink_to(tmp_path / "elsewhere" / "04_perceptron.ipynb")
    (only,) = find_submissions(tmp_path / "in", STEMS)
    with pytest.raises(UnreadableError, match="cannot be opened"):
        only.content()


def test_one_notebook_and_nothing(tmp_path: Path) -> None:
    path = put(tmp_path / "04_perceptron.ipynb")
    assert whose(path) == [("04_perceptron", "04_perceptron")]
    with pytest.raises(FileNotFoundError, match="not a folder, a zip"):
        find_submissions(tmp_path / "nothing", STEMS)


def test_two_people_of_one_name_and_the_results_of_an_earlier_run(tmp_path: Path) -> None:
    for number in (5, 6):
        put(tmp_path / f"Anna_{number}_assignsubmission_file_" / "04_perceptron.ipynb")
    put(tmp_path / "results" / "results.jsonl")
    put(tmp_path / "results" / "feedback" / "Anna" / "04_perceptron.ipynb")
    assert whose(tmp_path) == [("Anna (5)", "04_perceptron"), ("Anna (6)", "04_perceptron")]


def test_who_handed_in_no_notebook_is_named_with_a_file(tmp_path: Path) -> None:
    put(tmp_path / "anna" / "04_perceptron.ipynb")
    put(tmp_path / "bert" / "answers.pdf")
    put(tmp_path / "carl" / ".hidden" / "04_perceptron.ipynb")
    assert without_notebook(tmp_path) == ["bert (answers.pdf)"]
    assert without_notebook(tmp_path / "anna" / "04_perceptron.ipynb") == []
