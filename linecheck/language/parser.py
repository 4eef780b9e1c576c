"""From a typed line to a term: Python's grammar read against a whitelist, nothing evaluated."""

from __future__ import annotations

import ast
import re
import unicodedata
import warnings
from collections.abc import Callable
from fractions import Fraction

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
    "kronecker": "delta", "inner": "dot", "hypot": "hypot", "hadamard": "hadamard",
    "Hessian": "hessian", "column": "col", "one": "ones", "maximum": "max", "minimum": "min",
    "absolute": "abs", "fabs": "abs", "matmul": "dot", "square": "square", "var": "Var",
    "variance": "Var", "cov": "Cov", "covariance": "Cov", "pow": "power",
}  # fmt: skip
_BINDING = ("sum", "prod", "max", "min")
_FUNCTIONS = {  # name: how many arguments
    "exp": (1, 1), "log": (1, 1), "sqrt": (1, 1), "sigma": (1, 1), "tanh": (1, 1), "abs": (1, 1),
    "sign": (1, 1), "max": (1, 60), "min": (1, 60), "Phi": (1, 1), "phi": (1, 1),
    "Phi_inv": (1, 1), "logit": (1, 1), "softplus": (1, 1), "relu": (1, 1), "factorial": (1, 1),
    "binomial": (2, 2), "delta": (2, 2), "indicator": (1, 1), "dot": (2, 2), "norm": (1, 1),
    "sum": (1, 1), "prod": (1, 1), "mean": (1, 1), "transpose": (1, 1), "inv": (1, 1),
    "det": (1, 1), "trace": (1, 1), "outer": (2, 2), "diag": (1, 1), "eye": (1, 1),
    "ones": (1, 2), "zeros": (1, 2), "unit": (2, 2), "hadamard": (2, 2), "col": (2, 2),
    "row": (2, 2), "softmax": (1, 1), "logsumexp": (1, 1), "diff": (2, 4), "hessian": (2, 2),
    "subs": (2, 3), "E": (3, 3), "matrix": (1, 1), "vector": (1, 60), "hypot": (2, 60),
    "identity": (1, 1), "len": (1, 1),
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
    return _Reader(read, known).term(tree, 0)


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
        column = lead + _characters(text, (problem.offset or 1) - 1, problem)
        raise LineError(_syntax_hint(text, problem), column) from None
    except (ValueError, MemoryError, RecursionError, OverflowError):
        raise LineError("the line cannot be read: too deep or too long") from None


def _characters(text: str, offset: int, problem: SyntaxError) -> int:
    return max(0, min(offset, len(text) - 1))


def _syntax_hint(text: str, problem: SyntaxError) -> str:
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

    def column(self, node: ast.AST) -> int:
        """Where the part was typed."""
        offset: int = getattr(node, "col_offset", 0)
        if not self.ascii:
            offset = len(self.text.encode()[:offset].decode(errors="ignore"))
        return self.read.at(offset + self.lead)

    def term(self, node: ast.AST, depth: int) -> Term:
        column = self.column(node)
        if depth > DEEPEST:
            raise LineError(f"the line is nested more than {DEEPEST} deep", column)
        for kind, message in _REFUSED_NODES.items():
            if isinstance(node, kind):
                raise LineError(message, column)
        readers: dict[type[ast.AST], Callable[[ast.AST, int], Term]] = {
            ast.Constant: self.constant,
            ast.Name: self.name,
            ast.BinOp: self.binary,
            ast.UnaryOp: self.unary,
            ast.Call: self.call,
            ast.Subscript: self.subscript,
            ast.Attribute: self.attribute,
            ast.List: self.entries,
            ast.Tuple: self.entries,
            ast.Compare: self.compare,
            ast.BoolOp: self.boolean,
            ast.Dict: self.pairs,
        }
        reader = readers.get(type(node))
        if reader is None:
            raise LineError(f"{type(node).__name__} is not in the language", column)
        return reader(node, depth + 1)

    def constant(self, node: ast.AST, depth: int) -> Term:
        assert isinstance(node, ast.Constant)
        column = self.column(node)
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            what = "complex numbers" if isinstance(node.value, complex) else "texts and such"
            raise LineError(f"{what} are not in the language", column)
        written = ast.get_source_segment(self.text, node) or ""
        return number(_exact(written, column), column)

    def name(self, node: ast.AST, depth: int) -> Term:
        assert isinstance(node, ast.Name)
        column = self.column(node)
        if node.id.startswith("__"):
            raise LineError("names do not start with two underscores", column)
        return name(node.id, column)

    def binary(self, node: ast.AST, depth: int) -> Term:
        assert isinstance(node, ast.BinOp)
        # a + b + c leans to the left: walk down the spine in a loop, so that a long sum is not deep
        spine = [node]
        while isinstance(spine[-1].left, ast.BinOp) and len(spine) <= LONGEST_LINE:
            spine.append(spine[-1].left)
        if len(spine) > 3 * DEEPEST:
            raise LineError("there are too many terms in one line", self.column(node))
        result = self.term(spine[-1].left, depth)
        for part in reversed(spine):
            op = _BINARY.get(type(part.op))
            where = self.column(part.right)
            if op is None:
                raise LineError(_REFUSED_OPERATORS.get(type(part.op), "unknown operator"), where)
            result = Term(op, (result, self.term(part.right, depth)), column=self.column(part))
        return result

    def unary(self, node: ast.AST, depth: int) -> Term:
        assert isinstance(node, ast.UnaryOp)
        inside = self.term(node.operand, depth)
        column = self.column(node)
        if isinstance(node.op, ast.UAdd):
            return inside
        if isinstance(node.op, ast.USub):
            return Term("neg", (inside,), column=column)
        if isinstance(node.op, ast.Not):
            return Term("not", (inside,), column=column)
        raise LineError("~ is not in the language", column)

    def attribute(self, node: ast.AST, depth: int) -> Term:
        assert isinstance(node, ast.Attribute)
        column = self.column(node)
        if node.attr != "T":
            raise LineError("the only thing after a point is T, the transpose: A.T", column)
        return Term("call", (self.term(node.value, depth),), "transpose", column=column)

    def subscript(self, node: ast.AST, depth: int) -> Term:
        assert isinstance(node, ast.Subscript)
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            matrix = self.term(node.value.value, depth)
            rows = isinstance(node.slice, ast.Constant) and node.slice.value == 0
            if not rows:
                matrix = Term("call", (matrix,), "transpose", column=self.column(node))
            return Term("call", (matrix,), "len", column=self.column(node))
        inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if not 1 <= len(inside) <= 2:
            raise LineError("one index or two are expected", self.column(node))
        parts = [self.term(part, depth) for part in [node.value, *inside]]
        return Term("index", tuple(parts), column=self.column(node))

    def entries(self, node: ast.AST, depth: int) -> Term:
        assert isinstance(node, ast.List | ast.Tuple)
        column = self.column(node)
        if not node.elts:
            raise LineError("an empty list is not a vector", column)
        if len(node.elts) > 64:
            raise LineError("at most 64 entries are read", column)
        return Term("list", tuple(self.term(part, depth) for part in node.elts), column=column)

    def compare(self, node: ast.AST, depth: int) -> Term:
        assert isinstance(node, ast.Compare)
        column = self.column(node)
        relations = []
        for op in node.ops:
            if type(op) not in _COMPARE:
                raise LineError("only == != < <= > >= compare; p in (0, 1) is 0 < p < 1", column)
            relations.append(_COMPARE[type(op)])
        parts = tuple(self.term(part, depth) for part in [node.left, *node.comparators])
        return Term("compare", parts, " ".join(relations), column=column)

    def boolean(self, node: ast.AST, depth: int) -> Term:
        assert isinstance(node, ast.BoolOp)
        op = "and" if isinstance(node.op, ast.And) else "or"
        parts = tuple(self.term(part, depth) for part in node.values)
        return Term(op, parts, column=self.column(node))

    def pairs(self, node: ast.AST, depth: int) -> Term:
        assert isinstance(node, ast.Dict)
        column = self.column(node)
        if not node.keys or len(node.keys) > 64 or None in node.keys:
            raise LineError("from 1 to 64 pairs {value: probability} are expected", column)
        flat: list[Term] = []
        for key, value in zip(node.keys, node.values, strict=True):
            assert key is not None
            flat += [self.term(key, depth), self.term(value, depth)]
        return Term("pairs", tuple(flat), column=column)

    def call(self, node: ast.AST, depth: int) -> Term:
        assert isinstance(node, ast.Call)
        column = self.column(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:  # x.dot(y)
            called = ast.Name(node.func.attr, col_offset=node.func.col_offset)
            node = ast.Call(
                called, [node.func.value, *node.args], node.keywords, col_offset=node.col_offset
            )
        elif isinstance(node.func, ast.Attribute) and node.func.attr != "T":
            raise LineError("functions are written f(x), not x.f()", column)
        if node.keywords:
            raise LineError("arguments have no names here", column)
        if not isinstance(node.func, ast.Name):
            return self.multiplied(node, depth)
        written = node.func.id
        if written in self.known:  # a symbol that has the name of a function
            return self.multiplied(node, depth)
        function = _SAME_FUNCTION.get(written, written)
        defined = _DEFINED.get((function, len(node.args)))
        if function == "norm" and len(node.args) == 2:
            defined = _NORMS.get(ast.unparse(node.args[1]))
            if defined is None:
                raise LineError("norm(x, 1), norm(x, 2) and norm(x, inf) are handled", column)
        if defined is not None:
            terms = {n: self.term(part, depth) for n, part in zip("abcd", node.args, strict=False)}
            return replace(parse(defined), terms)
        if function in ("bars", "prime") and len(node.args) == 1:  # |x| and x', of what they can be
            same = "abs" if function == "bars" else "transpose"
            inside = self.term(node.args[0], depth)
            return Term("call", (inside,), same, Fraction(1), column)
        if function == "where":
            raise LineError("write indicator(c)*a + indicator(not c)*b for where(c, a, b)", column)
        if function not in _FUNCTIONS:
            return self.multiplied(node, depth)
        arguments: list[ast.expr] = list(node.args)
        if function in _BINDING:
            bound = self.binding(function, arguments, column, depth)
            if bound is not None:
                return bound
        fewest, most = _FUNCTIONS[function]
        if not fewest <= len(arguments) <= most:
            expected = str(fewest) if fewest == most else f"{fewest} to {most}"
            found = len(arguments)
            raise LineError(f"{written} takes {expected} arguments, found {found}", column)
        return Term(
            "call", tuple(self.term(part, depth) for part in arguments), function, column=column
        )

    def multiplied(self, node: ast.Call, depth: int) -> Term:
        """p(1 - p), X.T(y - p): a product, where the name is that of a symbol."""
        column = self.column(node)
        if len(node.args) != 1:
            what = ast.unparse(node.func)
            why = "is declared, so it is" if what in self.known else "is"
            raise LineError(
                f"{what} {why} not a function; a product needs a *: write {what}*(...)", column
            )
        factors = (self.term(node.func, depth), self.term(node.args[0], depth))
        return Term("@", factors, "called", column=column)

    def binding(
        self, function: str, arguments: list[ast.expr], column: int, depth: int
    ) -> Term | None:
        """sum(f, i, 1, n), sum(f, (i, 1, n)), sum(f, i), sum(f for i in range(1, n + 1))."""
        if len(arguments) == 1 and isinstance(arguments[0], ast.GeneratorExp | ast.ListComp):
            return self.generator(function, arguments[0], depth)
        if len(arguments) < 2:
            return None
        body, *rest = arguments
        if isinstance(rest[0], ast.Tuple) and function in ("sum", "prod"):
            loops = rest
            if not all(isinstance(loop, ast.Tuple) and len(loop.elts) == 3 for loop in loops):
                raise LineError("a range is (i, first, last)", column)
            result = self.term(body, depth)
            for loop in reversed(loops):
                assert isinstance(loop, ast.Tuple)
                result = self.bound(function, result, list(loop.elts), column, depth)
            return result
        if len(rest) in (3, 4) and isinstance(rest[0], ast.Name):
            if function in ("max", "min") and not _looks_like_range(body, rest):
                return None
            return self.bound(function, self.term(body, depth), rest, column, depth)
        if function in ("max", "min"):
            return None
        if len(rest) == 3 and isinstance(body, ast.Name):  # sum(i, 1, n, term)
            return self.bound(function, self.term(rest[2], depth), [body, *rest[:2]], column, depth)
        if len(rest) == 1 and isinstance(rest[0], ast.Name):
            index = self.name(rest[0], depth).name
            return Term("bind", (self.term(body, depth),), f"{function}:{index}", column=column)
        raise LineError(f"write {function}(term, i, first, last)", column)

    def bound(
        self, function: str, body: Term, rest: list[ast.expr], column: int, depth: int
    ) -> Term:
        if not isinstance(rest[0], ast.Name):
            raise LineError("the index of a sum is a name", self.column(rest[0]))
        index = self.name(rest[0], depth).name
        parts = (body, *(self.term(part, depth) for part in rest[1:]))
        return Term("bind", parts, f"{function}:{index}", column=column)

    def generator(self, function: str, node: ast.GeneratorExp | ast.ListComp, depth: int) -> Term:
        column = self.column(node)
        result = self.term(node.elt, depth)
        for loop in reversed(node.generators):
            plain = isinstance(loop.target, ast.Name) and isinstance(loop.iter, ast.Call)
            if not plain or loop.is_async or len(loop.ifs) > 1:
                raise LineError("write sum(term for i in range(1, 4))", column)
            assert isinstance(loop.target, ast.Name)
            assert isinstance(loop.iter, ast.Call)
            ranged = loop.iter
            if not (isinstance(ranged.func, ast.Name) and ranged.func.id == "range"):
                raise LineError("an index runs over range(first, end)", column)
            if not 1 <= len(ranged.args) <= 2 or ranged.keywords:
                raise LineError("range takes a first number and an end", column)
            ends = [self.term(part, depth) for part in ranged.args]
            first = ends[0] if len(ends) == 2 else number(0, column)
            last = Term("-", (ends[-1], number(1, column)), column=column)
            index = self.name(loop.target, depth).name
            conditions = [self.term(part, depth) for part in loop.ifs]
            parts = (result, first, last, *conditions)
            result = Term("bind", parts, f"{function}:{index}", column=column)
        return result


def _looks_like_range(body: ast.expr, rest: list[ast.expr]) -> bool:
    """max(x[i], i, 1, 3) is a range when i stands in the body as an index."""
    assert isinstance(rest[0], ast.Name)
    index = rest[0].id
    return any(
        isinstance(inside, ast.Name) and inside.id == index
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
