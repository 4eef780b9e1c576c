"""The built site, opened from the disk: alive without a kernel, silent, readable by everybody."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from lectures_lib.figures.palette import DARK, LIGHT, rgb
from tests.browser.lab import WAIT
from tests.built_site import page_names

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
# The layer of a formula that is drawn is hidden from screen readers, and most of a page's elements.
WITHOUT_DRAWN_FORMULAS = """() => document.querySelectorAll(".katex-html").forEach(
  drawn => drawn.remove())"""
FINDINGS = """options => axe.run({ preload: false, ...options }).then(
  found => found.violations.flatMap(v => v.nodes.map(
    node => `${v.impact}: ${v.id}: ${v.help}: ${node.html.slice(0, 160)}`)))"""
# Contrast and landmarks take most of the time: each is looked at once in a theme, and a phone,
# which has a menu of its own, is where the landmarks are looked at.
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
ON_A_DESKTOP = {"rules": {"region": {"enabled": False}}}
ON_A_PHONE = {"rules": {"color-contrast": {"enabled": False}}}
LOOKS = ((1400, "light", ON_A_DESKTOP), (1400, "dark", COLOURS), (390, "light", ON_A_PHONE))
WIDTHS = (1400, 390)
DRAWN = "el => el.querySelector('.lm-body').innerHTML + el.querySelector('.lm-sentence').innerHTML"


@dataclass
class Opened:
    """A page, and what it did that nobody wants."""

    page: Page
    problems: list[str] = field(default_factory=list)


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opened]:
    """An empty page that takes down every request to elsewhere and every error."""
    page = browser.new_context(viewport={"width": 1400, "height": 900}).new_page()
    found = Opened(page)
    page.on("request", lambda asked: note(found, asked.url))
    page.on("requestfailed", lambda asked: found.problems.append(f"failed: {asked.url}"))
    page.on("pageerror", lambda error: found.problems.append(str(error)))
    page.on(
        "console",
        lambda said: found.problems.append(said.text) if said.type == "error" else None,
    )
    yield found
    page.context.close()


def note(found: Opened, url: str) -> None:
    if not url.startswith(("file:", "data:", "blob:")):
        found.problems.append(f"asked for {url}")


def show(page: Page, width: int, scheme: Literal["light", "dark"]) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")


def use(picture: Locator) -> None:
    """Move one control of a live picture by keyboard, and see that the picture follows."""
    picture.scroll_into_view_if_needed()
    expect(picture.locator(".lm")).to_be_visible(timeout=WAIT)
    before = picture.evaluate(DRAWN)
    control = picture.locator("input[type=range], select, input[type=checkbox], .lm button:enabled")
    first = control.first
    first.focus()
    if first.evaluate("el => el.matches('button, [type=checkbox]')"):
        first.press("Space")
    else:
        value = first.input_value()
        first.press("ArrowRight")
        if first.input_value() == value:  # it stood at its end
            first.press("ArrowLeft")
    for _ in range(100):
        if picture.evaluate(DRAWN) != before:
            return
        picture.page.wait_for_timeout(50)
    raise AssertionError("the picture did not follow")


@pytest.mark.parametrize("name", page_names())
def test_a_page_is_alive_silent_and_accessible(built_site: Path, opened: Opened, name: str) -> None:
    visit(opened, built_site / f"{name}.html")


def visit(opened: Opened, path: Path) -> None:
    """Open a page, use its live pictures, and look at it in both themes and at both widths."""
    page = opened.page
    show(page, 1400, "light")
    page.goto(path.as_uri())
    pictures = page.locator(".live-picture").all()
    for picture in pictures:
        use(picture)
        still = picture.locator("xpath=preceding-sibling::*[1]")
        expect(still).to_be_hidden()  # the static picture has made room
    expect(page.locator(".formula:not(:has(.katex))")).to_have_count(0, timeout=WAIT)

    found: list[str] = []
    for width in WIDTHS:
        show(page, width, "light")
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            found.append(f"{width}: the page is {wide} pixels wide")
    page.evaluate(WITHOUT_DRAWN_FORMULAS)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for width, scheme, options in LOOKS:
        show(page, width, scheme)  # type: ignore[arg-type]
        found += [f"{width}, {scheme}: {it}" for it in page.evaluate(FINDINGS, options)]
    assert found == []
    assert opened.problems == []


def test_the_pages_below_other_pages_are_silent_and_accessible(
    built_site: Path, opened: Opened
) -> None:
    listed = {built_site / f"{name}.html" for name in page_names()}
    for path in sorted(set(built_site.rglob("*.html")) - listed):
        visit(opened, path)


def colour(page: Page, selector: str, name: str) -> str:
    return str(page.locator(selector).first.evaluate(f"el => getComputedStyle(el).{name}"))


def css(colour: str) -> str:
    return f"rgb({', '.join(str(round(255 * part)) for part in rgb(colour))})"


def test_pictures_follow_the_switch_of_the_page(built_site: Path, opened: Opened) -> None:
    page = opened.page
    show(page, 1400, "light")
    page.goto((built_site / "index.html").as_uri())
    expect(page.locator(".lm")).to_be_visible()
    expect(page.locator("body")).to_have_attribute("data-theme", "auto")
    for scheme, theme in (("light", LIGHT), ("dark", DARK)):
        show(page, 1400, scheme)  # type: ignore[arg-type]
        assert colour(page, ".lm", "color") == css(theme["ink"])
    show(page, 1400, "light")
    body = page.locator("body")
    for chosen, theme in (("dark", DARK), ("light", LIGHT)):
        show(page, 1400, "light" if chosen == "dark" else "dark")  # the system says otherwise
        for _ in range(3):
            if body.get_attribute("data-theme") == chosen:
                break
            page.locator(".theme-toggle:visible").first.click()
        expect(body).to_have_attribute("data-theme", chosen)
        assert colour(page, ".lm", "color") == css(theme["ink"])
        assert colour(page, ".lm-figure img", "colorScheme") == chosen


def test_the_search_finds_a_chapter_without_a_server(built_site: Path, opened: Opened) -> None:
    opened.page.goto((built_site / "search.html").as_uri() + "?q=perceptron")
    result = opened.page.locator("#search-results a", has_text="4. The perceptron").first
    expect(result).to_be_visible(timeout=WAIT)
    assert opened.problems == []


def test_print_holds_the_text_and_light_pictures(built_site: Path, opened: Opened) -> None:
    page = opened.page
    show(page, 1000, "dark")
    page.goto((built_site / "notebooks" / "04_perceptron.html").as_uri())
    page.emulate_media(media="print", color_scheme="dark")
    assert colour(page, ".lm-figure img", "colorScheme") == "light"
    for hidden in (".sidebar-drawer", ".toc-drawer", ".related-pages", ".headerlink"):
        expect(page.locator(hidden).first).to_be_hidden()
    expect(page.locator("h1")).to_be_visible()


def test_the_way_from_the_start_page_to_the_first_chapter(built_site: Path, opened: Opened) -> None:
    page = opened.page
    page.goto((built_site / "index.html").as_uri())
    page.get_by_role("link", name="Begin with chapter 1").click()
    expect(page.locator("h1")).to_contain_text("What it means to learn a classifier")


def drag_by_finger(page: Page, x: float, y: float, across: float, down: float) -> None:
    session = page.context.new_cdp_session(page)
    for kind, share in (("touchStart", 0), ("touchMove", 0.5), ("touchMove", 1)):
        point = {"x": x + share * across, "y": y + share * down}
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_the_line_of_the_start_page_is_dragged_by_mouse_and_by_finger(
    built_site: Path, browser: Browser
) -> None:
    for finger in (False, True):
        size: Any = {"width": 390 if finger else 1400, "height": 900}
        page = browser.new_context(viewport=size, has_touch=finger).new_page()
        page.goto((built_site / "index.html").as_uri())
        sentence = page.locator(".lm-sentence")
        expect(sentence).to_be_visible()
        before = sentence.text_content() or ""
        grip = page.locator(".lm-handle .lm-knob").first
        grip.scroll_into_view_if_needed()
        box = grip.bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if finger:
            drag_by_finger(page, x, y, 30, 60)
        else:
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(x + 30, y + 60, steps=4)
            page.mouse.up()
        expect(sentence).not_to_have_text(before)
        page.context.close()
