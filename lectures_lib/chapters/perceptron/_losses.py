"""Chapter 04, losses: `perceptron.loss`, `perceptron.losses`, `perceptron.losses_quiz`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lectures_lib.chapters.perceptron import _margin_losses as losses
from lectures_lib.chapters.perceptron import _runs as runs
from lectures_lib.checks.exercise import Exercise, Section, Slip
from lectures_lib.checks.functions import Case, Function
from lectures_lib.checks.quiz import Choice, Quiz
from lectures_lib.checks.results import Result

DESCENT = Section("perceptron", "The same rule as descent on a loss")


def _both(
    name: str, message: str, *variants: Callable[..., Any], erratum: str = ""
) -> tuple[Slip, ...]:
    """One slip in two variants: a kink, or an exp that overflows, is treated one way or another."""
    return tuple(Slip(name, message, wrong, erratum=erratum) for wrong in variants)


_overflowing = losses.replaced(3, lambda m: np.log(1 + np.exp(-m)))


W = np.array([-1.0, 2.0, 0.0])
FOUR = (
    np.array([[2.0, 1.0], [0.0, 3.0], [0.75, -1.0], [-1.0, 2.0]]),
    np.array([-1, 1, 1, -1]),
)
KINK = (np.array([[0.5, 4.0], [2.0, 0.0], [1.0, 1.0]]), np.array([1, -1, 1]))
APART = (np.array([[2.0], [-1.0]]), np.array([1, -1]))

LOSS = Exercise(
    id="perceptron.loss",
    title="The perceptron loss and a subgradient",
    minutes=12,
    section=DESCENT,
    hints=(
        "The margin of an example is m = s·(w0 + w·x). A right answer costs nothing, a wrong one "
        "as much as its margin lies below zero; the loss is the mean over the examples.",
        "L = (1/N)·Σ max(−m, 0). Where m < 0 the gradient of one term is −s·(1, x), where m > 0 "
        "it is 0, and at m = 0 every vector between the two is a subgradient.",
        "`m = s * (w[0] + X @ w[1:])`, then `np.maximum(-m, 0).mean()` for the loss and "
        "`mistakes = m <= 0` to choose the rows whose −s·(1, x) are averaged.",
    ),
    remark="One step along −η·N times the term of a single example is the perceptron's update: "
    "the algorithm is stochastic subgradient descent on this loss.",
    parts=(
        Function(
            "perceptron_loss",
            ("X", "s", "w"),
            (Result("loss"),),
            (
                Case("two mistakes among four examples", (*FOUR, W)),
                Case("another w with a bias", (*FOUR, np.array([2.0, -1.0, 1.0]))),
                Case("w = 0", (*FOUR, np.zeros(3)), points=0.5),
                Case("no mistake", (*APART, np.array([0.0, 3.0])), points=0.5),
            ),
            losses.loss,
            (
                Slip(
                    "The hinge loss",
                    "max(0, 1 − m) is the hinge loss; the perceptron loss is max(0, −m). They "
                    "differ where it matters: at w = 0 the hinge loss is 1, this one is 0.",
                    lambda X, s, w: np.maximum(1 - losses.margins(X, s, w), 0).mean(),
                    erratum="E1-01",
                ),
                Slip(
                    "The sign of the margin",
                    "max(m, 0) charges the right answers; the loss is max(−m, 0).",
                    lambda X, s, w: np.maximum(losses.margins(X, s, w), 0).mean(),
                ),
                Slip(
                    "The sum instead of the mean",
                    "Losses in this course are means: divide by the number of examples.",
                    lambda X, s, w: np.maximum(-losses.margins(X, s, w), 0).sum(),
                ),
                *(
                    Slip(
                        "The mean over the mistakes",
                        "Divide by N, the number of all examples, not by the number of mistakes.",
                        losses.mean_loss_of(chosen, empty),
                    )
                    for chosen in (losses.mistakes, losses.strict_mistakes)
                    for empty in (np.nan, 0.0)
                ),
                Slip(
                    "The share of mistakes",
                    "This is the 0-1 loss, which counts mistakes. The perceptron loss weighs "
                    "each mistake by how far it is on the wrong side.",
                    lambda X, s, w: (losses.margins(X, s, w) <= 0).mean(),
                ),
                Slip(
                    "The bias is missing",
                    "The margin is s·(w0 + w·x): w[0] has to be added.",
                    lambda X, s, w: np.maximum(-s * (X @ w[1:]), 0).mean(),
                ),
                Slip(
                    "The sign of the label is missing",
                    "max(−g, 0) forgets the label: the margin is s·g.",
                    lambda X, s, w: np.maximum(-(runs.augmented(X) @ w), 0).mean(),
                ),
            ),
        ),
        Function(
            "perceptron_subgradient",
            ("X", "s", "w"),
            (Result("subgradient", ("d+1",)),),
            (
                Case("two mistakes among four examples", (*FOUR, W), 1.0, losses.is_subgradient),
                Case(
                    "one example exactly on the line",
                    (*KINK, np.array([-1.0, 2.0, 0.0])),
                    1.0,
                    losses.is_subgradient,
                    "any subgradient: an example with m = 0 counts in full, in part or not at all",
                ),
                Case(
                    "w = 0, every example on the kink",
                    (*APART, np.zeros(2)),
                    1.0,
                    losses.is_subgradient,
                    "any subgradient, for example 0",
                ),
            ),
            losses.subgradient,
            (
                *_both(
                    "The sign of the gradient",
                    "Each mistake contributes −s·(1, x); here it contributes +s·(1, x), so a step "
                    "against this vector makes the loss grow.",
                    losses.mean_over(losses.mistakes, factor=1.0),
                    losses.mean_over(losses.strict_mistakes, factor=1.0),
                ),
                *_both(
                    "The sum instead of the mean",
                    "The loss is a mean, so its subgradient is one too: divide by N.",
                    lambda X, s, w: len(s) * losses.subgradient(X, s, w),
                    lambda X, s, w: len(s) * losses.mean_over(losses.strict_mistakes)(X, s, w),
                ),
                *(
                    Slip(
                        "The mean over the mistakes",
                        "Divide by N, the number of all examples, not by the number of mistakes.",
                        losses.mean_of(chosen, empty),
                    )
                    for chosen in (losses.mistakes, losses.strict_mistakes)
                    for empty in (np.nan, 0.0)
                ),
                *_both(
                    "The right answers contribute",
                    "The rows with m > 0 are averaged; the mistakes are those with m ≤ 0.",
                    losses.mean_over(lambda m: m > 0),
                    losses.mean_over(lambda m: m >= 0),
                ),
                *_both(
                    "The subgradient of the hinge loss",
                    "Rows with 0 < m < 1 are right and have no part in the perceptron loss.",
                    losses.mean_over(lambda m: m < 1),
                    losses.mean_over(lambda m: m <= 1),
                    erratum="E1-01",
                ),
                *_both(
                    "The label is missing",
                    "Each mistake contributes −s·(1, x), not −(1, x).",
                    losses.mean_over(losses.mistakes, labels=False),
                    losses.mean_over(losses.strict_mistakes, labels=False),
                ),
                Slip(
                    "The wrong side of the kink",
                    "At m = 0 the contribution lies between 0 and −s·(1, x), never on the side "
                    "of +s·(1, x).",
                    losses.mean_over(lambda m: (m < 0) * 1.0 - (m == 0)),
                ),
            ),
        ),
    ),
)

LOSSES = Exercise(
    id="perceptron.losses",
    title="Four losses of a margin",
    minutes=8,
    section=DESCENT,
    hints=(
        "All four losses depend on the margin m only. The 0-1 loss counts, the other three are "
        "what one can minimise instead.",
        "0-1: 1 if m ≤ 0, else 0. Perceptron: max(−m, 0). Hinge: max(1 − m, 0). Logistic: "
        "log(1 + exp(−m)) with the natural logarithm.",
        "For the last one `np.logaddexp(0, -m)` is log(e⁰ + e⁻ᵐ) without overflow; the others are "
        "`np.where(m <= 0, 1.0, 0.0)` and two calls of `np.maximum`.",
    ),
    remark="Far on the wrong side perceptron, hinge and logistic loss all grow like −m: what "
    "tells them apart is the neighbourhood of m = 0.",
    parts=(
        Function(
            "losses_at",
            ("m",),
            tuple(Result(name, ("M",)) for name in ("zero_one", "perceptron", "hinge", "logistic")),
            (
                Case("margins on both sides", (np.array([-2.0, -0.5, 0.25, 2.0]),), 2.0),
                Case("the kinks, m = 0 and m = 1", (np.array([0.0, 1.0]),), 1.0),
                Case("large margins", (np.array([-1000.0, -50.0, 50.0, 1000.0]),), 1.0),
            ),
            losses.losses_at,
            (
                *(
                    Slip(
                        "The sign of the margin",
                        "These losses fall while the margin grows; here the sign of m is turned "
                        "round.",
                        wrong,
                    )
                    for wrong in (
                        losses.replaced(1, lambda m: np.maximum(m, 0)),
                        losses.replaced(2, lambda m: np.maximum(1 + m, 0)),
                        lambda m: (losses.losses_at(m)[0], *losses.losses_at(-m)[1:]),
                        lambda m: losses.losses_at(-m),
                        lambda m: (np.where(m > 0, 1.0, 0.0), *losses.losses_at(-m)[1:]),
                    )
                ),
                Slip(
                    "The hinge without its 1",
                    "max(−m, 0) is the perceptron loss. The hinge loss is max(1 − m, 0): it also "
                    "charges right answers that are too close to the line.",
                    losses.replaced(2, lambda m: np.maximum(-m, 0)),
                    erratum="E1-01",
                ),
                Slip(
                    "The two names exchanged",
                    "max(−m, 0) is the perceptron loss and max(1 − m, 0) the hinge loss.",
                    lambda m: tuple(losses.losses_at(m)[place] for place in (0, 2, 1, 3)),
                    erratum="E1-01",
                ),
                *_both(
                    "A margin of 0 counts as right",
                    "A tie, m = 0, counts as a mistake: the 0-1 loss is 1 for m ≤ 0.",
                    losses.replaced(0, lambda m: np.where(m < 0, 1.0, 0.0)),
                    lambda m: (np.where(m < 0, 1.0, 0.0), *_overflowing(m)[1:]),
                ),
                Slip(
                    "Right answers are counted",
                    "The 0-1 loss is 1 for a mistake and 0 for a right answer.",
                    losses.replaced(0, lambda m: np.where(m > 0, 1.0, 0.0)),
                ),
                Slip(
                    "The sign in the logistic loss",
                    "log(1 + exp(+m)) grows with the margin. The loss is log(1 + exp(−m)).",
                    losses.replaced(3, lambda m: np.logaddexp(0, m)),
                ),
                *_both(
                    "The logarithm to base 2",
                    "The logistic loss of this course uses the natural logarithm: log 2 at m = 0.",
                    losses.replaced(3, lambda m: np.logaddexp(0, -m) / np.log(2)),
                    losses.replaced(3, lambda m: np.log2(1 + np.exp(-m))),
                ),
                Slip(
                    "exp overflows",
                    "exp(1000) is larger than every floating-point number. "
                    "`np.logaddexp(0, -m)` gives the same value without it.",
                    _overflowing,
                ),
            ),
        ),
    ),
)

LOSSES_QUIZ = Exercise(
    id="perceptron.losses_quiz",
    title="Which losses lie above the 0-1 loss?",
    minutes=2,
    section=DESCENT,
    hints=(
        "The 0-1 loss has its step at m = 0. Compare there first.",
        "At m = 0 the 0-1 loss is 1, the perceptron loss 0, the hinge loss 1 and the logistic "
        "loss log 2.",
        "`losses_at(np.array([-0.1, 0.0, 0.1]))` shows them side by side; log 2 ≈ 0.69.",
    ),
    parts=(
        Quiz(
            "above",
            (
                Choice(
                    "a",
                    "the perceptron loss",
                    False,
                    "At m = −0.1 the perceptron loss is 0.1 and the 0-1 loss is 1. It can be 0 "
                    "while every example is a tie, for instance at w = 0.",
                ),
                Choice("b", "the hinge loss", True, "max(1 − m, 0) is at least 1 wherever m ≤ 0."),
                Choice(
                    "c",
                    "the logistic loss with the natural logarithm",
                    False,
                    "At m = 0 it is log 2 ≈ 0.69, and the 0-1 loss is 1.",
                ),
                Choice(
                    "d",
                    "the logistic loss divided by log 2",
                    True,
                    "log2(1 + exp(−m)) is 1 at m = 0 and grows to the left.",
                ),
            ),
            points=2.0,
        ),
    ),
)
