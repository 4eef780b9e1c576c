"""What may be meant where a line has no meaning: told behind what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from linecheck.language.domains import Declared
from linecheck.language.terms import Term, split_bind

_OF_VECTORS = ("dot", "norm", "sum", "prod", "mean", "max", "min", "outer", "transpose", "len")


def hint(term: Term, declared: Mapping[str, Declared]) -> str:
    """A vector for its entry, square brackets for round ones; or nothing."""
    for part in term.walk():
        if part.op == "list" and len(part.args) == 1 and part.args[0].op != "list":
            return "; square brackets make a vector, round ones group"
        if part.op == "index" and part.args[0].op == "number":
            return "; a factor stands in round brackets"
        if part.op == "bind" and len(part.args) > 1:
            _, index = split_bind(part)
            for name in _whole(part.args[0]):
                known = declared.get(name)
                if (
                    known is not None
                    and known.kind == "vector"
                    and part.args[2].name in known.shape
                ):
                    whole = f"; in the sum over {index}, {name} is the whole vector"
                    return f"{whole}: write {name}[{index}]"
    return ""


def _whole(term: Term) -> Iterator[str]:
    """The names in a term that stand there without an index."""
    if term.op == "name":
        yield term.name
    elif term.op == "index" and term.args[0].op == "name":
        for part in term.args[1:]:
            yield from _whole(part)
    elif not (term.op == "call" and term.name in _OF_VECTORS):
        for part in term.args:
            yield from _whole(part)
