"""The figures of the perceptron, as data: what is drawn where, and what the sentence says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_lib.figures import Arrow, Curve, HalfPlane, Line, Points, Raster, Scene, Text, show
from lectures_lib.figures import perceptron as figures
from lectures_lib.figures.perceptron import binary_labels, square_axes

X = np.array([[-2.0, 0.0], [-1.0, -1.0], [1.0, 0.5], [2.0, 1.0], [0.5, -0.5]])
Y = np.array([0, 0, 1, 1, 0])


def hand_run(X: Any, y: Any, eta: float = 1.0) -> tuple[Any, list[int]]:
    """Rosenblatt's rule written out: states of the weights, and who caused each update."""
    w = [0.0] * (1 + len(X[0]))
    path, updates = [list(w)], []
    for _ in range(100):
        clean = True
        for i, (row, label) in enumerate(zip(X, y, strict=True)):
            s = 2 * label - 1
            if s * (w[0] + sum(a * b for a, b in zip(w[1:], row, strict=True))) <= 0:
                w = [w[0] + eta * s, *(a + eta * s * b for a, b in zip(w[1:], row, strict=True))]
                path.append(list(w))
                updates.append(i)
                clean = False
        if clean:
            break
    return np.array(path), updates


PATH, UPDATES = hand_run(X, Y)

SCENES: dict[str, Callable[[], Scene]] = {
    "retina": figures.retina_scene,
    "neuron": figures.neuron_scene,
    "separable": figures.separable_examples_scene,
    "posterior": figures.posterior_scene,
    "boundary": lambda: figures.boundary_scene(X, Y, [1.0, 0.5], -0.2, old=([1, 0], 0), current=2),
    "boundary at the start": lambda: figures.boundary_scene(X, Y, [0, 0], 0),
    "update": lambda: figures.update_scene([1.0, 0.2], 0.3, [-0.6, 2.0], -1, X=X, y=Y),
    "update alone": lambda: figures.update_scene([0, 0], 0, [1.0, 2.0], 1),
    "run": lambda: figures.run_scene(X, Y, PATH, UPDATES),
    "trace": lambda: figures.trace_scene([5, 2, 1, 0], [0, 0.5, 0.2, 0], at=2),
    "loss": lambda: figures.loss_scene(at=-0.7),
    "digits": lambda: figures.digits_scene(np.eye(8)[None].repeat(3, 0), [3, 8, 3], [3, 3, 3]),
    "weights": lambda: figures.weights_image_scene(np.linspace(-1, 2, 64)),
    "bounds": lambda: figures.bounds_scene(PATH, [0.1, 1, 1], 0.2, 2.5),
    "cosine": lambda: figures.cosine_scene(PATH, [0.1, 1, 1], 0.2, 2.5),
}


@pytest.mark.parametrize("name", SCENES)
def test_every_figure_is_drawn_small_and_says_the_same_each_time(name: str) -> None:
    scene = SCENES[name]()
    assert scene == SCENES[name]()
    assert len(show(scene).png) < 60_000
    sentence = scene.describe()
    assert sentence.endswith(".")
    assert sentence[0].isupper() or sentence[0].isdigit()
    assert "nan" not in sentence
    assert "object at 0x" not in sentence


# --- boundaries ----------------------------------------------------------------------------------


@given(
    st.lists(st.tuples(*[st.integers(-4, 4)] * 2), min_size=1, max_size=12),
    st.tuples(*[st.integers(-3, 3)] * 3),
    st.randoms(),
)
@settings(deadline=None, max_examples=60)
def test_the_circled_points_are_the_mistakes(
    where: list[tuple[int, int]], weights: tuple[int, int, int], random: Any
) -> None:
    labels = [random.randrange(2) for _ in where]
    w0, *w = weights
    scene = figures.boundary_scene(where, labels, w, w0)
    rings = next(m for m in scene.marks(Points) if m.look == "ring")
    wrong = [
        list(p)
        for p, y in zip(where, labels, strict=True)
        if (2 * y - 1) * (w[0] * p[0] + w[1] * p[1] + w0) <= 0
    ]
    assert rings.xy.tolist() == wrong
    assert scene.readouts == (("mistakes", f"{len(wrong)} of {len(where)}"),)


def test_a_point_on_the_line_is_a_mistake_or_of_class_one_as_the_tie_rule_says() -> None:
    where, labels = [[0, 1], [0, 2], [1, 0]], [0, 1, 1]
    strict = figures.boundary_scene(where, labels, [1, 0], 0)
    lenient = figures.boundary_scene(where, labels, [1, 0], 0, tie="positive")
    assert strict.readouts[0][1] == "2 of 3"
    assert lenient.readouts[0][1] == "1 of 3"


