"""The tests that every exercise inherits.

A chapter's test file says what cannot be made by machine, and gets all tests:

    class TestExercises(ExerciseTests):
        slug = "perceptron"
        right_answers = {"perceptron.fit": [(fit_in_lists,), (fit_with_separate_bias,)]}
        wrong_data = {"perceptron.zero_margin": {"One class only": (X, s)}}
        still_right = {("break", "break dropped"): "after a clean pass nothing changes any more"}

Answers are tuples, one entry for every name that `check` is called with.
"""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import ClassVar

import numpy as np
import pytest

from lectures_lib.chapters import chapter
from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.kinds.derivation import Proof
from lectures_lib.checks.kinds.expression import Expression
from lectures_lib.checks.kinds.function import Function
from lectures_lib.checks.kinds.questions import Prediction, Quiz
from lectures_lib.checks.kinds.values import Values
from lectures_lib.checks.registry import exercises_of, find
from lectures_lib.checks.running.in_thread import Reply
from lectures_lib.checks.running.plain_data import plain
from lectures_lib.checks.telling import formulas
from lectures_lib.checks.writing.edits import wrong_versions as versions_of
from lectures_lib.errata import LEDGER
from tests.checks.answers import OTHERS, SOLVED, answers_in, judged, without_slips
from tests.conftest import ROOT
from tests.mutants import derivation_mutants, mutants

HANDFUL = 4  # wrong versions of each solution; the deep tier meets all of them
ZERO_ONE = "((s + 1) / 2 if np.ndim(s) else s)"


@cache
def solved(identity: str) -> tuple:
    """The answers that stand in `solutions/`."""
    return answers_in(SOLVED[identity], find(identity))


