"""Write means write: what is right by calling the library, or scikit-learn, earns nothing."""

from __future__ import annotations

import copy
import functools
import importlib
import inspect
import itertools
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from sklearn import linear_model

from lectures_lib import perceptron
from lectures_lib.chapters import CHAPTERS
from lectures_lib.checks import check
from lectures_lib.checks.author import Case, Function, Result
from lectures_lib.checks.exercise import Exercise
from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.registry import all_exercises, find
from lectures_lib.checks.running.in_thread import Reply
from lectures_lib.checks.running.plain_data import plain
from lectures_lib.perceptron import Perceptron


def trained(X: Any, s: Any) -> Any:
    A = np.column_stack([np.ones(len(X)), X])
    w = np.zeros(A.shape[1])
    for _ in range(100):
        for a, sign in zip(A, s, strict=True):
            if sign * (w @ a) <= 0:
                w = w + sign * a
    return w


def drawn(rng: np.random.Generator) -> tuple[Any, ...]:
    X = rng.normal(size=(8, 3)).round(2)
    s = np.where(X[:, 0] > np.median(X[:, 0]), 1, -1)
    return X + 0.5 * s[:, None], s


POINTS = np.array([[2.0, 3], [1, 1], [3, 1], [0, 2]])
EXERCISE = Exercise(
    "perceptron.trained", "A run", 1, "The rule",
    (Function(trained, (Result("w", ("d+1",), points=4),), (
        Case("four points", (POINTS, np.array([1, -1, 1, -1]))),), drawn),),
    ("", "", ""),
)  # fmt: skip
SCIKIT_LEARN = (
    "sklearn.metrics", "sklearn.preprocessing", "sklearn.linear_model", "sklearn.naive_bayes",
    "sklearn.discriminant_analysis", "sklearn.utils.extmath", "sklearn.metrics.pairwise",
)  # fmt: skip
KEPT, MODEL = Perceptron.fit, Perceptron()
COPY: Any = type("Copy", Perceptron.__bases__, dict(vars(Perceptron)))
SUB: Any = type("Sub", (Perceptron,), {})


def weights(model: Any) -> Any:
    return np.array([*model.intercept_, *model.coef_[0]])


def by(make: Callable[[], Any]) -> Callable[[Any, Any], Any]:
    return lambda X, s: weights(make().fit(X, s))


def in_a_string(X: Any, s: Any) -> Any:
    names = {"X": X, "s": s}
    exec("from lectures_lib.perceptron import Perceptron\nm = Perceptron().fit(X, s)", names)
    return weights(names["m"])


def with_copied_code(X: Any, s: Any) -> Any:
    made = Perceptron.fit
    fit = FunctionType(made.__code__, made.__globals__, None, made.__defaults__, made.__closure__)
    fit.__kwdefaults__ = made.__kwdefaults__
    return weights(fit(Perceptron(), X, s))


def without_the_watch(X: Any, s: Any) -> Any:
    sys.setprofile(None)
    return weights(Perceptron().fit(X, s))


def with_a_silent_call(X: Any, s: Any) -> Any:
    functools.partial(sys.setprofile, None)()
    return weights(Perceptron().fit(X, s))


def in_a_thread(X: Any, s: Any) -> Any:
    found: list[Any] = []
    worker = threading.Thread(target=lambda: found.append(weights(Perceptron().fit(X, s))))
    worker.start()
    worker.join()
    return found[0]


class Later:
    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make

    def __array__(self, *_: Any, **__: Any) -> Any:
        return self.make()


def garbage_when_refused(X: Any, s: Any) -> Any:
    try:
        return weights(Perceptron().fit(X, s))
    except BaseException:
        return np.zeros(X.shape[1] + 1)


WAYS: dict[str, Callable[[Any, Any], Any]] = {
    "by name": by(Perceptron),
    "importlib": by(lambda: importlib.import_module("lectures_lib.perceptron").Perceptron()),
    "getattr": by(lambda: getattr(perceptron, "Percep" + "tron")()),
    "a copy of the class": by(COPY),
    "a class made from it": by(SUB),
    "copy": by(lambda: copy.deepcopy(MODEL)),
    "an object kept from before": lambda X, s: weights(MODEL.fit(X, s)),
    "a function kept from before": lambda X, s: weights(KEPT(Perceptron(), X, s)),
    "map": lambda X, s: weights(next(map(Perceptron().fit, [X], [s]))),
    "a text": in_a_string,
    "its code": with_copied_code,
    "the watch is taken away": without_the_watch,
    "the watch is taken away silently": with_a_silent_call,
    "a thread": in_a_thread,
    "an object that is read later": lambda X, s: Later(lambda: by(Perceptron)(X, s)),
    "garbage when it is refused": garbage_when_refused,
    "scikit-learn": by(lambda: linear_model.Perceptron(shuffle=False, tol=None, max_iter=100)),
}


