"""Lines as LaTeX, as they were typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from linecheck.language.parser import parse
from linecheck.language.terms import LineError, Term, split_bind

_GREEK_TEXT = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau"
    " upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
)
_GREEK = tuple(_GREEK_TEXT.split())
_ACCENTS = {"hat": r"\hat", "bar": r"\bar", "tilde": r"\tilde"}
_NAMED = {"lam": r"\lambda", "eps": r"\varepsilon", "ell": r"\ell"}
_RELATIONS = {"==": "=", "<=": r"\le", ">=": r"\ge", "!=": r"\ne", "<": "<", ">": ">",
              "iff": r"\Leftrightarrow", "implies": r"\Rightarrow"}  # fmt: skip
# how tightly an operator binds
_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = 1, 2, 3, 4, 5
_CONDITION = 0
_TEMPLATES = {  # how tightly the parts must bind, and how tightly the whole does
    "sqrt": (r"\sqrt{@}", _CONDITION, _ATOM),
    "abs": (r"\left\lvert @ \right\rvert", _CONDITION, _ATOM),
    "norm": (r"\lVert @ \rVert", _CONDITION, _ATOM),  # bars of one size everywhere
    "hadamard": (r"@ \odot @", _POWER, _PRODUCT),
    "indicator": (r"\mathbf{1}\left[@\right]", _CONDITION, _ATOM),
    "eye": ("I_{@}", _CONDITION, _ATOM),
    "factorial": ("@!", _ATOM, _ATOM),
    "binomial": (r"\binom{@}{@}", _CONDITION, _ATOM),
    "delta": (r"\delta_{@,@}", _CONDITION, _ATOM),
}
_COMMANDS = {
    **{name: f"\\{name}" for name in ("log", "sigma", "tanh", "max", "min", "Phi", "det")},
    "phi": r"\varphi", "Phi_inv": r"\Phi^{-1}", "trace": r"\operatorname{tr}",
}  # fmt: skip


def latex(line: str, known: frozenset[str] = frozenset()) -> str:
    """A line as LaTeX; what cannot be read is shown as it was typed."""
    try:
        return _term(parse(line, known))[0]
    except LineError:
        typed = re.sub(r"([#$%&_{}\\^~])", r"\\\1", line[:200]).replace("|", r"\vert ")
        return rf"\text{{{typed}}}"


def relation_sign(relation: str) -> str:
    """A relation as LaTeX."""
    return _RELATIONS.get(relation, relation)


def name_latex(name: str) -> str:
    """A symbol: mu1 is a mu with index 1, y_hat and yhat a y with a hat."""
    if name in _NAMED:
        return _NAMED[name]
    base, _, below = name.partition("_")
    if below in _ACCENTS:
        return f"{_ACCENTS[below]}{{{name_latex(base)}}}"
    if below == "star":
        return f"{name_latex(base)}^{{*}}"
    if below:
        return f"{name_latex(base)}_{{{_below(below)}}}"
    for accent, command in _ACCENTS.items():
        if base.endswith(accent) and 0 < len(base) - len(accent) <= 5:
            return f"{command}{{{name_latex(base[: -len(accent)])}}}"
    match = re.fullmatch(r"([A-Za-z]+?)(\d+)", base)
    if match:
        return f"{name_latex(match[1])}_{{{match[2]}}}"
    if base in _GREEK:
        return f"\\{base}"
    return base if len(base) == 1 or not base.isascii() else rf"\mathrm{{{base}}}"


def _below(text: str) -> str:
    parts = [name_latex(part) if part else "" for part in text.split("_")]
    return ",".join(part for part in parts if part)


def _number(value: Fraction) -> tuple[str, int]:
    if value.denominator == 1:
        text = str(value.numerator)
        if len(text) > 7 and text.rstrip("0") == "1":
            return f"10^{{{len(text) - 1}}}", _POWER
        return text, _ATOM
    digits = value.denominator
    while digits % 10 == 0:
        digits //= 10
    if digits == 1 and value.denominator > 10**6 and value.numerator == 1:
        return f"10^{{-{len(str(value.denominator)) - 1}}}", _POWER
    text = f"{float(value):.12g}"
    if Fraction(text) == value and "e" not in text:
        return text, _ATOM
    return rf"\frac{{{value.numerator}}}{{{value.denominator}}}", _ATOM


def _inside(term: Term, least: int) -> str:
    """A part, in brackets when it binds less than `least`."""
    text, level = _term(term)
    return text if level >= least else rf"\left({text}\right)"


def _plain(term: Term) -> str:
    return _term(term)[0]


def _term(term: Term) -> tuple[str, int]:
    """LaTeX and how tightly it binds."""
    op, args = term.op, term.args
    if op == "number":
        return _number(term.value)
    if op == "name":
        return name_latex(term.name), _ATOM
    if op in ("+", "-"):
        return f"{_inside(args[0], _SUM)} {op} {_inside(args[1], _PRODUCT)}", _SUM
    if op == "neg":
        return f"-{_inside(args[0], _PRODUCT)}", _SUM
    if op in ("*", "@"):
        return _product(args[0], args[1]), _PRODUCT
    if op == "/":
        return rf"\frac{{{_plain(args[0])}}}{{{_plain(args[1])}}}", _PRODUCT
    if op == "**":
        return _power(args[0], args[1])
    if op == "index":
        indices = ",".join(_plain(part) for part in args[1:])
        base = _inside(args[0], _ATOM)
        return (f"{{{base}}}_{{{indices}}}" if "_" in base else f"{base}_{{{indices}}}"), _ATOM
    if op == "list":
        return _entries(term), _ATOM
    if op == "compare":
        links = zip(term.name.split(), args[1:], strict=True)
        rest = (f" {relation_sign(relation)} {_plain(part)}" for relation, part in links)
        return _plain(args[0]) + "".join(rest), _CONDITION
    if op in ("and", "or"):
        return rf" \;\text{{{op}}}\; ".join(_plain(part) for part in args), _CONDITION
    if op == "not":
        return rf"\neg\left({_plain(args[0])}\right)", _ATOM
    if op == "bind":
        return _bind(term)
    if op == "pairs":
        pairs = zip(args[::2], args[1::2], strict=True)
        return r",\; ".join(rf"{_plain(a)}\colon {_plain(b)}" for a, b in pairs), _CONDITION
    return _call(term)


def _product(left: Term, right: Term) -> str:
    a, b = _inside(left, _PRODUCT), _inside(right, _SIGN)
    digit = bool(re.match(r"[\d.]|\\frac\{\d", b)) or (a[-1:].isdigit() and b[:1].isdigit())
    return rf"{a} \cdot {b}" if digit else rf"{a}\,{b}"


def _power(base: Term, exponent: Term) -> tuple[str, int]:
    top = _plain(exponent)
    if exponent.op == "/" and all(part.op == "number" for part in exponent.args):
        top = "/".join(_plain(part) for part in exponent.args)
    if base.op == "call" and base.name in ("log", "sigma", "det", "Phi", "phi"):
        shown = _call(base)[0]
        return rf"\left({shown}\right)^{{{top}}}", _POWER
    inside = _inside(base, _ATOM)
    if "^" in inside and not inside.startswith(r"\left"):
        inside = rf"\left({inside}\right)"
    return f"{inside}^{{{top}}}", _POWER


def _raised(base: Term) -> str:
    """What a transpose or an inverse is put on: a power stands in brackets there."""
    inside = _inside(base, _ATOM)
    bare = "^" in inside and not inside.startswith(r"\left(")
    return rf"\left({inside}\right)" if bare else inside


def _entries(term: Term) -> str:
    rows = [part.args if part.op == "list" else (part,) for part in term.args]
    body = r" \\ ".join(" & ".join(_plain(part) for part in row) for row in rows)
    return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"


def _bind(term: Term) -> tuple[str, int]:
    kind, index = split_bind(term)
    sign = f"\\{kind}"
    body = _inside(term.args[0], _PRODUCT)
    if len(term.args) == 1:
        return rf"{sign}_{{{name_latex(index)}}} {body}", _PRODUCT
    first, last = _plain(term.args[1]), _plain(term.args[2])
    below = f"{name_latex(index)}={first}"
    if len(term.args) == 4:
        below += rf",\; {_plain(term.args[3])}"
    ends = rf"_{{{below},\dots,{last}}}" if kind in ("max", "min") else rf"_{{{below}}}^{{{last}}}"
    return f"{sign}{ends} {body}", _PRODUCT


def _call(term: Term) -> tuple[str, int]:
    name, args = term.name, term.args
    if name == "exp":
        inside = _plain(args[0])
        if len(inside) <= 24 and r"\frac" not in inside:
            return f"e^{{{inside}}}", _POWER
        return rf"\exp\left({inside}\right)", _ATOM
    if name in _TEMPLATES:
        text, least, level = _TEMPLATES[name]
        for part in args:
            text = text.replace("@", _inside(part, least), 1)
        return text, level
    if name in ("transpose", "inv"):
        top = r"\top" if name == "transpose" else "-1"
        return f"{_raised(args[0])}^{{{top}}}", _POWER
    if name == "dot":
        return rf"{_raised(args[0])}^{{\top}} {_inside(args[1], _POWER)}", _PRODUCT
    if name == "outer":
        return rf"{_inside(args[0], _POWER)}\,{_inside(args[1], _ATOM)}^{{\top}}", _PRODUCT
    if name in ("ones", "zeros"):
        digit = "1" if name == "ones" else "0"
        return rf"\mathbf{{{digit}}}_{{{','.join(_plain(part) for part in args)}}}", _ATOM
    if name == "diff":
        return _derivative(args)
    if name == "subs" and (len(args) == 3 or args[1].op == "pairs"):
        return _substitution(args)
    if name == "E":
        inside = rf"\mathbb{{E}}_{{{_plain(args[1])}}}\left[{_plain(args[0])}\right]"
        return inside, _ATOM
    command = _COMMANDS.get(name) or rf"\operatorname{{{name.replace('_', ' ')}}}"
    return rf"{command}\left({', '.join(_plain(part) for part in args)}\right)", _ATOM


def _derivative(args: tuple[Term, ...]) -> tuple[str, int]:
    function, *by = args
    times = len(by)
    top = r"\partial" if times == 1 else rf"\partial^{{{times}}}"
    below = r"\,".join(rf"\partial {_plain(part)}" for part in by)
    if times == 2 and by[0] == by[1]:
        below = rf"\partial {_plain(by[0])}^{{2}}"
    return rf"\frac{{{top}}}{{{below}}} {_inside(function, _SIGN)}", _PRODUCT


def _substitution(args: tuple[Term, ...]) -> tuple[str, int]:
    pairs = args[1].args if len(args) == 2 else args[1:]
    values = zip(pairs[::2], pairs[1::2], strict=True)
    told = r",\; ".join(f"{_plain(a)} = {_plain(b)}" for a, b in values)
    return rf"\left.{_plain(args[0])}\right|_{{{told}}}".replace(r"\right|", r"\right\rvert"), _ATOM


_BREAKS = {
    "=", "<", ">", "+", "-", r"\le", r"\ge", r"\leq", r"\geq", r"\ne", r"\neq", r"\Leftrightarrow",
    r"\iff", r"\Rightarrow", r"\implies", r"\approx", r"\quad", r"\qquad",
}  # fmt: skip
_TOKEN = re.compile(
    r"\\(?:left|right)(?![a-z])(?:\\[A-Za-z]+|\\?.)|\\(?:begin|end)\{[a-z]+\}|\\[A-Za-z]+|\\.|.",
    re.DOTALL,
)
_OPENS = re.compile(r"[{(\[]|\\l[vV]ert|\\begin.+|\\left[^a-z].*|\\left\\.+")
_CLOSES = re.compile(r"[})\]]|\\r[vV]ert|\\end.+|\\right[^a-z].*|\\right\\.+")


def wrapped(formula: str) -> str:
    """A formula as inline pieces between which a narrow page may break the line.

    MathJax does not break inline mathematics. A piece ends before a relation, a plus or a minus
    that stands outside all brackets; on a wide page the pieces read as one formula. A piece that
    is still too long for a phone is opened at its outermost brackets.
    """
    pieces, before = [""], ""
    for token, depth in _with_depth(formula):
        if depth == 0 and pieces[-1].strip() and _breaks_before(token, before):
            pieces.append("")
        pieces[-1] += token
        before = token if token.strip() else before
    signed = [
        f"{'{} ' * (piece[:1] in '+-' and number > 0)}{piece.strip()}"
        for number, piece in enumerate(pieces)
    ]
    return " ".join(f"${part}$" for piece in signed for part in _opened(piece))


def _with_depth(formula: str) -> Iterator[tuple[str, int]]:
    """Each token with the number of brackets that are open where it stands."""
    depth = 0
    for token in _TOKEN.findall(formula):
        closes = _CLOSES.fullmatch(token) is not None
        yield token, depth - closes
        depth += (_OPENS.fullmatch(token) is not None) - closes


def _breaks_before(token: str, before: str) -> bool:
    return token in _BREAKS and not (token in "+-" and before in _BREAKS)  # a sign, as in "= -1"


_LONGEST = 29  # letters; what a phone of 430 px has room for


def _opened(piece: str) -> list[str]:
    """A long piece, broken at the sums inside its outermost round brackets."""
    tokens = list(_with_depth(piece))
    if sum(_letters(token) for token, _ in tokens) <= _LONGEST:
        return [piece]
    parts, before, size = [""], "", ""
    for k, (token, depth) in enumerate(tokens):
        if token == r"\left(" and depth == 0:
            stop = next(j for j in range(k + 1, len(tokens)) if tokens[j][1] == 0)
            size = "Big" if any(t == r"\frac" for t, _ in tokens[k:stop]) else "big"
            token = rf"\{size}l("  # `\left` must have its `\right` in the same piece
        elif size and token == r"\right)" and depth == 0:
            token, size = rf"\{size}r)", ""
        elif size and depth == 1 and before[-1:] != "(" and _breaks_before(token, before):
            parts.append("{} ")
        parts[-1] += token
        before = token if token.strip() else before
    return [part.strip() for part in parts]


def _letters(token: str) -> int:
    """How many letters wide a token is, roughly."""
    if token in _INVISIBLE or not token.strip():
        return 0
    if token.startswith((r"\begin", r"\end")):
        return 8  # whatever holds a matrix is long
    return 4 if token in (r"\log", r"\exp", r"\max", r"\min", r"\det") else 1


_INVISIBLE = {*"{}^_", r"\,", r"\;", r"\frac", r"\mathrm", r"\mathbf", r"\operatorname", r"\top"}
