"""What an answer is told and what it earns, in states that the exercises of a chapter share."""

import numpy as np
import pytest

from lectures_lib.chapters import CHAPTERS
from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.kinds.function import drawn
from lectures_lib.checks.registry import all_exercises, exercises_of, find
from lectures_lib.figures import Line
from linecheck import Derivation
from tests.checks.answers import SOLVED, UNTOUCHED, answers_in
from tests.conftest import ROOT


def test_every_chapter_with_exercises_inherits_their_tests() -> None:
    for chapter in CHAPTERS:
        if exercises_of(chapter.slug):
            found = (ROOT / "tests" / "chapters").glob(f"test_{chapter.slug}*.py")
            texts = [path.read_text(encoding="utf-8") for path in found]
            wanted = ("(ExerciseTests)", f'slug = "{chapter.slug}"')
            assert any(all(word in text for word in wanted) for text in texts), (
                f"tests/chapters/test_{chapter.slug}.py: class TestExercises(ExerciseTests)"
            )


def test_half_of_an_exercise_is_right_so_far() -> None:
    exercise = find("perceptron.loss")
    loss, _ = answers_in(SOLVED[exercise.id], exercise)
    _, untouched = answers_in(UNTOUCHED[exercise.id], exercise)
    outcome = evaluate(exercise, (loss, untouched))
    assert repr(outcome).startswith(
        "Right so far: The perceptron loss and a subgradient, 3 of 6 points."
    )
    assert "`perceptron_subgradient` is not attempted yet." in repr(outcome)
    assert "`perceptron_loss` is right." in repr(outcome)


def test_a_named_slip_replaces_what_the_numbers_say_already() -> None:
    exercise = find("perceptron.fit")
    (right,) = answers_in(SOLVED[exercise.id], exercise)
    downwards = SOLVED[exercise.id].replace("w + eta", "w - eta")
    named = repr(evaluate(exercise, answers_in(downwards, exercise)))
    unnamed = repr(evaluate(exercise, (lambda X, s, eta, tie, cap: (X[0].sum() + 1, 7),)))
    assert "The wrong direction:" in named
    assert "not as expected" not in named
    counted = evaluate(exercise, (lambda *a: (right(*a)[0], 99),))
    assert "`updates` is not as expected" in repr(counted)
    assert counted.points == 4, "the weights are right"
    for text in (named, unnamed):
        assert "0 of 6 cases and 0 of 12 random ones are right; a result" in text


def test_one_choice_too_few_is_said_in_the_singular() -> None:
    outcome = evaluate(find("your_own_data.report"), ("b",))
    assert "Right so far; 1 more letter belongs to the answer." in repr(outcome)


def test_a_wrong_option_is_spoken_about_and_in_the_end_all_are() -> None:
    quiz = find("your_own_data.report")
    (part,) = quiz.parts
    whys = {choice.letter: choice.why for choice in part.choices}
    wrong, right = (repr(evaluate(quiz, (letters,))) for letters in ("ab", "bd"))
    assert [letter for letter, why in whys.items() if why in wrong] == ["a"]
    assert [letter for letter, why in whys.items() if why in right] == list("abcde")
    assert "a column says where: not the answer." in wrong
    assert "on the test rows, 0.11: right." in right


def test_a_reason_that_is_not_judged_is_not_explained() -> None:
    outcome = evaluate(find("linear_discriminants.masked"), ("b", "b"))
    assert "so the largest of them is at least 1/5" in repr(outcome)
    assert "they would no longer add up to 1" not in repr(outcome)


def test_a_wrong_answer_is_drawn_beside_the_expected_one() -> None:
    exercise = find("linear_discriminants.line_through")
    outcome = evaluate(exercise, (lambda a, b, p: [0, 0, 1],))
    scene = outcome.parts[0].first_failure.picture
    yours, expected = sorted(scene.marks(Line), key=lambda line: line.role, reverse=True)
    assert (yours.label, yours.w.tolist(), yours.w0) == ("yours", [0, 1], 0)
    a, b, _ = exercise.parts[0].cases[0].arguments
    for end in (a, b):
        assert expected.w @ end + expected.w0 == pytest.approx(0)
    assert f"Picture: {scene.describe()}" in repr(outcome)
    page = outcome._repr_mimebundle_()["text/html"]
    assert f'<img alt="{scene.describe()}"' in page


