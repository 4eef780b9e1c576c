"""The course as a package: what the wheel holds, and the commands where no repository is around."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from hatchling.builders.wheel import WheelBuilder

from lectures_lib.__main__ import main
from lectures_lib.chapters import CHAPTERS
from lectures_lib.commands import doctor, lab, where
from lectures_lib.workspace import place
from lectures_lib.workspace.normal_form import for_this_machine
from tests.conftest import ROOT
from tests.test_repository import tracked_files
from tests.test_setup import load_course

EXERCISE = Path("exercises/04_perceptron.ipynb")
OWN = Path(place.FRESH)


def tracked(folder: str) -> set[str]:
    """The files of a folder of the repository."""
    return {p.relative_to(ROOT).as_posix() for p in tracked_files() if ROOT / folder in p.parents}


def built(version: str, folder: Path) -> zipfile.ZipFile:
    """The wheel of one kind, built here."""
    (path,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=[version])
    return zipfile.ZipFile(path)


@pytest.fixture
def packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed course with one chapter, and an empty folder to stand in."""
    course, here = tmp_path / "package" / "course", tmp_path / "año nuevo"
    here.mkdir()
    names = [EXERCISE.as_posix(), "notebooks/04_perceptron.ipynb", "notebooks/00_start_here.ipynb"]
    for name in names:
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, course / name)
    for module in (place, where):
        monkeypatch.setattr(module, "PACKAGED", course)
    monkeypatch.chdir(here)
    return course


# The wheel -----------------------------------------------------------------------------------


def test_the_wheel_holds_the_library_the_notebooks_the_exercises_and_no_solution(
    tmp_path: Path,
) -> None:
    with built("standard", tmp_path) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        handed_out = {name for folder in place.FOLDERS for name in tracked(folder)}
        packages = tracked("lectures_lib") | tracked("linecheck")
        (told,) = [
            name for name in names if name.endswith("/etc/ipython/ipython_kernel_config.json")
        ]
        assert names - {told} == packages | {f"lectures_lib/course/{n}" for n in handed_out}
        notebooks = {name: wheel.read(name) for name in names if name.endswith(".ipynb")}
    assert len(notebooks) == 2 * len(CHAPTERS) - 1
    assert not [name for name, text in notebooks.items() if b"BEGIN SOLUTION" in text]
    path = f"lectures_lib/course/{EXERCISE.as_posix()}"
    assert notebooks[path] == (ROOT / EXERCISE).read_bytes()


def test_an_editable_installation_holds_no_second_copy(tmp_path: Path) -> None:
    with built("editable", tmp_path) as wheel:
        (pointer,) = [name for name in wheel.namelist() if name.endswith(".pth")]
        assert wheel.read(pointer).decode() == str(ROOT)
        assert not [name for name in wheel.namelist() if name.endswith(".ipynb")]
    assert not place.PACKAGED.exists()


# Where no repository is around ---------------------------------------------------------------


def test_work_lays_the_course_out_beside_the_reader(packaged: Path, capsys) -> None:
    assert main(["work"]) == 0
    assert f"{Path.cwd() / OWN}: 3 new notebooks" in capsys.readouterr().out
    text = (packaged / EXERCISE).read_text(encoding="utf-8")
    assert (OWN / EXERCISE).read_text(encoding="utf-8") == for_this_machine(text)
    assert main(["work"]) == 0
    assert "0 new notebooks" in capsys.readouterr().out


def test_inside_that_folder_and_under_another_name_it_is_the_same_one(
    packaged: Path, monkeypatch, capsys
) -> None:
    main(["work"])
    renamed = OWN.rename("my course").resolve()
    monkeypatch.chdir(renamed / "exercises")
    capsys.readouterr()
    assert main(["work"]) == 0
    assert f"{renamed}: 0 new notebooks" in capsys.readouterr().out
    (packaged / EXERCISE).write_bytes((packaged / EXERCISE).read_bytes() + b"\n")
    assert main(["update"]) == 0
    assert f"{EXERCISE.as_posix()}: replaced" in capsys.readouterr().out
    assert not (renamed / "exercises" / OWN).exists()


def test_progress_and_reset_know_the_folder(packaged: Path, capsys) -> None:
    main(["work"])
    note = {"best": 6.0, "points": 6.0, "status": "right", "attempts": 1}
    path = OWN / "progress" / "perceptron.fit.json"
    path.parent.mkdir()
    path.write_text(json.dumps(note), encoding="utf-8")
    assert main(["progress", "--all"]) == 0
    assert "6/6  right" in capsys.readouterr().out
    assert main(["reset", "perceptron"]) == 0
    assert f"starts again; the old one is in {OWN}/backups/" in capsys.readouterr().out
    assert not path.exists()


def test_where_names_the_section_from_anywhere(packaged: Path, monkeypatch, capsys) -> None:
    assert main(["where", "A038"]) == 0
    before = capsys.readouterr().out
    assert "04_perceptron.ipynb, section" in before
    main(["work"])
    monkeypatch.chdir(OWN / "exercises")
    capsys.readouterr()
    assert main(["where", "A038"]) == 0
    assert capsys.readouterr().out == before


def test_what_writes_the_course_wants_the_repository(packaged: Path, capsys) -> None:
    before = sorted(packaged.rglob("*"))
    for words in (["build-pages"], ["build-exercises"], ["export-nbgrader", "out"]):
        assert main(words) == 1
        assert "inside a copy of the course's repository" in capsys.readouterr().out
    assert sorted(packaged.rglob("*")) == before


