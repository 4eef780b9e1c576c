"""What a model made of models needs: fresh copies, fitting with weights, scores with a sign."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.validation import Array, check_choice

SCORES = ("auto", "decision_function", "predict_proba", "distance")


def clone(model: Any) -> Any:
    """A new model of the same class with copies of the hyper-parameters, and nothing fitted.

    >>> from lectures_lib.logistic import LogisticRegression
    >>> clone(LogisticRegression(C=3)).C
    3
    """
    if isinstance(model, type) or not hasattr(model, "get_params"):
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


def signed_scores(model: Any, X: Array, scores: str = "auto") -> Array:
    """One number per row of a fitted binary model, above 0 where it says classes_[1].

    "decision_function", "predict_proba" (P - 1/2), "distance" (g / |w|, for linear models), or
    "auto", the first of these that the model has.
    """
    check_choice(scores, "scores", SCORES)
    if scores in {"auto", "decision_function"} and hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(X), dtype=np.float64).reshape(len(X))
    if scores in {"auto", "predict_proba"} and hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X), dtype=np.float64)[:, 1] - 0.5
    if scores == "distance" and hasattr(model, "coef_"):
        length = float(np.linalg.norm(model.coef_))
        if length == 0:
            raise ValueError("scores: found a model with w = 0, which has no distance.")
        return np.asarray(model.decision_function(X), dtype=np.float64).reshape(len(X)) / length
    wanted = {
        "auto": "decision_function or predict_proba",
        "distance": "coef_ (a linear model)",
    }.get(scores, scores)
    raise ValueError(
        f"estimator: {type(model).__name__} has no {wanted}, which scores={scores!r} needs."
    )


def only_if(
    model: Any, method: str, function: Callable[[ArrayLike], Array]
) -> Callable[[ArrayLike], Array]:
    """`function`; AttributeError (so hasattr says no) if the inner model lacks the method."""
    if not hasattr(model, method):
        raise AttributeError(f"{type(model).__name__} has no {method}.")
    return function
