"""What a symbol may be: a number from some set, a vector, a matrix, a size."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from linecheck.language.parser import is_function
from linecheck.language.terms import LineError

LARGEST_SIZE = 8
MOST_ENTRIES = 36


@dataclass(frozen=True)
class Span:
    """The real numbers between two ends (None: no end), perhaps without 0 or integers only."""

    lower: Fraction | None = None
    upper: Fraction | None = None
    lower_open: bool = True
    upper_open: bool = True
    no_zero: bool = False
    integers: bool = False

    def holds(self, value: Fraction) -> bool:
        """Whether the number lies in the set."""
        low, high = self.lower, self.upper
        below = low is not None and (value < low or (self.lower_open and value == low))
        above = high is not None and (value > high or (self.upper_open and value == high))
        fraction = self.integers and value.denominator != 1
        return not (below or above or fraction or (self.no_zero and value == 0))


@dataclass(frozen=True)
class Finite:
    """A finite set of numbers, in order."""

    values: tuple[Fraction, ...]

    def holds(self, value: Fraction) -> bool:
        """Whether the number is one of them."""
        return value in self.values

    @property
    def rule(self) -> str:
        """ "label" for {0, 1}, where y**2 == y; "sign" for {-1, 1}, where s**2 == 1; else ""."""
        if self.values == (Fraction(0), Fraction(1)):
            return "label"
        return "sign" if self.values == (Fraction(-1), Fraction(1)) else ""


ScalarDomain = Span | Finite

_ZERO, _ONE = Fraction(0), Fraction(1)
REAL = Span()
POSITIVE = Span(lower=_ZERO)
SCALARS: dict[str, ScalarDomain] = {
    "real": REAL,
    "positive": POSITIVE,
    "nonnegative": Span(lower=_ZERO, lower_open=False),
    "negative": Span(upper=_ZERO),
    "nonpositive": Span(upper=_ZERO, upper_open=False),
    "nonzero": Span(no_zero=True),
    "probability": Span(lower=_ZERO, upper=_ONE),
    "closed probability": Span(_ZERO, _ONE, False, False),
    "label01": Finite((_ZERO, _ONE)),
    "sign": Finite((-_ONE, _ONE)),
    "integer": Span(integers=True),
    "positive integer": Span(lower=_ONE, lower_open=False, integers=True),
    "nonnegative integer": Span(lower=_ZERO, lower_open=False, integers=True),
}
STRUCTURES = ("symmetric", "spd", "psd", "diagonal", "invertible", "simplex")


@dataclass(frozen=True)
class Declared:
    """One symbol: a number ("scalar"), a "vector", a "matrix" or a "size"."""

    kind: str
    entry: ScalarDomain = REAL
    shape: tuple[int | str, ...] = ()
    structure: str = ""
    sizes: tuple[int, ...] = ()  # of a size: where it is checked
    bounded: bool = False  # of a size: these are all that there are


DEFAULT_SIZES = (1, 2, 3, 4)
_INTEGERS = re.compile(
    r"(?:int|ints|integer|integers|range)\s*(?:from|in|between|range)?\s*[\[(]?\s*(-?\d+)"
    r"\s*(?:\.\.\.?|to|and|,|:|-)\s*(-?\d+)\s*[\])]?"
)
_BARE_RANGE = re.compile(r"(-?\d+)\s*\.\.\s*(-?\d+)")
_BRACKETS = re.compile(r"([\[(])\s*([^\s,\[\]()]+)\s*,\s*([^\s,\[\]()]+)\s*([\])])")
_SIZE = re.compile(r"size\s*(?:(\d+)\s*\.\.\s*(\d*))?")
_FINITE = re.compile(r"\{([^{}]*)\}")
_INTERVAL = re.compile(
    r"(open |closed )?interval\s*[\[(]?\s*([^\s,\[\]()]+)[\s,]+([^\s,\[\]()]+)\s*[\])]?"
)
_PHRASES = (  # longest first; what a reader may write -> the word used here
    ("symmetric positive-definite", "spd"), ("symmetric positive definite", "spd"),
    ("symmetric positive semidefinite", "psd"), ("positive semidefinite", "psd"),
    ("positive definite", "spd"), ("positive-definite", "spd"), ("probability vector", "simplex"),
    ("non-negative", "nonnegative"), ("non negative", "nonnegative"),
    ("non-positive", "nonpositive"), ("non-zero", "nonzero"), ("non zero", "nonzero"),
    ("nonsingular", "invertible"), ("non-singular", "invertible"), ("regular", "invertible"),
    ("label 0/1", "label01"), ("labels", "label01"), ("label", "label01"), ("binary", "label01"),
    ("bernoulli", "label01"), ("0/1", "label01"), ("boolean", "label01"), ("nonneg", "nonnegative"),
    ("sign ±1", "sign"), ("±1", "sign"), ("+-1", "sign"), ("sign +-1", "sign"), ("signs", "sign"),
    ("label0101", "label01"), ("label0/1", "label01"),
    ("positive real", "positive"), ("nonnegative real", "nonnegative"), ("real number", "real"),
    ("reals", "real"), ("float", "real"), ("scalar", "real"), ("natural", "positive integer"),
    ("open probability", "probability"), ("probabilities", "probability"),
)  # fmt: skip


def declare(symbols: Mapping[str, str]) -> dict[str, Declared]:
    """Domains by name; names used as sizes and declared nowhere are added as sizes."""
    found: dict[str, Declared] = {}
    for names, text in symbols.items():
        if not isinstance(names, str) or not isinstance(text, str):
            raise LineError("symbols maps names to domains, both written as texts")
        for one in re.split(r"[,\s]+", names.strip()):
            if not one.isidentifier() or one.startswith("__"):
                raise LineError(f"{one!r} is not a name for a symbol")
            found["lambda_" if one == "lambda" else one] = parse_domain(text, one)
    for declared in list(found.values()):
        for size in declared.shape:
            if isinstance(size, str):
                known = found.setdefault(size, Declared("size", sizes=DEFAULT_SIZES))
                if known.kind != "size":
                    found[size] = _as_size(size, known)
    return found


def _as_size(name: str, declared: Declared) -> Declared:
    """An integer symbol ("int 2..4") that is used as a size becomes one."""
    if declared.kind == "scalar" and isinstance(declared.entry, Finite):
        values = declared.entry.values
        if all(value.denominator == 1 and 1 <= value <= LARGEST_SIZE for value in values):
            return Declared("size", sizes=tuple(int(value) for value in values), bounded=True)
    raise LineError(f"{name} is used as a size: declare it as a size or as int 1..{LARGEST_SIZE}")


def parse_domain(text: str, name: str = "") -> Declared:
    """The domain that a text such as "spd 2" or "positive vector d" names."""
    if len(text) > 200:
        raise LineError(f"the domain of {name} is too long")
    plain = _from_paper(" ".join(text.split()))
    if not plain:
        raise LineError(f"the domain of {name} is empty")
    for pattern, read in (
        (_INTEGERS, _integers), (_BARE_RANGE, _integers), (_SIZE, _size), (_FINITE, _finite),
        (_BRACKETS, _brackets),
    ):  # fmt: skip
        if match := pattern.fullmatch(plain):
            return read(match, name)
    return _words(plain, name)


def _from_paper(text: str) -> str:
    """`open interval 0 1`, `> 0` and `0 < p <= 1` as the brackets that they name."""
    if named := _INTERVAL.fullmatch(text):
        left, right = "()" if named[1] == "open " else "[]"
        return f"{left}{named[2]}, {named[3]}{right}"
    end = r"(-?[\d./]+)"
    if chain := re.fullmatch(rf"{end} ?(<=?) ?\w+ ?(<=?) ?{end}", text):
        left, right = "(" if chain[2] == "<" else "[", ")" if chain[3] == "<" else "]"
        return f"{left}{chain[1]}, {chain[4]}{right}"
    one = re.fullmatch(rf"(?:real |\w+ ?)??([<>]=?|!=) ?{end}", text)
    if not one:
        return text
    if one[1] == "!=":
        return "nonzero" if one[2] == "0" else text
    closed = one[1].endswith("=")
    if one[1][0] == ">":
        return f"{'[' if closed else '('}{one[2]}, inf)"
    return f"(-inf, {one[2]}{']' if closed else ')'}"


def _integers(match: re.Match[str], name: str) -> Declared:
    first, last = int(match[1]), int(match[2])
    if first > last or last - first > 10_000:
        raise LineError(f"the range of {name} is empty or too long: {match[0]}")
    return Declared("scalar", Finite(tuple(Fraction(k) for k in range(first, last + 1))))


def _size(match: re.Match[str], name: str) -> Declared:
    first = int(match[1] or 1)
    last = int(match[2] or first + len(DEFAULT_SIZES) - 1)
    if not 1 <= first <= last <= LARGEST_SIZE:
        raise LineError(f"sizes run from 1 to {LARGEST_SIZE}, found {match[0]!r} for {name}")
    return Declared("size", sizes=tuple(range(first, last + 1)), bounded=bool(match[2]))


def _number(text: str, name: str) -> Fraction:
    if len(text) > 40 or re.search(r"[eE][+-]?\d{3}", text):
        raise LineError(f"the domain of {name}: {text!r} is not a number")
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise LineError(f"the domain of {name}: {text!r} is not a number") from None


def _finite(match: re.Match[str], name: str) -> Declared:
    values = sorted({_number(part.strip(), name) for part in match[1].split(",")})
    return Declared("scalar", Finite(tuple(values)))


def _brackets(match: re.Match[str], name: str) -> Declared:
    """(0, 1), [0, 1], [0, inf)."""
    left, low, high, right = match.groups()
    lower = None if low.lower() in ("-inf", "-oo") else _number(low, name)
    upper = None if high.lower() in ("inf", "oo", "+inf") else _number(high, name)
    if lower is not None and upper is not None and lower >= upper:
        raise LineError(f"the interval of {name} is empty")
    return Declared("scalar", Span(lower, upper, left == "(", right == ")"))


def _words(plain: str, name: str) -> Declared:
    lowered = plain
    for phrase, word in _PHRASES:
        lowered = re.sub(rf"(?<![\w-]){re.escape(phrase)}(?![\w-])", word, lowered, flags=re.I)
    lowered = re.sub(r"(\d+)\s*[x×]\s*(\d+)", r"\1 \2", lowered)
    lowered = re.sub(r"(\w+)-(vector|matrix|dimensional)", r"\1 \2", lowered)
    tokens = [token for token in re.split(r"[\s,()\[\]]+", lowered) if token]
    words, shape = _sort(tokens, name)
    kind = next((word for word in ("vector", "matrix") if word in words), "")
    structure = next((word for word in STRUCTURES if word in words), "")
    named = " ".join(word for word in words if word not in ("vector", "matrix", *STRUCTURES))
    if named and named not in SCALARS:
        raise LineError(f"the domain of {name} is not known: {plain!r}")
    entry = SCALARS[named or "real"]
    if structure == "simplex":
        kind = "vector"
    elif structure:
        kind = "matrix"
    elif not kind:
        kind = ("scalar", "vector", "matrix")[len(shape)]
    if kind == "matrix" and len(shape) == 1:
        shape *= 2
    if len(shape) != {"scalar": 0, "vector": 1, "matrix": 2}[kind]:
        raise LineError(f"the domain of {name} needs its size: {plain!r}, as in 'vector 3'")
    if structure and kind == "matrix" and shape[0] != shape[1]:
        raise LineError(f"a {structure} matrix is square; {name} is declared as {plain!r}")
    if structure and named not in ("", "real"):
        raise LineError(f"the domain of {name} is not known: {plain!r}")
    _check_sizes(shape, name)
    return Declared(kind, entry, tuple(shape), structure)


def _sort(tokens: list[str], name: str) -> tuple[list[str], list[int | str]]:
    """Known words, and sizes (numbers or names of sizes)."""
    known = {word for key in SCALARS for word in key.split()} | set(STRUCTURES)
    words: list[str] = []
    shape: list[int | str] = []
    for token in tokens:
        lowered = token.lower()
        if lowered in ("of", "by", "x", "with", "entries", "size", "dimensional", "a", "×", "row"):
            continue
        lowered = {"vectors": "vector", "matrices": "matrix"}.get(lowered, lowered)
        if lowered in known or lowered in ("vector", "matrix"):
            words.append(lowered)
        elif token.isdigit():
            shape.append(int(token))
        elif token.isidentifier() and len(token) <= 12 and (words or shape):
            shape.append(token)
        else:
            raise LineError(f"the domain of {name} is not known: {' '.join(tokens)!r}")
    if len(shape) > 2:
        raise LineError(f"the domain of {name} has more than two sizes")
    # "positive vector 3" and "vector 3 positive" name the same entries
    return sorted(words, key=lambda word: word == "integer"), shape


def _check_sizes(shape: list[int | str], name: str) -> None:
    largest = 3 * LARGEST_SIZE
    for size in shape:
        if isinstance(size, int):
            if not 1 <= size <= largest:
                raise LineError(f"the size {size} of {name} is not between 1 and {largest}")
        elif is_function(size) and size not in ("T", "E", "I"):
            raise LineError(f"{size} is a function; it cannot name the size of {name}")
    total = math.prod(size for size in shape if isinstance(size, int))
    if total > MOST_ENTRIES:
        raise LineError(f"{name} has {total} entries; at most {MOST_ENTRIES} are handled")
