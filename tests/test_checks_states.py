"""Every exercise in every state: untouched, right in several ways, each slip; and its texts."""

import ast
import re

import nbformat
import numpy as np
import pytest

from lectures_lib.chapters import CHAPTERS, chapter
from lectures_lib.chapters.perceptron_convergence._claims import (
    bound_from,
    bound_from_any_direction,
    novikoff,
)
from lectures_lib.checks.evaluate import evaluate
from lectures_lib.checks.functions import Function
from lectures_lib.checks.quiz import Quiz
from lectures_lib.checks.registry import all_exercises, exercises_of, find
from lectures_lib.checks.values import Values
from lectures_lib.errata import LEDGER
from lectures_lib.perceptron import Perceptron
from lectures_lib.proofs import Derivation
from tests.checks_answers import OTHER_RIGHT, SOLVED, UNTOUCHED, WRONG_DATA, answers_in
from tests.conftest import ROOT

EXERCISES = all_exercises()
QUIZZES = [exercise for exercise in EXERCISES if isinstance(exercise.parts[0], Quiz)]
FUNCTION_SLIPS = [
    pytest.param(exercise, place, slip, id=f"{exercise.id}-{slip.name}-{number}")
    for exercise in EXERCISES
    for place, part in enumerate(exercise.parts)
    if isinstance(part, Function)
    for number, slip in enumerate(part.slips)
]


def by_id(exercise) -> str:
    return exercise.id


@pytest.mark.parametrize("exercise", EXERCISES, ids=by_id)
def test_untouched_is_not_attempted(exercise) -> None:
    outcome = evaluate(exercise, answers_in(UNTOUCHED[exercise.id], exercise))
    assert outcome.status == "not attempted"
    assert outcome.points == 0
    assert repr(outcome).startswith(
        f"Not attempted: {exercise.id}, 0 of {exercise.points:g} points"
    )


@pytest.mark.parametrize("exercise", EXERCISES, ids=by_id)
def test_the_solution_gets_all_points(exercise) -> None:
    outcome = evaluate(exercise, answers_in(SOLVED[exercise.id], exercise))
    assert outcome.status == "right"
    assert outcome.points == outcome.out_of == exercise.points
    assert not outcome.slips


@pytest.mark.parametrize(("exercise", "place", "slip"), FUNCTION_SLIPS)
def test_a_slip_fails_with_its_own_message_and_no_other(exercise, place, slip) -> None:
    answers = list(answers_in(SOLVED[exercise.id], exercise))
    answers[place] = lambda *arguments: slip.wrong(*arguments)
    outcome = evaluate(exercise, tuple(answers))
    assert outcome.status == "wrong"
    assert outcome.points < outcome.out_of
    assert [found.name for found in outcome.slips] == [slip.name]
    assert slip.message in repr(outcome)
    others = {s.message for part in exercise.parts for s in getattr(part, "slips", ())}
    assert not [m for m in others - {slip.message} if m in repr(outcome)]


def written_quickly(strict=False, sign=True, ones="first", listed=False):
    """A perceptron as a student may first write it: it ignores `tie`."""

    def fit(X, s, eta, tie, max_passes):
        one = np.ones((len(X), 1))
        A = np.hstack({"first": (one, X), "last": (X, one), "none": (X,)}[ones])
        w, rows = np.zeros(A.shape[1]), []
        for _ in range(max_passes):
            before = len(rows)
            for i in range(len(s)):
                m = s[i] * (A[i] @ w)
                if m < 0 or (m == 0 and not strict):
                    w = w + eta * (s[i] if sign else 1) * A[i]
                    rows.append(i)
            if len(rows) == before:
                break
        return w, rows if listed else len(rows)

    return fit


@pytest.mark.parametrize(
    ("how", "name"),
    [
        ({}, "One tie rule for both"),
        ({"strict": True}, "A strict inequality"),
        ({"sign": False}, "The sign is missing"),
        ({"ones": "none"}, "The bias is missing"),
        ({"ones": "last"}, "The bias stands last"),
        ({"listed": True}, "The updates are listed"),
    ],
)
def test_a_slip_is_named_before_the_second_tie_rule_is_written(how, name) -> None:
    outcome = evaluate(find("perceptron.fit"), (written_quickly(**how),))
    assert [slip.name for slip in outcome.slips] == [name]
    assert "Note" not in repr(outcome)


