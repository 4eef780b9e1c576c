"""Counting right and wrong decisions: the confusion matrix and the four counts of two classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lectures_lib._core.validation import (
    Array,
    Labels,
    check_labels,
    check_number,
    check_weights,
)

Bools = NDArray[np.bool_]


def ratio(part: ArrayLike, whole: ArrayLike) -> Any:
    """part / whole, and NaN where it is 0 / 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.divide(part, whole, dtype=np.float64)[()]


@dataclass(frozen=True, eq=False)
class BinaryCounts:
    """TP, FN, FP, TN, and every rate of the notes as an attribute.

    Rows of the table are the truth, columns the prediction:

                  predicted +   predicted -
        true +        tp            fn
        true -        fp            tn

    The counts are numbers, or arrays (one entry per class, or per threshold). A rate whose
    denominator is 0 is undefined: NaN.

    >>> counts = BinaryCounts(tp=8, fn=2, fp=4, tn=86)
    >>> float(counts.recall), float(counts.precision.round(3))
    (0.8, 0.667)
    """

    tp: Any
    fn: Any
    fp: Any
    tn: Any

    @property
    def n_positive(self) -> Any:
        """N+ = TP + FN."""
        return self.tp + self.fn

    @property
    def n_negative(self) -> Any:
        """N- = TN + FP."""
        return self.tn + self.fp

    @property
    def n(self) -> Any:
        """N = N+ + N-."""
        return self.n_positive + self.n_negative

    @property
    def error(self) -> Any:
        """Share of wrong decisions (FP + FN) / N."""
        return ratio(self.fp + self.fn, self.n)

    @property
    def accuracy(self) -> Any:
        """Share of right decisions (TP + TN) / N = 1 - error."""
        return ratio(self.tp + self.tn, self.n)

    @property
    def recall(self) -> Any:
        """Found share of the positives TP / N+, also called sensitivity or TPR."""
        return ratio(self.tp, self.n_positive)

    @property
    def fnr(self) -> Any:
        """Missed share of the positives FN / N+ = 1 - recall."""
        return ratio(self.fn, self.n_positive)

    @property
    def specificity(self) -> Any:
        """Share of the negatives left alone TN / N- = 1 - FPR."""
        return ratio(self.tn, self.n_negative)

    @property
    def fpr(self) -> Any:
        """False alarms among the negatives FP / N-."""
        return ratio(self.fp, self.n_negative)

    @property
    def precision(self) -> Any:
        """Right share of the positive decisions TP / (TP + FP)."""
        return ratio(self.tp, self.tp + self.fp)

    @property
    def balanced_accuracy(self) -> Any:
        """(recall + specificity) / 2: the accuracy if both classes were equally frequent."""
        return (self.recall + self.specificity) / 2

    def f_m(self, m: float = 1.0) -> Any:
        """F_m = (m + 1) R P / (R + m P), the harmonic mean with weights 1 on P and m on R.

        In counts (m + 1) TP / ((m + 1) TP + m FN + FP). m is beta squared.
        """
        m = check_number(m, "m", at_least=0)
        hits = (m + 1) * self.tp
        return ratio(hits, hits + m * self.fn + self.fp)

    def f_beta(self, beta: float = 1.0) -> Any:
        """F_beta = F_m with m = beta^2: F_2 of most libraries is the notes' F with m = 4."""
        return self.f_m(check_number(beta, "beta", at_least=0) ** 2)


def check_pair(y_true: ArrayLike, y_pred: ArrayLike) -> tuple[Labels, Labels]:
    """Two label arrays of equal length and the same sort of labels."""
    true, pred = check_labels(y_true, "y_true"), check_labels(y_pred, "y_pred")
    if len(true) != len(pred):
        raise ValueError(
            f"y_true and y_pred: found {len(true)} and {len(pred)} labels, expected as many."
        )
    if len(true) == 0:
        raise ValueError("y_true: found 0 labels, expected at least one.")
    if (true.dtype.kind in "USO") != (pred.dtype.kind in "USO"):
        raise ValueError(
            f"y_true and y_pred: found dtypes {true.dtype} and {pred.dtype}, "
            "expected both numbers or both strings."
        )
    return true, pred


def positive_label(classes: Labels, pos_label: Any = None) -> Any:
    """The label that counts as positive: the given one, else the second of two classes."""
    if pos_label is not None:
        if pos_label not in classes.tolist() and not _is_standard(classes, pos_label):
            raise ValueError(f"pos_label: found {pos_label!r}, expected one of {classes.tolist()}.")
        return pos_label
    if len(classes) == 2:
        return classes[1]
    if len(classes) == 1 and _is_standard(classes, 1):
        return 1
    raise ValueError(
        f"pos_label: needed, because the labels {classes.tolist()[:5]} are not two; "
        "or choose average='macro', 'micro' or 'weighted'."
    )


def _is_standard(classes: Labels, pos_label: Any) -> bool:
    """Whether 1 is positive although no example has it, because all labels are 0 / 1 or -1 / 1."""
    return pos_label == 1 and classes.dtype.kind in "biuf" and set(classes.tolist()) <= {-1, 0, 1}


