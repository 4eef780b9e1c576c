"""What is only true of the chapter on training."""

import numpy as np
import pytest
import sympy

from lectures_lib import logistic
from lectures_lib.chapters.logistic_training import live, pictures, race, runs
from lectures_lib.datasets import load_spambase
from lectures_lib.figures import Curve, Points, Text
from lectures_lib.logistic import LogisticRegression
from lectures_lib.selection import Standardizer
from tests.exercise_tests import ExerciseTests

STARTS = [(0.0, 0.0), (-1.0, -1.0), (3.0, 1.0)]


@pytest.mark.parametrize("standardised", [False, True])
@pytest.mark.parametrize("w", STARTS)
def test_sums_over_values_are_the_sums_over_passengers(standardised: bool, w) -> None:
    sample, at = runs.women(standardised), np.array(w)
    X, y = sample.x[:, None], sample.y
    assert sample.loss(at) == pytest.approx(logistic.cross_entropy_loss(X, y, at))
    assert sample.gradient(at) == pytest.approx(logistic.gradient(X, y, at))
    assert sample.hessian(at) == pytest.approx(logistic.hessian(X, at))
    assert 1 / sample.steepest == pytest.approx(logistic.step_size(X))


@pytest.mark.parametrize("standardised", [False, True])
def test_the_paths_are_those_of_the_formulas(standardised: bool) -> None:
    sample = runs.women(standardised)
    X, y, start = sample.x[:, None], sample.y, np.array([-1.0, -1.0])
    eta = 1 / sample.steepest
    after = start - eta * logistic.gradient(X, y, start)
    assert runs.descent(sample, (-1, -1), eta, 3).path[1] == pytest.approx(after)
    assert runs.newton(sample, (-1, -1), 3).path[1] == pytest.approx(
        logistic.newton_step(X, y, start)
    )
    everyone = runs.stochastic(sample, (-1, -1), eta, len(y), 3)
    assert everyone.path == pytest.approx(runs.descent(sample, (-1, -1), eta, 3).path)


def test_stochastic_steps_are_those_of_the_minibatches() -> None:
    sample = runs.women(True)
    X, w = sample.x[:, None], np.array([-1.0, 0.5])
    order = np.random.default_rng(3).permutation(len(X))
    path = runs.stochastic(sample, (-1.0, 0.5), 0.7, 100, 1, seed=3).path
    for k, place in enumerate(path[1:]):
        rows = order[100 * k : 100 * k + 100]
        w = w - 0.7 * logistic.gradient(X[rows], sample.y[rows], w)
        assert place == pytest.approx(w)
    assert len(path) == 6  # the last minibatch has 66 examples


def test_a_step_costs_its_share_of_the_sample() -> None:
    sample = runs.women(False)
    run = runs.stochastic(sample, (0, 0), 0.1, 32, 5)
    assert len(run.path) == 5 * int(np.ceil(466 / 32)) + 1
    assert run.cost[-1] == pytest.approx(5)
    assert run.thinned(1).cost == pytest.approx([0, 1, 2, 3, 4], abs=32 / 466)
    assert runs.newton(sample, (0, 0), 10).cost[1] == 2
    assert runs.newton(sample, (0, 0), 10, halving=True).cost[1] == 2.5


def test_the_ravine_is_slow_and_the_bowl_is_not_and_newton_sees_no_units() -> None:
    slow, fast = (
        runs.descent(sample, (0, 0), 1 / sample.steepest, 2000).arrival(pictures.REACHED)
        for sample in (runs.women(False), runs.women(True))
    )
    assert (slow, fast) == (754, 14)
    raw, standard = (runs.newton(runs.women(flag), (0, 0), 40) for flag in (False, True))
    assert raw.gap == pytest.approx(standard.gap, abs=1e-9)


def test_newton_runs_away_and_halving_brings_it_back() -> None:
    sample = runs.women(True)
    assert runs.newton(sample, (3, 1), 40).lost
    assert runs.newton(sample, (3, 1), 40, halving=True).arrival(1e-6) < 40
    assert "Newton runs away" in pictures.ravine_scene(True, (3, 1)).describe()


def test_a_gap_that_comes_back_is_no_arrival() -> None:
    run = runs.Run(np.zeros((4, 2)), np.arange(4.0), np.array([1.0, 1e-5, 1.0, 1e-5]))
    assert run.arrival(1e-4) == 3
    assert runs.Run(run.path, run.cost, np.ones(4)).arrival(1e-4) == np.inf


