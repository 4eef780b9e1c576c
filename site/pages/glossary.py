"""The glossary in four languages, with a search box over all of them."""

from __future__ import annotations

from builder.markdown import UP, entry, filter_box
from myst_parser.slugs import github_slugify

from lectures_lib.chapters import chapter
from lectures_lib.glossary import LANGUAGES, Entry, table

CODES = {"Spanish": "es", "Italian": "it", "Portuguese": "pt"}


def pages() -> dict[str, str]:
    """The one page of this module."""
    return {"reference/glossary.md": "\n".join([_head(), *_letters()])}


def _head() -> str:
    return f"""\
# Glossary

{len(table())} terms in English, {", ".join(LANGUAGES[:-1])} and {LANGUAGES[-1]}, each with its
symbol, the chapter that explains it, and a definition. In a notebook, `glossary("umbral")` finds
the same entries.

{filter_box(".entry", "Find a term in any of the four languages")}
"""


def _letters() -> list[str]:
    texts, letter = [], ""
    for term in table():
        if term.term[0].upper() != letter:
            letter = term.term[0].upper()
            texts.append(f"## {letter}\n")
        texts.append(entry(_text(term), name=f"term-{github_slugify(term.term)}"))
    return texts


def _text(term: Entry) -> str:
    symbol = f", ${term.symbol}$" if term.symbol else ""
    also = f" (also {', '.join(term.also)})" if term.also else ""
    words = "; ".join(
        f'{language}: <i lang="{CODES[language]}">{words}</i>'
        for language, words in term.translations
    )
    found = chapter(term.chapter)
    link = f"[chapter {found.number:02d}]({UP}notebooks/{found.stem}.ipynb)"
    return f"**{term.term}**{symbol}{also}. {term.definition}\n\n{words}. See {link}."
