"""The web site of the course, built once for all tests, in whichever process they run."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from builder.collected import contents
from builder.public import modules

from lectures_lib.chapters import CHAPTERS
from tests.conftest import ROOT

PATIENCE = 1800  # seconds that the build may take on a busy machine


def page_names() -> list[str]:
    """All pages of the site, without endings."""
    listed = [name for names in contents().values() for name in names]
    exercises = [f"exercises/{chapter.stem}" for chapter in CHAPTERS[1:]]
    library = [f"reference/library/{module.rpartition('.')[2]}" for module in modules()]
    return ["index", *listed, *exercises, *library, "search"]


@pytest.fixture(scope="session")
def built_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site. SITE_HTML names one that is built already."""
    if "SITE_HTML" in os.environ:
        return Path(os.environ["SITE_HTML"])
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # the folder above belongs to all workers
        shared = shared.parent
    return build_once(shared / "site")


def build_once(target: Path) -> Path:
    """Build in the first process that asks; the others wait for it."""
    log = target.with_suffix(".log")
    try:
        target.with_suffix(".claimed").mkdir()  # the build begins by emptying the target
    except FileExistsError:
        end = time.monotonic() + PATIENCE
        while not log.exists() and time.monotonic() < end:
            time.sleep(0.1)
    else:
        build = [sys.executable, ROOT / "site" / "build_site.py", target]
        made = subprocess.run(build, capture_output=True, text=True, encoding="utf-8")
        unfinished = log.with_suffix(".part")
        unfinished.write_text(f"{made.returncode}\n{made.stdout}{made.stderr}", encoding="utf-8")
        unfinished.rename(log)
    code, _, said = log.read_text(encoding="utf-8").partition("\n")
    assert code == "0", f"the site could not be built without a warning:\n{said}"
    return target / "html"
