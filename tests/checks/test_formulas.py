"""Formulas in hints and messages: LaTeX for the notebook, plain signs for a line of text."""

import pytest

from lectures_lib.chapters import CHAPTERS
from lectures_lib.checks.registry import all_exercises, find, tries_of
from lectures_lib.checks.telling.formulas import plain
from lectures_lib.checks.telling.hints import Hints


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (r"the margin is $\le 0$", "the margin is ≤ 0"),
        (r"$R^2=\max\|(1,x)\|^2$", "R² = max‖(1,x)‖²"),
        (r"$\frac{1}{N}\sum_i\max(-m_i,0)$", "1/NΣᵢmax(−mᵢ,0)"),
        (r"$\frac{a+b}{\|w\|}$", "(a+b)/‖w‖"),
        (r"$\log(1+e^{-m})$", "log(1+e^(−m))"),
        (r"$w^{*T}w^{(t)}\ge t\,\eta\,\gamma$", "w*ᵀw⁽ᵗ⁾ ≥ t η γ"),
        (r"$\alpha_i\leftarrow\alpha_i+1$", "αᵢ ← αᵢ+1"),
        (r"$\sqrt{t}$ and $\sqrt{1+t}$", "√t and √(1+t)"),
        ("5 dollars", "5 dollars"),
    ],
)
def test_a_formula_is_written_in_plain_signs(words: str, text: str) -> None:
    assert plain(words) == text


def test_every_formula_of_the_course_can_be_written_as_text() -> None:
    words: list[str] = []
    for exercise in (*all_exercises(), *(one for c in CHAPTERS for one in tries_of(c.slug))):
        words += [*exercise.hints, exercise.remark, exercise.question]
        words += [slip.message for slip in exercise.slips]
        for part in exercise.parts:
            for one in (*getattr(part, "choices", ()), *getattr(part, "foreseen", ())):
                words += [getattr(one, "text", ""), one.why]
    formulas = [plain(text) for text in words if "$" in text]
    assert len(formulas) >= 10
    assert not [text for text in formulas if set("$\\{}") & set(text)]


def test_a_hint_is_set_in_a_notebook_and_plain_as_text() -> None:
    hints = Hints(find("perceptron.losses"), 2)._repr_mimebundle_()
    assert r"$\max(1-m,0)$" in hints["text/html"]
    assert "Hinge: max(1−m,0)." in hints["text/plain"]
