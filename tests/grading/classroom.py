"""A class that hands in: solutions, known slips, and mistakes of twelve kinds without a name.

Everybody's name is unmistakable and stands everywhere: in the folder, in comments and texts, as the
names of variables and functions, in what is raised and in what is returned.
"""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass
from pathlib import Path

from lectures_lib.checks.kinds.function import Function
from lectures_lib.checks.registry import find
from lectures_lib.checks.writing.edits import edited_texts, source_of
from tests.grading.hostile import notebook

STEM = "04_perceptron"
FIT, LOSSES = "perceptron.fit", "perceptron.losses"
WORD = "Zwetschgenknoedel"  # part of everybody's name


@dataclass(frozen=True)
class Handed:
    """One submission: whose, the exercise that is wrong in it, and the mistake."""

    student: str
    exercise: str = ""
    slip: str = ""
    kind: str = ""


def _losses(zero_one: str, perceptron: str, hinge: str, logistic: str, before: str = "") -> str:
    return (
        f"{before}def losses_at(m):\n"
        f"    NAME = np.asarray(m)  # NAME was here\n"
        f"    first, second = {zero_one}, {perceptron}\n"
        f"    third, NAME_too = {hinge}, {logistic}\n"
        f"    return first, second, third, NAME_too\n"
    )


Z, P, H, L = "np.where(m <= 0, 1.0, 0.0)", "np.maximum(-m, 0)", "np.maximum(1 - m, 0)", (
    "np.logaddexp(0, -m)"
)  # fmt: skip
SOLVED_FIT = '''
def perceptron_fit(X, s, eta=1.0, tie="update", max_passes=100):
    """By NAME."""
    NAME = np.column_stack([np.ones(len(X)), X])
    w, count = {start}, 0
    for turn in range(max_passes):
        before = count
        for i in range(len(s)):
            g = w @ NAME[i]
            if s[i] * g < 0 or (g == 0 and (tie == "update" or s[i] < 0)):
                w = w + {step}
                count += 1
        if count == before:
            break
    return {result}
'''


def _fit(
    start: str = "np.zeros(NAME.shape[1])",
    step: str = "eta * s[i] * NAME[i]",
    result: str = "w, count",
) -> str:
    return SOLVED_FIT.format(start=start, step=step, result=result)


