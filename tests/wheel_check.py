"""Use the installed wheel from outside the repository. Run by .ci/run, not by pytest.

What a newcomer does who has the package alone: `lectures lab` in an empty folder, a chapter from
top to bottom, an exercise with a right and a wrong answer, an update, a fresh start.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import nbformat
from nbclient import NotebookClient

import lectures_lib
import lectures_lib.widgets  # its JavaScript is package data
import linecheck
from lectures_lib import datasets
from lectures_lib.errata import errata

HOME = Path(lectures_lib.__file__).parent
LECTURES = Path(sys.executable).parent / ("lectures.exe" if os.name == "nt" else "lectures")
SECONDS = 600  # for JupyterLab to answer, on a busy machine


def library() -> None:
    """The package holds its data, and nothing of the solutions."""
    assert "site-packages" in HOME.parts, f"this is not the wheel: {HOME}"
    assert version("lectures-lib") == lectures_lib.__version__
    loaders = [name for name in dir(datasets) if name.startswith("load_")]
    assert len(loaders) == 8, loaders
    for name in loaders:
        data = getattr(datasets, name)()
        assert len(data.X), name
    assert (HOME / "datasets" / "SOURCES.md").is_file()
    assert list(HOME.glob("widgets/*.js")), "the widget's JavaScript is not in the wheel"
    assert "E0-07" in str(errata("perceptron"))
    assert (Path(linecheck.__file__).parent / "README.md").is_file()
    judge = [sys.executable, "-m", "linecheck", "-"]
    for line, code in (("= 2*x", 0), ("= 3*x", 1)):
        typed = f"A sum\nx: real\n\nx + x\n{line}\n"
        assert subprocess.run(judge, input=typed, encoding="utf-8").returncode == code
    assert not list(HOME.rglob("solutions/*.ipynb"))


def said(*words: str) -> str:
    """What a command of the course prints."""
    done = subprocess.run(
        [LECTURES, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    )
    assert done.returncode == 0, f"lectures {' '.join(words)}: {done.stdout}"
    return done.stdout


def lab(here: Path) -> Path:
    """`lectures lab` lays the course out and serves its first notebook."""
    options = ["--no-browser", "--allow-root", "--port=0", "--IdentityProvider.token=wheel"]
    log = here / "lab.log"
    with log.open("w", encoding="utf-8") as output:
        server = subprocess.Popen([LECTURES, "lab", *options], stdout=output, stderr=output)
        try:
            name = first_notebook(server, log)
        finally:
            server.terminate()
            server.wait()
    assert name == "00_start_here.ipynb", name
    return here / "linear-classification"


def first_notebook(server: subprocess.Popen, log: Path) -> str:
    """The name of the notebook that the server's first page opens."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and server.poll() is None:
        text = log.read_text(encoding="utf-8")
        found = re.search(
            r"http://127\.0\.0\.1:(\d+)/lab/tree/notebooks/00_start_here\.ipynb", text
        )
        if found:
            path = f"http://127.0.0.1:{found[1]}/api/contents/notebooks/00_start_here.ipynb"
            try:
                with urlopen(f"{path}?content=0&token=wheel", timeout=5) as answer:
                    return json.load(answer)["name"]
            except (URLError, TimeoutError):
                pass
        time.sleep(0.2)
    raise AssertionError(f"JupyterLab does not answer:\n{log.read_text(encoding='utf-8')}")


def ran(path: Path, answers: dict[str, str]) -> dict[str, str]:
    """Run a notebook with these answers in it; the text that each cell put out, by its id."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.source = answers.get(cell.id, cell.source)
    resources = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, kernel_name="python3", timeout=300, resources=resources).execute()
    return {c.id: texts(c) for c in notebook.cells if c.cell_type == "code"}


def texts(cell: dict) -> str:
    """The plain text of a cell's outputs."""
    return "".join(o.get("data", {}).get("text/plain", o.get("text", "")) for o in cell.outputs)


def course(work: Path) -> None:
    """A chapter runs, a check answers, and the commands know the folder."""
    chapter = ran(work / "notebooks" / "04_perceptron.ipynb", {})
    assert sum(bool(text) for text in chapter.values()) > 10, "the chapter put out nothing"
    exercise = work / "exercises" / "04_perceptron.ipynb"
    quiz, trace = "perceptron-losses-quiz", "perceptron-trace"
    untouched = ran(exercise, {})
    assert "Not attempted" in untouched[f"{quiz}-check"], untouched
    answers = {
        f"{quiz}-answer": 'flawed, because = "de", "ab"',
        f"{trace}-answer": "trace = [(0, 1, 2, 2)] * 5",
    }
    answered = ran(exercise, answers)
    assert "Right" in answered[f"{quiz}-check"], answered
    assert "Wrong" in answered[f"{trace}-check"], answered
    assert re.search(r"perceptron\.losses_quiz +2/2  right", said("progress", "--all"))
    assert said("update") == "Everything is up to date.\n"
    assert "Fisher" in said("where", "004", "31")
    assert "starts again" in said("reset", "perceptron")
    assert "FAIL" not in said("doctor")


library()
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    course(lab(Path(folder)))
    os.chdir(HOME)  # Windows removes no folder in which somebody stands
print(f"the wheel of version {version('lectures-lib')} works in an empty folder")
