"""From a typed line to a term: Python's grammar read against a whitelist, nothing evaluated."""

from __future__ import annotations

import ast
import dataclasses
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from linecheck.language.notation import as_written
from linecheck.language.placed import Placed
from linecheck.language.terms import LineError, Term, name, number, replace

LONGEST_LINE = 4000  # characters
DEEPEST = 100  # nested brackets or operators
LARGEST_POWER_OF_TEN = 400  # in a decimal such as 1e-12
MOST_DIGITS = 200

RELATIONS = ("==", "<=", ">=", "!=", "<", ">")

_INSTEAD = {"⁻": "**-", "Σ": "sum( )", "∑": "sum( )", "′": "diff( )", "’": "diff( )"}

_BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@",
}  # fmt: skip
_REFUSED_OPERATORS = {
    ast.BitAnd: "write `and` between conditions",
    ast.Mod: "% is not in the language",
    ast.FloorDiv: "// is not in the language; write /",
    ast.LShift: "<< is not in the language",
    ast.RShift: ">> is not in the language",
}
_COMPARE = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_REFUSED_NODES = {
    ast.Lambda: "functions cannot be made here",
    ast.NamedExpr: "names cannot be given inside a line; use where= or let",
    ast.ListComp: "comprehensions stand inside sum( ) only; write sum(term, i, 1, n)",
    ast.SetComp: "comprehensions are not in the language",
    ast.DictComp: "comprehensions are not in the language",
    ast.JoinedStr: "texts are not in the language",
    ast.IfExp: "`if` is not in the language; write indicator(condition)*a + indicator(not ...)*b",
    ast.Await: "`await` is not in the language",
    ast.Yield: "`yield` is not in the language",
    ast.YieldFrom: "`yield` is not in the language",
    ast.Starred: "* in front of a term is not in the language",
    ast.Set: "sets are not in the language",
    ast.Slice: "slices are not in the language; X[i] is row i, col(X, j) column j",
}
_SAME_FUNCTION = {
    "ln": "log", "sigmoid": "sigma", "logistic": "sigma", "expit": "sigma", "tr": "trace",
    "inverse": "inv", "T": "transpose", "Transpose": "transpose", "I": "indicator",
    "Indicator": "indicator", "identity": "eye", "Sum": "sum", "Product": "prod",
    "product": "prod", "Max": "max", "Min": "min", "Abs": "abs", "sgn": "sign", "Sigma": "sigma",
    "determinant": "det", "Det": "det", "Trace": "trace", "Inverse": "inv", "average": "mean",
    "log1pexp": "softplus", "expectation": "E", "derivative": "diff", "gradient": "diff",
    "grad": "diff", "comb": "binomial", "normcdf": "Phi", "normpdf": "phi",
    "Phi_inverse": "Phi_inv",
    "kronecker": "delta", "inner": "dot", "Hessian": "hessian", "column": "col", "one": "ones",
    "maximum": "max", "minimum": "min", "absolute": "abs", "fabs": "abs", "matmul": "dot",
    "var": "Var", "variance": "Var", "cov": "Cov", "covariance": "Cov", "pow": "power",
}  # fmt: skip
_BINDING = ("sum", "prod", "max", "min")
_OF_ONE = (
    "exp log sqrt sigma tanh abs sign Phi phi Phi_inv logit softplus relu factorial indicator norm"
    " sum prod mean transpose inv det trace diag eye softmax logsumexp matrix len"
)
_OF_TWO = "binomial delta dot outer unit hadamard col row hessian"
_FUNCTIONS = {  # name: how many arguments
    **dict.fromkeys(_OF_ONE.split(), (1, 1)), **dict.fromkeys(_OF_TWO.split(), (2, 2)),
    "max": (1, 60), "min": (1, 60), "ones": (1, 2), "zeros": (1, 2), "diff": (2, 4),
    "subs": (2, 3), "E": (3, 3), "vector": (1, 60), "hypot": (2, 60),
}  # fmt: skip
_DEFINED = {  # functions that are another way to write something else, by number of arguments
    ("log2", 1): "log(a)/log(2)", ("log10", 1): "log(a)/log(10)", ("log1p", 1): "log(1 + a)",
    ("expm1", 1): "exp(a) - 1", ("logaddexp", 2): "log(exp(a) + exp(b))", ("square", 1): "a**2",
    ("power", 2): "a**b", ("erf", 1): "2*Phi(sqrt(2)*a) - 1", ("hessian", 2): "diff(a, b, b)",
    ("Var", 1): "mean((a - mean(a))**2)", ("Var", 3): "E(a**2, b, c) - E(a, b, c)**2",
    ("Cov", 2): "mean((a - mean(a))*(b - mean(b)))",
    ("Cov", 4): "E(a*b, c, d) - E(a, c, d)*E(b, c, d)", ("logdet", 1): "log(det(a))",
}  # fmt: skip
_NORMS = {"1": "sum(abs(vector(a)))", "2": "sqrt(sum(vector(a)**2))", "inf": "max(abs(vector(a)))"}
_TYPED = {"bars": "abs", "prime": "transpose"}  # |x| and x', of what they can be
_METHODS = ("dot", "sum", "mean", "max", "min", "prod", "trace", "transpose", "var")
_NUMBER = re.compile(r"(\d[\d_]*)?(\.[\d_]*)?([eE][+-]?\d+)?")


