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

__all__ = [
    "DataSet",
    "load_breast_cancer",
    "load_digits",
    "load_iris",
    "load_olinda",
    "load_spambase",
    "load_statlog_landsat",
    "load_titanic",
    "load_vowel",
]
