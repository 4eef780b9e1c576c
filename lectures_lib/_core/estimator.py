"""The conventions of scikit-learn, without scikit-learn: the plumbing behind every model.

How to write a classifier (it then works in Pipeline, GridSearchCV, cross_val_score and clone):

    @dataclass(eq=False, repr=False)                 # both: identity as ==, short repr from here
    class NearestMean(Classifier):                   # or LinearClassifier, see below
        power: float = 2.0                           # hyper-parameters are fields with defaults;
        rng: int | np.random.Generator = 0           # never random_state, never None as "random"

        def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
            check_number(self.power, "power", above=0)         # in fit, never in __init__
            X_, codes = check_X_y(self, X, y)                  # float64 and 0..K-1; sets classes_
            weights = check_sample_weight(sample_weight, codes)  # float64 ones for None
            self.means_: Array = ...                           # fitted attributes end in _
            return self

        def decision_function(self, X: ArrayLike) -> Array:
            X_ = check_X(self, X)                              # fitted? right number of features?
            return ...                                         # (N,) for two classes, else (N, K)

`predict` and `score` come from Classifier: the positive class is classes_[1] and is chosen where
the score is above 0; with more classes the largest score wins, the first of equal ones.
LinearClassifier has decision_function too: it needs coef_ (K, d) and intercept_ (K,), or (1, d)
and (1,) for two classes. `_binary_only: ClassVar[bool] = True` refuses a third class. Mix in
Transformer for models with `transform`. Warn with ConvergenceWarning, in words that say why.
The checks of single arguments are in `validation`.
"""

from __future__ import annotations

import inspect
import sys
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.lesson import lesson
from lectures_lib._core.validation import (
    Array,
    Codes,
    Labels,
    check_labels,
    check_matrix,
    check_weights,
    encode_labels,
)

BEFORE_THE_FIT = {"n_features_in_", "feature_names_in_", "classes_"}  # set by check_X_y


class ConvergenceWarning(UserWarning):
    """An iterative method stopped before it had converged."""


class NotFittedError(ValueError, AttributeError):
    """A model was asked for something that it only knows after `fit`."""


# What scikit-learn calls a parameter: what it is called here, and how that is written.
ELSEWHERE = {
    "random_state": ("rng", "Use rng=0 (a seed or a numpy.random.Generator)"),
    "penalty": ("C", "Use C: finite is the penalty |w|²/2 / C, inf is none"),
    "alpha": ("C", "Use C, the inverse strength of the penalty"),
    "l1_ratio": ("C", "Use C; there is no other penalty than |w|²/2"),
    "class_weight": ("", "Use sample_weight in fit: one weight per example"),
    "fit_intercept": ("", "Leave it out: the bias is always there"),
    "n_jobs": ("", "Leave it out: the fits run on the threads of numpy"),
    "reg_param": ("shrinkage", "Use shrinkage"),
    "solver": ("", "Leave it out: there is one way to the solution here"),
    "store_covariance": ("", "Leave it out: covariance_ is always there"),
}


class _Signpost(type):
    """Tells a reader of scikit-learn what a parameter that does not exist is called here."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        own = {f.name for f in fields(cls)} if is_dataclass(cls) else set(kwargs)
        for name in kwargs:
            if name not in own and name in ELSEWHERE:
                here, advice = ELSEWHERE[name]
                if here and here not in own:
                    advice = "Leave it out: there is nothing like it in this model"
                raise TypeError(
                    f"{cls.__name__} has no parameter {name!r}. {advice}; its parameters are "
                    f"{', '.join(sorted(own))}."
                )
        return super().__call__(*args, **kwargs)

    @property
    def __signature__(cls) -> inspect.Signature:
        """What the constructor takes, which `__call__` above would hide."""
        own = inspect.signature(cls.__init__)  # type: ignore[misc]
        return own.replace(parameters=list(own.parameters.values())[1:])


@dataclass(eq=False, repr=False)
class Estimator(metaclass=_Signpost):
    """A model whose hyper-parameters are its dataclass fields."""

    # Which attribute `fit` sets after all that can fail, where others are set before it.
    _set_last: ClassVar[str] = ""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Hyper-parameters by name; with `deep` also those of models inside, as `outer__inner`."""
        params: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self) if f.init}
        if deep:
            for name, value in list(params.items()):
                if hasattr(value, "get_params") and not isinstance(value, type):
                    inner = value.get_params(deep=True)
                    params.update({f"{name}__{key}": part for key, part in inner.items()})
        return params

    def set_params(self, **params: Any) -> Self:
        """The model itself, with the given hyper-parameters changed."""
        known = self.get_params(deep=False)
        inside: dict[str, dict[str, Any]] = {}
        for key, value in params.items():
            name, _, inner = key.partition("__")
            if name not in known:
                raise ValueError(
                    f"Invalid parameter {name!r} for {type(self).__name__}; "
                    f"expected one of {', '.join(known)}."
                )
            if inner:
                inside.setdefault(name, {})[inner] = value
            else:
                setattr(self, name, value)
        for name, inner_params in inside.items():  # after the outer ones, which may replace a model
            model = getattr(self, name)
            if not hasattr(model, "set_params"):
                raise ValueError(
                    f"Invalid parameter {name}__{next(iter(inner_params))}: "
                    f"{name} is {model!r}, which has no parameters."
                )
            model.set_params(**inner_params)
        return self

    def __repr__(self) -> str:
        """Constructor call with the parameters that differ from their defaults."""
        shown = [
            f"{f.name}={getattr(self, f.name)!r}"
            for f in fields(self)
            if f.init and not _same(getattr(self, f.name), f.default)
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    def __sklearn_tags__(self) -> Any:
        # Only scikit-learn calls this, so it is installed by then.
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            input_tags=InputTags(),
        )


