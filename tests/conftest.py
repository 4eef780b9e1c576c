"""Settings for all tests: one Hypothesis profile, one thread for linear algebra."""

import os

# Read by the linear algebra libraries when they are loaded, so before NumPy is imported.
for _name in ("OMP", "OPENBLAS", "MKL", "VECLIB_MAXIMUM"):
    os.environ.setdefault(f"{_name}_NUM_THREADS", "1")

import sys  # noqa: E402
from collections.abc import Iterator  # noqa: E402
from pathlib import Path  # noqa: E402

import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
collect_ignore = ["data"]  # the notebooks there are a student's, to be read and not to be run

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


@pytest.fixture(autouse=True)
def no_line_makes_the_judge_fail(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """INTERNAL is a defect wherever it turns up; a test that wants it asks for `judge_may_fail`."""
    asked = sys.modules.get("linecheck.judge.ask")
    failed: list[str] = []
    if asked is not None and "judge_may_fail" not in request.fixturenames:

        def kept(question: object, trace: str) -> str:
            failed.append(f"{question}: {trace}")
            return trace

        monkeypatch.setattr(asked, "kept", kept)
    yield
    assert not failed, "the judge itself failed"


@pytest.fixture(autouse=True)
def our_judge_speaks_first() -> None:
    """Whichever notebook's cells, with SymPy first, ran in this process before."""
    chain = sys.modules.get("linecheck.derivation.chain")
    if chain is not None:
        chain.Derivation.sympy_first = False
