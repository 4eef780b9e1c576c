"""The command `lectures`."""

import re
import subprocess
import sys

import pytest

from lectures_lib import __version__
from lectures_lib.__main__ import COMMANDS, main


def test_help_names_every_command_with_its_first_line(capsys) -> None:
    assert main([]) == 0
    out = capsys.readouterr().out
    for name in COMMANDS:
        (line,) = [line for line in out.splitlines() if line.startswith(f"  {name} ")]
        assert len(line.split()) > 3, line
    assert "not installed" not in out


def test_the_version_is_the_packages(capsys) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"lectures {__version__}\n"


def test_an_unknown_command_names_the_known_ones(capsys) -> None:
    assert main(["docter"]) == 2
    assert "no command 'docter'" in capsys.readouterr().out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capsys) -> None:
    with pytest.raises(SystemExit) as ending:
        main([name, "--help"])
    assert ending.value.code == 0
    assert f"usage: lectures {name}" in capsys.readouterr().out


def test_a_reader_that_stops_early_is_no_error() -> None:
    command = [sys.executable, "-m", "lectures_lib", "errata"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_the_derivations_of_a_chapter_are_listed(capsys) -> None:
    assert main(["derivations", "logistic_inference"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) >= 2
    assert all(re.match(r"11\[.*\d lines, SymPy \d", row) for row in rows), rows
    assert main(["derivations", "nonsense"]) == 2
    assert "'nonsense'" in capsys.readouterr().out
