"""The convergence theorem on data whose margin and place the reader chooses.

On logarithmic axes both bounds are straight lines: t γ rises one decade in a decade, √t R half a
decade. The run must stay between them, so it ends before they cross. The axes never change, so
that the crossing is seen moving when the margin shrinks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lectures_lib.datasets import make_separable
from lectures_lib.figures.marks import Arrow, Curve, HalfPlane, Line, Points, Segments, Text, Track
from lectures_lib.figures.plane import CLASS_NAMES
from lectures_lib.figures.scene import Array, Axis, Floats, Mark, Panel, Scene
from lectures_lib.figures.words import count, number
from lectures_lib.perceptron import Perceptron
from lectures_lib.widgets import Live, live, slider

MARGINS = slider(0.04, 0.5, 1.5, log=True, value=0.09, label="margin of the data")
TURNS = slider(-30, 30, 5, value=0, label="w* turned away from the best direction", unit="°")
SHIFTS = slider(0, 2, 1, value=1, label="data shifted away from the origin").on("class 0")
EXAMPLES, SAMPLE = 20, 32  # of make_separable: its w* points up to the right, away from 0

PLANE = Axis("x₁", -3.0, 5.0), Axis("x₂", -3.0, 5.0)
DECADES = {0: "1", 1: "10", 2: "100", 3: "1000", 4: "10⁴", 5: "10⁵", 6: "10⁶"}
SHOWN = 48  # states at most in the curve of the run
START = 3.877, 2.54  # where the bounds cross as the picture opens
ARROW = 1.5  # length of the drawn w*, which is a unit vector


@dataclass(frozen=True, eq=False)
class PlaneRun:
    """Data, the perceptron's run on them, and the best separator as a unit vector of the plane."""

    X: Floats
    y: Array
    w_star: Floats
    path: Floats  # augmented weights after 0, 1, 2, ... updates
    R: float


@lru_cache(maxsize=256)
def run_on(margin: float, shift: float) -> PlaneRun:
    """The run on data with this margin, moved by `shift` in both directions."""
    data = make_separable(EXAMPLES, 2, margin, rng=SAMPLE, spread=1.1)
    X = data.X + shift
    model = Perceptron(max_iter=100_000, record=True).fit(X, data.y)
    R = float(np.sqrt(1 + np.square(X).sum(axis=1)).max())
    return PlaneRun(X, data.y, data.w_star, model.path_, R)


@dataclass(frozen=True)
class Star:
    """A separator w* of unit length in the plane: its offset in the middle of the gap it leaves."""

    w: Floats
    w0: float
    half_gap: float  # negative: it does not separate

    @property
    def gamma(self) -> float:
        """Margin of the separator in the theorem, where (w0, w) has length 1."""
        return self.half_gap / float(np.hypot(1.0, self.w0))


@lru_cache(maxsize=4096)
def star_of(run: PlaneRun, turned: float) -> Star:
    """The best direction turned by some degrees, its line moved to the middle of the gap."""
    angle = np.deg2rad(turned) + np.arctan2(run.w_star[1], run.w_star[0])
    w = np.array([np.cos(angle), np.sin(angle)])
    scores = run.X @ w
    above, below = scores[run.y == 1].min(), scores[run.y == 0].max()
    return Star(w, -float(above + below) / 2, float(above - below) / 2)


def convergence_scene(margin: float, turned: float, shift: float) -> Scene:
    """The data with w* and its margin, and |w_t| of the run between the two bounds."""
    run = run_on(margin, shift)
    star = star_of(run, turned)
    updates = len(run.path) - 1
    bound = (run.R / star.gamma) ** 2 if star.gamma > 0 else np.inf
    sentence = (
        f"Margin {number(margin, 2)}, data shifted by {shift:g}: {count(updates, 'update')}; "
        f"R = {number(run.R)}, "
    )
    if np.isfinite(bound):
        sentence += (
            f"γ = {number(star.gamma, 3)}, so the bounds cross at (R/γ)² = {_whole(bound)} updates."
        )
    else:
        sentence += "and this w* does not separate the classes: it bounds nothing."
    panels = (
        Panel(_plane(run, star, turned, shift), *PLANE, "the data and w*", equal=True),
        _bounds(run, star, bound, _crossings(turned, shift)),
    )
    reading = (
        ("updates", str(updates)),
        ("R", number(run.R)),
        ("γ", number(star.gamma, 3) if star.gamma > 0 else "none"),
        ("bound (R/γ)²", _whole(bound)),
        ("bound : updates", _whole(bound / updates)),
    )
    return Scene(panels, sentence, reading, columns=2)


def _whole(value: float) -> str:
    """A bound as a whole number; the run has at most so many updates."""
    return f"{int(value):,}" if np.isfinite(value) else "none"


# --- the data ------------------------------------------------------------------------------------


