"""The exercises of chapter 04: the perceptron, its loss, its ties."""

from __future__ import annotations

from lectures_lib.chapters.perceptron._algorithm import FIT, TRACE, ZERO_MARGIN
from lectures_lib.chapters.perceptron._losses import LOSS, LOSSES, LOSSES_QUIZ

EXERCISES = (FIT, LOSS, TRACE, ZERO_MARGIN, LOSSES, LOSSES_QUIZ)
