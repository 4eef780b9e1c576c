"""Everything that Sphinx reads, and the files beside the pages that it does not know of."""

from __future__ import annotations

import re
import shutil
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from builder.collected import DOCS, collected_pages, contents
from builder.live import LivePicture, live_pictures
from builder.notebooks import (
    beside,
    card_image,
    chapter_cards,
    chapter_page,
    exercise_page,
    exercises_table,
    live_picture_html,
    read,
    still,
)
from builder.styles import stylesheet
from lectures_lib.chapters import CHAPTERS
from lectures_lib.widgets import PAGE_SCRIPT
from lectures_lib.widgets.widget import SCRIPT
from lectures_lib.workspace.steps import each

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "site"
ORIGINALS = "originals"  # the notebooks to download: Sphinx copies them and makes no pages of them

Live = dict[str, dict[str, LivePicture]]  # notebook -> name -> picture


def write_sources(source: Path, html: Path) -> None:
    """Pages for Sphinx into `source`; pictures, scripts and styles into the site itself."""
    live = all_live_pictures()
    static = html / "_static"
    write_scripts(static, live)
    for part in ("notebooks", "exercises"):
        (source / part).mkdir(parents=True)
        shutil.copytree(ROOT / part, source / ORIGINALS / part)
    for chapter in each("Pages:", CHAPTERS):
        name = f"{chapter.stem}.ipynb"
        notebook = read(ROOT / "notebooks" / name)
        page = chapter_page(notebook, chapter, static / "pictures", live[chapter.stem])
        (source / "notebooks" / name).write_text(page, encoding="utf-8")
        if chapter.exercise_minutes:
            page = exercise_page(read(ROOT / "exercises" / name), chapter)
            (source / "exercises" / name).write_text(page, encoding="utf-8")
    for name, text in {**collected_pages(), **own_pages(static, live)}.items():
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def all_live_pictures() -> Live:
    """The live pictures of every notebook; their scenes are drawn in several processes."""
    stems = [chapter.stem for chapter in CHAPTERS]
    with ProcessPoolExecutor() as workers:
        drawn = workers.map(_live_pictures_of, stems)
        return dict(zip(each("Drawing pictures ahead:", stems), drawn, strict=True))


def _live_pictures_of(stem: str) -> dict[str, LivePicture]:
    return live_pictures(stem, read(ROOT / "notebooks" / f"{stem}.ipynb").cells)


def write_scripts(static: Path, live: Live) -> None:
    """What draws live pictures, once for the whole site, and a file for each picture."""
    (static / "live").mkdir(parents=True)
    widget = SCRIPT.replace("export default", "return")
    script = f"window.lecturesWidget = (() => {{\n{widget}\n}})();\n"
    shared = PAGE_SCRIPT.read_text(encoding="utf-8")
    # A page is smaller without comments and indentation; no text runs over several lines there.
    said = re.compile(r"^ *(?://[^\n]*|/\*\*.*?\*/)\n|^ +", re.MULTILINE | re.DOTALL)
    (static / "picture.js").write_text(said.sub("", shared + script), encoding="utf-8")
    (static / "picture.css").write_text(stylesheet(), encoding="utf-8")
    for pictures in live.values():
        for name, found in pictures.items():
            (static / "live" / f"{name}.js").write_text(found.script, encoding="utf-8")


def own_pages(static: Path, live: Live) -> dict[str, str]:
    """The start page and the list of exercises from their templates, and documents as they are."""
    first = CHAPTERS[0]
    picture = beside(
        still(ROOT / "notebooks" / f"{first.stem}.ipynb"), static / "pictures", ""
    ) + live_picture_html(f"{first.stem}-1", live[first.stem], "", "data-turns")
    cards = {
        chapter: beside(
            card_image(ROOT / "notebooks" / f"{chapter.stem}.ipynb"), static / "pictures", ""
        )
        for chapter in CHAPTERS
    }
    exercises = exercises_table(CHAPTERS[1:], ROOT / "exercises")
    stems = [chapter.stem for chapter in CHAPTERS[1:]]
    start = filled("index.md", picture=picture, chapters=chapter_cards(cards))
    return {
        **{f"about/{name}.md": (ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in DOCS},
        "index.md": start + toctrees(contents()),
        "exercises/index.md": filled("exercises.md", exercises=exercises) + toctrees({"": stems}),
    }


def filled(name: str, **texts: str) -> str:
    """A page of `site` with texts in its places in double brackets."""
    page = (SITE / name).read_text(encoding="utf-8")
    for place, text in texts.items():
        page = page.replace(f"[[{place}]]", text)
    return page


def toctrees(tables: dict[str, list[str]]) -> str:
    """Hidden tables of contents: what the side bar shows under each caption."""
    parts, short = [], short_titles()
    for caption, names in tables.items():
        head = [f":caption: {caption}"] if caption else []
        lines = [f"{short[name]} <{name}>" if name in short else name for name in names]
        parts.append("\n".join(["```{toctree}", ":hidden:", *head, "", *lines, "```"]))
    return "\n\n" + "\n\n".join(parts) + "\n"


def short_titles() -> dict[str, str]:
    """What the side bar calls a chapter: its title up to the colon."""
    return {
        f"notebooks/{chapter.stem}": f"{chapter.number}. {chapter.title.partition(':')[0]}"
        for chapter in CHAPTERS
    }
