"""Checks of arguments. Every message names the argument, what was found and what was expected.

    X = check_matrix(X)                      (N, d) float64, finite, at least one row and column
    w = check_vector(w, "w", length=d)       (d,) float64, finite
    s = check_signs(s, N)                    (N,) float64 of -1 and +1
    check_number(eta0, "eta0", above=0)      one finite number, with optional bounds
    check_integer(max_iter, "max_iter", at_least=1)
    check_choice(tie, "tie", ("update", "positive"))
    rng = as_generator(rng)                  from a seed or a Generator; None is refused

Nothing here changes its argument. Integers, booleans, float32, lists, read-only, non-contiguous
and Fortran-ordered arrays are accepted; a float64 array is returned as it is, without a copy.
"""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Labels = NDArray[Any]
Codes = NDArray[np.intp]


class DataConversionWarning(UserWarning):
    """The data had a shape that could only be understood by changing it."""


def _refuse_special_kinds(values: object, name: str) -> None:
    """Raise for sparse matrices and masked arrays, which np.asarray would misread in silence."""
    if hasattr(values, "tocsr"):
        raise TypeError(
            f"Sparse data is not supported: {name} is a {type(values).__name__}, "
            f"expected a dense array. Pass {name}.toarray()."
        )
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(f"{name}: found masked (missing) entries, expected complete data.")


def as_float(values: ArrayLike, name: str) -> Array:
    """float64 array of any shape; raises when an entry is no real number."""
    if values is None:
        raise ValueError(f"{name}: found None, expected an array of real numbers.")
    _refuse_special_kinds(values, name)
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name}: found rows of different lengths, expected an array.") from error
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {name} has dtype {array.dtype}.")
    if array.dtype.kind in "USmM":
        raise ValueError(f"{name}: found dtype {array.dtype}, expected real numbers.")
    try:
        return np.asarray(array, dtype=np.float64)
    except OverflowError as error:
        raise ValueError(
            f"{name}: found a whole number too large for a float, expected numbers below 1e308."
        ) from error
    except (TypeError, ValueError) as error:
        if type(error).__name__ == "TypeError" and "NAType" in str(error):
            raise ValueError(
                f"{name}: found <NA> (a missing value), expected finite numbers."
            ) from error
        message = f"{name}: expected real numbers, but {error}"
        raise type(error)(message) from error


def _require_finite(array: Array, name: str) -> None:
    flat = array.ravel(order="K")
    with np.errstate(all="ignore"):
        if np.isfinite(flat @ flat):  # the fastest pass; an infinite sum may be overflow
            return
    bad = np.argwhere(~np.isfinite(array))
    if len(bad) == 0:
        return
    where = tuple(int(i) for i in bad[0])
    found = "NaN" if np.isnan(array[where]) else "inf (infinity)"
    place = f"row {where[0]}, column {where[1]}" if array.ndim == 2 else f"position {where[0]}"
    raise ValueError(f"{name}: found {found} at {place}, expected finite numbers.")


def check_matrix(X: ArrayLike, name: str = "X", *, columns: int | None = None) -> Array:
    """`X` as a finite float64 array of shape (N, d) with N >= 1 and d >= 1."""
    array = as_float(X, name)
    if array.ndim != 2:
        raise ValueError(
            f"{name}: found an array with {array.ndim} dimension(s), shape {array.shape}; "
            "expected 2 dimensions (N examples, d features). Reshape your data with "
            "reshape(-1, 1) for one feature or reshape(1, -1) for one example."
        )
    if array.shape[0] == 0:
        raise ValueError(
            f"{name}: found 0 sample(s) (shape={array.shape}) while a minimum of 1 is required."
        )
    if array.shape[1] == 0:
        raise ValueError(
            f"{name}: found 0 feature(s) (shape={array.shape}) while a minimum of 1 is required."
        )
    if columns is not None and array.shape[1] != columns:
        raise ValueError(f"{name}: found {array.shape[1]} columns, expected {columns}.")
    _require_finite(array, name)
    return array


