"""What a partial operation asks for, defined once: folding, proving and judging all ask here."""

from __future__ import annotations

from dataclasses import dataclass

from linecheck.expand.graph import Node

# What a need says of its number wherever the line is defined. A power says nothing of its base,
# which may be negative where the exponent is a natural number.
SAYS = {"nonzero": "!=", "positive": ">", "nonnegative": ">="}


_MET = {
    "nonzero": {2: True, -2: True, 0: False},
    "positive": {2: True, 0: False, -1: False, -2: False},
    "nonnegative": {2: True, 1: True, 0: True, -2: False},
}


@dataclass(frozen=True)
class Need:
    """What one partial operation asks for: `kind` of `node`; `exponent` for powers."""

    kind: str  # one of SAYS, one (of probabilities), power, exists (of a derivative)
    node: Node
    told: str
    exponent: Node | None = None


def met(
    kind: str, sign: int | None, exponent: int | None = None, whole: bool = False
) -> bool | None:
    """Whether a need is met, from what is known of a sign; None when that does not decide.

    Signs are 2 (> 0), 1 (>= 0), 0, -1 (<= 0), -2 (< 0) and None. A power is defined for a base > 0,
    for a base 0 with an exponent > 0 (0**a is 0), and for an exponent that is a natural number.
    """
    if kind in _MET:
        return None if sign is None else _MET[kind].get(sign)
    if sign == 2 or whole or (sign in (0, 1) and exponent == 2):
        return True
    undefined = sign == -2 or (sign == 0 and exponent in (0, -1, -2))
    return False if undefined else None
