"""What is only true of the chapter on inference."""

import numpy as np
import pytest
import sympy

from lectures_lib.chapters.logistic_inference import exercises, live, pictures, resamples
from lectures_lib.checks.running.in_child import call_all
from lectures_lib.datasets import load_titanic, make_gaussian_classes, make_outliers
from lectures_lib.figures import Curve, Line, Points
from lectures_lib.logistic import LogisticRegression, sigmoid
from tests.exercise_tests import ExerciseTests

TRUTH = (-0.5, 1.2)


@pytest.fixture(scope="module")
def hundred() -> resamples.Estimates:
    return resamples.draw(TRUTH, 100, 1000)


def test_many_fits_together_are_the_fits_one_by_one() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=40)
    labels = (rng.random((5, 40)) < sigmoid(-0.5 + 1.2 * x)).astype(float)
    w, errors = resamples.maximise(x, labels)
    for row, some, error in zip(labels, w, errors, strict=True):
        model = LogisticRegression().fit(x[:, None], row)
        assert some == pytest.approx([model.intercept_[0], model.coef_[0, 0]], abs=1e-6)
        assert error == pytest.approx(model.standard_errors_, rel=1e-5)


@pytest.mark.parametrize(
    ("y", "apart"),
    [
        ([0, 0, 1, 1], True),
        ([1, 1, 0, 0], True),
        ([0, 1, 0, 1], False),
        ([0, 0, 0, 0], True),
        ([0, 1, 1, 1], True),
    ],
)
def test_samples_without_a_maximum(y: list[int], apart: bool) -> None:
    x = np.array([1.0, 2.0, 3.0, 4.0])
    assert resamples.separated(x, np.array([y], dtype=float)).tolist() == [apart]


def test_a_shared_value_at_the_threshold_has_no_maximum_either() -> None:
    x = np.array([1.0, 2.0, 2.0, 3.0])
    assert resamples.separated(x, np.array([[0.0, 0.0, 1.0, 1.0]])).all()


def test_the_cloud_keeps_its_promise(hundred: resamples.Estimates) -> None:
    """Between 92 and 96 per cent of 1,000: the normal law is nearly reached with 100 examples."""
    assert 0.92 < hundred.inside().mean() < 0.96
    assert (np.abs(hundred.covered().mean(axis=0) - 0.95) < 0.02).all()
    spread = np.cov(hundred.w.T)
    assert spread == pytest.approx(np.linalg.inv(hundred.information), rel=0.25)


@pytest.mark.slow
def test_the_cloud_is_drawn_and_described(hundred: resamples.Estimates) -> None:
    scene = pictures.cloud_scene(hundred, 100)
    dots = next(mark for mark in scene.marks(Points) if mark.look == "dot")
    assert len(dots.xy) == len(hundred.w)
    assert f"{hundred.inside().mean():.1%} lie in the ellipse" in scene.describe()
    promised = next(mark for mark in scene.marks(Curve) if mark.label == "95 % ellipse")
    away = np.column_stack([promised.x, promised.y]) - hundred.truth
    form = np.einsum("ri,ij,rj->r", away, hundred.information, away)
    assert form == pytest.approx(np.full(len(form), 5.991), abs=1e-3)
    running, settled = scene.panels[1].marks
    assert running.y[-1] > running.y[-10] + 0.5
    assert settled.y[-1] == pytest.approx(settled.y[-10], abs=1e-6)


def test_z_falls_while_the_groups_part() -> None:
    fits = [pictures.fitted(gap, 0.0) for gap in (2.0, 3.0, 3.6)]
    w, errors, ratios = (np.array([fit[k] for fit in fits]) for k in (1, 2, 3))
    assert (np.diff(w) > 0).all()
    assert (np.diff(ratios) > 0).all()
    assert (np.diff(w / errors) < 0).all()
    assert pictures.fitted(3.7, 0.0) is None
    assert pictures.fitted(3.7, 0.1) is not None


@pytest.mark.slow
def test_separation_in_words() -> None:
    assert "no maximum" in pictures.separation_scene(5.0).describe()
    assert "ridge of 0.10" in pictures.separation_scene(5.0, 0.1).describe()
    step = pictures.separation_scene(5.0).panels[0].marks[-1]
    assert isinstance(step, Curve)
    assert step.label == "the limit, a step"
    widget = live.separation()
    assert widget.mode == "ahead", widget.why


def test_a_fit_with_its_tests() -> None:
    x, y = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), np.array([0, 0, 1, 0, 1, 1])
    model = LogisticRegression().fit(x[:, None], y)
    told = pictures.fit_scene(x, y).describe()
    assert f"z = {model.z_values_[1]:.2f}" in told
    assert f"ratio {model.null_deviance_ - model.deviance_:.2f}" in told
    assert "no maximum" in pictures.fit_scene(x, np.array([0, 0, 0, 1, 1, 1])).describe()


