"""The exercises of this chapter: losses from scores, divergences, curvature, two goals."""

from __future__ import annotations

from lectures_lib.checks.author import Exercise

EXERCISES: tuple[Exercise, ...] = ()
