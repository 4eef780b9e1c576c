"""Runs one student's code, shut in, and answers what the judge asks of it.

Nothing here decides anything: what leaves is data, and the judge takes it as a claim.
"""

from __future__ import annotations

import inspect
import linecache
import os
import re
import signal
import sys
import warnings
from collections.abc import Callable
from types import EllipsisType
from typing import Any

from lectures_lib.checks.running.in_child import call_all
from lectures_lib.checks.running.in_thread import failed
from lectures_lib.checks.running.named_calls import Ask
from lectures_lib.checks.running.plain_data import Odd, Plain, plain
from lectures_lib.checks.running.wire import reply_as_data
from lectures_lib.grading.walls.fingerprint import fingerprint
from lectures_lib.grading.walls.messages import Ended, Link
from lectures_lib.grading.walls.sandbox import confine

CELL_MAGIC = re.compile(r"\A\s*%%(\w+)[^\n]*\n?")
LINE_MAGIC = re.compile(r"^([ \t]*)(?:[\w, ]+=[ \t]*)?[%!][^\n]*$", re.MULTILINE)
HARMLESS_MAGICS = ("time", "timeit", "capture", "prun")


def work(link: Link, rung: str) -> None:
    """Take the pieces, run them, then answer questions until the judge hangs up."""
    layers = confine(rung)
    alone = rung == "namespaces" and os.getpid() == 2 and os.getppid() == 1
    warnings.simplefilter("ignore")
    namespace: dict[str, Any] = {"__name__": "__main__", "display": _silent}
    try:
        pieces: Any = link.receive()
        link.send(layers)
        answer, kept = "", dict[str, dict[str, Any]]()  # what there was before the next answer
        for name, source, given in pieces:
            if given:
                kept[answer], answer = dict(namespace), name
            link.send(_run(name, source, given, namespace))
        kept[answer] = namespace
        while True:
            question: Any = link.receive()
            link.send(_answer(question, kept))
            if alone:  # what a call has left running ends here, in this namespace only
                _end_others()
    except Ended:
        return


def _silent(*_: object, **__: object) -> None:
    """Stands for what has nothing to say here: `check`, `hint`, `display`."""


def _end_others() -> None:
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        return


def _run(name: str, source: str, given: str, namespace: dict[str, Any]) -> Plain:
    """Run one piece; what it raised, the student's lines of it, whether it had magics."""
    said: dict[str, Plain] = {"raised": "", "lines": (), "magic": False, "fingerprint": ""}
    filename = f"<{name}>"
    try:
        try:
            code = compile(source, filename, "exec", dont_inherit=True)
        except SyntaxError:
            clean = without_magics(source)
            said["magic"] = clean != source
            source = clean
            code = compile(source, filename, "exec", dont_inherit=True)
        said["fingerprint"] = fingerprint(source, given) if given else ""
        linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
        exec(code, namespace)
    except BaseException as error:  # whatever a student's cell raises is an answer
        reply = failed(error)
        said |= {"raised": reply.message or reply.status, "lines": reply.lines}
        if isinstance(error, SyntaxError):
            said["raised"] = f"SyntaxError: {error.msg} (line {error.lineno})"
    return said


def without_magics(source: str) -> str:
    """The source without what only IPython understands; a cell for another language goes."""
    found = CELL_MAGIC.match(source)
    if found:
        if found[1] not in HARMLESS_MAGICS:
            return ""
        source = source[found.end() :]
    return LINE_MAGIC.sub(r"\1pass", source)


def _answer(question: Any, kept: dict[str, dict[str, Any]]) -> Plain:
    """The replies to one question; an answer is known by its exercise and its name there."""
    function: Callable[..., Any]
    if question["ask"] == "describe":
        names = question["names"]
        function = lambda: tuple(_described(kept.get(of, {}), name) for of, name in names)  # noqa: E731
    else:
        of, name = question["name"]
        answer = kept.get(of, {}).get(name, _silent)
        called = question["ask"] == "call"
        function = answer if called else Ask(question["ask"], answer, question["arguments"])
    replies = call_all(function, question["calls"], question["seconds"])
    return tuple(reply_as_data(reply) for reply in replies)


def _described(namespace: dict[str, Any], name: str) -> Plain:
    """What a name stands for: its kind, and what can be said of it as plain data."""
    if name not in namespace:
        return {"kind": "missing", "type": "", "parameters": (), "value": None}
    value = namespace[name]
    kind = _kind(value)
    return {
        "kind": kind,
        "type": type(value).__name__[:60],
        "parameters": _parameters(value) if kind == "function" else (),
        "value": plain(value) if kind == "value" else None,
    }


def _kind(value: object) -> str:
    if isinstance(value, type):
        return "class"
    module = str(type(value).__module__)
    if module.startswith("sympy"):
        return "sympy"
    if isinstance(value, list | tuple) and any(_kind(entry) == "sympy" for entry in value[:50]):
        return "sympy"
    if type(value).__name__ == "Derivation" and hasattr(value, "lines"):
        return "derivation"
    if callable(value) and not isinstance(value, EllipsisType):
        return "function"
    return "value"


def _parameters(function: Callable[..., Any]) -> Plain:
    """The parameters as plain data: name, kind, and the default as it is written ("" for none)."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    empty = inspect.Parameter.empty
    return tuple(
        (p.name, int(p.kind), "" if p.default is empty else repr(p.default)[:40] or "…")
        for p in found
    )


def prepare() -> None:
    """In the fork server: what every worker needs, loaded once; the course's own are mute."""
    import lectures_lib.checks as checks

    for name in ("check", "hint", "solution"):
        setattr(checks, name, _silent)
    sys.modules.setdefault("antigravity", sys)  # an import that opens a browser
    assert isinstance(plain(Odd("")), Odd)
