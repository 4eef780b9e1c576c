"""The table of the benchmarks: what it says of a row that cannot be measured."""

import pytest

from benchmarks._table import Measured, Row, print_row


def test_a_row_that_cannot_be_measured_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    def fails() -> Measured:
        raise RuntimeError("uv is not on the path")

    assert not print_row(Row("installed with uv", fails), "course.py bench setup")
    assert "not measured: uv is not on the path" in capsys.readouterr().out


def test_a_row_compares_with_its_target(capsys: pytest.CaptureFixture[str]) -> None:
    def found() -> list[Measured]:
        return [Measured(1.0, 3.0), Measured(1.0, 1.5)]

    assert not print_row(Row("two lines", found, target=2.0), "course.py bench")
    first, second, _ = capsys.readouterr().out.splitlines()
    assert "reached" in first
    assert "MISSED" in second
    assert print_row(Row("one line", lambda: Measured(1.0, 3.0), target=2.0), "course.py bench")
