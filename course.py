"""Set up the course and run it. Needs Python 3.11 or newer and nothing else.

    python course.py lab         install what a student needs and open JupyterLab
    python course.py test        install the development set and run the tests (8 minutes)
    python course.py test --fast the quick ones only (1 minute); `test --help` names the others
    python course.py tidy        store code and notebooks in their normal form
    python course.py install     the development environment, without running anything
    python course.py notebooks   check the stored outputs of the notebooks with nbval
                                 (--newest, --oldest: with other versions of all packages)
    python course.py bench       print the benchmark table
    python course.py site        build the course as a web site, in site/_build/html
    python course.py grade       install what a student needs and call `lectures grade`
    python course.py lock        bring the lock files and environment.yml in step with
                                 pyproject.toml (needs uv; --upgrade takes the newest versions)

`--anew` with any of them makes `.venv` anew first: what `lectures doctor` calls a repair.
Whatever else stands behind a command is handed on: `course.py lab --no-browser`,
`course.py test tests/test_perceptron.py`, `course.py bench perceptron`.
"""

# This file must still be read by an old Python, which it then turns away in words.
from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import venv
from pathlib import Path

OLDEST = (3, 11)
NEWEST = (3, 14)
ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
STAMP = VENV / "course.json"
PROJECT = ROOT / "pyproject.toml"
STUDENT_LOCK = ROOT / "requirements.lock"
SITE_LOCK = ROOT / "requirements-site.lock"
DEV_LOCK = ROOT / "requirements-dev.lock"
LOCKS = [STUDENT_LOCK, SITE_LOCK, DEV_LOCK]  # each holds what it adds to those before it
COMPILED_FROM = {".c", ".cpp", ".pyx", ".map"}  # the last lead from pages to their sources


class Trouble(Exception):
    """Something the user can mend; the message says how."""


# ---------------------------------------------------------------- the environment


def check_python() -> None:
    """Refuse a Python that the locked packages have no wheels for."""
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        found = ".".join(map(str, sys.version_info[:3]))
        raise Trouble(
            f"This is Python {found}; the course needs 3.11, 3.12, 3.13 or 3.14.\n"
            "Install one of them and name it: `python3.13 course.py lab`,"
            " on Windows `py -3.13 course.py lab`."
        )


