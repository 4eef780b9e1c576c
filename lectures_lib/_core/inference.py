"""What is said about a likelihood's maximum: standard errors, deviances, or that there is none.

Logistic and softmax regression find their weights in their own `fit`. What comes before it
(checks of parameters and data) and after it stands here, because it is the same for both and no
part of the search. `SearchEnd` is what the search hands over.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.coordinates import Coordinates, standardised
from lectures_lib._core.estimator import (
    ConvergenceWarning,
    LinearClassifier,
    check_fitted,
    training_data,
)
from lectures_lib._core.gram import inverse_of
from lectures_lib._core.lesson import lesson
from lectures_lib._core.normal import normal_quantile
from lectures_lib._core.separability import margins, maximum_exists, separating_direction
from lectures_lib._core.validation import Array, Codes, check_integer, check_number


class SearchEnd(NamedTuple):
    """Where a search ended: weights of the rows of `place`, and the mean objective there.

    `weights` (m, r + 1) has a row for each class but the first, whose row is 0.
    """

    place: Coordinates
    codes: Codes
    n: Array  # the weights of the examples
    weights: Array
    loss: float  # without the penalty
    gradient: Array
    hessian: Array | None  # descent has none
    converged: bool
    n_iter: int


@dataclass(eq=False, repr=False)
class MaximumLikelihood(LinearClassifier):
    """A model with linear log-odds, fitted by maximum likelihood, with or without a penalty."""

    C: float = np.inf
    tol: float = 1e-8
    max_iter: int = 1000

    def _examples(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> tuple[Array, Codes, Array]:
        """Features, codes 0..K-1 and weights, after the parameters have been looked at."""
        if self._penalised:
            check_number(self.C, "C", above=0)
        check_number(self.tol, "tol", above=0)
        check_integer(self.max_iter, "max_iter", at_least=1)
        X_, codes, n = training_data(self, X, y, sample_weight)
        return X_, codes, np.ones(len(codes)) if n is None else n

    @property
    def _penalised(self) -> bool:
        return not (isinstance(self.C, float) and math.isinf(self.C) and self.C > 0)

    def _keep(self, end: SearchEnd, shown: Array, *, may_be_separated: bool = True) -> None:
        """Set the fitted attributes; `shown` (rows, m) makes the rows to show from the searched.

        Warns when the likelihood has no maximum, or when it was not reached.
        """
        self.converged_, self.n_iter_ = end.converged, end.n_iter
        total = float(end.n.sum())
        W = shown @ end.place.to_features(end.weights)
        self.coef_, self.intercept_ = W[:, 1:], W[:, 0]
        self.identified_ = end.place.identified
        self.deviance_ = abs(2 * total * end.loss)  # never -0.0
        shares = np.bincount(end.codes, weights=end.n) / total
        self.null_deviance_ = float(-2 * total * shares @ np.log(shares))
        self._covariance: Array | None = None
        H = None if self._penalised else end.hessian
        inverse = None if H is None else inverse_of(H)
        if self._penalised:
            self._without_errors = "the fit has a penalty (C is finite)"
        elif inverse is None:
            self._without_errors = "they come from Newton's method"
        elif not self.converged_:
            self._without_errors = "the fit has not converged"
        else:
            to_features = end.place.to_features(np.eye(end.weights.shape[1])).T
            T = np.kron(shown, to_features)
            self._covariance = T @ (inverse / total) @ T.T
            unknown = ~np.tile(self.identified_, len(shown))
            self._covariance[unknown] = self._covariance[:, unknown] = np.nan
        if may_be_separated and self._separated(end, shown, inverse):
            return
        if not self.converged_:
            name, descent = type(self).__name__, end.hessian is None
            warnings.warn(
                ConvergenceWarning(
                    f"{name}: solver {'gd' if descent else 'newton'!r} stopped after "
                    f"{self.n_iter_} iterations with a mean gradient of "
                    f"{np.abs(end.gradient).max():.1e}, before tol={self.tol:g} was met. "
                    + ("Standardise the features or raise" if descent else "Raise")
                    + " max_iter or tol"
                    + (f" ({lesson('logistic_training')})." if descent else ".")
                ),
                stacklevel=3,
            )

    def _separated(self, end: SearchEnd, shown: Array, inverse: Array | None) -> bool:
        """Whether the classes are separated, so that there is no maximum; says so, with a proof."""
        place, codes, K = end.place, end.codes, len(self.classes_)
        if self._penalised or (
            inverse is not None and maximum_exists(place.rows, end.gradient, inverse, K)
        ):
            return False
        V = np.vstack([np.zeros(place.rows.shape[1]), end.weights])
        if not margins(place.rows, codes, V).min() > 0:
            if inverse is None:
                if self.converged_:
                    return False
                place = standardised(place.rows, end.n / end.n.sum())  # their last use
            found = separating_direction(place.rows, codes, K)
            if found is None:
                return False
            V = found
        M = margins(place.rows, codes, V)
        V = V / np.max(M, where=np.isfinite(M), initial=0.0)
        self.separating_direction_ = _as_given(shown @ place.to_features(V[1:] - V[0]))
        self.converged_ = False
        self._covariance = None
        self._without_errors = "the classes are separated, so that no maximum exists"
        warnings.warn(
            ConvergenceWarning(
                f"{type(self).__name__}: the classes are {'' if M.min() > 0 else 'quasi-'}"
                "completely separated by a linear function, shown by separating_direction_. Along "
                "it the likelihood grows for ever, so no maximum exists; the coefficients are "
                "those of the last step. A penalty (finite C) gives an optimum; "
                f"{lesson('logistic_inference')} explains both."
            ),
            stacklevel=4,
        )
        return True

    @property
    def covariance_(self) -> Array:
        """Covariance of the estimates: inverse of the Fisher information, biases included."""
        check_fitted(self)
        if self._covariance is None:
            raise AttributeError(f"no standard errors: {self._without_errors}.")
        return self._covariance

    @property
    def standard_errors_(self) -> Array:
        """Standard error of every coefficient, bias first; nan for what the data leave open."""
        variances = np.diag(self.covariance_)
        unknown = np.flatnonzero(~self.identified_)
        if len(unknown):
            names = ["the bias" if j == 0 else f"feature {j - 1}" for j in unknown]
            warnings.warn(
                f"The data do not determine the coefficient of {', '.join(names)}: the Fisher "
                "information is singular (a feature is constant or a combination of others, or "
                "there are more features than examples). Their standard errors are nan; any "
                "coefficients with the same scores fit equally well "
                f"({lesson('logistic_inference')}).",
                stacklevel=2,
            )
        errors = np.sqrt(np.maximum(variances, 0.0))
        return _as_given(errors.reshape(-1, len(self.identified_)))

    @property
    def z_values_(self) -> Array:
        """Coefficient / standard error: about N(0, 1) when the true coefficient is 0."""
        W = _as_given(np.column_stack([self.intercept_, self.coef_]))
        with np.errstate(invalid="ignore"):
            return np.asarray(W / self.standard_errors_)

    def wald_intervals(self, level: float = 0.95) -> Array:
        """Lower and upper ends of the intervals coefficient ± z standard errors, last axis."""
        check_number(level, "level", above=0, at_most=1 - 1e-12)
        half = normal_quantile((1 + level) / 2) * self.standard_errors_
        W = _as_given(np.column_stack([self.intercept_, self.coef_]))
        return np.stack([W - half, W + half], axis=-1)


def _as_given(W: Array) -> Array:
    """Rows (w0, w) as they are given out: a single one without the axis of the classes."""
    return W[0] if len(W) == 1 else W
