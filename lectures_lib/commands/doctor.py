"""Check the environment: each finding is OK, or FAIL with the command that repairs it.

Looks at Python, the versions of the packages, the kernel that the notebooks will get, the part of
the widgets that runs in the browser, and whether the work folder can be written. Then it imports
what the chapters import, draws a picture, judges a line, and says where the megabytes are.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path

from lectures_lib.workspace.place import FOLDERS, PACKAGED, find_work
from lectures_lib.workspace.steps import each

WIDGET_PARTS = {"anywidget": "anywidget", "@jupyter-widgets/jupyterlab-manager": "ipywidgets"}


@dataclass(frozen=True)
class Diagnosis:
    """What one check saw; `repair` is the command that mends it, empty when all is well."""

    name: str
    seen: str
    repair: str = ""

    def __str__(self) -> str:
        state = "FAIL" if self.repair else "OK"
        mend = f"\n       repair: {self.repair}" if self.repair else ""
        return f"{state:4}  {self.name}: {self.seen}{mend}"


def course_folder() -> Path | None:
    """The nearest folder, here or above, that holds the course."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "course.py").is_file() and (folder / "lectures_lib").is_dir():
            return folder
    return None


def reinstall() -> str:
    """The command that installs everything anew, for the way in which the course came here."""
    if course_folder():
        return "python course.py lab --anew"
    if find_spec("pip"):
        return f'"{sys.executable}" -m pip install --upgrade --force-reinstall lectures-lib'
    return f'uv pip install --reinstall --python "{sys.executable}" lectures-lib'


def python_version() -> Diagnosis:
    """Python 3.11 to 3.14, for which every locked package has a wheel."""
    seen = ".".join(map(str, sys.version_info[:3]))
    good = (3, 11) <= sys.version_info[:2] <= (3, 14)
    return Diagnosis("Python", seen, "" if good else "install Python 3.13, then " + reinstall())


def locked_versions(folder: Path) -> Iterator[tuple[str, str]]:
    """Name and version of each package of the lock file that applies to this machine."""
    from packaging.requirements import Requirement

    text = (folder / "requirements.lock").read_text(encoding="utf-8")
    for line in re.findall(r"^[A-Za-z0-9][^\\\n]*", text, re.MULTILINE):
        requirement = Requirement(line.strip())
        if requirement.marker is None or requirement.marker.evaluate():
            yield requirement.name, str(requirement.specifier).removeprefix("==")


def needed_versions() -> Iterator[tuple[str, str]]:
    """Name and smallest version of each package that the library's metadata asks for."""
    from packaging.requirements import Requirement

    for line in requires("lectures-lib") or []:
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield requirement.name, str(requirement.specifier)


def package_versions() -> Diagnosis:
    """The locked versions where the lock file is at hand, else what the package asks for."""
    from packaging.specifiers import SpecifierSet

    folder = course_folder()
    has_lock = folder is not None and (folder / "requirements.lock").is_file()
    pairs = list(locked_versions(folder) if has_lock and folder else needed_versions())
    wrong = []
    for name, wanted in pairs:
        try:
            found = version(name)
        except PackageNotFoundError:
            wrong.append(f"{name} is missing")
            continue
        fits = found == wanted if has_lock else SpecifierSet(wanted).contains(found)
        if not fits:
            wrong.append(f"{name} {found} instead of {wanted}")
    source = "locked" if has_lock else "required"
    if wrong:
        more = f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""
        return Diagnosis("Packages", "; ".join(wrong[:5]) + more, reinstall())
    return Diagnosis("Packages", f"all {len(pairs)} have the {source} version")


