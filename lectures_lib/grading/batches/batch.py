"""Grades a batch: what is new goes to judges in processes of their own; one writer keeps results.

Before the first submission the grader grades itself: the course's own solutions must earn all
points and untouched notebooks none. Otherwise nothing is graded.
"""

from __future__ import annotations

import hashlib
import json
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from lectures_lib.checks.registry import find
from lectures_lib.grading.batches.store import Record, Store
from lectures_lib.grading.intake.assembly import Canonical, assemble, canonical
from lectures_lib.grading.intake.collect import Submission
from lectures_lib.grading.intake.identity import Identities
from lectures_lib.grading.intake.reading import (
    ReadNotebook,
    UnreadableError,
    read_bytes,
    read_submission,
)
from lectures_lib.grading.judging.judge import ExerciseResult, Result
from lectures_lib.grading.judging.judge_process import Settings
from lectures_lib.grading.walls.sandbox import library
from lectures_lib.workspace.steps import Told
from linecheck.process import NoAnswerError, Process

Task = dict[str, Any]
Runner = Callable[[Settings, Sequence[Task]], Iterator[tuple[Task, Record | Exception]]]


class GraderError(RuntimeError):
    """The grader itself is not fit to grade; the message says what is wrong."""


@dataclass
class Summary:
    """What a run did."""

    graded: int = 0  # new ones
    known: int = 0  # the same content was graded before
    unreadable: int = 0
    failed: list[str] = field(default_factory=list)  # errors of the grader, to be tried again


def settings_for(
    course: Path, stems: Sequence[str], rung: str, secret: bytes, seconds: float, **more: Any
) -> Settings:
    """The settings of a batch."""
    return Settings(str(course), list(stems), rung, secret.hex(), seconds, **more)


def grade(
    course: Path,
    submissions: Sequence[Submission],
    store: Store,
    settings: Settings,
    run: Runner,
    told: Told = lambda done, of: None,
    checked: Told = lambda done, of: None,
) -> Summary:
    """Grade what is not graded yet; `told` and `checked` hear how far it and its check are."""
    wanted = {s: canonical(course / "exercises" / f"{s}.ipynb") for s in settings.stems}
    summary, tasks = Summary(), {}
    common = (source for found in wanted.values() for _, source in found.sources.values())
    identities = Identities({submission.student for submission in submissions}, common)
    records: dict[tuple[str, str], Record] = {}
    for submission in submissions:
        task, stem, version = _task(submission, wanted, settings, identities)
        place = (submission.student, stem)
        whose = {"student": place[0], "assignment": stem, "moodle": submission.moodle}
        record = records.setdefault(place, {"kind": "submission", **whose, "versions": []})
        record["versions"].append(version)
        if task is None:
            summary.unreadable += 1
            store.add(_unreadable(stem, version, wanted))
        elif _is_settled(store.results.get(task["key"])):
            summary.known += 1
        else:
            tasks[task["key"]] = task
    for record in records.values():
        store.add(record)
    stems = sorted({task["stem"] for task in tasks.values()})
    _check_self(course, [wanted[stem] for stem in stems], store, settings, run, checked)
    for task, result in run(settings, list(tasks.values())):
        if isinstance(result, Exception):
            summary.failed.append(f"{task['of']}: {result}")
        else:
            answers = {name: source for _, name, source, _ in task["pieces"] if name}
            store.add({"kind": "result", "key": task["key"], **result, "answers": answers})
            summary.graded += 1
        told(summary.graded + len(summary.failed), len(tasks))
    return summary


def _is_settled(result: Record | None) -> bool:
    """Whether there is a result, and nothing in it is open that another run may decide."""
    return result is not None and all(e["status"] != "undecided" for e in result["exercises"])


def _task(
    submission: Submission,
    wanted: dict[str, Canonical],
    settings: Settings,
    identities: Identities,
) -> tuple[Task | None, str, Record]:
    """What to do for a submission (nothing, if it cannot be read), its assignment, its record."""
    place = f"{submission.path}{'!' if submission.member else ''}{submission.member}"
    version = {"file": place, "when": submission.when, "reason": "", "others": []}
    try:
        content = submission.content()
        text = f"{submission.name}\n{content.decode('utf-8', 'replace')}"
        version["others"] = identities.others_in(text, submission.student)
        read = read_bytes(content, settings.submission_characters)
        stem = _stem(read, submission.assignment, wanted)
    except UnreadableError as error:
        reason = str(error)
        key = f"unreadable: {place}: {reason}"
        return None, submission.assignment or "?", version | {"key": key, "reason": reason}
    task = _as_task(read, wanted[stem], settings, submission.student)
    return task, stem, version | {"key": task["key"]}


def _as_task(read: ReadNotebook, wanted: Canonical, settings: Settings, of: str) -> Task:
    """What a judge is told; the key is the same for the same answers, exercises, library, secret
    and sandbox, and for nothing else."""
    assembled = assemble(read, wanted)
    task = {
        "stem": wanted.stem,
        "pieces": [list(asdict(piece).values()) for piece in assembled.pieces],
        "untouched": sorted(assembled.untouched),
        "notes": list(assembled.notes),
    }
    versions = [(place.exercise, place.version) for place in wanted.places]
    limits = [settings.rung, settings.seconds, settings.submission_seconds]
    content = json.dumps([task, versions, _library(), settings.secret, limits])
    key = hashlib.sha256(content.encode()).hexdigest()[:32]
    return task | {"key": key, "of": f"{of}, {wanted.stem}"}


