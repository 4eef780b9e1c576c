"""The perceptron's figures and its playground, as data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_lib.chapters.perceptron import pictures as figures
from lectures_lib.chapters.perceptron.live import (
    loss_widget,
    perceptron_playground,
    playground_scene,
    run_visits,
)
from lectures_lib.figures import Arrow, Bars, Curve, HalfPlane, Line, Points, Text, Track
from lectures_lib.figures.plane import square_axes
from lectures_lib.widgets import Cloud

X = np.array([[-2.0, 0.0], [-1.0, -1.0], [1.0, 0.5], [2.0, 1.0], [0.5, -0.5]])
Y = np.array([0, 0, 1, 1, 0])
AXES = square_axes(X)


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

# --- updates and runs ----------------------------------------------------------------------------


@given(
    st.tuples(*[st.floats(-3, 3)] * 3),
    st.tuples(*[st.floats(-3, 3)] * 2),
    st.sampled_from([-1, 1]),
)
@settings(max_examples=60)
def test_an_update_raises_the_margin_of_its_example_by_the_gain_in_the_readouts(
    weights: tuple[float, float, float], x: tuple[float, float], s: int
) -> None:
    w0, *w = weights
    read = dict(figures.update_scene(w, w0, x, s, X, Y).readouts)
    values = {name: float(text.replace("−", "-")) for name, text in read.items()}
    gain = values["s·g after"] - values["s·g before"]
    assert gain == pytest.approx(values["gain η(‖x‖² + 1)"], abs=0.0151)


def test_the_vectors_of_an_update_add_up() -> None:
    scene = figures.update_scene([1.0, 0.2], 0.3, [-0.6, 2.0], -1, X, Y)
    before, step, after = scene.marks(Arrow)
    assert before.end + step.end == pytest.approx(after.end)
    new = next(line for line in scene.marks(Line) if line.label == "line after")
    assert new.w == pytest.approx([1.6, -1.8])
    assert new.w0 == pytest.approx(-0.7)


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
    scene = figures.posterior_scene()
    (dot,) = scene.marks(Points)[0].xy
    curve = scene.marks(Curve)[1]
    assert np.interp(dot[0], curve.x, curve.y) == pytest.approx(dot[1], abs=1e-4)
    assert "x = 0.50" in scene.describe()


def test_losses_at_one_margin_are_read_out_as_their_definitions_say() -> None:
    read = dict(figures.loss_scene(at=-0.7).readouts)
    assert read == {"0-1": "1", "perceptron": "0.70", "hinge": "1.70", "logistic": "1.10"}
    assert dict(figures.loss_scene(at=0).readouts)["0-1"] == "1"  # margin 0 is a mistake


def test_hinge_lies_above_the_zero_one_loss_and_the_perceptron_loss_does_not() -> None:
    curves = {c.label: c for c in figures.loss_scene().marks(Curve)}
    margin = curves["hinge loss"].x
    zero_one = margin <= 0
    assert (curves["hinge loss"].y >= zero_one).all()
    assert not (curves["perceptron loss"].y >= zero_one).all()


# --- the playground, over the range of every control ---------------------------------------------


@given(
    st.lists(st.tuples(*[st.integers(-4, 4)] * 2, st.integers(0, 1)), min_size=2, max_size=8),
    st.integers(0, 60),
)
@settings(max_examples=60)
def test_the_playground_follows_the_rule_by_hand(
    examples: list[tuple[int, int, int]], step: int
) -> None:
    X, y = [e[:2] for e in examples], [e[2] for e in examples]
    if len(set(y)) < 2:
        scene = playground_scene(Cloud(X, y), 0, 0, AXES)
        assert f"Two classes are needed: add a point of class {1 - y[0]}" in scene.describe()
        return
    run = run_visits(Cloud(X, y))
    w, caused = [0, 0, 0], []
    step = min(step, run.passes * len(X))
    for visit in range(1, step + 1):
        i = (visit - 1) % len(X)
        (a, b), s = X[i], 2 * y[i] - 1
        if s * (w[0] + w[1] * a + w[2] * b) <= 0:
            w = [w[0] + s, w[1] + s * a, w[2] + s * b]
            caused.append(visit)
    assert [t for t in run.updates if t <= step] == caused
    assert run.path[len(caused)].tolist() == w
    scene = playground_scene(Cloud(X, y), step, 0, AXES)
    assert dict(scene.readouts)["updates"] == str(len(caused))
    curve = scene.panels[2].marks[1]
    assert isinstance(curve, Curve)
    assert len(curve.x) == len(caused) + 1
    (noted,) = (m for m in scene.marks(Points) if m.notes is not None)
    g = [w[0] + w[1] * a + w[2] * b for a, b in X]
    margins = [(2 * k - 1) * v for k, v in zip(y, g, strict=True)]
    assert noted.notes.tolist() == margins
    assert curve.y[-1] == sum(m <= 0 for m in margins)
    if caused and caused[-1] == step:  # head to tail: w before + s x = w
        before, added, after = scene.panels[1].marks
        i = (step - 1) % len(X)
        assert (added.end - added.start).tolist() == [[(2 * y[i] - 1) * v for v in X[i]]]
        assert added.start.tolist() == before.end.tolist()
        assert added.end.tolist() == after.end.tolist() == [w[1:]]


def test_the_playground_says_how_a_run_ends() -> None:
    separable = Cloud([[-1, 0], [1, 0]], [0, 1])
    last = 2 * run_visits(separable).passes
    end = playground_scene(separable, last, 0, AXES).describe()
    assert end.endswith("a whole pass without a mistake: the algorithm stops.")
    xor = Cloud([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1])
    end = playground_scene(xor, 4 * 20, 0, AXES).describe()
    assert end.endswith("stopped after 20 passes, no line found.")


@pytest.mark.parametrize(
    ("X", "y", "step", "said"),
    [
        ([[-1, 0], [0, 1]], [0, 1], 2, "turned 45° to the left"),
        ([[1, 0], [0, 1]], [1, 0], 2, "turned 45° to the right"),
        ([[-1, 0], [1, 0]], [0, 1], 2, "keeps on"),
        ([[2, 1], [2, 1]], [1, 0], 1, "appears"),
        ([[2, 1], [2, 1]], [1, 0], 2, "vanishes"),
    ],
)
def test_the_playground_says_how_an_update_turns_the_arrow(
    X: list[list[int]], y: list[int], step: int, said: str
) -> None:
    def told(guess: int) -> str:
        scene = playground_scene(Cloud(X, y), step, guess, AXES)
        return dict(scene.readouts)["the arrow w"]

    assert told(0) == said
    if said.startswith("turned"):
        guess = 1 if said.endswith("left") else -1
        assert told(guess) == f"{said}, as you said"
        assert told(-guess).startswith(f"{said}, you said")


def test_every_preset_of_the_playground_says_in_the_frame_how_it_ends() -> None:
    widget = perceptron_playground()
    for name, cloud in widget._by_name["points"].presets.items():  # type: ignore[attr-defined]
        widget.points = cloud
        widget.step = 10_000
        words = [word for text in widget.scene.marks(Text) for word in text.words]
        stops = any("stops" in word for word in words)
        assert stops != (name == "XOR: no line" or name == "one outlier"), name
        assert any("no line found" in word for word in words) != stops


def test_the_playground_says_what_an_update_did_to_its_example_and_to_the_mistakes() -> None:
    cloud = Cloud([[-1, 0], [0, 1]], [0, 1])
    read = dict(playground_scene(cloud, 2, 0, AXES).readouts)
    assert read["its s·g"] == "−1 → 1"  # from w0 = −1, w = (1, 0) to w0 = 0, w = (1, 1)
    assert read["mistakes"] == "0 of 2, 1 fewer"


def test_the_losses_follow_the_dragged_margin() -> None:
    widget = loss_widget()
    assert widget.mode == "ahead"
    widget.m = -1.5
    assert "hinge 2.50" in widget.scene.describe()
    assert widget.scene.readouts == (("below the 0-1 loss here", "none"),)
    widget.m = -0.5
    assert widget.scene.readouts == (("below the 0-1 loss here", "perceptron, logistic"),)


def test_the_playground_jumps_from_update_to_update() -> None:
    widget = perceptron_playground()
    last, stops = widget._by_name["step"].reach(  # type: ignore[attr-defined]
        {k: v for k, v in widget.values.items() if k != "step"}
    )
    for stop in stops:
        widget.step = stop
        assert "the line has moved" in widget.scene.describe()
        track = widget.scene.marks(Track)[0]
        assert stop in track.values
    assert [len(m.shape(panel).arrays["x"]) for panel in widget.scene.panels for m in panel.marks]
    widget.step = last
    assert "the algorithm stops" in widget.scene.describe()


# --- slopes, weight space, many runs -------------------------------------------------------------


def test_every_supporting_line_lies_nowhere_above_the_loss() -> None:
    *fan, loss = figures.subgradient_scene().marks(Curve)
    assert {line.label for line in fan} == {"supporting lines"}
    for line in fan:
        assert (line.y <= loss.y + 1e-12).all()
        assert line.y[1] == loss.y[1] == 0  # and all touch it at the kink


def test_each_example_tints_the_weights_that_put_it_right_and_the_run_ends_in_every_tint() -> None:
    x, labels = np.array([-3.0, 0.5, 1.0, 2.0]), np.array([0, 0, 1, 1])
    path, _ = hand_run(x[:, None], labels)
    scene = figures.weight_space_scene(x, labels, path)
    for half, feature, s in zip(scene.marks(HalfPlane), x, 2 * labels - 1, strict=True):
        assert [*half.w, half.w0] == [s, s * feature, 0.0]
        assert half.w @ path[-1] > 0
    for line, feature in zip(scene.marks(Line), x, strict=True):
        assert [*line.w, line.w0] == [1.0, feature, 0.0]


def test_every_line_of_a_fan_is_drawn() -> None:
    rows = [[1, 2, 3], [-1, -2, -3]]
    drawn = figures.fan_scene(X, Y, rows).marks(Line)
    assert [[line.w0, *line.w] for line in drawn] == rows


def test_costs_are_bars_on_a_scale_of_powers_of_ten() -> None:
    scene = figures.cost_scene({"a": 10, "b": 1000}, {"a": 100})
    assert [bar.right[0] for bar in scene.marks(Bars)] == [1, 3]
    assert scene.marks(Points)[0].xy.tolist() == [[2, 2]]
    assert scene.describe() == "Updates: a 10 (at most 100); b 1,000."
