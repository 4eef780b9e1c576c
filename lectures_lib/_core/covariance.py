"""What a covariance does to space: sphering, singular directions, and square roots.

Sphering with a matrix T means x* = T'x, with T'S T = I: in the new coordinates the covariance S
is the identity, and x'S^-1 y is the plain product of x* and y*. T comes from the eigenvectors
of the correlation matrix, so that features of very different scale do no harm.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lectures_lib._core.lesson import lesson
from lectures_lib._core.moments import ClassMoments
from lectures_lib._core.validation import Array

# An eigenvalue of the correlation matrix below this share is 0: a feature is a sum of others.
SINGULAR = 1e-11
# Class means that differ by more, along a direction without variance, tell the classes apart.
DIFFERENT = 1e-5


class SingularCovarianceError(ValueError):
    """A covariance has no inverse where the classifier needs one.

    >>> try:
    ...     QuadraticDiscriminantAnalysis().fit([[0, 0], [1, 1], [5, 0], [6, 1]], [0, 0, 1, 1])
    ... except SingularCovarianceError:
    ...     print("a class lies on a line")
    a class lies on a line
    """


class SingularCovarianceWarning(UserWarning):
    """Some features repeat others, or are constant; the classifier works without them.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     _ = LinearDiscriminantAnalysis().fit([[0, 1], [1, 1], [4, 1], [5, 1]], [0, 0, 1, 1])
    >>> caught[0].category is SingularCovarianceWarning
    True
    """


@dataclass(frozen=True)
class Sphering:
    """x* = transform'x along the r directions in which S has variance; `null` spans the others."""

    transform: Array  # (d, r)
    log_det: float  # log of the determinant of S, when r = d
    null: Array  # (d, d - r), for features divided by `unit`
    unit: Array  # (d,) spread of each feature, 1 where there is none
    constant: NDArray[np.bool_]  # (d,) features without spread

    @property
    def regular(self) -> bool:
        """Whether S has an inverse."""
        return self.null.size == 0


def sphering(S: Array) -> Sphering:
    """Sphering for the covariance `S`, by the eigenvectors of its correlation matrix."""
    constant = np.diag(S) <= 0
    unit = np.sqrt(np.where(constant, 1.0, np.diag(S)))
    R = S / np.outer(unit, unit)
    values, vectors = np.linalg.eigh(R)
    kept = values > SINGULAR * max(float(values.max()), 1e-300)
    transform = vectors[:, kept] / np.sqrt(values[kept]) / unit[:, None]
    log_det = float(np.log(values[kept]).sum() + 2 * np.log(unit).sum())
    return Sphering(transform, log_det, vectors[:, ~kept], unit, constant)


def pooled_sphering(S: Array, moments: ClassMoments, stacklevel: int = 3) -> Sphering:
    """Sphering for the covariance `S` within the classes.

    Directions without variance are left out with a warning if the classes agree there; if they
    differ, no Gaussian density describes them, and this is an error.
    """
    found = sphering(S)
    if found.regular:
        return found
    cause = why_singular(found, float(moments.counts.sum()) - len(moments.counts))
    if _differ_along_null(found, moments):
        raise SingularCovarianceError(
            f"X: the covariance within the classes is singular: {cause}. The class means differ "
            "along a direction in which no class has any variance, where no Gaussian density "
            f"exists ({lesson('gaussian_classifiers')}). Use fewer features, more examples, or "
            "shrinkage > 0."
        )
    warnings.warn(
        f"X: the covariance within the classes is singular: {cause}. The classes do not differ "
        f"there, so these directions are left out ({lesson('gaussian_classifiers')}).",
        SingularCovarianceWarning,
        stacklevel=stacklevel,
    )
    return found


def _differ_along_null(found: Sphering, moments: ClassMoments) -> bool:
    """Whether the class means differ along a direction in which no class has any variance."""
    whole = np.where(moments.spread > 0, moments.spread, 1.0)
    unit = np.where(found.constant, whole, found.unit)
    apart = (moments.centred_means - moments.centred_means[0]) / unit @ found.null
    largest = float(np.abs(apart).max(initial=0.0))
    return largest > DIFFERENT


def why_singular(found: Sphering, freedom: float) -> str:
    """The cause, in words: too few examples, constant features, or features that repeat others."""
    d = len(found.unit)
    if freedom < d:
        return (
            f"{freedom:g} degrees of freedom (examples minus estimated means) are too few for "
            f"{d} features"
        )
    constant = np.flatnonzero(found.constant)
    repeated = np.flatnonzero((np.abs(found.null).max(axis=1) > 1e-6) & ~found.constant)
    reasons = []
    if len(constant):
        reasons.append(f"{columns(constant)} constant within the classes")
    if len(repeated):
        reasons.append(f"{columns(repeated)} linearly dependent")
    return " and ".join(reasons)


def columns(positions: NDArray[np.intp]) -> str:
    """The subject of a sentence: "column 3 of X is", or "columns 1, 4 of X are"."""
    shown = ", ".join(str(j) for j in positions[:8]) + (", ..." if len(positions) > 8 else "")
    return f"column {shown} of X is" if len(positions) == 1 else f"columns {shown} of X are"


def oriented(directions: Array) -> Array:
    """The columns, each with the sign that makes its largest entry positive.

    Of entries that are equally large up to rounding the first one decides.
    """
    if not directions.size:
        return directions
    size = np.abs(directions)
    leading = (size > size.max(axis=0) * (1 - 1e-6)).argmax(axis=0)
    signs = np.sign(directions[leading, np.arange(directions.shape[1])])
    return directions * np.where(signs == 0, 1.0, signs)
