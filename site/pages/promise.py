"""What the checker of derivations promises, and what was counted."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "tests" / "data"
TABLES = {
    "truth_table.txt": "Steps of derivations",
    "truth_table_2.txt": "Steps in other words and with other signs",
    "truth_table_3.txt": "Leaps over three to six steps",
    "truth_table_4.txt": "Traps, and true steps that look like them",
}
AGAINST = ("REFUTED", "DOMAIN", "INVALID")
FOR = ("PROVED", "AGREES")


def pages() -> dict[str, str]:
    """The one page of this module."""
    return {"reference/promise.md": _page()}


def steps(table: str) -> Counter[bool]:
    """How many true and how many false steps a table holds."""
    text = (DATA / table).read_text(encoding="utf-8")
    return Counter(word == "true" for word in re.findall(r"^(true|false)\s", text, re.MULTILINE))


def recorded(table: str) -> Counter[tuple[bool, str]]:
    """The verdicts that the tests counted: (whether the step is true, status) -> how often."""
    text = (DATA / "verdict_counts.txt").read_text(encoding="utf-8")
    found = re.findall(rf"^{re.escape(table)} (true|false) (\w+) (\d+)$", text, re.MULTILINE)
    return Counter({(word == "true", status): int(count) for word, status, count in found})


def _page() -> str:
    sections = "\n".join(_section(table, title) for table, title in TABLES.items())
    everything = sum((steps(table) for table in TABLES), Counter[bool]())
    return f"""\
# What the checker promises

A line of a derivation gets one of seven verdicts: PROVED, AGREES, REFUTED, DOMAIN, UNDECIDED,
INVALID or INTERNAL. [The language of derivations](derivations.md) says what each of them means.

- PROVED and REFUTED are always right. PROVED is exact algebra and says why. REFUTED comes with a
  point where both sides differ, computed in exact rational numbers or in intervals that do not
  overlap, never by a tolerance.
- AGREES says that no difference was found at the sample points, and that there is no proof. Alone
  it earns no required step of an exercise.
- UNDECIDED is never counted as wrong.
- INTERNAL says that the judge itself failed. It is a defect of ours and never counted against a
  line, which is kept in a file beside your progress, to be sent; nothing leaves the machine by
  itself.
- What can be read in two ways is refused with both readings, and a line is shown as it was typed.
- The search for a verdict ends after two seconds.
- What is typed is read by a parser of our own and never run as a program.

## How the promise is held

The tests of the course judge {sum(everything.values())} published steps, {everything[True]} true
ones and {everything[False]} false ones. A test fails when a true step is refused or a false one is
believed. The true steps of the first and the third table are also computed at random points by a
second program that shares no code with the checker.

{sections}
"""


def _section(table: str, title: str) -> str:
    there, found = steps(table), recorded(table)
    told = Counter[bool]()
    for (true, _), count in found.items():
        told[true] += count
    if told != there:
        raise ValueError(
            f"verdict_counts.txt: {dict(told)} steps of {table} were judged, not {dict(there)}"
        )
    refused = sum(found[True, status] for status in AGAINST)
    believed = sum(found[False, status] for status in FOR)
    return f"""\
### {title}

{there[True]} true steps: {_listed(found, True)}. {refused} refused.

{there[False]} false steps: {_listed(found, False)}. {believed} believed.
"""


def _listed(found: Counter[tuple[bool, str]], true: bool) -> str:
    counted = sorted(((n, s) for (kind, s), n in found.items() if kind is true), reverse=True)
    return ", ".join(f"{count} {status}" for count, status in counted)
