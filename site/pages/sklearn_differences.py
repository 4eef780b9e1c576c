"""What differs from scikit-learn: said by the docstrings, and seen in both signatures."""

from __future__ import annotations

import inspect
from typing import Any

import sklearn
from builder.docstrings import passages_with
from builder.markdown import escaped
from builder.public import anchor, modules, public
from sklearn import (
    discriminant_analysis,
    linear_model,
    metrics,
    model_selection,
    multiclass,
    naive_bayes,
    preprocessing,
)

THEIRS = (
    discriminant_analysis, linear_model, metrics, model_selection, multiclass, naive_bayes,
    preprocessing,
)  # fmt: skip
Parameters = dict[str, Any]  # name -> default; `inspect.Parameter.empty` without one


def pages() -> dict[str, str]:
    """The one page of this module."""
    rows = [_name(module, name) for module, names in modules().items() for name in names]
    return {"reference/scikit_learn.md": _head() + "\n".join(row for row in rows if row)}


def _head() -> str:
    return f"""\
# What differs from scikit-learn

Classes and functions that scikit-learn has too carry its names here, for their parameters and their
attributes as well, so that what you learn transfers. The classifiers work in its `Pipeline`,
`GridSearchCV` and `cross_val_score`, and the tests of the course put them to its `check_estimator`;
scikit-learn need not be installed for the course. Where something differs, the documentation says
so. This page collects what it says, and compares the parameters with those of scikit-learn
{sklearn.__version__}.

"""


def _name(module: str, name: str) -> str:
    found = public(module, name)
    if not callable(found):
        return ""
    topic = module.rpartition(".")[2]
    told = passages_with("scikit-learn", inspect.getdoc(found) or "")
    peer = next((getattr(home, name) for home in THEIRS if name in home.__all__), None)
    compared = _compared(_parameters(found), _parameters(peer)) if peer is not None else []
    if not told and not compared:
        return ""
    lines = "\n".join(f"- {line}" for line in told + compared)
    return f"## [{name}](library/{topic}.md#{anchor(module, name)})\n\n{lines}\n"


def _parameters(found: Any) -> Parameters:
    told = inspect.signature(found).parameters.values()
    return {one.name: one.default for one in told if one.kind is not one.VAR_KEYWORD}


def _compared(ours: Parameters, theirs: Parameters) -> list[str]:
    """Sentences on parameters that only one side has, and on defaults that differ."""
    lines = []
    if own := [f"`{name}`" for name in ours if name not in theirs]:
        lines.append(f"Only here: {', '.join(own)}.")
    if missing := [f"`{name}`" for name in theirs if name not in ours]:
        lines.append(f"Only there: {', '.join(missing)}.")
    for name in ours:
        if name in theirs and not _same(ours[name], theirs[name]):
            lines.append(f"`{name}` is {_told(ours[name])} here, {_told(theirs[name])} there.")
    return lines


def _same(one: Any, other: Any) -> bool:
    return one is other or bool(type(one) is type(other) and one == other)


def _told(default: Any) -> str:
    return "required" if default is inspect.Parameter.empty else f"`{escaped(repr(default))}`"
