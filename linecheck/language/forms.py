"""The form in which two lines are compared as written: is one line the other one again?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace as changed
from fractions import Fraction
from typing import Any

from linecheck.language.domains import Declared, declare
from linecheck.language.parser import parse
from linecheck.language.shapes import Shapes
from linecheck.language.terms import Term, name, number, replace, split_bind

Form = tuple[Any, ...]  # a sum: (terms), each (number, factors, product of arrays)
_SORTED = ("max", "min", "and", "or")
_DEFINED = {  # other names of the same
    "softplus": "log(1 + exp(a))", "logit": "log(a/(1 - a))", "sqrt": "a**(1/2)",
    "relu": "max(a, 0)", "sigma": "1/(1 + exp(-a))", "inv": "a**-1",
}  # fmt: skip
_FLIPPED = {">": "<", ">=": "<="}


def compared_form(line: str, symbols: Mapping[str, str] | None = None) -> Form:
    """A line as it is compared with another one; LineError where it cannot be read.

    Numbers are evaluated, sums and products sorted and flattened, and what wraps nothing is taken
    off: all of these are the line `x`.

    >>> x = compared_form("x")
    >>> same = ["1*x", "x + 0", "2*x/2", "-(-x)", "exp(log(x))", "max(x, x)", "x + log(1)",
    ...         "sum(x, i, 1, 1)", "det([[x]])", "x**1 + 0*y", "log(exp(x))"]
    >>> [one for one in same if compared_form(one) != x]
    []

    Other names of a function are the function: sigma(z) is 1/(1 + exp(-z)), and log(sigma(z)) is
    -log(1 + exp(-z)). Nothing is multiplied out, collected or cancelled between terms, and no
    identity is applied.

    >>> compared_form("sigma(z)") == compared_form("1/(e**(-z) + 1)")
    True
    >>> compared_form("(a + b)*c") == compared_form("a*c + b*c")
    False
    >>> compared_form("x + y - y") == x
    False
    >>> compared_form("1 - sigma(z)") == compared_form("sigma(-z)")
    False

    With `symbols` (name -> domain, as in `verdict`) the products of numbers and of vectors are put
    in order, and those of matrices are not.

    >>> domains = {"A B": "matrix 2", "v w": "vector 2", "c": "real"}
    >>> [compared_form(a, domains) == compared_form(b, domains)
    ...  for a, b in (("v @ w", "dot(w, v)"), ("c*A @ B", "A @ B*c"), ("A @ B", "B @ A"))]
    [True, True, False]
    """
    declared = declare(symbols or {})
    return _Reader(declared).form(parse(line, frozenset(declared)))


class _Product:
    """A number, factors in any order with their exponents, and arrays in theirs."""

    def __init__(self) -> None:
        self.number = Fraction(1)
        self.factors: list[tuple[Form, Form]] = []
        self.arrays: list[Form] = []

    def times(self, base: Form, exponent: Form) -> None:
        """x*x is x**2, and x/x stays: it is undefined at 0."""
        whole = _value(exponent)
        for k, (one, other) in enumerate(self.factors):
            known = _value(other)
            alike = one == base and known and whole and (known > 0) == (whole > 0)
            if alike and known and whole and known.denominator == whole.denominator == 1:
                self.factors[k] = (one, _constant(known + whole))
                return
        self.factors.append((base, exponent))

    def key(self) -> tuple[Fraction, Form, Form]:
        return self.number, tuple(sorted(self.factors, key=repr)), tuple(self.arrays)


class _Reader(Shapes):
    def __init__(self, declared: Mapping[str, Declared]) -> None:
        super().__init__(declared)
        self.depth = 0

    def form(self, term: Term) -> Form:
        """A sum of products, sorted."""
        terms: list[tuple[Fraction, Form, Form]] = []
        self.collect(term, 1, terms)
        kept = [(times, *rest) for times, *rest in terms if times and any(rest)]
        constant = sum((times for times, *rest in terms if not any(rest)), Fraction(0))
        return _sorted([*kept, *_constant(constant)])

    def collect(self, term: Term, sign: int, terms: list[tuple[Fraction, Form, Form]]) -> None:
        if term.op in ("+", "-"):
            self.collect(term.args[0], sign, terms)
            self.collect(term.args[1], sign if term.op == "+" else -sign, terms)
        elif term.op == "neg":
            self.collect(term.args[0], -sign, terms)
        elif term != number(0):
            product = _Product()
            self.multiply(term, 1, product)
            times, factors, arrays = product.key()
            one_sum = not arrays and len(factors) == 1 and factors[0][1] == ONE
            inside = factors[0][0] if one_sum and abs(times) == 1 else ()
            if inside and not isinstance(inside[0], str):  # -(a - b) is b - a
                terms += [(sign * times * c, f, m) for c, f, m in inside]
            else:
                terms.append((sign * times, factors, arrays))

    def multiply(self, term: Term, power: int, product: _Product) -> None:
        """The factors of a term, and those below its fraction bars."""
        op, args = term.op, term.args
        if op == "neg":
            product.number = -product.number
            self.multiply(args[0], power, product)
        elif op == "/":
            self.multiply(args[0], power, product)
            self.multiply(args[1], -power, product)
        elif op == "*" or (op == "call" and term.name == "hadamard"):
            if self.dimensions(args[0]) == 2 and self.dimensions(args[1]) == 2:
                self.in_order(term, product)
            else:
                for part in args:
                    self.multiply(part, power, product)
        elif op == "@" or (op == "call" and term.name == "dot"):
            if 0 in map(self.dimensions, args):
                for part in args:
                    self.multiply(part, power, product)
            elif power > 0:
                self.in_order(term, product)
            else:
                self.factor(self.form(term), Fraction(power), product)
        elif op == "**":
            self.power(term, power, product)
        else:
            self.factor(self.atom(term), Fraction(power), product)

    def in_order(self, term: Term, product: _Product) -> None:
        """A product of arrays; that of two vectors is the same in any order."""
        arrays: list[Form] = []
        waiting = [term]
        while waiting:
            part = waiting.pop(0)
            inner = part.op in ("@", "*") or (part.op == "call" and part.name == "dot")
            if inner and 0 not in map(self.dimensions, part.args):
                waiting = [*part.args, *waiting]
                continue
            if part.op == "neg":
                product.number = -product.number
                waiting = [part.args[0], *waiting]
            elif part.op in ("*", "/", "@") and 0 in map(self.dimensions, part.args):
                first, second = part.args  # c*A is a number times A
                if self.dimensions(second) != 0:
                    first, second = second, first
                self.multiply(second, -1 if part.op == "/" else 1, product)
                waiting = [first, *waiting]
            else:
                one = self.form(part)
                if one and one[0][0] < 0:
                    one = _negative(one)
                    product.number = -product.number
                arrays.append(one)
        if all(self.dimensions(part) == 1 for part in term.args):
            arrays.sort(key=repr)
        name_ = "@" if not product.arrays else "*"
        product.arrays.append((name_, *arrays))

    def power(self, term: Term, power: int, product: _Product) -> None:
        base, exponent = term.args
        if base == name("e") and "e" not in self.declared:
            return self.multiply(Term("call", (exponent,), "exp"), power, product)
        raised = self.form(exponent)
        value = _value(raised)
        if value is None:
            turned = raised if power > 0 else self.form(Term("neg", (exponent,)))
            inside = self.form(base)
            if inside != ONE:
                product.times(inside, turned)
            return None
        return self.factor(self.form(base), value * power, product)

    def factor(self, base: Form, power: Fraction, product: _Product) -> None:
        """A base with a number as its exponent."""
        value = _value(base)
        if base == ONE or not power:
            return
        if value is not None and (value or power > 0):
            folded = _folded(value, power)
            if folded is not None:
                product.number *= folded
                return
        lone = _lone(base)
        if lone is not None:
            product.times(lone, _constant(power))
        elif len(base) == 1 and abs(power) == 1 and not base[0][2]:
            times, factors, _ = base[0]
            product.number *= times ** int(power)
            for one, exponent in factors:
                known = _value(exponent)
                if power > 0 or known is not None:
                    product.times(one, exponent if power > 0 else _constant(-(known or 0)))
                else:
                    product.times(((Fraction(1), ((one, exponent),), ()),), _constant(power))
        elif len(base) == 1 and power == 1:
            product.number *= base[0][0]
            product.factors += base[0][1]
            product.arrays += base[0][2]
        else:
            if len(base) > 1 and power.denominator == 1 and base[0][0] < 0:  # (b - a)**2
                base = _negative(base)
                product.number *= -1 if power % 2 else 1
            product.times(base, _constant(power))

    def atom(self, term: Term) -> Form:
        """The form of what is neither a sum nor a product."""
        op, args = term.op, term.args
        if op == "number":
            return _constant(term.value)
        if op in ("+", "-"):
            return self.form(term)
        if op == "call":
            return self.call(term)
        if op == "bind" and len(args) > 1:
            return self.bound(term)
        if op == "compare" and " " not in term.name:
            sides = [self.form(part) for part in args]
            if term.name in _FLIPPED:
                sides.reverse()
            if term.name in ("==", "!="):
                sides.sort(key=repr)
            return _single((op, _FLIPPED.get(term.name, term.name), *sides))
        if op in _SORTED:
            return self.any_order(op, term)
        return _single((op, term.name, *(self.form(part) for part in args)))

    def any_order(self, named: str, term: Term) -> Form:
        """max, min, and, or: sorted, flattened, each argument once."""
        parts: dict[Form, None] = {}
        for part in term.args:
            one = self.form(part)
            inner = _lone(one)
            same = inner is not None and inner[:1] == (named,)
            parts.update(dict.fromkeys(inner[1:] if same and inner else (one,)))
        found = sorted(parts, key=repr)
        values = [_value(one) for one in found]
        if named in ("max", "min") and len(term.args) == 1:
            return _single((f"{named} of", *found))
        if len(found) == 1:
            return found[0]
        if None not in values and named in ("max", "min"):
            choose: Callable[..., Any] = max if named == "max" else min
            return _constant(choose(values))
        return _single((named, *found))

    def call(self, term: Term) -> Form:
        called, args = term.name, term.args
        if called in _DEFINED and len(args) == 1:
            return self.form(replace(parse(_DEFINED[called]), {"a": args[0]}))
        if called in _SORTED:
            return self.any_order(called, term)
        first = args[0]
        if called in ("det", "trace") and self.is_single(first):
            one = first.args[0].args[0] if first.op == "list" else _entry(first)
            return self.form(one)
        if called == "transpose":
            twice = first.op == "call" and first.name == "transpose"
            if twice or self.dimensions(first) in (0, 1):
                return self.form(first.args[0] if twice else first)
        inside = self.form(first)
        inner, value = _lone(inside), _value(inside)
        inverse = {"log": "exp", "exp": "log"}.get(called)
        if inverse and inner is not None and inner[:2] == ("call", inverse):
            return inner[2]  # type: ignore[no-any-return]
        if called == "log" and len(inside) == 1 and inside[0][0] == 1 and not inside[0][2]:
            below = [base for base, exponent in inside[0][1] if exponent == _constant(-1)]
            if len(below) == len(inside[0][1]) == 1 and self.is_one_and_power(below[0]):
                log = ("call", "log", below[0])  # log(sigma(z))
                return ((Fraction(-1), ((log, ONE),), ()),)
        if called == "exp" and value == 0:
            return ONE
        if called == "log" and value == 1:
            return ()
        if called == "abs" and value is not None:
            return _constant(abs(value))
        forms = [inside, *(self.form(part) for part in args[1:])]
        return _single(("call", called, *forms))

    @staticmethod
    def is_one_and_power(form: Form) -> bool:
        """Whether a form is 1 + exp(...)."""
        rest = [one for one in form if one != ONE[0]]
        alone = _lone(tuple(rest)) if len(form) == 2 and len(rest) == 1 else None
        return alone is not None and alone[:2] == ("call", "exp")

    def bound(self, term: Term) -> Form:
        """A sum over an index, whose name does not matter."""
        kind, index = split_bind(term)
        body, first, last, *condition = term.args
        begin, end = self.form(first), self.form(last)
        if begin == end and not condition:
            return self.form(replace(body, {index: first}))
        self.depth += 1
        own = {index: name(f"index {self.depth}")}
        parts = [self.form(replace(part, own)) for part in (body, *condition)]
        self.depth -= 1
        return _single(("bind", kind, begin, end, *parts))

    def is_single(self, term: Term) -> bool:
        """Whether a term is a matrix with one entry."""
        if term.op == "list":
            return len(term.args) == 1 and term.args[0].op == "list" and len(term.args[0].args) == 1
        domain = self.declared.get(term.name) if term.op == "name" else None
        return domain is not None and domain.shape == (1, 1)

    def dimensions(self, term: Term) -> int | None:
        """0 for a number, 1 for a vector, 2 for a matrix, None where that cannot be told."""
        shape = self.shape(term)
        return None if shape is None else len(shape)


def _negative(form: Form) -> Form:
    return tuple((-times, *rest) for times, *rest in form)


def _sorted(terms: Iterable[Form]) -> Form:
    """By what stands beside the number, so that a sum and its negative have one order."""
    return tuple(sorted(terms, key=lambda one: repr((one[1:], one[0]))))


ONE: Form = ((Fraction(1), (), ()),)


def _constant(value: Fraction | int) -> Form:
    return ((Fraction(value), (), ()),) if value else ()


def _value(form: Form) -> Fraction | None:
    """The number that a form is."""
    if not form:
        return Fraction(0)
    times, factors, arrays = form[0]
    return times if len(form) == 1 and not factors and not arrays else None


def _single(atom: Form) -> Form:
    return ((Fraction(1), ((atom, ONE),), ()),)


def _lone(form: Form) -> Form | None:
    """The one atom that a form consists of."""
    if len(form) != 1 or form[0][0] != 1 or form[0][2] or len(form[0][1]) != 1:
        return None
    base, exponent = form[0][1][0]
    return base if exponent == ONE and base and isinstance(base[0], str) else None


def _folded(value: Fraction, power: Fraction) -> Fraction | None:
    """A power of a number, where it is a fraction."""
    if power.denominator == 1:
        return value ** int(power) if abs(power) <= 64 else None
    if power.denominator == 2 and value >= 0:
        root = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
        return root**power.numerator if root * root == value and (root or power > 0) else None
    return None


def _entry(term: Term) -> Term:
    """The entry of a matrix with one."""
    return changed(term, op="index", name="", args=(term, number(1), number(1)))
