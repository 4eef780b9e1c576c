"""Fixtures for tests in a real JupyterLab: one server and one browser for the whole session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.lab import Lab, chromium, chromium_path, lab_server
from tests.built_site import built_site

__all__ = ["browser", "built_site", "lab"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)
            if not item.get_closest_marker("deep"):
                item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if chromium_path() is None:
        pytest.skip("no Chromium found: install one, or set CHROMIUM_PATH")
    with chromium() as found:
        yield found


@pytest.fixture(scope="session")
def lab(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """It asks for the browser first: without one, no server is started."""
    with lab_server(tmp_path_factory.mktemp("lab")) as running:
        yield running
