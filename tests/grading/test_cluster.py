"""The batch over Dask: the same results, also when a worker is killed in the middle."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lectures_lib.grading.batches import batch
from lectures_lib.grading.batches.store import Store
from lectures_lib.grading.walls.sandbox import best_rung
from tests.conftest import ROOT
from tests.grading.test_batch import SETTINGS, hand_in

distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(best_rung()[0] != "namespaces", reason="no namespaces on this machine"),
    pytest.mark.filterwarnings("ignore"),  # Dask's own
]
COUNT = 10


@pytest.fixture
def cluster(tmp_path: Path):
    """A scheduler and two worker processes, as they would run on two machines."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    place = tmp_path / "scheduler.json"
    words = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0",
             "--no-dashboard", "--scheduler-file", str(place)]  # fmt: skip
    started = [subprocess.Popen(words, env=environment, stderr=subprocess.DEVNULL, cwd=tmp_path)]
    end = time.monotonic() + 900
    while not place.exists() and started[0].poll() is None and time.monotonic() < end:
        time.sleep(0.1)
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(place),
              "--nthreads", "1", "--no-nanny", "--no-dashboard"]  # fmt: skip
    for _ in range(2):
        started.append(
            subprocess.Popen(worker, env=environment, stderr=subprocess.DEVNULL, cwd=tmp_path)
        )
    yield json.loads(place.read_text())["address"], started
    for process in started:
        process.kill()
        process.wait()


def test_a_killed_workers_submissions_are_graded_by_the_others(tmp_path: Path, cluster) -> None:
    from lectures_lib.grading.batches.over_dask import on_cluster

    address, (_, *workers) = cluster
    submissions = hand_in(tmp_path / "in", COUNT)
    done = []

    def told(count: int, of: int) -> None:
        done.append(count)
        if count == 3:
            os.kill(workers[0].pid, signal.SIGKILL)

    store = Store(tmp_path / "cluster")
    summary = batch.grade(ROOT, submissions, store, SETTINGS, on_cluster(address), told)
    store.close()
    assert (summary.graded, summary.failed) == (COUNT, [])
    assert workers[0].wait(900) == -signal.SIGKILL
    assert done == list(range(1, COUNT + 1))

    here = Store(tmp_path / "here")
    with contextlib.closing(batch.LocalJudges(1)) as judges:
        batch.grade(ROOT, submissions[:2], here, SETTINGS, judges)
    for (_, ours), (_, theirs) in zip(here.graded(), store.graded(), strict=False):
        assert ours["exercises"] == theirs["exercises"]
    here.close()


def test_local_grading_needs_no_dask() -> None:
    code = (
        "import sys\nimport lectures_lib.commands.grade\n"
        "print({'dask', 'distributed'} & set(sys.modules))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert told.stdout.strip() == "set()"
