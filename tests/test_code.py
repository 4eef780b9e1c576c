"""The code is in its normal form, and its types are right."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import ROOT


def said(*command: str) -> str:
    """What a tool finds in the whole repository; empty when it is content."""
    made = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, encoding="utf-8"
    )
    return made.stdout + made.stderr if made.returncode else ""


@pytest.mark.parametrize("command", [("check",), ("format", "--check")], ids=" ".join)
def test_ruff_finds_nothing(command: tuple[str, ...]) -> None:
    assert said("ruff", *command, ".") == ""


@pytest.mark.slow
def test_mypy_finds_nothing() -> None:
    assert said("mypy") == ""
