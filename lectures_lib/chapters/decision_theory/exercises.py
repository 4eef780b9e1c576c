"""The exercises of the chapter: Decision theory: Bayes, costs, and the best one can do."""

from __future__ import annotations

from lectures_lib.checks.exercise import Exercise

EXERCISES: tuple[Exercise, ...] = ()
