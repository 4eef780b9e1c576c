"""Imports go one way, a topic costs little more than NumPy, and public names stay."""

import importlib
import re
import subprocess
import sys

import pytest

import linecheck
from lectures_lib._core.lesson import lesson
from lectures_lib.chapters import CHAPTERS
from lectures_lib.checks.registry import find
from tests import import_graph as graph
from tests import public_names
from tests.conftest import ROOT

TOPICS = sorted({topic for chapter in CHAPTERS for topic in chapter.topics})
HEAVY = {"matplotlib", "sympy", "ipywidgets", "anywidget", "IPython", "scipy", "sklearn", "pandas"}


def modules_of(room: str) -> list[str]:
    return [name for name in graph.modules() if graph.room_of(name) == room]


@pytest.mark.parametrize("room", sorted(graph.ALLOWED))
def test_a_room_imports_only_what_stands_below_it(room: str) -> None:
    allowed = graph.ALLOWED[room] | {room}
    for name in modules_of(room):
        for used in graph.own_imports(name):
            assert graph.room_of(used) in allowed, f"{name} imports {used}, which stands above it"


def test_neither_rooms_nor_modules_import_themselves_by_a_detour() -> None:
    """Counted is what happens on import; a function may ask for its own module's page later."""
    at_once = {name: graph.own_imports(name, lazy=False) - {name} for name in graph.modules()}
    assert graph.cycles(graph.ALLOWED) + graph.cycles(at_once) == []


def test_only_a_message_asks_the_table() -> None:
    at_once = graph.between_rooms(lazy=False)
    assert [room for room in graph.LAZILY if graph.TABLE in at_once[room]] == []


def test_a_chapter_imports_from_earlier_chapters_only() -> None:
    numbers = {c.slug: c.number for c in CHAPTERS}
    for name in modules_of("chapters"):
        for used in graph.own_imports(name):
            if graph.room_of(used) == "chapters":
                owner, other = graph.owner_of(name), graph.owner_of(used)
                assert numbers[other] <= numbers[owner], f"{name} imports {used}"


def test_a_private_module_is_imported_from_its_own_folder_only() -> None:
    for name in graph.modules():
        for used in graph.own_imports(name):
            folder, _, last = used.rpartition(".")
            if last.startswith("_") and used != "lectures_lib._core":
                assert f"{name}.".startswith(f"{folder}."), f"{name} imports the private {used}"


@pytest.mark.parametrize("name", modules_of("mathematics"))
def test_a_topic_module_imports_numpy_and_its_siblings_only(name: str) -> None:
    top_level = {used.partition(".")[0] for used in graph.imports(graph.modules()[name])}
    own = {"numpy", "lectures_lib"} | set(sys.stdlib_module_names)
    # scikit-learn asks for its tags; only then may it be imported.
    allowed = own | ({"sklearn"} if name == "lectures_lib._core.estimator" else set())
    assert top_level <= allowed, top_level - allowed


def test_public_names_stay_importable() -> None:
    listed = public_names.listed()
    assert "roc_curve" in listed["lectures_lib.metrics"]
    assert "perceptron.fit" in listed["check"]
    for module, names in listed.items():
        for name in names:
            if module == "check":
                assert find(name).id == name
            else:
                home = importlib.import_module(module.removeprefix("wanted "))
                assert hasattr(home, name), f"from {module} import {name}"


LISTED = public_names.listed()


@pytest.mark.parametrize("module", [m for m, names in LISTED.items() if all(names.values())])
def test_every_public_name_of_a_topic_has_a_user_in_the_course(module: str) -> None:
    """What no chapter, solution or picture calls goes, or is wanted by one still to come."""
    if module.startswith("wanted "):
        topic = module.removeprefix("wanted ")
        assert [name for name in LISTED[module] if public_names.first_user(topic, name)] == []
        return
    wanted = set(LISTED.get(f"wanted {module}", {}))
    found = {n: public_names.first_user(module, n) for n in public_names.public(module) - wanted}
    assert [name for name, user in found.items() if not user] == []
    assert found == LISTED[module], "\n".join(public_names.lines(module))


