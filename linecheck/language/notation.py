"""What people type from paper or from NumPy, written as the parser reads it.

Accepted is what can mean one thing only; where there are two readings, the message offers both.
What is already in the language comes back as it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

from linecheck.language.placed import Made, Placed
from linecheck.language.products import products
from linecheck.language.terms import LineError

_CHARACTERS = {
    **dict.fromkeys("−–—‐‑‒﹣－", "-"), **dict.fromkeys("·⋅•∙", "@"), **dict.fromkeys("×∗", "*"),
    **dict.fromkeys("÷∕⁄", "/"), **dict.fromkeys("≤⩽", "<="), **dict.fromkeys("≥⩾", ">="),
    **dict.fromkeys("‖∥", "||"), "＋": "+", "≠": "!=", "＝": "==", "µ": "μ",
    "ᵀ": ".T ", "⊤": "T", "⟨": "dot(", "⟩": ")", "∂": "d", "∞": "inf",
}  # fmt: skip
_FRACTIONS = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_TABLE = str.maketrans(
    _CHARACTERS | {c: f"({unicodedata.normalize('NFKC', c).replace('⁄', '/')})" for c in _FRACTIONS}
)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+-n")
_GREEK = {"σ": "sigma", "Φ": "Phi", "φ": "phi"}
_REWRITTEN: tuple[tuple[str, str], ...] = (
    (r"\b(?:np|numpy|math|scipy)\.(?:linalg\.|special\.)?(?=[A-Za-z])", ""),
    (r"\blambda\b", "lambda_"),
    (r"√", " sqrt "),
    (r"\^\s*(?:\{\s*(?:T|⊤)\s*\}|(?:T|⊤)(?=\w?\b))", ".T "),
    (r"\b([A-Za-z_]\w*)'(?!\s*[('\w]*')(?!\s*\()", r"prime(\1) "),
    (r"^\s*(\w+)\s+in\s*\(([^(),]+),([^(),]+)\)\s*$", r"\2 < \1 < \3"),
    (r"^\s*(\w+)\s+in\s*\[([^\[\],]+),([^\[\],]+)\]\s*$", r"\2 <= \1 <= \3"),
    (r"\b([A-Za-z]\w*)'\((\w+)\)", r"diff(\1(\2), \2)"),
    (r"(?<![=<>!:])=(?![=><])", "=="),
    (r"(^|[=<>+*/@(-])\s*<\s*([^<>=]+?)\s*,\s*([^<>=]+?)\s*>", r"\1dot(\2, \3)"),
    (r"\^\s*\{([^{}]*)\}", r"**(\1)"),
    (r"\^", "**"),
    (r"\b1\s*[\[{]([^\[\]{}:]*[<>=≤≥][^\[\]{}:]*)[\]}]", r"indicator(\1)"),
)


def as_written(line: str, is_function: Callable[[str], bool], known: frozenset[str]) -> Placed:
    """The line with paper's and NumPy's notation replaced; a declared name stays what it is."""
    text = _raised(_greek(Placed.of(re.sub(r"[\r\n\t]", " ", line)), known))
    quoted = re.search(r"(?:^|[^\w)\]])['\"]", text.text) is not None  # a text, not x'
    for pattern, new in _REWRITTEN:
        text = text if quoted and "'" in pattern else text.sub(pattern, new)
    text = _derivative(text).translated(_TABLE)
    if "|" in text.text:
        text = _bars(text)
    return products(_sums(text, known), is_function, known)


def _greek(line: Placed, known: frozenset[str]) -> Placed:
    """σ(z) and Φ(z) are functions, Σ is a sum, unless a symbol has that name."""
    for letter, function in _GREEK.items():
        if letter not in known:
            line = line.sub(rf"(?<![^\W\d]){letter}(?=\W|$)", function)
    summed = _sum_sign(known)
    clash = re.search(r"Σ\s*_\s*(?:\{|\w\s*=|\w_)", line.text) if "Σ" in known else None
    if clash:
        told = "Σ is declared, so it is a name here; write ∑ or sum( ) for the sum"
        raise line.error(told, clash.start())
    line = line.sub(rf"{summed}(?=\s*'?\()", "sum")
    return line.sub(rf"{summed}\s*(?=_)", "sum").sub(rf"{summed}\s*(?=\w_(\w)\b)", "sum_")


def _sum_sign(known: frozenset[str]) -> str:
    """A pattern for ∑, and for a Σ that is not the name of a symbol such as Σ or Σ_k."""
    if "Σ" in known:
        return "∑"
    names = "|".join(re.escape(name) for name in sorted(known) if name.startswith("Σ"))
    return rf"(?:∑|(?!(?:{names})(?!\w))Σ)" if names else "[Σ∑]"


def _raised(line: Placed) -> Placed:
    """x² and S⁻¹; 1½ could be 1 + ½ or 1·½."""
    if mixed := re.search(rf"(\d)\s*([{_FRACTIONS}])", line.text):
        whole, part = mixed[1], mixed[2].translate(_TABLE)[1:-1]
        told = f"`{mixed[0]}` can mean two things: write `({whole} + {part})` or `{whole}*({part})`"
        raise line.error(told, mixed.start())
    made, end = Made(line), 0
    for found in re.finditer(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ]+", line.text):
        made.copy(end, found.start())
        made.put(f"**({found[0].translate(_RAISED)})", *found.span())
        end = found.end()
    made.copy(end, len(line.text))
    return made.placed() if end else line


def _derivative(line: Placed) -> Placed:
    """d/dz f as diff(f, z): of a product, since the derivative of a sum needs brackets."""
    pattern = r"^\s*[d∂]/[d∂](\w+)\s+(?!:)(.+?)(?=\s*(?:[<>=!≤≥≠]|$))"
    found = re.search(pattern, line.text)
    if found is None:
        return line
    by, of = found[1], line.source(*found.span(2))
    end = next(_outside(found[2], "+-−–"), 0)
    if not end and found[2][0] == "(":
        end = _closed(found[2], 0)
        end = end if found[2][end:].strip() else 0
    if end:
        first, rest = found[2][:end].strip(), found[2][end:].strip()
        rest = rest if rest[0] in "+-−–*/^·" else f"*{rest}"
        told = f"`d/d{by} {of}` can mean two things: write `diff({first}, {by}) {rest}` or "
        raise line.error(f"{told}`diff({first} {rest}, {by})`", found.start())
    return line.sub(pattern, r"diff(\2, \1)")


def _outside(text: str, wanted: str) -> Iterator[int]:
    """Where one of the characters stands between two operands, outside all brackets."""
    depth, before = 0, ""
    for k, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character in wanted and depth == 0 and re.match(r"[\w)\]}|]", before):
            yield k
        before = character if character.strip() else before


def _closed(text: str, begin: int) -> int:
    """The place after the bracket that opens at `begin`."""
    depth = 0
    for k in range(begin, len(text)):
        depth += (text[k] in "([{") - (text[k] in ")]}")
        if depth == 0:
            return k + 1
    return len(text)


def _sums(line: Placed, known: frozenset[str]) -> Placed:
    """sum_{i=1}^n of a product as sum(product, i, 1, n); the sum of w_i x_i as one over i."""
    line = line.sub(r"\bsum_(?=(\w)_(\w)\b)", r"sum_\2=1**len(\1) ")
    pattern = (
        r"\bsum_\{?(\w+)\s*=+\s*(\w+)\}?\s*\*\*\s*\(?(\w+(?:\(\w\))?)\)?\s*([^=<>!]*?)\s*"
        r"(?=[=<>!]|$)"
    )
    if found := re.search(pattern, line.text):
        index, first, last, term = found.groups()
        end = _closed(f"({term})", 0) - 2  # a bracket around the whole sum ends it
        cut = next(_outside(term[:end], "+-"), None)
        if cut is None and end == len(term):
            return line.sub(pattern, r"sum(\4, \1, \2, \3) ")
        if cut is not None:
            bounds = f"{index}, {first}, {last}"
            head, rest = term[:cut].strip(), term[cut:end].strip()
            told = f"`{line.source(*found.span())}` can mean two things: write "
            told += f"`sum({head}, {bounds}) {rest}` or `sum({head} {rest}, {bounds})`"
            raise line.error(told, found.start())
    if re.search(rf"\bsum_|{_sum_sign(known)}", line.text):
        raise LineError("a sum is written sum(term, i, first, last), as in sum(w[i]*x[i], i, 1, 3)")
    return line


_NO_PARTNER = "these bars have no partner; write abs(x) and norm(x)"


def _bars(line: Placed) -> Placed:
    """|x| as abs(x), ||x|| as norm(x), ||x||_1 as norm(x, 1): a bar after an operand closes."""
    text = line.text
    made = Made(line)
    is_open: list[str] = []
    at = 0
    before = ""
    while at < len(text):
        if text[at] != "|":
            made.copy(at, at + 1)
            before = text[at] if text[at].strip() else before
            at += 1
            continue
        after_operand = before.isalnum() or (before != "" and before in "_)]")
        if is_open and after_operand:
            bar = is_open.pop()
            if not text.startswith(bar, at):
                raise line.error(_NO_PARTNER, at)
            if bar == "|":
                _one_reading(line, at)
            end = at + len(bar)
            power = re.match(r"_\{?(1|2|F|inf)\}?", text[end:]) if bar == "||" else None
            end += power.end() if power else 0
            kind = power[1] if power and power[1] in ("1", "inf") else ""
            made.put(f", {kind})" if kind else ")", at, end)
            at, before = end, ")"
            continue
        bar = "||" if text.startswith("||", at) else "|"
        made.put(" norm(" if bar == "||" else " bars(", at, at + len(bar))
        is_open.append(bar)
        at, before = at + len(bar), "("
    if is_open:
        raise line.error(_NO_PARTNER, text.index("|"))
    return made.placed()


def _one_reading(line: Placed, at: int) -> None:
    """Of |a|b|c|, where the second bar may also open, both readings are offered."""
    text = line.text
    begin = text.rindex("|", 0, at)
    found = re.match(r"\|\s*([\w(][^|=<>]*?)\s*\|([^|=<>]*[\w)\]])\s*\|", text[at:])
    if found is None or text[at : at + 2] == "||":
        return
    inside, middle, last = text[begin + 1 : at].strip(), found[1], found[2].strip()
    if re.search(r"[+*/@-]$", middle):
        return
    told = f"`{line.source(begin, at + found.end())}` can mean two things: write "
    first = f"abs({inside})*{middle}*abs({last})"
    raise line.error(f"{told}`{first}` or `abs({inside}*abs({middle})*{last})`", begin)
