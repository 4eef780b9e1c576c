"""Grade a folder of notebooks safely: `lectures grade SUBMISSIONS --out RESULTS`."""

from __future__ import annotations

import argparse
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from lectures_lib.grading.batches import batch
from lectures_lib.grading.batches.store import BusyError, Store
from lectures_lib.grading.batches.versions import KEEP
from lectures_lib.grading.intake.collect import find_submissions, without_notebook
from lectures_lib.grading.intake.reading import SOURCE
from lectures_lib.grading.judging.judge import cleaned
from lectures_lib.grading.judging.session import ALL_SECONDS
from lectures_lib.grading.reports import write_reports
from lectures_lib.grading.reports.policy import (
    Change,
    Place,
    PolicyError,
    read_changes,
    read_policy,
)
from lectures_lib.grading.walls.client import ServerError
from lectures_lib.grading.walls.sandbox import RUNGS, best_rung
from lectures_lib.workspace.place import find_repository
from lectures_lib.workspace.steps import steps

REFUSED = """lectures grade: this machine cannot shut students' code in: {why}.
Official grading needs Linux with user namespaces (or Landlock version 6, of Linux 6.12):
  - on Windows, use WSL 2; on macOS, a virtual machine;
  - in a container, allow user namespaces, or use the Containerfile of the course;
  - `--sandbox none` runs the code of every submission with your rights. The results say so."""


def configure(parser: argparse.ArgumentParser) -> None:
    """What to grade, where to, and how."""
    parser.add_argument("submissions", type=Path, help="folder, Moodle's zip, or one notebook")
    parser.add_argument("--out", type=Path, required=True, help="folder for the results")
    parser.add_argument("--secret", type=Path, help="file; by default OUT/secret, made once")
    parser.add_argument("--policy", type=Path, help="late days, deadlines and caps (TOML)")
    parser.add_argument("--manual", type=Path, help="points changed by hand (CSV)")
    parser.add_argument("--sandbox", choices=RUNGS, help="by default the strongest that works")
    parser.add_argument("--workers", type=int, help="judges at a time; by default one per core")
    parser.add_argument("--scheduler", help="grade over Dask: tcp://…")
    parser.add_argument("--seconds", type=float, default=5.0, help="for each part of an exercise")
    parser.add_argument(
        "--submission-seconds", type=float, default=ALL_SECONDS, help="for each notebook"
    )
    parser.add_argument(
        "--submission-characters", type=int, default=SOURCE, help="in all cells of a notebook"
    )
    parser.add_argument(
        "--keep", choices=KEEP, default=KEEP[0], help="which version counts; newest by default"
    )
    parser.add_argument("--names", action="store_true", help="show names on the class page")


def run(arguments: argparse.Namespace) -> int:
    """Grade, write the reports, say what was done."""
    try:
        return _run(arguments)
    except (BusyError, PolicyError, OSError, ServerError) as error:
        print(f"lectures grade: {error}")
        return 1
    except batch.GraderError as error:
        print(f"lectures grade refuses to grade, because it fails its own check: {error}")
        return 2
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on where it stopped.")
        return 130


def _run(arguments: argparse.Namespace) -> int:
    course = find_repository()
    rung = arguments.sandbox or _best()
    if rung and not hasattr(os, "fork"):
        print("lectures grade: this system cannot fork processes; use WSL 2 or a virtual machine.")
        return 2
    if not rung:
        return 2
    policy, changes = read_policy(arguments.policy), read_changes(arguments.manual)
    stems = [path.stem for path in sorted((course / "exercises").glob("*.ipynb"))]
    submissions = find_submissions(arguments.submissions, stems)
    settings = batch.settings_for(
        course, stems, rung, _secret(arguments), arguments.seconds,
        submission_seconds=arguments.submission_seconds,
        submission_characters=arguments.submission_characters,
    )  # fmt: skip
    store = Store(arguments.out)
    begin = time.monotonic()
    try:
        told, checked = steps("Grading:"), steps("The grader checks itself:")
        with _runner(arguments) as runner:
            summary = batch.grade(course, submissions, store, settings, runner, told, checked)
        seconds = time.monotonic() - begin
        pages = write_reports(store, policy, changes, keep=arguments.keep, names=arguments.names)
    finally:
        store.close()
    _report(summary, len(submissions), seconds, rung)
    _list("Files, but no notebook, from", without_notebook(arguments.submissions))
    _list("Points by hand for what nobody handed in", _unused(store, changes))
    print(f"The class, to show: {pages}")
    print(f"Who is who, to keep: {pages.with_name('teacher.html')}")
    return 3 if summary.failed else 0


def _best() -> str:
    rung, why = best_rung()
    if not rung:
        print(REFUSED.format(why=why))
    return rung


def _secret(arguments: argparse.Namespace) -> bytes:
    """The teacher's secret, from which the unseen cases are drawn."""
    if arguments.secret is not None:
        return bytes(arguments.secret.read_bytes().strip())
    path = arguments.out / "secret"
    if not path.exists():
        arguments.out.mkdir(parents=True, exist_ok=True)
        number = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(number, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32) + "\n")
    return bytes(path.read_bytes().strip())


@contextmanager
def _runner(arguments: argparse.Namespace) -> Iterator[batch.Runner]:
    if arguments.scheduler:
        from lectures_lib.grading.batches.over_dask import on_cluster

        yield on_cluster(arguments.scheduler)
        return
    with closing(batch.LocalJudges(arguments.workers or os.cpu_count() or 1)) as judges:
        yield judges


def _report(summary: batch.Summary, all_: int, seconds: float, rung: str) -> None:
    each = f", {seconds / summary.graded:.2f} s each" if summary.graded else ""
    print(
        f"{all_} submissions: {summary.graded} graded in {seconds:.1f} s{each}, "
        f"{summary.known} known already, {summary.unreadable} unreadable. Sandbox: {rung}."
    )
    if rung == "none":
        print("WITHOUT A SANDBOX: the code of every submission ran with your rights.")
    for line in summary.failed[:10]:
        print(f"Not graded, because of an error of the grader: {cleaned(line)}")


def _unused(store: Store, changes: dict[Place, Change]) -> list[str]:
    """Changes that meet nothing, by a slip of the pen in a name, say."""
    places = {
        (submission["student"], submission["assignment"], exercise["id"])
        for submission, result in store.graded()
        for exercise in result["exercises"]
    }
    return [", ".join(place) for place in changes if place not in places]


def _list(what: str, found: list[str]) -> None:
    """What a teacher has to know and no table holds; ten of them."""
    more = f" and {len(found) - 10} more" if len(found) > 10 else ""
    if found:
        print(f"{what}: {cleaned('; '.join(found[:10]))}{more}")
