"""The exercises of the chapter on the logistic model."""

from __future__ import annotations

from lectures_lib.checks.exercise import Exercise

EXERCISES: tuple[Exercise, ...] = ()
