"""The exercises of the chapter: What it means to learn a classifier."""

from __future__ import annotations

from lectures_lib.checks.exercise import Exercise

EXERCISES: tuple[Exercise, ...] = ()
