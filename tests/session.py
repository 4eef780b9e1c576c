"""One run of the tests: its tier, what comes first, how far it is, what it cost.

`course.py test` loads this with `-p tests.session --tier NAME`. Three tiers:

    fast      no mark: after each edit, without a browser
    default   joined by `slow` tests and by the notebooks: everything that protects a reader
    deep      `deep` tests alone: every page, large random batches, other processors
"""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from xdist.scheduler import LoadFileScheduling

ROOT = Path(__file__).resolve().parent.parent
SECONDS = Path(__file__).with_name("data") / "seconds.txt"
TIERS = {"fast": 100, "default": 900, "deep": 2300}  # seconds that the tests may take in sum
APART = ("browser/test_notebooks.py", "browser/test_site.py", "test_processors.py")
NOT_RUN = "NOT RUN: the time was over"
NO_BROWSER = "no Chromium"
PATIENCE = 15  # seconds between two lines that say how far it is


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("course")
    group.addoption("--tier", choices=list(TIERS), help="which tests: by their mark")
    group.addoption("--chapter", metavar="SLUG", help="only what belongs to one chapter")
    group.addoption("--until", type=float, metavar="T", help="start no test after this Unix time")
    group.addoption("--record-seconds", action="store_true", help="write tests/data/seconds.txt")


def pytest_configure(config: pytest.Config) -> None:
    controls = not hasattr(config, "workerinput")
    if controls and config.getoption("--tier"):
        config.pluginmanager.register(Told(config), "told")


# ------------------------------------------------------------------------ what runs, in which order


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests of the tier and of the chapter; the files that take longest come first."""
    tier, slug = config.getoption("--tier"), config.getoption("--chapter")
    kept = [item for item in items if in_tier(item, tier) and (not slug or of(item, slug))]
    chosen = set(kept)
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    seconds = recorded()
    items[:] = sorted(kept, key=lambda item: -seconds.get(file_of(item.nodeid), 0))


def in_tier(item: pytest.Item, tier: str | None) -> bool:
    """Whether a test belongs to a tier. A notebook belongs to the default one."""
    marks = {mark.name for mark in item.iter_markers()}
    slow = "slow" in marks or file_of(item.nodeid).endswith(".ipynb")
    if {"slow", "deep"} <= marks:
        raise pytest.UsageError(f"{item.nodeid} is marked slow and deep; one of them")
    return {
        "fast": not slow and "deep" not in marks,
        "default": "deep" not in marks,
        "deep": "deep" in marks,
        None: True,
    }[tier]


def of(item: pytest.Item, slug: str) -> bool:
    """Whether a test is a chapter's own, one of its topics', or has it among its parameters."""
    from lectures_lib.chapters import chapter

    own = {f"chapters/test_{slug}.py", *(f"test_{topic}.py" for topic in chapter(slug).topics)}
    file, _, test = item.nodeid.removeprefix("tests/").partition("::")
    inside = file if file.endswith(".ipynb") else test.partition("[")[2]
    return file in own or bool(re.search(rf"(?<![a-z_])(?:\d\d_)?{slug}(?![a-z_])", inside))


def file_of(nodeid: str) -> str:
    """The file of a test, below `tests/`, or the notebook."""
    return nodeid.partition("::")[0].removeprefix("tests/")


def recorded() -> dict[str, float]:
    """Seconds of each file, as measured in an earlier run."""
    lines = SECONDS.read_text(encoding="utf-8").splitlines() if SECONDS.is_file() else []
    return {file: float(seconds) for file, seconds in (line.split() for line in lines)}


class ByFile(LoadFileScheduling):
    """A file goes to one worker; the many visits of the deep tier go to whoever is free."""

    def _split_scope(self, nodeid: str) -> str:
        file, deep = file_of(nodeid), self.config.getoption("--tier") == "deep"
        return nodeid if deep and file in APART else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByFile:
    return ByFile(config, log)  # type: ignore[arg-type]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Nothing is started when the time is over; what looks at other processors always is."""
    until = item.config.getoption("--until")
    if until and time.time() > until and "processors" not in item.nodeid:
        pytest.skip(NOT_RUN)


# ------------------------------------------------------------------------------- what it tells


def kind(file: str) -> str:
    """The phase that a test belongs to, in the line that says how far it is."""
    if file.endswith(".ipynb"):
        return "notebooks"
    folder = file.partition("/")[0]
    return {"browser": "browser", "grading": "grading"}.get(folder, "tests")


