"""Two commands set the course up, and say what to do when something is in the way."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT

LOCKS = ("requirements.lock", "requirements-site.lock", "requirements-dev.lock")


def load_course(folder: Path) -> ModuleType:
    """The course.py of a folder, as a module of its own."""
    spec = importlib.util.spec_from_file_location("course_under_test", folder / "course.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pins(lock: str) -> dict[str, list[tuple[str, str]]]:
    """Package name to its (version, marker) pairs in a lock file."""
    found: dict[str, list[tuple[str, str]]] = {}
    text = (ROOT / lock).read_text(encoding="utf-8")
    for name, version, marker in re.findall(
        r"^([\w.-]+)==([^ ;\\]+)(?: ; ([^\\\n]+?))? *\\?$", text, re.MULTILINE
    ):
        found.setdefault(name, []).append((version, marker))
    return found


def names(requirements: list[str]) -> set[str]:
    """The packages of some requirements, without their versions."""
    return {re.match(r"[\w.-]+", line)[0].lower() for line in requirements}


def conda_specs() -> list[str]:
    """What environment.yml asks of conda."""
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    return [spec for spec in environment["dependencies"] if isinstance(spec, str)]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The set-up files alone, in a folder with a space and accents."""
    folder = tmp_path / "año de clasificación"
    folder.mkdir()
    for name in ("course.py", "pyproject.toml", "README.md", "LICENSE", *LOCKS):
        shutil.copy(ROOT / name, folder / name)
    (folder / "lectures_lib").mkdir()
    shutil.copy(ROOT / "lectures_lib" / "__init__.py", folder / "lectures_lib")
    return folder


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_version_has_hashes_and_no_address(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert not re.search(r"://|file:|index-url|find-links", text)
    entries = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]
    assert len(entries) > 20
    assert all("--hash=sha256:" in entry for entry in entries)


@pytest.mark.parametrize("place", [1, 2])
def test_a_set_adds_to_those_before_it_and_repeats_nothing(place: int) -> None:
    *before, added = (load_course(ROOT).locked(ROOT / lock) for lock in LOCKS[: place + 1])
    assert not {entry for entries in before for entry in entries} & added.keys()
    for lock in LOCKS[:place]:
        smaller = pins(lock)
        for name, versions in pins(LOCKS[place]).items():
            if name in smaller:  # the same version, on systems that the smaller set leaves out
                assert {v for v, _ in versions} <= {v for v, _ in smaller[name]}, name


def test_everything_the_package_asks_for_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = names(project["project"]["dependencies"] + project["dependency-groups"]["build"])
    assert needed <= set(pins(LOCKS[0]))
    assert needed == {name for name, _, _ in load_course(ROOT).reasons()}, "each says why"
    extras, held = project["project"]["optional-dependencies"], set(pins(LOCKS[0]))
    for extra, lock in (("site", LOCKS[1]), ("dev", LOCKS[2])):
        held |= set(pins(lock))
        assert names(extras[extra]) <= held


def test_environment_yml_is_what_lock_writes_with_the_versions_of_its_python() -> None:
    from packaging.markers import Marker

    course = load_course(ROOT)
    stored = (ROOT / "environment.yml").read_text(encoding="utf-8")
    assert stored == course.conda_environment(course.locked(ROOT / LOCKS[0]))
    wanted = dict(spec.split("=") for spec in conda_specs() if "=" in spec)
    python = wanted.pop("python")
    locked = pins(LOCKS[0])
    for name, version in wanted.items():
        candidates = locked[name.removesuffix("-base")]
        facts = {"python_full_version": python + ".0", "python_version": python}
        applying = [v for v, m in candidates if not m or Marker(m).evaluate(facts)]
        assert applying == [version], name


def test_environment_yml_parses_strictly() -> None:
    rattler = pytest.importorskip("rattler")
    assert len(conda_specs()) > 10
    for spec in conda_specs():
        rattler.MatchSpec(spec, strict=True)


def test_other_versions_run_in_an_environment_of_their_own(monkeypatch, capsys) -> None:
    course, done = load_course(ROOT), []
    monkeypatch.setattr(course, "new_environment", lambda folder: done.append(folder.name))
    monkeypatch.setattr(course, "run", lambda *words, **_: done.append(words) or 0)
    assert course.main(["notebooks", "--oldest", "notebooks/04_perceptron.ipynb"]) == 0
    folder, installed, tested = done
    assert folder == ".venv-oldest"
    assert {"matplotlib==3.11", "sympy==1.14"} <= set(installed)
    assert ".venv-oldest" in str(tested[0])
    assert {"tests.upgrade", "notebooks/04_perceptron.ipynb"} <= set(tested)
    assert "--oldest" not in tested
    done.clear()
    assert course.main(["notebooks", "--newest"]) == 0
    assert not any("==" in str(word) for word in done[1])


