"""What is only true of the chapter on the likelihood."""

from itertools import pairwise
from math import log, prod

import numpy as np
import pytest

from lectures_lib.chapters.likelihood import live, pictures
from lectures_lib.figures import Arrow, Bars, Curve, Points

X12, Y12 = (np.array(values) for values in live.SAMPLES["overlapping"])


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
    ("value", "text"), [(0.25, "0.2500"), (0.00031, "0.0003"), (1e-7, "1.0 · 10⁻⁷")]
)
def test_small_products_in_words(value: float, text: str) -> None:
    assert pictures.tiny(log(value)) == text


def test_a_product_that_no_float_can_hold_is_still_written() -> None:
    assert pictures.tiny(1309 * log(0.5)) == "8.9 · 10⁻³⁹⁵"


def test_the_coins_product_dies_where_its_running_product_is_zero() -> None:
    coin, sure = np.full(1200, 0.5), np.full(1200, 0.9)
    scene = pictures.product_scene({"sure": sure, "loud": np.full(1200, 0.3), "coin": coin})
    first = next(n for n in range(1, 1200) if prod([0.5] * n) == 0)
    assert f"coin: product 0.0 from factor {first} on" in scene.describe()
    ends = [mark.y[-1] for mark in scene.marks(Curve)]
    assert ends == pytest.approx([1200 * np.log10(q) for q in (0.9, 0.3, 0.5)])
    assert len([p for p in scene.marks(Points) if p.look == "focus"]) == 2


def test_descent_ends_in_two_places_on_the_squared_error_and_in_one_on_the_cross_entropy() -> None:
    starts = np.linspace(-2.5, 3.5, 25)
    ends = [pictures.minima_scene(start).readouts[1:] for start in starts]
    assert {squared for (_, squared), _ in ends} == {"−0.12", "1.39"}
    assert {cross for _, (_, cross) in ends} == {"−0.16"}


def test_the_two_minima_are_minima() -> None:
    def error(w: float) -> float:
        p = 1 / (1 + np.exp(-w * pictures.SIX_X))
        return float(np.mean((pictures.SIX_Y - p) ** 2))

    for w in (-0.12, 1.39):
        assert error(w) < min(error(w - 0.05), error(w + 0.05))
    assert error(0.36) > error(-0.12) + 0.09  # the ridge between them


def test_the_seven_points() -> None:
    told = pictures.seven_scene([("flat", 0.0, 0.0), ("cut", -1.5, 1.0)]).describe()
    assert told == (
        "flat: 4 of 7 right, log-likelihood −4.85; cut: 6 of 7 right, log-likelihood −20.01."
    )


def test_the_divergences_of_two_gaussians() -> None:
    """KL(N(0,1) || N(m,s²)) = log s + (1 + m²)/(2 s²) - 1/2, and the other way round."""
    m, s = 1.5, 1.5
    forth = log(s) + (1 + m**2) / (2 * s**2) - 0.5
    back = -log(s) + (s**2 + m**2) / 2 - 0.5
    told = pictures.divergence_scene(m, s).describe()
    assert f"KL(p‖q) = {forth:.2f}" in told
    assert f"KL(q‖p) = {back:.2f}" in told


def test_log_likelihood_and_divergence_are_one_curve() -> None:
    minus_kl, ell = pictures.coin_scene(7, 10).marks(Curve)
    gap = minus_kl.y - ell.y
    assert gap == pytest.approx(-7 * log(0.7) - 3 * log(0.3))
    assert ell.x[np.argmax(ell.y)] == pytest.approx(0.7)


def test_the_live_figures_are_sent_ahead() -> None:
    bars, minima = live.likelihood_bars(), live.two_minima()
    assert (bars.mode, minima.mode) == ("ahead", "ahead"), (bars.why, minima.why)
    bars.sample, bars.half = "separable", 0
    products = []
    for weight in (1, 2, 5):
        bars.w = weight
        products.append(float(dict(bars.scene.readouts)["product"]))
    assert all(a < b < 1 for a, b in pairwise(products))
    assert not bars.scene.marks(Arrow)
