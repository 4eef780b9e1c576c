"""2x, w^T w, log p: products without a sign, and functions and exponents without brackets.

Read is what everybody reads in one way. Where a teacher would have to ask, the line is refused
with both readings: `log 2x` is log(2)*x or log(2*x), `1/2x` is (1/2)*x or 1/(2*x).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from linecheck.language.placed import Made, Placed
from linecheck.language.terms import LineError

_KEYWORDS = {"and", "or", "not", "if", "else", "for", "in", "is", "given", "let", "iff", "implies"}
_TOKEN = re.compile(
    r"(?P<space>\s*)(?P<token>(?P<number>\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)"
    r"|(?P<name>[^\W\d]\w*)|\*\*|[=<>!:]=|.)",
    re.S,
)
_OF_ALL_THAT_FOLLOWS = ("sum", "prod", "mean", "max", "min")  # sum x + y
_BARE = ("I", "E", "T")  # names as often as functions


def products(line: Placed, is_function: Callable[[str], bool], known: frozenset[str]) -> Placed:
    """The line with its products and brackets put in; LineError where there are two readings."""
    return _Products(line, is_function, known).read()


class _Products:
    def __init__(
        self, line: Placed, is_function: Callable[[str], bool], known: frozenset[str]
    ) -> None:
        self.line = line
        self.is_function = is_function
        self.known = known
        self.tokens = list(_TOKEN.finditer(line.text.rstrip()))
        self.made = Made(line)
        self.closing: list[int] = []  # before which tokens a bracket that was put in is closed

    # what stands at a place

    def text(self, k: int) -> str:
        return self.tokens[k]["token"] if 0 <= k < len(self.tokens) else ""

    def starts(self, k: int) -> bool:
        """Whether a number or a name stands there."""
        if not 0 <= k < len(self.tokens) or self.text(k) in _KEYWORDS:
            return False
        return bool(self.tokens[k]["name"] or self.tokens[k]["number"])

    def function(self, k: int) -> bool:
        """Whether the name of a function stands there, before what it is of."""
        text = self.text(k)
        if not self.is_function(text) or text in self.known or self.text(k - 1) == ".":
            return False
        return text not in _BARE or self.text(k + 1) == "("

    def letters(self, k: int) -> bool:
        """Whether a name there can only be a product of declared letters."""
        text = self.text(k)
        one = len(text) == 1 or text in ("pi", "inf", *self.known) or self.is_function(text)
        return self.starts(k) and not one and all(letter in self.known for letter in text)

    def closed(self, k: int) -> int:
        """The place after the bracket that opens at k."""
        depth = 0
        for j in range(k, len(self.tokens)):
            depth += (self.text(j) in ("(", "[", "{")) - (self.text(j) in (")", "]", "}"))
            if depth == 0:
                return j + 1
        return len(self.tokens)

    def operand(self, k: int) -> int:
        """The place after the operand that begins at k; k itself where none begins."""
        if self.text(k) in ("(", "["):
            end = self.closed(k)
        elif not self.starts(k):
            return k
        elif self.function(k) and self.text(k + 1) != "(":
            return max(self.operand(k + 1), k + 1)
        else:
            end = self.closed(k + 1) if self.function(k) else k + 1
        while True:
            if self.text(end) == "[":
                end = self.closed(end)
            elif self.text(end) == "." and self.starts(end + 1):
                end = self.closed(end + 2) if self.text(end + 2) == "(" else end + 2
            else:
                return end

    def factors(self, k: int) -> int:
        """The place after all factors with their powers that stand side by side from k."""
        end = self.operand(k)
        while end > k:
            if self.text(end) == "**":
                end = self.exponent(end)
            k, end = end, self.operand(end)
        return end

    def exponent(self, k: int) -> int:
        """The place after the exponent of the power sign at k, towers included."""
        k += 1
        while self.text(k) in ("+", "-"):
            k += 1
        end = self.operand(k)
        return self.exponent(end) if self.text(end) == "**" and end > k else end

    def typed(self, begin: int, end: int) -> str:
        """What was typed for the tokens from begin up to end."""
        if begin >= end:
            return ""
        return self.line.source(self.tokens[begin].start("token"), self.tokens[end - 1].end())

    def two_readings(self, begin: int, end: int, first: str, second: str) -> LineError:
        told = f"`{self.typed(begin, end)}` can mean two things: write `{first}` or `{second}`"
        return self.line.error(told, self.tokens[begin].start("token"))

    # the walk through the line

    def read(self) -> Placed:
        last = ""  # the operand on the left
        before = ""  # the operator before it
        begin, divided = 0, -1  # where this product begins; where its last / stands
        outside: list[tuple[str, int, int]] = []
        past_exponent = 0
        for k, found in enumerate(self.tokens):
            last = self.close(k) or last
            token = found["token"]
            if last and self.beside(k, last, before):
                if divided >= 0:
                    raise self.divided(begin, divided, k)
                self.made.put("*" if last[:1].isdigit() else " @ ", found.start("token"))
                before = "*"
            else:
                self.made.copy(found.start(), found.start("token"))
            self.made.copy(found.start("token"), found.end())
            if self.function(k) and self.text(k + 1) != "(":
                if self.operand(k + 1) > k + 1:
                    self.apply(k)
                last, before = "", "("  # what it is of comes next
                continue
            if token in ("(", "[", "{"):
                outside.append((before, begin, divided))
                last, before, begin, divided = "", "", k + 1, -1
            elif token in (")", "]", "}"):
                before, begin, divided = outside.pop() if outside else ("", 0, -1)
                last = token
            elif self.starts(k):
                if self.letters(k) and divided == k - 1 >= 0:
                    raise self.split(begin, divided, k)
                last = token
            elif token != ".":
                if token == "**" and k >= past_exponent:
                    past_exponent = self.power(k)
                last, before = "", token
                divided = k if token == "/" else divided if token == "**" else -1
                if token not in ("*", "@", "/", "**"):
                    begin = k + 1
            else:
                last = ""
        self.close(len(self.tokens))
        self.made.copy(len(self.line.text.rstrip()), len(self.line.text))
        return self.made.placed()

    def close(self, k: int) -> str:
        """The brackets that end before k."""
        closed = ""
        while self.closing and self.closing[-1] == k:
            self.closing.pop()
            end = self.tokens[k - 1].end()
            self.made.put(")", end - 1, end)
            closed = ")"
        return closed

    def beside(self, k: int, last: str, before: str) -> bool:
        """Whether the operand at k and the one before it are a product without a sign."""
        found, token = self.tokens[k], self.text(k)
        if token == "(":
            if self.function(k - 1):
                return False
            plain = last[:1].isdigit() or last in (")", "]", "}") or last in self.known
            one = plain or len(last) == 1 or before == "**" or bool(found["space"])
            return one and (not last[:1].isalpha() or not self.has_comma(k))
        if not self.starts(k) or self.text(k - 1) == ".":
            return False
        if token in ("j", "J") and not found["space"] and last[:1].isdigit():
            return False  # an imaginary number
        return not (found["number"] and last != ")")

    def has_comma(self, k: int) -> bool:
        """Whether a comma stands in the bracket that opens at k, outside inner brackets."""
        j, end = k + 1, self.closed(k)
        while j < end:
            if self.text(j) == ",":
                return True
            j = self.closed(j) if self.text(j) in ("(", "[", "{") else j + 1
        return False

    # where there may be two readings

    def divided(self, begin: int, slash: int, k: int) -> LineError:
        """a/b c"""
        over, below = self.typed(begin, slash), self.typed(slash + 1, k)
        end = self.factors(k)
        rest = self.typed(k, end)
        found = self.two_readings(
            begin, end, f"({over}/{below})*{rest}", f"{over}/({below}*{rest})"
        )
        return self.line.error(found.message, self.tokens[k].start("token"))

    def split(self, begin: int, slash: int, k: int) -> LineError:
        """a/bc, where b and c are declared."""
        over, (first, rest) = self.typed(begin, slash), (self.text(k)[:1], self.text(k)[1:])
        return self.two_readings(
            begin, k + 1, f"({over}/{first})*{rest}", f"{over}/({first}*{rest})"
        )

    def apply(self, k: int) -> None:
        """A function without brackets: log p. Its operand gets them."""
        name, end = self.typed(k, k + 1), self.operand(k + 1)
        of = self.typed(k + 1, end)
        follows = self.text(end)
        sign, rest = "", end
        if self.letters(k + 1) and end == k + 2:
            first, more = of[:1], of[1:]
            raise self.two_readings(k, end, f"{name}({first})*{more}", f"{name}({first}*{more})")
        if follows in ("**", "*", "@", "/") or (
            follows in ("+", "-") and self.text(k) in _OF_ALL_THAT_FOLLOWS
        ):
            sign, rest = self.typed(end, end + 1), end + 1
        elif not (self.starts(end) or follows == "("):
            rest = -1
        if rest >= 0 and not (self.function(rest) and follows not in ("**", "+", "-")):
            stop = self.exponent(end) if follows == "**" else self.factors(rest)
            more = self.typed(rest, stop)
            if follows == "**" and not sign.endswith(("*", "^")):
                sign, more = self.typed(end, stop), ""  # a superscript
            sign = sign or "*"
            space = " " if sign in ("+", "-") else ""
            joined = f"{space}{sign}{space}{more}"
            raise self.two_readings(k, stop, f"{name}({of}){joined}", f"{name}({of}{joined})")
        self.made.put("(", self.tokens[k].start("token"))
        self.closing.append(end)

    def power(self, k: int) -> int:
        """A power: where its exponent ends. Without brackets it may seem to go on."""
        first = k + 1
        while self.text(first) in ("+", "-"):
            first += 1
        end = self.exponent(k)
        base, bare = self.text(k - 1), self.starts(first)
        if not bare or end <= first:
            return end
        number = bool(self.tokens[first]["number"])
        growing = base[:1].isdigit() or (base == "e" and "e" not in self.known)
        sign, upper = self.typed(k, k + 1), self.typed(k + 1, end)
        if self.letters(first) and end == first + 1:
            one, more = upper[:-1], upper[-1]
            raise self.two_readings(
                k - 1, end, f"{base}{sign}({one})*{more}", f"{base}{sign}({one}*{more})"
            )
        follows = self.text(end)
        if self.starts(end) or (follows == "(" and not self.function(first)):
            clear = (number and not growing) or self.powers_in_a_row(k, first, end)
            between, rest = "*", end
        elif follows == "@" and self.typed(end, end + 1) != "@":
            clear, between, rest = number and not growing, self.typed(end, end + 1), end + 1
        elif follows == "/":
            after = self.operand(end + 1)
            plain = self.starts(end + 1) and not self.function(end + 1)
            exponential = growing and not (number and base != "e")
            doubtful = exponential or first > k + 1 or upper == "1"
            clear = not (plain and doubtful) or self.text(after) == "**"
            between, rest = "/", end + 1
        else:
            return end
        if clear:
            return end
        stop = self.operand(rest) if follows == "/" else self.factors(rest)
        more = self.typed(rest, stop)
        left = k - 1 if self.starts(k - 1) else k
        shown = self.typed(left, k)
        raise self.two_readings(
            left,
            stop,
            f"{shown}{sign}({upper}){between}{more}",
            f"{shown}{sign}({upper}{between}{more})",
        )

    def powers_in_a_row(self, k: int, first: int, end: int) -> bool:
        """p^y (1 - p)^(1 - y), e^a e^b: a name as exponent, and then another such power."""
        after = self.operand(end)
        if first > k + 1 or end > first + 1 or self.text(after) != "**":
            return False
        base = self.text(k - 1)
        if base == "e" or base[:1].isdigit():
            return self.text(end) == base and after == end + 1
        return not self.text(after + 1)[:1].isdigit()
