"""What is only true of the chapter on the logistic model."""

import numpy as np
import pytest

from lectures_lib.chapters.logistic_model import live, pictures
from lectures_lib.datasets import load_breast_cancer, load_titanic
from lectures_lib.figures import Arrow, Curve, Line, Points, Segments
from lectures_lib.logistic import LogisticRegression
from tests.exercise_tests import ExerciseTests


@pytest.fixture(scope="module")
def women() -> tuple[np.ndarray, np.ndarray]:
    """Age and label of the women of the third class whose age is known."""
    titanic = load_titanic()
    female, age, passenger_class = titanic.X.T
    group = (female == 1) & (passenger_class == 3) & ~np.isnan(age)
    return age[group], titanic.y[group]


def test_the_counted_shares_weighted_by_their_groups_give_the_share_of_all(women) -> None:
    age, y = women
    sizes = [len(part) for part in np.array_split(age, 5)]
    counted = pictures.shares(age, y, 5)
    assert np.average(counted[:, 1], weights=sizes) == pytest.approx(y.mean())
    assert (np.diff(counted[:, 0]) > 0).all()


@pytest.mark.parametrize(("half", "w"), [(13.0, 0.25), (14.75, 1.0), (18.0, 0.0)])
def test_one_curve_on_three_scales(half: float, w: float) -> None:
    data, values = load_breast_cancer(), {}
    for scale in pictures.SCALES:
        curve = pictures.radius_scene(data.X[:, 0], data.y, half, w, scale).marks(Curve)[0]
        values[scale] = curve.y
    p, odds, log_odds = (values[scale] for scale in pictures.SCALES)
    seen = np.isfinite(odds) & np.isfinite(log_odds)
    assert seen.sum() > 5
    assert odds[seen] == pytest.approx(p[seen] / (1 - p[seen]))
    assert np.exp(log_odds[seen]) == pytest.approx(odds[seen])
    straight = w * np.diff(curve.x[np.isfinite(log_odds)])
    assert np.diff(log_odds[np.isfinite(log_odds)]) == pytest.approx(straight)


def test_the_fit_is_on_the_slider_and_nearest_to_the_counted_shares() -> None:
    data = load_breast_cancer()
    fit = LogisticRegression(C=np.inf).fit(data.X[:, :1], data.y)
    assert -fit.intercept_[0] / fit.coef_[0, 0] == pytest.approx(14.75, abs=0.01)
    assert fit.coef_[0, 0] == pytest.approx(1, abs=0.05)
    widget = live.one_feature()
    widget.half, widget.w = 14.75, 1
    assert dict(widget.scene.readouts)["farthest share"] == "0.07 off, the least is 0.07"
    counted = pictures.shares(data.X[:, 0], data.y, 12)
    halves, weights = np.meshgrid(np.arange(12, 18.1, 0.25), np.arange(0, 2.1, 0.25))
    z = weights[..., None] * (counted[:, 0] - halves[..., None])
    farthest = np.abs(counted[:, 1] - 1 / (1 + np.exp(-z))).max(axis=-1)
    assert farthest.min() == pytest.approx(pictures.LEAST_GAP, abs=0.005)


def test_every_passenger_is_drawn_once(women) -> None:
    age, y = women
    marks = [m for m in pictures.passengers_scene(age / 40, y).marks(Points) if m.look == "class"]
    assert sum(len(m.xy) for m in marks) == len(age)
    for mark in marks:
        label = mark.classes[0]
        assert sorted(mark.xy[:, 0]) == sorted(age[y == label] / 40)
        assert (mark.xy[:, 1] > 1).all() if label else (mark.xy[:, 1] < 0).all()


def test_equal_steps_in_log_odds_end_where_the_odds_are_multiplied() -> None:
    scene = pictures.steps_scene(np.log(3), [0.5, 0.1])
    arrows = scene.marks(Arrow)
    above = [a.end[0, 0] - a.start[0, 0] for a in arrows[::2]]
    below = [(a.end[0, 0] - a.start[0, 0]) / 10 for a in arrows[1::2]]
    assert above == pytest.approx([np.log(3)] * 2)
    assert below == pytest.approx([0.75 - 0.5, 0.25 - 0.1])  # odds 1 to 3, and 1/9 to 1/3
    assert scene.describe().startswith("A step of 1.10 in log-odds, odds times 3: the prob")


def test_the_wires_join_the_same_probability_on_both_scales() -> None:
    wires = pictures.steps_scene(1.0, [0.5]).marks(Segments)[0]
    z, place = wires.start[:, 0], wires.end[:, 0]
    assert (place + 5) / 10 == pytest.approx(np.exp(z) / (1 + np.exp(z)))


