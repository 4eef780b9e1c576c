"""The web site of the course, built once for all tests, in whichever process they run."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from builder.collected import contents

from lectures_lib.chapters import CHAPTERS
from tests.conftest import ROOT

PATIENCE = 1800  # seconds that the build may take on a busy machine


def page_names() -> list[str]:
    """The pages of the contents, without endings; some of them have pages of their own below."""
    listed = [name for names in contents().values() for name in names]
    return ["index", *listed, *(f"exercises/{c.stem}" for c in CHAPTERS[1:]), "search"]


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
        target.mkdir()
    except FileExistsError:
        wait_for(log)
    else:
        build = [sys.executable, ROOT / "site" / "build_site.py", target]
        made = subprocess.run(build, capture_output=True, text=True, encoding="utf-8")
        unfinished = log.with_suffix(".part")
        unfinished.write_text(f"{made.returncode}\n{made.stdout}{made.stderr}", encoding="utf-8")
        unfinished.rename(log)
    code, _, said = log.read_text(encoding="utf-8").partition("\n")
    assert code == "0", f"the site could not be built without a warning:\n{said}"
    return target / "html"


def wait_for(path: Path) -> None:
    for _ in range(10 * PATIENCE):
        if path.exists():
            return
        time.sleep(0.1)
    raise TimeoutError(f"{path} was not written")