def check_vector(v: ArrayLike, name: str, *, length: int | None = None) -> Array:
    """`v` as a finite float64 array of shape (length,)."""
    array = as_float(v, name)
    if array.ndim != 1:
        raise ValueError(f"{name}: found shape {array.shape}, expected one dimension.")
    if length is not None and len(array) != length:
        raise ValueError(f"{name}: found {len(array)} entries, expected {length}.")
    _require_finite(array, name)
    return array


def check_signs(s: ArrayLike, length: int, name: str = "s") -> Array:
    """`s` as a float64 array of shape (length,) that holds -1 and +1 only."""
    signs = check_vector(s, name, length=length)
    strange = signs[np.abs(signs) != 1]
    if len(strange):
        raise ValueError(
            f"{name}: found {strange[0]:g}, expected -1 and +1 only (s = 2y - 1 for labels 0 and 1)"
        )
    return signs


def check_labels(y: ArrayLike, name: str = "y") -> Labels:
    """`y` as a one-dimensional array of labels: integers, booleans, strings, whole floats."""
    if y is None:
        raise ValueError(f"a classifier requires y to be passed, but the target {name} is None.")
    _refuse_special_kinds(y, name)
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        warnings.warn(
            DataConversionWarning(
                f"A column-vector {name} was passed when a 1d array was expected: found shape "
                f"{labels.shape}, used as shape {(len(labels),)}."
            ),
            stacklevel=4,
        )
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise ValueError(f"{name}: found shape {labels.shape}, expected one label per example.")
    kind = labels.dtype.kind
    if kind == "c":
        raise ValueError(f"Complex data not supported: {name} has dtype {labels.dtype}.")
    if kind == "f":
        _require_finite(labels.astype(np.float64), name)
        whole = labels == np.floor(labels)
        if not whole.all():
            raise ValueError(
                f"Unknown label type: continuous. {name} holds {labels[~whole][0]:g}, "
                "expected class labels (integers, strings or booleans)."
            )
    if kind == "O":
        labels = _plain_labels(labels, name)
    return labels


def _plain_labels(labels: Labels, name: str) -> Labels:
    """Labels out of an array of Python objects, which must all be of one sort."""
    missing = [entry for entry in labels if _is_missing(entry)]
    if missing:
        raise ValueError(f"{name}: found a missing label ({missing[0]}), expected a label.")
    plain = np.asarray(labels.tolist())
    are_strings = {isinstance(entry, str) for entry in labels}
    if len(are_strings) > 1 or plain.ndim != 1 or plain.dtype.kind not in "biufU":
        sorts = sorted({type(entry).__name__ for entry in labels})
        raise ValueError(
            f"Unknown label type: unknown. {name} holds {', '.join(sorts)}; "
            "expected labels of one sort: integers, strings or booleans."
        )
    if are_strings == {True}:
        return labels
    return check_labels(plain, name)


def _is_missing(entry: Any) -> bool:
    """None, NaN, or pandas' NA, which is neither equal to itself nor different."""
    return entry is None or type(entry).__name__ == "NAType" or bool(entry != entry)


def encode_labels(y: Labels) -> tuple[Labels, Codes]:
    """Sorted distinct labels, and for every entry of `y` the position of its label among them."""
    if y.dtype.kind in "iub" and len(y):
        low, high = int(y.min()), int(y.max())
        if high - low <= 1000 and abs(low) < 2**62:  # a table of all values is faster than a sort
            shifted = np.subtract(y, low, dtype=np.intp, casting="unsafe") if low else y
            present = np.bincount(shifted.astype(np.intp, copy=False)) > 0
            position = np.cumsum(present, dtype=np.intp) - 1
            classes = (np.flatnonzero(present) + low).astype(y.dtype)
            return classes, position[shifted.astype(np.intp, copy=False)]
    classes, codes = np.unique(y, return_inverse=True)
    return classes, codes.astype(np.intp, copy=False)


