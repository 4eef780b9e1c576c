"""The figures of the convergence theorem and its widget, as data."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from lectures_lib.chapters.perceptron_convergence import pictures as figures
from lectures_lib.chapters.perceptron_convergence.live import (
    MARGINS,
    PLANE,
    SHIFTS,
    TURNS,
    convergence_scene,
    convergence_widget,
    run_on,
    star_of,
)
from lectures_lib.figures import Arrow, Curve, Line, Points, Region, Text, Track
from lectures_lib.perceptron import Perceptron
from tests.chapters.test_perceptron import PATH, X, Y


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


@pytest.mark.parametrize("margin", MARGINS.values)
def test_the_updates_stay_below_the_bound_for_every_margin(margin: float) -> None:
    for shift, turned in itertools.product(SHIFTS.values, TURNS.values):
        read = dict(convergence_scene(margin, turned, shift).readouts)
        if read["γ"] == "none":
            continue
        assert int(read["updates"]) <= float(read["bound (R/γ)²"].replace(",", ""))


def test_gamma_of_a_turned_separator_is_the_least_margin_of_all_examples() -> None:
    run = run_on(0.3, 1.0)
    for turned in (-15.0, 0.0, 10.0):
        star = star_of(run, turned)
        whole = np.r_[star.w0, star.w] / np.sqrt(1 + star.w0**2)
        margins = (2 * run.y - 1) * (np.c_[np.ones(20), run.X] @ whole)
        assert star.gamma == pytest.approx(margins.min(), abs=1e-12)
        assert (star.half_gap > 0) == (margins.min() > 0)


def test_both_bounds_are_straight_and_cross_at_the_theorems_number() -> None:
    scene = convergence_scene(0.2, 0.0, 1.0)
    upper, lower, run = (m for m in scene.panels[1].marks if isinstance(m, Curve))
    slope = [(c.y[-1] - c.y[0]) / (c.x[-1] - c.x[0]) for c in (upper, lower)]
    assert slope == pytest.approx([0.5, 1.0])
    at = (upper.y[0] - lower.y[0]) / (slope[1] - slope[0])
    bound = dict(scene.readouts)["bound (R/γ)²"].replace(",", "")
    assert int(10**at) == int(bound)
    # The curve of the run, at the updates that it shows, lies between the two.
    assert (run.y <= upper.y[0] + 0.5 * run.x + 1e-9).all()
    assert (run.y >= lower.y[0] + run.x - 1e-9).all()


@pytest.mark.slow
def test_the_axes_of_the_convergence_widget_never_move_and_nothing_leaves_the_plane() -> None:
    widget = convergence_widget()
    assert widget.mode == "ahead", widget.why
    still = [(panel.x, panel.y) for panel in widget.scene.panels]
    ends = (MARGINS.values[0], MARGINS.values[-1])
    start, _, crossing = (m.xy[0] for m in widget.scene.panels[1].marks if isinstance(m, Points))
    assert start == pytest.approx(crossing, abs=1e-3)
    for margin, shift in itertools.product(ends, SHIFTS.values):
        panels = convergence_scene(margin, 0.0, shift).panels
        assert [(panel.x, panel.y) for panel in panels] == still
        X = run_on(margin, shift).X
        inside = [(axis.lo <= X[:, k]) & (X[:, k] <= axis.hi) for k, axis in enumerate(PLANE)]
        assert np.mean(inside) == 1


def test_the_hand_finds_w_star_and_the_margin_where_they_are_drawn() -> None:
    scene = convergence_scene(MARGINS.values[3], 5.0, 1.0)
    turned, margin, crossing = scene.marks(Track)
    bound = float(dict(scene.readouts)["bound (R/γ)²"].replace(",", ""))
    assert crossing.xy[3][0] == pytest.approx(np.log10(bound), abs=1e-3)
    (arrow,) = scene.marks(Arrow)
    assert turned.xy[TURNS.values.index(5)] == pytest.approx(arrow.end[0])
    band = scene.marks(Line)[0]
    assert band.w @ margin.xy[3] + band.w0 == pytest.approx(0, abs=1e-9)


def test_a_separator_turned_too_far_bounds_nothing() -> None:
    scene = convergence_scene(MARGINS.values[0], 30.0, 1.0)
    assert "does not separate the classes: it bounds nothing" in scene.describe()
    assert "this w* does not separate" in [w for t in scene.marks(Text) for w in t.words]


def test_the_update_in_the_picture_stands_at_an_obtuse_angle_and_adds_up() -> None:
    for panel, at in zip(figures.angle_scene().panels, (-1, 0), strict=True):
        before, step, after = [m for m in panel.marks if isinstance(m, Arrow)]
        w, added, total = (a.end[0] - a.start[0] for a in (before, step, after))
        assert total == pytest.approx(w + added)
        assert np.sign(round(w @ added, 9)) == at
        squares = [m.polygons[0] for m in panel.marks if isinstance(m, Region)]
        for square, side in zip(squares, (w, added, total), strict=True):
            edges = np.roll(square, -1, axis=0) - square
            assert (edges**2).sum(axis=1) == pytest.approx([side @ side] * 4)
            assert (edges * np.roll(edges, 1, axis=0)).sum(axis=1) == pytest.approx([0] * 4)


def test_mirrored_examples_lie_on_one_side_exactly_when_the_weights_separate() -> None:
    good = figures.mirrored_scene([-3, 0.5, 1, 2], [0, 0, 1, 1], [-0.7, 1])
    assert "4 of 4 lie on one side" in good.describe()
    bad = figures.mirrored_scene([-3, 0.5, 1, 2], [0, 0, 1, 1], [0.7, 1])
    assert "3 of 4 lie on one side" in bad.describe()
    mirrored = good.panels[1].marks[2]
    assert isinstance(mirrored, Points)
    assert mirrored.xy.tolist() == [[-1, 3], [-1, -0.5], [1, 1], [1, 2]]


def test_a_line_separates_the_lifted_exclusive_or() -> None:
    scene = figures.lifted_scene()
    (line,), (cloud,) = scene.marks(Line), scene.marks(Points)
    assert ((cloud.xy @ line.w + line.w0 > 0) == (cloud.classes == 1)).all()


def test_two_points_lose_their_margin_when_they_are_shifted() -> None:
    """The sentence of the text about the points -1 and 1 shifted by 100."""
    signs = np.array([-1, 1])
    for shift, margin, updates in ((0, 1.0, 2), (100, 0.01, 20_002)):
        X = np.array([[-1.0], [1.0]]) + shift
        best = minimize_scalar(
            lambda w0, X=X: -np.min(signs * (w0 + X[:, 0])) / np.hypot(1, w0),
            bounds=(-2 * shift - 1, 1),
            options={"xatol": 1e-9},
        )
        assert -best.fun == pytest.approx(margin, rel=1e-3)
        assert len(Perceptron(max_iter=50_000).fit(X, signs).updates_) == updates
