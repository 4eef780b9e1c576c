"""The notebook that is being worked on: which names must stay, which cells did not run."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lectures_lib.workspace.kernel import meanings

_did_not_run: dict[str, str] = {}  # name -> the error that ended the cell that should define it


def notebook() -> Any:
    """The session of a notebook with a kernel, or None."""
    shell = _shell()
    return shell if getattr(shell, "kernel", None) is not None else None


def _shell() -> Any:
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def keep_names(functions: Mapping[str, Callable[..., Any]]) -> None:
    """In a notebook, put a name back when a cell has given it another meaning, and say so."""
    shell = _shell()
    if shell is None or os.environ.get("NBGRADER_EXECUTION") == "autograde":
        return  # there, check cells bring their own judge
    seen: set[str] = set()

    def after_cell(*_: object) -> None:
        for name, function in functions.items():
            if shell.user_ns.get(name) is function:
                seen.add(name)
            elif name in seen:
                shell.user_ns[name] = function
                print(
                    f"This cell gave the name `{name}` another meaning. It is the function that "
                    "the exercises call, so it was put back: choose another name for yours."
                )

    shell.events.register("post_run_cell", after_cell)


def watch_cells() -> None:
    """In a notebook, remember what a cell should have defined when it ended with an error."""
    shell = _shell()
    if shell is None:
        return
    before: dict[str, object] = {}

    def before_cell(*_: object) -> None:
        before.clear()
        before.update(shell.user_ns)

    def after_cell(result: Any) -> None:
        error = result.error_before_exec or result.error_in_exec
        for name in meanings(result.info.raw_cell or ""):
            new = shell.user_ns.get(name) is not before.get(name)
            if error is None or new:
                _did_not_run.pop(name, None)
            else:
                _did_not_run[name] = _words(error)
        before.clear()

    shell.events.register("pre_run_cell", before_cell)
    shell.events.register("post_run_cell", after_cell)


def _words(error: BaseException) -> str:
    """The kind of an error and its message, the same every time."""
    kind = type(error).__name__
    if isinstance(error, SyntaxError):
        return f"{kind} in line {error.lineno}: {error.msg}"
    return f"{kind}: {str(error).partition(chr(10))[0]}".rstrip(": ")


def did_not_run(names: Sequence[str]) -> dict[str, str]:
    """Those of the names whose cell ended with an error before it defined them, with the error."""
    return {name: _did_not_run[name] for name in names if name in _did_not_run}


def forget(names: Sequence[str]) -> None:
    """These names have got a value in another way."""
    for name in names:
        _did_not_run.pop(name, None)
