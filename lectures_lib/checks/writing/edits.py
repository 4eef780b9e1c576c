"""A slip as an edit: `gamma**2 -> gamma`, made on the source of the reference.

What stands before the arrow must occur exactly once in the source, so that an edit cannot miss and
cannot hit something else; `everywhere p -> q` stands for one wrong version at each place where `p`
occurs. Several edits can be made together.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeAlias

ARROW = " -> "
EVERYWHERE = "everywhere "

# One way to go wrong: edits that are made together, or a function where no edit says it.
Way: TypeAlias = tuple[str, ...] | Callable[..., Any]


class EditError(ValueError):
    """An edit that does not fit the source; the message shows both."""


def edited_texts(source: str, edits: Sequence[str]) -> list[str]:
    """The texts after the edits: one, or one for each place of an edit made `everywhere`."""
    texts = [source]
    for edit in edits:
        texts = [changed for text in texts for changed in _made(text, edit)]
    return texts


def _made(source: str, edit: str) -> list[str]:
    pair = edit.removeprefix(EVERYWHERE)
    old, arrow, new = pair.partition(ARROW)
    if not arrow:
        old, arrow, new = pair.partition(ARROW.rstrip())
    old, new = old.strip(), new.strip()
    if not arrow or not old:
        raise EditError(f"An edit is written `old{ARROW}new`; found {edit!r}.")
    pieces = source.split(old)
    found = len(pieces) - 1
    if found == 0 or (found > 1 and pair == edit):
        raise EditError(f"{old!r} occurs {found} times, expected once, in:\n{source}")
    places = range(1, len(pieces))
    return [old.join(pieces[:k]) + new + old.join(pieces[k:]) for k in places]


@cache
def source_of(function: Callable[..., Any]) -> str:
    """The source text of a function, from the margin on."""
    return textwrap.dedent(inspect.getsource(function))


@cache
def edited(function: Callable[..., Any], edits: tuple[str, ...]) -> tuple[Callable[..., Any], ...]:
    """The functions that the edited source defines, in the module of the original."""
    return tuple(_defined(function, text) for text in edited_texts(source_of(function), edits))


def _defined(function: Callable[..., Any], text: str) -> Callable[..., Any]:
    namespace = dict(getattr(function, "__globals__", {}))
    exec(compile(text, f"<{function.__name__} with an edit>", "exec"), namespace)
    made: Callable[..., Any] = namespace[function.__name__]
    return made


def wrong_versions(
    reference: Callable[..., Any], way: Way, form: str = ""
) -> tuple[Callable[..., Any], ...]:
    """The reference with a slip, made on one of its other forms; none where the two do not fit."""
    if callable(way):
        return () if form else (way,)
    return versions(reference, (form, *way)) if form else edited(reference, way)


def versions(
    function: Callable[..., Any], edits: tuple[str, ...]
) -> tuple[Callable[..., Any], ...]:
    """What the edits make of a function; nothing where they do not fit."""
    try:
        return edited(function, edits)
    except (EditError, SyntaxError):
        return ()