def binary_truth(y_true: ArrayLike, pos_label: Any = None) -> Bools:
    """Mask of the positive examples; both classes must be there."""
    labels = check_labels(y_true, "y_true")
    if len(labels) == 0:
        raise ValueError("y_true: found 0 labels, expected at least one.")
    if labels.dtype.kind in "biuf":  # two passes instead of a sort
        low, high = labels.min(), labels.max()
        positive = labels == high
        if np.count_nonzero(positive) + np.count_nonzero(labels == low) == len(labels) != 0:
            classes = np.unique([low, high])
        else:
            classes = np.unique(labels)
    else:
        classes = np.unique(labels)
    label = positive_label(classes, pos_label)
    positive = np.asarray(labels == label)
    count = np.count_nonzero(positive)
    if count in (0, len(positive)):
        raise ValueError(
            f"y_true: found {count} positive and {len(positive) - count} negative examples, "
            "expected at least one of each."
        )
    return positive


def confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: Literal["true", "pred", "all"] | None = None,
) -> NDArray[Any]:
    """Table M[true, predicted]: how many examples of each class got each label.

    Rows and columns are the sorted labels that occur, or `labels` in the order given (examples
    with another label are then left out). The entries are weights if `sample_weight` is given,
    and shares of the row ("true"), the column ("pred") or everything ("all") with `normalize`.

    >>> confusion_matrix([0, 0, 1, 1, 1], [0, 1, 1, 1, 0])
    array([[1, 1],
           [1, 2]])
    """
    M, classes = confusion_table(y_true, y_pred, sample_weight)
    if labels is not None:
        M = _select(M, classes, labels)
    if normalize is None:
        return M
    if normalize not in {"true", "pred", "all"}:
        raise ValueError(f"normalize: found {normalize!r}, expected 'true', 'pred', 'all' or None.")
    axis = {"true": 1, "pred": 0, "all": None}[normalize]
    totals = M.sum(axis=axis, keepdims=True)
    return np.asarray(np.divide(M, totals, out=np.zeros(M.shape), where=totals != 0))


def confusion_table(
    y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None = None
) -> tuple[NDArray[Any], Labels]:
    """The confusion matrix over all labels that occur, and these labels."""
    true, pred = check_pair(y_true, y_pred)
    weights = None if sample_weight is None else check_weights(sample_weight, len(true))
    if true.dtype.kind in "iub" and pred.dtype.kind in "iub":
        low = min(int(true.min()), int(pred.min()))
        high = max(int(true.max()), int(pred.max()))
        size = high - low + 1
        if size <= 1000 and abs(low) < 2**40:
            return _count_small_integers(true, pred, weights, low, size)
    classes, codes = np.unique(np.concatenate([true, pred]), return_inverse=True)
    if len(classes) > 5000:
        raise ValueError(
            f"y_true, y_pred: found {len(classes)} distinct labels, expected classes (at most 5000)"
        )
    M = _count_pairs(codes[: len(true)], codes[len(true) :], weights, 0, len(classes))
    return M, classes


def _count_small_integers(
    true: Labels, pred: Labels, weights: Array | None, low: int, size: int
) -> tuple[NDArray[Any], Labels]:
    """Count in a table over all values from `low` on, then keep those that occur."""
    table = _count_pairs(true, pred, weights, low, size)
    seen = table if weights is None else _count_pairs(true, pred, None, low, size)
    present = np.flatnonzero(seen.any(axis=0) | seen.any(axis=1))
    dtype = np.result_type(true.dtype, pred.dtype)
    return table[np.ix_(present, present)], (present + low).astype(dtype)


def _count_pairs(
    true: Labels, pred: Labels, weights: Array | None, low: int, size: int
) -> NDArray[Any]:
    """One number per pair (true, predicted), and how often each occurs."""
    pairs = np.multiply(true, size, dtype=np.intp, casting="unsafe")
    np.add(pairs, pred, out=pairs, casting="unsafe")
    pairs -= low * (size + 1)
    return np.bincount(pairs, weights=weights, minlength=size * size).reshape(size, size)


def _select(M: NDArray[Any], classes: Labels, labels: ArrayLike) -> NDArray[Any]:
    """The rows and columns of `labels`; zeros for a label that does not occur."""
    wanted = check_labels(labels, "labels").tolist()
    if len(set(wanted)) != len(wanted) or not wanted:
        raise ValueError(f"labels: found {wanted}, expected distinct labels, at least one.")
    position = {label: i for i, label in enumerate(classes.tolist())}
    rows = [position.get(label, len(classes)) for label in wanted]
    if min(rows) == len(classes):
        raise ValueError(f"labels: found {wanted}, but none of them occurs in {classes.tolist()}.")
    padded = np.pad(M, (0, 1))
    return padded[np.ix_(rows, rows)]


def class_counts(M: ArrayLike) -> BinaryCounts:
    """The four counts of each class against all others, from a confusion matrix.

    >>> class_counts([[5, 1], [2, 4]]).tp
    array([5, 4])
    """
    table = np.asarray(M)
    tp = np.diag(table)
    fn, fp = table.sum(axis=1) - tp, table.sum(axis=0) - tp
    return BinaryCounts(tp=tp, fn=fn, fp=fp, tn=table.sum() - tp - fn - fp)


def binary_counts(y_true: ArrayLike, y_pred: ArrayLike) -> BinaryCounts:
    """TP, FN, FP, TN of the positive class, the second of two.

    >>> counts = binary_counts([0, 0, 1, 1], [0, 1, 1, 1])
    >>> [int(n) for n in (counts.tp, counts.fn, counts.fp, counts.tn)]
    [2, 0, 1, 1]
    """
    M, classes = confusion_table(y_true, y_pred)
    label = positive_label(classes)
    counts = class_counts(np.pad(M, (0, 1)))  # the last class is one that does not occur
    k = classes.tolist().index(label) if label in classes.tolist() else len(classes)
    return BinaryCounts(*(getattr(counts, name)[k] for name in ("tp", "fn", "fp", "tn")))
