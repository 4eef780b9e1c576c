"""Open JupyterLab on your own copy of the course.

Options that `lectures lab` does not know go to JupyterLab: --no-browser, --ServerApp.port=9999, ...
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from lectures_lib.chapters import CHAPTERS
from lectures_lib.commands import work
from lectures_lib.workspace.place import MARKER, find_course, work_of

HANDS_ON = True  # words that are not ours are meant for JupyterLab
SETTINGS = Path(__file__).parent / "lab_settings"
PROMPT = "lectures_lib.widgets.connection.Prompt"
KEPT_INSIDE = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR", "MPLCONFIGDIR")
"""Where Jupyter, IPython and Matplotlib keep settings and caches; yours count if you set them."""


def run(arguments: argparse.Namespace) -> int:
    """Lay out what is missing, then start JupyterLab there, at the first notebook."""
    if code := work.run(arguments):
        return code
    print("Starting JupyterLab: a few seconds, half a minute on a slow disk ...", flush=True)
    folder = work_of(find_course())
    for name in KEPT_INSIDE:
        os.environ.setdefault(name, str(folder / MARKER / "settings" / name.lower()))
    from jupyterlab.labapp import LabApp

    LabApp.launch_instance(words(folder, arguments.handed_on))
    return 0


def words(folder: Path, handed_on: Sequence[str]) -> list[str]:
    """What JupyterLab is told: the student's folder, where to begin, no news from the network."""
    return [
        f"--ServerApp.root_dir={folder}",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        f"--LabApp.app_settings_dir={SETTINGS}",
        f"--ServerApp.kernel_websocket_connection_class={PROMPT}",  # small messages leave at once
        "--LanguageServerManager.autodetect=False",  # else npm, where it is, writes into the home
        f"--LabApp.default_url=/lab/tree/notebooks/{CHAPTERS[0].stem}.ipynb",
        *handed_on,
    ]
