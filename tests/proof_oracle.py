"""A second opinion on steps: the proof language at random points of the declared domains.

It shares no code with the proof engine: the values come from `reference_evaluator`. It can only
refute; that is what a test needs to know whether a mutated line is really false.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import islice, product
from random import Random
from typing import Any

import mpmath
import numpy as np
from scipy.optimize import least_squares

from tests.proof_recorder import Step
from tests.reference_evaluator import Reference, UndefinedError, Value, tree

Names = dict[str, Value]
TINY, ROUGH = mpmath.mpf(10) ** -14, mpmath.mpf(10) ** -6  # of finite differences; of least squares
TRIES = 800  # of points for each choice of sizes; hypotheses may refuse most of them
BAD = (UndefinedError, ZeroDivisionError, ValueError, IndexError, TypeError)

SCALARS: dict[str, Callable[[Random], Any]] = {
    "real": lambda rng: rng.uniform(-2, 2),
    "positive": lambda rng: rng.uniform(0.1, 3),
    "nonnegative": lambda rng: rng.choice((0, rng.uniform(0, 12))),
    "nonzero": lambda rng: rng.choice((-1, 1)) * rng.uniform(0.1, 3),
    "negative": lambda rng: -rng.uniform(0.1, 3),
    "probability": lambda rng: rng.uniform(0.02, 0.98),
    "probabilities": lambda rng: rng.uniform(0.02, 0.98),  # "probability vector" is a simplex
    "closed probability": lambda rng: rng.choice((0, 1, rng.random())),
    "label01": lambda rng: rng.choice((0, 1)),
    "sign": lambda rng: rng.choice((-1, 1)),
    "integer": lambda rng: rng.randint(-4, 4),
    "nonnegative integer": lambda rng: rng.randint(0, 4),
}
# What an equation among the hypotheses may move, and whether a number may go there.
MOVED: dict[str, Callable[[float], bool]] = {
    "real": lambda x: True,
    "positive": lambda x: x > 1e-3,
    "nonnegative": lambda x: x >= 0,
    "probability": lambda x: 1e-3 < x < 1 - 1e-3,
}


def declared(step: Step) -> dict[str, str]:
    """Name -> domain, one name each."""
    return {
        name: domain
        for names, domain in step.symbols.items()
        for name in names.replace(",", " ").split()
    }


def parts(domain: str, sizes: Names) -> tuple[str, tuple[int, ...]]:
    """What the entries are, and the shape: "2x3 matrix" is ("real", (2, 3))."""
    if "interval" in domain:
        return domain, ()
    words = re.sub(r"[(),\[\]]|-(?=vector)|(?<=\d)x(?=\d)|\b(of|vector|matrix)\b", " ", domain)
    numbers = [int(sizes.get(w, 0)) or int(w) for w in words.split() if w in sizes or w.isdigit()]
    kind = " ".join(w for w in words.split() if not (w in sizes or w.isdigit())) or "real"
    if kind == "probability" and "probability vector" in domain:
        kind = "simplex"
    return kind, tuple(numbers)


def drawn(domain: str, sizes: Names, rng: Random) -> Value:
    """A member of a domain."""
    if match := re.fullmatch(r"int (-?\d+)\.\.(-?\d+)", domain):
        return mpmath.mpf(rng.randint(int(match[1]), int(match[2])))
    if "interval" in domain:
        low, high = (Fraction(word) for word in domain.split()[-2:])
        return mpmath.mpf(rng.uniform(float(low), float(high)))
    kind, shape = parts(domain, sizes)
    if kind == "simplex":
        weights = [mpmath.mpf(rng.uniform(0.05, 1)) for _ in range(shape[0])]
        return np.array([weight / sum(weights) for weight in weights], dtype=object)
    if kind in ("spd", "symmetric", "invertible", "diagonal"):
        a, one = entries("real", shape * 2, rng), np.eye(shape[0]).astype(int)
        made = {"spd": a @ a.T + one, "symmetric": a + a.T, "diagonal": a * one}
        return made.get(kind, a + 5 * one)
    return entries(kind, shape, rng) if shape else mpmath.mpf(SCALARS[kind](rng))


def entries(kind: str, shape: tuple[int, ...], rng: Random) -> Value:
    values = [mpmath.mpf(SCALARS[kind](rng)) for _ in range(int(np.prod(shape)))]
    return np.array(values, dtype=object).reshape(shape)


def sizes_of(step: Step) -> Iterator[Names]:
    """The choices of the symbolic sizes, declared as such or only named by a vector."""
    domains = declared(step)
    ranges: dict[str, Sequence[int]] = {}
    for name, domain in domains.items():
        if domain.startswith("size"):
            ends = [int(number) for number in re.findall(r"\d+", domain)]
            first = ends[0] if ends else 1
            ranges[name] = range(first, min([first + 2, *ends[1:]]) + 1)
    for word in " ".join(domains.values()).split():
        if re.fullmatch(r"[A-Za-z]\w?", word) and word not in domains:
            ranges[word] = (1, 2, 3)
    ranges |= {name: chosen for name, chosen in step.sizes.items() if name in ranges}
    for combination in product(*ranges.values()):
        yield dict(zip(ranges, map(mpmath.mpf, combination), strict=True))


def conjuncts(text: str) -> list[str]:
    """The conditions that stand in one text, with `and` or a comma between them."""
    node = tree(text)
    if isinstance(node, ast.Tuple):
        return [ast.unparse(one) for one in node.elts]
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return [ast.unparse(one) for one in node.values]
    return [text]


def points(step: Step, rng: Random, count: int) -> Iterator[tuple[Names, Value]]:
    """Random points that meet the hypotheses (at most `count` for each choice of sizes).

    With each the error to allow for: an equation among the hypotheses is solved in floats.
    """
    given = [part for text in step.given for part in conjuncts(text)]
    equations = [text for text in given if "==" in text and " or " not in text]
    for sizes in sizes_of(step):
        found = 0
        for _ in range(TRIES):
            names = dict(sizes)
            for name, domain in declared(step).items():
                if name not in sizes:
                    names[name] = drawn(domain, sizes, rng)
            if equations and not _solved(step, equations, names, sizes):
                continue
            if all(_holds(step, text, names) for text in given if text not in equations):
                yield names, ROUGH if equations else TINY
                found += 1
                if found == count:
                    break


def _holds(step: Step, text: str, names: Names) -> bool:
    try:
        return bool(Reference(names, step.where).line(text))
    except BAD:
        return False


def _solved(step: Step, equations: Sequence[str], names: Names, sizes: Names) -> bool:
    """Move the numbers that may be any so that the equations hold; whether that was possible."""
    domains = {name: parts(domain, sizes)[0] for name, domain in declared(step).items()}
    movable = [name for name in names if domains.get(name) in MOVED]
    if not movable:  # whole numbers meet them by chance
        return all(_holds(step, text, names) for text in equations)
    sides = [(tree(text).left, tree(text).comparators[0]) for text in equations]  # type: ignore[attr-defined]

    def move(flat: np.ndarray) -> None:
        place = 0
        for name in movable:
            piece = flat[place : place + np.size(names[name])]
            place += piece.size
            shape, numbers = np.shape(names[name]), [mpmath.mpf(float(x)) for x in piece]
            names[name] = np.array(numbers, dtype=object).reshape(shape) if shape else numbers[0]

    def gaps(flat: np.ndarray) -> np.ndarray:
        move(flat)
        reference = Reference(names, step.where)
        found = [reference.value(a, names) - reference.value(b, names) for a, b in sides]
        return np.concatenate([np.ravel(one).astype(float) for one in found])

    start = np.concatenate([np.ravel(names[name]).astype(float) for name in movable])
    try:
        answer = least_squares(gaps, start, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    except BAD:
        return False
    move(answer.x)
    return np.abs(answer.fun).max() < 1e-9 and all(
        MOVED[domains[name]](float(x)) for name in movable for x in np.ravel(names[name])
    )


def fails(step: Step, names: Names, error: Value = TINY) -> bool:
    """Whether a step is false at a point, or a side of it has no value there."""
    reference = Reference(names, step.where)
    lhs = f"diff({step.lhs}, {step.derivative})" if step.derivative else step.lhs
    try:
        left, right = reference.line(lhs), reference.line(step.rhs)
        if step.relation in ("iff", "implies"):
            return bool(left) > bool(right) or (step.relation == "iff" and left != right)
        if np.ndim(left) and np.ndim(right) and np.shape(left) != np.shape(right):
            return True
        gap = np.ravel(np.asarray(left - right, dtype=object))
    except BAD:
        return True
    sizes = [abs(x) for side in (left, right) for x in np.ravel(np.asarray(side, dtype=object))]
    margin = error * (1 + max(sizes))
    if step.relation in ("==", "!="):
        return any(abs(x) > margin for x in gap) == (step.relation == "==")
    turned = gap if step.relation[0] == "<" else -gap
    strict = step.relation in ("<", ">") and error < ROUGH
    return any(x > -margin if strict else x > margin for x in turned)


def is_refuted(step: Step, seed: int = 0, count: int = 4) -> bool:
    """Whether the step is clearly false at some random point (or has the wrong shape)."""
    return any(fails(step, *point) for point in points(step, Random(seed), count))


def was_tried(step: Step) -> bool:
    """Whether the sampler finds points that meet the hypotheses."""
    return any(True for _ in islice(points(step, Random(0), 1), 1))
