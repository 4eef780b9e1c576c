"""Many classes out of two: one-vs-rest, one-vs-one, output codes, around any binary classifier.

    one-vs-rest    K problems, class k against all others;      g_k(x) > 0 is a vote for k
    one-vs-one     K (K - 1) / 2 problems, class i against j;   each gives one vote
    output code    M problems, one per bit of a code word;      the nearest code word wins

Votes leave regions where no class or several classes win. Larger scores settle them, but only if
the scores share a scale: multiplying one g_k by 100 leaves its own boundary where it was and
moves the argmax. `scores="distance"` (g / |w|) and `scores="predict_proba"` are such scales.

The binary classifier gets labels 0 and 1 and needs `decision_function` or `predict_proba`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lectures_lib._core.estimator import Classifier, check_sample_weight, check_X, check_X_y
from lectures_lib._core.meta import fitted_copy
from lectures_lib._core.validation import (
    Array,
    Codes,
    as_generator,
    check_choice,
    check_matrix,
    check_number,
)
from lectures_lib.multiclass._output_codes import hamming_distances, minimum_distance, random_code

__all__ = [
    "OneVsOneClassifier",
    "OneVsRestClassifier",
    "OutputCodeClassifier",
    "class_pairs",
    "hamming_distances",
    "minimum_distance",
    "ovr_decide",
]

# --- from scores to classes ----------------------------------------------------------------------


def class_pairs(n_classes: int) -> list[tuple[int, int]]:
    """The K (K - 1) / 2 pairs (i, j) with i < j, in the order of the one-vs-one problems.

    >>> class_pairs(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return list(combinations(range(n_classes), 2))


def ovr_decide(scores: ArrayLike, rule: str = "argmax") -> Codes:
    """The class of each row of one-vs-rest scores, column k for class k.

    "argmax"  the largest of K scores; the first of equal ones.
    "reject"  K - 1 classes vote (g_k > 0) and an example without any vote gets the last class,
              whose own column is not looked at. Of several votes the largest score wins.
    The two rules are different classifiers: (-0.1, -1, -5) is class 0 for the first and class 2
    for the second.

    >>> ovr_decide([[-0.1, -1, -5]]), ovr_decide([[-0.1, -1, -5]], rule="reject")
    (array([0]), array([2]))
    """
    g = check_matrix(scores, "scores")
    if check_choice(rule, "rule", ("argmax", "reject")) == "argmax":
        return np.asarray(g.argmax(axis=1))
    others = g[:, :-1]
    nobody = ~(others > 0).any(axis=1)
    return np.where(nobody, g.shape[1] - 1, others.argmax(axis=1) if others.shape[1] else 0)


def _ovo_votes(g: Array, n_classes: int) -> NDArray[np.intp]:
    """Votes per class from one-vs-one scores, one column per pair i < j: j if above 0, else i."""
    votes = np.zeros((len(g), n_classes), dtype=np.intp)
    for column, (i, j) in zip(g.T, class_pairs(n_classes), strict=True):
        votes[:, j] += column > 0
        votes[:, i] += column <= 0
    return votes


# --- classifiers ---------------------------------------------------------------------------------


class _Reduction(Classifier):
    """What the three reductions share: copies of one binary classifier, and their scores."""

    _set_last: ClassVar[str] = "estimators_"

    estimator: Any
    estimators_: list[Any]

    def _fit_problem(self, X: Array, y: NDArray[Any], weights: Array | None) -> Any:
        """A fitted copy for one binary problem with labels 0 and 1."""
        if weights is not None:
            check_sample_weight(weights, y.astype(np.intp))
        return fitted_copy(self.estimator, X, y.astype(np.intp), weights)

    def _problem_scores(self, X: ArrayLike, scores: str = "auto") -> Array:
        """One column per binary problem, above 0 for label 1."""
        X_ = check_X(self, X)
        return np.column_stack([_signed_scores(model, X_, scores) for model in self.estimators_])


def _signed_scores(model: Any, X: Array, scores: str = "auto") -> Array:
    """One number per row of a fitted binary model, above 0 where it says classes_[1].

    "decision_function", "predict_proba" (P - 1/2), "distance" (g / |w|, for linear models), or
    "auto", the first of these that the model has.
    """
    known = ("auto", "decision_function", "predict_proba", "distance")
    check_choice(scores, "scores", known)
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


def _weights(sample_weight: ArrayLike | None, codes: Codes) -> Array | None:
    """Checked weights, or None if there are none."""
    return None if sample_weight is None else check_sample_weight(sample_weight, codes)


@dataclass(eq=False, repr=False)
class OneVsRestClassifier(_Reduction):
    """K binary problems, each class against all others.

    rule    "argmax": the largest of the K scores, the first of equal ones; "reject": the first
            K - 1 classes vote, no vote means the last class, and of several votes the largest
            score wins. No classifier is fitted for the last class then.
    scores  "auto" takes decision_function, else P - 1/2; "decision_function", "predict_proba" or
            "distance" (g / |w|, for linear models) ask for one of them. Raw scores of different
            problems need not share a scale; probabilities and distances do.

    `estimators_` has one fitted model per class; for two classes a single one for classes_[1].

    >>> from lectures_lib.datasets import load_iris
    >>> from lectures_lib.logistic import LogisticRegression
    >>> data = load_iris()
    >>> model = OneVsRestClassifier(LogisticRegression(C=1)).fit(data.X, data.y)
    >>> len(model.estimators_), model.predict(data.X[:2])
    (3, array([0, 0]))
    """

    estimator: Any
    rule: str = "argmax"
    scores: str = "auto"

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit one copy of the estimator per class: label 1 for the class, 0 for the rest."""
        check_choice(self.rule, "rule", ("argmax", "reject"))
        X_, codes = check_X_y(self, X, y)
        weights = _weights(sample_weight, codes)
        K = len(self.classes_)
        own = [1] if K == 2 else range(K - 1 if self.rule == "reject" else K)
        self.estimators_ = [self._fit_problem(X_, codes == k, weights) for k in own]
        return self

    def decision_function(self, X: ArrayLike) -> Array:
        """Scores g_k: (N, K), or (N,) for two classes.

        With rule="reject" the last column is 0, or just above it where no other class has a vote.
        """
        g = self._problem_scores(X, self.scores)
        if len(self.classes_) == 2:
            return np.asarray(g[:, 0])
        if self.rule == "reject":
            nobody = ~np.any(g > 0, axis=1)
            last = np.where(nobody, np.finfo(np.float64).tiny, 0.0)
            return np.column_stack([g, last])
        return g

    def votes(self, X: ArrayLike) -> NDArray[np.bool_]:
        """(N, K) table of claims g_k > 0; with "reject" the last class claims what nobody does."""
        g = self._problem_scores(X, self.scores)
        if len(self.classes_) == 2:
            return np.column_stack([g <= 0, g > 0])
        claims = g > 0
        if self.rule == "reject":
            claims = np.column_stack([claims, ~claims.any(axis=1)])
        return claims

    def ambiguous(self, X: ArrayLike) -> NDArray[np.bool_]:
        """Mask of the rows that no class or more than one class claims."""
        return np.asarray(self.votes(X).sum(axis=1) != 1)


@dataclass(eq=False, repr=False)
class OneVsOneClassifier(_Reduction):
    """K (K - 1) / 2 binary problems, one for each pair of classes, on these two classes alone.

    Of equally many votes the class with the largest sum of its scores wins, as in scikit-learn.
    `estimators_` follows the pairs (0, 1), (0, 2), ..., (1, 2), ...; label 1 is the second class.

    >>> from lectures_lib.datasets import load_iris
    >>> from lectures_lib.logistic import LogisticRegression
    >>> data = load_iris()
    >>> model = OneVsOneClassifier(LogisticRegression(C=1)).fit(data.X, data.y)
    >>> len(model.estimators_), model.predict(data.X[:2])
    (3, array([0, 0]))
    """

    estimator: Any

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit one copy of the estimator per pair of classes."""
        X_, codes = check_X_y(self, X, y)
        weights = _weights(sample_weight, codes)
        models = []
        for i, j in class_pairs(len(self.classes_)):
            rows = np.flatnonzero((codes == i) | (codes == j))
            w = None if weights is None else weights[rows]
            models.append(self._fit_problem(X_[rows], codes[rows] == j, w))
        self.estimators_ = models
        return self

    def decision_function(self, X: ArrayLike) -> Array:
        """(N, K): votes, plus a part below 1/3 that breaks ties; (N,) scores for two classes."""
        g, K = self._problem_scores(X), len(self.classes_)
        if K == 2:
            return np.asarray(g[:, 0])
        sums = np.zeros((len(g), K))  # of the scores in favour of each class
        for column, (i, j) in zip(g.T, class_pairs(K), strict=True):
            sums[:, j] += column
            sums[:, i] -= column
        return np.asarray(_ovo_votes(g, K) + sums / (3 * (np.abs(sums) + 1)))

    def votes(self, X: ArrayLike) -> NDArray[np.intp]:
        """(N, K) table of votes; every row sums to K (K - 1) / 2."""
        return _ovo_votes(self._problem_scores(X), len(self.classes_))

    def ambiguous(self, X: ArrayLike) -> NDArray[np.bool_]:
        """Mask of the rows where more than one class has the most votes."""
        votes = self.votes(X)
        return np.asarray((votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1)


@dataclass(eq=False, repr=False)
class OutputCodeClassifier(_Reduction):
    """One binary problem per bit of a random code; the class whose word is nearest wins.

    code_size  bits per class: about code_size * K bits, at least log2 K
    rng        seed of the code, the best of 200 draws

    The nearest word is that with the fewest differing bits, the first of equal ones.
    `code_book_` is the code: where its words differ in D bits or more, (D - 1) // 2 wrong bits
    never change the class.

    >>> from lectures_lib.datasets import load_iris
    >>> from lectures_lib.logistic import LogisticRegression
    >>> data = load_iris()
    >>> model = OutputCodeClassifier(LogisticRegression(C=1), code_size=2).fit(data.X, data.y)
    >>> model.code_book_.shape, minimum_distance(model.code_book_)
    ((3, 6), 4)
    """

    estimator: Any
    code_size: float = 1.5
    rng: int | np.random.Generator = 0

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Draw the code, then fit one copy of the estimator per bit."""
        size, rng = check_number(self.code_size, "code_size", above=0), as_generator(self.rng)
        X_, codes = check_X_y(self, X, y)
        weights = _weights(sample_weight, codes)
        K = len(self.classes_)
        n_bits = max(int(np.ceil(np.log2(K))), round(size * K))
        self.code_book_ = random_code(K, n_bits, rng)
        self.estimators_ = [
            self._fit_problem(X_, column[codes], weights) for column in self.code_book_.T
        ]
        return self

    def predict_bits(self, X: ArrayLike) -> NDArray[np.int8]:
        """(N, M): what each binary model says."""
        return (self._problem_scores(X) > 0).astype(np.int8)

    def decision_function(self, X: ArrayLike) -> Array:
        """(N, K): minus the Hamming distance to the word of each class."""
        ranking = -hamming_distances(self.predict_bits(X), self.code_book_).astype(np.float64)
        return ranking[:, 1] - ranking[:, 0] if len(self.classes_) == 2 else ranking
