"""What logistic and softmax regression share: parameters, training, and honesty about the end."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.estimator import (
    ConvergenceWarning,
    LinearClassifier,
    as_generator,
    check_choice,
    check_fitted,
    check_integer,
    check_number,
    check_sample_weight,
    check_X_y,
    class_weighted,
)
from lectures_lib._core.lesson import lesson
from lectures_lib._core.likelihood.coordinates import (
    Coordinates,
    plain_coordinates,
    safe_coordinates,
)
from lectures_lib._core.likelihood.descent import (
    Watch,
    bend,
    gradient_descent,
    hessian_bound,
    steepest,
    steepest_single,
    stochastic_gradient,
)
from lectures_lib._core.likelihood.newton import (
    SAMPLE_PER_PARAMETER,
    SETTLED,
    SearchEnd,
    Trail,
    maximise,
    newton,
    quasi_newton,
    settle,
)
from lectures_lib._core.likelihood.separability import (
    normalised,
    separating_direction,
    smallest_margin,
)
from lectures_lib._core.likelihood.terms import Likelihood, many_pairs
from lectures_lib._core.normal import normal_cdf, normal_quantile
from lectures_lib._core.validation import Array, Codes

THEIR_SOLVERS = ("lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga")
LARGEST_HESSIAN = 1_000  # parameters; with more of them gradients have to do
LARGEST_BOUND = 500  # parameters of one class: a bound of their Hessian is still inverted


@dataclass(eq=False, repr=False)
class MaximumLikelihood(LinearClassifier):
    """A model with linear log-odds, fitted by maximum likelihood, with or without a penalty."""

    C: float = np.inf
    class_weight: Any = None
    solver: str = "newton"
    tol: float = 1e-8
    max_iter: int = 1000
    eta0: float | None = None
    learning_rate: str = "constant"
    power_t: float = 0.5
    batch_size: int = 32
    early_stopping: bool = False
    validation_fraction: float = 0.1
    n_iter_no_change: int = 5
    record: bool = False
    rng: int | np.random.Generator = 0

    def _class_metric(self, K: int) -> Array:
        """A (m, m) of the penalty tr(A w w') / (2 C); m is the number of rows that are searched."""
        raise NotImplementedError

    def _gauge(self, W: Array) -> Array:
        """The rows (w0, w) to show, from one row per class; (..., K, d + 1) to (..., m, d + 1)."""
        raise NotImplementedError

    def _without_class_axis(self, W: Array) -> Array:
        """The rows (w0, w) as given out: (..., m, d + 1), for a single row (..., d + 1)."""
        return W

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the coefficients that make the labels `y` most likely; returns the model."""
        self._check_parameters()
        X_, codes = check_X_y(self, X, y)
        given = check_sample_weight(sample_weight, codes)
        weights = given
        if self.class_weight is not None:
            weights = check_sample_weight(
                class_weighted(self, self.class_weight, codes, given), codes
            )
        if (weights == 0).any():  # an example of weight 0 is not there
            X_, codes, weights = X_[weights > 0], codes[weights > 0], weights[weights > 0]
            present, codes = np.unique(codes, return_inverse=True)
            self.classes_ = self.classes_[present]
        self._gauge(np.zeros((len(self.classes_), 1)))  # refuses a wrong reference at once
        rng = as_generator(self.rng)
        held_out = np.zeros(0, dtype=np.intp)
        if self.early_stopping:
            held_out = _some_of_each_class(codes, self.validation_fraction, rng)
        training = np.delete(np.arange(len(codes)), held_out) if len(held_out) else slice(None)
        parts = (X_[training], codes[training], weights[training])
        record = Trail(self.record)
        f, place = self._likelihood(*parts)
        aside = None
        if len(held_out):
            aside, _ = self._likelihood(X_[held_out], codes[held_out], weights[held_out])
            aside.ridge = 0.0
        found = self._search(f, place, aside, record, rng)
        self._keep(f, place, found, record, float(parts[2].sum()))
        self._judge(f, place, found, parts)
        return self

    @property
    def _penalised(self) -> bool:
        return not (isinstance(self.C, float) and math.isinf(self.C) and self.C > 0)

    def _check_parameters(self) -> None:
        if self._penalised:
            check_number(self.C, "C", above=0)
        if self.solver in THEIR_SOLVERS:
            raise ValueError(
                f"solver: found {self.solver!r}, expected one of 'newton', 'gd', 'sgd'. Every "
                "solver of scikit-learn has the same optimum; 'newton' is the one to take here."
            )
        check_choice(self.solver, "solver", ("newton", "gd", "sgd"))
        check_number(self.tol, "tol", above=0)
        check_integer(self.max_iter, "max_iter", at_least=1)
        if self.eta0 is not None:
            check_number(self.eta0, "eta0", above=0)
        check_choice(self.learning_rate, "learning_rate", ("constant", "invscaling"))
        check_number(self.power_t, "power_t", at_least=0)
        check_integer(self.batch_size, "batch_size", at_least=1)
        check_number(self.validation_fraction, "validation_fraction", above=0, at_most=0.9)
        check_integer(self.n_iter_no_change, "n_iter_no_change", at_least=1)
        if self.early_stopping and self.solver == "newton":
            raise ValueError(
                "early_stopping: found True with solver 'newton', which is at the optimum after a "
                "few steps; expected solver 'gd' or 'sgd'."
            )

    def _likelihood(self, X: Array, codes: Codes, weights: Array) -> tuple[Likelihood, Coordinates]:
        """The function to minimise, in coordinates that suit the solver."""
        total = float(weights.sum())
        share = weights / total
        if self.solver == "newton":
            place = safe_coordinates(X, share, penalised=self._penalised)
        else:
            place = plain_coordinates(X)
        K = len(self.classes_)
        f = Likelihood(place.rows, codes, K, share, self._class_metric(K))
        if self._penalised:
            f.ridge = 1 / (self.C * total)
            # The curvature along a coordinate is that of the examples plus that of the penalty.
            place = place._replace(units=np.sqrt(place.units**2 + f.ridges() / bend(f)))
        return f, place

    def _search(
        self,
        f: Likelihood,
        place: Coordinates,
        aside: Likelihood | None,
        record: Trail,
        rng: np.random.Generator,
    ) -> SearchEnd:
        if self.solver == "newton":
            large = bool(np.prod(f.shape) > LARGEST_HESSIAN)
            enough = len(f.codes) > SAMPLE_PER_PARAMETER * np.prod(f.shape)
            if large or (enough and many_pairs(f.K, f.shape[1]) and not self.record):
                return self._by_gradients(f, place.units, record, large)
            if self.record:
                return newton(f, place.units, self.tol, self.max_iter, record=record)
            return maximise(f, place.units, self.tol, self.max_iter)
        watch = Watch(self.n_iter_no_change, self.tol)
        if self.solver == "gd":
            eta = self.eta0 or 1 / steepest(f)
            return gradient_descent(f, eta, self.tol, self.max_iter, aside, watch, record)
        eta0 = self.eta0 or 1 / steepest_single(f)
        power = self.power_t if self.learning_rate == "invscaling" else 0.0
        return stochastic_gradient(
            f,
            lambda t: eta0 / t**power,
            min(self.batch_size, len(f.codes)),
            self.max_iter,
            aside,
            watch,
            record,
            rng,
        )

    def _by_gradients(self, f: Likelihood, units: Array, record: Trail, large: bool) -> SearchEnd:
        """Newton's method where a Hessian is too large, or costs as much as many gradients."""
        start, guess = np.zeros(f.shape), _first_guess(f, units)
        tol = self.tol if large else self.tol / 10  # one Hessian at the end is then enough
        found = quasi_newton(f, units, tol, self.max_iter, start, guess, record, scaled=True)
        if large:
            return found
        if not found.converged:
            return newton(f, units, self.tol, self.max_iter, start=found)
        settle(f, units, found, 10 * SETTLED)  # standard errors to seven digits
        return found

    def _keep(
        self, f: Likelihood, place: Coordinates, found: SearchEnd, record: Trail, total: float
    ) -> None:
        """Set the fitted attributes."""
        self.n_iter_ = found.n_iter
        self.converged_ = found.converged
        W = self._shown(f, found.theta)
        self.coef_, self.intercept_ = W[:, 1:], W[:, 0]
        self.log_likelihood_ = -total * (found.loss - f.penalty(found.theta))
        self.deviance_ = -2 * self.log_likelihood_
        groups = np.bincount(f.codes, weights=f.share)
        self.null_deviance_ = float(-2 * total * groups @ np.log(groups))
        self.identified_ = place.identified
        if self.record:
            if found.theta is not record.thetas[-1] and self.solver == "newton":
                record.thetas[-1] = found.theta  # with the last, free step
            path = np.array([self._shown(f, theta) for theta in record.thetas])
            self.path_ = self._without_class_axis(path)
            self.losses_ = np.array(record.losses)
        self._covariance: Array | None = None
        if self._penalised:
            self._without_errors = "the fit has a penalty (C is finite)"
        elif self.solver != "newton" or found.inverse is None:
            self._without_errors = "they come from Newton's method, with at most 1000 parameters"
        elif not found.converged:
            self._without_errors = "the fit has not converged"
        else:
            self._covariance = self._covariance_shown(f, found.inverse / total)

    def _shown(self, f: Likelihood, theta: Array) -> Array:
        """Rows (w0, w) for the features and the classes as shown, from the searched theta."""
        rows = f.rows.to_features(theta)
        W = np.zeros((f.K, rows.shape[1]))
        W[f.K - len(rows) :] = rows
        return self._gauge(W)

    def _covariance_shown(self, f: Likelihood, covariance: Array) -> Array:
        """Covariance of the shown rows, one after the other; nan where nothing is determined."""
        m, width = f.shape
        to_features = f.rows.to_features(np.eye(width)).T
        to_classes = self._gauge(np.eye(f.K)[:, f.K - m :])
        A = np.kron(to_classes, to_features)
        shown: Array = A @ covariance @ A.T
        unknown = ~np.tile(self.identified_, len(to_classes))
        shown[unknown] = np.nan
        shown[:, unknown] = np.nan
        return shown

    def _judge(
        self, f: Likelihood, place: Coordinates, found: SearchEnd, parts: tuple[Array, Codes, Array]
    ) -> None:
        """Warn when the likelihood has no maximum, or when it was not reached."""
        name = type(self).__name__
        if not (self._penalised or self.early_stopping or found.bounded):
            direction = self._direction(f, place, found, parts)
            if direction is not None:
                theta, where, complete = direction
                self.converged_ = False
                self._covariance = None
                self._without_errors = "the classes are separated, so that no maximum exists"
                self.separating_direction_ = self._without_class_axis(self._shown(where, theta))
                warnings.warn(
                    ConvergenceWarning(
                        f"{name}: the classes are {'' if complete else 'quasi-'}completely "
                        "separated by a linear function, shown by separating_direction_. Along it "
                        "the likelihood grows for ever, so no maximum exists; the coefficients are "
                        f"those of iteration {self.n_iter_}. A penalty (finite C) gives an "
                        f"optimum; {lesson('logistic_inference')} explains both."
                    ),
                    stacklevel=3,
                )
                return
        if not found.converged:
            size = float(np.abs(f.at(found.theta).gradient / place.units).max())
            advice = {
                "newton": "Raise max_iter or tol.",
                "gd": "Standardise the features or raise max_iter or tol "
                f"({lesson('logistic_training')}).",
                "sgd": f"Raise max_iter or tol, or lower eta0 ({lesson('logistic_training')}).",
            }[self.solver]
            warnings.warn(
                ConvergenceWarning(
                    f"{name}: solver {self.solver!r} stopped after {self.n_iter_} iterations with "
                    f"a mean gradient of {size:.1e}, before tol={self.tol:g} was met. {advice}"
                ),
                stacklevel=3,
            )

    def _direction(
        self, f: Likelihood, place: Coordinates, found: SearchEnd, parts: tuple[Array, Codes, Array]
    ) -> tuple[Array, Likelihood, bool] | None:
        """A separating direction, the coordinates it is in, whether every margin is positive."""
        if smallest_margin(f, found.theta) > 0:
            return normalised(f, found.theta), f, True
        X, codes, _ = parts
        if self.solver != "newton":
            if found.converged:
                return None
            place = safe_coordinates(X, f.share, penalised=False)
        K = f.K
        safe = Likelihood(place.rows, codes, K, f.share, np.eye(K - 1))
        if np.prod(safe.shape) > LARGEST_HESSIAN:
            return None
        theta = separating_direction(safe, place.units)
        return None if theta is None else (theta, safe, smallest_margin(safe, theta) > 0)

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
        return self._without_class_axis(errors.reshape(-1, len(self.identified_)))

    @property
    def z_values_(self) -> Array:
        """Coefficient / standard error: about N(0, 1) when the true coefficient is 0."""
        W = self._without_class_axis(np.column_stack([self.intercept_, self.coef_]))
        with np.errstate(invalid="ignore"):
            return np.asarray(W / self.standard_errors_)

    @property
    def p_values_(self) -> Array:
        """Probability of a |z| at least as large when the true coefficient is 0."""
        return np.asarray(2 * normal_cdf(-np.abs(self.z_values_)))

    def wald_intervals(self, level: float = 0.95) -> Array:
        """Lower and upper ends of the intervals coefficient ± z standard errors, last axis."""
        check_number(level, "level", above=0, at_most=1 - 1e-12)
        half = normal_quantile((1 + level) / 2) * self.standard_errors_
        W = self._without_class_axis(np.column_stack([self.intercept_, self.coef_]))
        return np.stack([W - half, W + half], axis=-1)


def _first_guess(f: Likelihood, units: Array) -> Callable[[Array], Array]:
    """The inverse of a bound of the Hessian: A (x) B with A the metric of the classes."""
    classes = np.linalg.inv(f.class_metric)
    if len(units) > LARGEST_BOUND:
        diagonal = bend(f) * units**2  # the ridge is in the units
        return lambda g: (classes @ (g.reshape(f.shape) / diagonal)).ravel()
    features = np.linalg.inv(hessian_bound(f))
    return lambda g: (classes @ g.reshape(f.shape) @ features).ravel()


def _some_of_each_class(codes: Codes, fraction: float, rng: np.random.Generator) -> Codes:
    """Positions of a random part of every class; at least one example of each stays."""
    chosen = []
    for k in np.unique(codes):
        members = rng.permutation(np.flatnonzero(codes == k))
        chosen.append(members[: min(len(members) - 1, int(np.ceil(fraction * len(members))))])
    return np.concatenate(chosen)
