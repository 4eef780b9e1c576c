"""Which names of a topic are public, and who uses each: found in code, not in text.

`python -m tests.public_names` prints the lines of `tests/data/public_names.txt` for the topics in
which every public name has a line of its own, with its first user.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.conftest import ROOT

STORED = ROOT / "tests" / "data" / "public_names.txt"
PACKAGE = ROOT / "lectures_lib"
ROOMS = ("figures", "widgets", "errata")  # pictures of many chapters, and what notebooks show


def listed() -> dict[str, dict[str, str]]:
    """Module -> name -> first user, "" where the list does not say it yet.

    Modules that begin with "wanted " hold the names that a chapter still to come will use.
    """
    found: dict[str, dict[str, str]] = {}
    names: dict[str, str] = {}
    for line in STORED.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            name, _, user = re.sub(" {2,}", "\t", line.strip()).partition("\t")
            names.update({name: user} if user else dict.fromkeys(line.split(), ""))
        elif line and not line.startswith("#"):
            names = found.setdefault(line.strip(), {})
    return found


def files_of(module: str) -> list[Path]:
    """The public files of a topic: its module, or those of its package without a leading _."""
    path = ROOT.joinpath(*module.split("."))
    if not path.is_dir():
        return [path.with_suffix(".py")]
    return [path / "__init__.py", *sorted(path.glob("[!_]*.py"))]


def definitions(path: Path) -> list[ast.FunctionDef | ast.ClassDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]


def public(module: str) -> set[str]:
    """Functions and classes without a leading _, in `__all__` or not, and what `__all__` adds."""
    names = {node.name for path in files_of(module) for node in definitions(path)}
    tree = ast.parse(files_of(module)[0].read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names |= set(ast.literal_eval(node.value))
    return {name for name in names if not name.startswith("_")}


@cache
def sources() -> dict[str, str]:
    """Code by the name of who holds it: the chapters in their order, then the shared rooms."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        slug = path.stem.partition("_")[2]
        books = [path, ROOT / "solutions" / path.name]
        texts = [_code(book) for book in books if book.is_file()]
        texts += _python(PACKAGE / "chapters" / slug)
        found[slug] = "\n".join(texts)
    return found | {room: "\n".join(_python(PACKAGE / room)) for room in ROOMS}


def _python(folder: Path) -> list[str]:
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))]
    return [text.replace("from __future__ import annotations", "") for text in texts]


def _code(notebook: Path) -> str:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    lines = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code").split("\n")
    return "\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in lines)


@cache
def used() -> dict[str, set[tuple[str, str]]]:
    """Who uses which (module, name): imported from there and then named, or an attribute of it."""
    found = {}
    for user, text in sources().items():
        tree = ast.parse(text)
        names: dict[str, tuple[str, str]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("lectures_lib"):
                for alias in node.names:
                    names[alias.asname or alias.name] = (str(node.module), alias.name)
        own = found[user] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id in names:
                own.add(names[node.id])
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                module, name = names.get(node.value.id, ("", ""))
                own.add((f"{module}.{name}", node.attr))
    return found


def companions(module: str, name: str) -> Iterator[str]:
    """The public functions and classes that return or raise `name`, if that is a class."""
    path = files_of(module)[0]
    paths = path.parent.glob("*.py") if path.name == "__init__.py" else [path]
    nodes = [node for path in sorted(paths) for node in definitions(path)]
    if any(isinstance(node, ast.FunctionDef) and node.name == name for node in nodes):
        return
    for node in nodes:
        mentioned = re.search(rf"-> [^:]*\b{name}\b|\b{name}\(", ast.unparse(node))
        if mentioned and not node.name.startswith("_") and node.name != name:
            yield node.name


def first_user(module: str, name: str) -> str:
    """The first chapter or room that uses it; "with f" for a class that a used f returns."""
    for user, names in used().items():
        if (module, name) in names:
            return user
    for function in companions(module, name):
        if any((module, function) in names for names in used().values()):
            return f"with {function}"
    return ""


def lines(module: str) -> list[str]:
    """The lines of the list for a topic."""
    users = {name: first_user(module, name) for name in sorted(public(module))}
    width = max(map(len, users), default=0)
    return [module, *(f"    {name:{width}}  {user}" for name, user in users.items())]


if __name__ == "__main__":
    for module, names in listed().items():
        if all(names.values()) and not module.startswith("wanted "):
            print("\n".join(lines(module)), end="\n\n")