def venv_python() -> Path:
    """The interpreter inside `.venv`."""
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def child_environment() -> dict[str, str]:
    """Our environment without what would lead a child to packages outside `.venv`."""
    hidden = {"PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "VIRTUAL_ENV", "CONDA_PREFIX"}
    hidden.add("PYTHONDONTWRITEBYTECODE")  # without compiled modules every start takes seconds
    environment = {k: v for k, v in os.environ.items() if k.upper() not in hidden}
    environment.update(PYTHONNOUSERSITE="1", PYTHONUTF8="1")
    environment["PATH"] = str(venv_python().parent) + os.pathsep + environment.get("PATH", "")
    return environment


def run(*command: object, quiet: bool = False, environment: dict[str, str] | None = None) -> int:
    """Run a command in the course's folder and return its exit code."""
    words = [str(word) for word in command]
    output = subprocess.DEVNULL if quiet else None
    try:
        return subprocess.run(
            words,
            cwd=ROOT,
            env={**child_environment(), **(environment or {})},
            stdout=output,
            stderr=output,
        ).returncode
    except OSError as error:
        raise Trouble(f"Cannot start {words[0]}: {error.strerror or error}.") from error


def files_of(lock: Path) -> list[Path]:
    """The files whose packages make an environment: a set holds those before it."""
    return LOCKS[: LOCKS.index(lock) + 1]


def wanted_state(lock: Path) -> dict[str, str]:
    """What `.venv` must have been made from to be complete."""
    packages = b"".join(path.read_bytes() for path in files_of(lock))
    return {
        "lock": lock.name,
        "packages": hashlib.sha256(packages).hexdigest(),
        "project": hashlib.sha256(PROJECT.read_bytes()).hexdigest(),
        "place": str(ROOT),
    }


def recorded_state() -> dict[str, str]:
    """What the last complete installation wrote down, or nothing."""
    try:
        state = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return state if isinstance(state, dict) else {}


def is_installed(lock: Path) -> bool:
    """Whether `.venv` holds the locked packages, perhaps with others."""
    recorded = recorded_state()
    complete = any(recorded == wanted_state(larger) for larger in LOCKS[LOCKS.index(lock) :])
    return complete and run(venv_python(), "-c", "import lectures_lib", quiet=True) == 0


def make_venv() -> None:
    """Make `.venv`; one that was cut off half-way or was moved here is made anew."""
    state = recorded_state()
    moved = state and state.get("place") != str(ROOT)
    works = venv_python().exists() and run(venv_python(), "-c", "pass", quiet=True) == 0
    if works and state and not moved:
        return
    if VENV.exists():
        print("The folder .venv is incomplete or was moved; making it anew.")
        try:
            shutil.rmtree(VENV)
        except OSError as error:
            raise Trouble(
                f"Cannot remove {VENV}: {error.strerror}.\n"
                "Close every JupyterLab and Python that runs from it, then try again."
            ) from error
    print("Making .venv ...")
    new_environment(VENV)


def new_environment(folder: Path) -> None:
    """An empty environment, with uv if it is there."""
    if shutil.which("uv"):
        if run("uv", "venv", "--quiet", "--clear", "--python", sys.executable, folder):
            raise Trouble(f"uv could not make {folder.name}; its message is above.")
        return
    try:
        venv.create(folder, clear=True, with_pip=True, symlinks=os.name != "nt")
    except (OSError, subprocess.CalledProcessError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise Trouble(
            f"Python could not make {folder.name}: {error}.\n"
            "On Debian and Ubuntu the module is a package of its own:"
            " `sudo apt install python3-venv`.\nInstalling uv helps too."
        ) from error


def installer(python: Path) -> list[object]:
    """The command that installs into the environment of this interpreter."""
    if shutil.which("uv"):
        return ["uv", "pip", "install", "--python", python]
    return [python, "-m", "pip", "install", "--disable-pip-version-check"]


def site_packages(python: Path) -> Path:
    """Where the packages of the environment of this interpreter lie."""
    return next(python.parent.parent.rglob("site-packages"))


def leave_out(site: Path) -> None:
    """Take away what no reader of the course runs, a fifth of all.

    Tests of the packages, JupyterLab's own, the widgets of the old notebook, and what the programs
    were compiled from. Languages stay, and debugger and completion.
    """
    folders = [path.parent for path in site.rglob("tests/__init__.py")]
    old = ("share/jupyter/nbextensions", "etc/jupyter/nbconfig")
    folders += [site / "jupyterlab" / "galata", *(VENV / name for name in old)]
    for folder in [*folders, site / "widgetsnbextension" / "static"]:
        shutil.rmtree(folder, ignore_errors=True)
    for path in [path for path in site.rglob("*.*") if path.suffix in COMPILED_FROM]:
        path.unlink()


def fetch(python: Path, files: list[Path]) -> int:
    """Install what these files lock, and say in a terminal how far it is; the exit code.

    pip names each package when it begins to fetch it; what is unpacked lies in the environment. uv
    has a line of its own.
    """
    words = [word for path in files for word in ("-r", path)]
    command = [*installer(python), "--only-binary", ":all:", "--require-hashes", *words]
    if not sys.stderr.isatty():
        return run(*command, "--quiet")
    if command[0] == "uv":
        return run(*command)
    from lectures_lib.workspace.steps import steps  # needs nothing that is not there yet

    count = sum(len(locked(path)) for path in files)
    told, site = steps("Fetching, then unpacking:"), site_packages(python)
    heard: list[str] = []
    with subprocess.Popen(
        [str(word) for word in command],
        cwd=ROOT, env=child_environment(), stdout=subprocess.PIPE, text=True, encoding="utf-8",
    ) as process:  # fmt: skip
        listener = threading.Thread(target=lambda: heard.extend(process.stdout or ()))
        listener.start()
        while process.poll() is None:
            time.sleep(0.5)
            lines = "".join(heard)
            for_others = lines.count("Ignoring ")
            unpacked = len(list(site.glob("*.dist-info")))
            of = 2 * (count - for_others)
            told(min(lines.count("Collecting ") + unpacked, of - 1), of)
        listener.join()
    print(file=sys.stderr)
    return process.returncode


def install(lock: Path) -> bool:
    """Bring `.venv` to the state of a lock file; whether there was anything to do."""
    if is_installed(lock):
        return False
    if Path(sys.prefix) == VENV:  # it would take away the Python that it runs in
        below = sys._base_executable  # type: ignore[attr-defined]
        raise SystemExit(run(below, ROOT / "course.py", *sys.argv[1:]))
    make_venv()
    STAMP.unlink(missing_ok=True)
    print(f"Installing the packages of {lock.name}, once; a minute or two ...", flush=True)
    if fetch(venv_python(), files_of(lock)):
        raise Trouble(
            "The packages could not be installed; the reason is above.\n"
            "Most often the network or a proxy is in the way. Nothing is lost:"
            " the same command goes on from here once the network is back."
        )
    pip = [*installer(venv_python()), "--quiet", "--no-deps", "--no-build-isolation"]
    if run(*pip, "--editable", ROOT):
        raise Trouble("The course's own package could not be installed; the reason is above.")
    if lock != DEV_LOCK:
        leave_out(site_packages(venv_python()))
    STAMP.write_text(json.dumps(wanted_state(lock)), encoding="utf-8")
    return True


# ---------------------------------------------------------------- the commands


def lab(arguments: list[str]) -> int:
    """Open JupyterLab on the student's own copy of the notebooks."""
    lectures = (venv_python(), "-m", "lectures_lib")
    if install(STUDENT_LOCK):  # what is imported here is compiled: the first notebook need not wait
        print("Trying everything once ...", flush=True)
        run(*lectures, "doctor")
    return run(*lectures, "lab", *arguments)


NBVAL = ["--nbval", "--nbval-current-env", "-p", "tests.kernels", "-p", "no:cacheprovider"]
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "VECLIB_MAXIMUM")}


