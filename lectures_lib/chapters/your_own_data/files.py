"""A file comes in as columns of text, and one page of report goes out."""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Table = dict[str, list[str]]
EMPTY = {"", "?", "-", "na", "n/a", "nan", "null", "none"}
STYLE = (
    "body{font:15px/1.4 sans-serif;max-width:46em;margin:1em auto;padding:0 1em}"
    "h1{font-size:1.4em}h2{font-size:1em;margin:1em 0 .2em}img{width:49%}"
    "th{text-align:left;font-weight:normal;padding-right:2em}td{overflow-wrap:anywhere}"
)


def read_table(path: str | Path) -> Table:
    """The columns of a CSV file by name, as text; what means "empty" becomes an empty text.

    The cells stand between commas, semicolons or tabs, whichever the first line has most of.
    """
    with Path(path).open(newline="", encoding="utf-8-sig") as file:
        try:
            text = file.read()
        except UnicodeDecodeError as problem:
            raise ValueError(f"{path}: expected UTF-8; save the file so. {problem}") from None
    mark = max(",;\t", key=text.partition("\n")[0].count)
    header, *rows = [row for row in csv.reader(io.StringIO(text), delimiter=mark) if row] or [[]]
    names = [name.strip() for name in header]
    if len(rows) < 2 or len(names) < 2 or len(set(names)) < len(names) or "" in names:
        raise ValueError(
            f"{path}: found {len(rows)} rows below the first line {header}; expected a first line "
            "with a name for each column, none twice, and rows below it."
        )
    for number, row in enumerate(rows, 2):
        if len(row) != len(names):
            raise ValueError(
                f"{path}: row {number} has {len(row)} cells, the first line {len(names)}."
            )
    cells = [["" if c.strip().lower() in EMPTY else c.strip() for c in row] for row in rows]
    return {
        name: list(column) for name, column in zip(names, zip(*cells, strict=True), strict=True)
    }


def positive_rows(table: Table, label: str, positive: str) -> NDArray[np.int64]:
    """1 where the column `label` says `positive`, else 0."""
    if label not in table:
        raise ValueError(f"found no column {label!r}; the columns are {', '.join(table)}.")
    y = np.array([int(cell == positive) for cell in table[label]])
    if min(np.bincount(y, minlength=2)) < 20:
        values = ", ".join(sorted(set(table[label]))[:8])
        raise ValueError(
            f"{label}: found {y.sum()} rows with {positive!r} of {len(y)}; expected 20 at least, "
            f"and 20 others. Its values: {values}."
        )
    if "" in table[label]:
        raise ValueError(f"{label}: found {table[label].count('')} empty cells; leave them out.")
    return y


def image(figure: Figure, words: str) -> str:
    """A figure as part of a page, with words for who cannot see it."""
    target = io.BytesIO()
    figure.savefig(target, format="png", dpi=110, facecolor="white", bbox_inches="tight")
    data = base64.b64encode(target.getvalue()).decode("ascii")
    return f'<img src="data:image/png;base64,{data}" alt="{escape(words)}">'


def page(title: str, tables: Mapping[str, Mapping[str, Any]], figures: Mapping[str, Figure]) -> str:
    """One page of HTML that needs no other file: tables under headings, then figures."""
    body = ""
    for heading, rows in tables.items():
        lines = [f"<tr><th>{escape(str(k))}<td>{escape(str(v))}" for k, v in rows.items()]
        body += f"<h2>{escape(heading)}</h2><table>{''.join(lines)}</table>"
    images = "".join(image(figure, words) for words, figure in figures.items())
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style><h1>{escape(title)}</h1>{body}{images}</html>"
    )
