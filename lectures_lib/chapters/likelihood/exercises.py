"""The exercises of the chapter: The likelihood, the cross-entropy, and why they are the same thing."""

from __future__ import annotations

from lectures_lib.checks.author import Exercise

EXERCISES: tuple[Exercise, ...] = ()
