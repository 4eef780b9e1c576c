"""What the builder does to a notebook before it becomes a page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from builder.notebooks import whole_formulas, with_links_to_pages

from tests.conftest import ROOT


def test_a_matrix_that_was_cut_is_whole_again_and_other_pieces_stay() -> None:
    cut = r"$x$ $= \begin{pmatrix} a$ $- b$ $+ c \end{pmatrix}$ $= d$"
    assert whole_formulas(cut) == r"$x$ $= \begin{pmatrix} a - b + c \end{pmatrix}$ $= d$"
    assert whole_formulas("$a$ $= b$, and $c$") == "$a$ $= b$, and $c$"


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_no_formula_of_an_output_is_cut_inside_a_matrix(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    for output in outputs:
        text = whole_formulas("".join(output.get("data", {}).get("text/markdown", "")))
        for formula in re.findall(r"\$([^$]+)\$", text):
            assert formula.count(r"\begin") == formula.count(r"\end"), formula


def test_links_to_notebooks_and_their_headings_become_links_to_pages() -> None:
    link = '<a href="../notebooks/04_perceptron.ipynb#The-same-rule">'
    assert with_links_to_pages(link) == '<a href="../notebooks/04_perceptron.html#the-same-rule">'
    outside = '<a href="https://example.org/x.ipynb">'
    assert with_links_to_pages(outside) == outside
