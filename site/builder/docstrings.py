"""Docstrings of the library as Markdown.

The library writes plain text: formulas as one types them, `code` in backticks, and lists of names
in two columns or as `name: what it is`. Those become definition lists, which fit any page width.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

from builder.markdown import escaped

_COLUMNS = re.compile(r"(\S.*?) {2,}(\S.*)")  # a name, a gap, and what it means
_NAMED = re.compile(r"(\w+(?:, \w+)*): (.*)")
_NAMES = re.compile(r"\w+(?: \([^)]*\))?(?:, \w+(?: \([^)]*\))?)*")  # of attributes, with shapes
Item = tuple[str, list[str]]


def as_markdown(docstring: str) -> str:
    """The whole docstring."""
    summary, *blocks = _blocks(inspect.cleandoc(docstring))
    return "\n\n".join([escaped(" ".join(summary.split())), *map(_block, blocks)])


def first_sentence(docstring: str) -> str:
    """Its first paragraph on one line."""
    return escaped(" ".join(inspect.cleandoc(docstring).split("\n\n")[0].split()))


def passages_with(word: str, docstring: str) -> list[str]:
    """The paragraphs and list items that contain a word."""
    found = []
    for block in _blocks(inspect.cleandoc(docstring)):
        items = [] if block.startswith(">>>") else _items(block.splitlines())
        parts = [f"`{name}`: {_joined(text)}" for name, text in items] or [" ".join(block.split())]
        found += [escaped(part) for part in parts if word in part and part[:3] != ">>>"]
    return found


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs; examples that follow each other are one."""
    joined: list[str] = []
    for block in re.split(r"\n\s*\n", text):
        if block.startswith(">>>") and joined and joined[-1].startswith(">>>"):
            joined[-1] += "\n" + block
        else:
            joined.append(block)
    yield from joined


def _block(block: str) -> str:
    lines = block.splitlines()
    if block.startswith(">>>"):
        return f"```pycon\n{block}\n```"
    if all(line.startswith("    ") for line in lines):
        return "```text\n" + inspect.cleandoc("\n" + block) + "\n```"
    items = _items(lines)
    if not items:
        return escaped(" ".join(block.split()))
    return "\n\n".join(f"`{name}`\n: {escaped(_joined(text))}" for name, text in items)


def _joined(lines: list[str]) -> str:
    """The lines of an explanation; a line that explains one value begins a new part of it."""
    text = "" if lines else "set by `fit`"
    for line in lines:
        separate = text and re.match(r'("[\w-]+"|None): ', line)
        text += ("; " if separate else " " if text else "") + line
    return text


def _items(lines: list[str]) -> list[Item]:
    """The names of a list and their explanations; nothing when the lines are plain text."""
    items: list[Item] = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        indented = line.startswith(" ")
        found = None if indented else _COLUMNS.fullmatch(line) or _NAMED.fullmatch(line)
        if found:
            items.append((found[1], [found[2]]))
        elif indented and items:
            items[-1][1].append(line.strip())
        elif not indented and (following.startswith(" ") or (items and _NAMES.fullmatch(line))):
            items.append((line, []))  # explained in the next lines, or by its name alone
        else:
            return []
    return items
