"""The published truth tables: no true step refuted, no false step believed, every witness fails."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache

import mpmath
import numpy as np
import pytest
from pages import promise

from linecheck import Verdict
from linecheck.judge.verdicts import Status, Witness
from tests.proof_oracle import Names, declared, fails, is_refuted, parts, was_tried
from tests.reference_evaluator import Reference, Value
from tests.truth_table import TABLE, Step, steps
from tests.verdict_store import judged_once  # noqa: F401

pytestmark = pytest.mark.usefixtures("judged_once")

ROWS = {name: list(steps(TABLE.with_name(name))) for name in promise.TABLES}
# A few after each edit, a quarter in the default tier, all steps in the deep one: the first, and
# every n-th of them, where n is odd, since true and false steps alternate.
SHARES = {"few": (0, 13), "some": (1, 5), "all": (0, 1)}
MARKS = {"some": pytest.mark.slow, "all": pytest.mark.deep}
TABLES = pytest.mark.parametrize("name", ROWS)
EVERY_SHARE = pytest.mark.parametrize(
    "share", [pytest.param(share, marks=MARKS.get(share, ())) for share in SHARES]
)
NOT_AT_ONCE = pytest.mark.parametrize(
    "share", [pytest.param(share, marks=mark) for share, mark in MARKS.items()]
)


def rows(name: str, share: str) -> list[Step]:
    first, step = SHARES[share]
    return ROWS[name][first::step]


@cache
def judged(name: str, share: str) -> list[tuple[Step, Verdict]]:
    return [(step, step.verdict()) for step in rows(name, share)]


@TABLES
@EVERY_SHARE
def test_no_true_step_is_refused_and_no_false_step_is_believed(name: str, share: str) -> None:
    """And as large a share is decided as the site says; a slow machine decides some fewer."""
    found = judged(name, share)
    wrong = [
        f"{step.true}, but {said}: {step}"
        for step, said in found
        if (said.status in promise.AGAINST if step.true else said.holds)
    ]
    assert not wrong
    counts = Counter((step.true, str(said.status)) for step, said in found)
    told, part = promise.recorded(name), len(found) / len(ROWS[name])
    for true, decided in ((True, ["PROVED"]), (False, promise.AGAINST)):
        seen, recorded = (sum(of[true, status] for status in decided) for of in (counts, told))
        assert seen >= part * recorded - 2 - 0.02 * len(found), (true, counts)


def test_no_step_of_the_first_table_stands_there_twice() -> None:
    kinds = {str(step).partition(":")[2] + str(step.symbols) for step in ROWS[TABLE.name]}
    assert len(kinds) == len(ROWS[TABLE.name])


# ------------------------------------------------------------------ by the second evaluator


def numbers(text: str) -> Value:
    """(1, 1/2) and ((1, 0), (0, 1)) as arrays, 2/3 and 1e-13 as numbers; all exact."""

    def read(node: ast.expr) -> Value:
        if isinstance(node, ast.Tuple):
            return [read(part) for part in node.elts]
        return Reference({}).value(node, {})

    found = read(ast.parse(text, mode="eval").body)
    return np.array(found, dtype=object) if isinstance(found, list) else found


def names_at(step: Step, witness: Witness) -> Names:
    """The point of a witness; one entry is shown without brackets, and so is one row."""
    domains, names = declared(step), {name: numbers(shown) for name, shown in witness.point}
    for name in names.keys() & domains.keys():
        kind, shape = parts(domains[name], names)
        square = kind in ("spd", "symmetric", "invertible", "diagonal")
        if shape:
            names[name] = np.reshape(np.array(names[name]), shape * 2 if square else shape)
    return names


@TABLES
@NOT_AT_ONCE
def test_at_an_exact_witness_the_step_really_fails(name: str, share: str) -> None:
    looked = 0
    for step, found in judged(name, share):
        if found.status is Status.REFUTED:
            assert found.witness is not None
            if all("." not in shown for _, shown in found.witness.point):
                looked += 1
                exact = not step.derivative and "diff" not in step.lhs + step.rhs
                with mpmath.workdps(400 if exact else 60):
                    error = mpmath.mpf(10) ** (-320 if exact else -12)
                    assert fails(step, names_at(step, found.witness), error), f"{step}: {found}"
    assert looked > 0


@NOT_AT_ONCE
@pytest.mark.parametrize("name", [n for n in ROWS if n != "truth_table_2.txt"])  # other words
def test_a_second_evaluator_agrees_that_the_true_steps_are_true(name: str, share: str) -> None:
    for step in rows(name, share):
        assert not (step.true and is_refuted(step, count=3)), step


@pytest.mark.deep
def test_a_second_evaluator_finds_most_false_equations_false() -> None:
    # domain traps and claims that fail far out only are not met by a few random points
    sections = ("Domain traps", "Far out, near a corner, by very little")
    equations = [s for s in ROWS[TABLE.name] if not s.true and s.relation == "=="]
    false = [step for step in equations if step.section not in sections and was_tried(step)]
    assert sum(map(is_refuted, false)) > 0.9 * len(false)
