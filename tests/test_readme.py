"""What the README and CONTRIBUTING promise is there."""

import re

import pytest

from lectures_lib.__main__ import COMMANDS
from tests.conftest import ROOT
from tests.test_setup import load_course

PAGES = ("README.md", "CONTRIBUTING.md")


@pytest.mark.parametrize("page", PAGES)
def test_every_relative_link_leads_to_a_file(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    for link in links:
        assert (ROOT / link).exists(), link


@pytest.mark.parametrize("page", PAGES)
def test_every_command_exists(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    course = load_course(ROOT)
    for command in re.findall(r"course\.py ([a-z]+)", text):
        assert command in course.COMMANDS, command
    for command in re.findall(r"(?:`|bin/)lectures ([a-z-]+)", text):
        assert command in COMMANDS, command


def test_the_picture_has_an_alternative_text() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (alternative,) = re.findall(r"!\[([^\]]+)\]", text)
    assert len(alternative) > 40
