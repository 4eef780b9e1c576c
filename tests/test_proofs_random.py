"""Random lines and mutated lines, judged against an evaluator that shares no code with the engine.

Half of the random lines are rewritten by rules that keep their value; the others are changed in one
place. What is accepted must hold at every random point, and every witness is computed again.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import mpmath
import pytest

from lectures_lib.proofs import Status, verdict
from tests.reference_evaluator import Reference, UndefinedError, random_value
from tests.truth_table import TABLE, Step, steps

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


def term(rng: random.Random, depth: int) -> str:
    """A random term."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(ATOMS)
    if rng.random() < 0.5:
        return rng.choice(UNARY).format(term(rng, depth - 1))
    return rng.choice(BINARY).format(term(rng, depth - 1), term(rng, depth - 1))


def random_lines(count: int, seed: int) -> Iterator[tuple[str, str, str]]:
    rng = random.Random(seed)
    for _ in range(count):
        lhs = term(rng, rng.randint(1, 3))
        rules = SAME if rng.random() < 0.5 else CHANGED
        rhs = term(rng, 2) if rng.random() < 0.1 else rng.choice(rules).format(lhs)
        yield lhs, rng.choice(RELATIONS), rhs


def values(lhs: str, rhs: str, point: dict[str, object]) -> tuple[object, object] | None:
    """Both sides by the reference, or None where one is undefined."""
    reference = Reference(point)
    try:
        return reference.line(lhs), reference.line(rhs)
    except (UndefinedError, ArithmeticError, ValueError, OverflowError):
        return None


def fails(relation: str, left: object, right: object) -> bool:
    """Whether the relation is surely false, beyond the error of 60 digits."""
    gap, size = mpmath.mpf(left) - right, 1 + abs(mpmath.mpf(left)) + abs(mpmath.mpf(right))
    error = size * mpmath.mpf(10) ** -30
    return bool(
        {"==": abs(gap) > error, "<=": gap > error, "<": gap > error, ">=": gap < -error}[relation]
    )


def judge(lhs: str, relation: str, rhs: str, rng: random.Random) -> str:
    """The status; fails when an accepted line is false or a witness is none."""
    found = verdict(lhs, rhs, SYMBOLS, relation)
    line = f"{lhs} {relation} {rhs}: {found}"
    if found.holds:
        for _ in range(6):
            point = {name: random_value(domain, rng, {}) for name, domain in SYMBOLS.items()}
            pair = values(lhs, rhs, point)
            assert pair is None or not fails(relation, *pair), (line, point)
    if found.status is Status.REFUTED:
        assert found.witness is not None
        point = {name: mpmath.mpf(mpmath.mpmathify(v)) for name, v in found.witness.point}
        missing = {name: mpmath.mpf("0.5") for name in SYMBOLS if name not in point}
        pair = values(lhs, rhs, {**missing, **point})
        strict = relation == "<" and pair is not None and abs(pair[0] - pair[1]) < 1e-30  # type: ignore[operator]
        assert pair is not None, line
        assert strict or fails(relation, *pair), line
    return str(found.status)


def run(count: int, seed: int) -> Counter[str]:
    rng = random.Random(seed + 1)
    return Counter(judge(*line, rng) for line in random_lines(count, seed))


def test_a_hundred_random_lines() -> None:
    found = run(100, 11)
    assert found["PROVED"] > 15
    assert found["REFUTED"] + found["DOMAIN"] > 15
    assert not found["INVALID"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_ten_thousand_random_lines(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    found = run(1000, 100 + seed)
    with capsys.disabled():
        print(f"\n{dict(found)}")
    assert not found["INVALID"]


def mutated(step: Step, rng: random.Random) -> Step:
    """The step with its right side changed by one rule, which may leave it true."""
    rhs = rng.choice(CHANGED).format(step.rhs)
    return Step(
        step.number, step.section, False, step.lhs, rhs, step.relation, step.symbols, step.given,
        step.derivative,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_four_thousand_mutated_lines(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    """True equations of the table, changed: what is accepted holds at random points."""
    from tests.test_proofs_table import close, random_names, sides

    rng = random.Random(seed)
    true = [s for s in steps(TABLE) if s.true and s.relation == "=="]
    counts: Counter[str] = Counter()
    for _ in range(1000):
        step = mutated(rng.choice(true), rng)
        found = step.verdict()
        counts[str(found.status)] += 1
        if found.holds:
            pairs = [sides(step, random_names(step, rng)) for _ in range(4)]
            assert all(pair is None or close(step, *pair) for pair in pairs), f"{step}: {found}"
    with capsys.disabled():
        print(f"\n{dict(counts)}")
