"""Formulas between dollar signs in hints and messages: set in a notebook, plain as text."""

from __future__ import annotations

import re

SIGNS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "eta": "η", "mu": "μ", "sigma": "σ", "theta": "θ",
    "pi": "π", "Delta": "Δ", "Phi": "Φ", "Sigma": "Σ", "sum": "Σ", "prod": "Π", "le": "≤",
    "ge": "≥", "ne": "≠", "cdot": "·", "pm": "±", "to": "→", "leftarrow": "←", "infty": "∞",
    "in": "∈", "dots": "…", "angle": "∠", "approx": "≈", "max": "max", "min": "min", "log": "log",
    "exp": "exp", "cos": "cos", "arg": "arg ", "mid": " | ", "xi": "ξ", "underline": "",
    "quad": " ",
    "|": "‖", ",": " ", ";": " ", "!": "", "left": "", "right": "",
}  # fmt: skip
RAISED = str.maketrans("0123456789+-=()Ttn*", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵀᵗⁿ*")
LOWERED = str.maketrans("0123456789+-=()ijkn", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ᵢⱼₖₙ")


def plain(words: str) -> str:
    """The words with every formula in the signs that a line of text has."""
    return re.sub(r"\$([^$]+)\$", lambda found: _flat(found[1]), words)


def _flat(formula: str) -> str:
    formula = re.sub(r"\\frac(?:\{([^{}]*)\}|(\w))\{([^{}]*)\}", _fraction, formula)
    formula = re.sub(
        r"\\sqrt\{([^{}]*)\}|\\sqrt (\w)", lambda m: f"√{_apart(m[1] or m[2])}", formula
    )
    formula = re.sub(r"\\hat ?(\w|\\[A-Za-z]+)", "\\1\N{COMBINING CIRCUMFLEX ACCENT}", formula)
    formula = re.sub(r"\\(?:text|operatorname|underline)\{([^{}]*)\}", r"\1", formula)
    formula = re.sub(r"\\([A-Za-z]+|\W) ?", _sign, formula)
    formula = re.sub(r"\^(?:\{([^{}]*)\}|(\S))", lambda m: _moved(m, RAISED, "^"), formula)
    formula = re.sub(r"_(?:\{([^{}]*)\}|(\w))", lambda m: _moved(m, LOWERED, "_"), formula)
    spaced = re.sub(r"\s*([=≤≥<>≠←→≈])\s*", r" \1 ", formula.replace("-", "−"))
    return " ".join(spaced.split())


def _fraction(found: re.Match[str]) -> str:
    return f"{_apart(found[1] or found[2])}/{_apart(found[3])}"


def _apart(part: str) -> str:
    """A part of a formula in brackets, unless it is one thing."""
    return part if re.fullmatch(r"[\w^]+|\\\|[^|]*\\\|", part) else f"({part})"


def _sign(found: re.Match[str]) -> str:
    sign = SIGNS.get(found[1], found[1])  # a name that is not listed stands as it is
    return f"{sign} " if found[0].endswith(" ") and sign.isalpha() else sign


def _moved(found: re.Match[str], table: dict[int, int], mark: str) -> str:
    part = found[1] or found[2]
    moved = part.translate(table)
    known = all(ord(letter) in table for letter in part)
    return moved if known else f"{mark}{_apart(part)}"
