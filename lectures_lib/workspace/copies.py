"""Makes, updates and resets the student's copies in `work/`. Nothing is ever overwritten unseen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

from lectures_lib.chapters import chapter
from lectures_lib.workspace.files import backup, set_aside, write_whole
from lectures_lib.workspace.merge import merge, same
from lectures_lib.workspace.normal_form import for_this_machine
from lectures_lib.workspace.place import FOLDERS, MARKER, work_of

NEW = "new"


@dataclass(frozen=True)
class Copied:
    """What happened to one notebook, in words; `relative` is its path inside work/."""

    relative: Path
    what: str


def make(course: Path) -> list[Copied]:
    """Give the student every notebook that is not there yet; nothing that is there is touched."""
    work = work_of(course)
    (work / MARKER).mkdir(parents=True, exist_ok=True)
    done = list(_renumber(course, work))
    for relative in sources(course):
        if not (work / relative).exists():
            _hand_out(course, work, relative)
            done.append(Copied(relative, NEW))
    return done


def _renumber(course: Path, work: Path) -> Iterator[Copied]:
    """Carry the student's notebooks to the numbers that their chapters have today.

    The slug in a file's name says which chapter it is; the number may have changed.
    """
    current = sources(course)
    for relative in current:
        slug = relative.stem.partition("_")[2]
        for path in sorted((work / relative.parent).glob(f"[0-9][0-9]_{slug}.ipynb")):
            old = path.relative_to(work)
            if old not in current:
                yield Copied(relative, _carry(work, old, relative))


def _carry(work: Path, old: Path, new: Path) -> str:
    """Rename one notebook of the student, together with the copy of what was handed out."""
    if (work / new).exists():
        if not _is_as_handed_out(work, new):
            return f"you have {old.name} of the same chapter too; both stay"
        (work / new).unlink()  # as it was handed out, and the course still has it
    for folder in (_base(work, Path()), work):  # the student's own file last: it tells the rest
        if (folder / old).exists():
            (folder / old).replace(folder / new)
    return f"was {old.name}; yours has moved with its chapter"


def newer(course: Path) -> list[Path]:
    """The notebooks of which the course has another version than the one handed out."""
    work = work_of(course)
    return [
        relative
        for relative in sources(course)
        if (work / relative).exists() and _handed_out(work, relative) != _text(course / relative)
    ]


def update(course: Path) -> Iterator[Copied]:
    """Bring the course's versions to the student's copies, one notebook after the other."""
    yield from make(course)
    work = work_of(course)
    for relative in newer(course):
        yield Copied(relative, _update_one(course, work, relative))


def reset(course: Path, slug: str) -> list[Copied]:
    """Start a chapter afresh, notebooks and progress; what was there is backed up."""
    work = work_of(course)
    (work / MARKER).mkdir(parents=True, exist_ok=True)
    found = chapter(slug)
    done = []
    for relative in sources(course):
        if relative.stem == found.stem:
            where = ""
            if (work / relative).exists():
                copy = backup(work / relative, work)
                where = f"; yours is in {copy.relative_to(work.parent).as_posix()}"
            _hand_out(course, work, relative)
            done.append(Copied(relative, f"as handed out{where}"))
    for path in sorted((work / "progress").glob(f"{found.slug}.*.json")):
        copy = backup(path, work)
        path.unlink()
        where = copy.relative_to(work.parent).as_posix()
        done.append(Copied(path.relative_to(work), f"starts again; the old one is in {where}"))
    return done


def sources(course: Path) -> list[Path]:
    """Every notebook that is handed out, relative to the course."""
    found = [path for folder in FOLDERS for path in sorted((course / folder).glob("*.ipynb"))]
    return [path.relative_to(course) for path in found]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _base(work: Path, relative: Path) -> Path:
    return work / MARKER / "handed_out" / relative


def _handed_out(work: Path, relative: Path) -> str:
    path = _base(work, relative)
    return _text(path) if path.exists() else ""


def _hand_out(course: Path, work: Path, relative: Path) -> None:
    text = _text(course / relative)
    write_whole(work / relative, for_this_machine(text))
    write_whole(_base(work, relative), text)


def _is_as_handed_out(work: Path, relative: Path) -> bool:
    """Whether nothing was saved into the student's copy yet."""
    text = _handed_out(work, relative)
    return _text(work / relative) in (text, for_this_machine(text))


def _update_one(course: Path, work: Path, relative: Path) -> str:
    """Update one notebook and say what happened to it."""
    target, text = work / relative, _text(course / relative)
    new = _read(course / relative)
    if new is None:
        return "the course's own notebook cannot be read, so yours stays as it is"
    mine = _read(target)
    if mine is None:
        aside = set_aside(target)
        _hand_out(course, work, relative)
        return f"yours could not be read and is kept as {aside.name}; this is a fresh copy"
    handed_out = _handed_out(work, relative)
    if (
        not handed_out
    ):  # nobody knows what was handed out, so every difference counts as the student's
        write_whole(_base(work, relative), text)
        return "kept as it is"
    old = _read(_base(work, relative))
    if old is None:
        aside = set_aside(_base(work, relative))
        write_whole(_base(work, relative), text)
        return f"kept as it is: what was handed out could not be read (it is kept as {aside.name})"
    merged = merge(old, mine, new)
    same_file = _is_as_handed_out(work, relative)
    where = "" if same_file else backup(target, work).relative_to(work.parent).as_posix()
    if _untouched(old, mine):
        _hand_out(course, work, relative)
        kept = f"; the old file with its outputs is in {where}" if where else ""
        return f"replaced by the new version, as you had not changed it{kept}"
    write_whole(target, _as_text(merged.notebook))
    write_whole(_base(work, relative), text)
    said = "".join(f"; {message}" for message in dict.fromkeys(merged.messages))
    return f"updated, what you wrote is kept{said}; the old file is in {where}"


def _read(path: Path) -> Any:
    """The notebook in a file, or None if there is none in it."""
    try:
        notebook = nbformat.reads(_text(path), as_version=4)
        nbformat.validate(notebook)
        return notebook
    except Exception:  # nbformat raises many kinds for a damaged file
        return None


def _untouched(old: Any, mine: Any) -> bool:
    pairs = zip(old.cells, mine.cells, strict=False)
    return len(old.cells) == len(mine.cells) and all(same(a, b) for a, b in pairs)


def _as_text(notebook: Any) -> str:
    text: str = nbformat.writes(notebook, version=4)
    return text.rstrip("\n") + "\n"
