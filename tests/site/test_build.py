"""The built site as files: every link leads somewhere, and nothing comes from elsewhere."""

from __future__ import annotations

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

LARGEST = 3_000_000  # bytes of a page with everything that it reads
MONEY_IN = re.compile(r"\$[^$\n]+\$")


class Links(HTMLParser):
    """What a page points to, what it reads, and what can be pointed to in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = {""}
        self.links: list[str] = []
        self.reads: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

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


@cache
def page(path: Path) -> Links:
    return Links(path)


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def beside(path: Path, address: str) -> Path:
    """The file that an address on a page names."""
    return (path.parent / unquote(urlsplit(address).path)).resolve() if address else path


def has_anchor(target: Path, name: str) -> bool:
    return target.suffix != ".html" or unquote(name) in page(target).anchors


def is_outside(address: str) -> bool:
    return bool(urlsplit(address).scheme or urlsplit(address).netloc)


def test_every_page_of_the_contents_was_built(built_site: Path) -> None:
    assert all((built_site / f"{name}.html").is_file() for name in page_names())


def test_every_internal_link_and_anchor_leads_somewhere(built_site: Path) -> None:
    broken, seen = [], 0
    for path in pages(built_site):
        for link in page(path).links:
            if is_outside(link):
                continue
            address = urlsplit(link)
            target = path if not address.path else beside(path, link)
            seen += 1
            if not target.is_file() or not has_anchor(target, address.fragment):
                broken.append(f"{path.name}: {link}")
    assert broken == []
    assert seen > 1000


def test_a_page_reads_only_what_lies_beside_it(built_site: Path) -> None:
    for path in pages(built_site):
        for address in page(path).reads:
            assert not is_outside(address), (path.name, address)
            assert beside(path, address).is_file(), (path.name, address)


def test_no_style_or_script_of_ours_names_a_place_in_the_network(built_site: Path) -> None:
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


def test_every_live_picture_of_the_notebooks_is_on_its_page(built_site: Path) -> None:
    for chapter in CHAPTERS:
        text = (built_site / "notebooks" / f"{chapter.stem}.html").read_text(encoding="utf-8")
        cells = json.loads((ROOT / "notebooks" / f"{chapter.stem}.ipynb").read_text("utf-8"))
        stored = re.findall(r'data-live=\\?"(\w+)', json.dumps(cells))
        shown = re.findall(r'data-live="(\w+)"', text)
        assert shown == stored
        scripts = re.findall(r'data-picture="([\w-]+)"', text)
        assert len(scripts) + text.count('class="asleep"') == len(stored)
        for name, fallback in fallbacks(built_site, scripts).items():
            assert fallback in stored, f"{name} starts with another scene than its static picture"


def fallbacks(site: Path, names: list[str]) -> dict[str, str]:
    """The scene that each script of a picture begins with."""
    import base64
    import gzip

    found = {}
    for name in names:
        text = (site / "_static" / "live" / f"{name}.js").read_text(encoding="utf-8")
        packed = re.fullmatch(r'lecturesPicture\("([\w-]+)","([^"]+)"\);\n', text)
        assert packed, name
        assert packed[1] == name
        head = gzip.decompress(base64.b64decode(packed[2])).partition(b"\n")[0]
        found[name] = json.loads(head)["state"]["_fallback"]
    return found


def test_chapters_follow_each_other(built_site: Path) -> None:
    for chapter, following in pairwise(CHAPTERS):
        text = (built_site / "notebooks" / f"{chapter.stem}.html").read_text(encoding="utf-8")
        assert f'<a class="next-page" href="{following.stem}.html">' in text


def test_every_chapter_and_its_exercises_can_be_taken_away(built_site: Path) -> None:
    for chapter in CHAPTERS[1:]:
        for folder in ("notebooks", "exercises"):
            path = built_site / folder / f"{chapter.stem}.html"
            (link,) = [a for a in page(path).links if a.endswith(".ipynb")]
            original = ROOT / folder / f"{chapter.stem}.ipynb"
            assert beside(path, link).read_bytes() == original.read_bytes()


def test_no_formula_was_left_as_text(built_site: Path) -> None:
    for path in pages(built_site):
        body = re.sub(r"<pre>.*?</pre>|<code.*?</code>", "", path.read_text("utf-8"), flags=re.S)
        left = MONEY_IN.findall("".join(re.findall(r"<p>(.*?)</p>", body, re.S)))
        assert not left, (path.name, left[:3])
