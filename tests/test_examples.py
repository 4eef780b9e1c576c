"""The examples in the docstrings of the public names are run, and there is one for each."""

from __future__ import annotations

import doctest
import importlib
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests import public_names

WITHOUT = {"check", "hint"}  # they write into the student's folder; notebook 00 shows them
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def pairs() -> list[tuple[str, str]]:
    """Every name of the list with its module."""
    found = public_names.listed().items()
    return [(module.removeprefix("wanted "), name) for module, names in found for name in names]


def public() -> list[tuple[str, str]]:
    """Every public class and function: module and name."""
    return [
        (module, name)
        for module, name in pairs()
        if module != "check" and callable(getattr(importlib.import_module(module), name))
    ]


def names_of(module: str) -> dict[str, Any]:
    """What an example may use without importing it: NumPy and the public names of its module."""
    home = importlib.import_module(module)
    own = {name: getattr(home, name) for where, name in pairs() if where == module}
    return {"np": np, **own}


def run(test: doctest.DocTest) -> str:
    """What the examples print otherwise than they say; empty if nothing."""
    told: list[str] = []
    out: Callable[[str], object] = told.append
    doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=out)
    return "".join(told)


@pytest.mark.parametrize(("module", "name"), public())
def test_the_example_of_a_public_name_prints_what_it_says(module: str, name: str) -> None:
    found = getattr(importlib.import_module(module), name)
    text = inspect.getdoc(found) or ""
    test = doctest.DocTestParser().get_doctest(text, names_of(module), name, None, None)
    if name in WITHOUT:
        assert not test.examples
        return
    assert test.examples, f"{module}.{name} has no example"
    assert any(example.want for example in test.examples), "an example that shows nothing"
    assert run(test) == ""


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("linecheck", ""),
        ("linecheck.judge.verdicts", "Status"),
        ("linecheck.judge.verdicts", "Witness"),
        ("linecheck.derivation.lines", "Line"),
    ],
)
def test_the_examples_of_linecheck_and_of_what_it_returns_print_what_they_say(
    module: str, name: str
) -> None:
    home = importlib.import_module(module)
    found = getattr(home, name) if name else home
    names = {**names_of("linecheck"), name: found}
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(found) or "", names, name, None, None)
    assert test.examples
    assert run(test) == ""


def test_a_wrong_example_is_noticed() -> None:
    test = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, None)
    assert "Expected:" in run(test)
