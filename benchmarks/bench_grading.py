"""Grading: seconds per submission beside nbgrader on the same notebooks, and that they stay so.

`python -m benchmarks.bench_grading 2000` grades so many synthetic submissions and prints the times
of each tenth, the memory of judge and worker, and where 10,000 on 16 cores would stand.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np

from benchmarks._classes import ROOT, STEMS, hand_in
from benchmarks._table import Measured, Row
from lectures_lib.grading.batches import batch
from lectures_lib.grading.batches.store import Store
from lectures_lib.grading.handing_out.nbgrader_export import export
from lectures_lib.grading.intake.collect import find_submissions
from lectures_lib.grading.walls.sandbox import best_rung

COUNT = 40
LIMIT = 0.13  # seconds a submission, on two cores, everything included


def grade_command(submitted: Path, results: Path) -> tuple[float, float]:
    """Seconds of `lectures grade`, from its start to the written reports; and processor seconds."""
    words = [sys.executable, "-m", "lectures_lib", "grade", str(submitted), "--out", str(results)]
    begin, spent = time.perf_counter(), processor_seconds()
    subprocess.run([*words, "--workers", "2"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin, processor_seconds() - spent


def processor_seconds() -> float:
    """What all ended descendants of this process have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def nbgrader_seconds(folder: Path, submitted: Path) -> float:
    """Seconds of `nbgrader autograde` for the same notebooks, both assignments."""
    export(ROOT, folder)
    for path in (folder / "source").iterdir():
        if path.name not in STEMS:
            shutil.rmtree(path)
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "JUPYTER_CONFIG_DIR": str(folder / ".config"),
        "JUPYTER_DATA_DIR": str(folder / ".data"),
        "IPYTHONDIR": str(folder / ".ipython"),
    }

    def nbgrader(*words: str) -> None:
        subprocess.run(
            [sys.executable, "-m", "nbgrader", *words],
            cwd=folder, env=environment, check=True, capture_output=True,
        )  # fmt: skip

    for stem in STEMS:
        nbgrader("generate_assignment", stem)
    shutil.copytree(submitted, folder / "submitted")
    begin = time.perf_counter()
    for stem in STEMS:
        nbgrader("autograde", stem)
    return time.perf_counter() - begin


def beside_nbgrader() -> Iterator[Measured]:
    """The same submissions to both, one after the other."""
    if best_rung()[0] != "namespaces":
        raise RuntimeError("this machine has no namespaces; the row is measured with them")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        submitted = folder / "submitted"
        count = len(list(hand_in(submitted, COUNT)))
        ours, spent = (x / count for x in grade_command(submitted, folder / "results"))
        before = processor_seconds()
        theirs = nbgrader_seconds(folder / "nbgrader", submitted) / count
        their_time = (processor_seconds() - before) / count
    note = f"{count} submissions, two judges, all in"
    yield Measured(ours, theirs, peer="nbgrader", note=note)
    yield Measured(spent, their_time, peer="nbgrader", note="the same in processor time")
    yield Measured(ours, LIMIT, note=f"the limit holds for two idle cores; load {os.getloadavg()}")


ROWS = [Row("grading, per submission of chapters 04 and 05", beside_nbgrader)]


class Watch(threading.Thread):
    """Watches judges and workers: their memory, and the processor time of all of them together.

    On a machine that does other work as well, the processor time says whether ours grows.
    """

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most: dict[str, int] = {}
        self.spent: dict[int, float] = {}

    def run(self) -> None:
        while True:
            self.look()
            time.sleep(0.2)

    def look(self) -> float:
        """Look once; seconds of processor time so far."""
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                words = (folder / "cmdline").read_text(encoding="utf-8").replace("\0", " ")
                pages = int((folder / "statm").read_text(encoding="ascii").split()[1])
                stat = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            except (OSError, ValueError, IndexError):
                continue
            found = re.search(r"(?<=lectures_lib\.)grading\.(?:judging|server)|linecheck", words)
            if found:
                size = pages * resource.getpagesize()
                self.most[found[0]] = max(self.most.get(found[0], 0), size)
                ticks = sum(int(number) for number in stat[11:15])  # with ended children
                self.spent[int(folder.name)] = ticks / os.sysconf("SC_CLK_TCK")
        return sum(self.spent.values())


def many(count: int) -> None:
    """Grade a large class and print how the time per submission goes."""
    judges = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        list(hand_in(folder / "in", count))
        submissions = find_submissions(folder / "in", STEMS)
        settings = batch.settings_for(ROOT, STEMS, "namespaces", b"secret", 5.0)
        store = Store(folder / "out")
        watch = Watch()
        watch.start()
        at, spent = [0.0], [0.0]
        begin = time.perf_counter()

        def told(done: int, of: int) -> None:
            if done * 10 // of == len(at):
                at.append(time.perf_counter() - begin)
                spent.append(watch.look())

        with closing(batch.LocalJudges(judges)) as runner:
            summary = batch.grade(ROOT, submissions, store, settings, runner, told)
            watch.look()
        seconds = time.perf_counter() - begin
        store.close()
    print(f"{summary.graded} graded, {len(summary.failed)} failed")
    print(f"{judges} judges, {seconds:.1f} s")
    for what, times in (("seconds", at), ("processor seconds", spent)):
        tenths = np.diff(times) / (count / 10)
        slope = np.polyfit(range(1, 10), tenths[1:], 1)  # the first holds the start
        print(f"{what} per submission, by tenths:", ", ".join(f"{t:.3f}" for t in tenths))
        print(f"  fitted, last over second: {np.polyval(slope, 9) / np.polyval(slope, 1):.3f}")
    for kind, size in sorted(watch.most.items()):
        print(f"most memory of a process of {kind}: {size / 2**20:.0f} MiB")
    each = spent[-1] / count
    print(f"10,000 on 16 cores, by processor time: {10_000 * each / 16 / 60:.1f} minutes")


if __name__ == "__main__":
    many(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