def kernel() -> Diagnosis:
    """The kernel named python3 must be this Python, or the notebooks miss the library."""
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    try:
        program = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except NoSuchKernel:
        return Diagnosis("Kernel", "there is none named python3", reinstall())
    if re.fullmatch(r"python(3(\.\d+)?)?", program):  # a bare name means: the Python of Jupyter
        program = sys.executable
    try:
        answer = subprocess.run(
            [program, "-c", "import sys, lectures_lib; print(sys.prefix)"],
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Diagnosis("Kernel", f"{program} does not start ({error})", install_kernel())
    if answer.returncode:
        return Diagnosis("Kernel", f"{program} cannot import lectures_lib", install_kernel())
    if Path(answer.stdout.strip()).resolve() != Path(sys.prefix).resolve():
        return Diagnosis("Kernel", f"{program} belongs to another environment", install_kernel())
    return Diagnosis("Kernel", "notebooks run in this environment")


def install_kernel() -> str:
    """The command that puts this environment's kernel in front of any other."""
    return f'"{sys.executable}" -m ipykernel install --sys-prefix --name python3'


def widget_front_end() -> Diagnosis:
    """JupyterLab needs the browser's half of the widgets in one of its folders."""
    from jupyter_core.paths import jupyter_path

    missing = []
    for extension, package in WIDGET_PARTS.items():
        manifests = [Path(p) / extension / "package.json" for p in jupyter_path("labextensions")]
        found = [m for m in manifests if m.is_file()]
        if not found:
            missing.append(f"{extension} (package {package})")
        else:
            json.loads(found[0].read_text(encoding="utf-8"))
    if missing:
        return Diagnosis("Widgets", "no front end for " + ", ".join(missing), reinstall())
    return Diagnosis("Widgets", "the front end is in place")


def write_access() -> Diagnosis:
    """Answers and progress are files; somebody must be able to write them."""
    folder = course_folder()
    beside = folder / "work" if folder and (folder / "work").is_dir() else folder
    place = find_work() or beside or Path.cwd()
    try:
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        chmod = (
            f'icacls "{place}" /grant %USERNAME%:F' if os.name == "nt" else f'chmod u+rwx "{place}"'
        )
        return Diagnosis("Work folder", f"cannot be written ({error.strerror})", chmod)
    return Diagnosis("Work folder", "can be written")


def chapters() -> Diagnosis:
    """Everything that a notebook of the course imports can be imported here."""
    course = PACKAGED if PACKAGED.is_dir() else PACKAGED.parents[1]
    stored = [path for folder in FOLDERS for path in sorted((course / folder).glob("*.ipynb"))]
    wanted = {one: path for path in reversed(stored) for one in imports(path)}
    causes: dict[str, str] = {}
    for (module, name), path in each("Importing:", sorted(wanted.items())):
        try:
            found = importlib.import_module(module)
            if name and not hasattr(found, name):
                importlib.import_module(f"{module}.{name}")
        except Exception as error:  # whatever a broken package raises
            causes.setdefault(f"{type(error).__name__}: {error}", f"{module}, for {path.stem}")
    if causes:
        told = "; ".join(f"{where}: {cause}" for cause, where in list(causes.items())[:3])
        return Diagnosis("Chapters", f"cannot import {told}", reinstall())
    modules = {module for module, _ in wanted}
    return Diagnosis("Chapters", f"all {len(modules)} modules of {len(stored)} notebooks are there")


def imports(notebook: Path) -> Iterator[tuple[str, str]]:
    """The modules that a notebook imports, and the names that it takes out of them."""
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"]) if cell["cell_type"] == "code" else ""
        with suppress(SyntaxError):  # a line for IPython
            yield from imported(ast.parse(source))


def imported(cell: ast.Module) -> Iterator[tuple[str, str]]:
    """The modules and names that a piece of code imports."""
    for node in ast.walk(cell):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)


def picture() -> Diagnosis:
    """A picture can be drawn, as an image and alive."""
    from lectures_lib.chapters.start_here import live, pictures
    from lectures_lib.figures import show

    data, _ = show(pictures.first_scene())._repr_mimebundle_()
    if not data["image/png"] or not live.first_widget():
        return Diagnosis("Picture", "nothing was drawn", reinstall())
    return Diagnosis("Picture", "one was drawn, as an image and as a live one")


def judge() -> Diagnosis:
    """The judge of derivations proves a line that is true."""
    from linecheck import verdict

    positive = {"a": "positive", "b": "positive"}
    found = verdict("log(a*b)", "log(a) + log(b)", positive)
    good = found.status.name == "PROVED"
    seen = "log(a*b) = log(a) + log(b) is proved" if good else f"a true line is {found}"
    return Diagnosis("Judge", seen, "" if good else reinstall())


def size() -> Diagnosis:
    """Where the megabytes of the environment are."""
    site = Path(sysconfig.get_path("purelib"))
    sizes: Counter[str] = Counter()
    for place in (*site.iterdir(), Path(sys.prefix, "share", "jupyter")):
        files = place.rglob("*") if place.is_dir() else [place]
        own = sum(path.stat().st_size for path in files if path.is_file())
        sizes[place.name.partition(".")[0]] += own  # numpy.libs belongs to numpy
    largest = ", ".join(f"{name} {n / 1e6:.0f}" for name, n in sizes.most_common(6))
    return Diagnosis("Size", f"{sizes.total() / 1e6:.0f} MB of packages; {largest}")


CHECKS: tuple[Callable[[], Diagnosis], ...] = (
    python_version,
    package_versions,
    kernel,
    widget_front_end,
    write_access,
)


TRIED: tuple[Callable[[], Diagnosis], ...] = (chapters, picture, judge, size)
"""What takes seconds: the command alone tries it."""


def findings(checks: tuple[Callable[[], Diagnosis], ...] = CHECKS) -> Iterator[Diagnosis]:
    """What each check saw, in a fixed order; one that breaks off is a finding too."""
    for check in checks:
        try:
            yield check()
        except Exception as error:  # whatever a broken package raises
            name = check.__name__.replace("_", " ").capitalize()
            yield Diagnosis(name, f"{type(error).__name__}: {error}", reinstall())


def run(arguments: argparse.Namespace) -> int:
    """Print the findings; 1 when something needs repair."""
    repairs = 0
    for finding in findings((*CHECKS, *TRIED)):
        print(finding, flush=True)
        repairs += bool(finding.repair)
    return int(repairs > 0)