def test_the_contours_lie_where_the_loss_has_their_level() -> None:
    lines = pictures.contours(True)
    some = lines[~np.isnan(lines[:, 0])][::37]
    gaps = runs.women(True).loss(some) - runs.women(True).lowest
    nearest = np.abs(gaps[:, None] / np.array(pictures.LEVELS) - 1).min(axis=1)
    assert nearest.max() < 0.15


def test_the_mean_of_all_minibatches_is_the_gradient() -> None:
    x, y = [-2, -1, -0.5, 0.5, 1, 2.5], [0, 1, 0, 1, 0, 1]
    scene = pictures.batches_scene(x, y, (0.5, 0.5), (1, 2, 3))
    full = logistic.gradient(np.array(x)[:, None], y, [0.5, 0.5])
    rings = [mark.xy[0] for mark in scene.marks(Points) if mark.look == "focus"]
    assert len(rings) == 3
    for ring in rings:
        assert ring == pytest.approx(full)


@pytest.mark.parametrize(("start", "word"), [(0.5, "lower"), (4.0, "higher"), (-5.0, "higher")])
def test_newtons_parabola(start: float, word: str) -> None:
    scene = pictures.parabola_scene(start)
    curves = {curve.label: curve for curve in scene.marks(Curve)}
    model, loss = curves["Newton's parabola"], curves["loss J"]
    near = np.abs(loss.x - start) < 0.15
    assert model.y[near] == pytest.approx(loss.y[near], abs=1e-3)
    newton, upper = scene.describe().split("upper parabola")
    assert f"{word} than before" in newton
    assert "lower than before" in upper
    assert bool(scene.marks(Text)) == (word == "higher")


@pytest.mark.parametrize("start", np.linspace(-4, 6, 11))
def test_the_upper_parabola_touches_the_loss_and_lies_above_it(start: float) -> None:
    curves = {curve.label: curve for curve in pictures.parabola_scene(start).marks(Curve)}
    upper, loss = curves["upper parabola"].y, curves["loss J"].y
    seen = ~np.isnan(upper)
    assert (upper[seen] >= loss[seen] - 1e-12).all()
    assert np.nanmin(upper - loss) < 1e-3


def test_both_minima_of_the_stored_picture_are_on_the_page() -> None:
    scene = pictures.parabola_scene(3)
    assert not scene.marks(Text)
    lowest = [mark.xy[0] for mark in scene.marks(Points) if mark.look == "dot" and mark.size == 3]
    assert len(lowest) == 2
    (panel,) = scene.panels
    for x, y in lowest:
        assert panel.x.lo < x < panel.x.hi
        assert panel.y.lo < y < panel.y.hi


# The race ---------------------------------------------------------------------------------------

METHODS = {"descent": {}, "momentum": {"momentum": True}, "minibatches": {"batch": 32}}
STEPS = 2.0 ** np.arange(-1, 7.5, 0.5)


@pytest.fixture(scope="module")
def spam() -> race.Task:
    data = load_spambase()
    Z = Standardizer().fit(data.X).transform(data.X)
    model = LogisticRegression().fit(Z, data.y)
    return race.Task(Z, data.y, np.r_[model.intercept_, model.coef_[0]], STEPS)


def one_walk(X, y, eta, passes, batch, momentum, seed):
    """A plain walk, as the chapter writes it; the weights after the last pass."""
    order_of = np.random.default_rng(seed).permutation
    w = v = np.zeros(X.shape[1] + 1)
    t = 0
    for _ in range(passes):
        order = order_of(len(y)) if batch else np.arange(len(y))
        for first in range(0, len(y), batch or len(y)):
            t += 1
            rows = order[first : first + (batch or len(y))]
            length = eta / np.sqrt(t) if batch else eta
            after = v - length * logistic.gradient(X[rows], y[rows], v)
            v = after + (t - 1) / (t + 2) * (after - w) if momentum else after
            w = after
    return w


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_walks_side_by_side_are_single_walks(method) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(70, 3)), rng.integers(0, 2, 70)
    model = LogisticRegression().fit(X, y)
    best = np.r_[model.intercept_, model.coef_[0]]
    task = race.Task(X, y, best, STEPS)
    found = race.gaps(task, [0.5, 2.0], (1, 4), seeds=(3, 5), **method)
    seeds = (3, 5) if method.get("batch") else (3,)
    assert found.shape == (2, len(seeds), 2)
    for j, seed in enumerate(seeds):
        for k, step in enumerate((0.5, 2.0)):
            setting = method.get("batch"), method.get("momentum"), seed
            w = one_walk(X, y, step * logistic.step_size(X), 4, *setting)
            gap = logistic.cross_entropy_loss(X, y, w) - logistic.cross_entropy_loss(X, y, best)
            assert found[1, j, k] == pytest.approx(gap, rel=1e-9)


