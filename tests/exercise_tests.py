"""The tests that every exercise inherits.

A chapter's test file says what cannot be made by machine, and gets all tests:

    class TestExercises(ExerciseTests):
        slug = "perceptron"
        right_answers = {"perceptron.fit": [(fit_in_lists,), (fit_with_separate_bias,)]}
        wrong_data = {"perceptron.zero_margin": {"One class only": (X, s)}}
        still_right = {("break", "break dropped"): "after a clean pass nothing changes any more"}

Answers are tuples, one entry for every name that `check` is called with.
"""

import re
from typing import ClassVar, NamedTuple

import nbformat
import numpy as np
import pytest

from lectures_lib.chapters import chapter
from lectures_lib.checks.edits import wrong_version
from lectures_lib.checks.evaluate import evaluate
from lectures_lib.checks.expression import Expression
from lectures_lib.checks.formulas import plain
from lectures_lib.checks.functions import Function
from lectures_lib.checks.prediction import Prediction
from lectures_lib.checks.proof import Proof
from lectures_lib.checks.quiz import Quiz
from lectures_lib.checks.registry import exercises_of
from lectures_lib.checks.values import Values
from lectures_lib.errata import LEDGER
from tests.checks_answers import SOLVED, UNTOUCHED, answers_in
from tests.conftest import ROOT
from tests.mutants import derivation_mutants, mutants

ZERO_ONE = "((s + 1) / 2 if np.ndim(s) else s)"


def functions_of(exercise):
    """The parts that are called, each with the place of its answer."""
    place = 0
    for part in exercise.parts:
        if isinstance(part, Function):
            yield place, part
        place += len(part.names)


def wrong_versions(exercise):
    """(line, what was changed in it, answers): the solution with one small change each.

    Of constructions there are none: changed data can be as good.
    """
    source = SOLVED[exercise.id]
    if any(isinstance(part, Function | Expression) for part in exercise.parts):
        for line, what, changed in mutants(source):
            try:
                yield line, what, answers_in(changed.replace("s01", ZERO_ONE), exercise)
            except Exception:  # it does not even run
                continue
    solved, place = answers_in(source, exercise), 0
    for part in exercise.parts:
        if isinstance(part, Proof):
            for line, what, text in derivation_mutants(solved[place]):
                yield line, what, (*solved[:place], text, *solved[place + 1 :])
        place += len(part.names)


class Mutants(NamedTuple):
    """How many wrong versions a check met, and what became of them."""

    killed: int
    explained: int
    missed: list[tuple[str, str]]  # line, and what was changed in it

    @property
    def made(self) -> int:
        """All of them."""
        return self.killed + self.explained + len(self.missed)


def judged_mutants(exercise, still_right) -> Mutants:
    """What the check of an exercise says of the wrong versions of its solution."""
    killed, explained, missed = 0, 0, []
    for line, what, answers in wrong_versions(exercise):
        if evaluate(exercise, answers, seconds=1).status != "right":
            killed += 1
        elif (line, what) in still_right:
            explained += 1
        else:
            missed.append((line, what))
    return Mutants(killed, explained, missed)