def test_the_boundary_its_sides_and_its_normal_belong_together() -> None:
    scene = figures.boundary_scene(X, Y, [3.0, 4.0], -2.0)
    low, high = scene.marks(HalfPlane)
    assert (low.index, high.index) == (0, 1)
    assert np.array_equal(low.w, -high.w)
    (arrow,) = scene.marks(Arrow)
    assert arrow.start[0] @ [3.0, 4.0] - 2.0 == pytest.approx(0)  # it stands on the line
    step = arrow.end[0] - arrow.start[0]
    assert step / np.linalg.norm(step) == pytest.approx([0.6, 0.8])
    assert "boundary 3.00 x1 + 4.00 x2 = 2.00" in scene.describe()


def test_without_weights_there_is_no_line_and_no_side() -> None:
    scene = figures.boundary_scene(X, Y, [0, 0], 0)
    assert not scene.marks(Line) + scene.marks(HalfPlane) + scene.marks(Arrow)
    assert "none (w = 0)" in scene.describe()


def test_axes_of_the_plane_are_square_and_hold_all_points() -> None:
    x, y = square_axes(X)
    assert x.hi - x.lo == pytest.approx(y.hi - y.lo)
    assert x.lo < X[:, 0].min()
    assert y.hi > X[:, 1].max()
    far, _ = square_axes(1e8 + X)
    assert far.hi - far.lo == pytest.approx(x.hi - x.lo)
    one, _ = square_axes([[3.0, 3.0]])
    assert one.lo < 3 < one.hi


@pytest.mark.parametrize(
    ("labels", "expected"),
    [([0, 1], [0, 1]), ([-1, 1], [0, 1]), ([1, 1], [1, 1]), (["b", "a"], [1, 0]), ([5, 3], [1, 0])],
)
def test_any_two_labels_become_zero_and_one(labels: list[Any], expected: list[int]) -> None:
    assert binary_labels(labels).tolist() == expected


def test_bad_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="y: expected two classes, found 3"):
        figures.boundary_scene(X[:3], [2, 3, 4], [1, 0], 0)
    with pytest.raises(ValueError, match="y: expected 5 labels"):
        figures.boundary_scene(X, [0, 1], [1, 0], 0)
    with pytest.raises(ValueError, match=r"s: expected -1 or \+1, found 0"):
        figures.update_scene([1, 0], 0, [1, 1], 0)
    with pytest.raises(ValueError, match="steps: expected 0 to"):
        figures.run_scene(X, Y, PATH, steps=[99])
    with pytest.raises(ValueError, match="names: found 'square'"):
        figures.loss_scene(names=["square"])
    with pytest.raises(ValueError, match="errors, losses: expected equal lengths"):
        figures.trace_scene([1, 2], [0.5])
    with pytest.raises(ValueError, match="w_star: expected 3 numbers"):
        figures.bounds_scene(PATH, [1, 1], 0.1, 1)
    with pytest.raises(ValueError, match="gamma: expected a positive number, found 0"):
        figures.bounds_scene(PATH, [0, 1, 1], 0, 1)
    with pytest.raises(ValueError, match="p: expected one probability"):
        figures.posterior_scene([0, 1], [0.5, 2.0])
    with pytest.raises(ValueError, match=r"image: expected shape \(20, 20\)"):
        figures.retina_scene(np.zeros((8, 8)))
    with pytest.raises(ValueError, match="features: expected 1 to 6"):
        figures.neuron_scene(0)
    with pytest.raises(ValueError, match="images: expected one image"):
        figures.digits_scene(np.zeros((2, 8, 8)), [1])
    with pytest.raises(ValueError, match="w: expected 64 weights, found 3"):
        figures.weights_image_scene([1, 2, 3])


# --- updates and runs ----------------------------------------------------------------------------


@given(
    st.tuples(*[st.floats(-3, 3)] * 3),
    st.tuples(*[st.floats(-3, 3)] * 2),
    st.sampled_from([-1, 1]),
    st.floats(0.1, 3),
)
@settings(deadline=None, max_examples=60)
def test_an_update_raises_the_margin_of_its_example_by_the_gain_in_the_readouts(
    weights: tuple[float, float, float], x: tuple[float, float], s: int, eta: float
) -> None:
    w0, *w = weights
    read = dict(figures.update_scene(w, w0, x, s, eta=eta).readouts)
    values = {name: float(text.replace("−", "-")) for name, text in read.items()}
    gain = values["s·g after"] - values["s·g before"]
    assert gain == pytest.approx(values["gain η(‖x‖² + 1)"], abs=0.0151)


