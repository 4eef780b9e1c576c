"""A derivation: a chain of lines, each judged against the line before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lectures_lib.proofs._verdict import Verdict


@dataclass(frozen=True)
class LineReport:
    """What became of one line."""

    number: int
    text: str  # as typed
    because: str
    verdict: Verdict | None  # None for the line a chain starts with
    credit: bool  # verified, and it says something new
    note: str = ""  # why there is no credit, or which way-point it reaches


@dataclass(frozen=True)
class Report:
    """What became of a whole derivation; `score` runs from 0 to 1."""

    lines: tuple[LineReport, ...]
    missing: tuple[str, ...]  # required way-points (the goal is the last) that no line reached
    goal_reached: bool
    score: float
    complete: bool  # every line holds, every way-point and the goal are reached


class Derivation:
    """Lines with reasons; each is compared with the line before it.

        d = Derivation("Gradient", w="real", x="real", y="label01")
        d.line("y*log(sigma(w*x)) + (1 - y)*log(1 - sigma(w*x))")
        d.line("y*w*x - log(1 + exp(w*x))", because="properties of log and sigma")
        d.differentiate("w", "(y - sigma(w*x))*x", because="chain rule")
        d            # in a notebook: a table with LaTeX; print(d): plain text

    symbols, **more     name -> domain, as in `verdict`
    given, where, sizes as in `verdict`, for every line
    goal                the expression that the derivation must end in
    waypoints           expressions that some line must reach; each must be PROVED
    """

    def __init__(
        self,
        title: str,
        *,
        symbols: Mapping[str, str] | None = None,
        given: Sequence[str] | str = (),
        where: Mapping[str, str] | None = None,
        sizes: Mapping[str, Sequence[int]] | None = None,
        goal: str | None = None,
        waypoints: Sequence[str] = (),
        **more: str,
    ) -> None:
        raise NotImplementedError

    @classmethod
    def from_text(
        cls,
        text: str,
        title: str = "",
        *,
        symbols: Mapping[str, str] | None = None,
        given: Sequence[str] | str = (),
        where: Mapping[str, str] | None = None,
        sizes: Mapping[str, Sequence[int]] | None = None,
        start: str | None = None,
        goal: str | None = None,
        waypoints: Sequence[str] = (),
        **more: str,
    ) -> Derivation:
        """A derivation typed line by line; never raises for what the student typed.

            y*log(sigma(w*x)) + (1 - y)*log(1 - sigma(w*x))
            = y*w*x - log(1 + exp(w*x))        # properties of log and sigma
            d/dw: (y - sigma(w*x))*x           # chain rule

        One expression per line, an optional relation in front (`=` is the default; `<= < >= >`),
        an optional reason after `#`. `d/dw:` differentiates the line before, `w := a + b:`
        substitutes into it, `let z := dot(w, x)` abbreviates, `given: a > b` supposes, a whole
        equation `lhs = rhs` stands for itself, an empty line starts a new chain.
        """
        raise NotImplementedError

    def line(
        self,
        expression: str,
        because: str = "",
        *,
        relation: str = "==",
        given: Sequence[str] | str = (),
    ) -> Derivation:
        """The next line: `line before  relation  expression`.

        The expression may start with its relation ("<= norm(x)"). The first line of a chain is
        what the chain starts from. A whole equation or inequality ("a == b") is judged by itself.
        """
        raise NotImplementedError

    def start(self, expression: str, because: str = "") -> Derivation:
        """A new chain that starts from `expression`."""
        raise NotImplementedError

    def differentiate(self, variable: str, expression: str, because: str = "") -> Derivation:
        """The next line is the derivative of the line before ("w", "z[k]", or "w,w")."""
        raise NotImplementedError

    def substitute(
        self, values: Mapping[str, str], expression: str, because: str = ""
    ) -> Derivation:
        """The next line is the line before with the symbols replaced, all at once."""
        raise NotImplementedError

    def expect(
        self, variable: str, distribution: Mapping[str, str], expression: str, because: str = ""
    ) -> Derivation:
        """The next line is the expectation of the line before; `distribution` maps the values
        of `variable` to their probabilities: {"0": "1 - p", "1": "p"}."""
        raise NotImplementedError

    def claim(
        self,
        lhs: str,
        rhs: str,
        because: str = "",
        *,
        relation: str = "==",
        given: Sequence[str] | str = (),
        derivative: str | None = None,
    ) -> Derivation:
        """A statement that stands for itself; the next line starts a new chain."""
        raise NotImplementedError

    def equivalent(self, left: str, right: str, because: str = "") -> Derivation:
        """Two conditions that are true at the same points."""
        raise NotImplementedError

    def maximum(
        self, objective: str, variable: str, at: str, because: str = "", *, local: bool = False
    ) -> Derivation:
        """Claims that `objective` is largest at `variable = at`: two lines, the derivative is 0
        there, and the second derivative is <= 0 everywhere (`local=True`: < 0 there)."""
        raise NotImplementedError

    def minimum(
        self, objective: str, variable: str, at: str, because: str = "", *, local: bool = False
    ) -> Derivation:
        """As `maximum`, with the signs turned round."""
        raise NotImplementedError

    def given(self, *conditions: str) -> Derivation:
        """Hypotheses that hold from here on."""
        raise NotImplementedError

    def let(self, **abbreviations: str) -> Derivation:
        """Abbreviations that may be used from here on: let(z="dot(w, x)")."""
        raise NotImplementedError

    def report(self) -> Report:
        """Verdict and credit of every line, missing way-points, score."""
        raise NotImplementedError