@pytest.mark.deep
def test_the_table_of_other_versions_names_cell_and_both_outputs(tmp_path: Path) -> None:
    import nbformat

    cells = [nbformat.v4.new_code_cell(line) for line in ("print('a'); print(2 + 2)", "1 / 0")]
    cells[0].outputs = [nbformat.v4.new_output("stream", text="a\n5\n")]
    cells[1].outputs = [nbformat.v4.new_output("stream", text="never\n")]
    for count, cell in enumerate(cells, 1):
        cell.execution_count = count
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "two.ipynb")
    nbval = ["--nbval", "--nbval-current-env", "-p", "tests.upgrade", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *nbval, "--tb=no", "-q", "--no-summary", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    told = " ".join(run.stdout.split())
    assert "two.ipynb::Cell 0 mismatch 'stdout' was: 5 is: 4" in told
    assert "two.ipynb::Cell 1 ZeroDivisionError: division by zero" in told
    assert "2 cells differ, 0 are as stored." in told


def test_an_old_python_is_turned_away_in_words(copy: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2, "final", 0))
    assert load_course(copy).main(["install"]) == 1
    told = capsys.readouterr().err
    assert "3.9.2" in told
    assert "3.11" in told


def test_an_unknown_command_names_the_known_ones(capsys) -> None:
    assert load_course(ROOT).main(["labb"]) == 2
    told = capsys.readouterr().out
    assert "'labb'" in told
    assert "lab, test, install" in told


def test_a_program_that_cannot_be_started_is_named(copy: Path, monkeypatch, capsys) -> None:
    course = load_course(copy)
    monkeypatch.setattr(course, "install", lambda lock: None)
    assert course.main(["lab"]) == 1
    assert f"Cannot start {course.venv_python()}" in capsys.readouterr().err


@pytest.mark.parametrize("change", ["nothing", "stamp", "place", "lock", "project"])
def test_install_does_again_only_what_is_not_complete(
    copy: Path, change: str, monkeypatch, capsys
) -> None:
    course, done = load_course(copy), []

    def play(*words: object, **_: Any) -> int:
        done.append(words[1])
        if "venv" in words:
            course.venv_python().parent.mkdir(parents=True)
            course.venv_python().touch()
        return 0

    monkeypatch.setattr(course, "run", play)
    monkeypatch.setattr(shutil, "which", lambda name: name)  # with uv
    left_over = copy / ".venv" / "left-over"
    left_over.parent.mkdir()
    left_over.touch()
    assert course.main(["install"]) == 0
    assert "incomplete or was moved" in capsys.readouterr().out
    assert not left_over.exists(), "a half-made environment is made anew"
    assert done == ["venv", "pip", "pip"]
    done.clear()
    if change == "stamp":
        course.STAMP.write_text("{half", encoding="utf-8")
    elif change == "place":
        state = json.loads(course.STAMP.read_text(encoding="utf-8"))
        course.STAMP.write_text(json.dumps(state | {"place": "elsewhere"}), encoding="utf-8")
    elif change in ("lock", "project"):
        path = course.DEV_LOCK if change == "lock" else copy / "pyproject.toml"
        path.write_text(path.read_text(encoding="utf-8") + "# new\n", encoding="utf-8")
    assert course.main(["install"]) == 0
    anew = {"nothing": [], "lock": ["pip"] * 2, "project": ["pip"] * 2}
    assert [word for word in done if word != "-c"] == anew.get(change, ["venv", "pip", "pip"])


def test_anew_makes_the_environment_anew_though_it_looks_complete(copy, monkeypatch) -> None:
    course, seen = load_course(copy), []
    course.STAMP.parent.mkdir()
    course.STAMP.write_text("{}", encoding="utf-8")
    monkeypatch.setattr(course, "install", lambda lock: seen.append(course.STAMP.exists()))
    monkeypatch.setattr(course, "run", lambda *words, **_: seen.append(words[-1]) or 0)
    assert course.main(["lab"]) == course.main(["lab", "--anew", "--no-browser"]) == 0
    assert seen == [True, "lab", False, "--no-browser"]


@pytest.mark.parametrize(("command", "lock"), [("lab", 0), ("grade", 0), ("site", 1), ("bench", 2)])
def test_a_command_installs_what_it_needs_and_is_content_with_more(
    copy: Path, command: str, lock: int, monkeypatch
) -> None:
    course, asked = load_course(copy), []
    monkeypatch.setattr(course, "run", lambda *_, **__: 0)
    monkeypatch.setattr(course, "site_packages", lambda python: copy)
    course.STAMP.parent.mkdir()
    for made in course.LOCKS:
        course.STAMP.write_text(json.dumps(course.wanted_state(made)), encoding="utf-8")
        monkeypatch.setattr(course, "make_venv", lambda made=made: asked.append(made))
        assert course.main([command]) == 0
    assert asked == course.LOCKS[:lock]


