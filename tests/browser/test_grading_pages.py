"""The pages of the grader in a browser: readable at every width, in both themes, and inactive."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.lab import violations
from tests.grading.test_reports import store_with, written

WIDTHS = ((430, "light"), (430, "dark"), (900, "dark"), (1400, "light"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    students = {f"student {k} with a rather long name": 6.0 if k % 3 else 2.5 for k in range(9)}
    return written(store_with(tmp_path_factory.mktemp("results"), students))


@pytest.mark.parametrize(("width", "scheme"), WIDTHS)
def test_the_pages_fit_and_can_be_read(
    browser: Browser, folder: Path, width: int, scheme: str
) -> None:
    pages = [
        folder / "class.html",
        folder / "teacher.html",
        sorted(folder.glob("feedback/*/*.html"))[0],
    ]
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True
    )
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for path in pages:
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page, "main", every=True) == []
    assert all(url.startswith("file:") for url in asked)
    context.close()


def test_an_example_on_one_page_and_a_student_from_the_other(
    browser: Browser, folder: Path
) -> None:
    page = browser.new_page()
    said: list[str] = []
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    page.goto((folder / "class.html").as_uri())
    page.get_by_text("The sign").first.click()
    assert page.get_by_text("Add, do not subtract.").is_visible()
    assert page.get_by_role("link").count() == 0
    page.goto((folder / "teacher.html").as_uri())
    page.get_by_role("link").nth(1).click()
    assert "of 12 points" in page.inner_text("main")
    page.get_by_text("Your answer").first.click()
    assert "<script>alert(1)</script>" in page.inner_text("main")
    assert said == []
    page.close()