def test_the_lines_of_equal_probability() -> None:
    age, other, y = np.array([10.0, 50.0]), np.array([1.0, 3.0]), np.array([1, 0])
    lines = pictures.boundary_scene(age, other, y, [4.0, -0.1, -0.5], "all").marks(Line)
    for p, line in zip((0.2, 0.5, 0.8), lines, strict=True):
        x = (np.log(p / (1 - p)) - 4.0) / -0.1  # a point of that probability with class 0
        assert line.w @ [x, 0.0] + line.w0 == pytest.approx(0)


def test_the_tangent_of_the_sigmoid_touches_it_at_zero() -> None:
    tangent, curve = pictures.sigmoid_scene().marks(Curve)
    assert np.interp(0, tangent.x, tangent.y) == 0.5
    middle = np.abs(curve.x) < 0.11
    assert np.polyfit(curve.x[middle], curve.y[middle], 1)[0] == pytest.approx(0.25, abs=1e-3)


@pytest.mark.slow
def test_the_live_figure_is_sent_ahead_and_starts_off_the_dots() -> None:
    widget = live.one_feature()
    assert widget.mode == "ahead", widget.why
    assert "at radius 17 the log-odds are 1, the odds 2.72" in widget.scene.describe()
    widget.scale = "log-odds"
    widget.half, widget.w = 14.75, 1
    assert "at radius 17 the log-odds are 2.25" in widget.scene.describe()
    assert widget.scene.panels[0].y.label == "log-odds of malignancy"


# The exercises ------------------------------------------------------------------------------


def weight_from_the_odds_ratio(p, q, delta):
    return [
        float(np.log(b * (1 - a) / (a * (1 - b)))) / d for a, b, d in zip(p, q, delta, strict=True)
    ]


def weight_by_bisection(p, q, delta):
    """Search for the weight with which the sigmoid leads from p to q."""
    low, high = np.full(len(p), -200.0), np.full(len(p), 200.0)
    for _ in range(200):
        middle = (low + high) / 2
        found = 1 / (1 + (1 - p) / p * np.exp(-np.clip(middle * delta, -700, 700)))
        larger = (found < q) == (delta > 0)
        low, high = np.where(larger, middle, low), np.where(larger, high, middle)
    return (low + high) / 2


def probability_by_cases(X, s, w):
    out = []
    for x, label in zip(X, s, strict=True):
        z = float(w[0] + sum(a * b for a, b in zip(w[1:], x, strict=True)))
        small = np.exp(-abs(z))
        out.append(1 / (1 + small) if (z >= 0) == (label > 0) else small / (1 + small))
    return out


def probability_in_a_column(X, s, w):
    m = s * (np.insert(X, 0, 1, axis=1) @ w)
    with np.errstate(over="ignore"):
        return (1 / (1 + np.exp(-m)))[:, None]


def fill_in_a_loop(train, new):
    filled, flag = new.tolist(), np.zeros(new.shape)
    for j in range(new.shape[1]):
        known = sorted(v for v in train[:, j] if v == v)
        n = len(known)
        median = (known[(n - 1) // 2] + known[n // 2]) / 2
        for i in range(len(new)):
            if new[i, j] != new[i, j]:
                filled[i][j], flag[i, j] = median, 1
    return filled, flag


def fill_by_mask(train, new):
    flag = new != new
    filled = new.copy()
    filled[flag] = np.broadcast_to(np.nanquantile(train, 0.5, axis=0), new.shape)[flag]
    return filled, flag.astype(int)


def weights_by_odds(w, kept_0, kept_1):
    return [np.log(np.exp(w[0]) * kept_0 / kept_1), *w[1:]]


def weights_by_two_logarithms(w, kept_0, kept_1):
    return w + (np.log(kept_0) - np.log(kept_1)) * (np.arange(len(w)) == 0)


HALF, QUARTER = np.log(0.5), np.log(0.25)
WOMAN = np.log(0.4 / 0.6) - 3 * (HALF + QUARTER)


class TestExercises(ExerciseTests):
    slug = "logistic_model"
    right_answers = {
        "logistic_model.weight_between": [(weight_from_the_odds_ratio,), (weight_by_bisection,)],
        "logistic_model.label_probability": [(probability_by_cases,), (probability_in_a_column,)],
        "logistic_model.fill_and_flag": [(fill_in_a_loop,), (fill_by_mask,)],
        "logistic_model.interaction": [
            ([0.0, WOMAN, HALF, QUARTER],),
            (np.array([[-1.5, WOMAN + 1.4, HALF, QUARTER]]),),
        ],
        "logistic_model.thinned_sample": [(weights_by_odds,), (weights_by_two_logarithms,)],
    }  # fmt: skip
    wrong_data = {
        "logistic_model.interaction": {
            "Factors in the place of weights": ([0.0, 6.0, 0.5, 0.25],),
            "The women's slope twice": ([0.0, WOMAN, HALF, np.log(0.125)],),
            "Another logarithm": ([0.0, WOMAN, -1.0, -2.0],),
            "The wrong direction": ([0.0, -4.0, -HALF, -QUARTER],),
            "The first class is 1, not 0": ([-0.8, 4.55, HALF, QUARTER],),
        },
    }
