"""The derivations of the course: every line verified, every mutated line caught."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from functools import cache

import pytest
import sympy

from lectures_lib.chapters import CHAPTERS, chapter, is_draft
from lectures_lib.commands.derivations import derivations, texts
from linecheck import Derivation
from linecheck.judge.verdicts import Status
from linecheck.second_judge.opinion import CONDITIONS, INEQUALITY, KINK, Answer
from tests import lines_table
from tests.conftest import ROOT
from tests.proof_oracle import is_refuted, was_tried
from tests.proof_recorder import Step, opinion_on, recorded
from tests.verdict_store import judged_once  # noqa: F401

pytestmark = pytest.mark.usefixtures("judged_once")

SLUGS = [chapter.slug for chapter in CHAPTERS[1:]]
QUICK = ("perceptron", "logistic_model", "metrics", "land_cover")  # the others are slow tests
BY_CHAPTER = [s if s in QUICK else pytest.param(s, marks=pytest.mark.slow) for s in SLUGS]

# The capstone uses what the others derived.
DERIVE_NOTHING = {"land_cover", "your_own_data"}

# What SymPy may leave open; an equation that it cannot show would be none of these.
OURS_ONLY = (INEQUALITY, KINK, CONDITIONS)


def _is_unfinished(slug: str) -> bool:
    notebook = ROOT / "notebooks" / f"{chapter(slug).stem}.ipynb"
    return not notebook.is_file() or is_draft(notebook)


@cache
def made(slug: str) -> tuple[Derivation, ...]:
    return derivations(slug)


# -------------------------------------------------------------------------- completeness


@pytest.mark.parametrize("slug", SLUGS)
def test_a_chapter_derives_each_of_its_steps(slug: str) -> None:
    """The steps of the course's map stand in the metadata of the cells that derive them."""
    named = set()
    for one in texts(slug):
        steps = one.metadata.get("lectures", {}).get("steps", [])
        assert steps, f"cell {one.id} does not say which step it is"
        named |= set(steps)
    assert named == set(range(1, len(named) + 1)), "steps are numbered from 1 without a gap"
    assert named or _is_unfinished(slug) or slug in DERIVE_NOTHING


@pytest.mark.parametrize("slug", BY_CHAPTER)
def test_every_line_has_a_reason(slug: str) -> None:
    for derivation in made(slug):
        assert derivation.title
        lines = derivation.lines
        assert lines, derivation.title
        assert all(line.because for line in lines), derivation.title


def test_the_first_page_has_a_chain_that_holds_and_one_that_fails() -> None:
    (shown,) = derivations("start_here")
    found = [verdict and verdict.status for verdict in shown.verdicts]
    assert found == [None, Status.PROVED, Status.PROVED, None, Status.REFUTED]


def test_an_unknown_chapter_is_named() -> None:
    assert derivations("18_land_cover") == ()
    with pytest.raises(ValueError, match="'nonsense'"):
        derivations("nonsense")


# ------------------------------------------------------------------------------- verdicts


@pytest.mark.parametrize("slug", BY_CHAPTER)
def test_every_line_is_proved(slug: str) -> None:
    lines = [line for derivation in made(slug) for line in derivation.lines]
    judged = [line for line in lines if line.verdict is not None]
    assert bool(judged) == (slug not in DERIVE_NOTHING)
    for line in judged:
        assert line.verdict.status is Status.PROVED, line
        assert line.verdict.holds, line


@pytest.mark.parametrize("slug", BY_CHAPTER)
def test_sympy_contradicts_no_line_and_confirms_the_equations(slug: str) -> None:
    rows = [row for derivation in made(slug) for row in lines_table.rows_of(slug, derivation)]
    for row in rows:
        assert row.sympy is Answer.CONFIRMED or row.why in OURS_ONLY, lines_table.told(row)
        if row.sympy is not Answer.CONFIRMED and slug in lines_table.LOGISTIC:
            assert any(sign in row.line for sign in ("<", ">", "iff")), lines_table.told(row)


def _number(name: str, at: int, symbols: Mapping[str, str]) -> sympy.Expr:
    """A number of the domain of a name."""
    base = name.partition("_")[0]
    domain = next((kind for names, kind in symbols.items() if base in names.split()), "")
    for kind, value in (("label01", 1), ("sign", -1), ("int", 1)):
        if domain.startswith(kind):
            return sympy.Integer(value)
    return sympy.Rational(at + 2, at + 7)


@pytest.mark.parametrize("slug", BY_CHAPTER)
def test_the_reader_can_go_on_with_every_line_that_sympy_was_asked_about(slug: str) -> None:
    """Both sides of an equation that it confirmed have the same value at a point of ours."""
    for derivation in made(slug):
        for k, (line, said) in enumerate(
            zip(derivation.lines, derivation.opinions, strict=True), start=1
        ):
            if said is None or said.why == CONDITIONS:
                continue
            left, right = derivation.sympy(k)
            asked = line.asked[0]
            if said.answer is Answer.CONFIRMED and asked.relation == "==" and not asked.given:
                gap = sympy.Matrix([left - right])
                symbols = sorted(gap.free_symbols, key=str)
                point = {one: _number(str(one), j, asked.symbols) for j, one in enumerate(symbols)}
                values = [complex(value) for value in gap.subs(point).evalf()]
                assert max(map(abs, values), default=0) < 1e-9, (derivation.title, k)


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_a_second_opinion_by_numbers_refutes_no_line(slug: str) -> None:
    for step in recorded(slug):
        assert was_tried(step), step
        assert not is_refuted(step), step


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


@cache
def false_mutants(slug: str) -> tuple[Step, ...]:
    """Mutants that the second opinion by numbers refutes; the others may be no mistake."""
    return tuple(one for step in recorded(slug) for one in mutants(step) if is_refuted(one))


@pytest.mark.deep
@pytest.mark.parametrize("slug", SLUGS)
def test_every_false_mutant_of_a_line_is_caught(slug: str) -> None:
    caught = (Status.REFUTED, Status.DOMAIN, Status.INVALID)
    found = {str(mutant): mutant.verdict() for mutant in false_mutants(slug)}
    assert not {line: str(one) for line, one in found.items() if one.status not in caught}


@pytest.mark.deep
@pytest.mark.parametrize("slug", SLUGS)
def test_sympy_confirms_no_false_mutant(slug: str) -> None:
    for mutant in false_mutants(slug)[::3]:
        assert opinion_on(mutant).answer is not Answer.CONFIRMED, mutant
