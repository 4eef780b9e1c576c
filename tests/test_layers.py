"""Imports go one way, and a topic module costs little more than NumPy."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lectures_lib._core.lesson import lesson
from lectures_lib.chapters import CHAPTERS
from tests.conftest import ROOT

PACKAGE = ROOT / "lectures_lib"
TOPICS = sorted({topic for chapter in CHAPTERS for topic in chapter.topics})
HEAVY = {"matplotlib", "sympy", "ipywidgets", "anywidget", "IPython", "scipy", "sklearn", "pandas"}
LAYERS = ("figures", "widgets", "checks", "grading", "proofs", "commands", "workspace")
ALLOWED = {
    "datasets": set(),
    "figures": {"datasets"},
    "widgets": {"figures", "datasets"},
    "proofs": {"datasets"},
    "workspace": set(),
    "checks": {"datasets", "proofs", "workspace"},
    "grading": {"checks", "datasets", "proofs", "workspace"},
}


def imported_modules(path: Path) -> set[str]:
    """Every module that a file names in an import, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def layers_used(path: Path) -> set[str]:
    """The layers of the package that a file imports from."""
    parts = (name.split(".") for name in imported_modules(path) if name.startswith("lectures_lib."))
    return {part[1] for part in parts} & {*LAYERS, "datasets"}


def topic_files() -> list[Path]:
    """The modules that hold mathematics: all directly in the package that are not plumbing."""
    plumbing = {"__init__.py", "__main__.py", "concordance.py"}
    flat = [p for p in PACKAGE.glob("*.py") if p.name not in plumbing]
    inside = [p for folder in (*TOPICS, "_core") for p in (PACKAGE / folder).rglob("*.py")]
    return sorted(flat + inside)


@pytest.mark.parametrize("path", topic_files(), ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_a_topic_module_imports_numpy_and_its_siblings_only(path: Path) -> None:
    top_level = {name.split(".")[0] for name in imported_modules(path)}
    own = {"numpy", "lectures_lib"} | set(sys.stdlib_module_names)
    # scikit-learn asks for its tags; only then may it be imported.
    allowed = own | ({"sklearn"} if path.name == "estimator.py" else set())
    assert top_level <= allowed, top_level - allowed
    assert not layers_used(path) - {"datasets"}


@pytest.mark.parametrize("layer", sorted(ALLOWED))
def test_a_layer_imports_only_what_stands_below_it(layer: str) -> None:
    for path in sorted((PACKAGE / layer).rglob("*.py")):
        wrong = layers_used(path) - ALLOWED[layer] - {layer}
        assert not wrong, f"{path.relative_to(ROOT)} imports from {sorted(wrong)}"


@pytest.mark.parametrize("engine", ["figures", "widgets", "workspace"])
def test_an_engine_knows_no_chapter(engine: str) -> None:
    for path in sorted((PACKAGE / engine).rglob("*.py")):
        chapters = {n for n in imported_modules(path) if n.startswith("lectures_lib.chapters.")}
        chapters &= {f"lectures_lib.chapters.{c.slug}" for c in CHAPTERS}
        assert not chapters, f"{path.relative_to(ROOT)} imports {sorted(chapters)}"


@pytest.mark.parametrize("topic", [*TOPICS, "chapters"])
def test_importing_a_topic_loads_nothing_heavy(topic: str) -> None:
    if not (PACKAGE / f"{topic}.py").is_file() and not (PACKAGE / topic).is_dir():
        pytest.skip(f"{topic} does not exist yet")
    code = f"import sys, lectures_lib.{topic}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not HEAVY & set(loaded), HEAVY & set(loaded)


def test_library_code_names_chapters_by_slug() -> None:
    """A number typed into a message is wrong after the next chapter is inserted."""
    slugs = set()
    for path in topic_files():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\bchapter \d", text, re.IGNORECASE), path
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "lesson":
                assert isinstance(node.args[0], ast.Constant)
                slugs.add(node.args[0].value)
    assert slugs
    assert {slug: lesson(slug) for slug in slugs} == {
        c.slug: f"chapter {c.number:02d}" for c in CHAPTERS if c.slug in slugs
    }


ROOMS_OF_PROOFS = (
    "language", "expand", "search", "algebra", "prove", "judge", "second_judge", "derivation",
)  # fmt: skip


@pytest.mark.parametrize("room", ROOMS_OF_PROOFS)
def test_the_rooms_of_proofs_import_from_earlier_rooms_only(room: str) -> None:
    allowed = set(ROOMS_OF_PROOFS[: ROOMS_OF_PROOFS.index(room) + 1])
    if room == "algebra":
        allowed -= {"search"}  # two neighbours that do not know each other
    for path in sorted((PACKAGE / "proofs" / room).glob("*.py")):
        parts = (name.split(".") for name in imported_modules(path))
        used = {part[2] for part in parts if part[:2] == ["lectures_lib", "proofs"] and part[2:]}
        assert used <= allowed, f"{path.name} imports from {sorted(used - allowed)}"