def is_function(text: str) -> bool:
    """True when the language has a function of that name."""
    name = _SAME_FUNCTION.get(text, text)
    defined = {*_FUNCTIONS, *(name for name, _ in _DEFINED), "bars", "prime", "where", "range"}
    return name in defined


def as_read(line: str, known: frozenset[str] = frozenset()) -> str:
    """The line in the language's own notation; what cannot be brought there as it is."""
    try:
        return as_written(line, is_function, known).text
    except LineError:
        return line


def parse(line: str, known: frozenset[str] = frozenset()) -> Term:
    """The term that a line stands for, where some names are known to be those of symbols.

    Raises LineError with the place of what is wrong.
    """
    if not isinstance(line, str):
        raise LineError(f"a line is a text, found {type(line).__name__}")
    if len(line) > LONGEST_LINE:
        raise LineError(f"the line has {len(line)} characters; at most {LONGEST_LINE} are read")
    if not line.strip():
        raise LineError("the line is empty", 0)
    read = as_written(line, is_function, known)
    try:
        _check_characters(read.text)
        _check_brackets(read.text)
        lead = len(read.text) - len(read.text.lstrip())
        tree = _read(read.text.strip(), lead)
    except LineError as problem:
        raise read.error(problem.message, problem.column) from None
    return _Reader(read, known).term(tree)


def _check_characters(text: str) -> None:
    for column, character in enumerate(text):
        if " " <= character <= "~" or "Α" <= character <= "ω":
            continue
        what = unicodedata.name(character, f"U+{ord(character):04X}")
        if character in _INSTEAD:
            raise LineError(f"write {_INSTEAD[character]} for {character!r} ({what})", column)
        raise LineError(f"the character {character!r} ({what}) is not in the language", column)


def _check_brackets(text: str) -> None:
    """Depth is counted before Python's parser sees the line, which nesting can exhaust."""
    open_at: list[int] = []
    closing = {")": "(", "]": "[", "}": "{"}
    for column, character in enumerate(text):
        if character in "([{":
            open_at.append(column)
            if len(open_at) > DEEPEST:
                raise LineError(f"brackets are nested more than {DEEPEST} deep", column)
        elif character in closing:
            if not open_at or text[open_at[-1]] != closing[character]:
                raise LineError(f"this {character} closes nothing", column)
            open_at.pop()
    if open_at:
        raise LineError(f"this {text[open_at[-1]]} is never closed", open_at[-1])


