"""What people type from paper or from NumPy, written as the parser reads it.

Accepted is what can mean one thing only; where there are two readings, the message offers both.
What is already in the language comes back as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from linecheck.language.terms import LineError

_CHARACTERS = {
    **dict.fromkeys("−–—‐‑‒﹣－", "-"), **dict.fromkeys("·⋅•∙", "@"), **dict.fromkeys("×∗", "*"),
    **dict.fromkeys("÷∕⁄", "/"), **dict.fromkeys("≤⩽", "<="), **dict.fromkeys("≥⩾", ">="),
    **dict.fromkeys("‖∥", "||"), "＋": "+", "≠": "!=", "＝": "==", "²": "**2", "³": "**3",
    "ᵀ": ".T ", "⊤": "T", "½": "(1/2)", "⟨": "dot(", "⟩": ")", "∂": "d", "∞": "inf",
}  # fmt: skip
_TABLE = str.maketrans(_CHARACTERS)
_GREEK = {"σ": "sigma", "Φ": "Phi", "φ": "phi", "Σ": "sum", "∑": "sum"}
_REWRITTEN: tuple[tuple[str, str], ...] = (
    (r"\b(?:np|numpy|math|scipy)\.(?:linalg\.|special\.)?(?=[A-Za-z])", ""),
    (r"\blambda\b", "lambda_"),
    (r"⁻¹", "**-1"),
    (r"√\s*(?=\()", "sqrt"),
    (r"√\s*(\w+)", r"sqrt(\1)"),
    (r"\^\s*(?:\{\s*(?:T|⊤)\s*\}|(?:T|⊤)(?=\w?\b))", ".T "),
    (r"\b([A-Za-z_]\w*)'(?!\s*[('\w]*')(?!\s*\()", r"prime(\1) "),
    (r"^\s*(\w+)\s+in\s*\(([^(),]+),([^(),]+)\)\s*$", r"\2 < \1 < \3"),
    (r"^\s*(\w+)\s+in\s*\[([^\[\],]+),([^\[\],]+)\]\s*$", r"\2 <= \1 <= \3"),
    (r"\b([A-Za-z]\w*)'\((\w+)\)", r"diff(\1(\2), \2)"),
    (r"(?<![=<>!:])=(?![=>])", "=="),
    (r"(^|[=<>+*/@(-])\s*<\s*([^<>=]+?)\s*,\s*([^<>=]+?)\s*>", r"\1dot(\2, \3)"),
    (r"\^\s*\{([^{}]*)\}", r"**(\1)"),
    (r"\^", "**"),
    (r"\b1\s*[\[{]([^\[\]{}:]*[<>=≤≥][^\[\]{}:]*)[\]}]", r"indicator(\1)"),
    (r"^\s*[d∂]/[d∂](\w+)\s+(?!:)(.+?)(?=\s*(?:[<>=!≤≥≠]|$))", r"diff(\2, \1)"),
)
_KEYWORDS = {"and", "or", "not", "if", "else", "for", "in", "is", "given", "let", "iff", "implies"}
_TOKEN = re.compile(
    r"(?P<space>\s*)(?P<token>(?P<number>\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)"
    r"|(?P<name>[^\W\d]\w*)|\*\*|[=<>!:]=|.)",
    re.S,
)


def as_written(text: str, is_function: Callable[[str], bool]) -> str:
    """The line with paper's and NumPy's notation replaced."""
    for letter, function in _GREEK.items():
        text = re.sub(rf"{letter}(?=\s*'?\()", function, text)
    quoted = re.search(r"(?:^|[^\w)\]])['\"]", text) is not None  # a text, not x'
    for pattern, new in _REWRITTEN:
        text = text if quoted and "'" in pattern else re.sub(pattern, new, text)
    text = text.translate(_TABLE)
    if "|" in text:
        text = _bars(text)
    return _products(_sums(text), is_function)


def _sums(text: str) -> str:
    """sum_{i=1}^n of a product as sum(product, i, 1, n); the sum of w_i x_i as one over i."""
    text = re.sub(r"[Σ∑]\s*(?=_)", "sum", text)
    text = re.sub(r"[Σ∑]\s*(?=\w_(\w)\b)", r"sum_", text)
    text = re.sub(r"\bsum_(?=(\w)_(\w)\b)", r"sum_\2=1**len(\1) ", text)
    found = re.search(
        r"\bsum_\{?(\w+)\s*=+\s*(\w+)\}?\s*\*\*\s*\(?(\w+(?:\(\w\))?)\)?([^=<>!]*)", text
    )
    depth, plain = 0, found is not None
    for character in found[4].strip() if found else "":
        depth += (character in "([{") - (character in ")]}")
        plain = plain and depth >= 0 and (depth > 0 or character not in "+-")
    if found and plain:
        index, first, last, term = found[1], found[2], found[3], found[4].strip()
        return f"{text[: found.start()]}sum({term}, {index}, {first}, {last}) {text[found.end() :]}"
    if re.search(r"\bsum_|[Σ∑]", text):
        raise LineError("a sum is written sum(term, i, first, last), as in sum(w[i]*x[i], i, 1, 3)")
    return text


def _bars(text: str) -> str:
    """|x| as abs(x), ||x|| as norm(x), ||x||_1 as norm(x, 1): a bar after an operand closes."""
    out: list[str] = []
    is_open: list[str] = []
    at = 0
    while at < len(text):
        if text[at] != "|":
            out.append(text[at])
            at += 1
            continue
        before = "".join(out).rstrip()
        after_operand = bool(before) and (before[-1].isalnum() or before[-1] in "_)]")
        if is_open and after_operand:
            bar = is_open.pop()
            if not text.startswith(bar, at):
                raise LineError("these bars have no partner; write abs(x) and norm(x)", at)
            at += len(bar)
            power = re.match(r"_\{?(1|2|F|inf)\}?", text[at:]) if bar == "||" else None
            if power:
                at += power.end()
            out.append(f", {power[1]})" if power and power[1] in ("1", "inf") else ")")
            continue
        bar = "||" if text.startswith("||", at) else "|"
        out.append(" norm(" if bar == "||" else " bars(")
        is_open.append(bar)
        at += len(bar)
    if is_open:
        raise LineError("these bars have no partner; write abs(x) and norm(x)", text.index("|"))
    return "".join(out)


def _products(text: str, is_function: Callable[[str], bool]) -> str:
    """2x, w^T w, (a + b)(a - b): a product where two operands stand side by side.

    Between arrays it is the matrix product. `log p` is log(p). A name before a bracket may be a
    function: that is seen later.
    """
    out: list[str] = []
    last, function, before = "", False, ""  # the operand on the left; the operator before it
    divided = False  # whether a / stands before the operand
    outside: list[tuple[str, bool]] = []
    to_close: list[int] = []  # depths at which a bracket that was put in is closed: log det(S)
    for found in _TOKEN.finditer(text):
        token, name, digits = found["token"], found["name"], found["number"]
        starts = bool(name or digits) and token not in _KEYWORDS
        if last and starts and function:
            rest = text[found.end() :].lstrip()
            if name and is_function(token) and rest[:1] == "(":
                out += ["(", token]
                to_close.append(len(outside))
                last, function = token, True
                continue
            if rest[:1] in ("(", "[", ".", "*") or (name and is_function(token)):
                raise LineError(
                    f"write {last}(...): what it is of is not plain", found.start("token")
                )
            out += ["(", token, ")"]
            function, last = False, ")"
            continue
        dotted = bool(out) and out[-1] == "."
        side = starts and not dotted and not (digits and last != ")")
        if token == "(" and last and not function:
            one = not re.match(r"\w{2}", last) or before == "**" or bool(found["space"])
            side = one and (not last[:1].isalpha() or not _has_comma(text, found.end()))
        imaginary = token in ("j", "J") and not found["space"] and last[:1].isdigit()
        if last and side and not imaginary:
            if divided:
                raise LineError(
                    f"{last} {token} after a / can mean two things: write (a/b)*c or a/(b*c)",
                    found.start("token"),
                )
            out.append("*" if last[:1].isdigit() else " @ ")
            before = "*"
        else:
            out.append(found["space"])
        out.append(token)
        if token in "([{":
            outside.append((before, divided))
            last, function, before, divided = "", False, "", False
        elif token in ")]}":
            before, divided = outside.pop() if outside else ("", False)
            last, function = token, False
            if to_close and to_close[-1] == len(outside):
                to_close.pop()
                out.append(")")
        elif starts:
            last, function = token, bool(name) and not dotted and is_function(token)
            bare = token in ("I", "E", "T") and not text[found.end() :].lstrip().startswith("(")
            function = function and not bare
        elif token != ".":
            last, function = "", False
            before = token
            divided = token == "/" or (token == "**" and divided)
        else:
            last = ""
    return "".join(out)


def _has_comma(text: str, at: int) -> bool:
    """Whether a comma stands in the bracket that opens before `at`, outside inner brackets."""
    depth = 1
    for character in text[at:]:
        depth += (character in "([{") - (character in ")]}")
        if depth == 0:
            return False
        if depth == 1 and character == ",":
            return True
    return False
