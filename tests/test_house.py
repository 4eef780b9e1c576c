"""The house rules of the notebooks, each with a message that says what to mend."""

import re
import statistics
from copy import deepcopy
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import nbformat
import pytest

from lectures_lib.chapters import CHAPTERS, is_draft
from lectures_lib.commands.build_pages import pages
from lectures_lib.workspace.normal_form import normalise, write
from linecheck.derivation.notebook import is_derivation
from tests.conftest import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
SOLUTIONS = sorted((ROOT / "solutions").glob("*.ipynb"))
EXERCISES = sorted((ROOT / "exercises").glob("*.ipynb"))
WRITTEN = [path for path in NOTEBOOKS if not is_draft(path)]
KNOWN_TAGS = {"nbval-ignore-output", "nbval-skip", "raises-exception", "hide-input"}
HEADINGS = [
    "What you will be able to do",
    "The question",
    "The mathematics",
    "The same thing in code",
    "The check",
    "What goes wrong",
    "The notes say",
    "Exercises",
    "Summary and what comes next",
]
MENTION = re.compile(r"\bchapters?\s+(?:no\.?\s*)?\d", re.IGNORECASE)
LINK = re.compile(r"\[([^\]]*)\]\(((?:\.\./)?\w*/?(\d\d)_(\w+)\.ipynb)(?:#([^)]*))?\)")


def by_name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=by_name)
every_run_one = pytest.mark.parametrize("path", NOTEBOOKS + SOLUTIONS, ids=by_name)
every_stored_one = pytest.mark.parametrize("path", NOTEBOOKS + SOLUTIONS + EXERCISES, ids=by_name)


@cache
def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def code_cells(path: Path) -> list[Any]:
    return [c for c in read(path).cells if c.cell_type == "code" and c.source.strip()]


def own_cells(path: Path) -> list[Any]:
    """The cells without those that hold a derivation alone: they are read like formulas."""
    cells = read(path).cells
    return [c for c in cells if c.cell_type == "markdown" or not is_derivation(c.source)]


def prose(path: Path) -> str:
    return "\n".join(c.source for c in read(path).cells if c.cell_type == "markdown")


def shown(cell: Any, kind: str) -> list[str]:
    """What a cell has put out in one format."""
    return [o.data[kind] for o in cell.get("outputs", []) if kind in o.get("data", {})]


@every_run_one
def test_every_code_cell_was_run_in_order(path: Path) -> None:
    counts = [c.execution_count for c in code_cells(path)]
    assert counts == list(range(1, len(counts) + 1)), "run it with `lectures execute`"


@every_stored_one
def test_the_stored_form_is_the_normal_form(path: Path, tmp_path: Path) -> None:
    again = tmp_path / path.name
    write(normalise(deepcopy(read(path))), again)
    assert again.read_bytes() == path.read_bytes(), "store it with `lectures execute`"


@every_run_one
def test_outputs_hold_no_error_no_warning_no_address_and_no_path(path: Path) -> None:
    for number, cell in enumerate(code_cells(path)):
        expected = "raises-exception" in cell.metadata.get("tags", [])
        for output in cell.outputs:
            assert output.output_type != "error" or expected, f"code cell {number} raised"
            assert output.get("name") != "stderr", f"code cell {number} printed to stderr"
            text = str(output.get("text", "")) + str(output.get("data", {}).get("text/plain", ""))
            assert not re.search(r"0x[0-9a-f]{6,}|/home/|/tmp/|[A-Z]:\\\\", text), text


@every_run_one
def test_a_notebook_opens_at_once(path: Path) -> None:
    assert path.stat().st_size < 1.5e6, "draw stored images smaller"


@pytest.mark.parametrize("path", WRITTEN, ids=by_name)
def test_a_notebook_has_a_readable_length(path: Path) -> None:
    cells = len(own_cells(path))
    assert 20 <= cells <= 55, f"{cells} cells without derivations; 25 to 45 read best"