def test_other_peoples_folders_of_the_same_names_are_no_course(packaged: Path, capsys) -> None:
    for name in place.FOLDERS:
        Path(name).mkdir()
        (Path(name) / "mine.ipynb").write_text("{}", encoding="utf-8")
    assert main(["work"]) == 0
    assert f"{Path.cwd() / OWN}: 3 new notebooks" in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_is_told_in_words(packaged: Path, capsys) -> None:
    OWN.write_text("a file stands where the folder should be", encoding="utf-8")
    assert main(["lab"]) == 1
    assert capsys.readouterr().out.startswith("lectures work: ")


# lectures lab --------------------------------------------------------------------------------


def test_lab_opens_the_first_notebook_and_hands_on_the_options(packaged: Path, monkeypatch) -> None:
    from jupyterlab.labapp import LabApp

    told: list[list[str]] = []
    monkeypatch.setattr(LabApp, "launch_instance", lambda argv: told.append(argv))
    assert main(["lab", "--no-browser", "--ServerApp.port=9"]) == 0
    (words,) = told
    folder = Path.cwd() / OWN
    assert f"--ServerApp.root_dir={folder}" in words
    assert words[-2:] == ["--no-browser", "--ServerApp.port=9"]  # behind ours, so that they win
    (address,) = [word for word in words if word.startswith("--LabApp.default_url=")]
    assert (folder / address.partition("/lab/tree/")[2]).is_file()


@pytest.mark.slow
def test_lab_and_a_kernel_write_nothing_outside_the_folder(packaged: Path, tmp_path: Path) -> None:
    home, log = tmp_path / "home", tmp_path / "lab.log"
    home.mkdir()
    (packaged.parent / "lab.py").write_text(
        "import sys; from pathlib import Path; from lectures_lib.workspace import place\n"
        f"place.PACKAGED = Path({str(packaged)!r})\n"
        "from lectures_lib.__main__ import main\n"
        "sys.exit(main(['lab', '--no-browser', '--allow-root', '--port=0',"
        " '--IdentityProvider.token=t']))",
        encoding="utf-8",
    )
    hidden = (*lab.KEPT_INSIDE, "JUPYTER_RUNTIME_DIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment |= {"HOME": str(home), "USERPROFILE": str(home), "PYTHONPATH": str(ROOT)}
    with log.open("wb") as output:
        command = [sys.executable, str(packaged.parent / "lab.py")]
        server = subprocess.Popen(command, env=environment, stdout=output, stderr=output)
    try:
        until = time.monotonic() + 60
        while not (found := re.search(r"http://127.0.0.1:\d+/", log.read_text("utf-8"))):
            assert time.monotonic() < until, log.read_text("utf-8")
            time.sleep(0.1)
        ask = Request(f"{found[0]}api/kernels?token=t", b"{}", method="POST")
        with urlopen(ask, timeout=60) as answer:
            assert json.load(answer)["name"] == "python3"
        kept = OWN / place.MARKER / "settings"
        while not list(kept.glob("ipythondir/profile_default/history.sqlite")):
            assert time.monotonic() < until, sorted(kept.rglob("*"))
            time.sleep(0.1)
        urlopen(Request(f"{found[0]}api/shutdown?token=t", b"", method="POST"), timeout=60)
        server.wait(timeout=60)
    finally:
        server.kill()
        server.wait()
    assert sorted(home.rglob("*")) == []


def test_jupyterlab_knows_every_option_that_lab_sets() -> None:
    from jupyterlab.labapp import LabApp
    from traitlets.utils.importstring import import_item

    options = [word for word in lab.words(Path("here"), []) if word.startswith("--")]
    ours = [word.removeprefix("--LabApp.") for word in options if "--LabApp." in word]
    app = LabApp(**dict(word.split("=", 1) for word in ours))
    assert app.default_url == "/lab/tree/notebooks/00_start_here.ipynb"
    assert app.check_for_updates_class.__name__ == "NeverCheckForUpdate"
    quiet = json.loads((Path(app.app_settings_dir) / "overrides.json").read_text(encoding="utf-8"))
    assert quiet["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"
    assert callable(import_item(lab.PROMPT).connect)


def test_only_lab_hands_options_on(packaged: Path, capsys) -> None:
    with pytest.raises(SystemExit) as ending:
        main(["work", "--no-browser"])
    assert ending.value.code == 2
    assert "unrecognized arguments: --no-browser" in capsys.readouterr().err


def test_course_py_calls_the_same_command(monkeypatch) -> None:
    course, calls = load_course(ROOT), []
    monkeypatch.setattr(course, "install", lambda lock: calls.append(lock.name))
    monkeypatch.setattr(course, "run", lambda *words: calls.append(words) or 0)
    assert course.lab(["--no-browser"]) == 0
    words = (course.venv_python(), "-m", "lectures_lib", "lab", "--no-browser")
    assert calls == ["requirements.lock", words]


# The doctor there ----------------------------------------------------------------------------


def test_the_doctor_names_the_repair_for_the_way_the_course_came(packaged, monkeypatch) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda name: object())
    assert doctor.reinstall().endswith("-m pip install --upgrade --force-reinstall lectures-lib")
    monkeypatch.setattr(doctor, "find_spec", lambda name: None)  # uv puts no pip into it
    assert doctor.reinstall().startswith("uv pip install --reinstall --python ")
    monkeypatch.chdir(ROOT)
    assert doctor.reinstall() == "python course.py lab --anew"
