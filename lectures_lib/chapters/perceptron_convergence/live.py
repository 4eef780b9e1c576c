"""The two bounds of the convergence theorem, on data whose margin the reader chooses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lectures_lib.chapters.perceptron_convergence.pictures import boundary_scene, bounds_scene
from lectures_lib.datasets import make_separable
from lectures_lib.figures.scene import Scene
from lectures_lib.figures.words import number
from lectures_lib.perceptron import Perceptron
from lectures_lib.widgets.controls import choice, slider
from lectures_lib.widgets.widget import Live, live


def convergence_scene(margin: float, n: int, sample: int) -> Scene:
    """A run on data with a chosen margin, and |w_t| between the two bounds."""
    data = make_separable(n, 2, margin, rng=sample)
    model = Perceptron(max_iter=100_000, record=True).fit(data.X, data.y)
    w_star = np.r_[data.w0_star, data.w_star]
    w_star /= np.linalg.norm(w_star)
    Z = np.column_stack([np.ones(n), data.X])
    gamma = float(((2 * data.y - 1) * (Z @ w_star)).min())
    R = float(np.linalg.norm(Z, axis=1).max())
    plane = boundary_scene(data.X, data.y, model.coef_[0], float(model.intercept_[0]))
    path = model.path_
    bounds = bounds_scene(path, w_star, gamma, R)
    sentence = f"Data with margin {number(margin)}: {bounds.describe()}"
    right = (replace(p, height=0.46, below=i > 0) for i, p in enumerate(bounds.panels))
    panels = (*plane.panels, *right)
    return Scene(panels, sentence, bounds.readouts, columns=2, shared_legend=True)


def convergence_widget() -> Live:
    """How many updates the perceptron needs when the margin shrinks, next to the bound R²/γ²."""
    return live(
        convergence_scene,
        margin=slider(0.02, 0.6, 0.02, value=0.2, label="margin of the data"),
        n=choice({"20": 20, "60": 60, "200": 200}, value=60, label="number of examples"),
        sample=slider(1, 10, 1, value=1, label="sample"),
    )