def test_the_environments_own_python_leaves_an_installation_to_the_one_below(
    copy: Path, monkeypatch
) -> None:
    course, done = load_course(copy), []
    monkeypatch.setattr(sys, "prefix", str(course.VENV))
    monkeypatch.setattr(sys, "_base_executable", "/below/python")
    monkeypatch.setattr(sys, "argv", ["course.py", "test", "--fast"])
    monkeypatch.setattr(course, "run", lambda *words, **_: done.append(words) or 7)
    left_over = course.VENV / "left-over"
    left_over.parent.mkdir()
    left_over.touch()
    with pytest.raises(SystemExit) as ended:
        course.main(["test", "--fast"])
    assert ended.value.code == 7
    assert done == [("/below/python", copy / "course.py", "test", "--fast")]
    assert left_over.exists()


def test_what_no_reader_runs_is_taken_away(copy: Path) -> None:
    course = load_course(copy)
    site = course.VENV / "lib" / "site-packages"
    kept = ["a/__init__.py", "a/code.so", "a/testing.py", "widgetsnbextension/__init__.py"]
    gone = ["a/tests/__init__.py", "a/tests/data.csv", "a/code.c", "jupyterlab/galata/x.ts"]
    for name in (*kept, *gone):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).touch()
    course.leave_out(site)
    left = {p.relative_to(site).as_posix() for p in site.rglob("*") if p.is_file()}
    assert left == set(kept)


@pytest.mark.slow
def test_without_a_network_install_says_so_and_goes_on_later(copy: Path) -> None:
    nowhere = "http://127.0.0.1:9"
    blocked = os.environ | dict.fromkeys(["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"], nowhere)
    blocked |= {"UV_NO_CACHE": "1", "PIP_NO_CACHE_DIR": "1", "PIP_FIND_LINKS": ""}
    blocked |= {"PIP_RETRIES": "0", "UV_HTTP_RETRIES": "0"}
    answer = subprocess.run(
        [sys.executable, "course.py", "install"],
        cwd=copy,
        env=blocked,
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 1
    assert "Nothing is lost" in answer.stderr
    assert "Traceback" not in answer.stderr
    course = load_course(copy)
    assert not course.STAMP.exists()
    assert course.run(course.venv_python(), "-c", "pass") == 0


def test_make_targets_only_call_course_py() -> None:
    course = load_course(ROOT)
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipes = re.findall(r"^\t(.+)$", text, re.MULTILINE)
    assert recipes
    assert all(recipe.startswith("$(PYTHON) course.py ") for recipe in recipes)
    for command in course.COMMANDS:
        assert re.search(rf"^[\w ]*\b{command}\b[\w ]*:", text, re.MULTILINE), command


def test_an_unknown_chapter_is_told_the_known_ones(monkeypatch, capsys) -> None:
    course, started = load_course(ROOT), []
    monkeypatch.setattr(course, "install", lambda lock: None)
    monkeypatch.setattr(course, "run", lambda *words, **_: started.append(words) or 0)
    assert course.main(["test", "--chapter", "percepton"]) == 1
    told = capsys.readouterr().err
    assert "'percepton'" in told
    assert "perceptron, " in told
    assert course.main(["test", "--fast", "--chapter"]) == 1
    assert not started


@pytest.mark.slow
def test_one_chapter_is_its_tests_its_topics_and_what_is_tried_for_every_chapter() -> None:
    files = [f"tests/test_{name}.py" for name in ("house", "perceptron", "steps")]
    session = ["-p", "tests.session", "--collect-only", "-q", "--chapter", "perceptron"]
    command = [sys.executable, "-m", "pytest", *session, *files]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    tests = [line for line in listed.stdout.splitlines() if "::" in line]
    assert any(test.startswith("tests/test_perceptron.py::") for test in tests)
    assert any("[notebooks/04_perceptron]" in test for test in tests)
    assert not any("steps" in test or "convergence]" in test for test in tests)


def test_pre_commit_uses_the_environment_at_hand_and_hosts_nothing() -> None:
    text = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert "://" not in text
    (repository,) = yaml.safe_load(text)["repos"]
    assert repository["repo"] == "local"
    (hook,) = repository["hooks"]
    assert hook["language"] == "system"
    assert "course.py tidy" in hook["entry"]


@pytest.mark.slow
def test_tidy_stores_the_normal_form_of_what_is_named(tmp_path: Path, monkeypatch) -> None:
    course = load_course(ROOT)
    monkeypatch.setattr(course, "install", lambda lock: None)
    code, notebook = tmp_path / "untidy.py", tmp_path / "untidy.ipynb"
    code.write_text("import os\nx = { 'a':1 }\n", encoding="utf-8")
    stored = ROOT / "exercises" / "04_perceptron.ipynb"
    text = stored.read_text(encoding="utf-8")
    edited = text.replace('"kernelspec"', '"toc": {}, "kernelspec"')
    assert edited != text
    notebook.write_text(edited, encoding="utf-8")
    assert course.main(["tidy", str(code), str(notebook)]) == 0
    assert code.read_text(encoding="utf-8") == 'x = {"a": 1}\n'
    assert notebook.read_bytes() == stored.read_bytes()
