"""Derivations as they are typed: right ones in other words, and wrong and empty ones."""

from __future__ import annotations

import re
from functools import cache

import pytest

from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.kinds.derivation import Proof
from lectures_lib.checks.registry import all_exercises
from lectures_lib.commands.derivations import texts
from linecheck import verdict
from tests.conftest import ROOT
from tests.exercise_tests import placed, solved, with_answer

HEAD = re.compile(r"([a-z_]+\.\w+): ([\d.]+), (.+)")
PROOFS = {
    exercise.id: (exercise, place, part)
    for exercise in all_exercises()
    for place, part in placed(exercise)
    if isinstance(part, Proof)
}
IDS = sorted(PROOFS)

# What changes nothing, around the start or the goal.
WRAPPINGS = (
    "1*({})", "({}) + 0", "2*({})/2", "exp(log({}))", "max({0}, {0})", "sum({}, i9, 1, 1)",
    "det([[{}]])", "({}) + log(1)", "-(-({}))", "({0} + {0})/2", "({}) + {y} - {y}",
    "({})*{y}/{y}", "2*({0}) - ({0})",
)  # fmt: skip


@cache
def kept() -> list[tuple[str, float, str, str]]:
    """(identity, points, the first words, the answer)."""
    text = (ROOT / "tests" / "data" / "derivations.txt").read_text("utf-8")
    found = []
    for block in re.split(r"\n\s*\n", text)[1:]:  # after the remarks at the top
        head, *lines = block.splitlines()
        match = HEAD.fullmatch(head)
        assert match, head
        found.append((match[1], float(match[2]), match[3], "\n".join(lines)))
    return found


def judged(identity: str, text: str):
    """The outcome of the exercise, and of its derivation."""
    exercise, place, part = PROOFS[identity]
    outcome = evaluate(exercise, with_answer(exercise, place, text))
    (own,) = (one for one in outcome.parts if one.name == part.name)
    return outcome, own


def number_in(part: Proof) -> str:
    """A number of the task."""
    plain = {"real", "positive", "probability", "nonnegative", "sign"}
    names = [
        name for names, kind in part.symbols.items() if kind in plain for name in names.split()
    ]
    return names[-1] if names else "3"


def test_every_derivation_has_four_right_answers_and_four_wrong_ones() -> None:
    for identity in IDS:
        right = [one for one in kept() if one[0] == identity and one[2] == "Right"]
        wrong = [one for one in kept() if one[0] == identity and one[2] != "Right"]
        assert len(right) >= 4
        assert len(wrong) >= 4
        assert len({answer for *_, answer in right}) == len(right)


@pytest.mark.slow
@pytest.mark.parametrize("identity", IDS)
def test_a_derivation_has_the_points_and_the_words_that_it_is_worth(identity: str) -> None:
    for own, points, words, answer in kept():
        if own == identity:
            outcome, part = judged(identity, answer)
            assert repr(outcome).startswith(words), f"{answer}\n{outcome!r}"
            assert part.points == points, f"{answer}\n{outcome!r}"


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(3, marks=pytest.mark.slow, id="a third"),
        pytest.param(1, marks=pytest.mark.deep),
    ],
)
@pytest.mark.parametrize("identity", IDS)
def test_the_start_and_the_goal_in_wrappings_earn_nothing(identity: str, step: int) -> None:
    """Each exercise begins its third elsewhere: together they try every wrapping."""
    _, _, part = PROOFS[identity]
    goal = part.goal.expression
    ends = [f"{part.asked} {goal}", f"= {part.start}\n{part.asked} {goal}", f"= {part.start}"]
    for wrapping in WRAPPINGS:
        start, end = (
            wrapping.replace("{y}", number_in(part)).replace("{0}", "{}").replace("{}", f"({one})")
            for one in (part.start, goal)
        )
        ends += [f"= {start}\n{part.asked} {goal}", f"{part.asked} {end}\n= {goal}"]
    ways = "\n".join(way for idea in part.ideas for way in idea.ways)
    for shown in re.findall(r"(?:^|; )with (.+?)(?=;|$)", ways, re.MULTILINE):  # and taken away
        away = "".join(f" + ({one}) - ({one})" for one in shown.split(" and "))
        ends += [f"= {part.start}{away}\n{part.asked} {goal}"]
        ends += [f"= ({part.start})*({shown})/({shown})\n{part.asked} {goal}"]
    for answer in ends[IDS.index(identity) % step :: step]:
        outcome, own = judged(identity, answer)
        assert own.points == 0, f"{answer}\n{outcome!r}"


@pytest.mark.slow
@pytest.mark.parametrize("identity", IDS)
def test_what_proves_another_thing_does_not_earn_the_goal(identity: str) -> None:
    """The solution of another exercise, and the derivations of the chapter."""
    exercise, _, part = PROOFS[identity]
    other, place, _ = PROOFS[IDS[IDS.index(identity) - 1]]
    answers = [solved(other.id)[place]]
    answers += [text.text.strip().partition("\n\n")[2] for text in texts(exercise.slug)]
    for answer in answers:
        outcome, own = judged(identity, answer)
        assert own.cases[0].verdict != "right", f"{answer}\n{outcome!r}"  # the goal
        assert own.points <= part.ideas[0].points, f"{answer}\n{outcome!r}"


@pytest.mark.parametrize("identity", IDS)
def test_our_own_lines_show_their_ideas(identity: str) -> None:
    _, _, part = PROOFS[identity]
    outcome, own = judged(identity, part.chain(part.lines))
    assert own.points == part.points, repr(outcome)


@pytest.mark.parametrize("identity", IDS)
def test_start_and_goal_are_related_as_is_asked(identity: str) -> None:
    _, _, part = PROOFS[identity]
    relation = "==" if part.asked == "=" else part.asked
    asked = (part.start, part.goal.expression, part.symbols, relation, part.given)
    assert verdict(*asked, sizes=part.sizes).status == "PROVED"
    assert part.asked == "=" or verdict(*asked[:3], "==", part.given, sizes=part.sizes).status != (
        "PROVED"
    )


@pytest.mark.parametrize("identity", IDS)
def test_neither_start_nor_goal_shows_an_idea(identity: str) -> None:
    _, _, part = PROOFS[identity]
    for idea in part.ideas:
        for line, equal in ((part.start, True), (part.goal.expression, part.asked == "=")):
            ways = [way for way in idea.ways if part.reading.shows(line, way, equal, False)]
            assert not ways, (idea.name, line)
