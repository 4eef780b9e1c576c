"""The exercises of the chapter: Many-class Fisher and reduced-rank LDA."""

from __future__ import annotations

from lectures_lib.checks.author import Exercise

EXERCISES: tuple[Exercise, ...] = ()
