"""The library's public names, as the list that the tests hold to."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import EnumMeta
from importlib import import_module
from pathlib import Path
from typing import Any

from myst_parser.slugs import github_slugify, unique_slug

LIST = Path(__file__).resolve().parents[2] / "tests" / "data" / "public_names.txt"
WIDTH = 64  # of a signature on one line; a longer one takes a line for each parameter


def modules() -> dict[str, tuple[str, ...]]:
    """Module -> its public names, in the order of the list."""
    found: dict[str, list[str]] = {}
    names: list[str] = []
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line == "check":
            break  # what follows are names of exercises
        if line.startswith(" "):
            name, _, user = line.strip().partition("  ")
            names += [name] if user else line.split()
        elif line and not line.startswith("#"):
            names = found.setdefault(line, [])
    here = (module for module in found if not module.startswith("wanted "))  # by a later chapter
    return {module: tuple(found[module]) for module in here}


def public(module: str, name: str) -> Any:
    """The class, function or constant itself."""
    return getattr(import_module(module), name)


def anchor(module: str, name: str) -> str:
    """What leads to the heading of a name on the page of its module; capitals do not count."""
    taken: set[str] = set()
    for other in modules()[module]:
        slug = unique_slug(github_slugify(other), taken)
        if other == name:
            return slug
        taken.add(slug)
    raise ValueError(f"{module} has no public name {name!r}")


def signature(name: str, found: Callable[..., Any], width: int = WIDTH) -> str:
    """`name(x, y=1) -> float`, without the types of the parameters; on lines, if it is long."""
    if isinstance(found, EnumMeta):
        return f"{name}: " + ", ".join(found.__members__)
    try:
        told = inspect.signature(found)
    except ValueError:
        return name  # an exception without parameters of its own
    taken = [one for one in told.parameters.values() if one.name != "self"]
    parameters = [_parameter(one) for one in taken]
    kinds = [one.kind for one in taken]
    if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        parameters.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    back = told.return_annotation
    arrow = f" -> {back}" if isinstance(back, str) and back != "None" else ""
    line = f"{name}({', '.join(parameters)}){arrow}"
    if len(line) <= width:
        return line
    return "\n".join([f"{name}(", *(f"    {one}," for one in parameters), f"){arrow}"])


def _parameter(parameter: inspect.Parameter) -> str:
    plain = parameter.replace(annotation=inspect.Parameter.empty)
    if repr(parameter.default).startswith("<") and parameter.default is not parameter.empty:
        return f"{parameter.name}=..."  # made anew at each call
    return str(plain)


def methods(found: type) -> list[tuple[str, Callable[..., Any]]]:
    """The public methods of a class that the library itself wrote."""
    if isinstance(found, EnumMeta):
        return []
    return [
        (name, method)
        for name, method in inspect.getmembers_static(found, inspect.isfunction)
        if not name.startswith("_") and method.__module__.startswith(("lectures_lib", "linecheck"))
    ]
