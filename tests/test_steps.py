"""How far it is: a line that is written over in a terminal, and nothing anywhere else."""

from __future__ import annotations

import sys

import pytest

from lectures_lib.workspace import steps


@pytest.mark.parametrize("terminal", [True, False])
def test_a_line_is_written_over_where_somebody_looks(monkeypatch, capsys, terminal: bool) -> None:
    clock = iter([100.0, 110.0, 140.0])
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    monkeypatch.setattr(steps.time, "monotonic", lambda: next(clock))
    told = steps.steps("Grading:")
    told(0, 0)
    told(1, 4)
    told(4, 4)
    said = capsys.readouterr().err
    if not terminal:
        assert said == ""
        return
    first, second = said.split("\r")
    assert first.startswith("Grading: ")
    assert first.endswith("1 of 4, 30 s left ")
    assert second.endswith("4 of 4, 0 s left \n")


def test_every_entry_comes_and_the_line_ends(monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert list(steps.each("Building:", "abc")) == ["a", "b", "c"]
    assert capsys.readouterr().err.endswith("3 of 3, 0 s left \n")
