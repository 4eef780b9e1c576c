"""The language of derivations, with examples that are judged when the page is built."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from builder.markdown import entry, escaped, filter_box

import linecheck
from linecheck import verdict

TYPED = Path(__file__).resolve().parents[2] / "tests" / "data" / "typed_lines.txt"
_PROSE = re.compile(r"[a-z]{2,} [a-z]{2,}|^[{\[]")  # two words in a row, or a set of values
EXAMPLES: tuple[tuple[str, str, str, dict[str, str], str], ...] = (
    ("a power of a sum", "(a + b)**2", "a**2 + 2*a*b + b**2", {"a b": "real"}, ""),
    ("a slip with it", "(a + b)**2", "a**2 + b**2", {"a b": "real"}, ""),
    ("the sigmoid", "1 - sigma(z)", "sigma(-z)", {"z": "real"}, ""),
    ("a logarithm outside its domain", "log(x**2)", "2*log(x)", {"x": "real"}, ""),
    ("the same with a domain", "log(x**2)", "2*log(x)", {"x": "positive"}, ""),
    ("a derivative", "log(1 + exp(z))", "sigma(z)", {"z": "real"}, "z"),
    ("a derivative with a lost sign", "log(1 + exp(-z))", "sigma(-z)", {"z": "real"}, "z"),
    ("a gradient", "dot(w, w)", "2*w", {"w": "vector 3"}, "w"),
    ("a gradient of any length", "dot(w, x)", "x", {"w x": "vector d"}, "w"),
    ("a matrix product", "T(A @ B)", "T(B) @ T(A)", {"A B": "matrix 2 2"}, ""),
    ("the same in the wrong order", "T(A @ B)", "T(A) @ T(B)", {"A B": "matrix 2 2"}, ""),
    ("a sum", "sum(j, j, 1, n)", "n*(n + 1)/2", {"n": "int 1..9"}, ""),
    ("division by what may be 0", "x/x", "1", {"x": "real"}, ""),
    ("what can be read in two ways", "log 2z", "log(2) + log(z)", {"z": "positive"}, ""),
    ("what is not in the language", "f(x)", "x", {"x": "real"}, ""),
)


def pages() -> dict[str, str]:
    """The one page of this module."""
    return {"reference/derivations.md": f"{_head()}\n{_language()}\n\n{_typed()}"}


def _head() -> str:
    judged = "\n\n".join(map(_judged, EXAMPLES))
    return f"""\
# The language of derivations

A derivation is typed as plain text, line by line, and each line is judged. These verdicts were
given when this page was built:

{judged}
"""


def _judged(example: tuple[str, str, str, dict[str, str], str]) -> str:
    what, left, right, symbols, by = example
    found = verdict(left, right, symbols, derivative=by or None)
    domains = "; ".join(f"{', '.join(n.split())}: {domain}" for n, domain in symbols.items())
    step = f"d/d{by} {left} = {right}" if by else f"{left} = {right}"
    told = escaped(str(found).splitlines()[0])
    return f"{what[0].upper()}{what[1:]}, with {domains}\n: `{step}`\n: {told}"


def _language() -> str:
    """The help of the module; its bold words are the headings of the page."""
    text = inspect.getdoc(linecheck) or ""
    text = text[text.index("**Numbers.**") :]
    blocks = re.split(r"\n\s*\n", text)
    return "\n\n".join(_listed(b) if b.startswith("    ") else _headed(b) for b in blocks)


def _headed(block: str) -> str:
    return re.sub(r"^\*\*([^*.]+)\.?\*\* ?", r"## \1\n\n", block)


def _listed(block: str) -> str:
    """Lines of code in columns, most of them with an explanation in the last one."""
    items: list[tuple[list[str], str]] = []
    for line in inspect.cleandoc("\n" + block).splitlines():
        if line.startswith(" ") and items:
            items[-1] = (items[-1][0], f"{items[-1][1]} {line.strip()}")
            continue
        code, *columns = re.split(r" {2,}", line)
        words = [column for column in columns if _PROSE.search(column)]
        items.append(([code, *(c for c in columns if c not in words)], " ".join(words)))
    return "\n".join(
        "- " + ", ".join(f"`{code}`" for code in codes) + (f": {escaped(words)}" if words else "")
        for codes, words in items
    )


def _typed() -> str:
    lines = [
        line
        for line in TYPED.read_text(encoding="utf-8").splitlines()
        if line and line[0] not in "#@"
    ]
    rows: list[tuple[str, str | None]] = []
    for line in lines:
        if line.startswith("->"):
            rows[-1] = (rows[-1][0], line[2:].strip())
        else:
            rows.append((line, None))
    refused = sum(mended is not None for _, mended in rows)
    listed = "\n".join(entry(_row(*row)) for row in rows)
    return f"""\
## What people typed

{len(rows)} lines as people wrote them who had not read this page, from paper, NumPy and MATLAB.
{len(rows) - refused} are accepted as they stand; {refused} are refused, with a message that says
what to type where the language has it. The tests of the course hold each of them.

{filter_box(".entry", "Find a way of writing")}

{listed}
"""


def _row(line: str, mended: str | None) -> str:
    if mended is None:
        return f"`{line}`"
    return f"`{line}` is refused" + (f"; type `{mended}`" if mended else "")
