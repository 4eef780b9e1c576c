"""A call that runs without what would solve it: no function of some topics, none of scikit-learn.

What counts is the code that is entered, however it was found: by name, with `importlib` or
`getattr`, as a copy of a class, or as an object kept from before.
"""

from __future__ import annotations

import _thread
import os
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any

from lectures_lib.checks.running.plain_data import Plain, plain

HERE = str(Path(__file__).resolve().parents[2])


class Refused(BaseException):
    """Raised where something is entered that would solve the task; its text is the name."""


def without(answer: Any, topics: tuple[str, ...], spared: tuple[str, ...], *given: Any) -> Plain:
    """What the answer returns, read here too; `Refused` if it enters one of these topics.

    The spared names stay, and all other topics.
    """
    met: list[str] = []
    own = sys._getframe().f_code

    def watch(frame: FrameType, event: str, what: Any) -> None:
        told = ""
        if event == "call":
            told = _refused(frame, topics, spared)
        elif event == "c_call" and what in _ways_out() and frame.f_code is not own:
            told = f"{what.__module__}.{what.__name__}"
        if told:
            met.append(told)
            raise Refused(told)  # this takes the watch away; what was met stays

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        value = plain(answer(*given))
        if not met and sys.getprofile() is not watch:
            met.append("sys.setprofile")
    finally:
        sys.setprofile(before)
        if met:
            raise Refused(met[0])
    return value


def _refused(frame: FrameType, topics: tuple[str, ...], spared: tuple[str, ...]) -> str:
    """The name of what is entered, if that is refused."""
    code = frame.f_code
    refused = code.co_filename.startswith(_of(topics)) and code.co_name not in spared
    return _name(frame) if refused and not _importing(frame) else ""


def _importing(frame: FrameType | None) -> bool:
    """Whether this only happens while a module is read in."""
    while frame is not None and frame.f_code.co_filename != __file__:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _name(frame: FrameType) -> str:
    """As one would import it: without private modules, and a method by its class."""
    known = frame.f_locals
    wrapped = known.get("func")  # scikit-learn's functions are wrapped
    model = type(known["self"]) if "self" in known else type(known.get("estimator"))
    found: Any = wrapped or (frame.f_code if model is type(None) else model)
    name = getattr(found, "__qualname__", "") or getattr(found, "co_qualname", "")
    module = str(getattr(found, "__module__", "") or frame.f_globals.get("__name__", ""))
    public = [word for word in module.split(".") if not word.startswith("_")]
    return ".".join([*public, name])


@cache
def _of(topics: tuple[str, ...]) -> tuple[str, ...]:
    """How the paths of their files begin, and those of scikit-learn."""
    spec = find_spec("sklearn")
    found = [folder + os.sep for folder in (spec and spec.submodule_search_locations) or ()]
    return (*found, *(f"{HERE}/{topic}{end}" for topic in topics for end in (os.sep, ".py")))


@cache
def _ways_out() -> frozenset[Callable[..., Any]]:
    """What runs code that is not watched."""
    names = ("posix_spawn", "posix_spawnp", "execv", "execve", "fork", "forkpty", "system")
    found = [getattr(os, name) for name in names if hasattr(os, name)]
    threads = [_thread.start_new_thread, getattr(_thread, "start_joinable_thread", None)]
    inner = getattr(sys.modules.get("_posixsubprocess"), "fork_exec", None)
    return frozenset(filter(None, [*found, *threads, inner, sys.setprofile, sys.settrace]))