def test_an_answer_that_cannot_be_drawn_is_judged_all_the_same() -> None:
    outcome = evaluate(find("linear_discriminants.line_through"), (lambda a, b, p: [1, 0, 0],))
    assert outcome.status == "wrong"
    assert "none (w = 0)" in repr(outcome)
    broken = drawn(lambda *_: 1 / 0, 1)
    assert broken is None


UPPER_BOUND = find("perceptron_convergence.upper_bound")
(PROOF,) = UPPER_BOUND.parts
LINES = [step.expression for step in PROOF.steps]


def derived(*lines: str) -> str:
    return "\n".join([f"= {lines[0]}", *(f"<= {line}" for line in lines[1:])])


FIRST, SECOND, GOAL = LINES
RENAMED = "dot(w + eta*s*x, w + eta*s*x)"
TOO_STRICT, NOT_EQUAL = "so `<` says too much; `<=` holds", "not always equal; `<=` holds"
OPEN, LEAP = "The goal is not reached yet", "From the start to line 1 this is not shown"
KNOWN = {slip.message for slip in PROOF.slips} | {OPEN, LEAP, "`<=` holds"}


@pytest.mark.parametrize(
    ("text", "points", "message"),
    [
        (derived(*LINES), 4, "Right"),
        (derived(FIRST, SECOND), 2, OPEN),
        (derived(FIRST), 1, OPEN),
        (derived(FIRST, GOAL), 4, "Right"),  # two steps in one line, and every line holds
        (derived(GOAL), 0, NOT_EQUAL),
        (f"<= {GOAL}", 0, LEAP),
        (derived(PROOF.start), 0, OPEN),
        (derived(*LINES).replace("<=", "≤"), 4, "Right"),
        (derived(RENAMED, SECOND, GOAL), 3, ""),  # another name for the square expands nothing
        (f"= {RENAMED}\n{derived(*LINES)}", 4, "Right"),
        (f"= {FIRST}\n< {SECOND}\n<= {GOAL}", 1, TOO_STRICT),
        (f"= {FIRST}\n<= {SECOND}\n< {GOAL}", 2, TOO_STRICT),
        (f"< {FIRST}\n<= {SECOND}\n<= {GOAL}", 1, TOO_STRICT),
        (f"= {FIRST}\n= {SECOND}\n<= {GOAL}", 1, NOT_EQUAL),
        (f"= {SECOND}\n<= {GOAL}", 0, NOT_EQUAL),
        ("= norm(w)**2 + eta**2*norm(x)**2", 0, "‖a + b‖² is not ‖a‖² + ‖b‖²"),
        ("given: R == 0\n= 0", 0, "line 1:\n  only relations and expressions"),
        ("let R := 0\n= 0", 0, "line 1:\n  only relations and expressions"),
        (f"= {FIRST}\n<= 0 if R ⩽ 0", 1, "line 2:\n  only relations and expressions"),
        (f"= {FIRST}\n\n{GOAL}", 1, "line 2:\n  a line begins with its relation"),
        ("0 = 0\n<= 1", 0, "line 1:\n  a line begins with its relation"),
        (f"= {FIRST}\n>= 0\n<= {GOAL}", 2, "line 2:\n  a chain of `=` and `<=` only"),
        (derived(*LINES).replace("<=", "≥"), 1, "a chain of `=` and `<=` only"),
        (f"= {FIRST}\n=< {SECOND}\n<= {GOAL}", 2, "line 2:\n  `=<` is written `<=`"),
        (f"1. = {FIRST}\n<= {SECOND}", 1, "line 1:\n  leave out the number 1.: write `= "),
        (f"= {FIRST} <= {SECOND}", 0, "line 1:\n  `=` and `<=` stand in one line"),
        (f"= {FIRST}   expand\n<= {SECOND}", 1, "put a # before it: `= "),
        ("= __import__('os')", 0, "INVALID"),
        ("= x\n" * 13, 0, "There are 13 lines; at most 12 are read"),
        (3.5, 0, "as one text"),
        (["a", "b"], 0, "as one text"),
    ],
)
def test_a_derivation_is_paid_line_by_line_and_hears_what_is_wrong(text, points, message) -> None:
    outcome = evaluate(UPPER_BOUND, (text,))
    told = repr(outcome)
    assert outcome.points == points, told
    assert outcome.status == ("right" if points == 4 else "wrong")
    assert message in told
    if points < 4 and message:
        assert not [m for m in KNOWN if m in told and m not in message and message not in m]


