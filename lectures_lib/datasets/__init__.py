"""Data sets of the course: `load_*()` reads a shipped file, `make_*()` draws a synthetic sample.

SOURCES.md, next to this file, names authors, licences and changes.
"""

from lectures_lib.datasets._files import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_olinda,
    load_spambase,
    load_statlog_landsat,
    load_titanic,
    load_vowel,
)
from lectures_lib.datasets._record import DataSet
from lectures_lib.datasets._synthetic import (
    AVOCADO_MEANS,
    AVOCADO_PRIORS,
    AVOCADO_SD,
    SeparableSet,
    make_avocados,
    make_gaussian_classes,
    make_outliers,
    make_separable,
)

__all__ = [
    "AVOCADO_MEANS",
    "AVOCADO_PRIORS",
    "AVOCADO_SD",
    "DataSet",
    "SeparableSet",
    "load_breast_cancer",
    "load_digits",
    "load_iris",
    "load_olinda",
    "load_spambase",
    "load_statlog_landsat",
    "load_titanic",
    "load_vowel",
    "make_avocados",
    "make_gaussian_classes",
    "make_outliers",
    "make_separable",
]
