"""The plumbing of scikit-learn's conventions."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError as TheirNotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags

from lectures_lib._core.estimator import (
    Classifier,
    Estimator,
    LinearClassifier,
    NotFittedError,
    Transformer,
    check_sample_weight,
    check_X,
    check_X_y,
)
from lectures_lib._core.validation import (
    Array,
    DataConversionWarning,
    as_generator,
    check_integer,
    check_matrix,
    check_number,
    encode_labels,
)
from lectures_lib.fisher import FisherDiscriminant
from lectures_lib.gaussian import (
    GaussianNB,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)
from lectures_lib.least_squares import LeastSquaresClassifier
from lectures_lib.logistic import LogisticRegression
from lectures_lib.softmax import SoftmaxRegression

from .sklearn_checks import run_check_estimator


@dataclass(eq=False, repr=False)
class NearestMean(Classifier):
    """Nearest class mean: small enough to show that the plumbing does the rest."""

    power: float = 2.0

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        check_number(self.power, "power", above=0)
        X_, codes = check_X_y(self, X, y)
        weights = check_sample_weight(sample_weight, codes)
        member = (codes[:, None] == np.arange(len(self.classes_))) * weights[:, None]
        kept = member.sum(axis=0) > 0
        self.classes_ = self.classes_[kept]
        self.means_ = (member.T @ X_)[kept] / member.sum(axis=0)[kept, None]
        return self

    def decision_function(self, X: ArrayLike) -> Array:
        X_ = check_X(self, X)
        distances = (np.abs(X_[:, None] - self.means_) ** self.power).sum(axis=2)
        if len(self.classes_) == 2:
            return distances[:, 0] - distances[:, 1]
        return -distances


@dataclass(eq=False, repr=False)
class MeanDifference(LinearClassifier):
    """A linear classifier for two classes only."""

    _binary_only: ClassVar[bool] = True

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        X_, codes = check_X_y(self, X, y)
        below, above = X_[codes == 0].mean(axis=0), X_[codes == 1].mean(axis=0)
        self.coef_ = (above - below)[None]
        self.intercept_ = -self.coef_ @ (above + below) / 2
        return self


@dataclass(eq=False, repr=False)
class Centred(Transformer):
    """A transformer, with another model inside to try nested parameters."""

    scale: float = 1.0
    inner: Any = None

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        X_ = check_matrix(X)
        self.n_features_in_ = X_.shape[1]
        self.mean_ = X_.mean(axis=0)
        return self

    def transform(self, X: ArrayLike) -> Array:
        return (check_X(self, X) - self.mean_) * self.scale


@dataclass(eq=False, repr=False)
class Both(Transformer, MeanDifference):
    """A classifier whose score is also a feature."""

    def transform(self, X: ArrayLike) -> Array:
        return self.decision_function(X)[:, None]


LIKELIHOODS = (LogisticRegression, SoftmaxRegression)
X3 = np.array([[0.0, 0], [0, 1], [4, 0], [4, 1], [0, 8], [0, 9]])
Y3 = np.array([0, 0, 1, 1, 2, 2])


SINGULAR = dict.fromkeys(
    (
        "check_sample_weights_shape",
        "check_sample_weights_not_overwritten",
        "check_sample_weight_equivalence_on_dense_data",
    ),
    "its data have a singular covariance within the classes, so that there is no density",
)
ONE_EXAMPLE = {
    "check_sample_weight_equivalence_on_dense_data": "one of its classes is one example, "
    "repeated: there is nothing to shrink"
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "expected"),
    [
        *((model, {}) for model in (NearestMean(), MeanDifference(), Centred(), Both())),
        (LinearDiscriminantAnalysis(), SINGULAR),
        (LinearDiscriminantAnalysis(shrinkage=0.1), {}),
        (QuadraticDiscriminantAnalysis(), SINGULAR),
        (QuadraticDiscriminantAnalysis(shrinkage=0.1), ONE_EXAMPLE),
        (RegularizedDiscriminantAnalysis(), SINGULAR),
        (RegularizedDiscriminantAnalysis(shrinkage=0.1), {}),
        (GaussianNB(), SINGULAR),
        (GaussianNB(var_smoothing=1e-9), {}),
        (FisherDiscriminant(), SINGULAR),
        (FisherDiscriminant(threshold="midpoint"), SINGULAR),
        (LeastSquaresClassifier(), {}),
        *((model(C=C), {}) for model in LIKELIHOODS for C in (np.inf, 1.0)),
        (LogisticRegression(solver="gd", tol=1e-3), {}),
    ],
    ids=lambda value: "" if isinstance(value, dict) else repr(value),
)
def test_scikit_learn_accepts_the_model(model: Estimator, expected: dict[str, str]) -> None:
    """What a model cannot pass contradicts its mathematics, for the reason that is given."""
    assert run_check_estimator(model, expected) > (50 if hasattr(model, "predict") else 30)


def test_the_helper_fails_on_a_broken_model_and_names_the_check() -> None:
    class Forgetful(NearestMean):
        def predict(self, X: ArrayLike) -> Any:
            return np.zeros(len(np.asarray(X)))

    with pytest.raises(AssertionError, match="check_estimators_nan_inf"):
        run_check_estimator(Forgetful())


def test_the_helper_fails_when_an_expected_failure_passes() -> None:
    with pytest.raises(AssertionError, match="check_fit1d passes"):
        run_check_estimator(NearestMean(), {"check_fit1d": "it does not fail at all"})


def test_scikit_learn_can_clone_search_and_pipe() -> None:
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(20, 2)), rng.normal(size=(20, 2)) + 4])
    y = np.repeat(["no", "yes"], 20)
    assert is_classifier(NearestMean())
    assert clone(LogisticRegression(C=3.0, rng=np.random.default_rng(1))).C == 3.0
    assert cross_val_score(LogisticRegression(C=1.0), X, y, scoring="neg_log_loss").mean() > -0.2
    pipe = make_pipeline(Centred(), NearestMean())
    search = GridSearchCV(pipe, {"nearestmean__power": [1.0, 2.0], "centred__scale": [1.0, 5.0]})
    assert search.fit(X, y).best_score_ > 0.9
    assert "NearestMean" in repr(search.best_estimator_)
    assert "NearestMean" in search._repr_html_inner()


def test_the_repr_shows_what_differs_from_the_defaults() -> None:
    assert repr(NearestMean()) == "NearestMean()"
    assert repr(NearestMean(power=1.5)) == "NearestMean(power=1.5)"
    assert repr(Centred(inner=NearestMean(3.0))) == "Centred(inner=NearestMean(power=3.0))"


def test_nested_parameters_are_read_and_set() -> None:
    model = Centred(inner=NearestMean())
    assert model.get_params()["inner__power"] == 2.0
    assert "inner__power" not in model.get_params(deep=False)
    other = NearestMean()
    model.set_params(inner__power=5.0, inner=other)
    assert model.inner is other
    assert other.power == 5.0
    with pytest.raises(ValueError, match=r"'power' .*Centred.*scale, inner"):
        model.set_params(power=1.0)
    with pytest.raises(ValueError, match=r"scale__low: scale is 1\.0"):
        model.set_params(scale__low=0)


def test_a_model_may_be_a_classifier_and_a_transformer() -> None:
    tags = get_tags(Both())
    assert tags.estimator_type == "classifier"
    assert tags.classifier_tags is not None
    assert tags.transformer_tags is not None
    assert Both().fit_transform(X3[:4], Y3[:4]).shape == (4, 1)


def test_the_unfitted_error_is_also_the_one_scikit_learn_catches() -> None:
    for kind in (NotFittedError, TheirNotFittedError):
        with pytest.raises(kind, match="NearestMean is not fitted"):
            NearestMean().predict(X3)


@pytest.mark.parametrize(
    "y",
    [
        Y3,
        Y3.tolist(),
        Y3 * 1.0,
        Y3.astype(np.uint8),
        Y3 - 1,
        Y3 * 10**12,
        np.array(["a", "b", "c"])[Y3],
        np.array(["a", "b", "c"], dtype=object)[Y3],
        Y3.astype(object),
    ],
    ids=["int", "list", "float", "uint8", "negative", "large", "str", "objects", "int objects"],
)
def test_any_sort_of_label_comes_back_from_predict(y: Any) -> None:
    model = NearestMean().fit(X3, y)
    assert (model.predict(X3) == np.asarray(y)).all()
    assert model.score(X3, y) == 1
    assert (model.classes_ == np.unique(np.asarray(y))).all()


def test_boolean_labels_work_and_true_is_the_positive_class() -> None:
    model = MeanDifference().fit(X3[:4], [False, False, True, True])
    assert model.classes_.tolist() == [False, True]
    assert model.decision_function([[9, 0]])[0] > 0
    assert model.predict([[9, 0]]).dtype == bool


def test_float64_is_not_copied_and_float32_is_computed_in_float64() -> None:
    assert check_matrix(X3) is X3
    assert check_matrix(X3.astype(np.float32)).dtype == np.float64


BAD_X = [
    ([[1, np.nan]] * 4, ValueError, "X: found NaN at row 0, column 1"),
    ([[1, -np.inf]] * 4, ValueError, "X: found inf .* row 0, column 1"),
    ([1, 2, 3, 4], ValueError, "X: found .* 1 dim.*expected 2 .*Reshape your data"),
    (np.zeros((4, 2, 2)), ValueError, "X: found .* 3 dim"),
    (np.zeros((0, 2)), ValueError, "X: found 0 sample"),
    (np.zeros((4, 0)), ValueError, "X: found 0 feature"),
    ([["a", "b"]] * 4, ValueError, "X: found dtype <U1"),
    ([[1], [2, 3], [4], [5]], ValueError, "X: found rows of different lengths"),
    (np.array([["a", 1]] * 4, dtype=object), ValueError, "X: expected real numbers"),
    (np.array([[{}, 1]] * 4, dtype=object), TypeError, "X: expected real numbers"),
    (np.ones((4, 2)) * 1j, ValueError, "Complex data.*X .*complex128"),
    (np.array([["2020-01-01"]] * 4, dtype="datetime64[D]"), ValueError, "X: found dtype datetime"),
    (np.ma.masked_equal(np.eye(4), 1), ValueError, "X: found masked"),
    (None, ValueError, "X: found None"),
    (np.zeros((3, 2)), ValueError, "found 3 examples and 4 labels"),
    (csr_array(X3[:4]), TypeError, "Sparse data.*X is a csr_array"),
]


@pytest.mark.parametrize(("X", "kind", "message"), BAD_X)
def test_bad_data_is_refused_by_name(X: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        NearestMean().fit(X, [0, 0, 1, 1])


BAD_Y = [
    ([0, 0, 0, 0], "y: found one class only .*0"),
    ([0.5, 1, 2, 3], "continuous.* y holds 0.5"),
    ([0, 1, np.nan, 1], "y: found NaN at position 2"),
    (["a", "b", None, "a"], "y: found a missing label .*None"),
    (np.array(["a", 1, "b", 2], dtype=object), "unknown.* y holds int, str"),
    (np.array([{}, {}, [], []], dtype=object), "y"),
    ([[0, 1]] * 4, r"y: found shape \(4, 2\)"),
    (None, "y .*None"),
    ([1j, 0, 1, 0], "Complex data.* y"),
    ([0, 1, 1], "found 4 examples and 3 labels"),
]


@pytest.mark.parametrize(("y", "message"), BAD_Y)
def test_bad_labels_are_refused_by_name(y: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        NearestMean().fit(X3[:4], y)


def test_a_third_class_is_refused_by_a_binary_model() -> None:
    with pytest.raises(ValueError, match="3 classes in y, expected 2"):
        MeanDifference().fit(X3, Y3)


def test_a_column_of_labels_is_used_with_a_warning() -> None:
    with pytest.warns(DataConversionWarning, match=r"found shape \(6, 1\)"):
        model = NearestMean().fit(X3, Y3[:, None])
    assert model.score(X3, Y3) == 1


def test_a_fit_without_trouble_warns_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        NearestMean().fit(X3 * 1e300, Y3)  # the sum that looks for NaN overflows on the way


BAD_WEIGHTS = [
    ([1, 2], "sample_weight: found 2 entries, expected 6"),
    (np.ones((6, 1)), r"sample_weight: found shape \(6, 1\)"),
    ([1, 1, 1, 1, 1, -1], "sample_weight: found -1, expected no negative"),
    ([0] * 6, "sample_weight: every weight is zero"),
    ([1, 1, 0, 0, 0, 0], "sample_weight: only one class has a positive weight"),
    ([1, 1, 1, np.nan, 1, 1], "sample_weight: found NaN"),
]


@pytest.mark.parametrize(("weights", "message"), BAD_WEIGHTS)
def test_bad_weights_are_refused_by_name(weights: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        NearestMean().fit(X3, Y3, sample_weight=weights)


def test_the_score_is_the_weighted_share_of_right_labels() -> None:
    model = NearestMean().fit(X3, Y3)
    wrong_last = [0, 0, 1, 1, 2, 0]
    assert model.score(X3, wrong_last) == pytest.approx(5 / 6)
    assert model.score(X3, wrong_last, sample_weight=[1, 1, 1, 1, 1, 5]) == pytest.approx(0.5)
    with pytest.raises(ValueError, match="y: found 2 labels, expected 6"):
        model.score(X3, [0, 1])


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64, bool, float, str])
@pytest.mark.parametrize("y", [range(-3, 4), [-128, 127, 0], [127, -128], [5, 1000, 7]])
def test_label_codes_agree_with_numpy_unique(dtype: Any, y: Any) -> None:
    labels = np.array([*y, *y]).astype(dtype)
    classes, codes = encode_labels(labels)
    expected, inverse = np.unique(labels, return_inverse=True)
    assert classes.dtype == labels.dtype
    assert (classes == expected).all()
    assert (codes == inverse).all()


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: check_number(np.inf, "eta0"), ValueError, "eta0: found inf.*finite"),
        (lambda: check_number(True, "eta0"), TypeError, "eta0: found True"),
        (lambda: check_number(-1, "a", at_least=0), ValueError, "a: found -1.* at least 0"),
        (lambda: check_number(2.5, "a", at_most=2), ValueError, "a: found 2.5.* at most 2"),
        (lambda: check_integer(1.0, "max_iter", at_least=1), TypeError, "max_iter: found 1.0"),
        (lambda: check_integer(True, "max_iter", at_least=1), TypeError, "max_iter: found True"),
    ],
)
def test_numbers_that_no_parameter_takes_are_refused_by_name(
    call: Callable, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        call()


def test_numbers_and_integers_of_numpy_are_taken_up_to_their_bounds() -> None:
    assert check_number(np.float32(2), "eta0", above=0, at_most=2) == 2
    assert check_number(0, "eta0", at_least=0) == 0
    assert check_integer(np.int32(1), "max_iter", at_least=1) == 1


def test_a_seed_repeats_and_a_generator_goes_on() -> None:
    assert as_generator(3).random() == as_generator(3).random()
    generator = np.random.default_rng(3)
    assert as_generator(generator) is generator
    for bad in (None, -1, "0", 1.0, True):
        with pytest.raises(TypeError, match=r"rng: found .*expected a seed"):
            as_generator(bad)  # type: ignore[arg-type]
