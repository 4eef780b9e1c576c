"""How far something is that takes long: one line in a terminal, written over; nothing elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Told = Callable[[int, int], None]
Step = TypeVar("Step")
WIDTH = 30


def steps(what: str) -> Told:
    """Call it with how many steps are done, and of how many."""
    if not sys.stderr.isatty():
        return lambda done, of: None
    begin = time.monotonic()

    def told(done: int, of: int) -> None:
        if not of:
            return
        left = f", {(time.monotonic() - begin) / done * (of - done):.0f} s left" if done else ""
        full = WIDTH * done // of
        end = "\n" if done == of else "\r"
        words = f"{what} {'█' * full}{'░' * (WIDTH - full)} {done} of {of}{left} "
        print(words, end=end, file=sys.stderr, flush=True)

    return told


def each(what: str, found: Sequence[Step]) -> Iterator[Step]:
    """The entries, one after the other, with a line that says how many of them are done."""
    told = steps(what)
    for done, step in enumerate(found):
        told(done, len(found))
        yield step
    told(len(found), len(found))