def one_thread() -> dict[str, str]:
    """One thread for linear algebra, so that numbers and times compare; yours if you set it."""
    return {name: os.environ.get(name, one) for name, one in ONE_THREAD.items()}


def notebooks(arguments: list[str]) -> int:
    """Run the notebooks and the solutions and compare every stored output."""
    asked = [word for word in arguments if word not in ("--newest", "--oldest")]
    paths = [] if [word for word in asked if not word.startswith("-")] else notebook_folders()
    options = [*NBVAL, "-n", "2", "--dist", "loadfile", *asked, *paths]
    if asked != arguments:
        python = other_versions("newest" if "--newest" in arguments else "oldest")
        options += ["-p", "tests.upgrade", "--tb=no", "-q", "--no-header", "--no-summary"]
    else:
        install(DEV_LOCK)
        python = venv_python()
    return run(python, "-m", "pytest", *options, environment=one_thread())


def other_versions(which: str) -> Path:
    """The interpreter of an environment with the newest or the oldest versions we allow."""
    folder = ROOT / f".venv-{which}"
    print(f"Making {folder.name} ...", flush=True)
    new_environment(folder)
    python = folder / venv_python().relative_to(VENV)
    wanted = [f"{name}=={least}" for name, least, _ in reasons()] if which == "oldest" else []
    if run(*installer(python), "--quiet", "pytest-xdist", *wanted, "--editable", ROOT):
        raise Trouble("These versions could not be installed; the reason is above.")
    return python


TIERS = ("--fast", "--deep")
TEST_HELP = """course.py test           what protects a reader: 8 minutes on two quiet cores
course.py test --fast    after an edit: one minute, without notebooks and without a browser
course.py test --deep    what the others leave out: every page and notebook in the browser, large
                         random batches, three other processors: 20 minutes
course.py test --chapter SLUG    what belongs to one chapter, its notebooks included
course.py test PATH ...          the tests of a file or folder

The end names the ten slowest files, the budget of the tier beside what it took, and what was not
looked at. Other words are handed on to pytest: `-x`, `-k margin`, `--until UNIX_TIME` (starts
nothing later), `--record-seconds` (renews tests/data/seconds.txt, which orders the files).
The three processors alone: `course.py test --deep tests/test_processors.py`."""


def test(arguments: list[str]) -> int:
    """Run one tier of the tests, notebooks and the look of the code included, in one session."""
    if {"-h", "--help"} & set(arguments):
        print(TEST_HELP)
        return 0
    start = time.monotonic()
    install(DEV_LOCK)
    if time.monotonic() > start + 2:
        print(f"installed: {time.monotonic() - start:.0f} s", flush=True)
    chosen = [word for word in TIERS if word in arguments]
    tier = chosen[-1].removeprefix("--") if chosen else "default"
    slug, rest = taken([word for word in arguments if word not in TIERS], "--chapter")
    own = notebooks_of(slug) if slug else notebook_folders()
    rest += ["--chapter", slug] if slug else []
    if not any(word.startswith(("tests", "notebooks", "solutions")) for word in rest):
        rest += ["tests", *(own if tier == "default" else [])]
    # A file goes to one worker: its tests share pages and fixtures. The longest come first.
    workers = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
    options = ["-p", "tests.session", "--tier", tier, "-q", "--no-header"]
    code = run(
        *(venv_python(), "-m", "pytest", *NBVAL, *workers, *options, *rest),
        environment=one_thread(),
    )
    spent = time.monotonic() - start
    cpu = os.times().children_user + os.times().children_system
    print(f"{spent // 60:.0f} min {spent % 60:02.0f} s in all, {cpu:.0f} CPU seconds.")
    return code


