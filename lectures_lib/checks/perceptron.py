"""The exercises of chapter 03: the perceptron, its loss, its ties."""

from __future__ import annotations

from lectures_lib.checks._perceptron_algorithm import FIT, TRACE, ZERO_MARGIN
from lectures_lib.checks._perceptron_losses import LOSS, LOSSES, LOSSES_QUIZ

EXERCISES = (FIT, LOSS, TRACE, ZERO_MARGIN, LOSSES, LOSSES_QUIZ)