def test_the_vectors_of_an_update_add_up() -> None:
    scene = figures.update_scene([1.0, 0.2], 0.3, [-0.6, 2.0], -1, eta=0.5)
    before, step, after = scene.marks(Arrow)
    assert before.end + step.end == pytest.approx(after.end)
    new = next(line for line in scene.marks(Line) if line.label == "line after")
    assert new.w == pytest.approx([1.3, -0.8])
    assert new.w0 == pytest.approx(-0.2)


def test_a_run_shows_its_first_and_last_state_and_who_moved_the_line() -> None:
    scene = figures.run_scene(X, Y, PATH, UPDATES)
    titles = [panel.title for panel in scene.panels]
    assert titles[0] == "after no updates"
    assert titles[-1] == f"after {len(UPDATES)} updates"
    last = scene.panels[-1].marks
    focus = next(m for m in last if isinstance(m, Points) and m.look == "focus")
    assert focus.xy.tolist() == [X[UPDATES[-1]].tolist()]
    line = next(m for m in last if isinstance(m, Line) and m.role == "boundary")
    assert [line.w0, *line.w] == PATH[-1].tolist()
    assert scene.describe().endswith(f"0 after {len(UPDATES)}.")


def test_three_of_the_four_examples_are_separated_by_the_line_drawn_and_xor_by_none() -> None:
    *separable, xor = figures.separable_examples_scene().panels
    for panel in separable:
        (line,) = (m for m in panel.marks if isinstance(m, Line))
        (cloud,) = (m for m in panel.marks if isinstance(m, Points))
        assert ((cloud.xy @ line.w + line.w0 > 0) == (cloud.classes == 1)).all()
    (cloud,) = (m for m in xor.marks if isinstance(m, Points))
    s = 2 * cloud.classes.astype(int) - 1
    # Both classes have the same mean, so no w and w0 can give every s·g > 0.
    assert (s[:, None] * cloud.xy).sum(axis=0).tolist() == [0, 0]
    assert s.sum() == 0


# --- curves --------------------------------------------------------------------------------------


def test_the_decision_changes_where_the_posterior_is_one_half() -> None:
    x = np.linspace(-4, 4, 1601)
    two = figures.posterior_scene(x, np.exp(-(x**2) / 4))  # one half at x² = 4 log 2
    dots = next(m for m in two.marks(Points))
    assert dots.xy[:, 0] == pytest.approx(
        [-np.sqrt(4 * np.log(2)), np.sqrt(4 * np.log(2))], abs=1e-4
    )
    assert "x = 0.50" in figures.posterior_scene().describe()


def test_losses_at_one_margin_are_read_out_as_their_definitions_say() -> None:
    read = dict(figures.loss_scene(at=-0.7).readouts)
    assert read == {"0-1": "1.00", "perceptron": "0.70", "hinge": "1.70", "logistic": "1.10"}
    assert dict(figures.loss_scene(at=0).readouts)["0-1"] == "1.00"  # margin 0 is a mistake


def test_hinge_lies_above_the_zero_one_loss_and_the_perceptron_loss_does_not() -> None:
    curves = {c.label: c for c in figures.loss_scene(np.linspace(-2, 2, 81)).marks(Curve)}
    margin = curves["hinge loss"].x
    zero_one = margin <= 0
    assert (curves["hinge loss"].y >= zero_one).all()
    assert not (curves["perceptron loss"].y >= zero_one).all()


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


# --- drawings ------------------------------------------------------------------------------------


def test_digits_mark_the_wrong_predictions_in_words_too() -> None:
    scene = figures.digits_scene(np.ones((3, 64)), [3, 8, 3], [3, 3, 3])
    (captions,) = scene.marks(Text)
    assert captions.words == ("3", "3, not 8", "3")
    assert "1 of them predicted wrongly" in scene.describe()
    assert len(scene.marks(Raster)) == 3


def test_the_image_of_the_weights_says_where_the_largest_stands() -> None:
    w = np.zeros(64)
    w[8 * 2 + 5], w[8 * 6 + 1] = 3.0, -6.0
    scene = figures.weights_image_scene(w)
    assert "largest is 3.00 in row 3, column 6" in scene.describe()
    assert "smallest is −6.00 in row 7, column 2" in scene.describe()
    image = scene.marks(Raster)[0]
    assert image.values[2, 5] == 0.5
    assert image.values[6, 1] == -1


def test_the_neuron_has_one_weight_more_than_inputs() -> None:
    for d in (1, 3, 6):
        scene = figures.neuron_scene(d)
        assert len(scene.marks(Arrow)[0].start) == d + 1
    assert "x1 to x" not in figures.neuron_scene(1).describe()
