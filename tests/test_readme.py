"""What the README and the other pages promise is there."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from lectures_lib.__main__ import COMMANDS
from lectures_lib.chapters import CHAPTERS, is_draft
from lectures_lib.checks.registry import exercises_of
from lectures_lib.errata import LEDGER
from tests.conftest import ROOT
from tests.test_setup import load_course

PAGES = ("README.md", "CONTRIBUTING.md", *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md")))
PICTURE = ROOT / "docs" / "perceptron.svg"


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_every_relative_link_leads_to_a_file(page: str) -> None:
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text_of(page)) if "://" not in link]
    for link in links:
        path = link.partition("#")[0]
        assert not path or ((ROOT / page).parent / path).exists(), link


@pytest.mark.parametrize("page", PAGES)
def test_every_command_exists(page: str) -> None:
    course = load_course(ROOT)
    for command in re.findall(r"course\.py ([a-z]+)", text_of(page)):
        assert command in course.COMMANDS, command
    for command in re.findall(r"(?:`|bin/|^|!)lectures ([a-z-]+)", text_of(page), re.MULTILINE):
        assert command in COMMANDS, command


def test_the_first_screen_says_what_for_whom_why_and_how() -> None:
    lines = text_of("README.md").splitlines()
    start = lines.index("## Start")
    assert start < 30
    screen = "\n".join(lines[: start + 20])
    for word in ("Eighteen chapters", "**For**", "ESL, Bishop", "scikit-learn MOOC"):
        assert word in screen, word
    for command in ("course.py lab", "pip install lectures-lib\nlectures lab", "uvx --from"):
        assert command in screen, command


def test_the_questions_of_a_student_and_of_a_teacher_have_a_heading() -> None:
    headings = re.findall(r"^## (.+)$", text_of("README.md"), re.MULTILINE)
    assert {"Start", "Why the mathematics can be trusted", "In your own class"} <= set(headings)
    assert len(text_of("README.md").splitlines()) < 130


def test_the_numbers_are_counted() -> None:
    text = text_of("README.md")
    ready = [c for c in CHAPTERS if not is_draft(ROOT / "notebooks" / f"{c.stem}.ipynb")]
    lessons = ready[1:]
    assert len(lessons) == 18, "count a new chapter here; the numbers below stand in both pages"
    exercises = sum(len(exercises_of(c.slug)) for c in lessons)
    assert f"{exercises} exercises" in text, f"README: {exercises} exercises"
    derivations = 0
    for c in lessons:
        derivations += len(import_module(f"lectures_lib.chapters.{c.slug}.derivations").DERIVATIONS)
    assert f"{derivations} derivations" in text, f"README: {derivations} derivations"
    assert f"{len(LEDGER)} errata" in text
    hours = [
        sum(c.minutes for c in ready) // 60,
        sum(c.exercise_minutes for c in ready) // 60,
    ]
    told = f"about {hours[0]} hours of reading and {hours[1]} of writing"
    assert told in text, f"README: {told}"
    for page in ("CHANGELOG.md",):
        assert f"{exercises} exercises" in text_of(page)
        assert f"{derivations} derivations" in text_of(page)


# The moving picture --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The picture, drawn anew."""
    script = Path(tmp_path_factory.mktemp("picture")) / "moving_picture.py"
    script.write_text(text_of("docs/moving_picture.py"), encoding="utf-8")
    subprocess.run([sys.executable, script], check=True, capture_output=True)
    return script.with_name("perceptron.svg").read_text(encoding="utf-8")


NUMBER = r"-?\d+\.?\d*"


def test_the_picture_is_what_its_script_draws(drawn: str) -> None:
    stored = PICTURE.read_text(encoding="utf-8")
    assert re.sub(NUMBER, "0", stored) == re.sub(NUMBER, "0", drawn)
    pairs = zip(re.findall(NUMBER, stored), re.findall(NUMBER, drawn), strict=True)
    assert all(abs(float(a) - float(b)) < 0.02 for a, b in pairs)  # a last digit may differ


def test_the_picture_is_small_follows_the_theme_and_rests_where_motion_is_unwelcome() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    assert PICTURE.stat().st_size < 300_000
    assert "prefers-color-scheme:dark" in text
    still, _, moving = text.partition("@media(prefers-reduced-motion:no-preference)")
    assert "@keyframes" not in still
    assert "animation" not in still
    assert moving.count("@keyframes") == text.count('<g class="f ') > 20
    assert ".f{visibility:hidden}.f40{visibility:visible}" in still
    assert "infinite" not in text


def test_the_picture_has_an_alternative_text_with_its_own_numbers() -> None:
    (alternative,) = re.findall(r"!\[([^\]]+)\]", text_of("README.md"))
    title = re.search(r"<title>(.+?)</title>", PICTURE.read_text(encoding="utf-8"))
    assert title
    counts = re.search(r"updates are ([\d, ]+) and 0\.", title[1])
    assert counts
    assert f"become {counts[1]} and none" in alternative.replace("\n", " ")
