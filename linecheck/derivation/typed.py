"""Derivations typed as text, line by line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from linecheck.derivation.lines import double_equals
from linecheck.language.forms import length, same_form

if TYPE_CHECKING:
    from linecheck.derivation.chain import Derivation

MOST_LINES = 60
_DIFFERENTIATE = re.compile(r"\s*d(2?)\s*/\s*(d[^:]+?)\s*:(?!=)\s*(.*)", re.S)
_SUBSTITUTE = re.compile(r"\s*([A-Za-z_]\w*)\s*:=\s*(.+?)\s*:(?!=)\s*(.*)", re.S)
_LET = re.compile(r"\s*let\s+([A-Za-z_]\w*)\s*:?=\s*(.+)", re.S)
_GIVEN = re.compile(r"\s*given\s*:?\s+(.+)", re.S)


def type_lines(derivation: Derivation, text: str, start: str | None) -> None:
    """Feed the lines of a text into a derivation."""
    if start is not None:
        derivation.start(start)
    empty_before = False
    fed = 0
    for raw in text.splitlines():
        line, _, because = raw.partition("#")
        if not line.strip():
            empty_before = empty_before or (fed > 0 and not because.strip())
            continue
        if fed >= MOST_LINES:
            break
        fed += 1
        if empty_before:
            derivation.new_chain()
            empty_before = False
        if fed == 1 and start is not None and _once_more(line.lstrip(" ="), start):
            continue
        type_line(derivation, line.strip(), because.strip())


def _once_more(line: str, start: str) -> bool:
    """Whether a line is the start again; a shorter one, with terms put together, is a step."""
    return same_form(line, start) and length(line) >= length(start)


def type_line(derivation: Derivation, line: str, because: str) -> None:
    """One typed line."""
    let = _LET.fullmatch(line)
    if let:
        derivation.let(**{let[1]: let[2]})
        return
    given = _GIVEN.fullmatch(line)
    if given:
        derivation.given(double_equals(given[1]))
        return
    derivative = _DIFFERENTIATE.fullmatch(line)
    if derivative:
        twice, written, expression = derivative.groups()
        names = [part for part in re.split(r"\s*\bd(?=[A-Za-z])|\s+", written) if part]
        if twice and len(names) == 1:  # d2/dw2
            names = [re.sub(r"(\*\*|\^)?2$", "", names[0])] * 2
        derivation.differentiate(",".join(names), expression, because)
        return
    substitution = _SUBSTITUTE.fullmatch(line)
    if substitution:
        derivation.substitute({substitution[1]: substitution[2]}, substitution[3], because)
        return
    derivation.line(line, because)