def test_right_outliers_leave_the_boundary_and_wrong_ones_turn_it() -> None:
    samples = {
        "none": make_outliers(50, 0, rng=3),
        "right": make_outliers(50, 10, rng=3),
        "wrong": make_outliers(50, 10, rng=3, wrong=True),
    }
    lines = [m for m in pictures.outliers_scene(samples).marks(Line) if m.role == "boundary"]
    none, right, wrong = ((mark.w, mark.w0) for mark in lines)
    assert right[0] == pytest.approx(none[0], abs=1e-6)
    assert right[1] == pytest.approx(none[1], abs=1e-6)
    assert abs(wrong[0][0]) < 0.25 * none[0][0]


def test_the_mistakes_of_a_degree_are_counted() -> None:
    data = make_gaussian_classes([[-1, 0], [1, 0]], [np.eye(2)] * 2, None, 40, rng=0)
    model = LogisticRegression().fit(data.X, data.y)
    told = pictures.degrees_scene(data.X, data.y, {1: model}).describe()
    wrong = int((model.predict(data.X) != data.y).sum())
    assert f"degree 1, {wrong} mistake" in told


# The exercises ------------------------------------------------------------------------------


def odds_by_variances(X, w, a, b, z):
    """The variance of a sum, entry by entry, and a loop for the information."""
    information = np.zeros((len(w), len(w)))
    for row in X:
        one = np.array([1.0, *row])
        p = 1 / (1 + np.exp(-one @ w))
        information += p * (1 - p) * np.outer(one, one)
    covariance = np.linalg.solve(information, np.eye(len(w)))
    c = [0.0, *(a - b)]
    variance = sum(c[i] * c[j] * covariance[i, j] for i in range(len(c)) for j in range(len(c)))
    ratio = np.exp(sum(u * v for u, v in zip(c, w, strict=True)))
    factor = np.exp(z * variance**0.5)
    return [ratio, ratio / factor, ratio * factor]


def odds_with_a_helper(X, w, a, b, z):
    ones = np.column_stack([np.ones(len(X)), X])
    p = sigmoid(ones @ w)
    information = ones.T @ np.diag(p * (1 - p)) @ ones
    half = z * np.sqrt((a - b) @ np.linalg.inv(information)[1:, 1:] @ (a - b))
    return tuple(np.exp(np.add((a - b) @ w[1:], [0, -half, half])))


A, B, C, D = sympy.symbols("a b c d")
P1, P0 = A / (A + B), C / (C + D)
ROWS = sympy.Matrix([[1, 1], [1, 0]])
WEIGHTS = sympy.diag((A + B) * P1 * (1 - P1), (C + D) * P0 * (1 - P0))


def separation_by_sorting(x, y):
    for sign in (1, -1):
        if max(sign * x[y == 0]) < min(sign * x[y == 1]):
            return 2.0
    for sign in (1, -1):
        if max(sign * x[y == 0]) <= min(sign * x[y == 1]):
            return 1.0
    return 0.0


def separation_by_thresholds(x, y):
    """Try every threshold between and at the values."""
    values = np.unique(x)
    between = (values[1:] + values[:-1]) / 2
    for label in (0, 1):
        if any(np.array_equal(x < t, y == label) for t in between):
            return 2
    for label in (0, 1):
        free = [x != t for t in values]
        if any(
            np.array_equal((x < t)[f], (y == label)[f]) for t, f in zip(values, free, strict=True)
        ):
            return 1
    return 0


def first_by_a_loop(losses):
    rows = [list(row) for row in losses]
    means = [sum(row) / len(row) for row in rows]
    best = min(range(len(rows)), key=means.__getitem__)
    variance = sum((v - means[best]) ** 2 for v in rows[best]) / (len(rows[best]) - 1)
    limit = means[best] + (variance / len(rows[best])) ** 0.5
    for k, mean in enumerate(means):
        if mean <= limit:
            return k, limit
    raise ArithmeticError


def first_by_a_mask(losses):
    means = np.mean(losses, axis=1)
    k = means.argmin()
    limit = means[k] + np.sqrt(np.var(losses[k], ddof=1) / losses.shape[1])
    return np.where(means <= limit)[0].min(), limit


X20, Y20 = np.arange(20.0), np.repeat([0, 1], 10)


def test_a_constant_feature_is_not_called_separable() -> None:
    (part,) = exercises.QUIET_Z.parts
    outcome = part.judge((np.ones(6), np.tile([0, 1], 3)), call_all)
    assert outcome.first_failure is not None
    assert "All values of x are equal" in outcome.first_failure.complaint
    assert outcome.slip is None