def _stem(read: ReadNotebook, named: str, wanted: dict[str, Canonical]) -> str:
    """The assignment that a notebook belongs to, by its cells; it must be the one that is named."""
    ids = {cell.id for cell in read.cells} | {cell.grade_id for cell in read.cells}
    fits = {stem: len(ids & set(found.answers)) for stem, found in wanted.items()}
    best = max(fits, key=lambda stem: (fits[stem], stem == named))
    if named and not fits[named] and fits[best]:
        raise UnreadableError(f"it is the notebook of {best}, not of {named}")
    if named:
        return named
    if not fits[best]:
        raise UnreadableError("it has no answer cell of any assignment")
    return best


def _unreadable(stem: str, version: Record, wanted: dict[str, Canonical]) -> Record:
    """The result of a submission that cannot be read: no points, and the reason."""
    names = [place.exercise for place in wanted[stem].places] if stem in wanted else []
    reason = version["reason"]
    exercises = [ExerciseResult(n, "unreadable", 0.0, find(n).points, reason) for n in names]
    result = Result(stem, tuple(exercises), (f"the file is unreadable: {reason}",), ())
    return {"kind": "result", "key": version["key"], **asdict(result), "answers": {}}


@cache
def _library() -> str:
    """A digest of the library's source: a check that changed is another check."""
    digest = hashlib.sha256()
    for path in sorted(library().rglob("*.py")):
        digest.update(path.relative_to(library()).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


# --- the grader grades itself ---------------------------------------------------------------------


def _check_self(
    course: Path,
    assignments: Sequence[Canonical],
    store: Store,
    settings: Settings,
    run: Runner,
    told: Told,
) -> None:
    """Refuse to grade unless solutions earn all points and untouched notebooks none."""
    tasks = []
    for wanted in assignments:
        for kind in ("solutions", "exercises"):
            read = read_submission(course / kind / f"{wanted.stem}.ipynb")
            task = _as_task(_without_own_cells(read, wanted), wanted, settings, kind)
            task |= {"untouched": [], "key": f"{kind} {task['key']}"}
            tasks += [] if task["key"] in store.checked else [task]
    for done, (task, result) in enumerate(run(settings, tasks), 1):
        kind = task["key"].partition(" ")[0]
        if isinstance(result, Exception):
            raise GraderError(f"the self-check with the {kind} broke off: {result}")
        for exercise in result["exercises"]:
            should = exercise["out_of"] if kind == "solutions" else 0.0
            good = exercise["status"] == ("right" if kind == "solutions" else "not_attempted")
            if exercise["points"] != should or not good:
                raise GraderError(
                    f"{exercise['id']} in {kind}/ got {exercise['points']:g} points and "
                    f"{exercise['status']!r}, expected {should:g}: {exercise['text'][:400]}"
                )
        store.add({"kind": "self-check", "key": task["key"]})
        told(done, len(tasks))


def _without_own_cells(read: ReadNotebook, wanted: Canonical) -> ReadNotebook:
    """Solutions hold cells for their readers; only answers are wanted here."""
    return ReadNotebook(tuple(cell for cell in read.cells if cell.id in wanted.sources))


# --- judges on this machine -----------------------------------------------------------------------


def outcome_of(future: Future[Record]) -> Record | Exception:
    """The result of a task, or why there is none."""
    try:
        return future.result()
    except Exception as error:
        return error


class LocalJudges:
    """Runs tasks with so many judges on this machine; they stay until they are closed."""

    def __init__(self, judges: int) -> None:
        module = "lectures_lib.grading.judging.judge_process"
        self.judges = [Process(module, loud=True) for _ in range(judges)]
        self.idle: queue.LifoQueue[Process] = queue.LifoQueue()
        self.stop = threading.Event()
        for judge in self.judges:
            self.idle.put(judge)

    def __call__(
        self, settings: Settings, tasks: Sequence[Task]
    ) -> Iterator[tuple[Task, Record | Exception]]:
        """The result of each task, as they come; always with the same settings."""
        with ThreadPoolExecutor(len(self.judges)) as pool:
            futures = {pool.submit(self._work, settings, task): task for task in tasks}
            try:
                for future in as_completed(futures):
                    yield futures[future], outcome_of(future)
            except BaseException:
                self.stop.set()
                raise
            finally:
                pool.shutdown(cancel_futures=True)

    def _work(self, settings: Settings, task: Task) -> Record:
        """One task; a judge that fell over starts afresh and is asked once more."""
        judge = self.idle.get()
        try:
            for _ in range(2):
                if self.stop.is_set():
                    raise GraderError("the batch was stopped")
                with suppress(NoAnswerError):
                    found = judge.ask({"settings": settings.as_text(), "task": task})
                    if found is not None:
                        return found
            raise GraderError("a judge ended before it had an answer")
        finally:
            self.idle.put(judge)

    def close(self) -> None:
        """End the judges, whatever they do."""
        self.stop.set()
        for judge in self.judges:
            judge.close()