def notebook_folders() -> list[str]:
    """The folders that hold notebooks with stored outputs."""
    return [name for name in ("notebooks", "solutions") if any((ROOT / name).glob("*.ipynb"))]


def taken(arguments: list[str], option: str) -> tuple[str, list[str]]:
    """The value of an option, and the other words."""
    if option not in arguments:
        return "", arguments
    place = arguments.index(option)
    if place + 1 == len(arguments):
        raise Trouble(f"{option} needs the slug of a chapter: {', '.join(slugs())}.")
    return arguments[place + 1], arguments[:place] + arguments[place + 2 :]


def slugs() -> list[str]:
    """The chapters whose folders stand in the library."""
    folders = (ROOT / "lectures_lib" / "chapters").iterdir()
    return sorted(folder.name for folder in folders if (folder / "__init__.py").is_file())


def notebooks_of(slug: str) -> list[str]:
    """The stored notebooks of one chapter, relative to the course."""
    if slug not in slugs():
        raise Trouble(f"There is no chapter {slug!r}. There are: {', '.join(slugs())}.")
    found = [
        path
        for folder in ("notebooks", "solutions")
        for path in sorted((ROOT / folder).glob(f"[0-9][0-9]_{slug}.ipynb"))
    ]
    return [str(path.relative_to(ROOT)) for path in found]


def tidy(arguments: list[str]) -> int:
    """Store Python files and notebooks in their normal form: all of them, or those named."""
    install(DEV_LOCK)
    folders = ("notebooks", "solutions", "exercises")
    every = [path for folder in folders for path in sorted((ROOT / folder).glob("*.ipynb"))]
    named = [Path(word) for word in arguments]
    stored = [path for path in named if path.suffix == ".ipynb"] if named else every
    code = [path for path in named if path.suffix != ".ipynb"] if named else [ROOT]
    done = 0
    if code:
        done |= run(venv_python(), "-m", "ruff", "check", "--fix", "--quiet", *code)
        done |= run(venv_python(), "-m", "ruff", "format", "--quiet", *code)
    if stored:
        normalise = ("-m", "lectures_lib", "execute", "--normalise-only")
        done |= run(venv_python(), *normalise, *stored, quiet=True)
    return done


def bench(arguments: list[str]) -> int:
    """Print the benchmark table."""
    install(DEV_LOCK)
    return run(venv_python(), "-m", "benchmarks", *arguments, environment=one_thread())


def site(arguments: list[str]) -> int:
    """Build the web site from the stored notebooks, without the network."""
    install(SITE_LOCK)
    return run(venv_python(), "site/build_site.py", *arguments, environment=one_thread())


def grade(arguments: list[str]) -> int:
    """Grade what was handed in."""
    install(STUDENT_LOCK)
    return run(venv_python(), "-m", "lectures_lib", "grade", *arguments)


def lock(arguments: list[str]) -> int:
    """Bring the lock files, for every system and Python, and environment.yml in step."""
    if not shutil.which("uv"):
        raise Trouble("`lock` needs uv, which resolves for every system at once: `pip install uv`.")
    kept = {entry: text for path in LOCKS for entry, text in locked(path).items()}
    before: dict[str, str] = {}
    for path, extra in zip(LOCKS, ((), ("site",), ("site", "dev")), strict=True):
        words = [word for name in extra for word in ("--extra", name)]
        found = resolved(kept | before, [*arguments, *words])
        added = "".join(text for entry, text in found.items() if entry not in before)
        path.write_text(without_hosts(LOCK_HEADER + added), encoding="utf-8")
        before |= found
    student = locked(STUDENT_LOCK)
    (ROOT / "environment.yml").write_text(conda_environment(student), encoding="utf-8")
    print(f"{', '.join(path.name for path in LOCKS)} and environment.yml are in step")
    return 0


