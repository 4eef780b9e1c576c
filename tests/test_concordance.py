"""The table of everything the notes contain, and the notebooks' record of what they treat."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from lectures_lib import concordance
from lectures_lib.__main__ import main
from lectures_lib.chapters import CHAPTERS, is_draft
from lectures_lib.concordance import NotFoundInNotes, equation, items, missing, table, treated
from lectures_lib.errata import LEDGER
from tests.conftest import ROOT

NOTEBOOKS = ROOT / "notebooks"

# Counted by hand from the notes: items per note and kind, numbered equations per note.
EQUATIONS_PER_NOTE = {"000": 48, "001": 0, "002": 0, "003": 26, "004": 99}
KIND_ORDER = ("DEF", "THM", "EQ", "ALG", "WEX", "FIG", "CLM", "QST", "EXR", "RMK", "REF")
KINDS_PER_NOTE = {
    "000": (20, 5, 37, 5, 4, 17, 15, 1, 1, 7, 0),
    "001": (19, 3, 11, 7, 0, 6, 10, 4, 0, 2, 0),
    "002": (5, 0, 12, 1, 1, 0, 5, 3, 2, 6, 1),
    "003": (7, 1, 30, 2, 0, 0, 21, 7, 2, 3, 0),
    "004": (23, 7, 73, 2, 2, 20, 24, 2, 1, 6, 1),
}


def test_the_table_names_444_items_by_kind_and_each_once() -> None:
    assert len(table()) == 444
    for letter, (note, expected) in zip("ABCDE", KINDS_PER_NOTE.items(), strict=True):
        kinds = Counter(found.kind for found in table() if found.note == note)
        assert tuple(kinds[kind] for kind in KIND_ORDER) == expected
        ids = [found.id for found in table() if found.note == note]
        assert ids == [f"{letter}{number:03d}" for number in range(1, sum(expected) + 1)]


def test_each_of_the_173_numbered_equations_stands_in_one_item() -> None:
    assert sum(EQUATIONS_PER_NOTE.values()) == 173
    for note, count in EQUATIONS_PER_NOTE.items():
        keys = [key for found in table() if found.note == note for key in found.equations]
        assert sorted(int(key) for key in keys if key.isdigit()) == list(range(1, count + 1))


def test_each_item_belongs_to_one_chapter() -> None:
    assert sum(len(items(known.slug)) for known in CHAPTERS) == len(table())
    assert {found.chapter for found in table()} <= {known.slug for known in CHAPTERS}


def test_the_table_ships_no_sentence_of_the_notes() -> None:
    text = (Path(concordance.__file__).parent / "concordance.csv").read_text(encoding="utf-8")
    assert text.splitlines()[0] == "id,note,section,equation,kind,chapter"
    assert max(len(found.section) for found in table()) <= 70


def test_an_equation_is_found_by_its_note_and_number() -> None:
    assert equation("004", "31").id == "E072"
    assert equation("000", "(23)").id == "A086"
    assert equation("000", "Alg. 2").id == equation("000", "algorithm 2").id == "A097"


@pytest.mark.parametrize(
    ("note", "number", "message"),
    [
        ("004", "120", r"\(120\).* \(1\) to \(99\)"),
        ("000", "50", r"\(1\) to \(48\) and Alg. 1 and Alg. 2"),
        ("001", "3", "B001 to B062"),
        ("007", "1", "'007'.* 000, 001"),
    ],
)
def test_an_unknown_equation_is_answered_with_what_there_is(
    note: str, number: str, message: str
) -> None:
    with pytest.raises(NotFoundInNotes, match=message):
        equation(note, number)


def _write_notebook(folder: Path, stem: str) -> Path:
    def cell(kind: str, source: str, **ours: list[str]) -> dict[str, object]:
        return {"cell_type": kind, "metadata": {"lectures": ours} if ours else {}, "source": source}

    cells = [
        cell("markdown", "# The perceptron\n\nWhat you will be able to do."),
        cell("markdown", "## The rule\n\nA comment in code is no heading:\n```\n# no\n```"),
        cell("code", "# no heading either", items=["A050", "A051"]),
        cell("markdown", "### One update\n\nText", items=["A054"], errata=["E0-08"]),
        cell("code", "w + eta * s * x", items=["A050"]),
    ]
    path = folder / f"{stem}.ipynb"
    path.write_text(json.dumps({"cells": cells, "nbformat": 4}), encoding="utf-8")
    return path


def test_treated_names_the_nearest_heading_above_the_first_cell(tmp_path: Path) -> None:
    places = treated(_write_notebook(tmp_path, "04_perceptron"))
    assert {name: place.heading for name, place in places.items()} == {
        "A050": "The rule",
        "A051": "The rule",
        "A054": "One update",
        "E0-08": "One update",
    }


def test_missing_names_every_item_and_erratum_without_a_cell(tmp_path: Path) -> None:
    everything = set(missing("perceptron", tmp_path))
    assert {"A050", "A054", "B033", "E0-08", "EX-03"} <= everything
    assert len(everything) == 29 + 9
    _write_notebook(tmp_path, "04_perceptron")
    assert set(missing("perceptron", tmp_path)) == everything - {"A050", "A051", "A054", "E0-08"}


def test_where_names_notebook_and_section(tmp_path: Path, capsys, monkeypatch) -> None:
    (tmp_path / "notebooks").mkdir()
    _write_notebook(tmp_path / "notebooks", "04_perceptron")
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    for name in ("A054", "E0-08"):
        assert main(["where", name]) == 0
        assert "04_perceptron.ipynb, section “One update”" in capsys.readouterr().out
    assert main(["where", "004", "31"]) == 0
    assert "Chapter 14_fisher (Fisher's discriminant) will treat it" in capsys.readouterr().out


def test_where_finds_the_student_copies_in_work(tmp_path: Path, monkeypatch) -> None:
    copies = tmp_path / "work" / "notebooks"
    copies.mkdir(parents=True)
    _write_notebook(copies, "04_perceptron")
    for place in (tmp_path, tmp_path / "work", copies):
        monkeypatch.chdir(place)
        assert concordance.find_notebooks() == copies


def test_where_says_so_when_there_are_no_notebooks(capsys, monkeypatch) -> None:
    monkeypatch.setattr(concordance, "find_notebooks", lambda: None)
    assert main(["where", "A043"]) == 0
    assert "No notebooks were found" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["B500"], ["001", "3"], ["nonsense"], ["E9-99"]])
def test_where_answers_an_unknown_name_with_code_2(words: list[str], capsys) -> None:
    assert main(["where", *words]) == 2
    assert "lectures where: " in capsys.readouterr().err


def test_a_broken_notebook_is_named(tmp_path: Path) -> None:
    path = tmp_path / "04_perceptron.ipynb"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match=r"04_perceptron\.ipynb"):
        treated(path)


@pytest.mark.parametrize("known", CHAPTERS, ids=lambda known: known.stem)
def test_an_existing_notebook_treats_every_item_and_erratum_of_its_chapter(known) -> None:  # type: ignore[no-untyped-def]
    path = NOTEBOOKS / f"{known.stem}.ipynb"
    if not path.is_file() or is_draft(path):
        pytest.skip(f"{path.name} is not written yet, or a draft")
    left = missing(known.slug, NOTEBOOKS)
    assert not left, f"{path.name} treats none of: {', '.join(left)}"
    ids = {found.id for found in table()} | {entry.id for entry in LEDGER}
    assert set(treated(path)) <= ids, "no such item or erratum"
