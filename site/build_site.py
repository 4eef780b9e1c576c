"""Build the course as a web site: `python course.py site` calls this.

    site/_build/source   what Sphinx reads: notebooks and pages, written anew each time
    site/_build/html     the site; open index.html, no server is needed

Nothing is downloaded and no notebook is run: the outputs are the stored ones.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from builder.mended import mend
from builder.sources import write_sources
from sphinx.cmd.build import main as sphinx

SITE = Path(__file__).resolve().parent
BUILD = SITE / "_build"


def build(target: Path = BUILD) -> int:
    """Build everything from nothing into `target`; what Sphinx returns, 0 for a clean site."""
    shutil.rmtree(target, ignore_errors=True)
    write_sources(target / "source", target / "html")
    places = ["-c", SITE, "-d", target / "doctrees", target / "source", target / "html"]
    quiet = [] if sys.stderr.isatty() else ["-q"]  # in a terminal Sphinx says how far it is
    words = ["-b", "html", "-j", "auto", *quiet, "-W", "--keep-going"]
    code = sphinx([*words, *map(str, places)])
    mend(target / "html")
    return code


if __name__ == "__main__":
    sys.exit(build(*map(Path, sys.argv[1:])))