def resolved(kept: dict[str, str], arguments: list[str]) -> dict[str, str]:
    """The versions of everything that is asked for; those kept stay unless they cannot."""
    result = ROOT / "requirements.new"
    result.write_text("".join(kept.values()), encoding="utf-8")
    code = run(
        *("uv", "pip", "compile", PROJECT.name, "--group", "build", *arguments),
        *("--universal", "--python-version", ".".join(map(str, OLDEST))),
        *("--generate-hashes", "--only-binary", ":all:", "--no-header", "--quiet"),
        *("--no-emit-index-url", "--no-emit-find-links", "--no-annotate"),
        *("--output-file", result),
    )
    entries = locked(result)
    result.unlink()
    if code:
        raise Trouble("The versions could not be resolved; the reason is above.")
    return entries


def locked(path: Path) -> dict[str, str]:
    """The entries of a lock file: the line with name, version and marker, and the whole text."""
    text = path.read_text(encoding="utf-8")
    entries = re.split(r"^(?=[\w.-]+==)", text, flags=re.MULTILINE)[1:]
    return {entry.partition(" \\\n")[0]: entry for entry in entries}


def reasons() -> list[tuple[str, str, str]]:
    """What pyproject.toml asks for: name, lowest version, and why it is there."""
    text = PROJECT.read_text(encoding="utf-8")
    return re.findall(r'^    "([\w.-]+)>=([\w.]+)",  # (.+)$', text, re.MULTILINE)


CONDA_HEADER = """\
# Written by `course.py lock` from pyproject.toml: one Python, and the versions locked for it.
# conda / mamba / micromamba: `conda env create -f environment.yml`, then `conda activate lectures`
# and `lectures lab`.
name: lectures
channels:
  - conda-forge
  - nodefaults
dependencies:
"""
CONDA_PYTHON = "3.13"
CONDA_NAMES = {"matplotlib": "matplotlib-base"}  # the other one brings Qt along


def conda_environment(student: dict[str, str]) -> str:
    """The text of environment.yml."""
    rows = [(f"python={CONDA_PYTHON}", "one branch, because a lock for several cannot be written")]
    for name, _, reason in reasons():
        versions = [e for e in student if e.startswith(f"{name}==") and applies(e, CONDA_PYTHON)]
        if len(versions) != 1:
            raise Trouble(f"{name}: expected one version for Python {CONDA_PYTHON}: {versions}.")
        version = versions[0].partition(" ;")[0].partition("==")[2]
        rows.append((f"{CONDA_NAMES.get(name, name)}={version}", reason))
    width = max(len(spec) for spec, _ in rows)
    lines = [f"  - {spec:{width}}  # {reason}\n" for spec, reason in rows]
    own = "      - --editable .  # the course itself\n"
    return CONDA_HEADER + "".join(lines) + "  - pip\n  - pip:\n" + own


def applies(entry: str, python: str) -> bool:
    """Whether a locked entry is for this Python; the only markers of ours compare versions."""
    branch = tuple(map(int, python.split(".")))
    compared = re.findall(r"python_(?:full_)?version (<|>=) '([\d.]+)'", entry)
    limits = [(sign, tuple(map(int, limit.split(".")[:2]))) for sign, limit in compared]
    return all(branch < limit if sign == "<" else branch >= limit for sign, limit in limits)


LOCK_HEADER = "# Written by `course.py lock`. Versions and hashes only: any index will do.\n"


def without_hosts(text: str) -> str:
    """A lock file's text, refused when it names a place to download from."""
    if re.search(r"https?://|file:", text):
        raise Trouble("A locked package comes from a URL; name it by version in pyproject.toml.")
    return text


def only_install(arguments: list[str]) -> int:
    """Make the development environment."""
    if arguments:
        raise Trouble(f"`install` takes no arguments; found {' '.join(arguments)}.")
    install(DEV_LOCK)
    print(f"The development environment is ready: {venv_python()}")
    return 0


COMMANDS = {
    "lab": lab,
    "test": test,
    "install": only_install,
    "notebooks": notebooks,
    "bench": bench,
    "site": site,
    "grade": grade,
    "tidy": tidy,
    "lock": lock,
}


def main(arguments: list[str]) -> int:
    """Run one command; trouble that the user can mend is told without a traceback."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0
    if arguments[0] not in COMMANDS:
        print(f"No command {arguments[0]!r}. There are: {', '.join(COMMANDS)}.")
        return 2
    try:
        check_python()
        if "--anew" in arguments:
            STAMP.unlink(missing_ok=True)
            arguments = [word for word in arguments if word != "--anew"]
        return COMMANDS[arguments[0]](arguments[1:])
    except Trouble as trouble:
        print(f"\n{trouble}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
