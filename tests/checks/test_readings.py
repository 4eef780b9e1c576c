"""What a teacher would accept is accepted and said; the same judgement from data alone."""

import sys
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from lectures_lib.checks.judging.readings import Result, Unreadable, close, show
from lectures_lib.checks.registry import all_exercises
from lectures_lib.checks.running.in_thread import Reply
from lectures_lib.checks.running.plain_data import Odd, is_harmless, plain, same
from lectures_lib.checks.running.wire import LENGTH, WireError, pack, reply_from_data, unpack

VECTOR = Result("v", ("n",))
RIGHT = np.array([1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("given_value", "note"),
    [
        ([1, 2, 3], None),
        ((1.0, 2.0, 3.0), None),
        (range(1, 4), None),
        (np.array([1, 2, 3], dtype=np.int8), None),
        (np.array([[1.0], [2.0], [3.0]]), "shape (3, 1); it is read as a vector with 3 entries"),
        (np.array([[1.0, 2.0, 3.0]]), "shape (1, 3); it is read as a vector with 3 entries"),
        (np.float32([1, 2, 3]), "is float32; it is compared to 4 digits"),
        (np.array([1, 2, 3 + 0j]), "complex with imaginary part 0"),
        (np.array([1, 2, 3], dtype=object), None),
        ([Fraction(1), Fraction(2), Fraction(3)], None),
        (np.ma.array([1.0, 2.0, 3.0]), None),
        (np.array([1.0, 2.0, 3.0])[::1][None, :, None], "read as a vector"),
    ],
)
def test_harmless_forms_are_read_and_noted(given_value, note) -> None:
    reading = VECTOR.read(plain(given_value), (3,))
    assert np.array_equal(reading.value, RIGHT)
    assert (note is None and not reading.notes) or note in reading.notes[0]


@pytest.mark.parametrize(
    ("given_value", "message"),
    [
        ([1, 2], "`v` has shape (2,); expected an array of shape (n,) = (3,)."),
        (1.0, "`v` is one number; expected"),
        ([1, np.nan, 3], "`v` contains NaN (not a number) at position [1]."),
        ([1, 2, np.inf], "`v` contains infinity at position [2]."),
        ("123", "`v` is text; expected an array"),
        ([1, None, 3], "`v` does not hold numbers only"),
        ([1, 2j, 3], "`v` is complex"),
        (None, "`v` is None."),
        (..., "`v` is still `...`."),
        (np.array(["a"]), "`v` does not hold numbers only"),
        (np.array([["a"]]), "`v` is an array of strings."),
        (10**400, "`v` is a whole number with about 400 digits."),
    ],
)
def test_other_forms_are_refused_in_words(given_value, message) -> None:
    with pytest.raises(Unreadable) as refused:
        VECTOR.read(plain(given_value), (3,))
    assert str(refused.value).startswith(message)


def test_kinds_of_numbers_and_axes_are_kept_apart() -> None:
    count, flag, sign = (Result("r", ("n",), kind) for kind in ("count", "flag", "sign"))
    assert count.read((1.0, 2.0)).value.dtype.kind == "i"
    assert flag.read((0, 1)).notes == ("`r` holds 0 and 1; they are read as False and True.",)
    assert sign.read((-1.0, 1.0)).value.tolist() == [-1, 1]
    assert "True and False" in count.read((True, False)).notes[0]
    for result, value, message in (
        (count, (1.5,), "whole.*1.5"),
        (flag, (2,), "True and False"),
        (sign, (0, 1), "−1 and .1.*found 0, 1"),
    ):
        with pytest.raises(Unreadable, match=message):
            result.read(value)
    with pytest.raises(Unreadable, match="transposed"):
        Result("A", ("N", "d")).read(np.ones((2, 3)), (3, 2))


@pytest.mark.parametrize("rows", [np.ones((2, 4)), [1, 2, 3, 4, 5], []])
def test_an_axis_with_a_stated_length_has_it(rows) -> None:
    areas = Result("areas", ("n", "5"))
    assert areas.read(np.ones((3, 5))).value.shape == (3, 5)
    with pytest.raises(Unreadable, match=r"\(n, 5\)"):
        areas.read(rows)


def test_the_tolerance_is_that_of_another_order_of_summation() -> None:
    expected = np.array([1.0, 1e6])
    assert VECTOR.agrees(VECTOR.read(expected * (1 + 1e-9), (2,)), expected)
    assert not VECTOR.agrees(VECTOR.read(expected * (1 + 1e-5), (2,)), expected)
    assert VECTOR.agrees(VECTOR.read(np.float32([1 / 3, 1e6]), (2,)), np.array([1 / 3, 1e6]))
    assert close(np.array([1e-12]), np.array([0.0]))
    assert close(np.array([np.inf, np.nan]), np.array([np.inf, np.nan]))
    assert not close(np.array([1.0]), np.array([[1.0]]))


def test_values_are_shown_short_and_without_minus_zero() -> None:
    assert show(np.array([-0.0, 1 / 3])) == "[0, 0.333333]"
    assert show(np.array([1.0, 2.0])) == "[1, 2]"
    assert show(-0.0) == "0"
    assert len(show(np.arange(10_000.0))) < 60
    assert show((1, (2, 3))) == "(1, [2, 3])"
    assert show(Odd("an odd thing")) == "an odd thing"


scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.complex_numbers(),
    st.just(...),
)  # fmt: skip
some_arrays = arrays(
    st.sampled_from(["f8", "i4", "?", "c16"]), st.sampled_from([(), (2,), (2, 0), (2, 2)])
)
plains = st.recursive(
    st.one_of(scalars, some_arrays),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple), st.dictionaries(st.text(), inner, max_size=2)
    ),
    max_leaves=5,
)


