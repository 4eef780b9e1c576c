"""What a public project shows: workflows, forms, metadata, places. Parsed and compared, not run."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import build_site
import pytest
import yaml

from lectures_lib import __version__
from lectures_lib.__main__ import COMMANDS
from tests.conftest import ROOT
from tests.test_setup import load_course

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TEMPLATES = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
FORMS = [path for path in TEMPLATES if path.name != "config.yml"]


def parsed(path: Path) -> dict[str, Any]:
    """A YAML file as data. YAML 1.1 reads the key `on` as true."""
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {"on" if key is True else key: value for key, value in found.items()}


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


# Workflows -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_reads_only_and_calls_what_exists(path: Path) -> None:
    workflow = parsed(path)
    assert workflow["permissions"] == {"contents": "read"}
    assert all("timeout-minutes" in job for job in workflow["jobs"].values())
    course = load_course(ROOT)
    called = [step["run"] for step in steps(workflow) if "run" in step]
    commands = [word for text in called for word in re.findall(r"course\.py (\w+)", text)]
    assert commands
    assert set(commands) <= set(course.COMMANDS)
    for text in called:
        for name in re.findall(r"(tests/\w+\.py)", text):
            assert (ROOT / name).is_file(), name


def test_the_quick_tests_run_on_three_systems_with_every_supported_python() -> None:
    course = load_course(ROOT)
    job = parsed(ROOT / ".github" / "workflows" / "tests.yml")["jobs"]["fast"]
    matrix = job["strategy"]["matrix"]
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}
    minors = range(course.OLDEST[1], course.NEWEST[1] + 1)
    assert matrix["python"] == [f"3.{minor}" for minor in minors]
    assert job["steps"][-1]["run"] == "python course.py test --fast"


def test_only_a_tag_publishes_and_only_pages() -> None:
    workflow = parsed(ROOT / ".github" / "workflows" / "publish.yml")
    assert workflow["on"] == {"push": {"tags": ["v*"]}}
    pages = workflow["jobs"]["pages"]
    assert pages["permissions"] == {"pages": "write", "id-token": "write"}
    assert pages["needs"] == "build"
    folder = next(
        s["with"]["path"] for s in steps(workflow) if "pages-artifact" in s.get("uses", "")
    )
    assert ROOT / folder == build_site.BUILD / "html"


# Forms ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_has_a_name_and_fields_that_say_what_is_wanted(path: Path) -> None:
    form = parsed(path)
    assert {"name", "description", "body"} <= set(form)
    ids = [field["id"] for field in form["body"]]
    assert len(set(ids)) == len(ids)
    for field in form["body"]:
        assert field["type"] in {"input", "textarea"}
        assert field["attributes"]["label"]


def test_a_rejected_answer_comes_with_its_case_on_the_form_that_readers_are_told() -> None:
    form = parsed(ROOT / ".github" / "ISSUE_TEMPLATE" / "right_answer.yml")
    told = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8").replace("\n", " ")
    assert f"*{form['name']}*" in told
    fields = {field["id"]: field for field in form["body"]}
    needed = {k for k, field in fields.items() if field.get("validations", {}).get("required")}
    assert {"exercise", "case", "why", "versions"} <= needed
    assert "answer" not in needed  # a class may be graded on it


# Metadata ------------------------------------------------------------------------------------


def test_citation_zenodo_and_package_say_the_same() -> None:
    citation = parsed(ROOT / "CITATION.cff")
    zenodo = json.loads((ROOT / ".zenodo.json").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert citation["version"] == zenodo["version"] == project["version"] == __version__
    assert citation["title"] == zenodo["title"]
    assert citation["keywords"] == zenodo["keywords"]
    assert citation["abstract"] == zenodo["description"]
    assert [a["name"] for a in citation["authors"]] == [c["name"] for c in zenodo["creators"]]
    assert zenodo["license"] in [name.lower() for name in citation["license"]]


# Places --------------------------------------------------------------------------------------


def test_binder_installs_the_locked_packages_the_course_and_the_copies() -> None:
    folder = ROOT / "binder"
    course = load_course(ROOT)
    version = (folder / "runtime.txt").read_text(encoding="utf-8").strip()
    minor = tuple(map(int, version.removeprefix("python-").split(".")))
    assert course.OLDEST <= minor <= course.NEWEST
    lines = (folder / "requirements.txt").read_text(encoding="utf-8").splitlines()
    (line,) = [line for line in lines if line and not line.startswith("#")]
    assert (folder / line.removeprefix("-r ")).resolve() == ROOT / "requirements.lock"
    script = (folder / "postBuild").read_text(encoding="utf-8")
    assert "--no-deps --no-build-isolation --editable ." in script
    assert "-m lectures_lib work" in script


def test_the_dev_container_calls_commands_that_exist() -> None:
    path = ROOT / ".devcontainer" / "devcontainer.json"
    container = json.loads(path.read_text(encoding="utf-8"))
    course = load_course(ROOT)
    command = container["postCreateCommand"]
    assert set(re.findall(r"course\.py (\w+)", command)) <= set(course.COMMANDS)
    assert set(re.findall(r"lectures (\w+)", command)) <= set(COMMANDS)
    version = container["image"].removeprefix("python:")
    assert course.OLDEST <= tuple(map(int, version.split("."))) <= course.NEWEST
