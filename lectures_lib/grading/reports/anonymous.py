"""Code without its writer: comments, texts and every name that is not the course's are taken out.

It is read sign by sign, never parsed or run. What is left are words of Python, NumPy and the
exercise, single letters, signs, and short numbers; every other name becomes `name1`, `name2`, …
"""

from __future__ import annotations

import builtins
import itertools
import keyword
import math
import re
from collections.abc import Collection
from functools import cache

import numpy as np

from lectures_lib.checks.kinds.expression import Expression
from lectures_lib.checks.kinds.function import Function
from lectures_lib.checks.registry import find
from lectures_lib.checks.writing.edits import source_of

TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)
    | (?P<text>[rbuftRBUFT]{0,2}(?: '{3}(?:[^\\]|\\.)*?(?:'{3}|\Z) | "{3}(?:[^\\]|\\.)*?(?:"{3}|\Z)
                                  | '(?:[^'\\\n]|\\.)*+'? | "(?:[^"\\\n]|\\.)*+"? ))
    | (?P<number>\.?\d[\w.]*)
    | (?P<word>\w+)
    | (?P<space>[ \n]+)
    | (?P<sign>[!-/:-@\[-`{-~])
    | .""",
    re.VERBOSE | re.DOTALL,
)
NUMBER = re.compile(r"10*|\d{1,5}(?:[eE]\d{0,3}|j)?|\d*\.\d*(?:[eE]\d{0,3}|j)?")
OWNERS = (builtins, math, itertools, str, list, dict, set, tuple, np, np.linalg, np.random,
          np.ndarray, np.random.Generator)  # fmt: skip
OTHERS = """np numpy math itertools functools scipy sympy self cls axis keepdims dtype out where
    initial key reverse default sep end copy order size shape loc scale rng seed full_matrices
    hermitian rcond return_counts return_index return_inverse decimals kind side endpoint nan
    posinf neginf ddof lectures_lib checks check hint raises an error array inf"""


@cache
def _known() -> frozenset[str]:
    """The words of Python and NumPy."""
    found = {name for owner in OWNERS for name in dir(owner)}
    return frozenset({*found, *keyword.kwlist, *keyword.softkwlist, *OTHERS.split()})


@cache
def vocabulary(identity: str) -> frozenset[str]:
    """The words of an exercise: what its answers are called, and those of its references."""
    exercise = find(identity)
    texts = [*exercise.names]
    for part in exercise.parts:
        if isinstance(part, Function | Expression):
            texts.append(source_of(part.reference))
    return frozenset(word for text in texts for word in re.findall(r"\w+", text))


def anonymous(text: str, words: Collection[str] = ()) -> str:
    """The text with nothing in it but the known words, and these."""
    known, names = _known() | set(words), dict[str, str]()

    def shown(found: re.Match[str]) -> str:
        kind, token = found.lastgroup, found[0]
        if kind == "text":  # one of the task's own words stays
            return f'"{inner}"' if (inner := token.strip("'\"")) in words else '"…"'
        if kind == "number":
            return token if NUMBER.fullmatch(token) else "…"
        if kind == "word" and token not in known and len(token) > 1:
            return names.setdefault(token, f"name{len(names) + 1}")
        return token if kind in ("word", "space", "sign") else ""

    lines = [line.rstrip() for line in TOKEN.sub(shown, text.expandtabs(4)).split("\n")]
    return "\n".join(line for line in lines if line.strip() not in ("", '"…"'))
