"""What is only true of the chapter on the likelihood."""

import re
from itertools import pairwise
from math import log

import numpy as np
import pytest
import sympy

from lectures_lib import logistic
from lectures_lib.chapters.likelihood import live, pictures
from lectures_lib.decision import entropy
from lectures_lib.figures import Arrow, Bars
from tests.exercise_tests import ExerciseTests

X12, Y12 = (np.array(values) for values in live.SAMPLES["overlapping"])

SEVEN = np.array([-1.0, 0, 1, 2, 3, 4, 20]), np.array([0, 0, 0, 1, 1, 1, 0])


def lengths(bars: Bars) -> np.ndarray:
    return np.abs(bars.height - bars.base)


@pytest.mark.parametrize(("w0", "w"), [(-0.75, 0.5), (0.0, 3.0), (2.0, -1.0)])
def test_the_bars_are_the_factors_of_the_likelihood_and_their_logarithms_the_losses(w0, w) -> None:
    scene = pictures.bars_scene(X12, Y12, w0, w)
    bars = [length for mark in scene.panels[0].marks[:6:2] if isinstance(mark, Bars)
            for length in lengths(mark)]  # fmt: skip
    by_hand = [1 / (1 + np.exp(-(2 * y - 1) * (w0 + w * x))) for x, y in zip(X12, Y12, strict=True)]
    assert sorted(bars) == pytest.approx(sorted(by_hand))
    losses = [h for m in scene.panels[1].marks for h in lengths(m)]
    assert sorted(losses) == pytest.approx(sorted(min(-log(p), 6) for p in by_hand))
    said = dict(scene.readouts)
    total = sum(log(p) for p in by_hand)
    assert float(said["log-likelihood"].replace("−", "-")) == pytest.approx(total, abs=0.005)
    assert said["cross-entropy (mean loss)"] == said["mean KL(labels ‖ model)"]


@pytest.mark.parametrize(
    ("logarithm", "text"),
    [
        (log(0.25), "0.2500"),
        (log(0.00031), "0.0003"),
        (log(1e-7), "1.0 · 10⁻⁷"),
        (1309 * log(0.5), "8.9 · 10⁻³⁹⁵"),  # no float holds it
    ],
)
def test_small_products_in_words(logarithm: float, text: str) -> None:
    assert pictures.tiny(logarithm) == text


def test_descent_ends_in_two_places_on_the_squared_error_and_in_one_on_the_cross_entropy() -> None:
    starts = np.linspace(-2.5, 3.5, 25)
    ends = [re.findall(r"at w = (\S+)", pictures.minima_scene(w).describe()) for w in starts]
    assert {squared for squared, _ in ends} == {"−0.12", "1.39"}
    assert {cross for _, cross in ends} == {"−0.16"}


def test_the_two_minima_are_minima() -> None:
    def error(w: float) -> float:
        p = 1 / (1 + np.exp(-w * pictures.SIX_X))
        return float(np.mean((pictures.SIX_Y - p) ** 2))

    for w in (-0.12, 1.39):
        assert error(w) < min(error(w - 0.05), error(w + 0.05))
    assert error(0.36) > error(-0.12) + 0.09  # the ridge between them


def test_the_seven_points() -> None:
    told = pictures.models_scene(*SEVEN, [("flat", 0.0, 0.0), ("cut", -1.5, 1.0)]).describe()
    assert told == (
        "flat: 4 of 7 right, log-likelihood −4.85; cut: 6 of 7 right, log-likelihood −20.01."
    )


def test_the_divergences_of_two_gaussians() -> None:
    """KL(N(0,1) || N(m,s²)) = log s + (1 + m²)/(2 s²) - 1/2, and the other way round."""
    m, s = 1.5, 1.5
    forth = log(s) + (1 + m**2) / (2 * s**2) - 0.5
    back = -log(s) + (s**2 + m**2) / 2 - 0.5
    told = pictures.divergence_scene().describe()
    assert f"KL(p‖q) = {forth:.2f}" in told
    assert f"KL(q‖p) = {back:.2f}" in told


@pytest.mark.slow
def test_the_live_figures_are_sent_ahead() -> None:
    bars, minima = live.likelihood_bars(), live.two_minima()
    assert (bars.mode, minima.mode) == ("ahead", "ahead"), (bars.why, minima.why)
    assert dict(bars.scene.readouts)["the largest"] == "0.0068"
    bars.sample, bars.half = "separable", 0
    products = []
    for weight in (1, 2, 5):
        bars.w = weight
        products.append(float(dict(bars.scene.readouts)["product"]))
    assert all(a < b < 1 for a, b in pairwise(products))
    assert not bars.scene.marks(Arrow)


