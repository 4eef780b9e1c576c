"""Markdown with formulas, written for a terminal: `$\\frac{a}{b}$` becomes `a/b`."""

from __future__ import annotations

import re
from collections.abc import Iterator

COMMANDS = """
alpha=α beta=β gamma=γ delta=δ epsilon=ε eta=η theta=θ lambda=λ mu=μ xi=ξ pi=π sigma=σ phi=φ
Delta=Δ Sigma=Σ Phi=Φ ell=ℓ sum=Σ prod=Π partial=∂ nabla=∇ infty=∞ angle=∠ dots=…
cdot=· times=× pm=± le=≤ ge=≥ ne=≠ ll=≪ gg=≫ in=∈ approx=≈ propto=∝
to=→ downarrow=↓ leftarrow=← Leftrightarrow=⇔ Rightarrow=⇒
Vert=‖ lVert=‖ rVert=‖ lvert=| rvert=| mid=|
"""
SYMBOLS = dict(pair.split("=") for pair in COMMANDS.split())
SYMBOLS |= {"{": "{", "}": "}", ",": " ", " ": " "}
SPACED = set("=<>≤≥≠≈∝←⇔⇒→∈|")  # relations: a space on either side
ACCENTS = {"hat": "\u0302", "tilde": "\u0303", "bar": "\u0304", "underline": "\u0332"}
FONTS = {"mathbb", "mathbf", "boldsymbol", "mathrm", "mathcal", "mathrel", "text"}
SIZES = {"big", "Big"}


def plain(markdown: str) -> str:
    """The same text without dollar signs, emphasis and LaTeX commands."""
    pieces = re.split(r"\$(.*?)\$", markdown)
    for position, piece in enumerate(pieces):
        pieces[position] = _formula(piece) if position % 2 else piece.replace("*", "")
    return "".join(pieces)


def _formula(latex: str) -> str:
    tokens = iter(re.findall(r"\\[A-Za-z]+|\\.|\S", latex))
    text = "".join(_pieces(tokens))
    text = re.sub(r"([ΣΠ](?:[_^](?:\([^()]*\)|.))+)", r" \1 ", text)  # a sum and its limits
    text = re.sub(r" +(?=[_^),.;])|(?<=\() +", "", text)
    return re.sub(r" {2,}", " ", text).strip()


def _pieces(tokens: Iterator[str]) -> Iterator[str]:
    """The pieces up to the end, or up to the brace that closes the group."""
    for token in tokens:
        if token == "}":
            return
        yield _piece(token, tokens)


def _piece(token: str, tokens: Iterator[str]) -> str:
    """One token with the arguments it takes from those that follow."""
    if token == "{":
        return "".join(_pieces(tokens))
    if token in ("_", "^"):
        script = _piece(next(tokens), tokens)
        return token + (script if _stands_alone(script) else f"({script})")
    if not token.startswith("\\"):
        return f" {token} " if token in SPACED else token
    return _command(token[1:], tokens)


def _command(name: str, tokens: Iterator[str]) -> str:
    if name in SIZES:
        return ""
    if name in ACCENTS:
        return _piece(next(tokens), tokens) + ACCENTS[name]
    if name in FONTS:
        return _piece(next(tokens), tokens)
    if name == "operatorname":
        return _piece(next(tokens), tokens) + " "
    if name == "sqrt":
        return "√" + _bracketed(_piece(next(tokens), tokens))
    if name == "frac":
        above = _piece(next(tokens), tokens)
        return f"{_bracketed(above)}/{_bracketed(_piece(next(tokens), tokens))}"
    symbol = SYMBOLS.get(name, f"{name} ")  # log, max, arg keep their names
    return f" {symbol} " if symbol in SPACED else symbol


def _bracketed(text: str) -> str:
    return text if re.fullmatch(r"\w+", text) or _stands_alone(text) else f"({text})"


def _stands_alone(text: str) -> bool:
    """Whether the text is one sign or stands in brackets of its own."""
    return len(text) == 1 or re.fullmatch(r"\([^()]*\)", text) is not None
