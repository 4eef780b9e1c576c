"""Chapter 05, runs: `.dual` and `.tight_data`."""

from __future__ import annotations

from functools import partial

import numpy as np

from lectures_lib.chapters.perceptron._runs import augmented
from lectures_lib.chapters.perceptron_convergence import _claims as bounds
from lectures_lib.checks.exercise import Exercise, Section, Slip
from lectures_lib.checks.functions import Case, Function
from lectures_lib.checks.results import Result
from lectures_lib.checks.values import Property, Values

DUAL_FORM = Section("perceptron_convergence", "The dual form")
TOGETHER = Section("perceptron_convergence", "Both together")

PLANE = augmented(np.array([[2.0, -2.0], [0.0, 0.0], [3.0, 3.0], [1.0, -2.0]]))
PLANE_SIGNS = np.array([1, -1, 1, -1])
XOR = augmented(np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]))
XOR_SIGNS = np.array([-1, 1, 1, -1])
LINE = augmented(np.array([[5.0], [6.0], [8.0], [9.0]]))
LINE_SIGNS = np.array([-1, -1, 1, 1])

DUAL = Exercise(
    id="perceptron_convergence.dual",
    title="The dual form",
    minutes=14,
    section=DUAL_FORM,
    hints=(
        "Do not store w. Store how often each example has caused an update, and compute the score "
        "of an example from these counts.",
        "w = Σ α_j·s_j·(1, x_j), so the score of example i is Σ α_j·s_j·G[j, i] and the update is "
        "α_i ← α_i + 1 when s_i times this score, its margin, is ≤ 0.",
        "`if s[i] * ((alpha * s) @ G[:, i]) <= 0:` and below it `alpha[i] += 1`; stop after a pass "
        "without an update.",
    ),
    remark="The examples entered through G alone. Any kernel matrix can stand in its place: with "
    "(1 + x·z)² the same loop solved XOR.",
    parts=(
        Function(
            "perceptron_dual",
            ("G", "s", "max_passes"),
            (Result("alpha", ("N",), "count"),),
            (
                Case("four examples in the plane", (PLANE @ PLANE.T, PLANE_SIGNS, 100)),
                Case("classes far from the origin", (LINE @ LINE.T, LINE_SIGNS, 200)),
                Case("XOR with the quadratic kernel", ((XOR @ XOR.T) ** 2, XOR_SIGNS, 100), 2.0),
                Case("XOR without it, stopped after 5 passes", (XOR @ XOR.T, XOR_SIGNS, 5)),
            ),
            bounds.dual,
            (
                Slip(
                    "A strict inequality",
                    "With < 0 the run never leaves α = 0, where every score is 0.",
                    partial(bounds.dual, strict=True),
                ),
                Slip(
                    "The signs of the others are missing",
                    "w is Σ α_j·s_j·x_j: each term carries the sign of its own example.",
                    partial(bounds.dual, other_signs=False),
                ),
                Slip(
                    "The own sign is missing",
                    "A mistake is s_i·g ≤ 0; here g alone is compared with 0.",
                    partial(bounds.dual, own_sign=False),
                ),
                Slip(
                    "α is set instead of counted",
                    "An example can cause several updates: add 1 each time.",
                    partial(bounds.dual, counts=False),
                ),
                Slip(
                    "A whole pass at once",
                    "The scores of a pass are computed at its beginning. Each update counts at "
                    "once, for the very next example.",
                    bounds.dual_in_batches,
                ),
                Slip(
                    "One pass only",
                    "The run ends after the first pass. It has to go on until a pass has no "
                    "mistake, at most `max_passes` times.",
                    lambda G, s, max_passes: bounds.dual(G, s, 1),
                ),
                Slip(
                    "α carries the sign",
                    "α_i counts updates and is never negative; the sign s_i is applied when w is "
                    "put together.",
                    lambda G, s, max_passes: s * bounds.dual(G, s, max_passes),
                ),
            ),
        ),
    ),
)

TIGHT_DATA = Exercise(
    id="perceptron_convergence.tight_data",
    title="Data that make the bound nearly tight",
    minutes=14,
    section=TOGETHER,
    hints=(
        "The proof loses nothing when every update is made with w·x close to 0 and every example "
        "has the same length and the same margin under w*. Which directions have scalar product 0?",
        "Take d examples c·e_1, …, c·e_d along the axes, with alternating signs. Each is new to "
        "w, so each causes an update; w* = (0, s_1, …, s_d) has γ = c/√d, and the bound is "
        "d·(1 + 1/c²).",
        "`X_tight = 3 * np.eye(10)`, signs `np.tile([-1, 1], 5)`, and for w* a 0 in front of "
        "these signs.",
    ),
    remark="So the bound cannot be improved in general: for orthogonal examples the perceptron "
    "learns one example at a time.",
    parts=(
        Values(
            ("X_tight", "s_tight", "w_tight"),
            (
                Property("w_tight separates the data", 1.0, bounds.separates),
                Property("the run makes ten updates or more", 1.0, bounds.many_updates),
                Property("the updates reach half the bound", 2.0, bounds.nearly_tight),
            ),
            (
                Result("X_tight", ("N", "d")),
                Result("s_tight", ("N",), "sign"),
                Result("w_tight", ("d+1",)),
            ),
            (
                Slip(
                    "w* points the other way",
                    "`-w_tight` separates: turn its signs.",
                    recognise=bounds.turned_round,
                ),
                Slip(
                    "The bias stands last",
                    "`w_tight` separates once its last entry is moved to the front: the bias "
                    "comes first.",
                    recognise=bounds.bias_last,
                ),
                Slip(
                    "w* does not separate",
                    "Without a separating w* there is no bound to compare with. Check "
                    "that the margin s·(w0 + w·x) of every row is above 0.",
                    recognise=bounds.not_separating,
                ),
                Slip(
                    "Too few updates",
                    "With a handful of updates a bound is easily tight. Add examples that need "
                    "updates of their own.",
                    recognise=bounds.fails(bounds.separates, bounds.many_updates),
                ),
                Slip(
                    "The examples repair each other",
                    "There are enough updates, but the bound is much larger: the examples are far "
                    "from orthogonal, or `w_tight` has a smaller γ than it could have.",
                    recognise=bounds.fails(bounds.many_updates, bounds.nearly_tight),
                ),
            ),
        ),
    ),
)