class ExerciseTests:
    """Inherit, and name the chapter."""

    slug: ClassVar[str]
    right_answers: ClassVar[dict] = {}
    wrong_data: ClassVar[dict] = {}
    still_right: ClassVar[dict] = {}

    def pytest_generate_tests(self, metafunc) -> None:
        """Every test with the argument `exercise` runs for every exercise of the chapter."""
        found = exercises_of(self.slug)
        if "exercise" in metafunc.fixturenames:
            metafunc.parametrize("exercise", found, ids=[exercise.id for exercise in found])

    def test_untouched_is_not_attempted(self, exercise) -> None:
        outcome = evaluate(exercise, answers_in(UNTOUCHED[exercise.id], exercise))
        assert outcome.status == "not attempted"
        assert outcome.points == 0

    def test_the_solution_gets_all_points(self, exercise) -> None:
        outcome = evaluate(exercise, answers_in(SOLVED[exercise.id], exercise))
        assert outcome.status == "right", repr(outcome)
        assert outcome.points == outcome.out_of == exercise.points
        assert not outcome.slips

    @pytest.mark.slow
    def test_other_right_answers_pass(self, exercise) -> None:
        if all(isinstance(part, Quiz | Prediction) for part in exercise.parts):
            return
        others = self.right_answers.get(exercise.id, [])
        assert len(others) >= 2, "list two right answers or more, written in other ways"
        for answers in others:
            outcome = evaluate(exercise, answers)
            assert outcome.status == "right", repr(outcome)
            assert outcome.points == exercise.points

    @pytest.mark.slow
    def test_every_slip_fails_with_its_own_message_and_no_other(self, exercise) -> None:
        solved = answers_in(SOLVED[exercise.id], exercise)
        for place, part in functions_of(exercise):
            for slip in part.slips:
                assert slip.ways, f"{slip.name}: no edit and no function"
                for way in slip.ways:
                    wrong = wrong_version(part.reference, way)
                    answers = list(solved)
                    answers[place] = lambda *arguments, wrong=wrong: wrong(*arguments)
                    self._is_named(exercise, tuple(answers), slip, way)

    @pytest.mark.slow
    def test_every_slip_of_an_expression_is_named(self, exercise) -> None:
        for part in exercise.parts:
            if isinstance(part, Expression):
                for slip in part.slips:
                    for way in slip.ways:
                        wrong = wrong_version(part.reference, way)
                        outcome = part.function.judge(
                            (lambda *arguments, wrong=wrong: wrong(*arguments),), _run
                        )
                        assert outcome.slip is not None, f"{slip.name}, {way}: not named"
                        assert outcome.slip.name == slip.name

    @pytest.mark.slow
    def test_every_slip_of_a_derivation_is_named(self, exercise) -> None:
        place = 0
        solved = answers_in(SOLVED[exercise.id], exercise)
        for part in exercise.parts:
            if isinstance(part, Proof):
                for slip in part.slips:
                    lines = list(part.wrong_lines(slip))
                    assert lines, f"{slip.name}: no edit fits"
                    for step, line in part.wrong_steps(slip):
                        text = part.chain([*part.lines[:step], line, *part.lines[step + 1 :]])
                        answers = (*solved[:place], text, *solved[place + 1 :])
                        self._is_named(exercise, answers, slip, line)
            place += len(part.names)

    @pytest.mark.slow
    def test_every_slip_of_data_has_an_example(self, exercise) -> None:
        for part in exercise.parts:
            if isinstance(part, Values):
                wrong = self.wrong_data.get(exercise.id, {})
                assert set(wrong) == {slip.name for slip in part.slips}
                for slip in part.slips:
                    self._is_named(exercise, wrong[slip.name], slip, "data")

    def _is_named(self, exercise, answers, slip, how) -> None:
        outcome = evaluate(exercise, answers)
        told = repr(outcome)
        assert outcome.status == "wrong", f"{slip.name}, {how}: {told}"
        assert outcome.points < outcome.out_of
        assert [found.name for found in outcome.slips] == [slip.name], f"{how}: {told}"
        assert plain(slip.message) in told
        others = {plain(other.message) for other in exercise.slips} - {plain(slip.message)}
        assert not [message for message in others if message in told]

    @pytest.mark.slow
    def test_a_picture_is_drawn_for_some_wrong_answer(self, exercise) -> None:
        for part in exercise.parts:
            if getattr(part, "picture", None) is None:
                continue
            if isinstance(part, Function):
                ways = (way for slip in part.slips for way in slip.ways)
                answers = ((wrong_version(part.reference, way),) for way in ways)
            else:
                answers = iter(self.wrong_data[exercise.id].values())
            outcomes = (part.judge(answer, _run).first_failure for answer in answers)
            assert any(found is not None and found.picture is not None for found in outcomes)

    @pytest.mark.slow
    def test_a_constant_answer_earns_nothing(self, exercise) -> None:
        solved = answers_in(SOLVED[exercise.id], exercise)
        for place, part in functions_of(exercise):
            expected = part.reference(*part.cases[0].arguments)
            shapes = expected if len(part.results) > 1 else (expected,)
            constants = [expected]
            for value in (0.0, 1.0, -1.0, np.inf, np.nan):
                filled = tuple(np.full(np.shape(shape), value) for shape in shapes)
                constants.append(filled if len(filled) > 1 else filled[0])
            for constant in constants:
                answers = list(solved)
                answers[place] = lambda *_, constant=constant: constant
                earned = evaluate(exercise, tuple(answers)).points
                assert earned == exercise.points - part.points, f"{part.name}: {constant}"

    def test_every_choice_explains_itself(self, exercise) -> None:
        place = 0
        solved = answers_in(SOLVED[exercise.id], exercise)
        for part in exercise.parts:
            questions = part.questions if isinstance(part, Prediction) else (part,)
            for question in questions:
                if isinstance(question, Quiz):
                    self._explains(exercise, question, list(solved), place)
                place += 1 if isinstance(part, Prediction) else len(part.names)

    def _explains(self, exercise, quiz, answers, place) -> None:
        assert 0 < len(quiz.letters) < len(quiz.choices)
        assert all(choice.why for choice in quiz.choices)
        for choice in quiz.choices:
            if not choice.right:
                answers[place] = choice.letter.upper()
                outcome = evaluate(exercise, tuple(answers))
                assert outcome.status == "wrong"
                assert choice.why in repr(outcome)
        spellings = [quiz.letters.upper(), list(quiz.letters), " and ".join(quiz.letters)]
        for spelling in (*spellings, ", ".join(quiz.letters), np.array(list(quiz.letters))):
            answers[place] = spelling
            assert evaluate(exercise, tuple(answers)).status == "right", spelling
        answers[place] = "".join(choice.letter for choice in quiz.choices)
        assert evaluate(exercise, tuple(answers)).points < exercise.points

    @pytest.mark.slow
    def test_mutants_of_the_solution_are_rejected(self, exercise, capsys) -> None:
        if not any(functions_of(exercise)):
            return  # those of derivations and expressions take minutes: `tests.mutants_table`
        found = judged_mutants(exercise, self.still_right)
        with capsys.disabled():
            told = f"{found.made} mutants, {found.killed} killed, {found.explained} explained"
            print(f"\n{exercise.id}: {told}")
        assert not found.missed, f"{found.missed}: kill them with a case, or explain them"

    def test_four_slips_are_named(self, exercise) -> None:
        coded = [part for part in exercise.parts if not isinstance(part, Quiz | Prediction)]
        if coded:
            named = {slip.name for slip in exercise.slips}
            assert len(named) >= 4, f"{len(named)} slips; name four or more"

    def test_the_task_names_what_is_to_be_given(self, exercise) -> None:
        path = ROOT / "exercises" / f"{chapter(exercise.slug).stem}.ipynb"
        cells = nbformat.read(path, as_version=4).cells
        task = next(cell.source for cell in cells if f"*`{exercise.id}`:" in cell.source)
        for part in exercise.parts:
            if isinstance(part, Function):
                named = f"`{part.name}({', '.join(part.parameters)})`"
                assert named in task, f"the task in solutions/ does not say {named}"
            else:
                assert all(f"`{name}`" in task for name in part.names) or isinstance(part, Quiz)

    def test_sections_errata_and_cautions_exist(self, exercise) -> None:
        path = ROOT / "notebooks" / f"{chapter(exercise.slug).stem}.ipynb"
        cells = nbformat.read(path, as_version=4).cells if path.is_file() else []
        text = "\n".join(cell.source for cell in cells)
        ledger = {entry.id for entry in LEDGER}
        for section in {exercise.place(), *map(exercise.place, exercise.slips)}:
            if cells and section.slug == exercise.slug:
                assert f"## {section.heading}\n" in f"{text}\n", f"no heading {section.heading!r}"
        assert {slip.erratum for slip in exercise.slips if slip.erratum} <= ledger
        told = " ".join(slip.message for slip in exercise.slips)
        for name in re.findall(r"\b(?:E\w|C)-\d\d\b", told):
            assert name in ledger or name in text, name

    def test_the_exercises_take_about_the_stated_time(self) -> None:
        found = exercises_of(self.slug)
        assert all(exercise.id.startswith(f"{self.slug}.") for exercise in found)
        minutes = sum(exercise.minutes for exercise in found)
        if found:
            stated = chapter(self.slug).exercise_minutes
            told = f"{minutes} minutes of exercises, {stated} in the table of chapters"
            assert minutes == pytest.approx(stated, rel=0.15), told


def _run(function, calls):
    from lectures_lib.checks.child import call_all

    return call_all(function, calls)
