"""The one function that asks for a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from linecheck.expand.request import Request
from linecheck.judge.failures import kept
from linecheck.judge.verdicts import Status, Verdict
from linecheck.judge.worker import ask_process
from linecheck.language.terms import LineError


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
    explain: bool = True,
) -> Verdict:
    """Whether `lhs relation rhs` is true on the declared domain, under the hypotheses `given`.

    symbols     name -> domain: {"w": "real", "y": "label01", "s": "sign", "p": "probability",
                "n": "positive", "k": "int 1..6", "v": "vector 3"}; "index": "0" counts entries
                from 0, as NumPy does
    relation    "==", "<=", "<", ">=", ">", "!=", or "iff", "implies" between conditions
    given       hypotheses: ["norm(x)**2 <= R**2", "s*dot(w, x) <= 0"]
    derivative  "w": checks d lhs / dw == rhs (the gradient when w is a vector);
                "w,w" or ("w", "w"): second derivative or Hessian; "w,b": mixed; "z[k]": one entry
    where       abbreviations: {"z": "dot(w, x)"}
    sizes       the sizes at which a symbolic size is checked: {"N": (1, 2, 3)}
    seconds     of the processor's time; no answer takes longer, once the process that answers
                has started
    explain     whether the slip behind a refutation is looked for, which takes most of its time

    The language of the strings is described in `help(linecheck)`.

    >>> print(verdict("1 - sigma(z)", "sigma(-z)", {"z": "real"}))
    PROVED: the same after expanding, with exp(a + b) = exp a exp b
    >>> print(verdict("log(a + b)", "log(a) + log(b)", {"a": "positive", "b": "positive"}))
    REFUTED: at a = 1, b = 1: left 0.69314718056, right 0
    """
    try:
        asked = to_request(lhs, rhs, symbols, relation, given, derivative, where, sizes)
    except LineError as problem:
        return Verdict(Status.INVALID, problem.message)
    return judge(replace(asked, explain=explain, whole=True), seconds)


def judge(request: Request, seconds: float = 2.0) -> Verdict:
    """The verdict on a request."""
    found = ask_process(request, seconds)
    if found is None:  # no process could be started; the work has limits of its own
        from linecheck.judge.engine import decide  # slow to load, hardly ever needed here

        found = decide(request)
    if found.status is Status.INTERNAL:
        return replace(found, reason=kept(request, found.reason))
    return found


def to_request(
    lhs: str,
    rhs: str,
    symbols: Mapping[str, str] | None = None,
    relation: str = "==",
    given: Sequence[str] | str = (),
    derivative: str | Sequence[str] | None = None,
    where: Mapping[str, str] | None = None,
    sizes: Mapping[str, Sequence[int]] | None = None,
) -> Request:
    """The arguments of `verdict` as one request; raises LineError for what is not a text."""
    by = derivative
    if isinstance(by, tuple | list) and all(isinstance(one, str) for one in by):
        by = ",".join(by)
    texts = {"the left side": lhs, "the right side": rhs, "the relation": relation}
    told = _wrong_types(
        {**texts, **({} if by is None else {"derivative": by})},
        {"symbols": {} if symbols is None else symbols, "where": {} if where is None else where},
        [given] if isinstance(given, str) else given,
    )
    if told:
        raise LineError(told)
    return Request(
        lhs,
        rhs,
        dict(symbols or {}),
        relation,
        (given,) if isinstance(given, str) else tuple(given),
        by if isinstance(by, str) else None,
        dict(where or {}),
        {name: tuple(values) for name, values in (sizes or {}).items()},
    )


def _wrong_types(texts: dict[str, object], maps: dict[str, object], given: object) -> str:
    """What is not a text although it should be, in words."""
    for what, names in maps.items():
        if not isinstance(names, Mapping):
            return f"{what} maps names to texts, found {type(names).__name__}"
        for name, value in names.items():
            texts |= {f"a name in {what}": name, f"{what}[{name!r}]": value}
    if not isinstance(given, Sequence):
        return f"given is a list of texts, found {type(given).__name__}"
    texts |= {f"given: {one!r}"[:40]: one for one in given}
    for what, found in texts.items():
        if not isinstance(found, str):
            return f"{what} is a text, found {type(found).__name__}"
    return ""
