"""Writing without losing: whole files or nothing, a copy before a replacement, one at a time.

A file is written under another name first and then renamed, which is one step for the system.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

WRITE_NEW = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
REMAINS_SECONDS = 60.0
LOCK_SECONDS = 2.0  # nobody holds a lock this long unless its kernel was killed


def write_whole(path: Path, text: str) -> None:
    """Write a file so that at every moment either the old or the new one is there, complete."""
    if path.is_symlink():  # the link stays one
        path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    _write_bytes(path, text.encode("utf-8"))


def _write_bytes(path: Path, content: bytes) -> None:
    _clear_remains(path)
    name = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.tmp")
    try:
        # Not tempfile, whose files nobody else may read.
        with os.fdopen(os.open(name, WRITE_NEW, 0o666), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        _replace(name, path)
    except BaseException:
        with suppress(OSError):
            name.unlink()
        raise


def _clear_remains(path: Path) -> None:
    """Remove what a killed process has left half written under the name of this file."""
    for remains in path.parent.glob(f".{path.name}.*.tmp"):
        with suppress(OSError):
            if time.time() - remains.stat().st_mtime > REMAINS_SECONDS:
                remains.unlink()


def _replace(name: Path, path: Path) -> None:
    """os.replace; on Windows it fails for a moment while another program reads the file."""
    for _ in range(20):
        try:
            name.replace(path)
            return
        except PermissionError:
            time.sleep(0.05)
    name.replace(path)


def backup(path: Path, root: Path) -> Path:
    """Copy `path` to `root/backups/<time>/…` and return the copy; never onto an existing file."""
    stamp = datetime.now(UTC).strftime("%Y-%m-%d_%H%M%S")
    for count in range(1, 1000):
        folder = root / "backups" / (stamp if count == 1 else f"{stamp}_{count}")
        copy = folder / path.relative_to(root)
        if not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            _write_bytes(copy, path.read_bytes())
            return copy
    raise OSError(f"no free name for a backup of {path}")


def set_aside(path: Path) -> Path:
    """Rename a damaged file to `name.damaged-1` (or the next free number) and return the name."""
    for count in range(1, 1000):
        aside = path.with_name(f"{path.name}.damaged-{count}")
        if not aside.exists():
            path.replace(aside)
            return aside
    raise OSError(f"no free name to keep the damaged file {path}")


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold `path.lock` while the block runs; a lock left behind by a killed kernel is broken."""
    lock = path.with_name(f"{path.name}.lock")
    lock.parent.mkdir(parents=True, exist_ok=True)
    since = time.monotonic()  # by our own clock: that of the file may be wrong
    while True:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
            break
        except FileExistsError:
            with suppress(FileNotFoundError):
                waited = time.monotonic() - since
                if max(waited, time.time() - lock.stat().st_mtime) > LOCK_SECONDS:
                    lock.unlink()
                    since = time.monotonic()
            time.sleep(0.01)
    try:
        yield
    finally:
        with suppress(FileNotFoundError):
            lock.unlink()