def test_who_leads_the_race_after_1_5_20_and_100_passes(spam: race.Task) -> None:
    """The answer of the chapter, with three orders for twenty."""
    marks = (1, 5, 20, 100)
    found = {
        name: race.at_its_best(spam, marks, (0, 1, 2), **method) for name, method in METHODS.items()
    }
    for lengths, _ in found.values():
        assert STEPS[0] < lengths.min(), "the best step is at the edge of the grid"
        assert lengths.max() < STEPS[-1], "the best step is at the edge of the grid"
    descent, momentum, few = (found[name][1] for name in METHODS)
    remembered = race.lbfgs(spam, 120)[np.array(marks) - 1]
    assert few[0].max() < min(descent[0, 0], remembered[0]) / 2  # 1 pass: minibatches
    assert few[1].max() < min(momentum[1, 0], remembered[1])  # 5 passes: still
    assert few[2].min() < 1.25 * momentum[2, 0] < 2 * few[2].max()  # 20: about level
    assert remembered[2] < momentum[2, 0] < descent[2, 0]
    assert remembered[3] < momentum[3, 0] / 5  # 100: what remembers is ahead
    assert momentum[3, 0] < few[3].min()
    assert few[3].max() < 1.25 * descent[3, 0]


def test_without_a_search_momentum_beats_descent_at_the_same_step(spam: race.Task) -> None:
    plain, faster = (race.gaps(spam, [1], (20, 100), momentum=flag)[:, 0, 0] for flag in (0, 1))
    assert (faster < 0.6 * plain).all()


def test_the_way_of_a_newton_step() -> None:
    X, y, w = np.array([[-2.0], [-1.0], [1.0], [3.0]]), [0, 1, 0, 1], np.array([0.0, 3.0])
    whole = logistic.newton_step(X, y, w)
    quarter = w + (whole - w) / 4
    told = pictures.along_scene(X, y, w, {"yours": whole, "expected": quarter}).describe()
    losses = [logistic.cross_entropy_loss(X, y, place) for place in (w, whole, quarter)]
    assert f"direction, {losses[0]:.2f} at the start" in told
    assert f"yours 1 of the way, loss {losses[1]:.2f}" in told
    assert f"expected 0.2500 of the way, loss {losses[2]:.2f}" in told
    elsewhere = pictures.along_scene(X, y, w, {"yours": w + np.ones(2), "expected": quarter})
    assert elsewhere is None


def test_two_columns_and_their_condition_number() -> None:
    told = pictures.twins_scene(np.eye(2), 12.5).describe()
    assert told == "2 rows; the condition number is 12.5."
    assert pictures.twins_scene(np.eye(3), 1.0) is None


def test_the_live_pictures_move() -> None:
    ravine = live.ravine()
    for standardised in (True, False):
        ravine.standardised = standardised
        for factor in (0.25, 2.8, 8):
            ravine.factor = factor
            assert f"{'standardised' if standardised else 'as it is'}" in ravine.scene.describe()
    assert "longer than 2/L" in ravine.scene.describe()
    parabola = live.parabola()
    assert parabola.mode == "ahead", parabola.why


# The exercises ------------------------------------------------------------------------------


def slope_of(X, y, w):
    ones = np.column_stack([np.ones(len(X)), X])
    return ones.T @ (logistic.sigmoid(ones @ w) - y) / len(X)


def epoch_with_a_helper(X, y, w, eta, B, order):
    while len(order):
        w = w - eta * slope_of(X[order[:B]], y[order[:B]], w)
        order = order[B:]
    return w


