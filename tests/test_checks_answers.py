"""Right answers in other ways, and wrong ones, written from the task's text before its check was
read: what `check` says of each is kept in `data/answers.json`, and was read for wrong names.

A wrong answer is [the mistake, the right answer it is made from, edits, name] or [the mistake, its
source, name]. The name is that of the slip, "(told)" where a sentence says it instead (a shape, a
missing entry, "In every case …"), "(right)" where it is none after all, or empty.
"""

import json
from collections import defaultdict
from pathlib import Path

import pytest

from lectures_lib.checks.evaluate import evaluate
from lectures_lib.checks.registry import find
from tests.checks_answers import answers_in

ANSWERS = json.loads((Path(__file__).parent / "data" / "answers.json").read_text(encoding="utf-8"))
IDS = sorted(ANSWERS)


def wrong_answers(identity: str):
    """(mistake, source, name) of every wrong answer."""
    for mistake, *made, name in ANSWERS[identity]["wrong"]:
        source = made[0]
        if len(made) == 2:
            source = ANSWERS[identity]["right"][made[0]]
            for old, new in made[1]:
                source = source.replace(old, new)
        yield mistake, source, name


@pytest.mark.parametrize("identity", IDS)
def test_two_thirds_of_the_distinct_mistakes_are_named_or_told(identity: str) -> None:
    names = defaultdict(set)
    for mistake, _, name in wrong_answers(identity):
        if name != "(right)":
            names[mistake].add(name)
    assert len(names) >= 20
    assert sum(any(found) for found in names.values()) >= 2 / 3 * len(names)
    assert len(ANSWERS[identity]["right"]) >= 11


@pytest.mark.slow
@pytest.mark.parametrize("identity", IDS)
def test_right_answers_in_ten_other_ways_get_all_points(identity: str) -> None:
    exercise = find(identity)
    for source in ANSWERS[identity]["right"]:
        outcome = evaluate(exercise, answers_in(source, exercise))
        assert outcome.status == "right", f"{source}\n{outcome!r}"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("identity", IDS)
def test_wrong_answers_get_the_name_that_was_read(identity: str) -> None:
    exercise = find(identity)
    for mistake, source, name in wrong_answers(identity):
        outcome = evaluate(exercise, answers_in(source, exercise), seconds=3)
        assert (outcome.status == "right") == (name == "(right)"), f"{mistake}\n{source}"
        if name and not name.startswith("("):
            found = " + ".join(dict.fromkeys(slip.name for slip in outcome.slips))
            assert found == name, f"{mistake}: {source}"
