"""A derivation as it is shown: its claim, its names, and behind each line what both judges say."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import wrap
from typing import NamedTuple

from linecheck.derivation.lines import Line, Settings
from linecheck.judge.verdicts import Status, Verdict
from linecheck.language.latex import latex, name_latex, wrapped
from linecheck.second_judge.opinion import Opinion

_MARKS = {
    Status.PROVED: "✓", Status.AGREES: "≈", Status.REFUTED: "✗", Status.DOMAIN: "✗",
    Status.UNDECIDED: "?", Status.INVALID: "✗", Status.INTERNAL: "?",
}  # fmt: skip
_MEANINGS = {
    Status.AGREES: "no difference at the sample points, and no proof: an observation",
    Status.REFUTED: "false at the point that is named",
    Status.DOMAIN: "at the point that is named a side has no value",
    Status.UNDECIDED: "neither proved nor refuted, so it counts neither for nor against the line",
    Status.INVALID: "the line cannot be read",
    Status.INTERNAL: "the judge itself failed, which is never counted against a line",
}
_LONGEST_REASON = 300


class Shown(NamedTuple):
    """A line with what the two judges say of it, and who speaks first."""

    line: Line
    opinion: Opinion | None  # SymPy's
    sympy_first: bool

    @property
    def of_sympy(self) -> str:
        """SymPy's word; where both refute a line, one counter-example is enough."""
        both = self.line.verdict is not None and self.line.verdict.status is Status.REFUTED
        told = str(self.opinion) if self.opinion else ""
        return told.partition(":")[0] if both else told

    def in_order(self, ours: str, of_sympy: str) -> list[str]:
        """What there is of both."""
        both = [ours if self.line.verdict else "", of_sympy if self.opinion else ""]
        return [one for one in (reversed(both) if self.sympy_first else both) if one]


def as_text(settings: Settings, title: str, lines: Sequence[Shown]) -> str:
    """Plain text: number, line, reason, verdicts."""
    width = min(max((len(one.line.text) for one in lines), default=0), 76)
    reasons = min(max((len(one.line.because) for one in lines), default=0), 40)
    rows = [title] if title else []
    names = wrap(f"for {'; '.join(_names(settings))}", 95) if settings.names else []
    rows += [f"     {row}" for row in names]
    for number, one in enumerate(lines, start=1):
        line, verdict = one.line, one.line.verdict
        said = "  ".join(one.in_order(verdict.told if verdict else "", one.of_sympy))
        rows.append(f"{number:3}  {line.text:{width}}  {line.because:{reasons}}  {said}".rstrip())
        if verdict is not None and not verdict.holds:
            rows += [f"       {part}" for part in str(verdict).splitlines()]
    return "\n".join(rows)


def as_markdown(settings: Settings, title: str, lines: Sequence[Shown]) -> str:
    """A numbered list with LaTeX, which a narrow page does not cut as it cuts a table.

    A word of a judge says under the mouse what it means.
    """
    rows = [f"**{title}**", ""] if title else []
    if names := "; ".join(_names_set(settings)):
        rows += [f"for {names}", ""]
    for number, one in enumerate(lines, start=1):
        line = one.line
        ours = _said_by_us(line.verdict) if line.verdict else ""
        of_sympy = _explained(one.of_sympy, one.opinion.meaning) if one.opinion else ""
        told = [_plain_text(line.because)] if line.because else []
        told += one.in_order(ours, of_sympy)
        indent = " " * (len(str(number)) + 2)
        below = f"  \n{indent}{' · '.join(told)}" if told else ""
        rows.append(f"{number}. {wrapped(line.formula)}{below}")
    return "\n".join(rows)


def _said_by_us(verdict: Verdict) -> str:
    """The verdict in a word with a sign, the sizes it holds for, or what speaks against it."""
    word = f"{'?' if verdict.sampled else _MARKS[verdict.status]} {verdict.told}"
    against = "" if verdict.holds else _on_one_row(str(verdict).partition(": ")[2])
    return _explained(word, _meaning(verdict)) + (f": {against}" if against else "")


def _on_one_row(told: str) -> str:
    """What speaks against a line; what an arrow points at stands in quotation marks."""
    first, *rest = told.split("\n")
    if len(rest) == 2 and rest[1].strip() == "^":
        pointed = rest[0][rest[1].index("^") :].strip()
        return f"{_plain_text(first)}, at “{_plain_text(pointed)}”"
    return _plain_text(told)


def _meaning(verdict: Verdict) -> str:
    if verdict.status is not Status.PROVED:
        return _MEANINGS[verdict.status]
    sizes = " at these sizes; of other sizes nothing is said" if verdict.sizes else ""
    reason = "" if verdict.sampled else "; ".join(verdict.reason.splitlines())[:_LONGEST_REASON]
    told = f"true for every value that the names may have{sizes}"
    return f"{told}. The proof: {reason}" if reason else told


def _explained(word: str, meaning: str) -> str:
    """A word with its meaning under the mouse."""
    return f'<abbr title="{html.escape(meaning)}">{_plain_text(word)}</abbr>'


def _names(settings: Settings) -> Iterator[str]:
    """What the names are, and what is supposed, as it was typed."""
    for domain, names in _by_domain(settings):
        yield f"{', '.join(names)}: {domain}"
    yield from (f"{name} = {value}" for name, value in settings.where.items())
    yield from (f"given {condition}" for condition in settings.given)


def _names_set(settings: Settings) -> Iterator[str]:
    """The same with the formulas set."""
    for domain, names in _by_domain(settings):
        yield f"{', '.join(f'${name_latex(name)}$' for name in names)}: {_plain_text(domain)}"
    for name, value in settings.where.items():
        yield wrapped(f"{name_latex(name)} = {latex(value, settings.names)}")
    for condition in settings.given:
        yield f"given {wrapped(latex(condition, settings.names))}"


def _by_domain(settings: Settings) -> Iterator[tuple[str, list[str]]]:
    pairs = [(n, domain) for names, domain in settings.symbols.items() for n in names.split()]
    for domain, group in groupby(pairs, key=lambda pair: pair[1]):
        yield domain, [name.rstrip(",") for name, _ in group]


def _plain_text(text: str) -> str:
    """Text that Markdown takes as it stands."""
    for character in "*_`$<":
        text = text.replace(character, "\\" + character)
    return " ".join(text.split())
