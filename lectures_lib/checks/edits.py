"""A slip as an edit: `gamma**2 -> gamma`, made on the source of the reference.

What stands before the arrow must occur exactly once in the source, so that an edit cannot miss and
cannot hit something else. Several edits can be made together.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeAlias

ARROW = " -> "

# One way to go wrong: an edit, several edits made together, or a function where no edit says it.
Way: TypeAlias = str | tuple[str, ...] | Callable[..., Any]


class EditError(ValueError):
    """An edit that does not fit the source; the message shows both."""


def edited_text(source: str, edits: Sequence[str]) -> str:
    """The text after the edits, each `old -> new`."""
    for edit in edits:
        old, arrow, new = edit.partition(ARROW)
        if not arrow:
            old, arrow, new = edit.partition(ARROW.rstrip())
        old, new = old.strip(), new.strip()
        if not arrow or not old:
            raise EditError(f"An edit is written `old{ARROW}new`; found {edit!r}.")
        found = source.count(old)
        if found != 1:
            raise EditError(f"{old!r} occurs {found} times, expected once, in:\n{source}")
        source = source.replace(old, new)
    return source


@cache
def source_of(function: Callable[..., Any]) -> str:
    """The source text of a function, from the margin on."""
    return textwrap.dedent(inspect.getsource(function))


@cache
def edited(function: Callable[..., Any], edits: tuple[str, ...]) -> Callable[..., Any]:
    """The function that the edited source defines, in the module of the original."""
    text = edited_text(source_of(function), edits)
    namespace = dict(getattr(function, "__globals__", {}))
    exec(compile(text, f"<{function.__name__} with an edit>", "exec"), namespace)
    made: Callable[..., Any] = namespace[function.__name__]
    return made


def wrong_version(
    reference: Callable[..., Any], way: Way, form: Way = ()
) -> Callable[..., Any] | None:
    """The reference with a slip, made on one of its other forms; None where the two do not fit."""
    if callable(way):
        return None if form else way
    if callable(form):
        return _edited_or_none(form, _tuple(way))
    edits = (*_tuple(form), *_tuple(way))
    return _edited_or_none(reference, edits) if form else edited(reference, edits)


def _tuple(way: str | tuple[str, ...]) -> tuple[str, ...]:
    return (way,) if isinstance(way, str) else way


def _edited_or_none(
    function: Callable[..., Any], edits: tuple[str, ...]
) -> Callable[..., Any] | None:
    try:
        return edited(function, edits)
    except (EditError, SyntaxError):
        return None
