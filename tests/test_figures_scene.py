"""Scenes as data, the marks they hold, the palette, and what is drawn of them."""

from __future__ import annotations

import base64
import functools
import io
import itertools
import re
from dataclasses import FrozenInstanceError, replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import PIL.Image
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from matplotlib.path import Path

from lectures_lib.figures import (
    Arrow,
    Axis,
    Bars,
    Curve,
    HalfPlane,
    Image,
    Line,
    Mark,
    Panel,
    Points,
    Raster,
    Region,
    Scene,
    Segments,
    Text,
    between,
    histogram,
    marks,
    show,
)
from lectures_lib.figures.marks import LOOKS, SCALES, line_across
from lectures_lib.figures.palette import (
    AREA_OPACITY,
    CLASS_COUNT,
    CLASS_MARKERS,
    DARK,
    LIGHT,
    MARKERS,
    ROLES,
    TEXT_COLOURS,
    contrast,
    line_style,
    mix,
    rgb,
    stylesheet,
)
from lectures_lib.figures.scene import SHAPES
from lectures_lib.figures.svg import DRAW as SVG_DRAW
from lectures_lib.figures.svg import scale_colour
from lectures_lib.figures.words import count, equation, number
from lectures_lib.widgets.widget import SCRIPT

THEMES = {"light": LIGHT, "dark": DARK}
UNIT = Panel((), Axis("x", 0, 1), Axis("y", 0, 1))
CORNERS = [[0, 0], [1, 0], [1, 1], [0, 1]]

# One of each mark, and of each way in which a mark can look. A mark that is missing here, or that
# a renderer does not draw, fails a test below and in tests/browser.
SAMPLES: dict[str, Mark] = {
    **{f"points, {look}": Points([[0.3, 0.4], [0.6, 0.7]], [0, 1], look=look) for look in LOOKS},
    **{f"class {k}": Points([[0.5, 0.5]], [k], size=8) for k in range(CLASS_COUNT)},
    "line": Line([1, -1], 0.1),
    "half-plane": HalfPlane([1, -1], 0.1),
    "curve": Curve([0.1, 0.5, np.nan, 0.6, 0.9], [0.2, 0.8, 0, 0.3, 0.3]),
    "segments": Segments([[0.1, 0.1], [0.2, 0.2]], [[0.9, 0.2], [0.8, 0.9]]),
    "arrow": Arrow([0.2, 0.2], [0.8, 0.7]),
    "region": Region(([[0.1, 0.1], [0.9, 0.1], [0.5, 0.8]],), 2),
    "region, hatched": Region(([[0.1, 0.1], [0.9, 0.1], [0.5, 0.8]],), 3, hatch=True),
    "region, outline": Region(([[0.1, 0.1], [0.9, 0.1], [0.5, 0.8]],), outline=True, fill=False),
    "bars": Bars([0.1, 0.4], [0.3, 0.6], [0.5, 0.9]),
    **{
        f"raster, {scale}": Raster([[0, 1], [1, 0]], (0.1, 0.9), (0.1, 0.9), scale)
        for scale in SCALES
    },
    "image": Image(np.eye(3)[None], (0.1, 0.9), (0.2, 0.8)),
    "text": Text([0.5, 0.5], ("words",)),
}


def panel_with(*some: Mark) -> Panel:
    return replace(UNIT, marks=some)


def scene_with(*some: Mark) -> Scene:
    return Scene((panel_with(*some),), "A picture.")


@functools.cache  # equal scenes are the same key
def pixels(scene: Scene) -> np.ndarray[Any, Any]:
    return np.asarray(PIL.Image.open(io.BytesIO(show(scene).png)).convert("RGB")).astype(int)


# --- every mark, both renderers ------------------------------------------------------------------


def test_every_mark_has_a_sample() -> None:
    kinds = {v for v in vars(marks).values() if isinstance(v, type) and issubclass(v, Mark)}
    assert kinds - {Mark, marks.Pieces, marks.Track} == {
        type(sample) for sample in SAMPLES.values()
    }


