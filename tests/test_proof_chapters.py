"""The derivations of the course: every line verified, every mutated line caught."""

from __future__ import annotations

import ast
import importlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from lectures_lib.chapters import CHAPTERS, chapter, derivations, is_draft
from lectures_lib.proofs import Derivation, Status, Verdict, verdict
from lectures_lib.proofs.second_judge.opinion import Answer
from tests import lines_table
from tests.conftest import ROOT
from tests.proof_oracle import is_refuted, was_tried
from tests.proof_recorder import Recorder, Step

SLUGS = [chapter.slug for chapter in CHAPTERS[1:]]

# The capstone uses what the others derived.
DERIVE_NOTHING = {"land_cover"}


def _module(slug: str) -> Any:
    return importlib.import_module(f"lectures_lib.chapters.{slug}.derivations")


def _is_unfinished(slug: str) -> bool:
    notebook = ROOT / "notebooks" / f"{chapter(slug).stem}.ipynb"
    return not notebook.is_file() or is_draft(notebook)


def recorded(slug: str, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Recorder]]:
    """The derivations of a chapter as plain lists of steps."""
    module = _module(slug)
    monkeypatch.setattr(module, "Derivation", Recorder)
    return [(make.__name__, make()) for make in module.DERIVATIONS]


# -------------------------------------------------------------------------- completeness


@pytest.mark.parametrize("slug", SLUGS)
def test_a_chapter_derives_each_of_its_steps(slug: str) -> None:
    named = set()
    for make in _module(slug).DERIVATIONS:
        match = re.match(r"Steps? (\d+)(?: and (\d+))?", make.__doc__ or "")
        assert match, f"{make.__name__} does not say which step it is"
        named |= {int(number) for number in match.groups() if number}
    assert named == set(range(1, len(named) + 1)), "steps are numbered from 1 without a gap"
    assert named or _is_unfinished(slug) or slug in DERIVE_NOTHING


