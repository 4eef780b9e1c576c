"""The formula sheet as a browser prints it."""

from pathlib import Path

from playwright.sync_api import Browser

from lectures_lib.chapters.land_cover import closing


def test_it_prints_on_two_pages_and_fits_a_phone(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page(viewport={"width": 430, "height": 900})
    page.goto(closing.save_formula_sheet(tmp_path).as_uri())
    pdf = page.pdf(prefer_css_page_size=True)
    assert pdf.count(b"/Type /Page") - pdf.count(b"/Type /Pages") == 2
    assert page.evaluate("document.documentElement.scrollWidth") <= 430
    page.close()