def test_there_is_a_wrong_answer_for_every_slip_of_a_data_exercise() -> None:
    slips = {
        exercise.id: {slip.name for part in exercise.parts for slip in part.slips}
        for exercise in EXERCISES
        if isinstance(exercise.parts[0], Values)
    }
    assert {identity: set(wrong) for identity, wrong in WRONG_DATA.items()} == slips


@pytest.mark.parametrize(
    ("identity", "name"),
    [(identity, name) for identity, wrong in WRONG_DATA.items() for name in wrong],
)
def test_wrong_data_are_recognised(identity: str, name: str) -> None:
    outcome = evaluate(find(identity), WRONG_DATA[identity][name])
    assert outcome.status == "wrong"
    assert [slip.name for slip in outcome.slips] == [name]
    assert outcome.points < outcome.out_of


def test_an_entry_after_the_end_of_the_run_is_refused() -> None:
    exercise, told = (
        find("perceptron.trace"),
        "The run ends after entry 4 (counted from 0); entry 5",
    )
    (right,) = answers_in(SOLVED[exercise.id], exercise)
    for extra in ((9, 9, 9, 9), right[-1], ...):
        outcome = evaluate(exercise, ([*right, extra],))
        assert (outcome.status, outcome.points) == ("wrong", 4)
        assert f"{told} is not an update." in repr(outcome)
        assert not outcome.slips
    wrong = [*right[:4], (3, -1, -1, 2), (0, 0, 1, 1)]
    assert told not in repr(evaluate(exercise, (wrong,))), "the run has not come to its end"


def test_half_of_an_exercise_is_right_so_far() -> None:
    exercise = find("perceptron.loss")
    loss, _ = answers_in(SOLVED[exercise.id], exercise)
    _, untouched = answers_in(UNTOUCHED[exercise.id], exercise)
    outcome = evaluate(exercise, (loss, untouched))
    assert repr(outcome).startswith("Right so far: perceptron.loss, 3 of 6 points.")
    assert "`perceptron_subgradient` is not attempted yet." in repr(outcome)
    assert "`perceptron_loss` is right." in repr(outcome)


@pytest.mark.parametrize(
    ("X", "s", "message"),
    [
        (np.ones((51, 2)), np.ones(51), "There are 51 examples; at most 50 are allowed."),
        (np.ones((4, 3)), [1, 1, -1, -1], "The examples have 3 features; expected 2."),
        (np.ones((4, 2)), [1, 1, -1], "There are 4 rows and 3 signs."),
        (np.ones((4, 2)), [1, 1, 0, 0], "`s_tie` must hold −1 and +1 only; found 0, 1."),
        (np.full((4, 2), 1e7), [1, 1, -1, -1], "A coordinate is larger than 1,000,000."),
        (np.full((4, 2), np.nan), [1, 1, -1, -1], "`X_tie` contains NaN"),
        (np.ones((2, 2, 2)), [1, 1, -1, -1], "`X_tie` has shape (2, 2, 2); expected"),
        (np.ones((4, 2)), [1, 1, -1, -1], "Class -1 has 1 different example; expected"),
        (np.zeros((0, 2)), [], "All examples belong to one class."),
        (np.ones((4, 2)), ..., "`s_tie` is still `...`."),
    ],
)
def test_unusable_data_are_described(X, s, message) -> None:
    assert message in repr(evaluate(find("perceptron.zero_margin"), (X, s)))


def test_data_with_too_many_numbers_are_refused() -> None:
    answers = np.ones((50, 51)), np.tile([-1, 1], 25), np.ones(52)
    outcome = evaluate(find("perceptron_convergence.tight_data"), answers)
    assert "X has 2,550 entries; at most 2,500 are allowed." in repr(outcome)


