"""A class with slips and with mistakes without a name: found, counted, and nobody is named."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.registry import find
from lectures_lib.checks.writing.text_blocks import slips
from lectures_lib.grading.batches.store import Store
from lectures_lib.grading.reports.clusters import Cluster, clusters
from lectures_lib.grading.reports.marks import Row, by_exercise, rows
from lectures_lib.grading.reports.policy import read_policy
from lectures_lib.grading.reports.teacher_page import slip_block
from lectures_lib.grading.walls.sandbox import best_rung
from tests.checks.answers import answers_in
from tests.conftest import ROOT
from tests.grading.classroom import KINDS, WORD, hand_in

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(best_rung()[0] != "namespaces", reason="no namespaces on this machine"),
]


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> tuple[Path, dict, list[Row]]:
    folder = tmp_path_factory.mktemp("class")
    handed = {one.student: one for one in hand_in(folder / "in", 44, 36)}
    words = ["grade", str(folder / "in"), "--out", str(folder / "out"), "--workers", "2"]
    done = subprocess.run(
        [sys.executable, "-m", "lectures_lib", *words],
        cwd=ROOT, capture_output=True, text=True, timeout=1800,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    with closing(Store(folder / "out")) as store:
        found = rows(store, read_policy(None), {})
    assert len(found) == len(handed) == 44
    return folder / "out", handed, found


@pytest.fixture(scope="module")
def found(graded) -> list[Cluster]:
    return [cluster for marks in by_exercise(graded[2]).values() for cluster in clusters(marks)]


def test_every_kind_is_one_cluster_and_nothing_else_is_in_it(graded, found) -> None:
    _, handed, _ = graded
    kinds = [{handed[row.student].kind for row, _ in cluster.members} for cluster in found]
    assert sorted(kind for several in kinds for kind in several) == sorted(KINDS)
    assert all(len(several) == 1 for several in kinds)


def test_a_slip_that_has_a_name_is_in_no_cluster(graded) -> None:
    _, handed, found = graded
    marks = [(handed[row.student], mark) for row in found for mark in row.exercises]
    slipped = [(one, mark) for one, mark in marks if one.slip and mark.id == one.exercise]
    assert slipped
    assert all(mark.deeds == () for _, mark in slipped if mark.slips)
    assert all(mark.slips for _, mark in slipped)


def test_nobodys_name_is_on_the_page_of_the_class(graded, found) -> None:
    folder, handed, _ = graded
    page = (folder / "class.html").read_text(encoding="utf-8")
    assert not re.search(rf"{WORD}|Xanthippe|href|\.ipynb|/in/", page, re.IGNORECASE)
    teachers = (folder / "teacher.html").read_text(encoding="utf-8")
    assert all(student in teachers for student in handed)
    for cluster in found:
        if cluster.case.get("given"):
            assert cluster.case["given"].split(" = ")[0] in page


def test_a_cluster_becomes_a_named_slip_by_what_is_printed(graded, found) -> None:
    pasted = 0
    for cluster in found:
        block = slip_block(cluster)
        if not block:
            continue
        head, _, text = block.partition('# and in its slips("""…""", ')
        name = text.partition("=")[0]
        namespace: dict = {}
        exec("import numpy as np\n" + head, namespace)
        made = slips(text.partition("\n")[2], **{name: namespace[name]})
        exercise = find(cluster.members[0][1].id)
        (part,) = exercise.parts
        named = replace(exercise, parts=(replace(part, slips=(*part.slips, *made)),))
        for _, mark in cluster.members:
            outcome = evaluate(named, answers_in(mark.answer, exercise))
            assert [slip.name for slip in outcome.slips] == ["A name for it"], block
        pasted += 1
    assert pasted >= 8
