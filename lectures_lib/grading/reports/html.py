"""The frame of the pages, and texts made safe for them."""

from __future__ import annotations

from collections.abc import Container
from html import escape

from lectures_lib.grading.judging.judge import cleaned

STYLE = """
:root { color-scheme: light dark; --line: #8a8f98; --soft: #8a8f9822; --good: #1b8a5a;
  --bad: #c2571a; --ink: #1f2328; --paper: #fff; --link: #0a53a8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaed; --good: #4cc38a; --bad: #f0935a; --paper: #121417; --link: #8ab4f8; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1rem;
  color: var(--ink); background: var(--paper); }
a { color: var(--link); }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--soft);
  vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
pre { background: var(--soft); padding: .6rem; overflow-x: auto; white-space: pre-wrap;
  overflow-wrap: anywhere; margin: .4rem 0; font-size: .875rem; }
.bar { display: inline-block; height: .8rem; background: var(--good); vertical-align: middle; }
.track { display: inline-block; width: 6rem; background: var(--soft); vertical-align: middle;
  line-height: 1; margin-left: .6rem; text-align: left; }
td.number { white-space: nowrap; }
ul { margin: 0; padding-left: 1.2rem; }
@media (max-width: 40rem) { .track { display: none; } th, td { padding: .3rem .35rem; } }
.verdict { border-left: .3rem solid var(--line); padding-left: .8rem; margin: 1.2rem 0; }
.right { border-color: var(--good); } .wrong, .error { border-color: var(--bad); }
.note { background: var(--soft); padding: .6rem .8rem; }
.wide { overflow-x: auto; }
summary { cursor: pointer; }
"""


def page(title: str, *blocks: str) -> str:
    """A whole page: it loads nothing and runs nothing."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{safe(title)}</title><style>{STYLE}</style></head>\n"
        f"<body><main>\n<h1>{safe(title)}</h1>\n{chr(10).join(blocks)}\n</main></body></html>\n"
    )


def safe(text: object, longest: int = 4_000) -> str:
    """A text as HTML shows it: escaped, without control characters, cut."""
    return escape(cleaned(str(text), longest))


def code(text: str, longest: int = 4_000) -> str:
    """A block of code or of plain text; it can be scrolled, by keyboard too."""
    return f'<pre tabindex="0">{safe(text, longest)}</pre>'


def table(head: list[str], lines: list[list[str]], numbers: Container[int] = ()) -> str:
    """A table; its cells are HTML already."""

    def cell(tag: str, place: int, content: str) -> str:
        kind = ' class="number"' if place in numbers else ""
        scope = ' scope="col"' if tag == "th" else ""
        return f"<{tag}{kind}{scope}>{content}</{tag}>"

    def line(tag: str, cells: list[str]) -> str:
        return "<tr>" + "".join(cell(tag, k, c) for k, c in enumerate(cells)) + "</tr>"

    body = "\n".join(line("td", cells) for cells in lines)
    return (
        f'<div class="wide" tabindex="0"><table><thead>{line("th", head)}</thead>\n'
        f"<tbody>{body}</tbody></table></div>"
    )


def section(title: str, head: list[str], lines: list[list[str]], told: str = "") -> str:
    """A table under its heading; nothing where there is no line."""
    return f"<h3>{title}</h3>{told}{table(head, lines)}" if lines else ""


def plural(count: int, one: str, several: str = "") -> str:
    """`1 student`, `2 students`."""
    return f"{count} {one if count == 1 else several or one + 's'}"