def test_a_named_slip_replaces_what_the_numbers_say_already() -> None:
    exercise = find("perceptron.fit")
    slips = {slip.name: slip.wrong for slip in exercise.parts[0].slips}
    named = repr(evaluate(exercise, (slips["The wrong direction"],)))
    unnamed = repr(evaluate(exercise, (lambda X, s, eta, tie, cap: (X[0].sum() + 1, 7),)))
    assert "not as expected" not in named
    assert "`updates` is not as expected" in repr(
        evaluate(exercise, (lambda *a: (slips["One tie rule for both"](*a)[0], 99),))
    )
    for text in (named, unnamed):
        assert "0 of 6 cases are right.\n" in text


def test_one_choice_too_few_is_said_in_the_singular() -> None:
    outcome = evaluate(find("perceptron.losses_quiz"), ("b",))
    assert "Right so far; 1 more of the choices holds." in repr(outcome)


@pytest.mark.parametrize("exercise", EXERCISES, ids=by_id)
def test_every_coding_exercise_knows_two_slips_or_more(exercise) -> None:
    for part in exercise.parts:
        if isinstance(part, Quiz):
            assert all(choice.why for choice in part.choices)
            assert 0 < len(part.letters) < len(part.choices)
        else:
            assert len({slip.name for slip in part.slips}) >= 2


@pytest.mark.parametrize("exercise", QUIZZES, ids=by_id)
def test_every_distractor_of_a_quiz_has_its_own_explanation(exercise) -> None:
    (quiz,) = exercise.parts
    for choice in quiz.choices:
        if choice.right:
            continue
        outcome = evaluate(exercise, (choice.letter.upper(),))
        assert outcome.status == "wrong"
        assert outcome.points == 0
        assert choice.why in repr(outcome)
    for spelling in (
        quiz.letters,
        quiz.letters.upper(),
        list(quiz.letters),
        ", ".join(quiz.letters),
    ):
        assert evaluate(exercise, (spelling,)).status == "right"
    everything = "".join(choice.letter for choice in quiz.choices)
    assert evaluate(exercise, (everything,)).points == 0
    assert "Expected one of" in repr(evaluate(exercise, ("z",)))
    assert "Expected one of" in repr(evaluate(exercise, (3,)))


UPPER_BOUND = find("perceptron_convergence.upper_bound")
(PROOF,) = UPPER_BOUND.parts
LINES = [step.expression for step in PROOF.steps]


def derived(*lines: str) -> str:
    return "\n".join([f"= {lines[0]}", *(f"<= {line}" for line in lines[1:])])


@pytest.mark.parametrize("slip", PROOF.slips, ids=lambda slip: slip.name)
def test_a_slip_in_a_derivation_has_its_own_message(slip) -> None:
    place = 2 if slip.name == "R is not squared" else 0
    lines = [*LINES[:place], slip.wrong(), *LINES[place + 1 :]]
    outcome = evaluate(UPPER_BOUND, (derived(*lines),))
    assert outcome.status == "wrong"
    assert [found.name for found in outcome.slips] == [slip.name]
    assert outcome.points < outcome.out_of
    assert "REFUTED" in repr(outcome)


def test_a_derivation_is_paid_line_by_line() -> None:
    points = {
        derived(*LINES): 4,
        derived(LINES[0], LINES[1]): 2,
        derived(LINES[0]): 1,
        derived(LINES[0], LINES[2]): 3,
        derived(LINES[2]): 0,
        derived(PROOF.start): 0,
    }
    for text, expected in points.items():
        assert evaluate(UPPER_BOUND, (text,)).points == expected, text


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("= {0}", "< {1}", "<= {2}"), "so `<` is too much; `<=` holds"),
        (("= {0}", "<= {1}", "< {2}"), "so `<` is too much; `<=` holds"),
        (("< {0}", "<= {1}", "<= {2}"), "so `<` is too much; `<=` holds"),
        (("= {0}", "= {1}", "<= {2}"), "The two sides are not always equal; `<=` holds"),
        (("= {1}", "<= {2}"), "‖a + b‖² is not ‖a‖² + ‖b‖²"),
        (("<= {2}",), "The goal is reached in one leap; write the steps."),
        (("= {0}",), "The goal is not reached yet."),
    ],
)
def test_a_derivation_hears_what_is_wrong_with_it(lines, message) -> None:
    text = "\n".join(lines).format(*LINES)
    outcome = evaluate(UPPER_BOUND, (text,))
    assert outcome.status == "wrong"
    assert message in repr(outcome)
    others = {slip.message for slip in PROOF.slips} | {
        "not reached yet",
        "in one leap",
        "`<=` holds",
    }
    assert not [m for m in others if m in repr(outcome) and m not in message and message not in m]