def test_a_derivation_object_is_read_by_its_lines() -> None:
    symbols = {"w x": "vector 2", "s": "sign", "eta R": "positive", "beta": "nonnegative"}
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


def test_an_undecided_line_is_not_called_wrong() -> None:
    outcome = evaluate(UPPER_BOUND, (derived(FIRST, SECOND, "9**9**9**9"),))
    assert outcome.status == "not decided"
    assert 0 < outcome.points < outcome.out_of
    told = repr(outcome)
    assert told.startswith("Not decided: ")
    assert "We could not decide line 3; it does not count against you" in told
    assert "is false" not in told


def test_after_a_line_that_cannot_be_read_the_next_is_judged_from_the_one_before() -> None:
    told = repr(evaluate(UPPER_BOUND, (derived(FIRST, f"{SECOND} and then", GOAL),)))
    assert told.startswith("Line 2 cannot be read: ")
    assert f"3. <= {GOAL}   PROVED" in told
    # `=` may have been right after the line that is missing
    told = repr(evaluate(UPPER_BOUND, (f"= {FIRST}\n<= {SECOND} and then\n= {SECOND}",)))
    assert "REFUTED" not in told
    assert "line 2 could not be read, and without it this one does not follow" in told


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("= p*(r - f)/(r - f)\n<= p", "Line 2 has `<=`. That holds, but the task asks for `=`"),
        ("= p*(r - f)/(r - f)", "`share`, line 1 is proved:\n  The goal is not reached yet."),
        ("= p", "From the start to line 1 this is not shown: the numerator multiplied out."),
        ("# only a reason", "There is no line yet, only reasons."),
        ("(p*r + (1 - p)*f - f)/(r - f)", "There is no line yet, only the start."),
    ],
)
def test_what_is_missing_is_said_and_nothing_is_called_wrong(answer, words) -> None:
    told = repr(evaluate(find("land_cover.share"), (answer,)))
    assert told.startswith("Incomplete: ")
    assert words in told
    assert "rong" not in told


def test_a_line_after_a_wrong_one_is_not_told_another_relation() -> None:
    lines = [
        "= log(p) + x*log(a) - log(1 + a) - log(q) - x*log(b) - log(1 + b)",
        "= log(p*(1 + b)/(q*(1 + a))) + x*log(a/b)",
    ]
    told = repr(evaluate(find("gaussian_classifiers.words"), ("\n".join(lines),)))
    assert told.startswith("Line 1 is false: ")
    assert "`<=` holds" not in told


def test_a_first_line_that_puts_terms_together_counts_as_a_line() -> None:
    wrong = "= 2*p*(1 - p)\n= 2*p + 2*p**2\n<= 2*p"
    told = repr(evaluate(find("decision_theory.twice"), (wrong,)))
    assert told.startswith("Line 2 is false: ")


def test_a_slip_is_named_where_an_overflow_hides_some_numbers() -> None:
    def overflows(m):
        rest = np.where(m <= 0, 1.0, 0.0), np.maximum(-m, 0)
        return *rest, np.maximum(-m, 0), np.log(1 + np.exp(-m))  # the hinge has lost its 1

    outcome = evaluate(find("perceptron.losses"), (overflows,))
    assert [slip.name for slip in outcome.slips] == ["The hinge without its 1"]


def test_numbers_that_look_alike_are_told_apart() -> None:
    exercise = find("perceptron.loss")
    loss, subgradient = answers_in(SOLVED[exercise.id], exercise)
    outcome = evaluate(exercise, (lambda X, s, w: loss(X, s, w) + 2e-7, subgradient))
    assert "look alike when rounded; they differ by up to 2e-07" in repr(outcome)


def test_identities_are_unique_and_begin_with_their_chapter() -> None:
    identities = [exercise.id for exercise in all_exercises()]
    assert len(set(identities)) == len(identities)
    for c in CHAPTERS:
        for exercise in exercises_of(c.slug):
            assert exercise.id.startswith(f"{c.slug}.")
