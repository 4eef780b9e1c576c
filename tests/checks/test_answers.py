"""Right answers in other ways, and wrong ones, written from the task's text before its check was
read: what `check` says of each is kept in `data/answers.json`, and was read for wrong names.

A wrong answer is [the mistake, the right answer it is made from, edits, name] or [the mistake, its
source, name]. The name is that of the slip, "(told)" where a sentence says it instead (a shape, a
missing entry, "In every case …"), "(right)" where it is none after all, or empty.
"""

import pytest

from lectures_lib.checks.registry import find
from tests.checks.answers import OTHERS, answers_in, judged, without_slips

IDS = sorted(OTHERS)


@pytest.mark.slow
@pytest.mark.parametrize("identity", IDS)
def test_right_answers_in_other_ways_get_all_points(identity: str) -> None:
    exercise = find(identity)
    for source in OTHERS[identity]["right"]:
        outcome = judged(exercise, answers_in(source, exercise))
        assert outcome.status == "right", f"{source}\n{outcome!r}"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("identity", IDS)
def test_wrong_answers_get_the_name_that_was_read(identity: str) -> None:
    exercise = find(identity)
    for mistake, *made, name in OTHERS[identity]["wrong"]:
        source = made[0]
        if len(made) == 2:
            source = OTHERS[identity]["right"][made[0]]
            for old, new in made[1]:
                source = source.replace(old, new)
        named = name and not name.startswith("(")
        asked = exercise if named else without_slips(identity)
        outcome = judged(asked, answers_in(source, exercise))
        assert (outcome.status == "right") == (name == "(right)"), f"{mistake}\n{source}"
        if named:
            found = " + ".join(dict.fromkeys(slip.name for slip in outcome.slips))
            assert found == name, f"{mistake}: {source}"