def test_relations_may_be_typed_as_one_character() -> None:
    assert evaluate(UPPER_BOUND, (derived(*LINES).replace("<=", "≤"),)).status == "right"
    refused = evaluate(UPPER_BOUND, (derived(*LINES).replace("<=", "≥"),))
    assert "a chain of `=` and `<=` only" in repr(refused)


def test_another_name_for_the_square_does_not_expand_it() -> None:
    renamed = "dot(w + eta*s*x, w + eta*s*x)"
    assert evaluate(UPPER_BOUND, (derived(renamed, *LINES[1:]),)).points == 3
    assert evaluate(UPPER_BOUND, (f"= {renamed}\n{derived(*LINES)}",)).status == "right"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("given: R == 0\n= 0", "Line 1: only relations and expressions"),
        ("let R := 0\n= 0", "Line 1: only relations and expressions"),
        (f"{derived(LINES[0])}\n\n{LINES[2]}", "Line 2 must begin with its relation"),
        ("0 = 0\n<= 1", "Line 1 must begin with its relation"),
        (f"= {LINES[0]}\n>= 0\n<= {LINES[2]}", "Line 2: a chain of `=` and `<=` only"),
        ("= __import__('os')", "INVALID"),
        ("= 9**9**9**9", "0 of 4"),
        ("= x\n" * 13, "There are 13 lines; at most 12 are read"),
        (3.5, "as one text"),
        (["a", "b"], "as one text"),
    ],
)
def test_a_derivation_cannot_change_its_hypotheses_or_leave_its_chain(text, message) -> None:
    outcome = evaluate(UPPER_BOUND, (text,))
    assert outcome.points <= 1
    assert message in repr(outcome)


def test_a_derivation_object_is_read_by_its_lines() -> None:
    symbols = {"w x": "vector 2", "s": "sign", "eta R": "positive"}
    cheat = Derivation("upper bound", symbols=symbols, given="R == 0")
    cheat.line(PROOF.start)
    cheat.line("= 0")
    assert evaluate(UPPER_BOUND, (cheat,)).points == 0
    honest = Derivation("upper bound", symbols=symbols, given=list(PROOF.given))
    honest.line(PROOF.start)
    honest.line(LINES[0], because="expand")
    honest.line(f"<= {LINES[1]}")
    honest.line(f"<= {LINES[2]}")
    assert evaluate(UPPER_BOUND, (honest,)).status == "right"


@pytest.mark.parametrize("exercise", EXERCISES, ids=by_id)
def test_other_right_answers_pass(exercise) -> None:
    others = OTHER_RIGHT[exercise.id]
    assert len(others) >= 2
    for answers in others:
        outcome = evaluate(exercise, answers)
        assert outcome.status == "right", repr(outcome)


# The texts ----------------------------------------------------------------------------------


def test_identities_are_unique_and_begin_with_their_chapter() -> None:
    identities = [exercise.id for exercise in EXERCISES]
    assert len(set(identities)) == len(identities)
    for c in CHAPTERS:
        for exercise in exercises_of(c.slug):
            assert exercise.id.startswith(f"{c.slug}.")


@pytest.mark.parametrize("slug", [c.slug for c in CHAPTERS if exercises_of(c.slug)])
def test_the_exercises_of_a_chapter_take_about_the_stated_time(slug: str) -> None:
    minutes = sum(e.minutes for e in exercises_of(slug))
    assert minutes == pytest.approx(chapter(slug).exercise_minutes, rel=0.15)


