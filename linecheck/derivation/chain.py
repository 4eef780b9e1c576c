"""A derivation: a chain of lines, each judged against the line before it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from linecheck.derivation.lines import Line, Settings
from linecheck.derivation.remembered import opinion_on, verdict_on
from linecheck.derivation.shown import Shown, as_markdown, as_text
from linecheck.expand.request import Request
from linecheck.judge.ask import to_request
from linecheck.judge.verdicts import Status, Verdict
from linecheck.language.latex import latex, name_latex, relation_sign
from linecheck.language.parser import LONGEST_LINE, as_read, parse
from linecheck.language.relations import Sides, one_relation, reading_of, split, without_words
from linecheck.language.terms import LineError
from linecheck.second_judge.ask import sides
from linecheck.second_judge.opinion import Opinion, worst

_WORST_FIRST = (
    Status.INVALID, Status.REFUTED, Status.DOMAIN, Status.INTERNAL, Status.UNDECIDED,
    Status.AGREES, Status.PROVED,
)  # fmt: skip
_SHOWN_AT_A_START = (Status.INVALID, Status.DOMAIN, Status.INTERNAL)
UNREAD = "the line before this one could not be read, so it is not known what this one says"


class Derivation:
    """Lines with reasons; each is compared with the line before it.

        d = Derivation("Gradient", w="real", x="real", y="label01")
        d.line("y*log(sigma(w*x)) + (1 - y)*log(1 - sigma(w*x))")
        d.line("y*w*x - log(1 + exp(w*x))", because="properties of log and sigma")
        d.differentiate("w", "(y - sigma(w*x))*x", because="chain rule")
        d            # in a notebook: a table with LaTeX; print(d): plain text

    symbols, **more      name -> domain, as in `verdict`
    given, where, sizes  as in `verdict`, for every line

    A line that is wrong does not stop the derivation: the next one is compared with it.
    A line that cannot be read is skipped by the next one, which is then not called wrong.

    >>> d = Derivation("A square", a="real", b="real")
    >>> _ = d.line("(a + b)**2").line("a**2 + 2*a*b + b**2", because="expand")
    >>> d.holds
    True
    """

    sympy_first: ClassVar[bool] = False  # whose word stands first; True for a whole notebook

    def __init__(
        self,
        title: str,
        *,
        symbols: Mapping[str, str] | None = None,
        given: Sequence[str] | str = (),
        where: Mapping[str, str] | None = None,
        sizes: Mapping[str, Sequence[int]] | None = None,
        **more: str,
    ) -> None:
        self.title = title
        self._settings = Settings(
            {**(symbols or {}), **more},
            _as_list(given),
            dict(where or {}),
            dict(sizes or {}),
        )
        self._lines: list[Line] = []
        self._previous: str | None = None
        self._unread = False  # whether a line since then could not be read
        self._opinions: dict[int, Opinion] = {}  # by the position of the line

    # lines

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
        if not isinstance(expression, str):
            return self.invalid("", f"a line is a text, found {type(expression).__name__}")
        if len(expression) > LONGEST_LINE:
            return self.invalid(f"{expression[:40]} ...", "the line is too long", because)
        try:
            without_words(expression, self.names)
            sides, relations = self._sides(expression)
            if relations and not sides[0]:
                if len(relations) > 1:
                    raise one_relation(relations)
                return self._next(sides[1], relations[0], because, given, expression.strip())
        except LineError as problem:
            return self.invalid(expression, problem.pointing_at(expression), because)
        if relations:
            return self._statement(expression, sides, relations, because, given)
        return self._next(expression, "==" if relation == "=" else relation, because, given)

    def _sides(self, typed: str) -> Sides:
        """The sides of a line; of `p in (0, 1)`, which is no equation but says one, as read."""
        found = split(typed)
        if found.relations:
            return found
        try:
            says = parse(typed, self.names).op == "compare"
        except LineError:  # the verdict says what is wrong with it
            return found
        return reading_of(typed, self.names) if says else found

    def _next(
        self,
        expression: str,
        relation: str,
        because: str,
        given: Sequence[str] | str,
        typed: str = "",
    ) -> Derivation:
        if self._previous is None:
            return self.start(expression, because)
        asked = self._request(self._previous, expression, relation, given)
        sign = "=" if relation == "==" else relation
        formula = f"{relation_sign(relation)} {self._latex(expression)}"
        self._add(expression, f"{sign} ", because, asked, formula, given, typed)
        return self

    def invalid(self, typed: str, reason: str, because: str = "") -> Derivation:
        """A line that cannot be read, and why not."""
        judged = Verdict(Status.INVALID, reason)
        formula = self._latex(typed)
        self._lines.append(Line(typed.strip(), formula, because, judged))
        self._unread = self._previous is not None
        return self

    def start(self, expression: str, because: str = "") -> Derivation:
        """A new chain that starts from `expression`."""
        asked = self._request(expression, expression)
        judged = verdict_on(asked)
        shown = judged if judged.status in _SHOWN_AT_A_START else None
        self._lines.append(Line(expression, self._latex(expression), because, shown, (asked,)))
        self._previous = None if judged.status == Status.INVALID else expression
        self._unread = False
        return self

    def differentiate(
        self, variable: str, expression: str, because: str = "", *, typed: str = ""
    ) -> Derivation:
        """The next line is the derivative of the line before ("w", "z[k]", or "w,w")."""
        parts = _split_names(variable)
        order, raised = (len(parts), f"^{{{len(parts)}}}") if len(parts) > 1 else ("", "")
        below = r"\,".join(rf"\partial {self._latex(part)}" for part in parts)
        sign = f"d{order}/{''.join(f'd{part}' for part in parts)}: "
        formula = rf"\frac{{\partial{raised}}}{{{below}}}"
        return self._changed(
            self._previous or "", sign, formula, expression, because, typed, variable
        )

    def substitute(
        self, values: Mapping[str, str], expression: str, because: str = "", *, typed: str = ""
    ) -> Derivation:
        """The next line is the line before with the symbols replaced, all at once."""
        pairs = ", ".join(f"{name}: {value}" for name, value in values.items())
        before = f"subs({self._before()}, {{{pairs}}})"
        told = ", ".join(f"{name} = {value}" for name, value in values.items())
        shown = r",\; ".join(f"{name_latex(n)} = {self._latex(v)}" for n, v in values.items())
        formula = rf"\text{{at }}{shown}"
        return self._changed(before, f"at {told}: ", formula, expression, because, typed)

    def expect(
        self,
        variable: str,
        distribution: Mapping[str, str],
        expression: str,
        because: str = "",
        *,
        typed: str = "",
    ) -> Derivation:
        """The next line is the expectation of the line before; `distribution` maps the values
        of `variable` to their probabilities: {"0": "1 - p", "1": "p"}."""
        pairs = ", ".join(f"{value}: {chance}" for value, chance in distribution.items())
        before = f"E({self._before()}, {variable}, {{{pairs}}})"
        formula = rf"\mathbb{{E}}_{{{name_latex(variable)}}}"
        sign = f"E over {variable} {{{pairs}}}: "
        return self._changed(before, sign, formula, expression, because, typed)

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
        asked = self._request(lhs, rhs, relation, given, derivative)
        left = lhs if derivative is None else f"diff({lhs}, {derivative})"
        sign = "=" if relation == "==" else relation
        formula = f"{self._latex(left)} {relation_sign(relation)} {self._latex(rhs)}"
        text, formula = self._supposing(f"{left} {sign} {rhs}", formula, given)
        return self._alone(text, formula, because, (asked,))

    def new_chain(self) -> Derivation:
        """The next line starts a new chain."""
        self._previous = None
        return self

    def given(self, *conditions: str) -> Derivation:
        """Hypotheses that hold from here on."""
        self._settings.given += list(conditions)
        return self

    def let(self, **abbreviations: str) -> Derivation:
        """Abbreviations that may be used from here on: let(z="dot(w, x)")."""
        self._settings.where.update(abbreviations)
        return self

    # how lines are judged

    def _request(
        self,
        lhs: str,
        rhs: str,
        relation: str = "==",
        given: Sequence[str] | str = (),
        derivative: str | None = None,
    ) -> Request:
        """A step under the settings of the present moment; not a text: an empty line, INVALID."""
        settings = self._settings
        return to_request(
            lhs,
            rhs,
            settings.symbols,
            relation,
            [*settings.given, *_as_list(given)],
            derivative,
            settings.where,
            settings.sizes,
        )

    def _latex(self, expression: str) -> str:
        return latex(expression, self.names)

    def _supposing(self, text: str, formula: str, given: Sequence[str] | str) -> tuple[str, str]:
        """A line as text and as LaTeX, with the hypotheses of this line behind it."""
        supposed = _as_list(given)
        if not supposed:
            return text, formula
        shown = r",\; ".join(map(latex, supposed))
        return f"{text}   if {' and '.join(supposed)}", rf"{formula}\quad\text{{if }} {shown}"

    def _before(self) -> str:
        """The line before, to be put inside a function."""
        return as_read(self._previous or "", self.names)

    def _add(
        self,
        expression: str,
        sign: str,
        because: str,
        asked: Request,
        formula: str,
        given: Sequence[str] | str = (),
        typed: str = "",
    ) -> None:
        judged = verdict_on(asked)
        if self._unread and judged.status == Status.REFUTED:
            judged = Verdict(Status.UNDECIDED, UNREAD)
        text, formula = self._supposing(typed or f"{sign}{expression}", formula, given)
        self._lines.append(Line(text, formula, because, judged, (asked,)))
        self._unread = judged.status == Status.INVALID
        if not self._unread:
            self._previous = expression

    def _changed(
        self,
        before: str,
        sign: str,
        formula: str,
        expression: str,
        because: str,
        typed: str,
        by: str | None = None,
    ) -> Derivation:
        """The next line is another function than the line before, made of it."""
        if self._previous is None:
            return self.invalid(expression, "no line before this one could be read", because)
        asked = self._request(before, expression, derivative=by)
        shown = rf"{formula}\colon\quad {self._latex(expression)}"
        self._add(expression, sign, because, asked, shown, typed=typed)
        return self

    def _statement(
        self,
        typed: str,
        parts: list[str],
        relations: list[str],
        because: str,
        given: Sequence[str] | str,
    ) -> Derivation:
        """A whole equation, or a chain of them, that stands for itself."""
        links = [*zip(parts, parts[1:], relations, strict=False)]
        asked = tuple(replace(self._request(*link, given), whole=True) for link in links)
        more = (f" {relation_sign(relation)} {self._latex(part)}" for _, part, relation in links)
        formula = self._latex(parts[0]) + "".join(more)
        text, formula = self._supposing(typed.strip(), formula, given)
        return self._alone(text, formula, because, asked)

    def _alone(
        self, text: str, formula: str, because: str, asked: tuple[Request, ...]
    ) -> Derivation:
        """A line that stands for itself."""
        judged = min(map(verdict_on, asked), key=lambda one: _WORST_FIRST.index(one.status))
        self._lines.append(Line(text, formula, because, judged, asked))
        self._previous = None
        return self

    # what came out

    @property
    def names(self) -> frozenset[str]:
        """The declared names, those of abbreviations among them."""
        return self._settings.names

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines with what was found out about them."""
        return tuple(self._lines)

    @property
    def verdicts(self) -> tuple[Verdict | None, ...]:
        """The verdicts, line by line."""
        return tuple(line.verdict for line in self._lines)

    @property
    def holds(self) -> bool:
        """True when nothing speaks against any line."""
        return all(verdict is None or verdict.holds for verdict in self.verdicts)

    @property
    def opinions(self) -> tuple[Opinion | None, ...]:
        """What SymPy, the second judge, says line by line; asked once, when it is first wanted."""
        for k, line in enumerate(self._lines):
            found = line.verdict
            judged = found and found.status is not Status.INVALID and found.reason != UNREAD
            if judged and k not in self._opinions:
                self._opinions[k] = worst(map(opinion_on, line.asked))
        return tuple(self._opinions.get(k) for k in range(len(self._lines)))

    def sympy(self, line: int | str, sizes: Mapping[str, int] | None = None) -> Any:
        """Both sides of line k as SymPy expressions; or any text of the language as one.

            left, right = d.sympy(2)
            sympy.simplify(left - right)
            w = d.sympy("w")

        The left side is the line before (differentiated, if line k says so); of a line that starts
        a chain both sides are the same. Symbolic sizes are 2, a second one 3, unless `sizes` says;
        where an index must be a number, labels, signs and indices have their first values.
        """
        if isinstance(line, str):
            return sides(self._request(line, line), sizes).left
        if not self._numbered(line).asked:
            raise ValueError(f"line {line} could not be read, so SymPy cannot have it")
        return sides(self._numbered(line).asked[0], sizes)

    def reason(self, line: int) -> str:
        """Why line k is true, in at most two lines; or what speaks against it.

        print(d.reason(2))
        """
        found = self._numbered(line).verdict
        return found.reason if found else ""

    def _numbered(self, line: int) -> Line:
        if not 1 <= line <= len(self._lines):
            raise ValueError(f"line is a number from 1 to {len(self._lines)}, found {line}")
        return self._lines[line - 1]

    def __repr__(self) -> str:
        return self.text()

    def text(self) -> str:
        """The derivation as plain text: number, line, reason, verdicts."""
        return as_text(self._settings, self.title, self._shown())

    def _repr_markdown_(self) -> str:
        return as_markdown(self._settings, self.title, self._shown())

    def _shown(self) -> list[Shown]:
        both = zip(self._lines, self.opinions, strict=True)
        return [Shown(line, opinion, self.sympy_first) for line, opinion in both]


def _as_list(given: Sequence[str] | str) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _split_names(variable: str) -> list[str]:
    return [part.strip() for part in re.split(r",(?![^\[]*\])", variable)]
