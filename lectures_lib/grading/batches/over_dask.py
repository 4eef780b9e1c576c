"""The same batch over `dask.distributed`: submissions are tasks, and a lost worker's are run again.

Each worker process keeps one judge. What travels is text: pieces of notebooks there, results back.
Needs the extra `cluster`, and the same version of the library and the course on every machine.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

from lectures_lib.grading.batches.batch import Runner, Task
from lectures_lib.grading.batches.store import Record
from lectures_lib.grading.judging.serve import Grader, Settings

_one_at_a_time = threading.Lock()


@cache
def _grader(settings: str) -> Grader:
    found: dict[str, Any] = json.loads(settings)
    return Grader(Settings(**found | {"stems": tuple(found["stems"])}))


def graded(settings: str, task: str) -> str:
    """The result of one task, in a worker of the cluster; everything is JSON."""
    with _one_at_a_time:
        return json.dumps(_grader(settings).answer(json.loads(task)))


def on_cluster(address: str) -> Runner:
    """Runs tasks on the cluster whose scheduler has this address."""
    from distributed import Client, as_completed

    def run(settings: Settings, tasks: Sequence[Task]) -> Iterator[tuple[Task, Record | Exception]]:
        if not tasks:
            return
        told = json.dumps(asdict(settings))
        with Client(address, set_as_default=False) as client:
            futures = {
                client.submit(graded, told, json.dumps(task), key=f"{task['key']}", retries=1): task
                for task in tasks
            }
            for future in as_completed(futures, loop=client.loop):
                error = future.exception()
                result = error if isinstance(error, Exception) else json.loads(future.result())
                yield futures[future], result

    return run