@every_notebook
def test_code_cells_are_short_and_prose_stands_between_them(path: Path) -> None:
    cells = own_cells(path)
    code = [c.source for c in cells if c.cell_type == "code" and c.source.strip()]
    lengths = [len([line for line in source.splitlines() if line.strip()]) for source in code]
    assert max(lengths) <= 20, f"a code cell of {max(lengths)} lines"
    assert statistics.median(lengths) <= 6, f"median {statistics.median(lengths)} lines"
    kinds = "".join(cell.cell_type[0] for cell in cells)
    assert "c" * 6 not in kinds, "more than five code cells without a word"


@pytest.mark.parametrize("path", [p for p in NOTEBOOKS if p.stem[:2] != "00"], ids=by_name)
def test_the_blocks_come_in_their_order(path: Path) -> None:
    places = [prose(path).find(f"## {heading}") for heading in HEADINGS]
    missing = [h for h, place in zip(HEADINGS, places, strict=True) if place < 0]
    assert not missing, f"no heading {missing}"
    assert places == sorted(places), "the headings are out of order"


@every_stored_one
def test_there_is_one_title_and_known_tags_only(path: Path) -> None:
    cells = read(path).cells
    titles = [c for c in cells if c.cell_type == "markdown" and re.match(r"# ", c.source)]
    assert len(titles) == 1
    for cell in cells:
        assert set(cell.metadata.get("tags", [])) <= KNOWN_TAGS


@every_stored_one
def test_text_is_plain_markdown_and_offline(path: Path) -> None:
    for cell in read(path).cells:
        assert not re.search(r"!\[[^]]*\]\(https?://|<img[^>]*https?://", cell.source)
        if cell.cell_type == "markdown":
            assert not re.search(r"^:::|```\{|\{(ref|eq|cite)\}`", cell.source, re.MULTILINE)
            assert "!" not in re.sub(r"`[^`]*`|\$[^$]*\$|!\[|<!--|!=", "", cell.source)


@every_notebook
def test_a_figure_is_followed_by_words_and_a_live_one_is_tagged(path: Path) -> None:
    cells = read(path).cells
    for cell, after in zip_longest(cells, cells[1:]):
        live = any("static-fallback" in text for text in shown(cell, "text/html"))
        if live or (cell.cell_type == "code" and shown(cell, "image/png")):
            words = after is not None and after.cell_type == "markdown"
            assert words, f"no sentence reads the figure of {cell.source!r}"
        assert not live or "nbval-ignore-output" in cell.metadata.get("tags", [])


@pytest.mark.parametrize("path", WRITTEN + SOLUTIONS, ids=by_name)
def test_a_chapter_is_mentioned_by_a_link_with_its_number(path: Path) -> None:
    """A link can be checked; a number alone is wrong after the next chapter is inserted."""
    stems = {c.stem for c in CHAPTERS}
    for cell in read(path).cells:
        if cell.cell_type != "markdown":
            continue
        bare = LINK.sub("", cell.source)
        assert not MENTION.search(bare), f"{cell.id}: write [chapter NN](NN_slug.ipynb)"
        for text, target, number, slug, heading in LINK.findall(cell.source):
            assert f"{number}_{slug}" in stems, f"{cell.id}: there is no chapter {target}"
            named = re.match(r"(?:chapter )?(\d+)\b", text, re.IGNORECASE)
            assert named is None or int(named[1]) == int(number), f"{cell.id}: [{text}]({target})"
            other = path.parent / target
            if heading and other.is_file():
                assert heading in headings(other), f"{cell.id}: no heading {heading} in {target}"


def headings(path: Path) -> set[str]:
    """The addresses of the headings of a notebook, as JupyterLab makes them."""
    return {line.strip().replace(" ", "-") for line in re.findall(r"^#+ +(.*)$", prose(path), re.M)}


def test_what_is_repeated_from_the_table_is_up_to_date() -> None:
    old = [page.name for page, text in pages(ROOT) if page.read_text("utf-8") != text]
    assert not old, f"run `lectures build-pages`: {old}"
