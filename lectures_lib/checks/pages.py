"""The pieces of HTML that outcomes and hints are made of, readable by a screen reader.

Words come first, colour second. Colours are JupyterLab's own variables where it has them, so that
light and dark themes both work.
"""

from __future__ import annotations

import re
from html import escape

WIDE = "text-align:left;vertical-align:top;padding:1px 12px 1px 0"
CELL = f"{WIDE};white-space:nowrap"


def frame(colour: str, blocks: list[str], label: str) -> str:
    """Blocks under each other, beside a coloured bar."""
    style = f"border-left:4px solid {colour};padding:2px 0 2px 12px;max-width:60em"
    return f'<div role="group" aria-label="{escape(label)}" style="{style}">{"".join(blocks)}</div>'


def head(sign: str, words: str) -> str:
    """The verdict, with a sign for the eye only."""
    return wrap(f'<span aria-hidden="true">{sign}</span> <strong>{escape(words)}</strong>')


def paragraph(words: str) -> str:
    """A paragraph of marked words, or nothing."""
    return wrap(marked(words)) if words else ""


def wrap(html: str) -> str:
    """A paragraph of HTML."""
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


def section_link(link: str, words: str) -> str:
    """A link to a section of the course."""
    return f'<a href="{escape(link)}">{escape(words)}</a>'