def test_importing_a_topic_or_the_table_loads_nothing_heavy() -> None:
    code = (
        "import importlib, sys\n"
        f"for name in {[*TOPICS, 'chapters']}:\n"
        "    importlib.import_module(f'lectures_lib.{name}')\n"
        f"    print(name, *({HEAVY} & set(sys.modules)))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.splitlines() == [*TOPICS, "chapters"], told.stdout


def test_library_code_names_chapters_by_slug() -> None:
    """A number typed into a message is wrong after the next chapter is inserted."""
    slugs = set()
    for path in graph.modules().values():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\bchapters? \d", text, re.IGNORECASE), path
        for asked in re.findall(r"(?<!def )\blesson\(([^)]*)\)", text):
            assert re.fullmatch(r"[\"']\w+[\"']", asked), f"{path}: lesson({asked})"
            slugs.add(asked[1:-1])
    assert slugs
    assert {slug: lesson(slug) for slug in slugs} == {
        c.slug: f"chapter {c.number:02d}" for c in CHAPTERS if c.slug in slugs
    }


ROOMS_OF_LINECHECK = (
    "language", "expand", "kernel", "search", "prove", "judge", "second_judge", "derivation",
)  # fmt: skip


def test_what_runs_processes_needs_python_alone() -> None:
    path = graph.modules()["linecheck.process"]
    optional = {"psutil"}  # comes with JupyterLab; without it the clock is asked
    assert {name.partition(".")[0] for name in graph.imports(path)} - optional <= set(
        sys.stdlib_module_names
    )


@pytest.mark.parametrize("room", ROOMS_OF_LINECHECK)
def test_the_rooms_of_linecheck_import_from_earlier_rooms_only(room: str) -> None:
    allowed = {"process", *ROOMS_OF_LINECHECK[: ROOMS_OF_LINECHECK.index(room) + 1]}
    if room == "search":
        allowed -= {"kernel"}  # neighbours that do not know each other
    for path in sorted((ROOT / "linecheck" / room).glob("*.py")):
        parts = (name.split(".") for name in graph.imports(path))
        used = {part[1] for part in parts if part[0] == "linecheck" and part[1:]}
        assert used <= allowed, f"{path.name} imports from {sorted(used - allowed)}"


ROOMS_OF_GRADING = {
    "intake": set(),
    "walls": set(),
    "judging": {"intake", "walls"},
    "batches": {"intake", "walls", "judging"},
    "reports": {"judging", "batches"},
    "handing_out": set(),
}


@pytest.mark.parametrize("room", ROOMS_OF_GRADING)
def test_the_rooms_of_grading_import_what_a_submission_went_through_before(room: str) -> None:
    for name in graph.modules():
        if name.startswith(f"lectures_lib.grading.{room}."):
            used = {n.split(".")[2] for n in graph.own_imports(name) if "lib.grading." in n}
            assert used <= ROOMS_OF_GRADING[room] | {room}, name


def test_only_one_module_starts_processes_for_judge_checks_and_grader() -> None:
    starting = re.compile(r"subprocess\.Popen\(|os\.kill(pg)?\(|setrlimit\(|waitpid\(")
    rooms = ("linecheck", "lectures_lib.checks", "lectures_lib.grading")
    found = {
        name
        for name, path in graph.modules().items()
        if name.startswith(rooms) and starting.search(path.read_text(encoding="utf-8"))
    }
    inside = {f"lectures_lib.grading.walls.{name}" for name in ("sandbox", "server", "worker")}
    assert found - inside == {"linecheck.process"}


def test_copies_made_before_find_the_judge_under_its_former_name() -> None:
    former = importlib.import_module("lectures_lib.proofs")
    assert (former.verdict, former.Derivation) == (linecheck.verdict, linecheck.Derivation)
