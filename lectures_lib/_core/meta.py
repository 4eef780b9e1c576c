"""What a model made of models needs: fresh copies, and fitting with weights."""

from __future__ import annotations

import copy
import inspect
from typing import Any

from numpy.typing import ArrayLike

from lectures_lib._core.validation import Array


def clone(model: Any) -> Any:
    """A new model of the same class with copies of the hyper-parameters, and nothing fitted.

    >>> from lectures_lib.logistic import LogisticRegression
    >>> clone(LogisticRegression(C=3)).C
    3
    """
    if not _is_model(model):
        raise TypeError(
            f"estimator: found {model!r}, expected a model with fit and get_params, "
            "such as Perceptron() with its brackets."
        )
    if hasattr(model, "__sklearn_clone__"):  # scikit-learn's own models know how
        return model.__sklearn_clone__()
    parameters = {
        name: clone(value) if _is_model(value) else copy.deepcopy(value)
        for name, value in model.get_params(deep=False).items()
    }
    return type(model)(**parameters)


def _is_model(value: object) -> bool:
    return hasattr(value, "get_params") and not isinstance(value, type)


def fitted_copy(model: Any, X: Array, y: Any, sample_weight: ArrayLike | None) -> Any:
    """A copy of the model, fitted; weights are passed on only if there are any."""
    fresh = clone(model)
    if sample_weight is None:
        return fresh.fit(X, y)
    if "sample_weight" not in inspect.signature(fresh.fit).parameters:
        raise ValueError(
            f"sample_weight: {type(fresh).__name__} has no weights in fit, expected None."
        )
    return fresh.fit(X, y, sample_weight=sample_weight)
