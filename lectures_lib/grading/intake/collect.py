"""Finds submissions: nbgrader's `submitted/`, Moodle's zip (packed or not), a plain folder.

Whose it is stands in the name of the folder or of the file; nothing is unpacked to the disk.
"""

from __future__ import annotations

import os
import re
import stat
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path, PurePosixPath

from lectures_lib.grading.intake.reading import BYTES, UnreadableError, file_content

MOODLE = re.compile(r"^(?P<name>.+?)_(?P<id>\d+)_assignsubmission_file_?/?(?P<rest>.*)$")
MOST_FILES = 200_000


@dataclass(frozen=True)
class Submission:
    """One notebook of one student."""

    student: str
    assignment: str  # as the name says; "" where it says nothing
    path: Path
    member: str = ""  # inside a zip
    when: str = ""  # ISO time, where it is known
    moodle: str = ""  # Moodle's number of the participant

    @property
    def name(self) -> str:
        """The name of the file, as its student has chosen it."""
        return PurePosixPath(self.member or self.path.as_posix()).name

    def content(self) -> bytes:
        """The bytes, within the limits."""
        return _member(self.path, self.member) if self.member else file_content(self.path)


def find_submissions(place: Path, stems: Sequence[str]) -> list[Submission]:
    """All submissions in a folder or a zip, by student and assignment; of one there can be several
    versions."""
    if place.is_dir() or zipfile.is_zipfile(place):
        found = list(_found(place, stems))
    elif place.is_file() and place.suffix == ".ipynb":
        found = [Submission(place.stem, _assignment(place.name, stems), place)]
    else:
        raise FileNotFoundError(f"{place} is not a folder, a zip or a notebook")
    if len(found) > MOST_FILES:
        raise OSError(f"more than {MOST_FILES:,} notebooks in {place}")
    found = _told_apart(found)
    found.sort(key=lambda s: (s.student, s.assignment, str(s.path), s.member))
    return found


def without_notebook(place: Path) -> list[str]:
    """Who handed in files but no notebook, with the first of them: a zip, a program, a text."""
    owners: dict[str, list[str]] = {}
    for name, _, _ in _files(place):
        moodle, (first, *inner) = MOODLE.match(name.as_posix()), name.parts
        owner = moodle["name"] if moodle else first if inner else ""
        owners.setdefault(owner, []).append(name.name)
    return [
        f"{owner} ({names[0]})"
        for owner, names in sorted(owners.items())
        if owner and not any(name.endswith(".ipynb") for name in names)
    ]


def _files(place: Path) -> Iterator[tuple[Path, Path, zipfile.ZipInfo | None]]:
    """The files of a zip or a folder but for hidden ones: their names there, and where they lie."""
    listed: list[tuple[Path, Path, zipfile.ZipInfo | None]] = []
    if place.is_dir():
        folder = _submitted(place)
        listed += [(path.relative_to(folder), path, None) for path in _walked(folder)]
    elif zipfile.is_zipfile(place):
        with zipfile.ZipFile(place) as archive:
            listed += [(Path(e.filename), place, e) for e in archive.infolist() if not e.is_dir()]
    for name, path, entry in listed:
        hidden = any(part.startswith((".", "__MACOSX")) for part in name.parts)
        if name.parts and not hidden and not name.is_absolute():
            yield name, path, entry


def _walked(folder: Path) -> Iterator[Path]:
    for where, folders, files in os.walk(folder, followlinks=False):
        if "results.jsonl" in files:  # what a grader wrote; its feedback is no submission
            folders[:] = []
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(where) / name for name in sorted(files))


def _found(place: Path, stems: Sequence[str]) -> Iterator[Submission]:
    for name, path, entry in _files(place):
        if name.suffix != ".ipynb":
            continue
        if entry is not None:
            yield _submission(name, path, entry.filename, _dated(entry), stems)
        elif not _is_nbgraders(name, stems):
            yield _submission(name, path, "", "", stems)
        elif path.stem == name.parts[1]:  # what else lies there is none for nbgrader
            yield _submission(name, path, "", _time_beside(path), stems)


def _submitted(place: Path) -> Path:
    """The folder of the submissions in nbgrader's course, or the place itself."""
    return place / "submitted" if (place / "submitted").is_dir() else place


def _told_apart(found: Sequence[Submission]) -> list[Submission]:
    """Two people of one name in Moodle have their numbers added."""
    numbers: dict[str, set[str]] = {}
    for one in found:
        numbers.setdefault(one.student, set()).add(one.moodle)
    return [
        replace(one, student=f"{one.student} ({one.moodle})")
        if one.moodle and len(numbers[one.student]) > 1
        else one
        for one in found
    ]


def _is_nbgraders(relative: Path, stems: Sequence[str]) -> bool:
    """Whether nbgrader has put it there; elsewhere a student can hand in a time stamp too."""
    return len(relative.parts) == 3 and relative.parts[1] in stems


def _submission(
    relative: Path, path: Path, member: str, when: str, stems: Sequence[str]
) -> Submission:
    """Whose submission a file is, by the folders that it stands in and by its name."""
    first, assignment = relative.parts[0], _assignment(relative.as_posix(), stems)
    moodle = MOODLE.match(relative.as_posix())
    if moodle:
        return Submission(moodle["name"], assignment, path, member, when, moodle["id"])
    if len(relative.parts) > 1:
        return Submission(first, assignment, path, member, when)
    name = relative.stem
    for stem in stems:
        for word in (stem, stem.partition("_")[2]):
            name = re.sub(rf"(^|[_\-. ]){re.escape(word)}(?=$|[_\-. ])", "", name)
    return Submission(name.strip("_-. ") or relative.stem, assignment, path, member, when)


def _assignment(name: str, stems: Sequence[str]) -> str:
    """The assignment that a path names: by its full name, else by the longest slug in it."""
    for stem in stems:
        if stem in name:
            return stem
    slugs = sorted(stems, key=lambda stem: -len(stem))
    return next((stem for stem in slugs if stem.partition("_")[2] in name), "")


def _time_beside(path: Path) -> str:
    """nbgrader's time stamp, if there is one."""
    stamp = path.with_name("timestamp.txt")
    try:
        if not stat.S_ISREG(stamp.lstat().st_mode):
            return ""
        text = stamp.read_text(encoding="utf-8")[:60].strip().removesuffix("UTC").strip()
        found = datetime.fromisoformat(text)
    except (OSError, ValueError):
        return ""
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).isoformat()


def _dated(entry: zipfile.ZipInfo) -> str:
    """The time of a file in a zip, where it has one."""
    try:
        when = datetime(*entry.date_time, tzinfo=UTC)
    except ValueError:
        return ""
    return when.isoformat() if when.year > 1980 else ""


@lru_cache(maxsize=1)
def _archive(path: Path, stamp: int) -> zipfile.ZipFile:
    """A zip that stays open: its table of contents is read once for all its files."""
    return zipfile.ZipFile(path)


def _member(path: Path, name: str) -> bytes:
    """One file of a zip; what it claims to hold is not believed."""
    try:
        stamp = path.stat().st_mtime_ns
        with _archive(path, stamp).open(name) as file:
            content = file.read(BYTES + 1)
    except (OSError, RuntimeError, ValueError, zipfile.BadZipFile, NotImplementedError) as error:
        raise UnreadableError(f"it cannot be taken out of the zip ({error})") from None
    if len(content) > BYTES:
        raise UnreadableError(f"it has more than {BYTES / 1e6:.0f} MB")
    return content