def test_both_renderers_know_the_same_shapes() -> None:
    table = re.search(r"^const DRAW = \{\n(.*?)^\};", SCRIPT, re.M | re.S)
    assert table is not None
    in_browser = re.findall(r"^  (\w+)\(group,", table[1], re.M)
    assert sorted(in_browser) == sorted(SVG_DRAW) == sorted(SHAPES)


def test_live_js_repeats_the_numbers_of_the_python_renderer() -> None:
    assert f"const LEVELS = {marks.LEVELS};" in SCRIPT
    assert f'"fill-opacity": {AREA_OPACITY},' in SCRIPT
    assert f'"fill-opacity": {2 * AREA_OPACITY},' in SCRIPT
    assert f"`class${{level}}`, {2 * AREA_OPACITY})" in SCRIPT
    assert "[460, 460, 410, 310, 230]" in SCRIPT


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_every_mark_is_drawn(name: str) -> None:
    shape = SAMPLES[name].shape(UNIT)
    assert shape.kind in SHAPES
    changed = (pixels(scene_with(SAMPLES[name])) != pixels(scene_with())).any(axis=2)
    assert changed.sum() > 30


def test_a_mark_of_an_unknown_kind_cannot_be_drawn() -> None:
    class Stranger(Mark):
        def shape(self, panel: Panel) -> Any:
            return replace(SAMPLES["line"].shape(panel), kind="stranger")

    with pytest.raises(KeyError, match="stranger"):
        show(scene_with(Stranger()))


# --- scenes as data ------------------------------------------------------------------------------


def test_equal_scenes_are_equal_and_hash_alike() -> None:
    scenes = [scene_with(sample) for sample in SAMPLES.values()]
    again = [scene_with(replace(sample)) for sample in SAMPLES.values()]  # type: ignore[type-var]
    assert scenes == again
    assert len({*scenes, *again}) == len(SAMPLES)
    assert all(one != other for one, other in itertools.combinations(scenes, 2))


def test_a_single_number_makes_scenes_unequal() -> None:
    one, other = Points([[0.0, 1.0]]), Points([[0.0, np.nextafter(1.0, 2)]])
    assert one != other
    assert Points([[0.0, 1.0]]) == Points([[-0.0, 1.0]])
    assert hash(Points([[0.0, 1.0]])) == hash(Points([[-0.0, 1.0]]))
    assert Curve([0, np.nan], [1, 2]) == Curve([0, np.nan], [1, 2])
    assert one != "something else"


