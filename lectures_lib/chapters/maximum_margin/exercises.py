"""The exercises of the chapter: The maximum margin: support vector machines."""

from __future__ import annotations

from lectures_lib.checks.exercise import Exercise

EXERCISES: tuple[Exercise, ...] = ()
