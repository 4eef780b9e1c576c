"""A notebook of the course as the source of a page: what a reader sees, and nothing twice."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import nbformat
from docutils.nodes import make_id

from builder.live import LivePicture, is_live
from lectures_lib.chapters import Chapter
from lectures_lib.figures.words import count

LINK = re.compile(r'href="([\w./]+)\.ipynb(?:#([^"]*))?"')
FORMULA = re.compile(r"\$([^$<>]+)\$")  # in what a check says
INLINE = re.compile(r'src="data:image/svg\+xml;base64,([^"]+)"')
STAND_INS = ("Live figure:", "Options to click", "Fields to fill in")  # texts of our widgets
HEAVY = 80_000  # characters of an image that no card shows
STYLE = re.compile(r"<style>\.lm-figure.*?</style>")


def read(path: Path) -> Any:
    """A stored notebook."""
    return nbformat.read(path, as_version=4)


def chapter_page(
    notebook: Any, chapter: Chapter, pictures: Path, live: Mapping[str, LivePicture]
) -> str:
    """The notebook of a chapter; its pictures are written into a folder of their own."""
    names = iter(live)
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        awake = live_picture_html(next(names), live, "../") if is_live(cell) else ""
        cell.outputs = [_seen(output, pictures, awake) for output in _shown(cell)]
    _under_title(notebook, _links(chapter))
    return str(nbformat.writes(notebook))


def exercise_page(notebook: Any, chapter: Chapter) -> str:
    """The notebook of exercises: the tasks, and the lines to begin with."""
    link = f"{{download}}`Download the notebook <../originals/exercises/{chapter.stem}.ipynb>`"
    note = f"{link} and open it in JupyterLab, where every answer is checked as you write it"
    _under_title(notebook, f"{{.page-links}}\n{note} ([how to start](../index.md#begin)).")
    return str(nbformat.writes(notebook))


def _links(chapter: Chapter) -> str:
    """The line under the title of a chapter."""
    parts = [f"{chapter.minutes} minutes"]
    if chapter.exercise_minutes:
        parts.append(f"[Exercises](../exercises/{chapter.stem}.ipynb)")
    parts.append(f"{{download}}`Notebook <../originals/notebooks/{chapter.stem}.ipynb>`")
    return "{.page-links}\n" + " · ".join(parts)


def _under_title(notebook: Any, line: str) -> None:
    """Put a line of Markdown between the title and what follows it in the first cell."""
    title, _, rest = notebook.cells[0].source.partition("\n")
    notebook.cells[0].source = f"{title}\n\n{line}\n{rest}"


def _shown(cell: Any) -> Iterator[Any]:
    """The outputs of a cell without the text that stands in for a widget."""
    for output in cell.outputs:
        data = output.get("data", {})
        if not (set(data) == {"text/plain"} and data["text/plain"].startswith(STAND_INS)):
            yield output


def _seen(output: Any, pictures: Path, awake: str) -> Any:
    """An output with the one form of it that a page shows."""
    data = output.get("data", {})
    for kind in ("text/html", "text/markdown"):
        if kind in data:
            output.data = nbformat.from_dict({kind: data[kind]})
    if "text/html" in data:
        markup = beside(with_links_to_pages(STYLE.sub("", data["text/html"])), pictures, "../")
        if 'role="group"' in markup:
            markup = FORMULA.sub(r'<span class="formula">\1</span>', markup)
        output.data["text/html"] = markup + (awake if "data-live=" in markup else "")
    return output


def with_links_to_pages(markup: str) -> str:
    """The markup with links to notebooks, and to their headings, as links to pages."""

    def page(found: re.Match[str]) -> str:
        anchor = f"#{make_id(unquote(found[2]))}" if found[2] else ""
        return f'href="{found[1]}.html{anchor}"'

    return LINK.sub(page, markup)


def beside(markup: str, pictures: Path, root: str) -> str:
    """The markup with its pictures as files, each stored once and read when it comes near."""

    def stored(found: re.Match[str]) -> str:
        content = base64.b64decode(found[1])
        name = f"{hashlib.sha256(content).hexdigest()[:16]}.svg"
        pictures.mkdir(parents=True, exist_ok=True)
        (pictures / name).write_bytes(content)
        return f'loading="lazy" src="{root}_static/pictures/{name}"'

    return INLINE.sub(stored, markup)


def live_picture_html(name: str, live: Mapping[str, LivePicture], root: str, also: str = "") -> str:
    """Where a live picture wakes; below a recording, what it does elsewhere."""
    place = f'<div class="live-picture" data-picture="{name}" data-root="{root}" {also}></div>'
    said = live[name].recorded
    return place + (f'<p class="asleep">{html.escape(said)}</p>' if said else "")


def exercises_table(chapters: tuple[Chapter, ...], folder: Path) -> str:
    """One row for each notebook of exercises: how many, and how long they take."""
    rows = ["| exercises of | how many | minutes |", "|---|---|---|"]
    for chapter in chapters:
        cells = read(folder / f"{chapter.stem}.ipynb").cells
        tasks = sum("check" in cell.metadata.get("lectures", {}) for cell in cells)
        link = f"[{chapter.number}. {chapter.title}]({chapter.stem}.ipynb)"
        rows.append(f"| {link} | {count(tasks, 'exercise')} | {chapter.exercise_minutes} |")
    return "\n".join(rows)


def still(path: Path) -> str:
    """What stands for the first live picture of a notebook where nothing moves."""
    return next(
        str(output.data["text/html"])
        for cell in read(path).cells
        for output in cell.get("outputs", [])
        if "data-live=" in output.get("data", {}).get("text/html", "")
    )


def card_image(path: Path) -> str:
    """The first live picture of a notebook, or its first light one; the title says what it is."""
    outputs = [o for cell in read(path).cells for o in cell.get("outputs", [])]
    markup = still(path) + "".join(o.get("data", {}).get("text/html", "") for o in outputs)
    image = next(tag for tag in re.findall(r"<img [^>]*>", markup) if len(tag) < HEAVY)
    return re.sub(r'alt="[^"]*"', 'alt=""', image)


def chapter_cards(images: Mapping[Chapter, str]) -> str:
    """A card for each chapter: its picture, where it is, and how long it takes."""
    cards = []
    for chapter, image in images.items():
        minutes = f"{chapter.minutes} minutes"
        if chapter.exercise_minutes:
            minutes += f", exercises {chapter.exercise_minutes}"
        title = f"<b>{chapter.number}. {html.escape(chapter.title)}</b><small>{minutes}</small>"
        link = f'href="notebooks/{chapter.stem}.html"'
        cards.append(f'<li><a {link}><span class="lm-figure">{image}</span>{title}</a></li>')
    return '<ul class="cards">\n' + "\n".join(cards) + "\n</ul>"
