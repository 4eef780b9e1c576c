"""The sides of what a term stands for, told from its parts."""

from __future__ import annotations

from collections.abc import Mapping

from linecheck.language.domains import Declared
from linecheck.language.terms import Term

SMOOTH = ("exp", "log", "sqrt", "sigma", "tanh", "softplus", "logit", "Phi", "phi", "Phi_inv",
           "hypot")  # fmt: skip
JUMPING = ("abs", "sign", "relu", "max", "min")
_NUMBERS = ("norm", "sum", "prod", "mean", "trace", "det", "len", "delta", "indicator",
            "logsumexp", "hypot", "factorial", "binomial")  # fmt: skip
Shape = tuple[int | str | None, ...]  # None for a side that is not known


class Shapes:
    """Shapes of terms whose names are declared; without declarations nothing is known of names."""

    def __init__(self, declared: Mapping[str, Declared]) -> None:
        self.declared = declared

    def shape(self, term: Term) -> Shape | None:
        """The sides of what a term stands for: () for a number; None when that is not sure."""
        op, args = term.op, term.args
        if op == "name":
            domain = self.declared.get(term.name)
            return domain.shape if domain else () if self.declared else None
        if op in ("number", "compare", "and", "or", "not"):
            return ()
        if op in ("neg", "bind", "**", "/"):
            return self.shape(args[0])
        inner = [self.shape(part) for part in args]
        if op == "call":
            return self.shape_of_call(term, inner)
        known = [one for one in inner if one is not None]
        if len(known) < len(inner) or op == "pairs":
            return None
        if op == "index":
            return known[0][len(args) - 1 :]
        if op == "list":
            return (len(args), *known[0])
        left, right = known
        if op in ("+", "-") or () in known:
            return left or right
        turned = [part.op == "call" and part.name == "transpose" for part in args]
        if len(left) == len(right) == 1:
            if op == "*" and turned[0] == turned[1]:
                return left
            return left + right if turned == [False, True] else ()
        return left[:-1] + right[1:]

    def shape_of_call(self, term: Term, inner: list[Shape | None]) -> Shape | None:
        called, first = term.name, inner[0]
        if called in _NUMBERS or (called in ("max", "min") and len(inner) == 1):
            return ()
        if called in ("ones", "zeros", "eye", "unit"):
            sizes = term.args[:1] if called == "unit" else term.args * (1 + (called == "eye"))
            return tuple(int(p.value) if p.op == "number" else p.name or None for p in sizes)
        if called == "vector" and len(inner) > 1:
            return (len(inner),)
        if None in inner or first is None:
            return None
        if called in ("vector", "matrix"):
            return first
        known = [one for one in inner if one is not None]
        if called == "dot":
            return () if len(first) == len(known[1]) == 1 else first[:-1] + known[1][1:]
        if called == "abs" and term.value and len(first) > 1:
            return ()  # a determinant
        if called in ("outer", "diff"):
            return tuple(side for one in known for side in one)
        if called == "transpose":
            return first[::-1]
        if called == "diag":
            return first * 2 if len(first) == 1 else first[:1]
        if called in ("row", "col"):
            return first[1:] if called == "row" else first[:1]
        if called in (*SMOOTH, *JUMPING, "hadamard", "softmax", "inv"):
            return max(known, key=len)
        return None
