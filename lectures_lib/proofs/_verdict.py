"""What the checker says about one step, and the one function that asks it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """The six things that can be said about a step."""

    PROVED = "PROVED"
    AGREES = "AGREES"
    REFUTED = "REFUTED"
    DOMAIN = "DOMAIN"
    UNDECIDED = "UNDECIDED"
    INVALID = "INVALID"


@dataclass(frozen=True)
class Witness:
    """A point of the domain and what the two sides are there ("undefined" when they are not)."""

    point: tuple[tuple[str, str], ...]  # (("w", "1"), ("x", "(1, 0)"))
    left: str
    right: str

    def __str__(self) -> str:
        place = ", ".join(f"{name} = {value}" for name, value in self.point)
        sides = f"left {self.left}, right {self.right}"
        return f"at {place}: {sides}" if place else sides


@dataclass(frozen=True)
class Verdict:
    """The verdict on one step. `holds` is true for PROVED and AGREES only."""

    status: Status
    reason: str = ""
    witness: Witness | None = None
    slip: str = ""  # the likely slip behind a refutation, in words
    points: int = 0  # how many exact sample points were compared

    @property
    def holds(self) -> bool:
        """True when nothing speaks against the step."""
        return self.status in (Status.PROVED, Status.AGREES)

    def __str__(self) -> str:
        parts = [str(self.witness) if self.witness else "", self.reason, self.slip]
        told = "; ".join(part for part in parts if part)
        return f"{self.status}: {told}" if told else str(self.status)


def verdict(
    lhs: str,
    rhs: str,
    symbols: Mapping[str, str] | None = None,
    relation: str = "==",
    given: Sequence[str] | str = (),
    derivative: str | Sequence[str] | None = None,
    *,
    where: Mapping[str, str] | None = None,
    sizes: Mapping[str, Sequence[int]] | None = None,
    seconds: float = 2.0,
) -> Verdict:
    """Whether `lhs relation rhs` is true on the declared domain, under the hypotheses `given`.

    symbols     name -> domain: {"w": "real", "y": "label01", "s": "sign", "p": "probability",
                "n": "positive", "k": "int 1..6", "v": "vector 3"}
    relation    "==", "<=", "<", ">=", ">", "!=", or "iff", "implies" between conditions
    given       hypotheses: ["norm(x)**2 <= R**2", "s*dot(w, x) <= 0"]
    derivative  "w": checks d lhs / dw == rhs (the gradient when w is a vector);
                "w,w" or ("w", "w"): second derivative or Hessian; "w,b": mixed; "z[k]": one entry
    where       abbreviations: {"z": "dot(w, x)"}
    sizes       the sizes at which a symbolic size is checked: {"N": (1, 2, 3)}
    seconds     no answer takes longer

    The language of the strings is described in `help(lectures_lib.proofs)`.
    """
    from lectures_lib.proofs._request import Request
    from lectures_lib.proofs._worker import WORKER

    by = derivative
    if isinstance(by, tuple | list) and all(isinstance(one, str) for one in by):
        by = ",".join(by)
    wrong = _wrong_types(lhs, rhs, symbols, relation, given, by, where)
    if wrong:
        return Verdict(Status.INVALID, wrong)
    request = Request(
        lhs,
        rhs,
        dict(symbols or {}),
        relation,
        (given,) if isinstance(given, str) else tuple(given),
        by if isinstance(by, str) else None,
        dict(where or {}),
        {name: tuple(values) for name, values in (sizes or {}).items()},
    )
    found = WORKER.ask(request, seconds)
    if found is not None:
        return found
    from lectures_lib.proofs._engine import decide

    return decide(request)  # no process could be started; the work has limits of its own


def _wrong_types(
    lhs: object,
    rhs: object,
    symbols: object,
    relation: object,
    given: object,
    derivative: object,
    where: object,
) -> str:
    """What is not a text although it should be, in words."""
    texts = {"the left side": lhs, "the right side": rhs, "the relation": relation}
    if derivative is not None:
        texts["derivative"] = derivative
    for what, names in (("symbols", symbols), ("where", where)):
        if names is None:
            continue
        if not isinstance(names, Mapping):
            return f"{what} maps names to texts, found {type(names).__name__}"
        for name, value in names.items():
            texts[f"a name in {what}"] = name
            texts[f"{what}[{name!r}]"] = value
    if not isinstance(given, str):
        if not isinstance(given, Sequence):
            return f"given is a list of texts, found {type(given).__name__}"
        for one in given:
            texts[f"given: {one!r}"[:40]] = one
    for what, found in texts.items():
        if not isinstance(found, str):
            return f"{what} is a text, found {type(found).__name__}"
    return ""