def clock(seconds: float) -> str:
    """A duration as people say it."""
    return (
        f"{seconds // 60:.0f} min {seconds % 60:02.0f} s" if seconds >= 60 else f"{seconds:.0f} s"
    )


class Told:
    """The lines of a run: how far it is, what failed, what it cost, what was not looked at."""

    def __init__(self, config: pytest.Config) -> None:
        self.tier = config.getoption("--tier")
        self.record = config.getoption("--record-seconds")
        self.whole = "tests" in config.args and not config.getoption("--chapter")
        self.start = self.said = time.monotonic()
        self.ids: set[str] = set()
        self.done: set[str] = set()
        self.seconds: dict[str, float] = defaultdict(float)
        self.plugins = config.pluginmanager

    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        self.ids |= set(ids)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """No dot for what passed or was skipped; the lines below say how far it is."""
        quiet = report.outcome in ("passed", "skipped") and not hasattr(report, "wasxfail")
        category = report.outcome if report.when == "call" or report.skipped else ""
        return (category, "", "") if quiet else None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        if report.failed:
            self.say(f"FAILED {report.nodeid}", red=True)
        if report.when == "teardown":
            self.done.add(report.nodeid)
            if time.monotonic() > self.said + PATIENCE:
                self.said = time.monotonic()
                self.say(self.far())

    def say(self, line: str, **markup: bool) -> None:
        self.plugins.getplugin("terminalreporter").write_line(line, **markup)

    def far(self) -> str:
        """How far it is, in all and phase by phase."""
        share = len(self.done) / max(len(self.ids), 1)
        parts = [f"{share:4.0%}", clock(time.monotonic() - self.start)]
        for name, ids in self.phases():
            done = ids & self.done
            if name == "notebooks":  # and not their cells
                done, ids = set(map(file_of, done)), set(map(file_of, ids))
            parts.append(f"{name} {len(done)} of {len(ids)}")
        return " · ".join(parts)

    def phases(self) -> Iterator[tuple[str, set[str]]]:
        found = defaultdict(set)
        for nodeid in self.ids:
            found[kind(file_of(nodeid))].add(nodeid)
        yield from sorted(found.items())

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        say = self.say
        if self.record:
            self.write_seconds()
        slowest = sorted(self.files().items(), key=lambda one: -one[1])[:10]
        say("\nThe ten slowest: " + ", ".join(f"{name} {spent:.0f} s" for name, spent in slowest))
        total, budget = sum(self.seconds.values()), TIERS[self.tier]
        told = f"Sum of all durations {total:.0f} s"
        if self.whole:
            told += f"; the budget of the {self.tier} tier is {budget} s"
            told += ": OVER IT BY MORE THAN HALF" if total > 1.5 * budget else ""
        say(f"{told}. {clock(time.monotonic() - self.start)}.")
        skipped = terminalreporter.stats.get("skipped", [])
        why = {report.nodeid: str(report.longrepr) for report in skipped}
        late = sorted(nodeid for nodeid, reason in why.items() if NOT_RUN in reason)
        if late:
            say(f"{NOT_RUN} ({len(late)}):\n  " + "\n  ".join(late), yellow=True)
        blind = Counter(file_of(nodeid) for nodeid, why in why.items() if NO_BROWSER in why)
        if blind:
            say("NOT LOOKED AT, as there is no Chromium:", yellow=True)
            for file, count in sorted(blind.items()):
                say(f"  {file}: {count}", yellow=True)
            say("Install it (Debian: `sudo apt install chromium`; elsewhere: `.venv/bin/python -m")
            say("playwright install chromium`), or set CHROMIUM_PATH to a Chrome or Edge.")

    def files(self) -> dict[str, float]:
        """Seconds of each file."""
        found: dict[str, float] = defaultdict(float)
        for nodeid, spent in self.seconds.items():
            found[file_of(nodeid)] += spent
        return found

    def write_seconds(self) -> None:
        """What was measured replaces what was recorded; other files keep their line."""
        found = {**recorded(), **self.files()}
        there = {
            file: spent
            for file, spent in found.items()
            if spent >= 1 and any((ROOT / folder / file).is_file() for folder in ("tests", ""))
        }
        lines = [f"{file} {spent:.0f}\n" for file, spent in sorted(there.items())]
        SECONDS.write_text("".join(lines), encoding="utf-8")
