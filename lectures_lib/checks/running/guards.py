"""What a student's function may not do to the session while it is being checked.

While a function runs in its own thread, these stand-ins are in place for that thread alone: what
it prints is collected and cut, `input()` and every way to end the process raise an exception.
"""

from __future__ import annotations

import builtins
import getpass
import io
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

KEPT_CHARACTERS = 2_000
KEPT_WARNINGS = 3


class Forbidden(BaseException):
    """Raised inside a student's function that asks for something a check cannot give."""


class ReadsInput(Forbidden):
    """The function waits for somebody to type."""


class EndsProcess(Forbidden):
    """The function wants to end Python itself."""


class Collected:
    """What the function printed, up to a length, and what it was warned of."""

    def __init__(self) -> None:
        self.text, self.printed = "", 0
        self.warnings: list[warnings.WarningMessage] = []

    def take(self) -> tuple[str, int, tuple[str, ...]]:
        """Text, its full length and the warnings since the last call."""
        messages = dict.fromkeys(str(warning.message) for warning in self.warnings)
        taken = self.text, self.printed, tuple(messages)[:KEPT_WARNINGS]
        self.text, self.printed = "", 0
        self.warnings.clear()
        return taken


class _Capture(io.TextIOBase):
    """Collects what one thread prints; other threads print as before."""

    def __init__(self, thread: int, original: Any, collected: Collected) -> None:
        self.thread, self.original, self.collected = thread, original, collected

    def write(self, text: str) -> int:
        if threading.get_ident() != self.thread:
            return int(self.original.write(text) or 0)
        self.collected.text = (self.collected.text + str(text))[:KEPT_CHARACTERS]
        self.collected.printed += len(text)
        return len(text)

    def flush(self) -> None:
        if threading.get_ident() != self.thread:
            self.original.flush()

    def close(self) -> None:
        """A student's `sys.stdout.close()` closes nothing."""


class _NoInput(io.TextIOBase):
    """An input that nobody types into."""

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> str:
        raise ReadsInput("read")

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        raise ReadsInput("readline")  # reading lines and iterating come here as well

    def close(self) -> None:
        """site's `exit()` closes the input; here that has no effect."""


def _only_in(thread: int, refused: Forbidden, original: Any) -> Callable[..., Any]:
    def choose(*arguments: Any, **keywords: Any) -> Any:
        if threading.get_ident() == thread:
            raise refused
        return original(*arguments, **keywords)

    return choose


def _refused() -> list[tuple[Any, str, Forbidden]]:
    """(where, attribute, what is raised) of what waits for somebody, or ends Python by itself."""
    found: list[tuple[Any, str, Forbidden]] = [
        (builtins, "input", ReadsInput()),
        (getpass, "getpass", ReadsInput()),
        (os, "_exit", EndsProcess("os._exit()")),
        (os, "abort", EndsProcess("os.abort()")),
    ]
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if hasattr(shell, "ask_exit"):
        found.append((shell, "ask_exit", EndsProcess("exit()")))
    return found


@contextmanager
def guards(thread: int) -> Iterator[Collected]:
    collected = Collected()
    with ExitStack() as stack:
        recorded = stack.enter_context(warnings.catch_warnings(record=True))
        assert recorded is not None
        collected.warnings = recorded
        warnings.simplefilter("always")
        for name in ("stdout", "stderr"):
            stream = _Capture(thread, getattr(sys, name), collected)
            stack.enter_context(mock.patch.object(sys, name, stream))
        stack.enter_context(mock.patch.object(sys, "stdin", _NoInput()))
        for owner, attribute, refused in _refused():
            choose = _only_in(thread, refused, getattr(owner, attribute))
            stack.enter_context(mock.patch.object(owner, attribute, choose))
        yield collected
