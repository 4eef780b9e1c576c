"""The same batch over `dask.distributed`: submissions are tasks, and a lost worker's are run again.

Each worker process keeps one judge. What travels is text: pieces of notebooks there, results back.
Needs the extra `cluster`, and the same version of the library and the course on every machine.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence

from lectures_lib.grading.batches.batch import Runner, Task, outcome_of
from lectures_lib.grading.batches.store import Record
from lectures_lib.grading.judging.judge_process import Settings, graded

_one_at_a_time = threading.Lock()


def graded_here(settings: str, task: str) -> str:
    """The result of one task, in a worker of the cluster; everything is JSON."""
    with _one_at_a_time:
        return json.dumps(graded(settings, json.loads(task)))


def on_cluster(address: str) -> Runner:
    """Runs tasks on the cluster whose scheduler has this address."""
    from distributed import Client, as_completed

    def run(settings: Settings, tasks: Sequence[Task]) -> Iterator[tuple[Task, Record | Exception]]:
        if not tasks:
            return
        told = settings.as_text()
        with Client(address, set_as_default=False) as client:
            futures = {
                client.submit(
                    graded_here, told, json.dumps(task), key=f"{task['key']}", retries=1
                ): task
                for task in tasks
            }
            for future in as_completed(futures, loop=client.loop):
                found = outcome_of(future)
                yield futures[future], json.loads(found) if isinstance(found, str) else found

    return run
