"""The glossary: complete, in order, short, and found from any of its four languages."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from lectures_lib.__main__ import main
from lectures_lib.chapters import CHAPTERS, Chapter, is_draft
from lectures_lib.errata.plain import plain
from lectures_lib.glossary import Entry, glossary, table
from tests.conftest import ROOT


def notation() -> list[tuple[str, str]]:
    """Meaning and formula of each row of the notation table in the first notebook."""
    start_here = ROOT / "notebooks" / "00_start_here.ipynb"
    cells = json.loads(start_here.read_text(encoding="utf-8"))["cells"]
    text = next("".join(c["source"]) for c in cells if c.get("id") == "notation")
    rows = re.findall(r"^\| (.+?) \| (.+) \|$", text, re.MULTILINE)
    return [row for row in rows if row[0] != "meaning"]


def test_the_notation_table_is_read() -> None:
    assert len(notation()) >= 11
    assert ("number of examples", "$N$, `len(X)`") in notation()


@pytest.mark.parametrize(("meaning", "formula"), notation())
def test_a_term_of_the_notation_table_is_explained_with_its_symbol(
    meaning: str, formula: str
) -> None:
    (entry,) = [entry for entry in table() if meaning in (entry.term, *entry.also)]
    if "$" in formula:
        assert entry.symbol in formula, f"{entry.symbol} is not the symbol of 00: {formula}"


@pytest.mark.parametrize("entry", table(), ids=lambda entry: entry.term)
def test_an_entry_is_complete_and_short(entry: Entry) -> None:
    assert all(entry.names), "an empty name"
    assert all((entry.spanish, entry.italian, entry.portuguese))
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
    without = {c.slug for c in CHAPTERS} - drafts - told
    assert not without, f"add a word of these chapters to lectures_lib/glossary.csv: {without}"


OTHER_SENSES = {
    ("bias", "is **bias**"): "explained there: how far the average fit is off",
    ("identifier", "arrow keys"): "of the keyboard",
    ("kernel", "restart of the kernel"): "what runs the cells",
    ("temperature", "the temperature sets"): "that of physics",
    ("threshold", "Spanish for *threshold*"): "shown as an entry of the glossary",
    ("trace", "without a trace"): "a sign left behind",
}


def sentences(notebook: Path) -> Iterator[str]:
    """The sentences of the text, links kept, without headings, formulas and code."""
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "markdown" and cell["id"] != "notation":  # a table to look up
            text = re.sub(r"(?m)^#.*$", "", "".join(cell["source"]))
            text = re.sub(r"(?s)\$\$.*?\$\$|\$[^$]*\$|`[^`]*`", "~", text)
            # a title such as "LDA: a sketch" in a link ends no sentence
            text = re.sub(r"\[[^\]]*\]\(", lambda link: re.sub(r"(?<=[.?:])\s", "", link[0]), text)
            for part in re.split(r"\n\s*\n|\n(?=- |\d+\. )", text):
                yield from re.split(r"(?<=[.?:])\s+(?=[A-Z*])", " ".join(part.split()))


def unexplained(entry: Entry, chapters: Iterable[tuple[Chapter, list[str]]]) -> Iterator[str]:
    """Uses of a word before its chapter, unless a sentence with a link there came first.

    What a chapter asks for under *Before you start* is known from there on.
    """
    names = "|".join(rf"{re.escape(n)}(e?s)?" for n in (entry.term, *entry.also))
    flags = re.IGNORECASE if len(entry.term) > 4 else 0
    for chapter, said in chapters:
        if chapter.slug == entry.chapter:
            return
        for sentence in said:
            words = re.sub(r"\]\([^)]*\)", "]", sentence)
            if not re.search(rf"(?<![\w-])({names})(?![\w-])", words, flags):
                continue
            if sentence.startswith("**Before you start:**"):
                return
            if entry.chapter in sentence:
                break
            if any(entry.term == term and phrase in sentence for term, phrase in OTHER_SENSES):
                continue
            yield f"{entry.term}, explained in {entry.chapter}; {chapter.slug} says: {sentence}"


def course() -> list[tuple[Chapter, list[str]]]:
    """What each chapter says, then what its exercises ask."""
    both = [
        [ROOT / part / f"{c.stem}.ipynb" for part in ("notebooks", "solutions")] for c in CHAPTERS
    ]
    return [
        (c, [sentence for path in paths if path.exists() for sentence in sentences(path)])
        for c, paths in zip(CHAPTERS, both, strict=True)
    ]


def test_no_word_is_used_before_it_is_explained() -> None:
    told = course()
    early = [use for entry in table() for use in unexplained(entry, told)]
    assert not early, "explain the word, link the chapter or say it otherwise:\n" + "\n".join(early)


def test_a_word_in_a_text_before_its_chapter_is_found() -> None:
    (word,) = glossary("kappa")
    first, said = CHAPTERS[0], "Its kappa is 0.8."
    assert list(unexplained(word, [(first, [said])])) == [
        f"Cohen's kappa, explained in metrics; start_here says: {said}"
    ]
    linked = "The kappa of [chapter 17](17_metrics.ipynb) is 0.8."
    assert not list(unexplained(word, [(first, [linked, said])]))


def test_accents_that_spelling_rules_ask_for_are_there() -> None:
    """Endings that always carry an accent: -ción, -sión (es), -ità (it), -ção, -são (pt)."""
    bare = {"spanish": r"[cs]ion$", "italian": r"(al|ar|ic|il|iv)ita$", "portuguese": r"[cs]ao$"}
    for entry in table():
        for language, ending in bare.items():
            for word in " ".join(getattr(entry, language)).split():
                assert not re.search(ending, word), word


@pytest.mark.parametrize(
    ("words", "term"),
    [
        ("margin Margen margine", "margin"),
        ("verosimilitud verosimiglianza verossimilhança verossimilhanca", "likelihood"),
        ("umbral soglia limiar", "threshold"),
        ("SVM", "support vector machine"),
    ],
)
def test_a_word_of_any_language_finds_the_entry(words: str, term: str) -> None:
    for word in words.split():
        assert [entry.term for entry in glossary(word)] == [term]


def test_a_part_of_a_word_finds_all_that_contain_it() -> None:
    found = {entry.term for entry in glossary("scatter")}
    assert {"between-class scatter", "within-class scatter", "total scatter"} <= found
    assert len(glossary()) == len(table())


def test_the_nearer_of_two_ways_to_find_a_word_wins() -> None:
    assert [entry.term for entry in glossary("log loss")] == ["cross-entropy"]
    assert "cross-entropy" not in [entry.term for entry in glossary("ROC")]  # Italian: incrociata
    assert "eigenvector" in [entry.term for entry in glossary("envector")]


def test_an_unknown_word_is_answered_with_near_ones_one_of_each_entry() -> None:
    with pytest.raises(ValueError, match=r"'marjin'\. Did you mean margin\?$"):
        glossary("marjin")
    with pytest.raises(ValueError, match=r"'xyzzy'\.$"):
        glossary("xyzzy")


def test_an_entry_shows_itself_as_text_and_as_markdown() -> None:
    (entry,) = glossary("bias")
    assert repr(entry).startswith("bias, w_0 (also intercept): The number added to w·x.")
    assert "Spanish: sesgo" in repr(entry)
    assert "[Chapter 03](03_linear_discriminants.ipynb)" in entry._repr_markdown_()
    assert "**bias**, $w_0$ (also intercept): " in glossary("bias")._repr_markdown_()


def test_the_command_explains_a_word(capsys) -> None:
    assert main(["glossary", "taxa", "de", "aprendizado"]) == 0
    assert capsys.readouterr().out.startswith("step size, η")
    assert main(["glossary", "xyzzy"]) == 2
    assert "'xyzzy'" in capsys.readouterr().err