def test_the_fraction_must_be_split() -> None:
    """Every line has the value of the goal, so the form of the last one counts."""
    lines = ["= (A + B)/((A + B)*B - B*B)", "= (A + B)/(A*B)", "= A/(A*B) + B/(A*B)"]
    part = exercises.TWO_GROUPS.parts[1]
    for end in (2, 3):
        assert part.judge(("\n".join(lines[:end]),), call_all).points == part.points - 2
    whole = "\n".join([*lines, "= 1/B + 1/A"])
    assert part.judge((whole,), call_all).points == part.points


class TestExercises(ExerciseTests):
    slug = "logistic_inference"
    right_answers = {
        "logistic_inference.odds_interval": [(odds_by_variances,), (odds_with_a_helper,)],
        "logistic_inference.two_groups": [
            (
                ROWS.T * WEIGHTS * ROWS,
                "= (A + B)/((A + B)*B - B**2)\n= (A + B)/(A*B)\n= 1/A + 1/B",
            ),
            (
                [
                    [A * B / (A + B) + C * D / (C + D), 1 / (1 / A + 1 / B)],
                    [1 / (1 / A + 1 / B), 1 / (1 / A + 1 / B)],
                ],
                "= (A + B)/det([[A + B, B], [B, B]])\n= (A + B)/(A*B)\n= 1/B + 1/A",
            ),
        ],
        "logistic_inference.separation": [(separation_by_sorting,), (separation_by_thresholds,)],
        "logistic_inference.quiet_z": [
            (np.append(X20, [8.95, 9.05]), np.append(Y20, [1, 0])),
            ([-x for x in [*range(10), 8.9, *range(10, 19)]], [0] * 10 + [1] * 10),
        ],
        "logistic_inference.simplest_good": [(first_by_a_loop,), (first_by_a_mask,)],
    }  # fmt: skip
    wrong_data = {
        "logistic_inference.quiet_z": {
            "The classes do not overlap": (X20, Y20),
            "z sees the difference": (X20 - 6 * Y20, Y20),
            "The ratio is too small": (X20, np.tile([0, 1], 10)),
            "Too many examples": (np.arange(40.0), np.tile([0, 1], 20)),
        },
    }
    still_right = {
        (
            "p = 1 / (1 + np.exp(-rows @ w))",
            "minus dropped",
        ): "the information holds p(1 - p), which is the same for 1 - p",
    }


# --- one factor for everybody --------------------------------------------------------------------


def test_no_single_factor_fits_men_and_women() -> None:
    """What the chapter concludes, from another library: two factors, a product that matters,
    unequal steps for men, another factor at one age, and a sandwich that agrees with the spread
    of resampled fits."""
    import statsmodels.api as sm

    titanic = load_titanic()
    sex, rank, y = titanic.X[:, 0], titanic.X[:, 2], titanic.y

    def fit(*columns, some=slice(None), **options):
        design = sm.add_constant(np.column_stack(columns)[some].astype(float))
        return sm.Logit(y[some], design).fit(disp=False, **options)

    both = fit(sex, rank)
    low, high = np.exp(both.conf_int()[2])
    for some in (sex == 0, sex == 1):
        alone = fit(rank, some=some)
        assert not low < np.exp(alone.params[1]) < high
        assert np.exp(alone.conf_int()[1][1]) < 1
    crossed = fit(sex, rank, sex * rank)
    assert crossed.tvalues[3] == pytest.approx(-5.55, abs=0.01)
    assert 2 * (crossed.llf - both.llf) == pytest.approx(39.7, abs=0.05)
    steps = [
        2 * (fit(rank == 2, rank == 3, some=some).llf - fit(rank, some=some).llf)
        for some in (sex == 0, sex == 1)
    ]
    assert steps[0] > 1.96**2 > steps[1]
    age = titanic.X[:, 1]
    at_one_age = np.exp(fit(age, rank, some=(sex == 0) & ~np.isnan(age)).params[2])
    assert at_one_age == pytest.approx(0.45, abs=0.01)
    assert at_one_age < np.exp(fit(rank, some=sex == 0).conf_int()[1][0])
    robust = fit(sex, rank, cov_type="HC0").bse
    again = np.random.default_rng(1).integers(0, len(y), (300, len(y)))
    X = np.column_stack([sex, rank])
    fits = [LogisticRegression().fit(X[rows], y[rows]) for rows in again]
    spread = np.std([[*m.intercept_, *m.coef_[0]] for m in fits], axis=0)
    assert robust == pytest.approx(spread, rel=0.1)
    assert both.bse[0] > 1.05 * robust[0]