@cache
def cells(folder: str, slug: str) -> list:
    """Sources of a notebook's cells; none where it is not written yet."""
    path = ROOT / folder / f"{chapter(slug).stem}.ipynb"
    if not path.is_file():
        return []
    return ["".join(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"]]


def placed(exercise) -> Iterator[tuple]:
    """The parts, each with the place of its first answer."""
    place = 0
    for part in exercise.parts:
        yield place, part
        place += len(part.names)


def has(exercise, kinds) -> bool:
    """Whether a part of it is of one of these kinds."""
    return any(isinstance(part, kinds) for part in exercise.parts)


def questions_of(exercise) -> Iterator[tuple]:
    """The questions with choices, each with the place of its answer."""
    for place, part in placed(exercise):
        if isinstance(part, Quiz):
            yield place, part
        elif isinstance(part, Prediction):
            yield from enumerate(part.questions, place)


def with_answer(exercise, place, answer) -> tuple:
    """The solution with another answer in one place."""
    found = solved(exercise.id)
    return (*found[:place], answer, *found[place + 1 :])


def mistaken(exercise, place, part, slip, wrong_data) -> Iterator[tuple]:
    """(exercise, answers) for every way to a slip; in place of an expression stands its code."""
    if isinstance(part, Proof):
        for step, line in part.wrong_steps(slip):
            text = part.chain([*part.lines[:step], line, *part.lines[step + 1 :]])
            yield exercise, with_answer(exercise, place, text)
    elif isinstance(part, Function | Expression):
        if isinstance(part, Expression):
            parts = (part.function if other is part else other for other in exercise.parts)
            exercise = replace(exercise, parts=tuple(parts))
        for way in slip.ways:
            for wrong in versions_of(part.reference, way):
                call = lambda *arguments, wrong=wrong: wrong(*arguments)  # noqa: E731
                yield exercise, with_answer(exercise, place, call)
    else:
        yield exercise, wrong_data[exercise.id][slip.name]


def wrong_versions(exercise):
    """(line, what was changed in it, answers): the solution with one small change each.

    Of constructions there are none: changed data can be as good.
    """
    if has(exercise, Function | Expression):
        for line, what, changed in mutants(SOLVED[exercise.id]):
            try:
                yield line, what, answers_in(changed.replace("s01", ZERO_ONE), exercise)
            except Exception:  # it does not even run
                continue
    for place, part in placed(exercise):
        if isinstance(part, Proof):
            for line, what, text in derivation_mutants(solved(exercise.id)[place]):
                yield line, what, with_answer(exercise, place, text)


def right_with(part, answer) -> tuple[bool, ...]:
    """For each result of a function whether this one gives it in all cases."""
    cases = (*part.cases, *part.random_cases)
    replies = [Reply("returned", plain(answer(*map(plain, case.arguments)))) for case in cases]
    return part.right_on(cases, replies)


def in_lists(value):
    """The same numbers in lists."""
    return tuple(map(in_lists, value)) if isinstance(value, tuple) else np.asarray(value).tolist()


def in_float32(value):
    """The same numbers, with seven digits."""
    return tuple(map(in_float32, value)) if isinstance(value, tuple) else np.float32(value)


def missed_mutants(exercise, still_right, most=None) -> list[tuple[str, str]]:
    """The wrong versions of a solution, or some of them, that its check takes for right."""
    versions, asked = list(wrong_versions(exercise)), without_slips(exercise.id)
    if most is not None and len(versions) > most:
        versions = random.Random(exercise.id).sample(versions, most)
    return [
        (line, what)
        for line, what, answers in versions
        if (line, what) not in still_right and evaluate(asked, answers, seconds=1).status == "right"
    ]


class ExerciseTests:
    """Inherit, and name the chapter."""

    slug: ClassVar[str]
    right_answers: ClassVar[dict] = {}
    wrong_data: ClassVar[dict] = {}
    still_right: ClassVar[dict] = {}

    def __init_subclass__(cls) -> None:
        """A chapter that draws no wrong answer has no test of such pictures."""
        parts = (part for exercise in exercises_of(cls.slug) for part in exercise.parts)
        if not any(getattr(part, "picture", None) for part in parts):
            cls.test_a_picture_is_drawn_for_some_wrong_answer = None

    def pytest_generate_tests(self, metafunc) -> None:
        """A test runs once for each thing of the chapter that its argument stands for."""
        every = exercises_of(self.slug)
        parts = [(e, place, part) for e in every for place, part in placed(e)]
        things = {
            "exercise": every,
            "coded": [e for e in every if has(e, Function | Expression | Proof | Values)],
            "listed": [e for e in every if e.id in self.right_answers],
            "quick": [e for e in every if has(e, Function | Proof)],
            "written": [e for e in every if has(e, Function | Expression | Proof)],
            "function_of": [one for one in parts if isinstance(one[2], Function)],
            "drawn_of": [one for one in parts if getattr(one[2], "picture", None)],
            "question_of": [(e, *one) for e in every for one in questions_of(e)],
            "slip_of": [(*one, slip) for one in parts for slip in one[2].slips],
        }
        for name in set(things) & set(metafunc.fixturenames):
            ids = [(thing[0] if name.endswith("_of") else thing).id for thing in things[name]]
            metafunc.parametrize(name, things[name], ids=ids)

    def test_the_solution_gets_all_points(self, exercise) -> None:
        outcome = evaluate(exercise, solved(exercise.id))
        assert outcome.status == "right", repr(outcome)
        assert outcome.points == outcome.out_of == exercise.points
        assert not outcome.slips

    def test_two_other_answers_and_four_slips_are_listed(self, coded) -> None:
        kept = OTHERS[coded.id]["right"] if coded.id in OTHERS else ()
        if not has(coded, Proof):  # those have more of them, in `data/derivations.txt`
            others = len(kept) + len(self.right_answers.get(coded.id, ()))
            told = f"right_answers of this file has {others} for {coded.id}, expected 2"
            assert others >= 2, told
        named = len({slip.name for slip in coded.slips})
        assert named >= 4, f"{coded.id} has {named} slips, expected 4"
        for part in coded.parts:
            if isinstance(part, Values):
                assert set(self.wrong_data[coded.id]) == {slip.name for slip in part.slips}

    @pytest.mark.slow
    def test_other_right_answers_pass(self, listed) -> None:
        for answers in self.right_answers[listed.id]:
            outcome = judged(listed, answers)
            assert outcome.status == "right", repr(outcome)
            assert outcome.points == listed.points

    @pytest.mark.slow
    @pytest.mark.parametrize("form", [in_lists, in_float32])
    def test_the_solution_s_numbers_may_come_in_another_form(self, function_of, form) -> None:
        exercise, place, part = function_of
        function = solved(exercise.id)[place]
        assert all(right_with(part, lambda *arguments: form(function(*arguments))))

    @pytest.mark.slow
    def test_a_slip_fails_with_its_own_message_and_no_other(self, slip_of) -> None:
        exercise, _, _, slip = slip_of
        found = list(mistaken(*slip_of, self.wrong_data))
        assert found, "no edit fits, and no function"
        for task, answers in found:
            outcome = judged(task, answers)
            told = repr(outcome)
            assert outcome.status == "wrong", f"{slip.name}: {told}"
            assert outcome.points < outcome.out_of
            assert [one.name for one in outcome.slips] == [slip.name], told
            own = formulas.plain(slip.message)
            others = {formulas.plain(other.message) for other in exercise.slips} - {own}
            assert own in told
            assert not [message for message in others if message in told]

    @pytest.mark.slow
    def test_a_picture_is_drawn_for_some_wrong_answer(self, drawn_of) -> None:
        failures = (
            part.first_failure
            for slip in drawn_of[2].slips
            for wrong in mistaken(*drawn_of, slip, self.wrong_data)
            for part in judged(*wrong).parts
        )
        assert any(failure is not None and failure.picture is not None for failure in failures)

    @pytest.mark.slow
    def test_a_constant_answer_earns_nothing(self, function_of) -> None:
        _, _, part = function_of
        expected = part.reference(*part.cases[0].arguments)
        shapes = expected if len(part.results) > 1 else (expected,)
        constants = [expected]
        for value in (0.0, 1.0, -1.0, np.inf, np.nan):
            filled = tuple(np.full(np.shape(shape), value) for shape in shapes)
            constants.append(filled if len(filled) > 1 else filled[0])
        for constant in constants:
            assert not any(right_with(part, lambda *_, kept=constant: kept)), constant

    def test_every_choice_explains_itself(self, question_of) -> None:
        exercise, place, quiz = question_of

        def given(answer):
            return judged(exercise, with_answer(exercise, place, answer))

        assert 0 < len(quiz.letters) < len(quiz.choices)
        assert all(choice.why for choice in quiz.choices)
        for choice in quiz.choices:
            if not choice.right:
                outcome = given(choice.letter.upper())
                assert outcome.status == "wrong"
                assert choice.why in repr(outcome)
        spellings = [quiz.letters.upper(), list(quiz.letters), " and ".join(quiz.letters)]
        for spelling in (*spellings, ", ".join(quiz.letters), np.array(list(quiz.letters))):
            assert given(spelling).status == "right", spelling
        assert given("".join(choice.letter for choice in quiz.choices)).points < exercise.points

    @pytest.mark.slow
    def test_a_handful_of_mutants_of_the_solution_is_rejected(self, quick) -> None:
        missed = missed_mutants(quick, self.still_right, HANDFUL)
        assert not missed, "kill them with a case, or explain them"

    @pytest.mark.deep
    def test_mutants_of_the_solution_are_rejected(self, written) -> None:
        missed = missed_mutants(written, self.still_right)
        assert not missed, "kill them with a case, or explain them"

    def test_the_task_names_what_is_to_be_given(self, exercise) -> None:
        task = next(c for c in cells("exercises", exercise.slug) if f"*`{exercise.id}`:" in c)
        for part in exercise.parts:
            if isinstance(part, Function):
                assert f"`{part.name}({', '.join(part.parameters)})`" in task
            else:
                assert isinstance(part, Quiz) or all(f"`{name}`" in task for name in part.names)

    def test_sections_errata_and_cautions_exist(self, exercise) -> None:
        text = "\n".join(cells("notebooks", exercise.slug)) + "\n"
        ledger = {entry.id for entry in LEDGER}
        for section in {exercise.place(), *map(exercise.place, exercise.slips)}:
            if text.strip() and section.slug == exercise.slug:
                assert f"## {section.heading}\n" in text, f"no heading {section.heading!r}"
        assert {slip.erratum for slip in exercise.slips if slip.erratum} <= ledger
        told = " ".join(slip.message for slip in exercise.slips)
        for name in re.findall(r"\b(?:E\w|C)-\d\d\b", told):
            assert name in ledger or name in text, name

    def test_the_exercises_take_about_the_stated_time(self) -> None:
        found = exercises_of(self.slug)
        assert all(exercise.id.startswith(f"{self.slug}.") for exercise in found)
        if found:
            minutes = sum(exercise.minutes for exercise in found)
            assert minutes == pytest.approx(chapter(self.slug).exercise_minutes, rel=0.15)
