"""The glossary: complete, in order, short, and found from any of its four languages."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from lectures_lib.__main__ import main
from lectures_lib.chapters import CHAPTERS, is_draft
from lectures_lib.errata.plain import plain
from lectures_lib.glossary import Entry, glossary, table
from tests.conftest import ROOT

START_HERE = Path(__file__).parents[1] / "notebooks" / "00_start_here.ipynb"


def notation() -> list[tuple[str, str]]:
    """Meaning and formula of each row of the notation table in the first notebook."""
    cells = json.loads(START_HERE.read_text(encoding="utf-8"))["cells"]
    text = next("".join(c["source"]) for c in cells if c.get("id") == "notation")
    rows = re.findall(r"^\| (.+?) \| (.+) \|$", text, re.MULTILINE)
    return [row for row in rows if row[0] != "meaning"]


def named(word: str) -> Entry:
    """The one entry that has this word as its term or as an English synonym."""
    (found,) = [entry for entry in table() if word in (entry.term, *entry.also)]
    return found


def test_the_notation_table_is_read() -> None:
    assert len(notation()) >= 11
    assert ("number of examples", "$N$, `len(X)`") in notation()


@pytest.mark.parametrize(("meaning", "formula"), notation())
def test_a_term_of_the_notation_table_has_its_four_words(meaning: str, formula: str) -> None:
    entry = named(meaning)
    assert entry.spanish
    assert entry.italian
    assert entry.portuguese
    if "$" in formula:
        assert entry.symbol in formula, f"{entry.symbol} is not the symbol of 00: {formula}"


@pytest.mark.parametrize("entry", table(), ids=lambda entry: entry.term)
def test_an_entry_is_complete_and_short(entry: Entry) -> None:
    assert all(entry.names), "an empty name"
    assert entry.spanish
    assert entry.italian
    assert entry.portuguese
    assert all(name == name.strip() == unicodedata.normalize("NFC", name) for name in entry.names)
    assert entry.chapter in {c.slug for c in CHAPTERS}
    assert 20 <= len(entry.definition) <= 200
    assert entry.definition.endswith(".")
    assert not re.search(r"\b(clearly|simply|obviously|just)\b|!", entry.definition)
    assert entry.definition.count("$") % 2 == 0
    assert "\\" not in plain(f"${entry.symbol}$"), "a LaTeX command that the terminal cannot show"


def test_there_are_120_terms_or_more_in_alphabetical_order_and_none_twice() -> None:
    terms = [entry.term for entry in table()]
    assert len(terms) >= 120
    assert terms == sorted(terms, key=str.casefold)
    english = Counter(name.casefold() for entry in table() for name in {entry.term, *entry.also})
    assert english.most_common(1)[0][1] == 1, english.most_common(3)
    definitions = Counter(entry.definition for entry in table())
    assert definitions.most_common(1)[0][1] == 1


def test_every_chapter_is_named() -> None:
    told = {entry.chapter for entry in table()}
    drafts = {c.slug for c in CHAPTERS if is_draft(ROOT / "notebooks" / f"{c.stem}.ipynb")}
    without = {c.slug for c in CHAPTERS} - {"start_here"} - drafts - told
    assert not without, f"add a word of these chapters to lectures_lib/glossary.csv: {without}"
    assert told <= {c.slug for c in CHAPTERS} - {"start_here"}


def test_accents_that_spelling_rules_ask_for_are_there() -> None:
    """Endings that always carry an accent: -ción, -sión (es), -ità (it), -ção, -são (pt)."""
    for entry in table():
        for word in " ".join(entry.spanish).split():
            assert not re.search(r"[cs]ion$", word), word
        for word in " ".join(entry.italian).split():
            assert not re.search(r"(al|ar|ic|il|iv)ita$", word), word
        for word in " ".join(entry.portuguese).split():
            assert not re.search(r"[cs]ao$", word), word


@pytest.mark.parametrize(
    ("word", "term"),
    [
        ("margin", "margin"),
        ("Margen", "margin"),
        ("margine", "margin"),
        ("verosimilitud", "likelihood"),
        ("verosimiglianza", "likelihood"),
        ("verossimilhança", "likelihood"),
        ("verossimilhanca", "likelihood"),
        ("umbral", "threshold"),
        ("soglia", "threshold"),
        ("limiar", "threshold"),
        ("learning rate", "step size"),
        ("SVM", "support vector machine"),
    ],
)
def test_a_word_of_any_language_finds_the_entry(word: str, term: str) -> None:
    assert [entry.term for entry in glossary(word)] == [term]


def test_a_part_of_a_word_finds_all_that_contain_it() -> None:
    found = {entry.term for entry in glossary("scatter")}
    assert {"between-class scatter", "within-class scatter", "total scatter"} <= found
    assert len(glossary()) == len(table())


def test_an_unknown_word_is_answered_with_near_ones() -> None:
    with pytest.raises(ValueError, match="Did you mean margin"):
        glossary("marjin")
    with pytest.raises(ValueError, match=r"like 'xyzzy'\.$"):
        glossary("xyzzy")


def test_an_entry_shows_itself_as_text_and_as_markdown() -> None:
    (entry,) = glossary("bias")
    assert repr(entry).startswith("bias, w_0 (also intercept): The number added to w·x.")
    assert "Spanish: sesgo" in repr(entry)
    assert "[Chapter 03](03_linear_discriminants.ipynb)" in entry._repr_markdown_()
    assert "**bias**, $w_0$ (also intercept): " in glossary("bias")._repr_markdown_()


def test_the_command_explains_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["glossary", "taxa", "de", "aprendizado"]) == 0
    assert capsys.readouterr().out.startswith("step size, η")
    assert main(["glossary", "xyzzy"]) == 2
    assert "lectures glossary: The glossary has no word" in capsys.readouterr().err