def _same(value: object, default: object) -> bool:
    """Whether a parameter has its default value; arrays never count as equal."""
    if value is default:
        return True
    return (
        type(value) is type(default) and isinstance(value, str | int | float) and value == default
    )


class Classifier(Estimator):
    """A model with labels: `classes_`, `predict` from `decision_function`, `score`."""

    _binary_only: ClassVar[bool] = False

    n_features_in_: int
    classes_: Labels

    def decision_function(self, X: ArrayLike) -> Array:
        """Scores: (N,) for two classes, positive for classes_[1]; otherwise (N, K)."""
        raise NotImplementedError

    def predict(self, X: ArrayLike) -> Labels:
        """Label of every row of `X`."""
        scores = self.decision_function(X)
        codes = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
        labels: Labels = self.classes_[codes]
        return labels

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Accuracy: the share of rows of `X` whose predicted label is the one in `y`."""
        predicted = self.predict(X)
        labels = check_labels(y)
        if (labels.dtype.kind in "USO") != (self.classes_.dtype.kind in "USO"):
            raise ValueError(
                f"y: found labels like {labels.ravel()[:1].tolist()}, expected labels like those "
                f"of the fit, {self.classes_.tolist()[:5]}: numbers and strings are never equal."
            )
        if len(labels) != len(predicted):
            raise ValueError(f"y: found {len(labels)} labels, expected {len(predicted)} as in X.")
        weights = check_weights(sample_weight, len(labels))
        return float(np.average(predicted == labels, weights=weights))

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags

        tags = super().__sklearn_tags__()
        tags.estimator_type = "classifier"
        tags.target_tags.required = True
        tags.classifier_tags = ClassifierTags(multi_class=not self._binary_only)
        return tags


class LinearClassifier(Classifier):
    """A classifier with g(x) = coef_ x + intercept_, one row per class, or one row for two."""

    coef_: Array
    intercept_: Array

    def decision_function(self, X: ArrayLike) -> Array:
        """g(x) = w·x + w0 for every row: (N,) for two classes, otherwise (N, K)."""
        scores: Array = check_X(self, X) @ self.coef_.T + self.intercept_
        return scores[:, 0] if scores.shape[1] == 1 else scores


class Transformer(Estimator):
    """A model with `transform`; adds `fit_transform`, names of columns, and scikit-learn's tags."""

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> Labels:
        """Names of the columns of `transform`: the class in small letters, and a number."""
        check_fitted(self)
        columns = self._columns_out()
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{j}" for j in range(columns)], dtype=object)

    def _columns_out(self) -> int:
        raise NotImplementedError

    def _names_in(self, input_features: ArrayLike | None) -> list[str]:
        """The given names, those of the fit, or x0, x1, ..."""
        check_fitted(self)
        d = vars(self)["n_features_in_"]
        own = vars(self).get("feature_names_in_")
        if input_features is None:
            return [f"x{j}" for j in range(d)] if own is None else [str(name) for name in own]
        names = np.asarray(input_features, dtype=object)
        if names.shape != (d,):
            raise ValueError(
                f"input_features: found {names.size} names, expected {d}; input_features should "
                "have length equal to number of features."
            )
        if own is not None and names.tolist() != own.tolist():
            raise ValueError("input_features is not equal to feature_names_in_, the columns of X.")
        return [str(name) for name in names]

    def fit_transform(self, X: ArrayLike, y: ArrayLike | None = None, **fit_params: Any) -> Array:
        """Fit to the data and return them transformed."""
        fitted: Any = self
        transformed: Array = fitted.fit(X, y, **fit_params).transform(X)
        return transformed

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import TransformerTags

        tags = super().__sklearn_tags__()
        if tags.estimator_type is None:
            tags.estimator_type = "transformer"
        tags.transformer_tags = TransformerTags()
        return tags


