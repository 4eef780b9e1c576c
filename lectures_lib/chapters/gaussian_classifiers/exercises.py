"""The exercises of the chapter: Gaussian classifiers: LDA, QDA, naive Bayes."""

from __future__ import annotations

from lectures_lib.checks.author import Exercise

EXERCISES: tuple[Exercise, ...] = ()