def epoch_by_loops(X, y, w, eta, B, order):
    w = list(w)
    for k in range(-(-len(order) // B)):
        slope, n = [0.0] * len(w), 0
        for i in order[k * B : (k + 1) * B]:
            row = [1.0, *X[i]]
            miss = 1 / (1 + np.exp(-sum(a * b for a, b in zip(w, row, strict=True)))) - y[i]
            slope = [s + miss * a for s, a in zip(slope, row, strict=True)]
            n += 1
        w = [a - eta * s / n for a, s in zip(w, slope, strict=True)]
    return w


def penalised_with_a_helper(X, y, w, lam):
    keep = np.diag([0.0] + [1.0] * X.shape[1])
    ones = np.column_stack([np.ones(len(X)), X])
    p = logistic.predict_probability(X, w)
    bend = ones.T @ np.diag(p * (1 - p)) @ ones / len(X)
    return slope_of(X, y, w) + lam * keep @ w, bend + lam * keep


def penalised_by_loops(X, y, w, lam):
    n, p = X.shape[0], len(w)
    slope, bend = [0.0] * p, [[0.0] * p for _ in range(p)]
    for row, label in zip(X, y, strict=True):
        one = [1.0, *row]
        chance = 1 / (1 + np.exp(-np.dot(one, w)))
        for j in range(p):
            slope[j] += (chance - label) * one[j] / n
            for k in range(p):
                bend[j][k] += chance * (1 - chance) * one[j] * one[k] / n
    for j in range(1, p):
        slope[j] += lam * w[j]
        bend[j][j] += lam
    return slope, bend


W, CUT, X1, Y1 = sympy.symbols("w c x y", real=True)
P = 1 / (1 + sympy.exp(-W * (X1 - CUT)))
LOSS = -Y1 * sympy.log(P) - (1 - Y1) * sympy.log(1 - P)


def sure(X, y, w):
    return np.sum(logistic.log_sigmoid((2 * y - 1) * (w[0] + X @ w[1:])))


def halved_by_solving(X, y, w):
    p = logistic.predict_probability(X, w)
    ones = np.column_stack([np.ones(len(X)), X])
    step = np.linalg.solve(ones.T @ np.diag(p * (1 - p)) @ ones, len(X) * slope_of(X, y, w))
    for k in range(60):
        there = w - step * 0.5**k
        if sure(X, y, there) >= sure(X, y, w):
            return there, k
    raise ArithmeticError


def halved_by_least_squares(X, y, w):
    """The Newton step as a weighted fit, and a recursion for the brake."""
    p = logistic.predict_probability(X, w)
    ones, root = np.column_stack([np.ones(len(X)), X]), np.sqrt(p * (1 - p))
    response = ones @ w + (y - p) / root**2
    whole = np.linalg.lstsq(root[:, None] * ones, root * response, rcond=None)[0]

    def tried(there, k):
        if sure(X, y, there) >= sure(X, y, w):
            return there, k
        return tried((there + w) / 2, k + 1)

    return tried(whole, 0)


def standard(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


LINE = np.arange(10.0)
BENT = LINE + 0.05 * (LINE % 3)


class TestExercises(ExerciseTests):
    slug = "logistic_training"
    right_answers = {
        "logistic_training.epoch": [(epoch_with_a_helper,), (epoch_by_loops,)],
        "logistic_training.penalised": [(penalised_with_a_helper,), (penalised_by_loops,)],
        "logistic_training.cut_point": [
            ([sympy.diff(LOSS, W), sympy.diff(LOSS, CUT)], sympy.hessian(LOSS, [W, CUT])),
            (
                sympy.Matrix([(P - Y1) * (X1 - CUT), -(P - Y1) * W]),
                sympy.Matrix(
                    [
                        [P * (1 - P) * (X1 - CUT) ** 2, Y1 - P - P * (1 - P) * W * (X1 - CUT)],
                        [Y1 - P - P * (1 - P) * W * (X1 - CUT), P * (1 - P) * W**2],
                    ]
                ),
            ),
        ],
        "logistic_training.halved_newton": [
            (halved_by_solving,),
            (halved_by_least_squares,),
        ],
        "logistic_training.twins": [
            (standard(np.column_stack([LINE, BENT])).tolist(),),
            (standard(np.column_stack([LINE, -BENT])),),
        ],
    }  # fmt: skip
    wrong_data = {
        "logistic_training.twins": {
            "Not standardised": (np.column_stack([LINE, 100 * (LINE % 4)]),),
            "A singular Hessian": (standard(np.column_stack([LINE, -2 * LINE])),),
            "Standardised and harmless": (standard(np.column_stack([LINE, LINE % 4])),),
            "Divided by N − 1": (standard(np.column_stack([LINE, BENT])) * np.sqrt(9 / 10),),
            "Rounded after standardising": (standard(np.column_stack([LINE, BENT])).round(3),),
        },
    }
