"""Where things are: the course's own notebooks, and the student's folder `work/` beside them.

work/notebooks/, work/exercises/   what a student opens
work/progress/                     one small file per exercise
work/backups/                      every file that was ever replaced, by time
work/.lectures/handed_out/         the notebooks as they were handed out, to compare with
"""

from __future__ import annotations

from pathlib import Path

MARKER = ".lectures"
FOLDERS = ("notebooks", "exercises")


class NotFound(Exception):
    """A folder that is needed is not there; the message says where it was looked for."""


def find_work(start: Path | None = None) -> Path | None:
    """The student's folder that contains `start` (by default the current folder), or None."""
    here = (start or Path.cwd()).resolve()
    return next((folder for folder in (here, *here.parents) if (folder / MARKER).is_dir()), None)


def find_course(start: Path | None = None) -> Path:
    """The folder with the course's own notebooks: `start` or the nearest folder above it."""
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        complete = all((folder / name).is_dir() for name in FOLDERS)
        if complete and not (folder / MARKER).is_dir():
            return folder
    raise NotFound(
        f"No course found in {here} or above it: expected a folder with "
        f"{' and '.join(name + '/' for name in FOLDERS)}. Run this command inside the course."
    )


def work_of(course: Path) -> Path:
    """The student's folder of a course."""
    return course / "work"
