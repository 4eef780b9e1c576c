"""The exercises of the chapter: Linear discriminants and least squares."""

from __future__ import annotations

from lectures_lib.checks.exercise import Exercise

EXERCISES: tuple[Exercise, ...] = ()
