"""Outcomes and hints as HTML: words first, colour second, readable by a screen reader.

Colours are JupyterLab's own variables where it has them, so light and dark themes both work.
"""

from __future__ import annotations

import re
from html import escape

from lectures_lib.checks import outcomes as text
from lectures_lib.checks.outcomes import CaseOutcome, Outcome, PartOutcome, Verdict

# A sign before the word, and a bar in a colour that stands out on white and on black (>= 3:1).
SIGNS: dict[Verdict, tuple[str, str]] = {
    "right": ("✓", "#1b8a5a"),
    "wrong": ("✗", "#c2571a"),
    "error": ("!", "#c8365c"),
    "not attempted": ("○", "#7a7f87"),
    "not run": ("○", "#7a7f87"),
    "not decided": ("?", "#7a7f87"),
}
WIDE = "text-align:left;vertical-align:top;padding:1px 12px 1px 0"
CELL = f"{WIDE};white-space:nowrap"


def outcome_page(outcome: Outcome) -> str:
    """The outcome as HTML."""
    sign, colour = SIGNS[outcome.status]
    blocks = [_head(sign, text.headline(outcome))]
    if outcome.status == "not attempted":
        blocks += [_paragraph(text.not_attempted(outcome)), _paragraph(text.hint_line(outcome))]
    elif outcome.status == "right":
        blocks += [_paragraph(outcome.exercise.remark)] if outcome.exercise.remark else []
    else:
        blocks += [_part(part, outcome) for part in outcome.parts]
        blocks.append(_paragraph(text.hint_line(outcome)))
    blocks += [_paragraph(f"Note: {note}") for note in text.notes_of(outcome)]
    return frame(colour, blocks, f"Check of {outcome.exercise.id}")


def frame(colour: str, blocks: list[str], label: str) -> str:
    """Blocks under each other, beside a coloured bar."""
    style = f"border-left:4px solid {colour};padding:2px 0 2px 12px;max-width:60em"
    return f'<div role="group" aria-label="{escape(label)}" style="{style}">{"".join(blocks)}</div>'


def _head(sign: str, words: str) -> str:
    return _wrap(f'<span aria-hidden="true">{sign}</span> <strong>{escape(words)}</strong>')


def _paragraph(words: str) -> str:
    return _wrap(marked(words)) if words else ""


def _wrap(html: str) -> str:
    return f'<p style="margin:4px 0">{html}</p>'


def marked(words: str) -> str:
    """Escaped text in which `backticks` and calls of hint(...) are code."""
    html = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(words, quote=False))
    return re.sub(r'^(hint\("[\w.]+"\))', r"<code>\1</code>", html)


def _part(part: PartOutcome, outcome: Outcome) -> str:
    case = part.first_failure
    if case is None:
        return _paragraph(text.standing(part))
    wrong = text.complaint(case, part.slip)
    blocks = [_paragraph(f"`{part.name}`, {case.name}:"), _table(case), _paragraph(wrong)]
    if case.lines:
        lines = "\n".join(escape(line, quote=False) for line in case.lines)
        blocks.append(f'<pre style="margin:4px 0;white-space:pre-wrap">{lines}</pre>')
    blocks.append(_paragraph(f"It printed: {case.printed}" if case.printed else ""))
    if part.slip is not None:
        section = outcome.exercise.place(part.slip)
        message = marked(text.slip_text(part.slip))
        link = f'<a href="{escape(section.link)}">{escape(section.words)}</a>'
        blocks.append(_wrap(f"<strong>{marked(part.slip.name)}:</strong> {message} See {link}."))
    blocks.append(_paragraph(text.other_cases(part)))
    return "".join(blocks)


def _table(case: CaseOutcome) -> str:
    rows = [
        f'<tr style="background:none"><th scope="row" style="{CELL}">{label}</th>'
        f'<td style="{WIDE}"><code>{escape(value, quote=False)}</code></td></tr>'
        for label, value in text.facts(case)
    ]
    if not rows:
        return ""
    style = "margin:4px 0;border-collapse:collapse"
    return f'<table style="{style}"><tbody>{"".join(rows)}</tbody></table>'
