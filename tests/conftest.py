"""Settings for all tests: one Hypothesis profile, one thread for linear algebra, no display."""

import os
import re

# Read by the linear algebra libraries when they are loaded, so before NumPy is imported.
for _name in ("OMP", "OPENBLAS", "MKL", "VECLIB_MAXIMUM"):
    os.environ.setdefault(f"{_name}_NUM_THREADS", "1")
os.environ.setdefault("MPLBACKEND", "Agg")

from pathlib import Path  # noqa: E402

import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent

settings.register_profile(
    "course",
    deadline=None,  # a loaded machine is not a failure
    derandomize=True,  # the same examples on every machine and in every run
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("course")


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return ROOT


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--chapter", metavar="SLUG", help="only what belongs to one chapter")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--chapter SLUG`: its own tests, those of its topics, and those with its parameters."""
    slug = config.getoption("--chapter")
    if not slug:
        return
    from lectures_lib.chapters import chapter

    own = {f"chapters/test_{slug}.py", *(f"test_{topic}.py" for topic in chapter(slug).topics)}
    named = re.compile(rf"(?<![a-z_])(?:\d\d_)?{slug}(?![a-z_])")

    def belongs(item: pytest.Item) -> bool:
        file, _, test = item.nodeid.removeprefix("tests/").partition("::")
        return file in own or bool(named.search(test.partition("[")[2]))

    config.hook.pytest_deselected(items=[item for item in items if not belongs(item)])
    items[:] = [item for item in items if belongs(item)]
