"""The web site: how long it takes to build, how soon a page answers, how fast its pictures move.

Everything is opened from the disk in Chromium. Limits are those that the site promises; the moves
of a picture are measured as in `bench_widgets`, so that they compare with JupyterLab.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

import numpy as np
from playwright.sync_api import Page

from benchmarks._table import Measured, Row
from benchmarks.bench_widgets import WATCH, _keys, _one_by_one
from lectures_lib.chapters import CHAPTERS
from tests.browser.lab import chromium

ROOT = Path(__file__).parents[1]
LOADS = 3  # of each page; the best counts
# Everything that the page does of its own accord is done: formulas are set, scripts have run.
ANSWERS = "performance.getEntriesByType('navigation')[0].loadEventEnd"


@cache
def built() -> tuple[Path, float, float]:
    """The site, built from nothing: its folder, seconds, and seconds of processor time."""
    folder = Path(tempfile.mkdtemp()) / "site"
    before, start = os.times(), time.perf_counter()
    subprocess.run([sys.executable, ROOT / "site" / "build_site.py", folder], check=True)
    seconds, after = time.perf_counter() - start, os.times()
    worked = after.children_user + after.children_system
    return folder / "html", seconds, worked - before.children_user - before.children_system


def _build() -> Measured:
    _, seconds, worked = built()
    return Measured(seconds, 60, note=f"{worked:.0f} s of processor time, {os.cpu_count()} cores")


@cache
def _loads() -> dict[str, float]:
    """Milliseconds until each chapter's page answers, the best of its loads."""
    site = built()[0]
    found = {}
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        for chapter in CHAPTERS:
            times = []
            for _ in range(LOADS):
                page.goto((site / "notebooks" / f"{chapter.stem}.html").as_uri())
                page.wait_for_function(f"{ANSWERS} > 0")
                times.append(float(page.evaluate(ANSWERS)))
            found[chapter.stem] = min(times)
    return found


def _slowest() -> Measured:
    name, most = max(_loads().items(), key=lambda pair: pair[1])
    return Measured(most, 1000, "ms", note=f"{name}; best of {LOADS} loads of each chapter")


@cache
def _moves() -> tuple[float, float]:
    """Milliseconds from a key to the picture on the start page: median and 95 %."""
    with chromium() as browser:
        page: Page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.goto((built()[0] / "index.html").as_uri())
        page.wait_for_selector(".lm:not([hidden])")
        page.evaluate(WATCH, ["keydown", ".lm-sentence"])
        delays = _one_by_one(page, _keys(page))
    return float(np.median(delays)), float(np.percentile(delays, 95))


ROWS: list[Row] = [
    Row("the whole site, from nothing", _build),
    Row("the slowest chapter, until its page answers", _slowest),
    Row("a picture on a page, key to picture, median", lambda: Measured(_moves()[0], 10, "ms")),
    Row("a picture on a page, key to picture, 95 %", lambda: Measured(_moves()[1], 16, "ms")),
]