def test_scenes_are_frozen_and_keep_their_own_copy_of_the_arrays() -> None:
    xy = np.zeros((2, 2))
    mark = Points(xy)
    xy[0, 0] = 7
    assert mark.xy[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        mark.xy[0, 0] = 1
    with pytest.raises(FrozenInstanceError):
        mark.size = 3  # type: ignore[misc]


def test_a_scene_finds_its_marks_by_kind() -> None:
    scene = scene_with(*SAMPLES.values())
    assert scene.marks(Line) == [SAMPLES["line"]]
    assert len(scene.marks(Mark)) == len(SAMPLES)


def test_the_legend_names_each_label_once_and_can_be_shared() -> None:
    points = Points([[0, 0], [1, 1]], [0, 1], labels=("zero", "one"))
    panel = panel_with(points, Line([1, 0], 0, label="line"), points)
    assert [key.label for key in panel.legend()] == ["zero", "one", "line"]
    assert Scene((panel, panel), "s").legend() == []
    shared = Scene((panel, panel_with(Line([1, 0], 0, label="other"))), "s", shared_legend=True)
    assert [key.label for key in shared.legend()] == ["zero", "one", "line", "other"]


def test_panels_below_stand_in_the_column_of_the_one_before() -> None:
    low = replace(UNIT, below=True)
    assert Scene((UNIT, low, UNIT, low, low), "s").stacks() == [[0, 1], [2, 3, 4]]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Points([1, 2, 3]), "xy: expected 2 dimension"),
        (lambda: Points([[1, 2, 3]]), "xy: expected two columns"),
        (lambda: Points([[0, np.nan]]), "xy: expected finite numbers, found nan"),
        (lambda: Points([["a", "b"]]), "xy: expected numbers"),
        (lambda: Points([[0, 0]], [10]), "classes: expected integers 0 to 9"),
        (lambda: Points([[0, 0]], [0, 1]), "classes: expected 1 of them"),
        (lambda: Points([[0, 0]], look="loud"), "look: found 'loud'"),
        (lambda: Points([[0, 0], [1, 1]], notes=[1]), "notes: expected 2 of them, found 1"),
        (lambda: marks.Track([[0, 0], [1, 1]], "s", [2, 1]), "values: expected"),
        (lambda: marks.Track([[0, 0], [1, 1]], "s", [0.5, 1]), "values: expected"),
        (lambda: marks.Track([[0, 0], [1, 1]], "s", [-1, 2]), "values: expected"),
        (lambda: marks.Track([[0, 0], [1, 1]], "s", [1]), "values: expected"),
        (lambda: Line([1, 2, 3], 0), "w: expected two numbers"),
        (lambda: Line([1, 2], np.inf), "w0: expected a finite number"),
        (lambda: Line([1, 2], 0, "loud").shape(UNIT), "role: found 'loud'"),
        (lambda: Curve([1, 2], [1]), "x, y: expected equal lengths, found 2 and 1"),
        (lambda: Arrow([[0, 0]], [[1, 1], [2, 2]]), "start, end: expected equal lengths"),
        (lambda: Bars([0], [1], [1, 2]), "left, right, height: expected equal lengths"),
        (lambda: Raster([[0.0]], (0, 1), (0, 1), "rainbow"), "scale: found 'rainbow'"),
        (lambda: Image(np.zeros((2, 2, 4)), (0, 1), (0, 1)), "values: expected .rows, columns, 3"),
        (lambda: Text([[0, 0]], ("a", "b")), "words: expected 1 of them, found 2"),
        (lambda: Text([0, 0], ("a",), anchor="left"), "anchor: found 'left'"),
        (lambda: Axis("", 1, 1), "axis: expected finite lo < hi"),
        (lambda: Scene((), "s"), "panels: expected at least one"),
        (lambda: Scene((UNIT,), " "), "sentence: expected a sentence"),
    ],
)
def test_bad_marks_are_refused_by_name(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_show_takes_scenes_only() -> None:
    with pytest.raises(TypeError, match="expected a Scene, found str"):
        show("picture")  # type: ignore[arg-type]


# --- geometry ------------------------------------------------------------------------------------

coefficients = st.floats(-3, 3).map(lambda v: round(v, 3))


@given(coefficients, coefficients, coefficients)
@settings(max_examples=60)
def test_a_line_across_the_square_leaves_its_positive_side(a: float, b: float, c: float) -> None:
    assume(abs(a) + abs(b) > 1e-3)
    ends, polygon = line_across(a, b, c)
    assert (len(ends), len(polygon)) == (2, 4)
    grid = (np.arange(60) + 0.5) / 60
    cells = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
    inside = Path(polygon).contains_points(cells)
    assert np.mean(inside != (cells @ [a, b] + c >= 0)) < 0.03
    # The line itself: both ends on it, and beyond the square wherever it meets the square.
    if (cells @ [a, b] + c >= 0).mean() not in (0, 1):
        assert np.abs(ends @ [a, b] + c).max() < 1e-9
        assert (np.abs(ends - 0.5).max(axis=1) >= 0.5).all()


@given(
    st.floats(-1e6, 1e6),
    st.floats(1e-3, 1e3),
    st.tuples(*[st.floats(0.01, 0.99)] * 2),
)
@settings(max_examples=40)
def test_a_line_passes_where_its_equation_says_in_shifted_and_scaled_panels(
    lo: float, size: float, ends: tuple[float, float]
) -> None:
    axis = Axis("", lo, lo + size)
    panel = replace(UNIT, x=axis, y=axis)
    p, q = lo + size * ends[0], lo + size * ends[1]  # through (lo, p) and (lo + size, q)
    w = np.array([-(q - p) / size, 1.0])
    shape = Line(w, -float(w @ [lo, p])).shape(panel)
    x, y = shape.arrays["x"].astype(float), shape.arrays["y"].astype(float)
    assert np.abs(x[1] - x[0]) > 0.5
    slope = (y[1] - y[0]) / (x[1] - x[0])
    np.testing.assert_allclose(y[0] + slope * (np.array([0, 1]) - x[0]), ends, atol=1e-5)


def test_a_track_draws_nothing_and_says_what_its_places_stand_for() -> None:
    track = marks.Track([[0, 0], [0.5, 1], [1, 0.5]], "step", [0, 2, 7])
    assert (pixels(scene_with(track)) == pixels(scene_with())).all()
    shape = track.shape(UNIT)
    assert shape.style["handle"] == "step"
    assert shape.arrays["at"].tolist() == [0, 2, 7]
    assert marks.Track([[0, 0], [1, 1]], "step").shape(UNIT).arrays["at"].tolist() == [0, 1]


def test_points_carry_their_notes() -> None:
    noted = Points([[0, 0], [1, 1]], notes=[0.5, -2], note="s·g").shape(UNIT)
    assert (noted.style["note"], noted.arrays["note"].tolist()) == ("s·g", [0.5, -2])


def test_a_line_without_direction_is_no_line() -> None:
    assert len(Line([0, 0], 1).shape(UNIT).arrays["x"]) == 0
    everywhere = HalfPlane([0, 0], 1).shape(UNIT).arrays
    assert np.column_stack([everywhere["x"], everywhere["y"]]).tolist() == CORNERS
    assert len(HalfPlane([0, 0], -1).shape(UNIT).arrays["x"]) == 0


def test_positions_stay_exact_in_a_panel_far_from_zero() -> None:
    axis = Axis("", 1e8, 1e8 + 1)
    panel = replace(UNIT, x=axis, y=axis)
    xy = 1e8 + np.array([[0.25, 0.5], [0.125, 0.75]])
    arrays = Points(xy).shape(panel).arrays
    np.testing.assert_array_equal(arrays["x"], np.float32([0.25, 0.125]))
    np.testing.assert_array_equal(arrays["y"], np.float32([0.5, 0.75]))


@given(st.floats(-1e5, 1e5), st.floats(1e-4, 1e6), st.integers(2, 9), st.booleans())
@example(0, 10, 4, False)  # a quarter of a power of ten
@settings(max_examples=100)
def test_ticks_are_few_round_numbers_inside_the_axis(
    lo: float, size: float, most: int, whole: bool
) -> None:
    axis = Axis("", lo, lo + size, whole=whole)
    assume(axis.hi - axis.lo > 1e-9 * abs(axis.hi))
    ticks = axis.marked(most)
    assert len(ticks) <= most + 1
    assert len({text for _, text in ticks}) == len(ticks)
    for step in np.diff([at for at, _ in ticks]):
        share = step / 10 ** np.floor(np.log10(step) + 1e-4)
        assert np.abs(share - [1, 2, 5, 2 if whole else 2.5]).min() < 1e-3
    room = 1e-6 * size
    for at, text in ticks:
        assert axis.lo - room <= at <= axis.hi + room
        assert float(text.replace("−", "-")) == pytest.approx(at, rel=1e-6, abs=1e-6 * size)
        assert not whole or at == round(at)


def test_an_axis_around_values_shows_them_with_a_border() -> None:
    axis = Axis.around([2.0, 4.0, np.nan], "x", 0.1)
    assert (axis.lo, axis.hi) == pytest.approx((1.8, 4.2))
    assert Axis.around([3.0, 5.0], zero=True).lo == 0
    single = Axis.around([7.0, 7.0])
    assert single.lo < 7 < single.hi
    assert (Axis.around([1, 2], pad=0).lo, Axis.around([1, 2], pad=0).hi) == (1, 2)


def test_a_histogram_counts_what_lies_between_its_edges() -> None:
    bars = histogram([0.1, 0.2, 1.5, 1.6, 1.7, 9], [0, 1, 2, 3])
    assert bars.height.tolist() == [2, 3, 0]
    whole = histogram([0.1, 0.2, 1.5, 1.6], [0, 1, 3], density=True)
    assert np.dot(whole.height, whole.right - whole.left) == pytest.approx(1)


def test_the_region_between_two_curves_follows_both() -> None:
    region = between([0, 1, 2], 0, [1, 2, 1])
    x, y = region.polygons[0].T
    assert 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) == pytest.approx(3)