# The exercises ------------------------------------------------------------------------------


def written_with_integers(p, y):
    """Multiply, and move the comma before anything can underflow."""
    digits, exponent = 1.0, 0
    for chance, label in zip(p, y, strict=True):
        digits *= chance if label else 1 - chance
        while digits < 1:
            digits, exponent = digits * 10, exponent - 1
    return digits, exponent


def written_by_natural_logarithms(p, y):
    total = np.sum(y * np.log(p) + (1 - y) * np.log1p(-p)) / np.log(10)
    exponent = np.floor(total)
    return [np.exp((total - exponent) * np.log(10))], exponent


def soft_by_cases(z, q):
    cross, divergence = [], []
    for score, share in zip(z, q, strict=True):
        log_one = -np.log1p(np.exp(-score)) if score > -30 else score
        log_zero = -np.log1p(np.exp(score)) if score < 30 else -score
        loss = -share * log_one - (1 - share) * log_zero
        known = sum(r * np.log(r) for r in (share, 1 - share) if r > 0)
        cross.append(loss)
        divergence.append(loss + known)
    return sum(cross) / len(z), sum(divergence) / len(z)


def soft_with_the_library(z, q):
    losses = -(q * logistic.log_sigmoid(z) + (1 - q) * logistic.log_sigmoid(-z))
    return np.array([losses.mean(), losses.mean() - entropy(np.c_[q, 1 - q]).mean()])


W, X, S, Y = sympy.symbols("w x s y", real=True)
COMPLEX = dict(zip("wxsy", sympy.symbols("w x s y"), strict=True))


def cosh_form():
    """The curvatures with hyperbolic functions, and without the label where it does not matter."""
    return (
        X**2 / (4 * sympy.cosh(W * X / 2) ** 2),
        sympy.diff((Y - (1 + sympy.tanh(W * X / 2)) / 2) ** 2, W, 2),
    )


def by_hand():
    w, x, s, y = (COMPLEX[name] for name in "wxsy")
    h, m = 1 / (1 + sympy.exp(-w * x)), 1 / (1 + sympy.exp(s * w * x))
    loss = x**2 * m * (1 - m)
    error = 2 * x**2 * h * (1 - h) * (2 * h - 3 * h**2 - y + 2 * y * h)
    return loss, error


class TestExercises(ExerciseTests):
    slug = "likelihood"
    right_answers = {
        "likelihood.written": [(written_with_integers,), (written_by_natural_logarithms,)],
        "likelihood.soft_loss": [(soft_by_cases,), (soft_with_the_library,)],
        "likelihood.curvatures": [cosh_form(), by_hand()],
        "likelihood.two_goals": [
            ([0, 1, 2, 3, 4, 5, 6, 7, -60, 60], [0] * 4 + [1] * 4 + [1, 0]),
            (np.append(np.arange(12.0), [200, -200])[:, None], [0] * 6 + [1] * 6 + [0, 1]),
        ],
    }  # fmt: skip
    wrong_data = {
        "likelihood.two_goals": {
            "The classes do not overlap": ([0, 1, 1, 2], [0, 0, 1, 1]),
            "About half, as with the seven points of the chapter": SEVEN,
            "Maximum likelihood is right too often": (range(9), [0] * 4 + [1] * 4 + [0]),
            "The labels are turned round": ([*range(8), 100], [1] * 4 + [0] * 4 + [1]),
            "Too many on the wrong side": ([0, 1, 2, 3, 4, 5], [0, 1, 0, 1, 0, 1]),
        },
    }
    CURVATURE = "loss_curvature = sp.simplify(sp.diff(sp.log(1 + sp.exp(-s * w * x)), w, 2))"
    still_right = {
        (CURVATURE, "the right operand alone"): "the curvature is the same for both labels",
        (CURVATURE, "minus dropped"): "the curvature is the same for both labels",
        (CURVATURE, "labels 0 and 1"): "a symbol stays as it is",
        (
            "log_q, log_rest = np.log(np.where(q > 0, q, 1)), np.log(np.where(q < 1, 1 - q, 1))",
            "1 -> 2",
        ): "where a share is 0 its logarithm is multiplied by 0, whatever it is",
    }
