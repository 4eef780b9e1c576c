"""Two commands set the course up, and say what to do when something is in the way."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from tests.conftest import ROOT

LOCKS = ("requirements.lock", "requirements-dev.lock")


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
    assert len(entries) > 100
    assert all("--hash=sha256:" in entry for entry in entries)


def test_the_development_set_has_the_same_versions_as_the_students() -> None:
    student, dev = pins(LOCKS[0]), pins(LOCKS[1])
    for name, versions in student.items():
        assert {v for v, _ in versions} == {v for v, _ in dev[name]}, name


def test_everything_the_package_asks_for_is_locked() -> None:
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    asked = project["project"]["dependencies"] + project["dependency-groups"]["build"]
    names = {re.match(r"[\w.-]+", line)[0].lower() for line in asked}
    assert names <= set(pins(LOCKS[0]))
    dev = project["project"]["optional-dependencies"]["dev"]
    assert {re.match(r"[\w.-]+", line)[0].lower() for line in dev} <= set(pins(LOCKS[1]))


def test_environment_yml_has_the_locked_versions_of_its_python() -> None:
    from packaging.markers import Marker

    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    specs = [s for s in environment["dependencies"] if isinstance(s, str) and "=" in s]
    wanted = dict(spec.split("=") for spec in specs)
    python = wanted.pop("python")
    locked = pins(LOCKS[0])
    for name, version in wanted.items():
        candidates = locked[name.removesuffix("-base")]
        facts = {"python_full_version": python + ".0", "python_version": python}
        applying = [v for v, m in candidates if not m or Marker(m).evaluate(facts)]
        assert applying == [version], name


def test_environment_yml_names_everything_the_package_asks_for() -> None:
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    names = {
        spec.partition("=")[0].removesuffix("-base")
        for spec in environment["dependencies"]
        if isinstance(spec, str)
    }
    assert {re.match(r"[\w.-]+", line)[0] for line in project["dependencies"]} <= names


def test_environment_yml_parses_strictly_and_says_why_each_package_is_there() -> None:
    rattler = pytest.importorskip("rattler")
    text = (ROOT / "environment.yml").read_text(encoding="utf-8")
    environment = yaml.safe_load(text)
    for spec in environment["dependencies"]:
        if isinstance(spec, str):
            rattler.MatchSpec(spec, strict=True)
    for line in re.findall(r"^  - \S+=\S+.*$", text, re.MULTILINE):
        assert "# " in line, f"no reason: {line.strip()}"


def test_an_old_python_is_turned_away_in_words(copy: Path, monkeypatch) -> None:
    course = load_course(copy)
    monkeypatch.setattr(course.sys, "version_info", (3, 9, 2, "final", 0))
    with pytest.raises(course.Trouble, match=r"Python 3\.9\.2; the course needs 3\.11"):
        course.check_python()


def test_an_unknown_command_names_the_known_ones() -> None:
    answer = subprocess.run(
        [sys.executable, ROOT / "course.py", "labb"], capture_output=True, text=True
    )
    assert answer.returncode == 2
    assert "'labb'" in answer.stdout
    assert "lab, test, install" in answer.stdout


def test_a_missing_tool_is_named(copy: Path) -> None:
    course = load_course(copy)
    with pytest.raises(course.Trouble, match="Cannot start no-such-tool"):
        course.run("no-such-tool")


@pytest.mark.slow
def test_a_half_made_environment_is_made_anew(copy: Path, capsys) -> None:
    course = load_course(copy)
    half = copy / ".venv" / "lib"
    half.mkdir(parents=True)
    (half / "left-over").write_text("", encoding="utf-8")
    course.make_venv()
    assert "incomplete" in capsys.readouterr().out
    assert not (half / "left-over").exists()
    assert course.run(course.venv_python(), "-c", "pass") == 0


@pytest.mark.slow
def test_an_environment_moved_from_elsewhere_is_made_anew(copy: Path, capsys) -> None:
    course = load_course(copy)
    course.make_venv()
    course.STAMP.write_text('{"place": "somewhere else"}', encoding="utf-8")
    course.make_venv()
    assert "was moved" in capsys.readouterr().out


@pytest.mark.slow
def test_without_a_network_install_says_so_and_goes_on_later(copy: Path) -> None:
    blocked = {
        **os.environ,
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "HTTP_PROXY": "http://127.0.0.1:9",
    }
    blocked |= {
        "UV_NO_CACHE": "1",
        "PIP_NO_CACHE_DIR": "1",
        "PIP_RETRIES": "0",
        "UV_HTTP_RETRIES": "0",
    }
    blocked |= {"PIP_FIND_LINKS": "", "ALL_PROXY": "http://127.0.0.1:9"}
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
    assert not course.is_installed(course.DEV_LOCK)
    assert course.run(course.venv_python(), "-c", "pass") == 0


def test_a_changed_lock_is_noticed(copy: Path) -> None:
    course = load_course(copy)
    before = course.wanted_state(course.STUDENT_LOCK)
    course.STUDENT_LOCK.write_text("numpy==1.0\n", encoding="utf-8")
    assert course.wanted_state(course.STUDENT_LOCK) != before


def test_a_damaged_stamp_counts_as_not_installed(copy: Path) -> None:
    course = load_course(copy)
    course.VENV.mkdir()
    course.STAMP.write_text("{half", encoding="utf-8")
    assert course.recorded_state() == {}


def test_make_targets_only_call_course_py() -> None:
    course = load_course(ROOT)
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipes = re.findall(r"^\t(.+)$", text, re.MULTILINE)
    assert recipes
    assert all(recipe.startswith("$(PYTHON) course.py ") for recipe in recipes)
    for command in course.COMMANDS:
        assert re.search(rf"^[\w ]*\b{command}\b[\w ]*:", text, re.MULTILINE), command


def test_the_notebooks_of_a_chapter_are_found_and_an_unknown_one_is_told_the_known() -> None:
    course = load_course(ROOT)
    stored = [f"{folder}/04_perceptron.ipynb" for folder in ("notebooks", "solutions")]
    assert [path.replace("\\", "/") for path in course.notebooks_of("perceptron")] == stored
    with pytest.raises(course.Trouble, match=r"no chapter 'percepton'. There are: .*perceptron,"):
        course.notebooks_of("percepton")
    with pytest.raises(course.Trouble, match="--chapter needs the slug of a chapter"):
        course.taken(["--fast", "--chapter"], "--chapter")
    assert course.taken(["-x", "--chapter", "softmax"], "--chapter") == ("softmax", ["-x"])


@pytest.mark.slow
def test_one_chapter_is_its_tests_its_topics_and_what_is_tried_for_every_chapter() -> None:
    files = [f"tests/test_{name}.py" for name in ("house", "perceptron", "softmax")]
    listed = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "--chapter", "perceptron", *files],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    tests = [line for line in listed.splitlines() if "::" in line]
    assert any(test.startswith("tests/test_perceptron.py::") for test in tests)
    assert any("[notebooks/04_perceptron]" in test for test in tests)
    assert not any("softmax" in test or "convergence]" in test for test in tests)


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
    assert course.tidy([str(code), str(notebook)]) == 0
    assert code.read_text(encoding="utf-8") == 'x = {"a": 1}\n'
    assert notebook.read_bytes() == stored.read_bytes()


def test_the_ci_script_calls_the_test_command_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "make test" in readme
    assert re.search(r"^make test ", ci, re.MULTILINE)