def test_only_data_of_known_types_are_read_without_a_watch() -> None:
    class Text(str):
        __slots__ = ()

    for value in ("bd", [1, (2.0, ...)], np.ones((2, 3)), np.array(["b", "d"]), None):
        assert is_harmless(value)
    for value in (
        Text("b"),
        [object()],
        np.array([print], dtype=object),
        print,
        {1: 2},
        [0] * 2000,
    ):
        assert not is_harmless(value)


@given(plains)
def test_plain_data_survive_the_way_to_another_process(value) -> None:
    read = plain(value)
    assert same(unpack(pack(read)), read)


def test_a_drawing_is_read_as_the_points_of_its_lines_and_scatters() -> None:
    figure, (one, many, empty) = plt.subplots(1, 3)
    one.semilogx([1, 10], [2, np.nan])
    many.scatter([1, 2], [3, 4])
    many.plot(np.arange(3), [0, 1, 4])
    many.set(xlim=(0, 4), ylim=(0, 4))
    many.axline((0, 0), slope=1)
    many.fill_between([0, 1], [0, 1])
    many.vlines([2], 0, 1)
    many.axhline(0.5)
    assert same(plain(one), np.array([[1, 2], [10, np.nan]]))
    curve, diagonal, level, points, upright = plain(many)
    assert curve.tolist() == [[0, 0], [1, 1], [2, 4]]
    np.testing.assert_allclose(diagonal[:, 0], diagonal[:, 1], atol=1e-12)
    np.testing.assert_allclose(level[:, 1], 0.5)
    assert points.tolist() == [[1, 3], [2, 4]]
    assert upright.tolist() == [[2, 0], [2, 1]]
    assert plain(empty) == Odd("a drawing with nothing on it")
    assert not plt.fignum_exists(figure.number), "one stays open for each call of a check"
    assert same(plain(Figure().add_subplot()), plain(empty)), "without pyplot"


class Pretender:
    """It says that it is an Axes, with a right answer on it."""

    __class__ = Axes
    lines = collections = ()
    get_xydata = lambda self: np.ones((2, 2))  # noqa: E731


class Scribbler(Axes):
    """An Axes whose lines are not Matplotlib's."""

    said = Pretender()

    @property
    def lines(self):
        return self.said if isinstance(self.said, list) else [self.said]


def test_what_only_pretends_to_be_a_drawing_is_none(monkeypatch) -> None:
    assert isinstance(plain(Pretender()), Odd)
    assert plain(Axes) == Odd("the class Axes")
    with monkeypatch.context() as unloaded:
        unloaded.delitem(sys.modules, "matplotlib.axes")
        assert isinstance(plain(Odd("a judge has met it already")), Odd)
    with pytest.raises(AttributeError):
        plain(Scribbler(Figure(), (0, 0, 1, 1)))
    crowd = Scribbler(Figure(), (0, 0, 1, 1))
    crowd.said = [Line2D([0, 1], [0, 1], transform=crowd.transData)] * 200
    assert "200 lines and scatters" in plain(crowd).what
    crowd.said = [Line2D(*np.zeros((2, 10**6 + 1)), transform=crowd.transData)]
    assert "too large to be looked at" in plain(crowd).what


def test_every_case_is_plain_data_that_a_message_can_hold() -> None:
    for exercise in all_exercises():
        for part in exercise.parts:
            for case in getattr(part, "cases", ()):
                for value in getattr(case, "arguments", ()):
                    assert same(unpack(pack(value)), value)


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\x00", b"\xff\xff\xff\xff[]", b"\x00\x00\x00\x02[]", pack(1)[:-1],
        b"\x00\x00\x00\x08[1, [-5]]", b"\x00\x00\x00\x0f[{\"x\": 1}, []] ",
        pack(np.ones(3))[:-1], pack(np.ones(3)).replace(b"[3]", b"[9]"),
        pack(np.ones(3)).replace(b"<f8", b"|O8"), pack(np.ones(3)).replace(b"<f8", b"<m8"),
        pack(np.ones(12)).replace(b"[12]", b"[-9]"), pack(np.ones((3, 5))).replace(b"5", b"."),
        b"\x00\x00\x27\x12" + b"[" * 5000 + b"]" * 5000 + b",[]",
    ],
)  # fmt: skip
def test_what_is_no_message_is_refused(content: bytes) -> None:
    with pytest.raises(WireError):
        unpack(content)


def test_an_array_that_claims_to_be_huge_takes_no_memory() -> None:
    text = b'[{"array": 0}, [["<f8", [3000000000000]]]]'
    with pytest.raises(WireError, match="buffer is too small"):
        unpack(LENGTH.pack(len(text)) + text + bytes(24))


@pytest.mark.parametrize(
    "data",
    [1, {}, {"status": "right"}, {**vars(Reply("returned")), "status": "pass"},
     {**vars(Reply("returned")), "message": 3}, {**vars(Reply("returned")), "lines": "no"}],
)  # fmt: skip
def test_what_is_no_reply_is_refused(data) -> None:
    with pytest.raises(WireError):
        reply_from_data(data)