@pytest.mark.parametrize("slug", SLUGS)
def test_every_line_has_a_reason(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, recorder in recorded(slug, monkeypatch):
        assert recorder.title
        assert all(recorder.reasons), name
        assert recorder.steps, name


def test_the_first_chapter_and_the_capstone_derive_nothing() -> None:
    assert derivations("start_here") == derivations("18_land_cover") == ()
    with pytest.raises(ValueError, match="There is no chapter 'nonsense'"):
        derivations("nonsense")


# ------------------------------------------------------------------------------- verdicts


QUICK = ("perceptron", "logistic_model", "metrics", "land_cover")  # the others are slow tests


@cache
def _statuses(slug: str) -> dict[str, Verdict]:
    """Verdict of each line of a chapter, by function name and number of the line."""
    found = {}
    for make in _module(slug).DERIVATIONS:
        derivation = make()
        assert isinstance(derivation, Derivation)
        for line in derivation.report().lines:
            if line.verdict is not None:
                found[f"{make.__name__} {line.number}"] = line.verdict
    return found


@pytest.mark.parametrize(
    "slug",
    [slug if slug in QUICK else pytest.param(slug, marks=pytest.mark.slow) for slug in SLUGS],
)
def test_every_line_is_proved_or_its_reason_is_written_down(slug: str) -> None:
    verdicts = _statuses(slug)
    assert not {name: str(found) for name, found in verdicts.items() if not found.holds}
    agreeing = {name for name, found in verdicts.items() if found.status is Status.AGREES}
    assert agreeing == set(_module(slug).AGREES)
    assert all(_module(slug).AGREES.values())


@pytest.mark.slow
def test_nine_lines_in_ten_are_proved(capsys: pytest.CaptureFixture[str]) -> None:
    counts = Counter(found.status for slug in SLUGS for found in _statuses(slug).values())
    with capsys.disabled():
        print(f"\nlines of the course: {dict(counts)}")
    assert counts[Status.PROVED] >= 0.9 * counts.total()


@pytest.mark.slow
def test_the_table_of_all_lines(capsys: pytest.CaptureFixture[str]) -> None:
    table = list(lines_table.rows())
    with capsys.disabled():
        print("", *lines_table.summary(table), sep="\n")
    derived = {row.slug for row in table}
    assert not derived & DERIVE_NOTHING
    assert {slug for slug in SLUGS if not _is_unfinished(slug)} - DERIVE_NOTHING <= derived
    assert {row.ours for row in table} == {"PROVED"}
    for row in table:
        told = lines_table.told(row)
        assert row.sympy is not Answer.CONTRADICTED, told
        ours_alone = row.sympy is Answer.OPEN and row.why.endswith("our proof only")
        comparison = any(sign in row.line for sign in ("<", ">", "iff"))
        if row.slug in lines_table.LOGISTIC:
            assert row.sympy is Answer.CONFIRMED or (ours_alone and comparison), told


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_a_second_opinion_in_floats_refutes_no_line(
    slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, recorder in recorded(slug, monkeypatch):
        for step in recorder.steps:
            assert was_tried(step), (name, step.given)
            assert not is_refuted(step), f"{name}: {step.lhs} {step.relation} {step.rhs}"


# ------------------------------------------------------------------------------ mutations


class _Mutation(ast.NodeTransformer):
    """Changes one place of an expression: the `target`-th at which `change` applies."""

    def __init__(self, change: Callable[[ast.AST], ast.AST | None], target: int) -> None:
        self.change, self.target, self.seen = change, target, 0

    def visit(self, node: ast.AST) -> ast.AST:
        changed = self.change(node)
        if changed is not None:
            self.seen += 1
            if self.seen == self.target + 1:
                return changed
        return self.generic_visit(node)


def _flip_sign(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        other = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
        return ast.BinOp(node.left, other, node.right)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return node.operand
    return None


def _double_a_factor(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.MatMult):
        return ast.BinOp(ast.Constant(2), ast.Mult(), node)
    return None


def _shift_an_index(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        other = 1 if node.slice.value != 1 else 2
        return ast.Subscript(node.value, ast.Constant(other), ast.Load())
    return None


def _whole_sign(text: str) -> str:
    return f"-({text})"


def mutants(step: Step) -> Iterator[Step]:
    """One sign, one factor, one index: the first place of each kind, and the sign of the whole."""
    if step.relation == "iff":
        return
    seen = {ast.unparse(ast.parse(step.rhs, mode="eval"))}
    for change in (_flip_sign, _double_a_factor, _shift_an_index):
        for target in (0, 1):
            mutation = _Mutation(change, target)
            text = ast.unparse(mutation.visit(ast.parse(step.rhs, mode="eval")))
            if mutation.seen > target and text not in seen:
                seen.add(text)
                yield step.with_rhs(text)
    if step.relation == "==" and step.rhs not in ("0", "zeros(2)", "zeros(3)"):
        yield step.with_rhs(_whole_sign(step.rhs))


CAUGHT = {Status.REFUTED, Status.DOMAIN, Status.INVALID}


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_every_false_mutant_of_a_line_is_caught(
    slug: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A mutant is false when the second opinion in floats refutes it."""
    caught, missed, equal = 0, [], 0
    for name, recorder in recorded(slug, monkeypatch):
        for step in recorder.steps:
            for mutant in mutants(step):
                if not is_refuted(mutant):
                    equal += 1
                    continue
                answer = verdict(mutant.lhs, mutant.rhs, **mutant.arguments())
                if answer.status in CAUGHT:
                    caught += 1
                else:
                    missed.append(f"{name}: {mutant.lhs} {mutant.relation} {mutant.rhs}: {answer}")
    with capsys.disabled():
        total = caught + len(missed)
        print(f"\n{slug}: {caught} of {total} mutants caught ({equal} mutants are no mistake)")
    assert not missed, "\n".join(missed)