def check_X_y(model: Classifier, X: ArrayLike, y: ArrayLike) -> tuple[Array, Codes]:
    """`X` as (N, d) float64 and the labels as codes 0..K-1; sets n_features_in_ and classes_.

    What an earlier fit left is forgotten first, so that a fit that fails leaves no old weights
    beside new classes.
    """
    forget(model)
    matrix = check_matrix(X)
    labels = check_labels(y)
    if len(labels) != len(matrix):
        raise ValueError(
            f"X and y: found {len(matrix)} examples and {len(labels)} labels, expected as many."
        )
    classes, codes = encode_labels(labels)
    if len(classes) == 1:
        raise ValueError(f"y: found one class only ({classes[0]}), expected at least two.")
    if model._binary_only and len(classes) > 2:
        raise ValueError(
            f"Only binary classification is supported. The type of the target is multiclass: "
            f"{type(model).__name__} found {len(classes)} classes in y, expected 2. "
            f"One-vs-rest makes many classes out of two ({lesson('many_classes')})."
        )
    remember_columns(model, X, matrix.shape[1])
    model.classes_ = classes
    return matrix, codes


def forget(model: Estimator) -> None:
    """Delete what `fit` has set: attributes that end in _."""
    for name in [name for name in vars(model) if name.endswith("_")]:
        delattr(model, name)


def column_names(X: object) -> Labels | None:
    """The names of the columns of a DataFrame, if all of them are strings."""
    names = getattr(X, "columns", None)
    if names is None or not all(isinstance(name, str) for name in names):
        return None
    return np.asarray(names, dtype=object)


def remember_columns(model: Any, X: object, d: int) -> None:
    """Set n_features_in_, and feature_names_in_ for a DataFrame."""
    model.n_features_in_ = d
    names = column_names(X)
    if names is not None:
        model.feature_names_in_ = names


def _same_columns(model: Estimator, X: object) -> None:
    """Refuse a DataFrame whose columns are not those of the fit, in that order."""
    expected, found = vars(model).get("feature_names_in_"), column_names(X)
    if expected is None or found is None or expected.tolist() == found.tolist():
        return
    same = sorted(expected) == sorted(found)
    raise ValueError(
        "The feature names should match those that were passed during fit. X: found columns "
        f"{found.tolist()[:8]}, expected {expected.tolist()[:8]}"
        f"{': the same ones in another order' if same else ''}."
    )


def check_fitted(model: Estimator) -> None:
    """Raise NotFittedError unless the model has been fitted, to the end."""
    learned = {name for name in vars(model) if name.endswith("_")} - BEFORE_THE_FIT
    if learned and (not model._set_last or model._set_last in learned):
        return
    message = f"This {type(model).__name__} is not fitted yet: call fit(X, y) first."
    exceptions = sys.modules.get("sklearn.exceptions")
    if exceptions is None:
        raise NotFittedError(message)
    # scikit-learn catches its own class. It is loaded, so give it one that is both.
    both = type("NotFittedError", (NotFittedError, exceptions.NotFittedError), {})
    raise both(message)


def check_X(model: Estimator, X: ArrayLike) -> Array:
    """`X` as (N, d) float64 for a fitted model, with the number of features it was fitted on."""
    check_fitted(model)
    _same_columns(model, X)
    matrix = check_matrix(X)
    expected = vars(model)["n_features_in_"]
    if matrix.shape[1] != expected:
        raise ValueError(
            f"X has {matrix.shape[1]} features, but {type(model).__name__} "
            f"is expecting {expected} features as input."
        )
    return matrix


def check_sample_weight(sample_weight: ArrayLike | None, codes: Labels) -> Array:
    """Weights as (N,) float64, all ones for None; two classes must keep a positive weight."""
    weights = check_weights(sample_weight, len(codes))
    if sample_weight is not None and len(np.unique(codes[weights > 0])) < 2:
        raise ValueError(
            "sample_weight: only one class has a positive weight, expected at least two classes."
        )
    return weights


def training_data(
    model: Classifier, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None
) -> tuple[Array, Codes, Array | None]:
    """Checked data without examples of weight 0; the weights are None if none were given."""
    X_, codes = check_X_y(model, X, y)
    if sample_weight is None:
        return X_, codes, None
    weights = check_sample_weight(sample_weight, codes)
    used = weights > 0
    if used.all():
        return X_, codes, weights
    present, codes = np.unique(codes[used], return_inverse=True)
    model.classes_ = model.classes_[present]
    return X_[used], codes.astype(np.intp), weights[used]