@pytest.mark.parametrize(("y", "above"), [((0, 1), "paper"), ((1, 0), "ink")])
def test_row_zero_of_a_raster_lies_at_the_first_y(y: tuple[int, int], above: str) -> None:
    image = pixels(scene_with(Raster([[1.0, 1.0], [0.0, 0.0]], (0, 1), y, "grey")))
    column = image[:, image.shape[1] // 2, 0]
    assert (column[60] > 200) == (above == "paper")
    assert (column[column.size * 2 // 3] > 200) == (above == "ink")


# --- the palette ---------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", THEMES)
def test_marks_and_text_stand_out_in_both_themes(theme: str) -> None:
    colours = THEMES[theme]
    classes = [colours[f"class{k}"] for k in range(CLASS_COUNT)]
    grounds = [colours["paper"], *(mix(c, AREA_OPACITY, colours["paper"]) for c in classes)]
    for ground in grounds:
        for name in TEXT_COLOURS:
            assert contrast(colours[name], ground) >= 4.5, (name, ground)
        for name in ("accent", "focus", "hand", *(f"class{k}" for k in range(CLASS_COUNT))):
            assert contrast(colours[name], ground) >= 3, (name, ground)


@pytest.mark.parametrize("theme", THEMES)
def test_the_knob_has_no_colour_of_data(theme: str) -> None:
    colours = THEMES[theme]
    for k in range(CLASS_COUNT):
        pairs = zip(rgb(colours["hand"]), rgb(colours[f"class{k}"]), strict=True)
        assert sum((a - b) ** 2 for a, b in pairs) > 0.3**2, k


def test_contrast_agrees_with_published_pairs() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)  # WCAG's grey
    assert contrast("#ff0000", "#ffffff") == pytest.approx(4.0, abs=0.005)


def cie_lab(colour: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """CIE L*a*b* of linear RGB (D65)."""
    matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    xyz = np.array(matrix) @ colour / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


# Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB, row by row.
VISION = {
    "normal": "1 0 0 0 1 0 0 0 1",
    "protanopia": ".152286 1.052583 -.204868 .114503 .786281 .099216 -.003882 -.048116 1.051998",
    "deuteranopia": ".367322 .860646 -.227968 .280085 .672501 .047413 -.011820 .042940 .968881",
    "tritanopia": "1.255528 -.076749 -.178779 -.078411 .930809 .147602 .004733 .691367 .303900",
}


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("theme", THEMES)
def test_the_first_three_classes_differ_for_every_kind_of_colour_vision(
    vision: str, theme: str
) -> None:
    matrix = np.reshape([float(v) for v in VISION[vision].split()], (3, 3))

    def seen(name: str) -> np.ndarray[Any, Any]:
        c = np.array(rgb(THEMES[theme][name]))
        linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
        return cie_lab(np.clip(matrix @ linear, 0, 1))

    for one, other in itertools.combinations(["class0", "class1", "class2"], 2):
        assert np.linalg.norm(seen(one) - seen(other)) > 18, (one, other)


def test_no_two_classes_share_a_marker_and_neighbours_differ_in_dashes() -> None:
    assert len(set(CLASS_MARKERS)) == len({m.matplotlib for m in MARKERS.values()}) == CLASS_COUNT
    styles = [line_style(f"class{k}") for k in range(CLASS_COUNT)]
    assert all(a.dash != b.dash for a, b in itertools.pairwise(styles))


def test_both_themes_name_the_same_colours_and_the_stylesheet_has_them_all() -> None:
    assert LIGHT.keys() == DARK.keys()
    assert {style.colour for style in ROLES.values()} <= LIGHT.keys()
    light, dark, unknown = stylesheet().splitlines()
    for name in LIGHT:
        assert f"--lm-{name}: {LIGHT[name]};" in light
        assert f"--lm-{name}: {DARK[name]};" in dark
        assert f"--lm-{name}: {DARK[name]};" in unknown


def test_the_scales_of_a_raster_begin_and_end_at_the_palette() -> None:
    top = marks.LEVELS
    assert scale_colour("grey", 0, LIGHT) == LIGHT["paper"]
    assert scale_colour("grey", top, DARK) == DARK["ink"]
    assert scale_colour("diverging", 0, LIGHT) == LIGHT["class0"]
    assert scale_colour("diverging", top // 2, LIGHT) == LIGHT["paper"]
    assert scale_colour("diverging", top, LIGHT) == LIGHT["class1"]


# --- the picture ---------------------------------------------------------------------------------


def test_a_picture_is_a_png_with_its_sentence_as_text_and_as_alt_text() -> None:
    picture = show(Scene((UNIT,), 'Points "a" < b.', (("name", "value"),)))
    data, metadata = picture._repr_mimebundle_()
    assert base64.b64decode(data["image/png"]) == picture.png
    assert picture.png.startswith(b"\x89PNG")
    assert data["text/plain"] == repr(picture) == 'Points "a" < b.'
    assert 'alt="Points &quot;a&quot; &lt; b."' in data["text/html"]
    width = PIL.Image.open(io.BytesIO(picture.png)).width
    assert width == pytest.approx(1.5 * metadata["image/png"]["width"], abs=1)


def test_each_column_is_an_image_and_only_the_first_one_speaks() -> None:
    panels = (UNIT, replace(UNIT, below=True), UNIT)
    picture = show(Scene(panels, "Three panels.", (("mistakes", "2 < 3"),)))
    html = picture._repr_mimebundle_()[0]["text/html"]
    assert re.findall(r'alt="([^"]*)"', html) == ["Three panels.", "the same figure, continued"]
    assert "<p>mistakes: 2 &lt; 3</p>" in html
    for source in re.findall(r"data:image/svg\+xml;base64,([^\"]+)", html):
        ElementTree.fromstring(base64.b64decode(source))


def test_a_picture_holds_the_colours_it_uses_in_both_themes() -> None:
    (svg, _, _), *_ = show(scene_with(Points([[0.5, 0.5]], [1]))).images
    light, dark = svg.split("prefers-color-scheme:dark")
    assert f"--lm-class1:{LIGHT['class1']};" in light
    assert f"--lm-class1:{DARK['class1']};" in dark
    assert "--lm-class7" not in svg


@pytest.mark.slow
def test_a_picture_is_the_same_bytes_every_time_and_small() -> None:
    rng = np.random.default_rng(0)
    cloud = Points(rng.random((300, 2)), rng.integers(0, 3, 300), labels=("a", "b", "c"))
    scene = Scene((panel_with(cloud, *SAMPLES.values()),) * 4, "Four.", columns=2)
    first, second = show(scene).png, show(scene).png
    assert first == second
    assert len(show(scene_with(cloud)).png) < 60_000


def test_points_outside_the_panel_are_not_drawn() -> None:
    outside = scene_with(Points([[1.2, 0.5], [0.5, -0.2]], size=8))
    assert (pixels(outside) == pixels(scene_with())).all()


def test_a_legend_longer_than_the_panel_does_not_cut_anything_off() -> None:
    long = [Line([1, -k], 0, label=f"a rather long label, number {k}") for k in range(1, 7)]
    image = pixels(scene_with(*long))
    border = np.concatenate([image[:, 0], image[:, -1], image[0], image[-1]])
    assert (border == 255).all()


# --- words ---------------------------------------------------------------------------------------


def test_numbers_are_written_without_minus_zero() -> None:
    assert number(-0.001) == "0.00"
    assert number(-1.239) == "−1.24"
    assert number(99.0) == "99"
    assert number(99.001) == "99.00"  # not whole: rounded, and it says so
    assert number(float("inf")) == "∞"
    assert count(0, "error") == "no errors"
    assert count(1, "error") == "1 error"
    assert count(2, "class", "classes") == "2 classes"


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=4), st.floats(-5, 5))
@settings(max_examples=60)
def test_an_equation_reads_back_as_its_coefficients(w: list[float], w0: float) -> None:
    assume(any(w))
    text = equation(w, w0).replace(" ", "").replace("−", "-")
    text = text.translate(str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789"))
    left, right = text.split("=")
    read = [float(v) for v in re.findall(r"([-+]?[\d.]+)x\d+", left)]
    np.testing.assert_allclose(read, w, atol=0.00501)
    assert float(right) == pytest.approx(-w0, abs=0.00501)