@pytest.mark.parametrize("name", WAYS)
def test_what_calls_the_library_is_right_and_earns_nothing(name: str) -> None:
    outcome = evaluate(EXERCISE, (WAYS[name],))
    assert (outcome.status, outcome.points) == ("wrong", 0)
    (part,) = outcome.parts
    assert part.borrowed == 4
    told = repr(outcome)
    assert told.startswith("Right so far: A run, 0 of 4 points."), told
    assert "now write it" in told
    assert part.by in told


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("by name", "lectures_lib.perceptron.Perceptron"),
        ("a function kept from before", "lectures_lib.perceptron.Perceptron"),
        ("scikit-learn", "sklearn.linear_model.Perceptron"),
    ],
)
def test_what_was_called_is_named(name: str, told: str) -> None:
    assert f"Right, by calling `{told}`: now write it." in repr(evaluate(EXERCISE, (WAYS[name],)))


def test_who_writes_it_may_have_tried_the_library_first() -> None:
    def both(X: Any, s: Any) -> Any:
        assert weights(Perceptron().fit(X, s)).shape
        return trained(X, s)

    def either(X: Any, s: Any) -> Any:
        try:
            return weights(Perceptron().fit(X, s))
        except BaseException:
            return trained(X, s)

    assert evaluate(EXERCISE, (trained,)).points == 4
    assert evaluate(EXERCISE, (both,)).points == evaluate(EXERCISE, (either,)).points == 0


def test_helpers_of_earlier_chapters_and_what_is_imported_on_the_way_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tests.checks.answers import SOLVED, answers_in

    exercise = find("logistic_training.penalised")
    source = SOLVED[exercise.id]
    assert "1 / (1 + np.exp(" in source
    helped = source.replace("1 / (1 + np.exp(-", "sigmoid((").replace("    ### BEGIN SOLUTION", (
        "    from lectures_lib.logistic import sigmoid"))  # fmt: skip
    assert "sigmoid((" in helped
    for module in [name for name in sys.modules if name.startswith("lectures_lib.logistic")]:
        monkeypatch.delitem(sys.modules, module)  # other tests hold its classes
    assert evaluate(exercise, answers_in(helped, exercise)).status == "right"


def test_where_the_task_lets_one_train_what_one_likes_everything_may_be_called() -> None:
    exercise = find("land_cover.costs")
    (part,) = exercise.parts
    assert isinstance(part, Function)
    assert part.library
    assert evaluate(exercise, (part.reference,)).status == "right"


def test_a_small_piece_inside_a_chapter_is_written_too() -> None:
    from sklearn.metrics import zero_one_loss

    outcome = check("start_here.share_wrong", lambda said, true: zero_one_loss(true, said))
    assert outcome.status == "wrong"
    assert "sklearn.metrics.zero_one_loss" in repr(outcome)


def public(module: str) -> list[tuple[str, Any]]:
    """The functions that a module of the library or of scikit-learn offers, and its models."""
    found = vars(importlib.import_module(module))
    own = ("lectures_lib", "sklearn")
    return [
        (f"{module}.{name}", value)
        for name, value in found.items()
        if callable(value) and not name.startswith("_") and str(value.__module__).startswith(own)
    ]


def readings(value: Any, wanted: int) -> Iterator[Callable[..., Any]]:
    """The ways to give this so many of the arguments: a function in any order, a trained model."""
    if isinstance(value, type):
        if hasattr(value, "fit"):
            yield lambda X, y, *_: weights(value().fit(X, y))
            yield lambda X, y, Z, *_: value().fit(X, y).predict(Z)
        return
    try:
        parameters = inspect.signature(value).parameters.values()
    except ValueError:
        return
    needed = sum(p.default is p.empty and p.kind < 2 for p in parameters)
    for many in range(max(needed, 1), min(needed + 2, wanted, len(parameters)) + 1):
        for order in itertools.permutations(range(wanted), many):
            yield lambda *given, order=order: value(*[given[k] for k in order])


def agrees(part: Function, answer: Callable[..., Any]) -> bool:
    case = part.cases[0]
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = plain(answer(*[plain(argument) for argument in case.arguments]))
            return any(part.right_on([case], [Reply("returned", value)]))
    except Exception:
        return False


def test_the_counterpart_in_another_chapters_topic_earns_nothing() -> None:
    from lectures_lib.decision import boundaries_two_gaussians

    exercise = find("fisher.marks")
    assert evaluate(exercise, (lambda m, s, p: boundaries_two_gaussians(m, s, p),)).points == 0


@pytest.mark.deep
def test_no_name_of_the_library_or_of_scikit_learn_earns_a_point() -> None:
    """Those that fit the first case of an exercise are checked; some must, or nothing is tried."""
    topics = sorted({topic for c in CHAPTERS for topic in c.topics})
    modules = [f"lectures_lib.{topic}" for topic in topics]
    names = [one for module in (*modules, *SCIKIT_LEARN) for one in public(module)]
    tried, earned = set[str](), list[str]()
    for exercise in all_exercises():
        for part in exercise.parts:
            if not isinstance(part, Function) or part.library:
                continue
            alone = replace(exercise, parts=(part,))
            wanted = len(part.parameters)
            for name, value in names:
                answer = next((a for a in readings(value, wanted) if agrees(part, a)), None)
                if answer is None:
                    continue
                outcome = evaluate(alone, (answer,))
                earned += [f"{name} in {exercise.id}"] if outcome.points else []
                tried |= {name} if outcome.parts[0].by else set()
    assert earned == []
    assert "lectures_lib.landcover.majority_filter" in tried  # what would solve a task is found
