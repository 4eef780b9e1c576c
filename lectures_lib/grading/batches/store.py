"""What was graded: one file of JSON lines that only grows, and an SQLite file made from it.

A result stands under the key of its content. A batch that was killed leaves complete lines and at
most one torn one, which is cut off; nothing is lost and nothing is counted twice.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from lectures_lib.grading.batches.versions import counted

Record = dict[str, Any]


class BusyError(RuntimeError):
    """Somebody else is grading into the same folder."""


class Store:
    """The results in a folder, held by one process at a time."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.lock = _lock(folder / "grading.lock")
        self.path = folder / "results.jsonl"
        self.results: dict[str, Record] = {}  # by key
        self.submissions: dict[tuple[str, str], Record] = {}  # by student and assignment
        self.checked: set[str] = set()  # keys of self-checks that were passed
        for record in _records(self.path):
            self._take(record)
        self.file: TextIO = self.path.open("a", encoding="utf-8")

    def _take(self, record: Record) -> None:
        match record:
            case {"kind": "result", "key": key}:
                self.results[key] = record
            case {"kind": "submission", "student": student, "assignment": assignment}:
                self.submissions[student, assignment] = record
            case {"kind": "self-check", "key": key}:
                self.checked.add(key)

    def add(self, record: Record) -> None:
        """Write one record; it is there when this returns, whatever is killed afterwards."""
        if record["kind"] == "submission":
            place = (record["student"], record["assignment"])
            if self.submissions.get(place) == record:
                return
        self.file.write(json.dumps(record, ensure_ascii=True) + "\n")
        self.file.flush()
        self._take(record)

    def close(self) -> None:
        """Everything to the disk; let others in."""
        with contextlib.suppress(OSError):
            os.fsync(self.file.fileno())
        with contextlib.suppress(OSError):
            self.file.close()
        self.lock.close()

    def graded(self, keep: str = "newest") -> Iterator[tuple[Record, Record]]:
        """Every submission with its result, by student and assignment; of several versions the one
        that counts, with a note that says why."""
        for _, submission in sorted(self.submissions.items()):
            versions = submission["versions"]
            found = [(one, self.results[one["key"]]) for one in versions if self._has(one)]
            if found:
                (version, result), told = counted(found, keep)
                notes = [*result["notes"], *([told] if told else [])]
                yield submission | version, result | {"notes": notes}

    def _has(self, version: Record) -> bool:
        return version["key"] in self.results

    def write_sqlite(self, keep: str = "newest") -> Path:
        """The same as tables, made anew and put in its place in one step."""
        path = self.folder / "results.sqlite"
        new = path.with_suffix(".sqlite.new")
        new.unlink(missing_ok=True)
        with contextlib.closing(sqlite3.connect(new)) as base, base:
            base.execute("PRAGMA synchronous = OFF")
            base.execute(
                "CREATE TABLE submissions (student TEXT, assignment TEXT, file TEXT, sent TEXT, "
                "sandbox TEXT, notes TEXT, key TEXT, PRIMARY KEY (student, assignment))"
            )
            base.execute(
                "CREATE TABLE verdicts (student TEXT, assignment TEXT, exercise TEXT, status TEXT, "
                "points REAL, out_of REAL, slips TEXT, flags TEXT, message TEXT, "
                "PRIMARY KEY (student, assignment, exercise))"
            )
            for submission, result in self.graded(keep):
                who = (submission["student"], submission["assignment"])
                sandbox, notes = ("; ".join(result[name]) for name in ("sandbox", "notes"))
                row = (*who, submission["file"], submission["when"], sandbox, notes, result["key"])
                base.execute("INSERT INTO submissions VALUES (?, ?, ?, ?, ?, ?, ?)", row)
                base.executemany(
                    "INSERT INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [
                        (
                            *who, e["id"], e["status"], e["points"], e["out_of"],
                            "; ".join(name for name, _ in e["slips"]), "; ".join(e["flags"]),
                            e["text"],
                        )
                        for e in result["exercises"]
                    ],
                )  # fmt: skip
        new.replace(path)
        return path


def _lock(path: Path) -> TextIO:
    file = path.open("a", encoding="ascii")
    try:
        import fcntl
    except ImportError:  # Windows: nobody grades there officially
        return file
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise BusyError(f"somebody is grading into {path.parent} already") from None
    return file


def _records(path: Path) -> Iterator[Record]:
    """The records of a file; a torn line at its end is cut off."""
    if not path.exists():
        return
    content = path.read_bytes()
    end = content.rfind(b"\n") + 1
    if end < len(content):
        with path.open("r+b") as file:
            file.truncate(end)
    for line in content[:end].splitlines():
        try:
            record = json.loads(line)
        except ValueError:  # a line that a full disk has cut, with others after it
            continue
        if isinstance(record, dict):
            yield record
