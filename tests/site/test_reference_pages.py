"""The pages of reference are complete, computed from their sources, and fit a phone."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from builder import docstrings, markdown
from builder import public as names
from builder.collected import collected_pages
from pages import concordance, derivations, errata, glossary, library, licences, promise
from pages import sklearn_differences as differences

from lectures_lib.concordance import table
from lectures_lib.errata import LEDGER
from lectures_lib.glossary import table as terms
from tests.conftest import ROOT

PAGES = collected_pages()
OWN = sorted(name for name in PAGES if name.startswith(("reference/", "about/")))


def page(name: str) -> str:
    return PAGES[name]


@pytest.mark.parametrize("name", OWN)
def test_headings_begin_with_one_title_and_skip_no_level(name: str) -> None:
    text = re.sub(r"```.*?```", "", page(name), flags=re.DOTALL)
    levels = [len(found) for found in re.findall(r"^(#+) ", text, re.MULTILINE)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("name", OWN)
def test_a_link_inside_the_site_leads_to_a_page_that_is_there(name: str) -> None:
    folder = ROOT / "site" / name.rpartition("/")[0]
    for target in re.findall(r"\]\(([^)\s#]+)(?:#[^)]*)?\)", page(name)):
        if "://" not in target:
            found = (folder / target).resolve().relative_to(ROOT / "site").as_posix()
            assert found in PAGES or (ROOT / found).is_file(), target


def test_every_erratum_has_its_forms_its_reason_and_its_place() -> None:
    text = page("reference/errata.md")
    entries = text.split(":::{container} entry")[1:]
    assert len(entries) == len(LEDGER) == 109
    for entry, erratum in zip(entries, LEDGER, strict=True):
        assert f":name: {erratum.id.lower()}\n" in entry
        for label in ("The notes say: ", "Right is: ", "Why: ", "Here: [chapter "):
            assert f"- {label}" in entry, erratum.id
    assert f"{len(LEDGER)} places" in text


def test_every_item_of_the_notes_leads_to_a_section() -> None:
    text = page("reference/concordance.md")
    assert text.count(":::{container} entry") == len(table()) == 444
    (line,) = re.findall(r"^\*\*E072\*\*.*$", text, re.MULTILINE)
    assert "note 004, (31): [chapter 14, " in line
    assert "../notebooks/14_fisher.ipynb#" in line


def test_every_term_stands_on_the_page_in_four_languages() -> None:
    text = page("reference/glossary.md")
    assert text.count(":::{container} entry") == len(terms())
    assert text.count('<i lang="pt">') == len(terms())
    for word in ("verosimilitud", "verosimiglianza", "verossimilhança"):
        assert word in text


def test_every_public_name_has_a_heading_a_signature_and_a_line_in_the_index() -> None:
    index = page("reference/library/index.md")
    for module, own in names.modules().items():
        text = page(f"reference/library/{module.rpartition('.')[2]}.md")
        for name in own:
            assert f"\n## {name}\n" in text
            assert f"[`{name}`](" in index
            assert name in library.CONSTANTS or f"```python\n{name}" in text
        assert not re.search(r"^: *$", text, re.MULTILINE), "a name without explanation"


def test_a_name_without_documentation_of_its_own_is_explained() -> None:
    for module, own in names.modules().items():
        for name in own:
            assert callable(names.public(module, name)) != (name in library.CONSTANTS), name


def test_two_names_that_differ_in_capitals_have_two_anchors() -> None:
    assert names.anchor("lectures_lib.errata", "Erratum") == "erratum"
    assert names.anchor("lectures_lib.errata", "erratum") == "erratum-1"


def test_a_signature_shows_defaults_and_no_types() -> None:
    from lectures_lib.margin import soft_margin_objective

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
    text = differences.pages()["reference/scikit_learn.md"]
    part = text[text.index("## [LogisticRegression]") :]
    part = part[: part.index("\n## ", 3)]
    assert "`C` is `inf` here, `1.0` there" in part
    assert "`warm_start`" in part
    assert "Other than there, the default is no penalty" in part


def test_the_examples_of_the_language_are_judged_and_not_typed() -> None:
    text = page("reference/derivations.md")
    source = (ROOT / "site/pages/derivations.py").read_text(encoding="utf-8")
    for status in ("PROVED", "REFUTED", "DOMAIN", "INVALID"):
        assert re.search(rf"^: {status}: ", text, re.MULTILINE)
        assert status not in source
    assert len(derivations.EXAMPLES) == len(re.findall(r"^: [A-Z]{6,}: ", text, re.MULTILINE))


@pytest.mark.parametrize("name", promise.TABLES)
def test_the_recorded_verdicts_are_as_many_as_the_steps_and_none_is_wrong(name: str) -> None:
    told = promise.recorded(name)
    for true, count in promise.steps(name).items():
        assert sum(n for (kind, _), n in told.items() if kind is true) == count
    assert not any(told[True, status] for status in promise.AGAINST)
    assert not any(told[False, status] for status in promise.FOR)


def test_every_table_of_steps_is_shown() -> None:
    assert set(promise.TABLES) == {path.name for path in promise.DATA.glob("truth_table*.txt")}


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
    made = licences.pages()
    words = letters(made["about/licences.md"])
    for block in (ROOT / "LICENSE").read_text(encoding="utf-8").split("\n\n"):
        assert letters(block) in words, block
    assert made["about/data.md"] == (ROOT / "lectures_lib/datasets/SOURCES.md").read_text("utf-8")
    for author in ("Ricardo Ñanculef", "Vincenzo Bonifaci", "Martín Onetto"):
        assert author in made["about/notes.md"]


def test_pages_do_not_share_a_name() -> None:
    made = [concordance, derivations, differences, errata, glossary, library, licences, promise]
    listed = [name for module in made for name in module.pages()]
    assert len(listed) == len(set(listed))
