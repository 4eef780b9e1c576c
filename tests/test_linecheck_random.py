"""Random lines and mutated lines, judged against evaluators that share no code with the engine.

Half of the random lines are rewritten by rules that keep their value; the others are changed in one
place. What is accepted must hold at every random point, and every witness is computed again. Lines
with hypotheses, and with sums over a size, are compared in fractions: `tests.random_lines`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import mpmath
import pytest

from linecheck.judge.verdicts import Status
from tests import random_lines as exact
from tests.proof_oracle import fails, is_refuted
from tests.proof_recorder import Step
from tests.truth_table import steps

SYMBOLS = {"x": "real", "y": "real", "a": "positive", "b": "positive", "p": "probability"}
ATOMS = (*SYMBOLS, "2", "3", "1/2", "0", "1")
UNARY = ("exp({})", "log({})", "sqrt({})", "sigma({})", "abs({})", "-({})", "({})**2", "({})**3",
         "1/({})", "max({}, 0)", "tanh({})", "1 - ({})", "log(1 + exp({}))")  # fmt: skip
BINARY = ("({}) + ({})", "({}) - ({})", "({})*({})", "({})/({})", "max({}, {})", "min({}, {})")
# rules that keep the value wherever the line is defined
SAME = ("({}) + 0", "1*({})", "-(-({}))", "({0}) + ({0}) - ({0})", "(2*({0}) - ({0}))",
        "max({0}, {0})", "log(exp({}))", "(({0})*3)/3")  # fmt: skip
# and rules that do not
CHANGED = ("({}) + 1", "2*({})", "-({})", "({})**2", "abs({})", "({}) + 1e-9", "({})*(1 + 1e-6)")
RELATIONS = ("==", "==", "==", "<=", "<", ">=")
DIGITS_30 = mpmath.mpf(10) ** -30


def term(rng: random.Random, depth: int) -> str:
    """A random term."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(ATOMS)
    if rng.random() < 0.5:
        return rng.choice(UNARY).format(term(rng, depth - 1))
    return rng.choice(BINARY).format(term(rng, depth - 1), term(rng, depth - 1))


def random_lines(count: int, seed: int) -> Iterator[Step]:
    rng = random.Random(seed)
    for _ in range(count):
        lhs = term(rng, rng.randint(1, 3))
        rules = SAME if rng.random() < 0.5 else CHANGED
        rhs = term(rng, 2) if rng.random() < 0.1 else rng.choice(rules).format(lhs)
        yield Step(lhs, rhs, SYMBOLS, rng.choice(RELATIONS))


def judge(step: Step) -> str:
    """The status; fails when an accepted line is false or a witness is none."""
    found = step.verdict()
    if found.holds:
        assert not is_refuted(step, count=6), f"{step}: {found}"
    if found.status is Status.REFUTED:
        assert found.witness is not None
        point = {name: mpmath.mpf(mpmath.mpmathify(v)) for name, v in found.witness.point}
        missing = {name: mpmath.mpf("0.5") for name in SYMBOLS if name not in point}
        assert fails(step, {**missing, **point}, DIGITS_30), f"{step}: {found}"
    return str(found.status)


def test_a_hundred_random_lines() -> None:
    found = Counter(map(judge, random_lines(100, 11)))
    assert found["PROVED"] > 15
    assert found["REFUTED"] + found["DOMAIN"] > 15
    assert not found["INVALID"]


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(4))
def test_thousands_of_random_lines(seed: int) -> None:
    assert not Counter(map(judge, random_lines(1000, 100 + seed)))["INVALID"]


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(4))
def test_thousands_of_mutated_lines(seed: int) -> None:
    """True equations of the table, changed: what is accepted holds at random points."""
    rng = random.Random(seed)
    true = [s for s in steps() if s.true and s.relation == "=="]
    for _ in range(500):
        step = rng.choice(true)
        step = step.with_rhs(rng.choice(CHANGED).format(step.rhs))
        found = step.verdict()
        assert not (found.holds and is_refuted(step)), f"{step}: {found}"


@pytest.mark.parametrize("kind", exact.KINDS)
def test_random_lines_in_fractions(kind: str) -> None:
    told = exact.judged(kind, 125, seed=0)
    assert not told.wrong
    assert told.counts["PROVED"] > 10
    assert told.counts["REFUTED"] + told.counts["DOMAIN"] > 10
    assert told.counts["INVALID"] < 5


@pytest.mark.deep
@pytest.mark.parametrize("kind", exact.KINDS)
def test_thousands_of_random_lines_in_fractions(kind: str) -> None:
    assert not exact.judged(kind, 1250, seed=0, first=125).wrong
