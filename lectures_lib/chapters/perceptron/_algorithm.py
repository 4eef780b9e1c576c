"""Chapter 04, the algorithm: `perceptron.fit`, `perceptron.trace`, `perceptron.zero_margin`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lectures_lib.chapters.perceptron import _data as data
from lectures_lib.chapters.perceptron import _runs as runs
from lectures_lib.chapters.perceptron._runs import Array
from lectures_lib.checks.exercise import Exercise, Section, Slip
from lectures_lib.checks.functions import Case, Function
from lectures_lib.checks.results import Result
from lectures_lib.checks.values import Property, Values

ALGORITHM = Section("perceptron", "The same thing in code")
RULE = Section("perceptron", "The rule")
WRONG_WAYS = Section("perceptron", "What goes wrong")

# Whole numbers: every order of summation gives the same weights, bit for bit.
LINE = (np.array([[-1.0], [1.0]]), np.array([-1, 1]))
PLANE = (
    np.array([[2.0, -2.0], [0.0, 0.0], [3.0, 3.0], [1.0, -2.0]]),
    np.array([1, -1, 1, -1]),
)
XOR = (
    np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]),
    np.array([-1, 1, 1, -1]),
)
FAR = (np.array([[5.0], [6.0], [8.0], [9.0]]), np.array([-1, -1, 1, 1]))


def _strict(X: Array, s: Array, eta: float, tie: str, max_passes: int) -> Any:
    if tie == "positive":
        return runs.fit(X, s, eta, tie, max_passes)
    return _never(X)


def _never(X: Array, *_: Any) -> Any:
    return np.zeros(X.shape[1] + 1), 0  # from the zero start no margin is ever below 0


def _never_when_positive(X: Array, s: Array, eta: float, tie: str, max_passes: int) -> Any:
    if tie == "update":
        return runs.fit(X, s, eta, tie, max_passes)
    return _never(X)


def _either(name: str, message: str, wrong: Callable[..., Any]) -> tuple[Slip, Slip]:
    """One slip in two variants: with both tie rules, and where only "update" is written yet."""

    def one_rule(X: Array, s: Array, eta: float, tie: str, max_passes: int) -> Any:
        return wrong(X, s, eta, "update", max_passes)

    return Slip(name, message, wrong), Slip(name, message, one_rule)


def _stepping(step: runs.Step) -> Callable[..., Any]:
    return lambda X, s, eta, tie, cap: runs.fit(X, s, eta, tie, cap, step)


def _bias_last(*arguments: Any) -> Any:
    w, count = runs.fit(*arguments)
    return np.append(w[1:], w[0]), count


FIT = Exercise(
    id="perceptron.fit",
    title="The perceptron, with both tie rules and a cap on the passes",
    minutes=15,
    section=ALGORITHM,
    hints=(
        "Go through the examples again and again. Only a mistake changes w, and it does so at "
        "once: the next example already meets the new w. A pass without a mistake is the end.",
        'Score g = w·(1, x), margin s·g. With tie = "update" the update happens when s·g ≤ 0. With '
        'tie = "positive" a score of 0 is called +1: the update happens when s·g < 0, and also '
        "when g = 0 and s = −1. The update is w ← w + η·s·(1, x).",
        'Inside both loops: `if s[i] * g < 0 or (g == 0 and (tie == "update" or s[i] < 0)):` '
        "and below it `w = w + eta * s[i] * A[i]`, where `A` is X with a column of ones in front.",
    ),
    remark="Started at zero, η only scales w: the classifier is the same for every η > 0, so the "
    "length of w says nothing about probabilities.",
    parts=(
        Function(
            "perceptron_fit",
            ("X", "s", "eta", "tie", "max_passes"),
            (Result("w", ("d+1",)), Result("updates", kind="count")),
            (
                Case("two examples on a line", (*LINE, 1.0, "update", 10)),
                Case("the same, a score of 0 counts as +1", (*LINE, 1.0, "positive", 10)),
                Case("four examples in the plane", (*PLANE, 1.0, "update", 100)),
                Case("learning rate 0.5", (*PLANE, 0.5, "update", 100)),
                Case("XOR, stopped after 5 passes", (*XOR, 1.0, "update", 5)),
                Case("classes far from the origin", (*FAR, 1.0, "positive", 200)),
            ),
            runs.fit,
            (
                *(
                    Slip(
                        "A strict inequality",
                        "With s·g < 0 the run never leaves w = 0, where every score is 0: under "
                        '`tie="update"` a score of 0 has to cause an update, under '
                        '`tie="positive"` that of a negative example.',
                        wrong,
                        section=RULE,
                    )
                    for wrong in (_strict, _never)
                ),
                Slip(
                    "A negative example with score 0",
                    'With `tie="positive"` the condition s·g < 0 is not enough: sign(0) = +1 is '
                    "the wrong answer for a negative example, so its score 0 is a mistake.",
                    _never_when_positive,
                    section=RULE,
                ),
                Slip(
                    "One tie rule for both",
                    'With `tie="positive"` a score of 0 is the answer +1, so a positive example '
                    "with score 0 is no mistake.",
                    lambda X, s, eta, tie, cap: runs.fit(X, s, eta, "update", cap),
                    erratum="EX-03",
                    section=WRONG_WAYS,
                ),
                *_either(
                    "The bias is missing",
                    "w has no entry for the bias. Put a column of ones in front of X: the score is "
                    "w0 + w1·x1 + … + wd·xd.",
                    runs.fit_without_bias,
                ),
                *_either(
                    "The bias never moves",
                    "The ones in front of X belong to the update too: w[0] changes by η·s.",
                    _stepping(lambda example, sign: sign * np.append(0, example[1:])),
                ),
                Slip(
                    "Labels 0 and 1 in the update",
                    "With 0 for the negative class its mistakes move nothing. The update needs "
                    "s = −1 and s = +1.",
                    _stepping(lambda example, sign: (sign + 1) / 2 * example),
                ),
                *_either(
                    "The wrong direction",
                    "The update subtracts η·s·x; it has to add it, so that the margin s·g grows.",
                    _stepping(lambda example, sign: -sign * example),
                ),
                *_either(
                    "The sign is missing",
                    "The update adds η·x for every mistake; it has to add η·s·x.",
                    _stepping(lambda example, sign: example),
                ),
                Slip(
                    "A whole pass at once",
                    "All scores of a pass are computed with the weights from its beginning. The "
                    "perceptron uses every update at once, for the very next example.",
                    runs.fit_in_batches,
                ),
                Slip(
                    "One pass only",
                    "The run ends after the first pass. It has to go on until a pass has no "
                    "mistake, at most `max_passes` times.",
                    lambda X, s, eta, tie, cap: runs.fit(X, s, eta, tie, 1),
                ),
                Slip(
                    "The learning rate is not used",
                    "The step is η·s·x, not s·x.",
                    lambda X, s, eta, tie, cap: runs.fit(X, s, 1.0, tie, cap),
                ),
                *_either(
                    "The bias stands last",
                    "In this course the ones column comes first, so w[0] is the bias.",
                    _bias_last,
                ),
                Slip(
                    "Passes are counted",
                    "`updates` counts the single updates, not the passes that had one.",
                    runs.passes,
                ),
                *_either(
                    "The updates are listed",
                    "`updates` holds the rows that caused an update: return `len(updates)`.",
                    runs.listed,
                ),
            ),
        ),
    ),
)

A = runs.augmented(PLANE[0])
SIGNS = PLANE[1]
RIGHT = data.trace(A, SIGNS, 5)
FIRST_TIE_ONLY = [(0, 1, 2, -2), (1, 0, 2, -2), (3, -1, 1, 0)]  # then no margin is negative

TRACE = Exercise(
    id="perceptron.trace",
    title="Five updates by hand",
    minutes=10,
    section=RULE,
    hints=(
        "Start with w = (0, 0, 0). Compute the score of row 0: it is 0, which is a mistake. After "
        "the update go on with row 1, using the new w; after row 3 comes row 0 again.",
        "Mistake: the margin s·(w0 + w1·x1 + w2·x2) is ≤ 0. Update: (w0, w1, w2) + s·(1, x1, x2).",
        "The first two entries are `(0, 1, 2, -2)` and `(1, 0, 2, -2)`.",
    ),
    remark="Three of the five updates were ties, s·g = 0. After the fifth, every margin is "
    "positive and the run stops.",
    parts=(
        Values(
            ("trace",),
            (
                *(
                    Property(f"entry {place}", 1.0, data.row_follows(A, SIGNS, place))
                    for place in range(4)
                ),
                Property("entry 4", 1.0, data.last_row_follows(A, SIGNS, 4)),
            ),
            (None,),
            (
                Slip(
                    "Rows counted from 1",
                    "The rows of X are counted from 0, as NumPy does.",
                    recognise=data.like([(row + 1, *weights) for row, *weights in RIGHT], RIGHT),
                ),
                Slip(
                    "Ties are passed over",
                    "An example with score 0 counts as a mistake here, also when its label is +1.",
                    recognise=data.slipped_trace(A, SIGNS, tie="positive"),
                    erratum="EX-03",
                ),
                Slip(
                    "Later ties are passed over",
                    "Row 2 has the score 0 when its turn comes. That is a mistake too, as it was "
                    "for row 0.",
                    recognise=data.like(FIRST_TIE_ONLY, RIGHT),
                ),
                Slip(
                    "The bias stands last",
                    "An entry is (row, w0, w1, w2): the bias comes right after the row.",
                    recognise=data.like([(row, *w, w0) for row, w0, *w in RIGHT], RIGHT),
                ),
                Slip(
                    "The bias never moves",
                    "w0 changes by s at every update: the augmented example is (1, x1, x2).",
                    recognise=data.slipped_trace(
                        A, SIGNS, step=lambda example, sign: sign * np.append(0, example[1:])
                    ),
                ),
                Slip(
                    "Back to the first example",
                    "After an update the cycle goes on with the next example; it does not start "
                    "again at row 0.",
                    recognise=data.slipped_trace(A, SIGNS, restart=True),
                ),
                Slip(
                    "The weights before the update",
                    "Each entry holds the weights after the update; these are the ones before it.",
                    recognise=data.like(
                        [
                            (update.row, *(int(weight) for weight in update.before))
                            for update in runs.updates(A, SIGNS)
                        ],
                        RIGHT,
                    ),
                ),
                Slip(
                    "The sign is missing",
                    "An update adds s·(1, x1, x2): for a negative example it subtracts.",
                    recognise=data.slipped_trace(A, SIGNS, step=lambda example, sign: example),
                ),
            ),
        ),
    ),
)

ZERO_MARGIN = Exercise(
    id="perceptron.zero_margin",
    title="Data on which the rule sign(0) = +1 stops with margin zero",
    minutes=8,
    section=WRONG_WAYS,
    hints=(
        "Under this rule a positive example with score 0 is left alone. So look for a run whose "
        "last update happens to leave a positive example exactly on the line.",
        "From w = 0 the positive examples are all called right. A first negative example x⁻ gives "
        "w = −(1, x⁻). A positive example x⁺ with 1 + x⁻·x⁺ = 0 is then on the line, and nothing "
        "ever moves it off.",
        "Try the negative examples `[1, 0]` and `[2, 0]`, the positive one `[-1, 0]`, and one "
        "positive example more that is right for w = −(1, 1, 0).",
    ),
    remark="The run stopped, yet the definition of separability asks for margins above 0. With "
    "s·g ≤ 0 as the rule for an update this cannot happen.",
    parts=(
        Values(
            ("X_tie", "s_tie"),
            (
                Property(
                    "the run stops under both tie rules",
                    1.0,
                    data.both_rules_stop,
                    "separable data in the plane, two different examples of each class or more",
                ),
                Property(
                    "sign(0) = +1 ends with margin zero",
                    2.0,
                    data.stops_on_the_line,
                    'a smallest margin of exactly 0 at the end of the run with tie = "positive"',
                ),
            ),
            (Result("X_tie", ("N", "2")), Result("s_tie", ("N",), "sign")),
            (
                Slip(
                    "The line passes between the classes",
                    "Every example ends strictly on its own side. Make an update end with "
                    "g(x) = 0 for a positive example x.",
                    recognise=data.line_between,
                ),
                Slip(
                    "Not separable",
                    "No line has these classes on its two sides, so no run can stop.",
                    recognise=data.inseparable,
                ),
                Slip(
                    "Too slow",
                    f"The data are separable, but the run made {data.MOST_UPDATES:,} updates "
                    "without stopping. Move the data nearer the origin, or the classes further "
                    "apart.",
                    recognise=data.too_slow,
                ),
                Slip(
                    "One class only",
                    "With one class nothing has to be learned: w stays 0, or no line is needed.",
                    recognise=data.one_class,
                ),
            ),
        ),
    ),
)
