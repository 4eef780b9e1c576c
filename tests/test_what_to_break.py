"""What the notebooks say about breaking a line, or a cell with SymPy, is tried and true."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest

from linecheck.derivation.notebook import derivations_in, is_derivation
from tests.conftest import ROOT
from tests.verdict_store import judged_once  # noqa: F401
from tests.what_to_break import Break, edited, not_printed, sentences, untrue

pytestmark = pytest.mark.usefixtures("judged_once")

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
by_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
SYMPY = re.compile(r"\bsp\.|\bsame\(|\.sympy\(")

TEXT = """
A square
a b: real

(a + b)**2                # the square
= a**2 + 2*a*b + b**2     # a product
>= 2*a*b                  # squares are not negative
"""


@cache
def cells(path: Path) -> list[Any]:
    return list(nbformat.read(path, as_version=4).cells)


def said_below(path: Path, number: int) -> list[Break]:
    """The sentences of the text cell below a cell."""
    below = cells(path)[number + 1 : number + 2]
    return [one for cell in below if cell.cell_type == "markdown" for one in sentences(cell.source)]


@by_notebook
def test_below_each_open_derivation_a_true_sentence_says_what_to_break(path: Path) -> None:
    for placed in derivations_in(path):
        if placed.is_open:
            said = said_below(path, placed.cell)
            assert said, f"[{placed.cell}] {placed.title}: no sentence that says what to break"
            for one in said:
                assert not untrue(placed.text, one), (placed.cell, one)


@pytest.mark.slow
@by_notebook
def test_what_a_changed_cell_is_said_to_print_is_what_it_prints(path: Path) -> None:
    """The cells with SymPy are run, behind the one that imports."""
    before: list[str] = []
    for number, cell in enumerate(cells(path)):
        if cell.cell_type != "code":
            continue
        own = not is_derivation(cell.source) or "=" in cell.source.partition("derive(")[0]
        if own and (not before or SYMPY.search(cell.source) or is_derivation(cell.source)):
            for said in said_below(path, number) if not is_derivation(cell.source) else []:
                assert not not_printed(before, cell.source, said), (number, said)
            before.append(cell.source)


@pytest.mark.parametrize(
    ("sentence", "true"),
    [
        ("Write `- 2` for `+ 2` in line 2: it fails at `a = 1, b = 1`.", True),
        ("Now write `- 2` for `+ 2` in\nline 2: it fails at `a = 1, b = 0`.", False),
        ("Write `- 2` for `+ 2` in line 2: it still holds.", False),
        ("Write `positive` for `real` in the names: line 2 still holds, line 3 still holds.", True),
        ("Write `log(a)` for `2*a*b` in line 3: it has no value at `a = 0, b = 0`.", True),
        ("Write `2*b` for each `b` in line 1: line 2 fails at `a = 0, b = 1`, more.", True),
        ("Write `(` for `a**2 + ` in line 2: it cannot be read.", True),
        ("Write `a` for `(` in line 1: line 2 is not decided.", False),
    ],
)
def test_a_sentence_is_true_or_it_is_not(sentence: str, true: bool) -> None:
    (said,) = sentences(f"A first sentence. {sentence} And a last one: with `code`.")
    assert (not untrue(TEXT, said)) is true, untrue(TEXT, said)


@pytest.mark.parametrize(
    "sentence",
    [
        "Write `b` for `a` in line 2: it fails at `a = 0`.",  # which of both?
        "Write `c` for `z` in line 2: it fails at `a = 0`.",
        "Write `c` for `square` in line 1: it fails at `a = 0`.",  # that is the reason
    ],
)
def test_what_is_replaced_stands_there_once(sentence: str) -> None:
    (said,) = sentences(sentence)
    with pytest.raises(AssertionError, match="times"):
        edited(TEXT, said.edits)


def test_a_sentence_that_says_nothing_that_can_be_tried_is_refused() -> None:
    with pytest.raises(AssertionError, match="no answer"):
        list(sentences("Write `b` for `a` in line 2: it is no longer true."))


def test_what_a_cell_prints_is_compared() -> None:
    (said,) = sentences("Write `-` for `+` in the cell: it prints `-1`.")
    assert not not_printed(["import math", "a = 1"], "print(math.floor(a) + 2)", said)
    assert not_printed(["import math", "a = 2"], "print(math.floor(a) + 2)", said)


def test_same_is_the_same_in_each_chapter_that_writes_it() -> None:
    written = [c.source for path in NOTEBOOKS for c in cells(path) if "def same(" in c.source]
    assert len(written) >= 4
    assert len(set(written)) == 1