OWN_ERROR = "class NAME_error(Exception):\n    pass\n\n\n"
KINDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "the hinge is squared": (LOSSES, (
        _losses(Z, P, "np.maximum(1 - m, 0) ** 2", L),
        _losses(Z, P, "np.square(np.clip(1 - m, 0, None))", L),
        _losses(Z, P, "np.where(m < 1, m * m - 2 * m + 1, 0)", L),
        _losses(Z, P, "np.array([max(0, 1 - x) ** 2 for x in m])", L),
    )),
    "the perceptron's is squared": (LOSSES, (
        _losses(Z, "np.maximum(-m, 0) ** 2", H, L),
        _losses(Z, "np.where(m < 0, m * m, 0.0)", H, L),
        _losses("1.0 * (m <= 0)", "np.minimum(m, 0) ** 2", H, L),
    )),
    "the logistic of 2m": (LOSSES, (
        _losses(Z, P, H, "np.logaddexp(0, -2 * m)"),
        _losses(Z, P, H, "np.array([np.logaddexp(0.0, -x - x) for x in m])"),
        _losses("(m <= 0).astype(float)", P, H, "np.logaddexp(-m - m, 0)"),
    )),
    "half of the perceptron's": (LOSSES, (
        _losses(Z, "np.maximum(-m, 0) / 2", H, L),
        _losses(Z, "np.array([0.5 * max(-x, 0) for x in m])", H, L),
    )),
    "the 0-1 loss steps at -1": (
        LOSSES,
        (
            _losses("np.where(m <= -1, 1.0, 0.0)", P, H, L),
            _losses("1.0 * (m + 1 <= 0)", P, H, L),
            _losses("1 - (m > -1)", P, H, L),
            _losses("np.array([float(x <= -1) for x in m])", P, H, L),
        ),
    ),
    "sums for arrays": (LOSSES, (
        _losses(f"np.sum({Z})", f"np.sum({P})", f"np.sum({H})", f"np.sum({L})"),
        _losses(f"({Z}).sum()", f"({P}).sum()", f"({H}).sum()", f"({L}).sum()"),
        _losses(f"sum({Z})", f"sum({P})", f"sum({H})", f"sum({L})"),
    )),
    "a condition on an array": (LOSSES, (
        _losses("1.0 if m <= 0 else 0.0", P, H, L),
        _losses(Z, P, "(1 - m) if (m < 1) else 0 * m", L),
        _losses(Z, "max(0 * m, -m)", H, L),
    )),
    "an error of one's own": (LOSSES, (
        OWN_ERROR + "def losses_at(m):\n    raise NAME_error('NAME')\n",
        OWN_ERROR + "def losses_at(m):\n    for NAME in m:\n        raise NAME_error(NAME)\n",
    )),
    "a text with the name": (LOSSES, (
        "def losses_at(m):\n    return 'NAME'\n",
        "def losses_at(m):\n    NAME = 'by NAME'\n    return NAME\n",
    )),
    "of length one": (FIT, (
        _fit(result="w / np.linalg.norm(w), count"),
        _fit(result="w * (w @ w) ** -0.5, count"),
        _fit(result="np.divide(w, np.sqrt(np.sum(w ** 2))), count"),
        _fit(result="[x / np.linalg.norm(w) for x in w], count"),
    )),
    "the step is squared": (FIT, (
        _fit(step="eta ** 2 * s[i] * NAME[i]"),
        _fit(step="eta * (eta * s[i] * NAME[i])"),
        _fit(step="np.array([eta * eta * s[i] * x for x in NAME[i]])"),
    )),
    "one update too many": (FIT, (
        _fit(result="w, count + 1"),
        _fit(result="(w, 1 + int(count))"),
        _fit(result="[w, sum([1, count])]"),
        _fit(result="w, len(range(count + 1))"),
    )),
}  # fmt: skip


def _bare(source: str) -> str:
    """The source without types."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
    return ast.unparse(tree)


def _slips() -> list[tuple[str, str, str]]:
    """Exercise, slip and source of every known way to go wrong that is one edit."""
    found = []
    for exercise in (find(FIT), find(LOSSES)):
        (part,) = exercise.parts
        assert isinstance(part, Function)
        for slip in part.slips:
            for way in slip.ways[:1]:
                edits = (way,) if isinstance(way, str) else way
                if isinstance(edits, tuple):
                    text = _bare(edited_texts(source_of(part.reference), edits)[0])
                    found.append((exercise.id, slip.name, text))
    return found


def name_of(number: int) -> str:
    """The name of a student, as they write it themselves."""
    return f"Xanthippe{number} {WORD}{number}"


def hand_in(folder: Path, count: int, unnamed: int) -> list[Handed]:
    """So many submissions in a folder; a third is right, `unnamed` of them have no slip's name."""
    slips, kinds = _slips(), list(KINDS.items())
    done = []
    for number in range(count):
        student, own = name_of(number), f"{WORD}{number}"
        if number < unnamed:
            kind, (exercise, variants) = kinds[number % len(kinds)]
            source = variants[number // len(kinds) % len(variants)].replace("NAME", own)
            found, answer = Handed(student, exercise, kind=kind), {exercise: source}
        elif number % 3 == 0:
            found, answer = Handed(student), {}
        else:
            exercise, slip, source = slips[number % len(slips)]
            found, answer = Handed(student, exercise, slip), {exercise: source}
        text = {name: f"# {student}\n{source}" for name, source in answer.items()}
        made = notebook(**{name.replace(".", "__"): source for name, source in text.items()})
        made["metadata"] = {"authors": [{"name": student}]}
        path = folder / student / f"{own}_{STEM}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(made), encoding="utf-8")
        done.append(found)
    return done