def _read(text: str, lead: int) -> ast.expr:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text, mode="eval").body
    except SyntaxError as problem:
        column = lead + max(0, min((problem.offset or 1) - 1, len(text) - 1))
        raise LineError(_syntax_hint(text), column) from None
    except (ValueError, MemoryError, RecursionError, OverflowError):
        raise LineError("the line cannot be read: too deep or too long") from None


def _syntax_hint(text: str) -> str:
    if "'" in text or '"' in text:
        return "quotes are not in the language; a derivative is diff(f, x), a transpose A.T"
    if re.search(r"(?<![=<>!:])=(?!=)", text):
        return "one side only is expected here; an equation has == in it"
    if re.search(r"\d[A-Za-z(]", text):
        return "this cannot be read; a product needs a *: write 2*x"
    return "this cannot be read as a formula"


class _Reader:
    """Walks Python's tree and keeps what is on the list."""

    def __init__(self, read: Placed, known: frozenset[str]) -> None:
        self.text = read.text.strip()
        self.lead = len(read.text) - len(read.text.lstrip())
        self.ascii = self.text.isascii()
        self.read = read
        self.known = known
        self.depth = 0

    def column(self, node: ast.AST) -> int:
        """Where the part was typed."""
        offset: int = getattr(node, "col_offset", 0)
        if not self.ascii:
            offset = len(self.text.encode()[:offset].decode(errors="ignore"))
        return self.read.at(offset + self.lead)

    def term(self, node: ast.AST) -> Term:
        column, kind = self.column(node), type(node)
        if self.depth > DEEPEST:
            raise LineError(f"the line is nested more than {DEEPEST} deep", column)
        if kind in _REFUSED_NODES:
            raise LineError(_REFUSED_NODES[kind], column)
        reader: Callable[[Any, int], Term] | None = getattr(self, f"read_{kind.__name__}", None)
        if reader is None:
            raise LineError(f"{kind.__name__} is not in the language", column)
        self.depth += 1
        term = reader(node, column)
        self.depth -= 1
        return term

    def terms(self, nodes: Iterable[ast.AST]) -> tuple[Term, ...]:
        return tuple(map(self.term, nodes))

    def read_Constant(self, node: ast.Constant, column: int) -> Term:
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            what = "complex numbers" if isinstance(node.value, complex) else "texts and such"
            raise LineError(f"{what} are not in the language", column)
        written = ast.get_source_segment(self.text, node) or ""
        return number(_exact(written, column), column)

    def read_Name(self, node: ast.Name, column: int) -> Term:
        if node.id.startswith("__"):
            raise LineError("names do not start with two underscores", column)
        return name(node.id, column)

    def read_BinOp(self, node: ast.BinOp, column: int) -> Term:
        # a + b + c leans to the left: walk down the spine in a loop, so that a long sum is not deep
        spine = [node]
        while isinstance(spine[-1].left, ast.BinOp) and len(spine) <= LONGEST_LINE:
            spine.append(spine[-1].left)
        if len(spine) > 3 * DEEPEST:
            raise LineError("there are too many terms in one line", column)
        result = self.term(spine[-1].left)
        for part in reversed(spine):
            op = _BINARY.get(type(part.op))
            if op is None:
                told = _REFUSED_OPERATORS.get(type(part.op), "unknown operator")
                raise LineError(told, self.column(part.right))
            result = Term(op, (result, self.term(part.right)), column=self.column(part))
        return result

    def read_UnaryOp(self, node: ast.UnaryOp, column: int) -> Term:
        inside = self.term(node.operand)
        if isinstance(node.op, ast.UAdd):
            return inside
        if isinstance(node.op, ast.Invert):
            raise LineError("~ is not in the language", column)
        return Term("neg" if isinstance(node.op, ast.USub) else "not", (inside,), column=column)

    def read_Attribute(self, node: ast.Attribute, column: int) -> Term:
        if node.attr != "T":
            raise LineError("the only thing after a point is T, the transpose: A.T", column)
        return Term("call", (self.term(node.value),), "transpose", column=column)

    def read_Subscript(self, node: ast.Subscript, column: int) -> Term:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            matrix = self.term(node.value.value)
            if not (isinstance(node.slice, ast.Constant) and node.slice.value == 0):
                matrix = Term("call", (matrix,), "transpose", column=column)
            return Term("call", (matrix,), "len", column=column)
        inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if not 1 <= len(inside) <= 2:
            raise LineError("one index or two are expected", column)
        return Term("index", self.terms([node.value, *inside]), column=column)

    def read_List(self, node: ast.List | ast.Tuple, column: int) -> Term:
        if not node.elts:
            raise LineError("an empty list is not a vector", column)
        if len(node.elts) > 64:
            raise LineError("at most 64 entries are read", column)
        return Term("list", self.terms(node.elts), column=column)

    read_Tuple = read_List

    def read_Compare(self, node: ast.Compare, column: int) -> Term:
        if not all(type(op) in _COMPARE for op in node.ops):
            raise LineError("only == != < <= > >= compare; p in (0, 1) is 0 < p < 1", column)
        relations = " ".join(_COMPARE[type(op)] for op in node.ops)
        return Term("compare", self.terms([node.left, *node.comparators]), relations, column=column)

    def read_BoolOp(self, node: ast.BoolOp, column: int) -> Term:
        op = "and" if isinstance(node.op, ast.And) else "or"
        return Term(op, self.terms(node.values), column=column)

    def read_Dict(self, node: ast.Dict, column: int) -> Term:
        if not node.keys or len(node.keys) > 64 or None in node.keys:
            raise LineError("from 1 to 64 pairs {value: probability} are expected", column)
        pairs = zip(node.keys, node.values, strict=True)
        return Term(
            "pairs", self.terms(one for pair in pairs for one in pair if one), column=column
        )

    def read_Call(self, node: ast.Call, column: int) -> Term:
        called, given = node.func, node.args
        if isinstance(called, ast.Attribute) and called.attr in _METHODS:  # x.dot(y)
            given = [called.value, *given]
            called = ast.Name(called.attr, col_offset=called.col_offset)
        elif isinstance(called, ast.Attribute) and called.attr != "T":
            raise LineError("functions are written f(x), not x.f()", column)
        if node.keywords:
            raise LineError("arguments have no names here", column)
        if (
            not isinstance(called, ast.Name) or called.id in self.known
        ):  # also one named as a symbol
            return self.multiplied(called, given, column)
        function = _SAME_FUNCTION.get(called.id, called.id)
        defined = _DEFINED.get((function, len(given)))
        if function == "norm" and len(given) == 2:
            defined = _NORMS.get(ast.unparse(given[1]))
            if defined is None:
                raise LineError("norm(x, 1), norm(x, 2) and norm(x, inf) are handled", column)
        if defined is not None:
            return replace(parse(defined), dict(zip("abcd", self.terms(given), strict=False)))
        if function in _TYPED and len(given) == 1:
            return Term("call", self.terms(given), _TYPED[function], Fraction(1), column)
        if function == "where":
            raise LineError("write indicator(c)*a + indicator(not c)*b for where(c, a, b)", column)
        if function not in _FUNCTIONS:
            return self.multiplied(called, given, column)
        bound = self.binding(function, given, column) if function in _BINDING else None
        if bound is not None:
            return bound
        fewest, most = _FUNCTIONS[function]
        if not fewest <= len(given) <= most:
            expected = str(fewest) if fewest == most else f"{fewest} to {most}"
            told = f"{called.id} takes {expected} arguments, found {len(given)}"
            raise LineError(told, column)
        return Term("call", self.terms(given), function, column=column)

    def multiplied(self, called: ast.expr, given: list[ast.expr], column: int) -> Term:
        """p(1 - p), X.T(y - p): a product, where the name is that of a symbol."""
        if len(given) != 1:
            what = ast.unparse(called)
            why = "is declared, so it is" if what in self.known else "is"
            raise LineError(
                f"{what} {why} not a function; a product needs a *: write {what}*(...)", column
            )
        return Term("@", self.terms([called, *given]), "called", column=column)

    def binding(self, function: str, given: list[ast.expr], column: int) -> Term | None:
        """sum(f, i, 1, n), sum(f, (i, 1, n)), sum(f, i), sum(f for i in range(1, n + 1))."""
        body, *rest = given or [ast.Constant(None)]
        if not rest:
            if isinstance(body, ast.GeneratorExp | ast.ListComp):
                return self.generator(function, body)
            return None
        if isinstance(rest[0], ast.Tuple) and function in ("sum", "prod"):
            result = self.term(body)
            for loop in reversed(rest):
                if not isinstance(loop, ast.Tuple) or len(loop.elts) != 3:
                    raise LineError("a range is (i, first, last)", column)
                result = self.bound(function, result, loop.elts, column)
            return result
        named, extreme = isinstance(rest[0], ast.Name), function in ("max", "min")
        if extreme and not (len(rest) in (3, 4) and _is_index(rest[0], body)):
            return None
        if named and len(rest) in (1, 3, 4):
            return self.bound(function, self.term(body), rest, column)
        if len(rest) == 3 and isinstance(body, ast.Name):  # sum(i, 1, n, term)
            return self.bound(function, self.term(rest[2]), [body, *rest[:2]], column)
        raise LineError(f"write {function}(term, i, first, last)", column)

    def bound(self, function: str, body: Term, rest: list[ast.expr], column: int) -> Term:
        if not isinstance(rest[0], ast.Name):
            raise LineError("the index of a sum is a name", self.column(rest[0]))
        index = self.read_Name(rest[0], self.column(rest[0])).name
        return Term("bind", (body, *self.terms(rest[1:])), f"{function}:{index}", column=column)

    def generator(self, function: str, node: ast.GeneratorExp | ast.ListComp) -> Term:
        column = self.column(node)
        result = self.term(node.elt)
        for loop in reversed(node.generators):
            ranged, index = loop.iter, loop.target
            plain = isinstance(index, ast.Name) and not loop.is_async and len(loop.ifs) < 2
            if not plain or not isinstance(ranged, ast.Call):
                raise LineError("write sum(term for i in range(1, 4))", column)
            if not (isinstance(ranged.func, ast.Name) and ranged.func.id == "range"):
                raise LineError("an index runs over range(first, end)", column)
            if not 1 <= len(ranged.args) <= 2 or ranged.keywords:
                raise LineError("range takes a first number and an end", column)
            first, end = (number(0, column), *self.terms(ranged.args))[-2:]
            last = Term("-", (end, number(1, column)), column=column)
            ends = self.bound(function, result, [index, *loop.ifs], column)
            result = dataclasses.replace(ends, args=(result, first, last, *ends.args[1:]))
        return result


def _is_index(index: ast.expr, body: ast.expr) -> bool:
    """max(x[i], i, 1, 3) is a range when i stands in the body as an index."""
    return isinstance(index, ast.Name) and any(
        isinstance(inside, ast.Name) and inside.id == index.id
        for part in ast.walk(body)
        if isinstance(part, ast.Subscript)
        for inside in ast.walk(part.slice)
    )


def _exact(written: str, column: int) -> Fraction:
    """A decimal as the exact rational number it names."""
    if not _NUMBER.fullmatch(written) or not any(c.isdigit() for c in written):
        raise LineError("this number cannot be read", column)
    digits, _, power = written.replace("_", "").lower().partition("e")
    if len(digits) > MOST_DIGITS or len(power) > 6 or abs(int(power or 0)) > LARGEST_POWER_OF_TEN:
        raise LineError("this number is too long", column)
    return Fraction(digits) * Fraction(10) ** int(power or 0)
