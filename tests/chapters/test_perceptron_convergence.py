"""The figures of the convergence theorem and its widget, as data."""

from __future__ import annotations

import numpy as np
import pytest

from lectures_lib.chapters.perceptron_convergence import pictures as figures
from lectures_lib.chapters.perceptron_convergence.live import convergence_scene, convergence_widget
from lectures_lib.figures import Curve, Points, show
from tests.chapters.test_perceptron import PATH, X, Y


@pytest.mark.parametrize("draw", [figures.bounds_scene, figures.cosine_scene])
def test_every_figure_is_drawn_small_and_says_the_same_each_time(draw) -> None:
    scene = draw(PATH, [0.1, 1, 1], 0.2, 2.5)
    assert scene == draw(PATH, [0.1, 1, 1], 0.2, 2.5)
    assert len(show(scene).png) < 60_000
    assert "nan" not in scene.describe()


def test_the_bounds_of_a_run_hold_at_every_update_and_cross_at_the_theorems_number() -> None:
    star = np.array(PATH[-1])
    signed = (2 * Y - 1)[:, None] * np.c_[np.ones(len(X)), X]
    gamma = (signed @ star).min() / np.sqrt(star @ star)
    R = max(np.sqrt(row @ row) for row in signed)
    scene = figures.bounds_scene(PATH, 7 * star, gamma, R)
    by_label = {c.label: c for c in scene.panels[0].marks if isinstance(c, Curve)}
    t = by_label["‖wₜ‖"].x
    assert (by_label["‖wₜ‖"].y <= np.sqrt(t) * R + 1e-12).all()
    assert (by_label["w*·wₜ"].y >= t * gamma - 1e-12).all()
    assert (by_label["w*·wₜ"].y <= by_label["‖wₜ‖"].y + 1e-12).all()  # Cauchy-Schwarz
    crossing = scene.panels[1].marks[-1]
    assert isinstance(crossing, Points)
    assert crossing.xy[0] == pytest.approx([R**2 / gamma**2, R**2 / gamma])
    cosine = figures.cosine_scene(PATH, 7 * star, gamma, R).marks(Curve)[0]
    assert cosine.y[-1] == pytest.approx(1)
    assert (cosine.y >= np.sqrt(cosine.x) * gamma / R - 1e-12).all()


def test_bad_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="w_star: expected 3 numbers"):
        figures.bounds_scene(PATH, [1, 1], 0.1, 1)
    with pytest.raises(ValueError, match="gamma: expected a positive number, found 0"):
        figures.bounds_scene(PATH, [0, 1, 1], 0, 1)


@pytest.mark.parametrize("n", [20, 60, 200])
@pytest.mark.parametrize("margin", [0.02, 0.2, 0.6])
def test_the_updates_stay_below_the_bound_for_every_margin(n: int, margin: float) -> None:
    for sample in (1, 5, 10):
        scene = convergence_scene(margin, n, sample)
        read = dict(scene.readouts)
        assert int(read["updates"]) <= float(read["bound R²/γ²"])


def test_the_convergence_widget_opens() -> None:
    assert convergence_widget().values == {"margin": 0.2, "n": 60, "sample": 1}
