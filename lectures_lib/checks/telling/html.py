"""The pieces of HTML that outcomes and hints are made of, readable by a screen reader.

Words come first, colour second. Colours are JupyterLab's own variables where it has them, so that
light and dark themes both work.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lectures_lib.checks.telling.outcomes import Choice
    from lectures_lib.figures import Scene

WIDE = "text-align:left;vertical-align:top;padding:1px 12px 1px 0"
CELL = f"{WIDE};white-space:nowrap"


@dataclass(frozen=True)
class Look:
    """How a verdict looks: a sign, a colour on which white can be read, the form of its corners."""

    sign: str
    colour: str
    corners: str


def frame(colour: str, blocks: list[str], label: str) -> str:
    """Blocks under each other, beside a coloured bar."""
    style = f"border-left:4px solid {colour};padding:2px 0 2px 12px;max-width:60em"
    return f'<div role="group" aria-label="{escape(label)}" style="{style}">{"".join(blocks)}</div>'


def head(look: Look, word: str, words: str) -> str:
    """The verdict on a plate of its own colour and shape, with a sign for the eye only."""
    colours = f"background:{look.colour};color:#fff;border:1px solid {look.colour}"
    plate = f"{colours};border-radius:{look.corners};padding:1px 9px;margin-right:6px"
    sign = f'<span aria-hidden="true">{look.sign}</span>'
    verdict = f'<strong style="{plate};white-space:nowrap">{sign} {escape(word)}</strong>'
    return wrap(f"{verdict} <strong>{marked(words)}</strong>")


def disclosures(pages: list[tuple[str, str]]) -> str:
    """Buttons of which each opens words, and below them the next button."""
    if not pages:
        return ""
    (name, words), *others = pages
    button = "cursor:pointer;width:fit-content;border:1px solid currentColor;border-radius:4px"
    return (
        f'<details style="margin:6px 0"><summary style="{button};padding:1px 9px">'
        f"{escape(name)}</summary>{paragraph(words)}{disclosures(others)}</details>"
    )


def choices(options: tuple[Choice, ...]) -> str:
    if not options:
        return ""
    lines = [
        f'<li style="margin:3px 0"><span aria-hidden="true">{o.sign}</span> '
        f"<strong>{marked(o.name)}: {o.word}.</strong> {marked(o.why)}</li>"
        for o in options
    ]
    return f'<ul style="list-style:none;padding:0;margin:4px 0">{"".join(lines)}</ul>'


def still(listed: list[tuple[str, str]], picture: str) -> str:
    """What there is to choose from, for a page where nothing can be clicked."""
    lines = [f"<li><strong>{letter}</strong> {marked(text)}</li>" for letter, text in listed]
    style = "list-style:none;padding:0 0 0 8px;margin:4px 0"
    words = f'<ul style="{style}">{"".join(lines)}</ul>' if lines else ""
    wide = f'<div style="margin-left:-12px">{picture}</div>' if picture else ""  # on a telephone
    return f'<div class="lm-still">{wide}{words}</div>'


def paragraph(words: str) -> str:
    return wrap(marked(words)) if words else ""


def wrap(html: str) -> str:
    return f'<p style="margin:4px 0">{html}</p>'


def marked(words: str) -> str:
    """Escaped text in which `backticks` and calls of hint(...) are code."""
    html = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(words, quote=False))
    return re.sub(r'^(hint\("[\w.]+"\))', r"<code>\1</code>", html)


def table(facts: list[tuple[str, str]]) -> str:
    """A row of code for each label, or nothing."""
    rows = [
        f'<tr style="background:none"><th scope="row" style="{CELL}">{label}</th>'
        f'<td style="{WIDE}"><code>{escape(value, quote=False)}</code></td></tr>'
        for label, value in facts
    ]
    if not rows:
        return ""
    style = "margin:4px 0;border-collapse:collapse"
    return f'<table style="{style}"><tbody>{"".join(rows)}</tbody></table>'


def code(lines: tuple[str, ...]) -> str:
    """Lines of code as they stand, or nothing."""
    if not lines:
        return ""
    words = escape("\n".join(lines), quote=False)
    return f'<pre style="margin:4px 0;white-space:pre-wrap">{words}</pre>'


def picture(scene: Scene | None) -> str:
    if scene is None:
        return ""
    from lectures_lib.figures import show  # drawing is loaded when there is something to draw

    return show(scene).html()