def check_weights(sample_weight: ArrayLike | None, length: int) -> Array:
    """Weights as a float64 array of shape (length,), all ones for None; none may be negative."""
    if sample_weight is None:
        return np.ones(length)
    weights = check_vector(sample_weight, "sample_weight", length=length)
    if weights.min() < 0:
        raise ValueError(f"sample_weight: found {weights.min():g}, expected no negative weight.")
    if weights.max() == 0:
        raise ValueError("sample_weight: every weight is zero, expected a positive one.")
    return weights


def sum_tolerance(p: ArrayLike) -> float:
    """By how much probabilities may miss the sum 1: what is known of float32 numbers is less."""
    coarse = getattr(p, "dtype", None) in (np.dtype(np.float32), np.dtype(np.float16))
    return 1e-3 if getattr(p, "dtype", None) == np.float16 else 1e-5 if coarse else 1e-9


def check_priors(priors: ArrayLike, K: int, name: str = "priors") -> Array:
    """`priors` as K positive probabilities that sum to 1."""
    pi = check_vector(priors, name, length=K)
    if pi.min() <= 0 or abs(pi.sum() - 1) > sum_tolerance(priors):
        raise ValueError(
            f"{name}: found {pi.tolist()} with sum {pi.sum():.12g}, expected {K} positive numbers "
            "with sum 1, in the order of classes_."
        )
    return pi


def check_covariance(covariance: ArrayLike, name: str = "covariance") -> Array:
    """A symmetric matrix without negative variances.

    Symmetry is judged entry by entry against sqrt(S_ii S_jj), so units do not matter.
    """
    S = check_matrix(covariance, name)
    if S.shape[0] != S.shape[1]:
        raise ValueError(f"{name}: found shape {S.shape}, expected a square matrix.")
    variances = np.diag(S)
    if (variances < 0).any():
        raise ValueError(f"{name}: found a negative variance, expected v^T S v >= 0.")
    widths = np.sqrt(variances)
    if (np.abs(S - S.T) > 1e-9 * np.outer(widths, widths)).any():
        raise ValueError(f"{name}: found an asymmetric matrix, expected S = S^T.")
    return S


def check_number(
    value: object,
    name: str,
    *,
    above: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
) -> float:
    """`value` as a finite float inside the bounds that are given."""
    expected = "a finite number"
    expected += "" if above is None else f" above {above:g}"
    expected += "" if at_least is None else f" of at least {at_least:g}"
    expected += "" if at_most is None else f" and at most {at_most:g}"
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name}: found {value!r}, expected {expected}.")
    number = float(value)
    too_low = (above is not None and number <= above) or (
        at_least is not None and number < at_least
    )
    if not np.isfinite(number) or too_low or (at_most is not None and number > at_most):
        raise ValueError(f"{name}: found {value!r}, expected {expected}.")
    return number


def check_integer(value: object, name: str, *, at_least: int) -> int:
    """`value` as an int of at least `at_least`."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name}: found {value!r}, expected an integer of at least {at_least}.")
    if value < at_least:
        raise ValueError(f"{name}: found {value!r}, expected an integer of at least {at_least}.")
    return int(value)


def check_choice(value: object, name: str, choices: Iterable[str]) -> str:
    """`value`, which must be one of the strings `choices`."""
    allowed = tuple(choices)
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(
            f"{name}: found {value!r}, expected one of {', '.join(map(repr, allowed))}."
        )
    return value


def as_generator(rng: int | np.random.Generator) -> np.random.Generator:
    """A generator: `rng` itself, or a new one with the seed `rng`.

    A Generator goes on from where it stands, so a second call gives other numbers. An integer
    gives the same numbers every time. None is refused: a result nobody can repeat helps nobody.
    """
    if isinstance(rng, np.random.Generator):
        return rng
    if isinstance(rng, bool | np.bool_) or not isinstance(rng, numbers.Integral) or rng < 0:
        raise TypeError(
            f"rng: found {rng!r}, expected a seed (an integer of at least 0) or a "
            "numpy.random.Generator."
        )
    return np.random.default_rng(int(rng))