def _plane(run: PlaneRun, star: Star, turned: float, shift: float) -> tuple[Mark, ...]:
    """The points, the learnt line, w* with the band of its margin, and what the hand moves."""
    w0, w = run.path[-1, 0], run.path[-1, 1:]
    foot = _foot(star, run)
    band = max(star.half_gap, 0.0)
    corner = [] if band else [[PLANE[0].lo, PLANE[1].hi]]
    edge = foot - 1.6 * np.array([-star.w[1], star.w[0]])  # where the band's edge is held
    gaps = [star_of(run_on(m, shift), turned).half_gap for m in MARGINS.values]
    turns = [star_of(run, angle) for angle in TURNS.values]
    return (
        HalfPlane(-star.w, -star.w0, 0),
        HalfPlane(star.w, star.w0, 1),
        Line(star.w, star.w0 - band, "margin", "margin of w*"),
        Line(star.w, star.w0 + band, "margin"),
        Line(w, w0, "boundary", "line that the run found"),
        Points(run.X, run.y, CLASS_NAMES, size=4),
        Arrow(foot, foot + ARROW * star.w, "weights"),
        Text(foot + (ARROW + 0.35) * star.w, ("w*",), colour="accent"),
        Text(corner, ("this w* does not separate",) * len(corner), "start", shift=(8, -14)),
        Points([[0, 0]], look="dot", size=2.5),
        Text([0, 0], ("0",), colour="muted", shift=(-8, -8)),
        Track([_foot(other, run) + ARROW * other.w for other in turns], "turned"),
        Track([edge + max(gap, 0.0) * star.w for gap in gaps], "margin"),
    )


def _foot(star: Star, run: PlaneRun) -> Floats:
    """The point of the separator's line that is nearest to the middle of the data."""
    middle = run.X.mean(axis=0)
    foot: Floats = middle - (star.w @ middle + star.w0) * star.w
    return foot


# --- the bounds ----------------------------------------------------------------------------------


def _crossings(turned: float, shift: float) -> Floats:
    """Where the bounds would cross with each margin; at the end of the axis where they do not."""
    places = []
    for margin in MARGINS.values:
        run = run_on(margin, shift)
        gamma = star_of(run, turned).gamma
        bound = min((run.R / gamma) ** 2 if gamma > 0 else np.inf, 1e6)
        places.append([np.log10(bound), np.log10(run.R) + np.log10(bound) / 2])
    return np.array(places)


def _bounds(run: PlaneRun, star: Star, bound: float, crossings: Floats) -> Panel:
    """‖w_t‖ of the run and both bounds, on axes that hold powers of ten and never change."""
    x = Axis("updates t", 0.0, 6.0, tuple(DECADES.items()))
    y = Axis("", -1.5, 4.5, tuple((k, t) for k, t in DECADES.items() if k <= 4))
    ends = np.array([x.lo, x.hi])
    low = np.log10(star.gamma) if star.gamma > 0 else -9.0
    high = np.log10(run.R)
    t = np.unique(np.rint(np.geomspace(1, len(run.path) - 1, SHOWN)).astype(int))
    norms = np.log10(np.linalg.norm(run.path[t], axis=1))
    last = np.array([np.log10(t[-1]), norms[-1]])
    cross = np.array([[np.log10(bound), np.log10(bound) + low]] if np.isfinite(bound) else [])
    cross = cross.reshape(-1, 2)
    side, aside = ("start", 6) if bound < 1e3 else ("end", -6)
    marks: list[Mark] = [
        Curve(ends, high + ends / 2, "path1", "at most √t R, slope ½"),
        Curve(ends, low + ends, "path2", "at least t γ, slope 1"),
        Curve(np.log10(t), norms, "weights"),
        Points([START], look="ring", size=5),
        Text([START], ("start",), "start", 11, "muted", (9, -12)),
        Points([last], look="dot", size=5),
        Segments([[last[0], y.lo]], [last], "guide"),
        Text([[last[0], y.lo]], (f"it ends: {len(run.path) - 1:,}",), "start", shift=(6, 12)),
        Points(cross, look="dot", size=5),
        Segments(cross * [1, 0] + [0, y.lo], cross, "guide"),
        Text(
            cross * [1, 0] + [0, y.lo],
            (f"crossing: {_whole(bound)}",) * len(cross),
            side,
            shift=(aside, 30),
        ),
        Text([last], ("‖wₜ‖",), "start", shift=(9, -5), colour="accent"),
        Track(crossings, "margin"),
    ]
    return Panel(tuple(marks), x, y, "the run between its bounds", height=0.95)


def convergence_widget() -> Live:
    """How many updates the perceptron needs when the margin shrinks, next to the bound R²/γ².

    The head of w* and the edge of its margin are dragged in the data.
    """
    return live(
        convergence_scene,
        margin=MARGINS,
        turned=TURNS,
        shift=SHIFTS,
    )