@pytest.mark.parametrize("exercise", EXERCISES, ids=by_id)
def test_the_task_states_title_points_minutes_and_choices(exercise) -> None:
    path = ROOT / "exercises" / f"{chapter(exercise.slug).stem}.ipynb"
    cells = nbformat.read(path, as_version=4).cells
    task = next(c.source for c in cells if f"*`{exercise.id}`:" in c.source)
    word = "point" if exercise.points == 1 else "points"
    assert exercise.title in task
    assert f"{exercise.points:g} {word}, about {exercise.minutes} minutes" in task
    for part in exercise.parts:
        for choice in getattr(part, "choices", ()):
            assert f"- ({choice.letter}) {choice.text}" in task
        if isinstance(part, Function):
            assert f"`{part.name}({', '.join(part.parameters)})`" in task
            stub = ast.parse(UNTOUCHED[exercise.id])
            names = {f.name: [a.arg for a in f.args.args] for f in stub.body if hasattr(f, "args")}
            assert tuple(names[part.name]) == part.parameters


@pytest.mark.parametrize("exercise", EXERCISES, ids=by_id)
def test_slips_point_to_headings_and_errata_that_exist(exercise) -> None:
    parts = exercise.parts
    slips = [slip for part in parts for slip in getattr(part, "slips", ())]
    sections = {exercise.section} | {slip.section for slip in slips if slip.section}
    for section in sections:
        path = ROOT / "notebooks" / f"{chapter(section.slug).stem}.ipynb"
        assert section.link.startswith(f"../notebooks/{path.name}#")
        if path.is_file():
            text = "\n".join(c.source for c in nbformat.read(path, as_version=4).cells)
            assert f"## {section.heading}\n" in f"{text}\n", f"{path.name} has no such heading"


@pytest.mark.parametrize("exercise", EXERCISES, ids=by_id)
def test_errata_are_in_the_ledger_and_cautions_in_the_chapter(exercise) -> None:
    path = ROOT / "notebooks" / f"{chapter(exercise.slug).stem}.ipynb"
    chapter_text = "\n".join(c.source for c in nbformat.read(path, as_version=4).cells)
    ledger = {entry.id for entry in LEDGER}
    for part in exercise.parts:
        slips = getattr(part, "slips", ())
        assert {slip.erratum for slip in slips if slip.erratum} <= ledger
        texts = [slip.message for slip in slips]
        texts += [choice.why for choice in getattr(part, "choices", ())]
        for name in re.findall(r"\b(?:E\w|C)-\d\d\b", " ".join(texts)):
            assert name in ledger or name in chapter_text, name


def test_the_last_clean_pass_is_not_counted_by_the_bound() -> None:
    X, s, w_star = np.array([[100.0], [-100.0]]), np.array([1, -1]), np.array([0.0, 1.0])
    model = Perceptron().fit(X, s)
    bound = novikoff(X, s, w_star)
    assert len(model.updates_) <= bound < model.n_iter_ <= bound + 1
    told = repr(evaluate(find("perceptron_convergence.rate_quiz"), ("d",)))
    assert "at most R²/γ² + 1 passes" in told


def test_a_reversed_w_is_told_from_one_with_its_bias_last() -> None:
    exercise, s = find("perceptron_convergence.tight_data"), np.tile([-1, 1], 6)
    for w, name in {
        (0, *-s): "w* points the other way",
        (*s, 0): "The bias stands last",
        (*s, 0.5): "The bias stands last",
    }.items():
        outcome = evaluate(exercise, (3 * np.eye(12), s, w))
        assert [slip.name for slip in outcome.slips] == [name]


def test_the_bound_for_every_start_of_a_length_is_attained_against_w_star() -> None:
    X, s, w = np.array([[-3.0], [1.0], [4.0]]), np.array([-1, 1, 1]), np.array([1.0, 2.0])
    for eta in (0.3, 1.0):
        worst = bound_from_any_direction(X, s, w, -2 * w, eta)
        assert bound_from(X, s, w, -2 * w, eta) == pytest.approx(worst)
        assert bound_from(X, s, w, np.array([2.0, -1.0]), eta) < worst


def test_points_are_exact_in_binary() -> None:
    for exercise in EXERCISES:
        for part in exercise.parts:
            for case in getattr(part, "cases", ()):
                assert (2 * case.points).is_integer()
