"""What the README and the other pages promise is there."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lectures_lib.__main__ import COMMANDS
from lectures_lib.chapters import CHAPTERS, is_draft
from lectures_lib.checks.registry import exercises_of
from lectures_lib.commands.derivations import texts
from lectures_lib.errata import LEDGER
from tests.conftest import ROOT
from tests.test_setup import load_course

PAGES = ("README.md", "CONTRIBUTING.md", *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md")))
PICTURE = ROOT / "docs" / "perceptron.svg"


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere_and_every_command_exists(page: str) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
        path = link.partition("#")[0]
        assert "://" in link or not path or ((ROOT / page).parent / path).exists(), link
    headings = re.findall(r"^#+ (.+)$", text_of(page), re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", text).lower().replace(" ", "-") for text in headings}
    assert set(re.findall(r"\]\(#([\w-]+)\)", text_of(page))) <= anchors
    course = load_course(ROOT)
    for command in re.findall(r"course\.py ([a-z]+)", text_of(page)):
        assert command in course.COMMANDS, command
    for command in re.findall(r"(?:`|bin/|^|!)lectures ([a-z-]+)", text_of(page), re.MULTILINE):
        assert command in COMMANDS, command


def test_the_numbers_are_counted() -> None:
    text = text_of("README.md")
    ready = [c for c in CHAPTERS if not is_draft(ROOT / "notebooks" / f"{c.stem}.ipynb")]
    lessons = ready[1:]
    assert len(lessons) == 19, "count a new chapter here; the numbers below stand in both pages"
    exercises = sum(len(exercises_of(c.slug)) for c in lessons)
    assert f"{exercises} exercises" in text, f"README: {exercises} exercises"
    derivations = sum(len(texts(c.slug)) for c in lessons)
    assert f"{derivations} derivations" in text, f"README: {derivations} derivations"
    assert f"{len(LEDGER)} errata" in text
    reading, writing = (
        sum(getattr(c, what) for c in ready) // 60 for what in ("minutes", "exercise_minutes")
    )
    told = f"about {reading} hours of reading and {writing} of writing"
    assert told in text, f"README: {told}"
    assert f"{exercises} exercises" in text_of("CHANGELOG.md")
    assert f"{derivations} derivations" in text_of("CHANGELOG.md")


# The moving picture --------------------------------------------------------------------------


def test_the_picture_is_what_its_script_draws(tmp_path: Path) -> None:
    script = shutil.copy(ROOT / "docs" / "moving_picture.py", tmp_path)
    subprocess.run([sys.executable, script], check=True, capture_output=True)
    drawn = (tmp_path / PICTURE.name).read_text(encoding="utf-8")
    stored, number = PICTURE.read_text(encoding="utf-8"), r"-?\d+\.?\d*"
    assert re.sub(number, "0", stored) == re.sub(number, "0", drawn)
    pairs = zip(re.findall(number, stored), re.findall(number, drawn), strict=True)
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


# Teaching ------------------------------------------------------------------------------------


def test_the_page_for_teachers_names_what_is_there() -> None:
    """Every chapter with its minutes, a picture and an exercise of it, and three slips of that."""
    row = r"\| \[(\d\d)\]\(.+?\) \| (\d+) \+ (\d+) \| `live\.(\w+)` \| .+? \| `([\w.]+)` \| (.+) \|"
    rows = re.findall(row, text_of("docs/teaching.md"))
    ready = [c for c in CHAPTERS[1:] if not is_draft(ROOT / "notebooks" / f"{c.stem}.ipynb")]
    for c, found in zip(ready, rows, strict=True):
        number, reading, writing, picture, exercise, slips = found
        assert (int(number), int(reading), int(writing)) == (
            (c.number, c.minutes, c.exercise_minutes)
        ), c.slug
        assert f"live.{picture}(" in (ROOT / "notebooks" / f"{c.stem}.ipynb").read_text("utf-8")
        (task,) = [one for one in exercises_of(c.slug) if one.id == exercise]
        named = slips.split("; ")
        assert len(named) == 3, c.slug
        assert set(named) <= {slip.name for slip in task.slips}, exercise


def test_the_sections_of_a_route_are_headings_of_its_chapter() -> None:
    routes = text_of("docs/teaching.md").partition("## Routes")[2].partition("## Chapter")[0]
    named = re.findall(r"\.\./notebooks/(\w+)\.ipynb\): ([^;.]+)", routes)
    assert len(named) > 20
    for stem, sections in named:
        notebook = (ROOT / "notebooks" / f"{stem}.ipynb").read_text("utf-8")
        for section in re.findall(r"\*(.+?)\*", sections):
            heading = f'"### {section}'
            assert heading + '"' in notebook or heading + '\\n"' in notebook, f"{stem}: {section}"
