"""What is generated from the table: the command, its markers and its words."""

import shutil

import pytest

from lectures_lib.chapters import CHAPTERS, chapter
from lectures_lib.commands import build_pages as command
from lectures_lib.commands.build_pages import (
    BEGIN,
    END,
    NoBlock,
    readme_table,
    title_of,
    where_to_begin,
    with_block,
)
from tests.conftest import ROOT

PERCEPTRON = chapter("perceptron")


def test_only_the_block_of_a_page_is_replaced() -> None:
    page = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    assert with_block(page, "new", "page") == f"before\n{BEGIN}\nnew\n{END}\nafter\n"
    for broken in ("no block", f"{BEGIN} only", f"{END} only"):
        with pytest.raises(NoBlock, match=f"page: .*{BEGIN}"):
            with_block(broken, "new", "page")


def test_the_pages_announce_what_is_missing_until_nothing_is() -> None:
    some = readme_table([CHAPTERS[0], PERCEPTRON])
    assert "| 04 | [The perceptron](notebooks/04_perceptron.ipynb) | 50 + 55 | [6](" in some
    assert "follow" in some
    assert "follow" not in readme_table(list(CHAPTERS))
    assert where_to_begin([]) == "The chapters follow."
    assert where_to_begin([PERCEPTRON]).startswith("Ready so far: [04, The perceptron](04_")
    first = CHAPTERS[1]
    told = where_to_begin(list(CHAPTERS[1:]))
    assert told == f"Begin with [01, {first.title}](01_learning_from_examples.ipynb)."


def test_number_title_and_minutes_come_from_the_table() -> None:
    typed = "# 3. Perceptrons\n\n## What\n\n**Time:** an hour, or so.\nMore."
    assert title_of(PERCEPTRON, typed) == (
        "# 4. The perceptron\n\n## What\n\n**Time:** 50 minutes, and 55 for the exercises.\nMore."
    )


def test_the_command_compares_without_writing(tmp_path, monkeypatch, capsys) -> None:
    for folder in ("notebooks", "exercises"):
        (tmp_path / folder).mkdir()
    shutil.copy(ROOT / "notebooks" / "00_start_here.ipynb", tmp_path / "notebooks")
    readme = tmp_path / "README.md"
    readme.write_text(f"{BEGIN}\n{END}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    arguments = type("Arguments", (), {"check": True})
    assert command.run(arguments) == 1
    told = capsys.readouterr().out
    assert "README.md is not up to date" in told
    assert "notebooks/00_start_here.ipynb is not up to date" in told
    assert readme.read_text("utf-8") == f"{BEGIN}\n{END}\n"
    arguments.check = False
    assert command.run(arguments) == 0
    assert "[Start here](notebooks/00_start_here.ipynb)" in readme.read_text("utf-8")
    arguments.check = True
    assert command.run(arguments) == 0
    assert "Every page is up to date." in capsys.readouterr().out
    readme.write_text("nothing", encoding="utf-8")
    assert command.run(arguments) == 1
    assert "README.md: expected the lines" in capsys.readouterr().out
