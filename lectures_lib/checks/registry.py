"""Finds exercises by identity: `perceptron.fit` is in `chapters.perceptron.exercises`."""

from __future__ import annotations

import difflib
import importlib
from functools import cache
from importlib.util import find_spec

from lectures_lib.chapters import CHAPTERS
from lectures_lib.checks.exercise import Exercise


@cache
def exercises_of(slug: str) -> tuple[Exercise, ...]:
    """The exercises of one chapter, in their order; none if the chapter has none."""
    return _listed(slug, "exercises")


@cache
def tries_of(slug: str) -> tuple[Exercise, ...]:
    """The questions and the small pieces of code inside a chapter, in their order."""
    return _listed(slug, "tries")


def _listed(slug: str, kind: str) -> tuple[Exercise, ...]:
    """What a chapter's module of this name ends in, if there is one."""
    name = f"lectures_lib.chapters.{slug}.{kind}"
    if find_spec(name.rpartition(".")[0]) is None or find_spec(name) is None:
        return ()
    listed: tuple[Exercise, ...] = getattr(importlib.import_module(name), kind.upper())
    return listed


def all_exercises() -> tuple[Exercise, ...]:
    """Every exercise of the course, in the order of the chapters."""
    return tuple(exercise for c in CHAPTERS for exercise in exercises_of(c.slug))


def find(identity: object) -> Exercise:
    """The exercise with this identity; an unknown one is an error that names the three nearest."""
    if not isinstance(identity, str):
        kind = type(identity).__name__
        raise TypeError(
            f'The first argument is the identity of an exercise, as in check("perceptron.fit", …); '
            f"found {kind}."
        )
    slug = identity.partition(".")[0]
    chapter = slug in {c.slug for c in CHAPTERS}
    known = (*exercises_of(slug), *tries_of(slug)) if chapter else ()
    for exercise in known:
        if exercise.id == identity:
            return exercise
    names = [one.id for c in CHAPTERS for one in (*exercises_of(c.slug), *tries_of(c.slug))]
    near = difflib.get_close_matches(identity, names, n=3, cutoff=0.0)
    raise ValueError(
        f"There is no exercise {identity!r}. The nearest are {', '.join(map(repr, near))}."
    )
