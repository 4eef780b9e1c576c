"""`lectures doctor` sees what is wrong and names the command that mends it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lectures_lib.__main__ import main
from lectures_lib.commands import doctor


@pytest.mark.slow
def test_every_finding_of_this_environment_is_well(capsys, root: Path, monkeypatch) -> None:
    monkeypatch.chdir(root)
    code = main(["doctor"])
    out = capsys.readouterr().out
    assert code == 0, out
    assert [line[:2] for line in out.splitlines()] == ["OK"] * len(doctor.CHECKS + doctor.TRIED)


def test_an_old_python_fails_with_a_repair(monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 1, "final", 0))
    monkeypatch.setattr(doctor, "CHECKS", (doctor.python_version,))
    monkeypatch.setattr(doctor, "TRIED", ())
    assert doctor.run(None) == 1
    assert re.match("FAIL .*3.10.1\n *repair: ", capsys.readouterr().out)


def test_a_package_of_another_version_is_named(monkeypatch, root: Path) -> None:
    monkeypatch.chdir(root)
    real = doctor.version
    monkeypatch.setattr(doctor, "version", lambda n: "0.1" if n == "matplotlib" else real(n))
    finding = doctor.package_versions()
    assert "matplotlib 0.1 instead of" in finding.seen
    assert finding.repair == "python course.py lab --anew"


def test_a_missing_package_is_named_outside_the_repository_too(monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)

    def version(name: str) -> str:
        if name == "anywidget":
            raise doctor.PackageNotFoundError(name)
        return "99.0"

    monkeypatch.setattr(doctor, "version", version)
    assert "anywidget is missing" in doctor.package_versions().seen


def test_a_foreign_kernel_is_noticed(monkeypatch, tmp_path: Path) -> None:
    program = tmp_path / "other-python"
    program.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    spec = tmp_path / "kernels" / "python3"
    spec.mkdir(parents=True)
    argv = [str(program), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    text = json.dumps({"argv": argv, "display_name": "other", "language": "python"})
    (spec / "kernel.json").write_text(text, encoding="utf-8")
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    finding = doctor.kernel()
    assert str(program) in finding.seen
    assert "ipykernel install" in finding.repair


def test_a_missing_widget_front_end_is_noticed(monkeypatch, tmp_path: Path) -> None:
    import jupyter_core.paths

    monkeypatch.setattr(jupyter_core.paths, "jupyter_path", lambda *_: [str(tmp_path)])
    finding = doctor.widget_front_end()
    assert "anywidget" in finding.seen
    assert finding.repair


def test_a_folder_that_cannot_be_written_is_noticed(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)

    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(doctor.tempfile, "TemporaryFile", refuse)
    finding = doctor.write_access()
    assert "cannot be written" in finding.seen
    assert finding.repair


DEEP = pytest.mark.deep
BROKEN = {
    "anywidget": ("Chapters", "libanywidget is missing"),
    "contourpy": ("Chapters", "libcontourpy is missing"),
    "mpmath": ("Judge", "libmpmath is missing"),
    "PIL": ("Picture", "libPIL is missing"),
}


@pytest.mark.parametrize(
    "package", [pytest.param(p, marks=pytest.mark.slow if p == "PIL" else DEEP) for p in BROKEN]
)
def test_a_package_that_is_there_and_cannot_be_imported_is_named(package, tmp_path, root) -> None:
    """Its version is as locked, so only an import tells."""
    text = f"raise ImportError('lib{package} is missing')\n"
    (tmp_path / f"{package}.py").write_text(text, encoding="utf-8")
    name, cause = BROKEN[package]
    told = subprocess.run(
        [sys.executable, "-m", "lectures_lib", "doctor"],
        cwd=root, env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    assert told.returncode == 1, told.stderr
    (line,) = [line for line in told.stdout.splitlines() if line.startswith(f"FAIL  {name}:")]
    assert cause in line
    assert f"repair: {doctor.reinstall()}" in told.stdout
    assert "OK    Python" in told.stdout, "the others are looked at all the same"


def test_a_judge_that_fails_is_named(monkeypatch) -> None:
    import linecheck

    refuted = linecheck.verdict("x", "x + 1", {"x": "real"})
    monkeypatch.setattr(linecheck, "verdict", lambda *_: refuted)
    finding = doctor.judge()
    assert "REFUTED" in finding.seen
    assert finding.repair


def test_a_check_that_breaks_off_is_a_finding(monkeypatch) -> None:
    def kernel() -> doctor.Diagnosis:
        raise ModuleNotFoundError("No module named 'jupyter_client'")

    (finding,) = doctor.findings((kernel,))
    assert finding.name == "Kernel"
    assert "jupyter_client" in finding.seen
    assert finding.repair


def test_the_size_is_that_of_the_packages_here(monkeypatch, tmp_path: Path) -> None:
    for name, size in (("big", 3), ("big.libs", 1), ("small", 2)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_bytes(bytes(size * 1_000_000))
    monkeypatch.setattr(doctor.sysconfig, "get_path", lambda _: str(tmp_path))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "none"))
    assert doctor.size().seen.startswith("6 MB of packages; big 4, small 2")
