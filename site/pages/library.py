"""The library's public names, a page for each module: signature, what it does, an example."""

from __future__ import annotations

import inspect
from importlib import import_module

from builder.docstrings import as_markdown, first_sentence
from builder.markdown import entry, filter_box
from builder.public import anchor, methods, modules, public, signature

from lectures_lib.chapters import CHAPTERS

CONSTANTS = {
    "AVOCADO_MEANS": "Mean prices of ordinary and organic avocados in `make_avocados`.",
    "AVOCADO_PRIORS": "Shares of ordinary and organic avocados in `make_avocados`.",
    "AVOCADO_SD": "Standard deviation of both prices in `make_avocados`.",
    "LANGUAGES": "The languages into which the glossary translates.",
    "LEDGER": "All errata, in the order of the notes.",
    "NOTES": "The five lecture notes: number, title, author, date.",
    "PAGE_SCRIPT": "The file that makes live pictures work on a page without a kernel.",
    "SEVERITIES": "What an erratum can be, and what each word means.",
}


def pages() -> dict[str, str]:
    """A page for each module, and one that lists all names."""
    return {"reference/library/index.md": _index()} | {
        f"reference/library/{_short(module)}.md": _page(module, names)
        for module, names in modules().items()
    }


def _short(module: str) -> str:
    return module.rpartition(".")[2]


def _index() -> str:
    listed = "\n".join(
        f"## {module}\n\n" + "\n".join(_line(module, name) for name in names)
        for module, names in modules().items()
    )
    return f"""\
# The library

`lectures_lib` is what the notebooks import: {sum(map(len, modules().values()))} names in
{len(modules())} modules. The modules of mathematics need NumPy alone. Each name has its signature,
what it computes, and an example that the tests of the course run. Inside a notebook, `help(name)`
shows the same text.

{filter_box(".entry", "Find a function or a class", up="../../")}

{listed}

```{{toctree}}
:hidden:

{chr(10).join(map(_short, modules()))}
```
"""


def _line(module: str, name: str) -> str:
    target = f"{_short(module)}.md#{anchor(module, name)}"
    return entry(f"[`{name}`]({target}): {_summary(module, name)}")


def _summary(module: str, name: str) -> str:
    return CONSTANTS.get(name) or first_sentence(inspect.getdoc(public(module, name)) or "")


def _page(module: str, names: tuple[str, ...]) -> str:
    topic = _short(module)
    used = [f"{c.number:02d}" for c in CHAPTERS if topic in c.topics]
    places = f" It belongs to chapter{'s' * (len(used) > 1)} {', '.join(used)}." if used else ""
    head = first_sentence(import_module(module).__doc__ or "")
    texts = [_name(module, name) for name in names]
    return f"""\
# {module}

{head}{places}

The examples assume `import numpy as np` and, for the names of this page, lines such as
`from {module} import {names[0]}`.

{chr(10).join(texts)}"""


def _name(module: str, name: str) -> str:
    if name in CONSTANTS:
        return f"## {name}\n\n{CONSTANTS[name]}\n"
    found = public(module, name)
    own = methods(found) if inspect.isclass(found) else []
    listed = [
        f"`{signature(method, inner, width=1000)}`\n"
        f": {first_sentence(inspect.getdoc(inner) or 'see the class')}"
        for method, inner in own
    ]
    parts = [
        f"## {name}",
        f"```python\n{signature(name, found)}\n```",
        as_markdown(inspect.getdoc(found) or ""),
        *(["Methods:", *listed] if listed else []),
    ]
    return "\n\n".join(parts) + "\n"
