"""Where things are: the course's own notebooks, and the student's folder.

In a copy of the repository the student's folder is `work/`. Where the course came as a package, its
notebooks lie inside the package, and the student's folder is the one around us, or a new one here.

work/notebooks/, work/exercises/   what a student opens
work/progress/                     one small file per exercise
work/backups/                      every file that was ever replaced, by time
work/.lectures/handed_out/         the notebooks as they were handed out, to compare with
"""

from __future__ import annotations

from pathlib import Path

from lectures_lib.chapters import CHAPTERS

MARKER = ".lectures"
FOLDERS = ("notebooks", "exercises")
PACKAGED = Path(__file__).resolve().parents[1] / "course"
"""The notebooks inside the installed package; a copy of the repository has none there."""
FRESH = "linear-classification"
"""The name of a student's folder that is made where no repository is around."""


class NotFound(Exception):
    """A folder that is needed is not there; the message says where it was looked for."""


def find_work(start: Path | None = None) -> Path | None:
    """The student's folder that contains `start` (by default the current folder), or None."""
    here = (start or Path.cwd()).resolve()
    return next((folder for folder in (here, *here.parents) if (folder / MARKER).is_dir()), None)


def find_repository(start: Path | None = None) -> Path:
    """The folder with the course's own notebooks: `start` or the nearest folder above it."""
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if _holds_the_course(folder) and not (folder / MARKER).is_dir():
            return folder
    raise NotFound(
        f"No course found in {here} or above it: expected a folder with "
        f"{' and '.join(name + '/' for name in FOLDERS)}. Run this command inside a copy of the "
        "course's repository."
    )


def find_course(start: Path | None = None) -> Path:
    """Where notebooks are handed out from: the repository around us, else the package."""
    try:
        return find_repository(start)
    except NotFound:
        if PACKAGED.is_dir():
            return PACKAGED
        raise


def _holds_the_course(folder: Path) -> bool:
    """Whether our notebooks are there; other people's folders have the same names."""
    if not all((folder / name).is_dir() for name in FOLDERS):
        return False
    return any((folder / name / f"{c.stem}.ipynb").is_file() for c in CHAPTERS for name in FOLDERS)


def work_of(course: Path) -> Path:
    """The student's folder of a course."""
    if course != PACKAGED:
        return course / "work"
    return find_work() or Path.cwd().resolve() / FRESH
