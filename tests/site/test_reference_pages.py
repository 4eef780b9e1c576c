"""The pages of reference are complete, and computed from their sources."""

from __future__ import annotations

import re
from functools import cache

import pytest
from builder import docstrings, markdown
from builder import public as names
from builder.collected import collected_pages
from pages import derivations, library, promise

from lectures_lib.chapters import CHAPTERS
from lectures_lib.commands.derivations import texts
from lectures_lib.concordance import table
from lectures_lib.errata import LEDGER
from lectures_lib.glossary import table as terms
from lectures_lib.margin import soft_margin_objective
from tests.conftest import ROOT

ENTRY = ":::{container} entry"
pages = cache(collected_pages)


def test_every_erratum_has_its_forms_its_reason_and_its_place() -> None:
    text = pages()["reference/errata.md"]
    entries = text.split(ENTRY)[1:]
    assert len(entries) == len(LEDGER)
    for entry, erratum in zip(entries, LEDGER, strict=True):
        assert f":name: {erratum.id.lower()}\n" in entry
        for label in ("The notes say: ", "Right is: ", "Why: ", "Here: [chapter "):
            assert f"- {label}" in entry, erratum.id
    assert f"{len(LEDGER)} places" in text


def test_every_item_of_the_notes_leads_to_a_section() -> None:
    text = pages()["reference/concordance.md"]
    assert text.count(ENTRY) == len(table()) == 444
    (line,) = re.findall(r"^\*\*E072\*\*.*$", text, re.MULTILINE)
    assert "note 004, (31): [chapter 14, " in line
    assert "../notebooks/14_fisher.ipynb#" in line


def test_every_term_stands_on_the_page_in_four_languages() -> None:
    text = pages()["reference/glossary.md"]
    assert text.count(ENTRY) == text.count('<i lang="pt">') == len(terms())
    for word in ("verosimilitud", "verosimiglianza", "verossimilhança"):
        assert word in text


def test_every_derivation_stands_among_the_claims() -> None:
    text = pages()["reference/claims.md"]
    found = [placed for one in CHAPTERS[1:] for placed in texts(one.slug, ROOT)]
    assert text.count("\n| ") == len(found) + text.count("\n## ")
    assert f"{len(found)} derivations" in text
    (row,) = re.findall(r"^\| The score equations count \|.*$", text, re.M)
    cell, lines, confirmed = map(int, re.findall(r"\| (\d+) ", row))
    assert 0 < confirmed <= lines < cell


def test_every_public_name_has_a_heading_a_signature_and_a_line_in_the_index() -> None:
    index = pages()["reference/library/index.md"]
    for module, own in names.modules().items():
        text = pages()[f"reference/library/{module.rpartition('.')[2]}.md"]
        for name in own:
            assert f"\n## {name}\n" in text
            assert f"[`{name}`](" in index
            assert (f"```python\n{name}" in text) is callable(names.public(module, name)), name
            assert (name in library.CONSTANTS) is not callable(names.public(module, name)), name
        assert not re.search(r"^: *$", text, re.MULTILINE), "a name without explanation"


def test_two_names_that_differ_in_capitals_have_two_anchors() -> None:
    assert names.anchor("lectures_lib.errata", "Erratum") == "erratum"
    assert names.anchor("lectures_lib.errata", "erratum") == "erratum-1"


def test_a_signature_shows_defaults_and_no_types() -> None:
    told = names.signature("soft_margin_objective", soft_margin_objective)
    assert told == "soft_margin_objective(X, s, w, C=1.0) -> float"


def test_lists_of_a_docstring_become_definitions() -> None:
    text = docstrings.as_markdown(
        """A sum: of two.

        a      the first
               number
        b, c   others
        done_

        tie: what to do,
            if at all

        >>> 1 + 1
        2
        """
    )
    assert text.split("\n\n") == [
        "A sum: of two.",
        "`a`\n: the first number",
        "`b, c`\n: others",
        "`done_`\n: set by `fit`",
        "`tie`\n: what to do, if at all",
        "```pycon\n>>> 1 + 1\n2\n```",
    ]


def test_signs_of_markdown_are_escaped_outside_code() -> None:
    assert markdown.escaped("w_star * `x_1` < 2") == r"w\_star \* `x_1` \< 2"


def test_the_comparison_with_scikit_learn_names_what_differs() -> None:
    text = pages()["reference/scikit_learn.md"]
    part = text[text.index("## [LogisticRegression]") :]
    part = part[: part.index("\n## ", 3)]
    assert "`C` is `inf` here, `1.0` there" in part
    assert "`warm_start`" in part
    assert "Other than there, the default is no penalty" in part


def test_every_example_of_the_language_has_its_verdict() -> None:
    found = re.findall(r"^: ([A-Z]{6,}): ", pages()["reference/derivations.md"], re.MULTILINE)
    assert len(found) == len(derivations.EXAMPLES)
    assert {"PROVED", "REFUTED", "DOMAIN", "INVALID"} <= set(found)


def test_the_verdicts_of_every_table_of_steps_are_shown_and_none_is_wrong() -> None:
    assert set(promise.TABLES) == {path.name for path in promise.DATA.glob("truth_table*.txt")}
    text = pages()["reference/promise.md"]
    assert text.count(" 0 refused.") == text.count(" 0 believed.") == len(promise.TABLES)


def test_a_record_that_does_not_fit_its_table_stops_the_build(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = promise.steps
    monkeypatch.setattr(promise, "steps", lambda name: real(name) + real(name))
    with pytest.raises(ValueError, match=r"verdict_counts\.txt"):
        promise.pages()


def letters(text: str) -> str:
    return "".join(re.findall(r"\w", text.replace("_", "")))


def test_the_licences_the_data_and_the_notes_are_the_files_themselves() -> None:
    words = letters(pages()["about/licences.md"])
    for block in (ROOT / "LICENSE").read_text(encoding="utf-8").split("\n\n"):
        assert letters(block) in words, block
    data = (ROOT / "lectures_lib/datasets/SOURCES.md").read_text(encoding="utf-8")
    assert pages()["about/data.md"] == data
    for author in ("Ricardo Ñanculef", "Vincenzo Bonifaci", "Martín Onetto"):
        assert author in pages()["about/notes.md"]
