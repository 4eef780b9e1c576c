"""Reads tests/data/truth_table.txt: steps that are true, and steps that are not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests import proof_recorder

TABLE = Path(__file__).parent / "data" / "truth_table.txt"
_LINE = re.compile(r"(true|false)\s+(?:d/d([^:]+):\s*)?(.*)")
_RELATION = re.compile(r"<=>|=>|==|<=|>=|!=|<|>")
_NAMES = {"<=>": "iff", "=>": "implies"}


@dataclass(frozen=True)
class Step(proof_recorder.Step):
    """One line of the table."""

    number: int = 0
    section: str = ""
    true: bool = True

    def __str__(self) -> str:
        return f"line {self.number}: {super().__str__()}"


def split(text: str) -> tuple[str, str, str]:
    """Left side, relation and right side; of several relations the loosest one decides."""
    found: list[tuple[int, int]] = []
    depth = at = 0
    while at < len(text):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        match = _RELATION.match(text, at) if depth == 0 else None
        if match:
            found.append((at, match.end()))
            at = match.end()
        else:
            at += 1
    loose = [one for one in found if text[slice(*one)] in _NAMES]
    begin, end = (loose or found)[0]
    relation = text[begin:end]
    return text[:begin].strip(), _NAMES.get(relation, relation), text[end:].strip()


def steps(path: Path = TABLE) -> Iterator[Step]:
    """All steps of a table."""
    section, symbols = "", {}
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        line = raw.strip()
        if line.startswith("## "):
            section = line[3:]
        elif line.startswith("symbols "):
            pairs = (part.split(":") for part in line[len("symbols ") :].split(";"))
            symbols = {name.strip(): domain.strip() for name, domain in pairs}
        elif line and not line.startswith("#"):
            match = _LINE.fullmatch(line)
            if match is None:
                raise ValueError(f"line {number} of {path.name} cannot be read: {line}")
            body, _, given = match[3].partition("  if ")
            lhs, relation, rhs = split(body)
            conditions = tuple(part.strip() for part in given.split(";") if part.strip())
            yield Step(
                lhs, rhs, symbols, relation, conditions, match[2],
                number=number, section=section, true=match[1] == "true",
            )  # fmt: skip
