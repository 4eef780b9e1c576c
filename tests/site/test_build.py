"""The built site as files: every link leads somewhere, and nothing comes from elsewhere."""

from __future__ import annotations

import base64
import gzip
import json
import re
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from lectures_lib.chapters import CHAPTERS
from tests.built_site import page_names
from tests.conftest import ROOT

pytestmark = pytest.mark.slow

LARGEST = 1_500_000  # bytes of a page with everything that it reads
SCROLLED = r"formula display|output text_html|table-wrapper"  # classes, beside <pre>
MONEY_IN = re.compile(r"\$[^$\n]+\$")


class Page(HTMLParser):
    """What a page points to and reads, what can be pointed to in it, and how it is made."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.text = path.read_text(encoding="utf-8")
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.reads: list[str] = []
        self.levels: list[int] = []  # of its headings
        self.scrolled: list[dict[str, str]] = []  # attributes of what can be wider than the page
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        self.anchors |= {named[key] for key in ("id", "name") if key in named}
        if tag == "a" and "href" in named:
            self.links.append(named["href"])
        if tag in ("img", "script", "iframe", "source") and "src" in named:
            self.reads.append(named["src"])
        if tag == "link" and named.get("rel") in ("stylesheet", "icon", "preload"):
            self.reads.append(named["href"])
        if "data-picture" in named:
            self.reads += [f"{named['data-root']}_static/live/{named['data-picture']}.js"]
            self.reads += [f"{named['data-root']}_static/picture.js"]
        if re.fullmatch(r"h[1-6]", tag):
            self.levels.append(int(tag[1]))
        if tag == "pre" or re.match(SCROLLED, named.get("class", "")):
            self.scrolled.append(named)


@cache
def page(path: Path) -> Page:
    return Page(path)


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def beside(path: Path, address: str) -> Path:
    """The file that an address on a page names."""
    there = unquote(urlsplit(address).path)
    return (path.parent / there).resolve() if there else path


def is_outside(address: str) -> bool:
    return bool(urlsplit(address).scheme or urlsplit(address).netloc)


def test_the_pages_are_those_of_the_contents(built_site: Path) -> None:
    built = [path.relative_to(built_site).with_suffix("").as_posix() for path in pages(built_site)]
    assert built == sorted(page_names())


def test_every_internal_link_and_anchor_leads_somewhere(built_site: Path) -> None:
    broken, seen = [], 0
    for path in pages(built_site):
        for link in (link for link in page(path).links if not is_outside(link)):
            target, anchor = beside(path, link), unquote(urlsplit(link).fragment)
            seen += 1
            if not target.is_file() or (anchor and anchor not in page(target).anchors):
                broken.append(f"{path.name}: {link}")
    assert broken == []
    assert seen > 1000


def test_pages_and_styles_read_only_what_lies_beside_them(built_site: Path) -> None:
    for path in pages(built_site):
        for address in page(path).reads:
            assert not is_outside(address), (path.name, address)
            assert beside(path, address).is_file(), (path.name, address)
    styles = list((built_site / "_static").rglob("*.css"))
    assert styles
    for path in styles:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"@import|url\(\s*[\"']?(?:https?:)?//", text), path


def test_the_largest_page_with_all_that_it_reads_is_small(built_site: Path) -> None:
    fonts = sum(f.stat().st_size for f in (built_site / "_static/katex/fonts").glob("*.woff2"))
    for path in pages(built_site):
        files = {beside(path, address) for address in page(path).reads} | {path}
        size = sum(file.stat().st_size for file in files) + fonts
        assert size < LARGEST, f"{path.name}: {size / 1e6:.2f} MB"


def test_only_pages_with_formulas_read_what_sets_them(built_site: Path) -> None:
    for path in pages(built_site):
        text = page(path).text
        assert ('class="formula' in text) == ("katex.min.js" in text), path.name


def test_headings_begin_with_one_title_and_skip_no_level(built_site: Path) -> None:
    for path in pages(built_site):
        levels = page(path).levels
        assert levels[0] == 1, path
        assert levels.count(1) == 1, path
        assert all(after - before <= 1 for before, after in pairwise(levels)), path


def test_whatever_can_be_wider_than_the_page_is_reached_by_keyboard_and_named(
    built_site: Path,
) -> None:
    """Before a script has run; `wide.js` then takes the stop from what fits."""
    found = [part for path in pages(built_site) for part in page(path).scrolled]
    for part in found:
        assert (part.get("tabindex"), part.get("role")) == ("0", "group"), part
    assert {part.get("aria-label") for part in found} == {"Code", "Formula", "Output", "Table"}


def test_every_live_picture_of_the_notebooks_is_on_its_page(built_site: Path) -> None:
    for chapter in CHAPTERS:
        text = page(built_site / "notebooks" / f"{chapter.stem}.html").text
        notebook = (ROOT / "notebooks" / f"{chapter.stem}.ipynb").read_text(encoding="utf-8")
        stored = re.findall(r'data-live=\\"(\w+)', notebook)
        assert re.findall(r'data-live="(\w+)"', text) == stored
        scripts = re.findall(r'data-picture="([\w-]+)"', text)
        assert len(scripts) == len(stored)  # none is dead: what does not fit is a recording
        for name in scripts:
            script = (built_site / "_static" / "live" / f"{name}.js").read_text(encoding="utf-8")
            recorded = text.partition(f'data-picture="{name}"')[2][:99].count('class="asleep"')
            assert len(script) <= (300_000 if recorded else 1_000_000), name
            packed = script.removeprefix(f'lecturesPicture("{name}","').removesuffix('");\n')
            head = gzip.decompress(base64.b64decode(packed, validate=True)).partition(b"\n")[0]
            assert json.loads(head)["state"]["_fallback"] in stored, f"{name}: not the scene before"


def test_chapters_follow_each_other(built_site: Path) -> None:
    for chapter, following in pairwise(CHAPTERS):
        text = page(built_site / "notebooks" / f"{chapter.stem}.html").text
        assert f'<a class="next-page" href="{following.stem}.html">' in text


def test_every_chapter_and_its_exercises_can_be_taken_away(built_site: Path) -> None:
    for chapter in CHAPTERS[1:]:
        for folder in ("notebooks", "exercises"):
            path = built_site / folder / f"{chapter.stem}.html"
            (link,) = [a for a in page(path).links if a.endswith(".ipynb")]
            original = ROOT / folder / f"{chapter.stem}.ipynb"
            assert beside(path, link).read_bytes() == original.read_bytes()


def test_no_formula_was_left_as_text_or_cut_in_two(built_site: Path) -> None:
    for path in pages(built_site):
        body = re.sub(r"<pre.*?</pre>|<code.*?</code>", "", page(path).text, flags=re.S)
        left = MONEY_IN.findall("".join(re.findall(r"<p\b[^>]*>(.*?)</p>", body, re.S)))
        assert not left, (path.name, left[:3])
        for formula in re.findall(r'class="formula[^>]*>([^<]*)', body):
            assert formula.count(r"\begin") == formula.count(r"\end"), (path.name, formula)
