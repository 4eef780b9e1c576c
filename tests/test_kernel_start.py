"""A kernel in a student's folder uses one thread, and says what to run when a name is missing."""

import json
import os
import tomllib
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from lectures_lib.workspace.kernel import THREADS, meanings, what_to_run
from tests.conftest import ROOT

CELLS = ["import numpy as np\nX = np.eye(2)", "def area(r):\n    return 3 * r", "print(X.sum())"]
THREADS_NOW = "import sys, os; print('numpy' in sys.modules, os.environ.get('OMP_NUM_THREADS'))"


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """A notebook in a student's folder."""
    (tmp_path / ".lectures").mkdir()
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    path = tmp_path / "own.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def printed(sources: list[str], folder: Path, **environment: str) -> list[str]:
    """What each cell prints, in a kernel of its own that starts in this folder."""
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    notebook = nbformat.v4.new_notebook(cells=cells)
    inherited = {k: v for k, v in os.environ.items() if k not in THREADS}
    where = {"metadata": {"path": str(folder)}}
    client = NotebookClient(
        notebook, kernel_name="python3", timeout=120, allow_errors=True, resources=where
    )
    client.execute(env=inherited | environment)
    return ["".join(o.get("text", "") for o in cell.outputs) for cell in notebook.cells]


@pytest.mark.slow
def test_a_kernel_in_a_students_folder_has_one_thread_and_words_for_a_missing_name(stored) -> None:
    look = "print('margen' in repr(glossary('margin')))"
    threads, missing, unknown, found = printed(
        [THREADS_NOW, CELLS[2], "nobody", look], stored.parent, JPY_SESSION_NAME=str(stored)
    )
    assert found == "True\n"
    assert threads == "False 1\n", "set before NumPy asks"
    assert "`X` gets its meaning in another cell" in missing
    assert "Run All Above Selected Cell" in missing
    assert unknown == "", "a slip of the pen is Python's to tell"


@pytest.mark.slow
def test_who_has_set_threads_keeps_them_and_other_folders_are_left_alone(stored, tmp_path) -> None:
    assert printed([THREADS_NOW], stored.parent, OMP_NUM_THREADS="3") == ["False 3\n"]
    elsewhere = tmp_path.parent / "elsewhere"
    elsewhere.mkdir()
    assert printed([THREADS_NOW], elsewhere) == ["False None\n"]


def test_a_check_before_its_answer_names_the_answer_cell(stored: Path) -> None:
    for notebook in (stored, None):
        told = what_to_run("area", 'check("circles.area", area)', notebook)
        assert "run the answer cell above" in told
    assert "another cell" in what_to_run("area", "area(2)", stored)
    assert what_to_run("area", "area(2)", None) == ""
    assert what_to_run("X", CELLS[0], stored) == "", "its own cell has just run"


def test_a_damaged_notebook_is_no_second_error(tmp_path: Path) -> None:
    path = tmp_path / "own.ipynb"
    for text in ("{", "[]", '{"cells": 3}', '{"cells": [1]}'):
        path.write_text(text, encoding="utf-8")
        assert what_to_run("X", "X", path) == ""


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import numpy as np\nfrom a.b import c as d, e", {"np", "d", "e"}),
        ("x, (y, z) = 1, (2, 3)\nclass A: w = 1", {"x", "y", "z", "A"}),
        ("%matplotlib inline\ndef f(u):\n  v = 1\ng = 2", {"f", "g", "v"}),
        ("f(x)[0] == 2", set()),
    ],
)
def test_the_names_that_a_cell_gives_a_meaning(source: str, names: set[str]) -> None:
    assert names <= meanings(source)
    assert "u" not in meanings(source)


def test_the_wheel_tells_ipython() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    ((own, place),) = shared.items()
    assert place == "etc/ipython/ipython_kernel_config.json"
    assert json.loads((ROOT / own).read_text(encoding="utf-8"))
