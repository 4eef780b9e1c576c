"""Live figures in Python: controls, scenes sent ahead, moves, messages, leaks."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import ipywidgets
import numpy as np
import pytest
import traitlets
from hypothesis import given, settings
from hypothesis import strategies as st
from ipywidgets.widgets.widget import _instances
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

from lectures_lib.chapters.perceptron.live import perceptron_playground
from lectures_lib.figures import Axis, Bars, Curve, Line, Panel, Points, Raster, Scene
from lectures_lib.widgets import (
    Cloud,
    DirectionAt,
    EllipseAt,
    LineAt,
    Live,
    TurnAt,
    areas,
    arrow,
    choice,
    direction,
    ellipse,
    frames,
    line,
    live,
    points,
    position,
    rectangles,
    slider,
    steps,
    threshold,
    toggle,
    turn,
)
from lectures_lib.widgets import widget as module
from lectures_lib.widgets.connection import Prompt
from lectures_lib.widgets.controls import Control
from lectures_lib.widgets.frames import QUANTUM, build_table, changes, pack, rounded, slots_of
from lectures_lib.widgets.hands import Hand
from lectures_lib.widgets.walks import recorded, walk

AXES = Axis("x", -2, 2), Axis("y", -2, 2)


def line_scene(angle: float, dashed: bool = False) -> Scene:
    w = [np.cos(angle), np.sin(angle)]
    line = Line(w, 0.5, "old" if dashed else "boundary")
    return Scene((Panel((line,), *AXES),), f"A line at {angle:.2f}.")


def cloud_scene(cloud: Cloud, k: int = 0) -> Scene:
    if len(cloud) == 1:
        raise ValueError("one point is not enough")
    mark = Points(cloud.X, cloud.y, handle="cloud")
    line = Line([1, 1], -k - float(cloud.X.sum()))
    return Scene((Panel((mark, line), *AXES),), f"{len(cloud)} points, shift {k}.")


@pytest.fixture(autouse=True)
def _no_widgets_left() -> Iterator[None]:
    """Close the widgets of a test; those of other files may belong to another manager of comms."""
    before = set(_instances)
    yield
    for one in set(_instances) - before:
        _instances[one].close()


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[dict[str, Any], Any]]:
    """What Live widgets send to the browser."""
    messages: list[tuple[dict[str, Any], Any]] = []

    def send(_: Live, content: dict[str, Any], buffers: Any = None) -> None:
        messages.append((content, buffers))

    monkeypatch.setattr(Live, "send", send)
    return messages


def from_browser(widget: Live, **content: Any) -> None:
    """A message of the browser arrives; it has travelled as JSON."""
    widget._handle_custom_msg(json.loads(json.dumps(content)), [])


def unpacked(packed: dict[str, Any], data: bytes) -> dict[str, Any]:
    """Slots as the browser reads them."""
    types = {"f": np.float32, "b": np.uint8, "h": np.uint16, "q": np.int16}

    def read(value: Any) -> Any:
        if isinstance(value, dict) and "a" in value:
            kind, offset, size = value["a"]
            assert offset % 4 == 0
            found = np.frombuffer(data, types[kind], size, offset)
            return np.where(found == -32768, np.nan, found / 12000) if kind == "q" else found
        return value

    return {name: read(value) for name, value in json.loads(json.dumps(packed)).items()}


def assert_same_slots(found: dict[str, Any], expected: dict[str, Any]) -> None:
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        if isinstance(value, np.ndarray):
            if value.dtype == np.float32:  # positions are rounded to 1/12000 of a panel
                np.testing.assert_allclose(found[name], value, rtol=1e-6, atol=0.5 / 12000 + 1e-7)
            else:
                np.testing.assert_array_equal(found[name], value)
        else:
            assert found[name] == json.loads(json.dumps(value)), name


# --- controls ------------------------------------------------------------------------------------


@given(
    st.floats(-100, 100).map(lambda v: round(v, 2)),
    st.integers(1, 60),
    st.sampled_from([0.01, 0.1, 0.25, 0.5, 1, 5]),
)
@settings(max_examples=60)
def test_a_slider_goes_in_even_steps_from_one_end_to_the_other(
    lo: float, count: int, step: float
) -> None:
    made = slider(lo, lo + count * step, step)
    assert len(made.values) == len(made.texts) == count + 1
    np.testing.assert_allclose(made.values, lo + step * np.arange(count + 1), atol=1e-9)
    for value, text in zip(made.values, made.texts, strict=True):
        assert float(text.replace("−", "-")) == pytest.approx(value, abs=1e-9)
        assert made.checked(value + 0.4 * step) == value or value == made.values[-1]


def test_a_logarithmic_slider_multiplies() -> None:
    made = slider(0.01, 100, 10, log=True, value=1)
    assert made.values == (0.01, 0.1, 1, 10, 100)
    assert made.texts == ("0.01", "0.1", "1", "10", "100")
    assert made.start == 1


def test_whole_sliders_hold_whole_numbers() -> None:
    made = slider(0, 350, 10, value=123, unit="°")
    assert made.start == 120
    assert isinstance(made.start, int)
    assert made.texts[12] == "120°"


PAIR = points([[0, 0], [1, 1]], [0, 1], fewest=1, most=3)
BOX = areas([[[2, 0], [0, 1]], [[5, 5], [6, 7]]], [1, 0], classes=("sea", "town"))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: slider(1, 1), "slider: expected finite lo < hi"),
        (lambda: slider(0, 1, 0), "slider: expected a step above 0"),
        (lambda: slider(0, 1, 2, log=True), "slider: expected lo > 0"),
        (lambda: choice(["one"]), "choice: expected at least two options"),
        (lambda: choice(["a", "b"], value="c"), "expected one of"),
        (lambda: points([[0, 0]], [3]), "expected classes below 2, found 3"),
        (lambda: points([[0, 0]], [0, 1]), "y: expected 1 classes"),
        (lambda: points([[0, np.nan]]), "X: expected finite numbers"),
        (lambda: slider(0, 1).checked("a"), "expected a number"),
        (lambda: slider(0, 1).checked(np.nan), "expected a number"),
        (lambda: toggle().checked(1), "expected True or False"),
        (lambda: steps(3).checked(-1), "expected a step, 0 or more"),
        (lambda: choice(["a", "b"]).from_wire(2), "expected a position below 2"),
        (lambda: slider(0, 1).edited(0, [["remove", 0]]), "edits of points"),
        (lambda: points([[0, 0]], presets={"p": ([[0, 0]] * 2, [0, 1])}, most=1), "found 2"),
        (lambda: PAIR.edited(PAIR.start, [["remove", 0], ["remove", 0]]), "1 to 3 points, found 0"),
        (lambda: PAIR.edited(PAIR.start, [["insert", 0, 0, 0, 0]] * 2), "1 to 3 points, found 4"),
        (lambda: PAIR.edited(PAIR.start, [["move", 0, None, 1]]), "X: expected finite numbers"),
        (lambda: PAIR.edited(PAIR.start, [["paint", 0]]), "expected move, insert, remove or set"),
        (lambda: threshold(-1, 1, 0.1, value=0, axis="z"), "axis: expected 'x' or 'y'"),
        (lambda: line(0, reach=0), "reach: expected a number above 0, found 0"),
        (lambda: line(0, reach=1, turn=7), "turn: expected a step that divides 360"),
        (lambda: line(0, reach=1, centre=(1, 2, 3)), "centre: expected two numbers"),
        (lambda: ellipse((0, 0), [[1, 2], [2, 1]], reach=3), "cov: expected a positive definite"),
        (lambda: arrow((1, 0), reach=2).checked((1, 2, 3)), r"expected 2 number\(s\)"),
        (lambda: line(0, reach=1).checked("up"), r"expected 2 number\(s\) .*found 'up'"),
        (lambda: line(0, reach=1).from_wire([np.nan, 0]), "expected a number, found nan"),
        (lambda: line(0, reach=1).from_wire([1, 2, 3]), r"expected 2 number\(s\)"),
        (lambda: areas(np.zeros((2, 2, 2)), [0, 0], most=1), "0 to 2 points, found 4"),
        (lambda: BOX.edited(BOX.start, [["remove", 0]]), "two corners of one class"),
        (lambda: BOX.edited(BOX.start, [["set", [[0, 0, 1], [1, 1, 0]]]]), "two corners of one"),
    ],
)
def test_bad_controls_and_values_are_refused(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


coordinates = st.floats(-2, 2, allow_nan=False)
edits = st.one_of(
    st.tuples(st.just("move"), st.integers(0, 9), coordinates, coordinates),
    st.tuples(st.just("insert"), st.integers(0, 9), coordinates, coordinates, st.integers(0, 1)),
    st.tuples(st.just("remove"), st.integers(0, 9)),
)


@given(st.lists(edits, max_size=12))
@settings(max_examples=60)
def test_edits_of_points_do_what_the_same_edits_do_to_a_list(some: list[tuple[Any, ...]]) -> None:
    control = points([[0, 0], [1, 1], [-1, 0.5]], [0, 1, 0])
    plain = [[0.0, 0.0, 0], [1.0, 1.0, 1], [-1.0, 0.5, 0]]
    legal = []
    for what, i, *rest in some:
        if i >= len(plain) + (what == "insert"):
            with pytest.raises(ValueError, match="there is no point"):
                control.edited(control.edited(control.start, legal), [[what, i, *rest]])
            continue
        legal.append([what, i, *rest])
        if what == "move":
            plain[i][:2] = rest
        elif what == "insert":
            plain.insert(i, list(rest))
        else:
            del plain[i]
    assert control.to_wire(control.edited(control.start, legal)) == plain


def test_the_browser_is_told_the_notes_of_points_that_it_holds_and_the_data_to_start_from() -> None:
    def scene(cloud: Cloud) -> Scene:
        mark = Points(cloud.X, cloud.y, handle="cloud", notes=cloud.X[:, 0], note="x₁")
        return Scene((Panel((mark,), *AXES),), f"{len(cloud)} points.")

    slots = slots_of(scene(Cloud([[1, 2], [0, 1]], [0, 1])))
    assert slots["p0.m0/note"].tolist() == [1, 0]
    assert "p0.m0/x" not in slots
    control = points([[0, 0]], [0], presets={"two": ([[1, 1], [0, 1]], [0, 1])}, most=2)
    assert control.spec()["presets"] == {"two": [[1.0, 1.0, 0], [0.0, 1.0, 1]]}


# --- hands on the picture ------------------------------------------------------------------------

HANDS: dict[str, tuple[Hand, Any]] = {
    "threshold": (threshold(-3, 3, 0.1, value=0.5), 1.25),
    "position": (position(0, 10, 1, value=4, axis="y"), 3.3),
    "line": (line(120, reach=2, centre=(1, 0.5)), LineAt(33.3, -0.7, (1.0, 0.5))),
    "direction": (direction(45, centre=(1, 1)), DirectionAt(12.5, (1.0, 1.0))),
    "turn": (turn(30, -20, step=10, most=60), TurnAt(33.3, 12.5)),
    "arrow": (arrow((1, 0.5), reach=2), (0.123, -1.5)),
    "ellipse": (
        ellipse((1, -0.5), [[2, 0.3], [0.3, 1]], reach=4),
        EllipseAt((0.5, 0.25), (1.5, 0.75), 33.0),
    ),
}


@pytest.mark.parametrize("name", HANDS)
def test_a_hand_takes_any_value_and_brings_it_to_the_browser_and_back(name: str) -> None:
    control, value = HANDS[name]
    assert control.checked(value) == value
    assert control.from_wire(json.loads(json.dumps(control.to_wire(value)))) == value
    assert control.checked(control.start) == control.start
    json.dumps(control.spec())
    assert len(control.spec()["parts"]) == len(control.to_wire(value))
    hash(control.start)


@pytest.mark.parametrize("name", ["threshold", "position", "line", "direction", "turn", "arrow"])
def test_the_options_of_a_hand_run_over_its_sliders_the_last_one_fastest(name: str) -> None:
    control, _ = HANDS[name]
    grids = [part.values for part in control.parts]
    every = [control.to_wire(control.option(i)) for i in range(control.options or 0)]
    assert every == [list(map(float, row)) for row in itertools.product(*grids)]
    assert control.to_wire(control.start) in every  # the first scene is one of them


def test_the_line_of_a_hand_lies_where_its_numbers_say() -> None:
    for angle in range(0, 360, 15):
        found = LineAt(angle, 0.75, (1.0, -2.0))
        assert np.linalg.norm(found.w) == pytest.approx(1)
        beyond = np.array([1.0, -2.0]) + 0.75 * found.w  # a point of the line
        assert found.w @ beyond + found.w0 == pytest.approx(0, abs=1e-12)
        assert math.degrees(math.atan2(found.w[1], found.w[0])) % 360 == pytest.approx(angle)
        assert angle % 90 or sorted(np.abs(found.w)) == [0, 1]


def test_a_view_of_space_is_a_projection_that_follows_the_hand() -> None:
    for angle, tilt in itertools.product(range(0, 360, 45), [-90, -35, 0, 20, 90]):
        found = TurnAt(angle, tilt).directions
        np.testing.assert_allclose(found.T @ found, np.eye(2), atol=1e-12)
        nearest = np.cross(*found.T)  # the unit vector towards the reader
        right = nearest @ (TurnAt(angle + 1, tilt).directions - found)
        up = nearest @ (TurnAt(angle, tilt + 1).directions - found)
        assert right[0] >= -1e-12
        assert up[1] > 0


@given(st.floats(0.2, 3), st.floats(0.2, 3), st.floats(-0.9, 0.9))
@settings(max_examples=40)
def test_an_ellipse_keeps_the_covariance_it_was_made_from(a: float, b: float, r: float) -> None:
    cov = np.array([[a * a, r * a * b], [r * a * b, b * b]])
    made = ellipse((0, 0), cov, reach=400)
    np.testing.assert_allclose(made.value(*made.first).cov, cov, rtol=1e-9, atol=1e-9)


def test_a_hand_stays_between_the_ends_of_its_sliders() -> None:
    control = line(120, reach=2)
    assert control.checked((-30, 9)) == LineAt(330, 2)
    assert control.checked((725, -9)) == LineAt(5, -2)


def test_a_dragged_line_is_sent_ahead_for_its_whole_grid() -> None:
    def scene(cut: LineAt) -> Scene:
        return Scene((Panel((Line(cut.w, cut.w0),), *AXES),), f"{cut.angle}, {cut.shift:.2f}.")

    widget = live(scene, cut=line(120, reach=2))
    assert widget.mode == "ahead", widget.why
    assert widget._ahead["sizes"] == [72, 21]
    assert widget.cut == LineAt(120, 0)
    widget.cut = (33, 0.5)
    assert widget.scene.describe() == "33.0, 0.50."
    with pytest.raises(traitlets.TraitError, match="cut: expected 2 number"):
        widget.cut = 1


# --- scenes on their way -------------------------------------------------------------------------


@given(st.integers(0, 50), st.integers(0, 50), st.booleans(), st.booleans())
@settings(max_examples=40)
def test_what_changed_makes_the_old_scene_into_the_new_one(
    a: int, b: int, one: bool, other: bool
) -> None:
    old, new = slots_of(line_scene(a / 8, one)), slots_of(line_scene(b / 8, other))
    difference = changes(old, new)
    assert_same_slots(old | unpacked(*pack(difference)), new)
    if (a, one) == (b, other):
        assert not difference


def rows_of(head: dict[str, Any], data: bytes) -> Iterator[dict[str, Any]]:
    """Every row of a table, read as the browser reads it."""
    head = json.loads(json.dumps(head))
    items = [
        list(unpacked(dict(enumerate(some)), data).values()) if some else []  # type: ignore[arg-type]
        for some in head["items"]
    ]
    numbers = unpacked({"rows": head["rows"]}, data)["rows"].reshape(-1, len(head["slots"]))
    for row in numbers:
        yield {
            slot: items[j][k]
            for j, (slot, k) in enumerate(zip(head["slots"], row, strict=True))
            if k != 0xFFFF
        }


def test_a_table_holds_the_scene_of_every_combination() -> None:
    controls: dict[str, Control] = {"angle": slider(0, 3, 0.5), "dashed": toggle()}
    widget = live(line_scene, **controls)
    assert widget.mode == "ahead"
    assert widget.why.startswith("sent ahead: 14 scenes in ")
    # What never varies is in the first scene only.
    assert set(widget._ahead["slots"]) == {"sentence", "p0.m0", "p0.m0/x", "p0.m0/y"}
    first = unpacked(widget._first, widget._first_data)
    rows = list(rows_of(widget._ahead, widget._ahead_data))
    combinations = list(itertools.product(np.arange(0, 3.01, 0.5), [False, True]))
    assert len(rows) == len(combinations) == 14
    for row, (angle, dashed) in zip(rows, combinations, strict=True):
        expected = slots_of(line_scene(angle, dashed)) | {"error": None}
        assert_same_slots(first | row, expected)


def test_a_scene_that_fails_keeps_its_message_in_the_table() -> None:
    def scene(angle: float) -> Scene:
        if angle == 2:
            raise ZeroDivisionError("two is forbidden")
        return line_scene(angle)

    widget = live(scene, angle=slider(0, 3))
    assert widget.mode == "ahead"
    rows = list(rows_of(widget._ahead, widget._ahead_data))
    assert [row["error"] for row in rows] == [
        None, None, "ZeroDivisionError: two is forbidden", None,
    ]  # fmt: skip
    assert set(rows[2]) == {"error"}  # nothing else changes: the last picture stays
    widget.angle = 2
    assert widget.scene == line_scene(0)
    assert repr(widget) == "Live figure: A line at 0.00."


def raster_scene(a: int, b: int, cells: int = 60) -> Scene:
    values = np.random.default_rng([a, b]).integers(0, 9, (cells, cells))
    return Scene((Panel((Raster(values, (-2, 2), (-2, 2)),), *AXES),), f"Raster {a}, {b}.")


def test_the_size_decides_whether_scenes_are_sent_ahead() -> None:
    few = live(raster_scene, a=slider(0, 9), b=slider(0, 9))
    many = live(raster_scene, a=slider(0, 30), b=slider(0, 30))
    repeated = live(lambda a, b: raster_scene(a, 0), a=slider(0, 30), b=slider(0, 30))
    assert (few.mode, many.mode, repeated.mode) == ("ahead", "python", "ahead")
    assert len(few._ahead_data) < frames.LIMIT
    assert many._ahead is None
    assert many._ahead_data == b""
    assert many.why == "through Python: 961 scenes are more than 1000 kB"


def test_steps_that_depend_on_other_controls_end_where_they_say(sent: Any) -> None:
    def scene(n: int, step: int) -> Scene:
        assert step <= n
        return line_scene(step / 10)

    widget = live(scene, n=slider(1, 4), step=steps(lambda n: (n, [1])))
    assert widget.mode == "python"
    for n, step, last, ahead in ((4, 4, 4, 4), (1, 4, 1, 1), (4, 0, 4, 1)):
        from_browser(widget, kind="move", view="v", n=1, values={"n": n, "step": step})
        assert sent[-1][0]["slots"]["c.step"] == {"last": last, "next": ahead}
        assert widget.step == min(step, last)


def test_too_many_scenes_and_free_controls_go_through_python_without_drawing() -> None:
    drawn = []

    def draw(values: Any) -> Any:
        drawn.append(values)
        return {}

    assert build_table({"a": slider(0, 999), "b": slider(0, 999)}, draw)[0] is None
    table, why = build_table({"c": points([[0, 0]])}, draw)
    assert table is None
    assert "c can take any value" in why
    assert not drawn


def test_positions_near_the_panel_travel_in_16_bits_and_all_others_as_they_are() -> None:
    near = np.array([0, 1, -0.5, np.nan, 2.7], dtype=np.float32)
    assert rounded(near).dtype == np.int16
    far = np.array([0, 2.8, np.nan], dtype=np.float32)
    assert rounded(far) is far
    groups = np.array([0, 1], dtype=np.uint8)
    assert rounded(groups) is groups
    found = unpacked(*pack({"a": near, "b": far}))
    np.testing.assert_allclose(found["a"], near, atol=0.5 / 12000 + 1e-7)
    np.testing.assert_array_equal(found["b"], far)


def test_a_table_that_would_take_too_long_is_given_up_early(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = itertools.count()
    monkeypatch.setattr(frames.time, "process_time", lambda: 0.01 * next(clock))
    drawn = []

    def draw(values: Any) -> Any:
        drawn.append(values)
        return slots_of(line_scene(values["angle"]))

    assert build_table({"angle": slider(0, 9, 0.01)}, draw)[0] is not None  # 901 scenes, 9 seconds
    drawn.clear()
    table, why = build_table({"angle": slider(0, 11, 0.01)}, draw)
    assert table is None
    assert "would take too long" in why
    assert len(drawn) == frames.TRIED


# --- the widget ----------------------------------------------------------------------------------


def test_values_are_attributes_that_can_be_read_set_observed_and_linked() -> None:
    widget = live(line_scene, angle=slider(0, 3, 0.5, value=1), dashed=toggle())
    assert widget.values == {"angle": 1.0, "dashed": False}
    seen = []
    widget.observe(lambda change: seen.append(change.new), "angle")
    widget.angle = 2.6
    assert widget.angle == 2.5
    assert seen == [2.5]
    assert widget.scene == line_scene(2.5)
    other = live(line_scene, angle=slider(0, 3, 0.5))
    traitlets.link((widget, "angle"), (other, "angle"))
    other.angle = 0.5
    assert widget.angle == 0.5
    assert ipywidgets.VBox([widget, other]).children == (widget, other)
    with pytest.raises(traitlets.TraitError, match="angle: expected a number, found 'up'"):
        widget.angle = "up"


def test_a_name_that_the_widget_needs_itself_is_refused() -> None:
    for name in ("layout", "mode", "scene", "values"):
        with pytest.raises(ValueError, match=f"{name}: this name is taken"):
            live(line_scene, **{name: slider(0, 1)})
    with pytest.raises(TypeError, match=r"angle: expected a control .* found tuple"):
        live(line_scene, angle=(0, 1))  # type: ignore[arg-type]


def test_a_function_that_fails_at_once_fails_in_the_cell() -> None:
    with pytest.raises(TypeError, match="must return a Scene, it returned str"):
        live(lambda angle: "picture", angle=slider(0, 1))  # type: ignore[arg-type,return-value]
    with pytest.raises(ValueError, match="one point is not enough"):
        live(cloud_scene, cloud=points([[0, 0]]))


def test_a_move_is_answered_with_what_changed(sent: Any) -> None:
    widget = live(cloud_scene, cloud=PAIR, k=slider(0, 5))
    from_browser(widget, kind="hello", view="v")
    hello, buffers = sent.pop()
    assert (hello["view"], hello["n"]) == ("v", 0)
    assert hello["points"] == {"cloud": [[0.0, 0.0, 0], [1.0, 1.0, 1]]}
    expected = slots_of(widget.scene) | {"error": None}
    assert_same_slots(unpacked(hello["slots"], buffers[0]), expected)

    move = {"values": {"k": 1}, "edits": {"cloud": [["move", 0, 0.5, 0.25]]}}
    from_browser(widget, kind="move", view="v", n=1, **move)
    answer, buffers = sent.pop()
    assert not sent
    assert (answer["view"], answer["n"], answer["edits"]) == ("v", 1, move["edits"])
    assert widget.k == 1
    assert widget.cloud.X.tolist() == [[0.5, 0.25], [1, 1]]
    assert set(answer["slots"]) == {"sentence", "p0.m1/x", "p0.m1/y"}  # the points are not sent
    after = expected | unpacked(answer["slots"], buffers[0])
    assert_same_slots(after, slots_of(cloud_scene(widget.cloud, 1)) | {"error": None})


def test_a_move_of_200_points_takes_less_than_5_kilobytes_both_ways(sent: Any) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2)) + 3 * rng.integers(0, 2, (200, 1))
    widget = perceptron_playground()
    widget.points = Cloud(X, (X.sum(axis=1) > 3).astype(int))
    from_browser(widget, kind="hello", view="v")
    sent.clear()
    move = {"kind": "move", "view": "v", "n": 1, "values": {"step": 150}}
    from_browser(widget, **move, edits={"points": [["move", 17, 0.123456789012345, 1.5]]})
    answer, buffers = sent.pop()
    assert len(json.dumps(answer)) + len(buffers[0]) + len(json.dumps(move)) < 5000


def test_an_exception_is_shown_and_the_picture_stays(sent: Any) -> None:
    widget = live(cloud_scene, cloud=PAIR)
    before = widget.scene
    from_browser(widget, kind="move", view="v", n=1, edits={"cloud": [["remove", 0]]})
    answer, _ = sent.pop()
    assert answer["slots"] == {"error": "one point is not enough"}
    assert widget.scene == before
    from_browser(widget, kind="hello", view="w")  # a view that opens now sees picture and message
    answer, buffers = sent.pop()
    slots = unpacked(answer["slots"], buffers[0])
    assert slots["error"] == "one point is not enough"
    assert slots["sentence"] == before.describe()
    from_browser(widget, kind="move", view="v", n=2, edits={"cloud": [["insert", 0, 0, 1, 0]]})
    answer, _ = sent.pop()
    assert answer["slots"]["error"] is None


@pytest.mark.parametrize(
    "content",
    [
        {"values": {"k": "high"}},
        {"values": {}, "edits": {"cloud": [["move", 9, 0, 0]]}},
        {"values": {}, "edits": {"cloud": [["shake"]]}},
        {"values": {}, "edits": {"k": [["move", 0, 0, 0]]}},
        {"values": {}, "edits": {"nobody": []}},
    ],
)
def test_a_message_that_makes_no_sense_is_answered_with_an_error(
    content: dict[str, Any], sent: Any
) -> None:
    widget = live(cloud_scene, cloud=PAIR, k=slider(0, 5))
    from_browser(widget, kind="move", view="v", n=4, **content)
    answer, _ = sent.pop()
    assert answer["n"] == 4
    assert answer["slots"]["error"]
    assert len(widget.cloud) == 2
    from_browser(widget, kind="move", view="v", n=5, values={"k": 1})
    assert sent.pop()[0]["slots"]["error"] is None  # the next good move clears the message


def test_python_moves_the_picture_too(sent: Any) -> None:
    widget = live(cloud_scene, cloud=PAIR, k=slider(0, 5))
    widget.k = 2
    assert sent.pop()[0]["slots"]["sentence"] == "2 points, shift 2."
    widget.cloud = Cloud([[0, 0], [1, 1], [1, 0]], [0, 1, 1])
    message, _ = sent.pop()
    assert message["points"]["cloud"][2] == [1.0, 0.0, 1]
    assert not sent


def test_a_step_beyond_the_end_is_brought_back(sent: Any) -> None:
    def scene(cloud: Cloud, step: int) -> Scene:
        return cloud_scene(cloud, step)

    widget = live(scene, cloud=points([[0, 0], [1, 1]]), step=steps(lambda cloud: len(cloud)))
    widget.step = 99
    assert widget.step == 2
    assert sent[-1][0]["slots"]["sentence"] == "2 points, shift 2."


def test_moves_of_the_browser_are_not_sent_back_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    widget = live(line_scene, angle=slider(0, 3, 0.5))
    states = []
    monkeypatch.setattr(Live, "send_state", lambda self, key=None: states.append(key))
    monkeypatch.setattr(Live, "_send", lambda self, message, buffers=None: states.append(message))
    widget.set_state({"angle": 2.5})
    assert widget.angle == 2.5
    assert states == []


# --- what a notebook keeps -----------------------------------------------------------------------


def test_displaying_shows_a_static_picture_and_then_the_widget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = []
    monkeypatch.setattr(module, "display", lambda data, **_: shown.append(data))
    widget = live(line_scene, angle=slider(0, 3, 0.5, value=1))
    widget._ipython_display_()
    picture, view = shown
    assert 'class="lm-figure static-fallback"' in picture["text/html"]
    assert 'alt="A line at 1.00."' in picture["text/html"]
    assert f'data-live="{widget._fallback}"' in picture["text/html"]
    assert picture["text/plain"] == "A line at 1.00."
    assert view["text/plain"] == "Live figure: A line at 1.00."
    assert view["application/vnd.jupyter.widget-view+json"]["model_id"] == widget.model_id


def test_no_repr_holds_an_address() -> None:
    widget = live(cloud_scene, cloud=PAIR, k=slider(0, 5))
    for thing in (widget, widget.cloud, widget.scene, PAIR, slider(0, 5)):
        assert " at 0x" not in repr(thing)
    assert repr(widget.cloud) == "Cloud(2 points)"


def test_running_a_cell_again_closes_the_widgets_of_its_former_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    request: dict[str, Any] = {}

    class Shell:
        class kernel:
            @staticmethod
            def get_parent(channel: str) -> dict[str, Any]:
                return request

    monkeypatch.setattr(module, "get_ipython", Shell)

    def run(cell: str | None, message: str, deleted: tuple[str, ...] = ()) -> Live:
        request.update(
            metadata={"cellId": cell, "deletedCells": list(deleted)}, header={"msg_id": message}
        )
        return live(line_scene, angle=slider(0, 3, 0.5))

    def alive(widget: Live) -> bool:
        return widget.comm is not None

    first, second = run("a", "1"), run("a", "1")
    other, unknown = run("b", "2"), run(None, "3")
    assert all(map(alive, (first, second, other, unknown)))
    third = run("a", "4")
    assert [alive(w) for w in (first, second, third, other, unknown)] == [
        False, False, True, True, True,
    ]  # fmt: skip
    run("c", "5", deleted=("b",))
    assert not alive(other)


def test_the_server_does_not_hold_back_small_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    options: list[bool] = []

    class Connection(Prompt):
        websocket_handler = SimpleNamespace(set_nodelay=options.append)

    monkeypatch.setattr(ZMQChannelsWebsocketConnection, "connect", lambda self: "connected")
    assert Connection.__new__(Connection).connect() == "connected"
    assert options == [True]


# --- areas ---------------------------------------------------------------------------------------


def test_areas_are_pairs_of_corners_of_one_class() -> None:
    assert BOX.start.y.tolist() == [1, 1, 0, 0]
    assert BOX.spec()["boxes"]
    boxes, labels = rectangles(BOX.start)
    assert boxes.tolist() == [[[0, 0], [2, 1]], [[5, 5], [6, 7]]]
    assert labels.tolist() == [1, 0]
    drawn = BOX.edited(BOX.start, [["set", [[0, 0, 1], [1, 1, 1]]], ["move", 1, 3, 4]])
    assert rectangles(drawn)[0].tolist() == [[[0, 0], [3, 4]]]


def test_areas_may_be_none_and_have_presets() -> None:
    empty = (np.empty((0, 2, 2)), np.empty(0, dtype=int))
    control = areas([[[0, 0], [1, 1]]], [0], presets={"nothing yet": empty}, most=1)
    assert control.spec()["presets"] == {"nothing yet": []}
    boxes, labels = rectangles(control.checked(Cloud(np.empty((0, 2)), [])))
    assert boxes.shape == (0, 2, 2)
    assert labels.shape == (0,)


# --- marks that are held -------------------------------------------------------------------------


def bells(prior: float) -> Scene:
    marks = (Curve([0, 1, 2], [0, prior, 0], label="bell"), Bars([0, 1], [1, 2], [prior, 1]))
    return Scene((Panel((Points([[0, 0]]),)), Panel(marks)), f"Prior {prior}.")


def test_a_mark_is_held_by_its_name_or_by_its_kind_and_number() -> None:
    control = slider(0.2, 0.8, 0.2, label="prior").on("bell, top", "Curve 0", "Bars 0, 1")
    spec = dict(live(bells, prior=control)._controls)["prior"]
    assert spec["on"] == [[1, 0, "top"], [1, 0, None], [1, 1, 1]]


@pytest.mark.parametrize(
    ("mark", "problem"),
    [
        ("ball", "on: expected one of Points 0, bell, Curve 0, Bars 0, found 'ball'"),
        ("bell, nose", "on: expected a number or top, foot, flank, start, end, found 'nose'"),
    ],
)
def test_a_mark_that_is_not_there_is_named(mark: str, problem: str) -> None:
    with pytest.raises(ValueError, match=f"^{problem}$"):
        live(bells, prior=slider(0, 1, 0.5, label="prior").on(mark))


def test_a_hand_that_takes_hold_is_told_what_the_mark_looks_like_for_every_value() -> None:
    def scene(prior: float, cloud: Cloud) -> Scene:
        if prior == 0.5:
            raise ValueError("not here")
        return bells(prior)

    control = slider(0, 1, 0.5, value=1, label="prior").on("bell, top")
    widget = live(scene, prior=control, cloud=points([[0, 0]]))
    sent: list[Any] = []
    widget.send = lambda content, buffers=None: sent.append((content, buffers))  # type: ignore
    question = {"kind": "variants", "view": "a", "name": "prior", "marks": ["p1.m0"]}
    widget._answer(None, question, None)
    ((content, (data,)),) = sent
    assert content["kind"] == "variants"
    tops = []
    for (row,) in content["rows"]:
        if row:
            kind, offset, length = row["y"]["a"]
            assert kind == "q"
            tops.append(np.frombuffer(data, np.int16, length, offset)[1] / QUANTUM)
    assert tops == [0, 1]  # one of three could not be drawn
    assert widget.prior == 1


# --- recorded walks ------------------------------------------------------------------------------


def test_a_recording_tells_the_story_of_a_picture_that_needs_python() -> None:
    widget = perceptron_playground()
    assert widget.mode == "python"
    states = walk(widget)
    assert 10 <= len(states) <= 30
    said, values = states[0]
    assert (said, values["step"]) == ("as it begins", widget.step)
    assert {s.partition(":")[0] for s, _ in states} >= {"visited examples", "examples"}
    state = recorded(widget)
    ((name, control),) = state["_controls"]
    assert (name, control["texts"]) == ("walk", [said for said, _ in states])
    assert state["_ahead"]["sizes"] == [len(states)]
    sentences = state["_ahead"]["items"][state["_ahead"]["slots"].index("sentence")]
    assert sentences == list(dict.fromkeys(widget.scene_of(v).describe() for _, v in states))
    # the page has no control that would hold the points
    assert "p0.m4/x" in state["_ahead"]["slots"]
    assert state["_first"]["p0.m4"]["style"]["handle"] == ""


def test_a_picture_of_many_controls_is_recorded_all_the_same() -> None:
    def scene(**k: int) -> Scene:
        return Scene((Panel((Points([[sum(k.values()), 0]]),)),), f"{k}")

    widget = live(scene, **{f"k{i}": slider(0, 4, label=f"k{i}") for i in range(40)})
    said = [said for said, _ in walk(widget)]
    assert 10 <= len(said) <= 30
    assert (said[0], said[-1].split(":")[0]) == ("as it begins", "k39")


def test_what_cannot_be_drawn_or_was_drawn_before_is_not_recorded() -> None:
    def scene(k: int, cloud: Cloud) -> Scene:
        if k == 2:
            raise ValueError("not here")
        return Scene((Panel((Points(cloud.X, handle="cloud"),)),), f"k is {k}.")

    widget = live(scene, k=slider(0, 4, label="k"), cloud=points([[1, 1]]))
    said = [said for said, _ in walk(widget)]
    assert said[:4] == ["as it begins", "k: 1", "k: 3", "k: 4"]  # k is 0 when it begins
