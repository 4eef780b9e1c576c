"""A new chapter is green from the first minute: what the skeleton writes, and that tests pass."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lectures_lib.chapters import CHAPTERS, chapter, is_draft
from lectures_lib.commands import _skeleton
from lectures_lib.commands import new_chapter as command
from lectures_lib.concordance import items
from lectures_lib.workspace.normal_form import normalise, write
from tests.conftest import ROOT
from tests.test_house import HEADINGS
from tests.test_repository import tracked_files

NUMBER = len(CHAPTERS)  # counted from 0: that of the next one
ROW = f'    _chapter({NUMBER}, "dummy", "A dummy", "perceptron", (20, 10), "perceptron"),\n'
END_OF_TABLE = ")\n\n\ndef chapter("


@pytest.mark.parametrize("slug", ["land_cover", "perceptron", "learning_from_examples"])
def test_the_notebook_has_every_heading_and_is_a_draft(slug: str, tmp_path: Path) -> None:
    made = _skeleton.notebook(chapter(slug))
    text = "\n".join(cell.source for cell in made.cells if cell.cell_type == "markdown")
    places = [text.find(f"## {heading}") for heading in HEADINGS]
    assert places == sorted(places)
    assert places[0] > 0
    for item in items(slug):
        assert f"\n- {item.id}: " in text
    assert len({cell.id for cell in made.cells}) == len(made.cells)
    assert made.cells[1].metadata.jupyter.source_hidden
    write(normalise(made), tmp_path / "draft.ipynb")
    assert is_draft(tmp_path / "draft.ipynb")
    assert not is_draft(ROOT / "notebooks" / "04_perceptron.ipynb")


def test_what_is_there_stays(tmp_path: Path) -> None:
    parts = [*_skeleton.modules(chapter("perceptron"))]
    places = [tmp_path / "lectures_lib" / "chapters" / "perceptron" / name for name in parts]
    places += [tmp_path / folder / "04_perceptron.ipynb" for folder in ("notebooks", "solutions")]
    places += [tmp_path / "exercises" / "04_perceptron.ipynb"]
    places += [tmp_path / "tests" / "chapters" / "test_perceptron.py"]
    for path in places:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine", encoding="utf-8")
    assert list(command.start(tmp_path, chapter("perceptron"))) == []
    assert {path.read_text(encoding="utf-8") for path in places} == {"mine"}


def test_a_slug_without_a_row_is_told_where_the_table_is(capsys, monkeypatch) -> None:
    monkeypatch.chdir(ROOT)
    assert command.run(type("Arguments", (), {"slug": "dummy"})) == 2
    told = capsys.readouterr().out
    assert "There is no chapter 'dummy'" in told
    assert "lectures_lib/chapters/__init__.py" in told


@pytest.mark.deep
def test_a_dummy_chapter_is_green_from_the_first_minute(tmp_path: Path) -> None:
    for path in tracked_files():
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    table = tmp_path / "lectures_lib" / "chapters" / "__init__.py"
    text = table.read_text(encoding="utf-8")
    assert text.count(END_OF_TABLE) == 1
    table.write_text(text.replace(END_OF_TABLE, ROW + END_OF_TABLE), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}  # before the installed package

    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    told = run("lectures_lib", "new-chapter", "dummy")
    assert f"notebooks/{NUMBER}_dummy.ipynb written" in told
    quick = ["-q", "-p", "no:cacheprovider", "-m", "not (slow or deep or browser)"]
    own = ["house", "chapters", "layers", "readme", "exercises_build", "concordance", "errata"]
    own += ["glossary"]
    files = ["tests/chapters/test_dummy.py", *(f"tests/test_{name}.py" for name in own)]
    run("pytest", *quick, "-k", "dummy or not [", *files)  # what is tried for others is as before
    stored = [f"{folder}/{NUMBER}_dummy.ipynb" for folder in ("notebooks", "solutions")]
    run("pytest", "-q", "-p", "no:cacheprovider", "--nbval", "--nbval-current-env", *stored)
    run("lectures_lib", "build-exercises", "--check")
