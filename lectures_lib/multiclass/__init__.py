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

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lectures_lib._core.estimator import (
    Array,
    Classifier,
    Codes,
    as_generator,
    check_choice,
    check_matrix,
    check_number,
    check_sample_weight,
    check_X,
    check_X_y,
)
from lectures_lib._core.meta import fitted_copy, only_if, signed_scores
from lectures_lib.multiclass._output_codes import (
    check_code,
    correctable_errors,
    decode,
    exhaustive_code,
    hamming_distances,
    largest_possible_distance,
    minimum_distance,
    one_vs_rest_code,
    random_code,
)

__all__ = [
    "OneVsOneClassifier",
    "OneVsRestClassifier",
    "OutputCodeClassifier",
    "class_pairs",
    "correctable_errors",
    "decode",
    "exhaustive_code",
    "hamming_distances",
    "largest_possible_distance",
    "minimum_distance",
    "one_vs_rest_code",
    "ovo_decide",
    "ovo_votes",
    "ovr_decide",
    "ovr_votes",
    "random_code",
]

# --- from scores to classes ----------------------------------------------------------------------


def class_pairs(n_classes: int) -> list[tuple[int, int]]:
    """The K (K - 1) / 2 pairs (i, j) with i < j, in the order of the one-vs-one problems.

    >>> class_pairs(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return list(combinations(range(n_classes), 2))


def ovr_votes(scores: ArrayLike) -> NDArray[np.bool_]:
    """Which classes claim each example: g_k(x) > 0. Exactly one claim is unambiguous.

    >>> ovr_votes([[0.3, 1.2, -0.5]])
    array([[ True,  True, False]])
    """
    return np.asarray(check_matrix(scores, "scores") > 0)


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


def ovo_votes(scores: ArrayLike, n_classes: int) -> NDArray[np.intp]:
    """Votes per class from one-vs-one scores, one column per pair i < j: j if above 0, else i.

    >>> ovo_votes([[1, 2, 0.5]], 3)
    array([[0, 1, 2]])
    """
    g = check_matrix(scores, "scores")
    pairs = class_pairs(n_classes)
    if g.shape[1] != len(pairs):
        raise ValueError(
            f"scores: found {g.shape[1]} columns, expected {len(pairs)}, one per pair of "
            f"{n_classes} classes."
        )
    votes = np.zeros((len(g), n_classes), dtype=np.intp)
    for column, (i, j) in zip(g.T, pairs, strict=True):
        votes[:, j] += column > 0
        votes[:, i] += column <= 0
    return votes


def ovo_decide(scores: ArrayLike, n_classes: int, tie: str = "score") -> Codes:
    """The class with most votes. Ties: the larger sum of scores ("score") or the first class.

    >>> ovo_decide([[1, 2, 0.5]], 3)
    array([2])
    """
    g = check_matrix(scores, "scores")
    return np.asarray(_ovo_ranking(g, n_classes, tie).argmax(axis=1))


def _ovo_ranking(g: Array, n_classes: int, tie: str) -> Array:
    """Votes plus, with tie="score", a part below 1/3 that grows with the sum of own scores."""
    votes = ovo_votes(g, n_classes).astype(np.float64)
    if check_choice(tie, "tie", ("score", "first")) == "first":
        return votes
    sums = np.zeros_like(votes)
    for column, (i, j) in zip(g.T, class_pairs(n_classes), strict=True):
        sums[:, j] += column
        sums[:, i] -= column
    return np.asarray(votes + sums / (3 * (np.abs(sums) + 1)))


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

    def _problem_scores(self, X: ArrayLike, scores: str) -> Array:
        """One column per binary problem, above 0 for label 1."""
        X_ = check_X(self, X)
        return np.column_stack([signed_scores(model, X_, scores) for model in self.estimators_])


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
        claims = ovr_votes(g)
        if self.rule == "reject":
            claims = np.column_stack([claims, ~claims.any(axis=1)])
        return claims

    def ambiguous(self, X: ArrayLike) -> NDArray[np.bool_]:
        """Mask of the rows that no class or more than one class claims."""
        return np.asarray(self.votes(X).sum(axis=1) != 1)

    @property
    def predict_proba(self) -> Callable[[ArrayLike], Array]:
        """The K probabilities of the binary models, divided by their sum (if they have any)."""
        return only_if(self.estimator, "predict_proba", self._probabilities)

    def _probabilities(self, X: ArrayLike) -> Array:
        X_ = check_X(self, X)
        own = np.column_stack([model.predict_proba(X_)[:, 1] for model in self.estimators_])
        if len(self.classes_) == 2:
            return np.column_stack([1 - own, own])
        if self.rule == "reject":
            raise ValueError("rule: found 'reject', which gives no probabilities; use 'argmax'.")
        sums = own.sum(axis=1, keepdims=True)
        even = np.full_like(own, 1 / own.shape[1])  # where every model says impossible
        return np.asarray(np.divide(own, sums, out=even, where=sums > 0))


@dataclass(eq=False, repr=False)
class OneVsOneClassifier(_Reduction):
    """K (K - 1) / 2 binary problems, one for each pair of classes, on these two classes alone.

    tie     of equally many votes: "score" takes the class with the largest sum of its scores (as
            scikit-learn does), "first" the first class.
    scores  as in OneVsRestClassifier; they matter for ties only.

    `estimators_` follows the pairs (0, 1), (0, 2), ..., (1, 2), ...; label 1 is the second class.

    >>> from lectures_lib.datasets import load_iris
    >>> from lectures_lib.logistic import LogisticRegression
    >>> data = load_iris()
    >>> model = OneVsOneClassifier(LogisticRegression(C=1)).fit(data.X, data.y)
    >>> len(model.estimators_), model.predict(data.X[:2])
    (3, array([0, 0]))
    """

    estimator: Any
    tie: str = "score"
    scores: str = "auto"

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit one copy of the estimator per pair of classes."""
        check_choice(self.tie, "tie", ("score", "first"))
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
        g = self._problem_scores(X, self.scores)
        if len(self.classes_) == 2:
            return np.asarray(g[:, 0])
        return _ovo_ranking(g, len(self.classes_), self.tie)

    def votes(self, X: ArrayLike) -> NDArray[np.intp]:
        """(N, K) table of votes; every row sums to K (K - 1) / 2."""
        return ovo_votes(self._problem_scores(X, self.scores), len(self.classes_))

    def ambiguous(self, X: ArrayLike) -> NDArray[np.bool_]:
        """Mask of the rows where more than one class has the most votes."""
        votes = self.votes(X)
        return np.asarray((votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1)


@dataclass(eq=False, repr=False)
class OutputCodeClassifier(_Reduction):
    """One binary problem per bit of a code; the class whose word is nearest wins.

    code          "random", "exhaustive" (all 2^(K-1) - 1 cuts), "one-vs-rest", or a table of
                  0s and 1s with one row per class of `classes_`
    code_size     bits per class of a random code: about code_size * K bits, at least log2 K
    min_distance  of a random code: at least so many bits between two words, or an error; None
                  takes the best of 200 draws
    decoding      "hamming": fewest differing bits; "scores": the largest sum of score times
                  (2 bit - 1), which weighs sure bits more. The first of equal classes wins.

    `code_book_` is the code, `min_distance_` its distance: (min_distance_ - 1) // 2 wrong bits
    never change the class.

    >>> from lectures_lib.datasets import load_iris
    >>> from lectures_lib.logistic import LogisticRegression
    >>> data = load_iris()
    >>> model = OutputCodeClassifier(LogisticRegression(C=1), code="exhaustive").fit(data.X, data.y)
    >>> model.code_book_.shape, model.min_distance_
    ((3, 3), 2)
    """

    estimator: Any
    code: Any = "random"
    code_size: float = 1.5
    min_distance: int | None = None
    decoding: str = "hamming"
    scores: str = "auto"
    rng: int | np.random.Generator = 0

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Make the code, then fit one copy of the estimator per bit."""
        check_choice(self.decoding, "decoding", ("hamming", "scores"))
        X_, codes = check_X_y(self, X, y)
        weights = _weights(sample_weight, codes)
        self.code_book_ = self._make_code(len(self.classes_))
        self.min_distance_ = minimum_distance(self.code_book_)
        self.estimators_ = [
            self._fit_problem(X_, column[codes], weights) for column in self.code_book_.T
        ]
        return self

    def _make_code(self, K: int) -> NDArray[np.int8]:
        """The code of the parameters, for K classes."""
        if not isinstance(self.code, str):
            return check_code(self.code, K)
        kinds = ("random", "exhaustive", "one-vs-rest")
        if check_choice(self.code, "code", kinds) == "exhaustive":
            return exhaustive_code(K)
        if self.code == "one-vs-rest":
            return one_vs_rest_code(K)
        size = check_number(self.code_size, "code_size", above=0)
        n_bits = max(int(np.ceil(np.log2(K))), round(size * K))
        return random_code(K, n_bits, as_generator(self.rng), self.min_distance)

    def predict_bits(self, X: ArrayLike) -> NDArray[np.int8]:
        """(N, M): what each binary model says."""
        return (self._problem_scores(X, self.scores) > 0).astype(np.int8)

    def decision_function(self, X: ArrayLike) -> Array:
        """(N, K): minus the Hamming distance to each word, or the sum of signed scores."""
        g = self._problem_scores(X, self.scores)
        if self.decoding == "hamming":
            ranking = -hamming_distances(g > 0, self.code_book_).astype(np.float64)
        else:
            ranking = g @ (2.0 * self.code_book_.T - 1.0)
        return ranking[:, 1] - ranking[:, 0] if len(self.classes_) == 2 else ranking
