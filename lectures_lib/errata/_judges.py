"""The judges that several checks share: the proof engine, and small exact tools."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from lectures_lib.errata._entry import Check, Finding
from linecheck import Verdict, verdict

Array = NDArray[np.float64]
Answer = TypeVar("Answer", bound=Hashable)


@dataclass(frozen=True)
class Claim:
    """One step in the language of `linecheck.verdict`."""

    lhs: str
    rhs: str
    symbols: Mapping[str, str] = field(repr=False)
    relation: str = "=="
    given: Sequence[str] = ()
    derivative: str | None = None
    where: Mapping[str, str] | None = None

    def __str__(self) -> str:
        left = f"d({self.lhs})/d{self.derivative}" if self.derivative else self.lhs
        meanings = ", ".join(f"{name} = {term}" for name, term in (self.where or {}).items())
        return f"{left} {self.relation} {self.rhs}" + (f" with {meanings}" if meanings else "")

    def verdict(self) -> Verdict:
        """What the engine says about the step."""
        return verdict(
            self.lhs,
            self.rhs,
            self.symbols,
            relation=self.relation,
            given=self.given,
            derivative=self.derivative,
            where=self.where,
        )


def by_verdict(claims: Sequence[Claim]) -> Finding:
    """Holds when the engine finds every claim PROVED or AGREES; shows the first that fails."""
    found = [(claim, claim.verdict()) for claim in claims]
    shown = [pair for pair in found if not pair[1].holds][:1] or found
    told = " and ".join(f"{claim} is {answer}" for claim, answer in shown)
    return Finding(all(answer.holds for _, answer in found), told.rstrip(".") + ".")


RELATION = re.compile(r" (iff|==|<=|>=|<|>) ")
DERIVATIVE = re.compile(r"d/d([\w,[\]]+): (.+)")


def asked(lines: Sequence[tuple[str, str]]) -> Check[Sequence[Claim]]:
    """The check that the ledger writes in its lines `for` to `true`."""
    forms: dict[str, list[Claim]] = {"false": [], "true": []}
    context: dict[str, str] = {}
    for label, text in lines:
        if label in forms:
            forms[label].append(_claim(text, context))
        else:  # `for` begins anew
            context = {label: text} if label == "for" else {**context, label: text}
    return Check(forms["false"], forms["true"], by_verdict)


def _claim(text: str, context: Mapping[str, str]) -> Claim:
    slope = DERIVATIVE.fullmatch(text)
    statement = slope[2] if slope else text
    relations = [found for found in RELATION.finditer(statement) if _is_outside(statement, found)]
    if not relations:
        raise ValueError(f"The ledger's claim {text!r} has no relation.")
    found = next((found for found in relations if found[1] == "iff"), relations[0])
    return Claim(
        statement[: found.start()],
        statement[found.end() :],
        _pairs(context.get("for", ""), ": "),
        found[1],
        context["given"].split("; ") if "given" in context else (),
        slope[1] if slope else None,
        _pairs(context["where"], " = ") if "where" in context else None,
    )


def _is_outside(text: str, found: re.Match[str]) -> bool:
    before = text[: found.start()]
    return sum(map(before.count, "([")) == sum(map(before.count, ")]"))


def _pairs(text: str, sign: str) -> dict[str, str]:
    return dict(pair.split(sign, 1) for pair in text.split("; "))


def one_answer(readings: Mapping[str, Callable[[], Answer]]) -> Finding:
    """Holds when all readings that a text allows give the same answer."""
    answers = {name: reading() for name, reading in readings.items()}
    told = ", ".join(f"{name} gives {answer}" for name, answer in answers.items())
    return Finding(len(set(answers.values())) == 1, f"{told}.")


def normal_cdf(z: float) -> float:
    """Phi(z), the distribution function of the standard normal distribution."""
    return math.erfc(-z / math.sqrt(2)) / 2


def sigmoid(z: Array) -> Array:
    """1 / (1 + exp(-z)), without overflow."""
    return np.exp(-np.logaddexp(0, -z))


def newton_logistic(X: Array, y: Array, steps: int = 12) -> Array:
    """Maximum-likelihood weights by Newton's method; X may hold a stack of data sets."""
    w = np.zeros((*X.shape[:-2], X.shape[-1], 1))
    for _ in range(steps):
        p = sigmoid(X @ w)
        gradient = np.swapaxes(X, -1, -2) @ (y[..., None] - p)
        hessian = np.swapaxes(X, -1, -2) @ (p * (1 - p) * X)
        w = w + np.linalg.solve(hessian, gradient)
    return w[..., 0]


def with_ones(x: Array) -> Array:
    """The design matrix: a column of ones in front of the features."""
    features = x[:, None] if x.ndim == 1 else x
    return np.column_stack([np.ones(len(features)), features])
