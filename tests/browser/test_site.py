"""The built site, opened from the disk: alive without a kernel, silent, readable by everybody."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from lectures_lib.figures.palette import DARK, LIGHT, rgb
from tests.browser.lab import WAIT
from tests.built_site import page_names

# With a live picture each; the chapter also has one asleep, tables, formulas, code and outputs.
ALWAYS = ("index", "notebooks/04_perceptron")
PAGES = [
    pytest.param(name, marks=() if name in ALWAYS else pytest.mark.deep) for name in page_names()
]
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
# The layer of a formula that is drawn is hidden from screen readers, and most of a page's elements.
WITHOUT_DRAWN_FORMULAS = """() => document.querySelectorAll(".katex-html").forEach(
  drawn => drawn.remove())"""
FINDINGS = """options => axe.run({ preload: false, resultTypes: ["violations"], ...options }).then(
  found => found.violations.flatMap(v => v.nodes.map(
    node => `${v.impact}: ${v.id}: ${v.help}: ${node.html.slice(0, 160)}`)))"""
# Contrast and landmarks take most of the time: each is looked at once in a theme, and a phone,
# which has a menu of its own, is where the landmarks are looked at.
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
ON_A_DESKTOP = {"rules": {"region": {"enabled": False}}}
ON_A_PHONE = {"rules": {"color-contrast": {"enabled": False}}}
LOOKS = ((1400, "light", ON_A_DESKTOP), (1400, "dark", COLOURS), (390, "light", ON_A_PHONE))
DRAWN = "el => el.querySelector('.lm-body').innerHTML + el.querySelector('.lm-sentence').innerHTML"
# What moves a control: a slider or a list that stands at its end goes back.
KEY = """el => el.matches("button, [type=checkbox]") ? "Space"
  : el.value === (el.max ?? el.lastElementChild.value) ? "ArrowLeft" : "ArrowRight" """
# Fonts are there, and what answers to a change of size has answered: it does so in each frame.
SETTLED = """width => document.fonts.ready.then(() => new Promise(done => {
  const wait = frames => requestAnimationFrame(
    () => frames ? wait(frames - (innerWidth === width)) : done());
  wait(2);
}))"""
# What is scrolled sideways and cannot be by keyboard, and stops of the keyboard without a reason.
UNREACHED = """() => [...document.querySelectorAll("body :not(.katex *)")].filter(part => {
  const over = /auto|scroll/.test(getComputedStyle(part).overflowX);
  const scrolled = over && part.scrollWidth > part.clientWidth;
  const reached = part.matches('[tabindex="0"][role="group"][aria-label]');
  return scrolled !== reached && !part.querySelector("a[href], button, input");
}).map(part => part.outerHTML.slice(0, 160))"""


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """An empty page, held to ask nobody elsewhere for anything and to raise no error."""
    problems: list[str] = []
    here = ("file:", "data:", "blob:")
    page = browser.new_context(has_touch=getattr(request, "param", False)).new_page()
    page.on("request", lambda asked: asked.url.startswith(here) or problems.append(asked.url))
    page.on("requestfailed", lambda asked: problems.append(f"failed: {asked.url}"))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: said.type == "error" and problems.append(said.text))
    yield page
    page.context.close()
    assert problems == []


def go(page: Page, path: Path, width: int = 1400, scheme: Any = "light", search: str = "") -> None:
    page.goto(path.as_uri() + search)
    show(page, width, scheme)


def show(page: Page, width: int, scheme: Any) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.evaluate(SETTLED, width)


def use(picture: Locator) -> None:
    """Move one control of a live picture by keyboard, and see that the picture follows."""
    picture.scroll_into_view_if_needed()
    expect(picture.locator(".lm")).to_be_visible(timeout=WAIT)
    before = picture.evaluate(DRAWN)
    picture.locator("details").evaluate_all("all => all.forEach(folded => (folded.open = true))")
    controls = "input[type=range], select, input[type=checkbox], .lm button:enabled"
    first = picture.locator(controls).first
    first.press(first.evaluate(KEY))
    picture.page.wait_for_function(
        f"([el, before]) => ({DRAWN})(el) !== before",
        arg=[picture.element_handle(), before],
        timeout=WAIT,
    )


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_alive_silent_and_accessible(built_site: Path, page: Page, name: str) -> None:
    go(page, built_site / f"{name}.html")
    for picture in page.locator(".live-picture").all():
        use(picture)
        still = picture.locator("xpath=preceding-sibling::*[1]")
        expect(still).to_be_hidden(timeout=WAIT)  # the static picture has made room
    expect(page.locator(".formula:not(:has(.katex))")).to_have_count(0, timeout=WAIT)

    found: list[str] = []
    for width in (1400, 1024, 390):
        show(page, width, "light")
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            found.append(f"{width}: the page is {wide} pixels wide")
        found += [f"{width}, keyboard: {it}" for it in page.evaluate(UNREACHED)]
    page.evaluate(WITHOUT_DRAWN_FORMULAS)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for width, scheme, options in LOOKS:
        show(page, width, scheme)
        found += [f"{width}, {scheme}: {it}" for it in page.evaluate(FINDINGS, options)]
    assert found == []


def colour(page: Page, selector: str, name: str) -> str:
    return str(page.locator(selector).first.evaluate(f"el => getComputedStyle(el).{name}"))


def css(colour: str) -> str:
    return f"rgb({', '.join(str(round(255 * part)) for part in rgb(colour))})"


def test_pictures_follow_the_switch_of_the_page(built_site: Path, page: Page) -> None:
    go(page, built_site / "index.html")
    expect(page.locator(".lm")).to_be_visible(timeout=WAIT)
    body = page.locator("body")
    expect(body).to_have_attribute("data-theme", "auto")
    for scheme, theme in (("light", LIGHT), ("dark", DARK)):
        show(page, 1400, scheme)
        assert colour(page, ".lm", "color") == css(theme["ink"])
    for chosen, system, theme in (("dark", "light", DARK), ("light", "dark", LIGHT)):
        show(page, 1400, system)
        for _ in range(3):
            if body.get_attribute("data-theme") != chosen:
                page.locator(".theme-toggle:visible").first.click()
        expect(body).to_have_attribute("data-theme", chosen)
        assert colour(page, ".lm", "color") == css(theme["ink"])
        assert colour(page, ".lm-figure img", "colorScheme") == chosen


def test_the_search_finds_a_chapter_without_a_server(built_site: Path, page: Page) -> None:
    go(page, built_site / "search.html", search="?q=perceptron")
    result = page.locator("#search-results a", has_text="4. The perceptron").first
    expect(result).to_be_visible(timeout=WAIT)


def test_the_box_of_the_glossary_leaves_what_fits(built_site: Path, page: Page) -> None:
    go(page, built_site / "reference" / "glossary.html")
    page.get_by_role("searchbox", name="Find a term").fill("VEROSIMIGLIANZA")
    expect(page.locator(".entry:visible").first).to_contain_text("verosimiglianza", timeout=WAIT)
    assert 0 < page.locator(".entry:visible").count() < page.locator(".entry").count() / 4
    expect(page.get_by_role("status")).to_contain_text("shown")


def test_print_holds_the_text_and_light_pictures(built_site: Path, page: Page) -> None:
    go(page, built_site / "notebooks" / "04_perceptron.html", 1000, "dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert colour(page, ".lm-figure img", "colorScheme") == "light"
    for hidden in (".sidebar-drawer", ".toc-drawer", ".related-pages", ".headerlink"):
        expect(page.locator(hidden).first).to_be_hidden()
    expect(page.locator("h1")).to_be_visible()


@pytest.mark.parametrize("page", [False, True], ids=["mouse", "finger"], indirect=True)
def test_the_line_of_the_start_page_is_dragged(
    built_site: Path, page: Page, request: pytest.FixtureRequest
) -> None:
    finger = "finger" in request.node.name
    go(page, built_site / "index.html", 390 if finger else 1400)
    sentence = page.locator(".lm-sentence")
    expect(sentence).to_be_visible(timeout=WAIT)
    before = sentence.text_content() or ""
    grip = page.locator(".lm-handle .lm-knob").first
    grip.scroll_into_view_if_needed()
    box = grip.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    if finger:
        send = page.context.new_cdp_session(page).send
        for kind, share in (("touchStart", 0), ("touchMove", 0.5), ("touchMove", 1)):
            point = {"x": x + 30 * share, "y": y + 60 * share}
            send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
        send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    else:
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 30, y + 60, steps=4)
        page.mouse.up()
    expect(sentence).not_to_have_text(before, timeout=WAIT)
