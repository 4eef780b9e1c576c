"""Live pictures of decision theory: Bayes' square, a cut, four rules, a third answer."""

from __future__ import annotations

from lectures_lib.chapters.decision_theory.pictures import (
    PRICES,
    RULES,
    cut_scene,
    reject_scene,
    rule_scene,
    square_scene,
)
from lectures_lib.figures import Scene
from lectures_lib.widgets import Live, choice, live, slider, threshold


def square() -> Live:
    """Bayes' rule as areas: a border and two tops are dragged, the posterior follows."""
    return live(
        square_scene,
        prior=slider(0.2, 0.8, 0.1, value=0.4, label="prior of organic").on("Points 0"),
        ordinary=slider(0.15, 0.85, 0.1, value=0.35, label="likelihood, ordinary").on("Points 1"),
        organic=slider(0.15, 0.85, 0.1, value=0.65, label="likelihood, organic").on("Points 2"),
    )


def cut() -> Live:
    """The cut is dragged on the densities; areas and risk follow."""

    def scene(cut: float, prior: float, price: float) -> Scene:
        return cut_scene(cut, prior, costs=(1.0, price))

    return live(
        scene,
        cut=threshold(*PRICES, 0.05, value=1.1, panel=0, label="cut").on("this cut"),
        prior=slider(0.2, 0.8, 0.2, value=0.4, label="share of organic avocados").on(
            "organic, top", "ordinary, top"
        ),
        price=choice({"1 : 1": 1.0, "1 : 5": 5.0}, label="price of a blue : an orange mistake"),
    )


def rules() -> Live:
    """Where four rules cut, for any prior, means, width and costs."""
    return live(
        rule_scene,
        rule=choice(RULES, label="rule"),
        prior=slider(0.05, 0.95, 0.05, value=0.4, label="P(organic)").on(
            "organic, top", "ordinary, top"
        ),
        mean_0=slider(0.6, 1.2, 0.1, value=1.1, label="mean price, ordinary").on("ordinary"),
        mean_1=slider(1.3, 2.0, 0.1, value=1.5, label="mean price, organic").on("organic"),
        sd=slider(0.1, 0.5, 0.05, value=0.25, label="common width").on(
            "organic, flank", "ordinary, flank"
        ),
        c01=slider(1, 10, 1, value=1, label="C₀₁: ordinary called organic"),
        c10=slider(1, 10, 1, value=1, label="C₁₀: organic called ordinary"),
    )


def third_answer() -> Live:
    """The price of the third answer opens and closes its interval."""
    return live(
        reject_scene,
        c01=slider(1, 3, 0.5, value=2.0, label="C₀₁").on("say 1: C₀₁ (1 − p), start"),
        c10=slider(1, 3, 0.5, value=1.0, label="C₁₀").on("say 0: C₁₀ p, end"),
        reject=slider(0.05, 1, 0.05, value=0.3, label="r, cost of the third answer").on(
            "third answer: r"
        ),
    )
