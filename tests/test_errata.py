"""The ledger of the notes' mistakes: complete, readable, and every check able to fail."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from lectures_lib.__main__ import main
from lectures_lib.chapters import CHAPTERS
from lectures_lib.concordance import table as concordance_table
from lectures_lib.errata import (
    LEDGER,
    NOTES,
    SEVERITIES,
    Check,
    Finding,
    check_erratum,
    checks,
    errata,
    erratum,
)
from lectures_lib.errata._ledger import LEDGER_FILE, LedgerError, read
from lectures_lib.errata.plain import plain

WITH_CHECK = [entry.id for entry in LEDGER if not entry.text_only]
SIMULATIONS = {"E0-17", "E0-20", "E0-23", "E3-22"}  # the checks that draw many samples

# Counted by hand from the notes.
PER_NOTE = {"000": 25, "001": 13, "002": 14, "003": 25, "004": 28, "across": 4}
PER_SEVERITY = {"wrong": 33, "misleading": 30, "typo": 25, "inconsistent": 21}
TEXT_ONLY = 15


# ---------------------------------------------------------------------------- the ledger's text

ENTRY = """E0-02 wrong, decision_theory, A022 A037: an example
  printed: $P=0.446$
  right: it is
    $0.447$
  why: A digit.
"""


def test_an_entry_is_read_as_it_is_written() -> None:
    (found,) = read(f"# a remark\n\n{ENTRY}  for: p: positive\n  false: p < 0\n  true: p > 0")
    assert (found.entry.id, found.entry.note, found.entry.items) == (
        "E0-02",
        "000",
        ("A022", "A037"),
    )
    assert (found.entry.corrected, found.entry.place) == ("it is $0.447$", "an example")
    assert found.asked == (("for", "p: positive"), ("false", "p < 0"), ("true", "p > 0"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("wrong,", "funny,", "line 1: expected `E0-01 KIND"),
        ("E0-02", "E5-02", "line 1: expected"),
        ("  right", "  left", "line 3: expected `  right: "),
        ("  why: A digit.", "  why: A digit.\n  false: 1 > 2", "line 1: expected printed"),
        (
            "  why: A digit.",
            "  why: A digit.\n  also: B",
            "line 6: expected `  false or for",
        ),
        ("  why: A digit.\n", "", "line 1: expected printed, right, why"),
    ],
)
def test_what_cannot_be_read_in_the_ledger_names_its_line(old: str, new: str, message: str) -> None:
    with pytest.raises(LedgerError, match=re.escape(f"{LEDGER_FILE.name}, {message}")):
        list(read(ENTRY.replace(old, new)))


# ---------------------------------------------------------------------------- the entries


def test_the_entries_are_counted_by_note_and_severity_and_numbered_without_a_gap() -> None:
    assert len(LEDGER) == len(errata()) == sum(PER_NOTE.values())
    assert Counter(entry.severity for entry in LEDGER) == PER_SEVERITY
    assert set(PER_SEVERITY) == set(SEVERITIES)
    for letter, (note, count) in zip("01234X", PER_NOTE.items(), strict=True):
        ids = [entry.id for entry in LEDGER if entry.note == note]
        assert ids == [f"E{letter}-{number:02d}" for number in range(1, count + 1)]
        assert len(errata(note=note)) == count


def test_chapters_and_items_exist() -> None:
    slugs = {chapter.slug for chapter in CHAPTERS}
    items = {item.id: item for item in concordance_table()}
    for entry in LEDGER:
        assert entry.chapter in slugs
        assert entry.items, entry.id
        for name in entry.items:
            assert name in items, (entry.id, name)
            assert entry.note in ("across", items[name].note) or entry.id == "E1-06"


def test_an_entry_can_stand_in_a_markdown_table_and_in_plain_text() -> None:
    for entry in LEDGER:
        for text in (entry.place, entry.printed, entry.corrected, entry.why):
            assert text.strip(), entry.id
            assert text.count("$") % 2 == 0, text
            assert not re.search(r"[|\n]", text), f"it would end the cell: {text}"
            assert not re.search(r"[\\$]", plain(text)), plain(text)
            for formula in re.findall(r"\$(.*?)\$", text):
                assert formula.count("{") == formula.count("}"), formula
        assert entry.printed != entry.corrected, entry.id
        assert len(entry.why) < 180, entry.id


def test_plain_text_of_formulas() -> None:
    assert plain(r"$\frac{a+b}2$ and $\sqrt t\,\gamma/R$") == "(a+b)/2 and √t γ/R"
    assert plain(r"$\sum_{i=1}^nx_i\le\lVert w\rVert^2$") == "Σ_(i = 1)^n x_i ≤ ‖w‖^2"
    assert plain("*log-odds* of $y\\in\\{0,1\\}$") == "log-odds of y ∈ {0,1}"


# ----------------------------------------------------------------------------- the checks


def test_every_entry_but_those_of_text_has_a_check() -> None:
    assert set(checks()) == set(WITH_CHECK)
    assert len(WITH_CHECK) == len(LEDGER) - TEXT_ONLY


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.slow) if n in SIMULATIONS else n for n in WITH_CHECK],
)
def test_the_printed_form_fails_and_the_corrected_form_holds(name: str) -> None:
    result = check_erratum(name)
    assert result.printed_fails is True, result.printed.evidence
    assert result.corrected_holds is True, result.corrected.evidence
    assert len(result.evidence) > 30
    assert "UNDECIDED" not in result.evidence


@pytest.mark.parametrize("name", ["E0-13", "E1-02", "E2-08", "E4-23", "E4-25"])
def test_the_evidence_is_the_same_every_time(name: str) -> None:
    assert repr(check_erratum(name)) == repr(check_erratum(name))


def exchanged_forms(check: Check[Any]) -> Check[Any]:
    return Check(check.corrected, check.printed, check.judge)


def test_a_check_of_equal_or_exchanged_forms_cannot_pass() -> None:
    for holds in (True, False):
        assert not Check(1, 1, lambda form, holds=holds: Finding(holds, "")).run().passed
    exchanged = exchanged_forms(checks()["E0-02"]).run()
    assert not exchanged.printed_fails
    assert not exchanged.corrected_holds


def test_a_text_entry_says_that_there_is_nothing_to_compute() -> None:
    with pytest.raises(ValueError, match="E4-24"):
        check_erratum("E4-24")


# ----------------------------------------------------------- the numbers, from elsewhere
#
# The values that the errata state, computed here with SciPy, scikit-learn or by hand.


@pytest.mark.slow
def test_efron_s_curve_has_the_published_values() -> None:
    """Extra data in percent at Δ = 1, 1.5, ..., 4, integrated with SciPy."""
    from scipy.integrate import quad
    from scipy.stats import norm

    from lectures_lib.errata.checks_003 import _efron

    for delta, percent in zip(
        (1, 1.5, 2, 2.5, 3, 3.5, 4), (0, 3, 11, 27, 56, 106, 192), strict=True
    ):

        def integrand(x: float, delta: float = delta) -> float:
            a, b = norm.pdf(x, delta / 2), norm.pdf(x, -delta / 2)
            return a * b / (a + b) / 2

        information, _ = quad(integrand, -20, 20)
        extra = 100 * (1 / ((4 + delta**2) * information) - 1)
        assert _efron(delta) == pytest.approx(extra, abs=1e-6)
        assert abs(extra - percent) < 0.7


@pytest.mark.slow
def test_newton_of_the_judges_finds_the_fit_of_scikit_learn() -> None:
    import numpy as np
    from sklearn.linear_model import LogisticRegression

    from lectures_lib.errata._judges import newton_logistic, with_ones
    from lectures_lib.errata.checks_002 import SEVEN_X, SEVEN_Y

    peer = LogisticRegression(C=np.inf, tol=1e-10).fit(SEVEN_X[:, None], SEVEN_Y)
    ours = newton_logistic(with_ones(SEVEN_X), SEVEN_Y, steps=20)
    assert ours == pytest.approx([peer.intercept_[0], peer.coef_[0, 0]], rel=1e-4)
    assert peer.score(SEVEN_X[:, None], SEVEN_Y) == pytest.approx(4 / 7)


def test_the_four_thresholds_have_the_stated_errors() -> None:
    from scipy.stats import norm

    from lectures_lib.errata.checks_004 import _bayes_threshold, _error

    for cut, stated in ((0.8, 0.382), (0.0, 0.159), (-0.8, 0.074), (_bayes_threshold(0.9), 0.070)):
        exact = 0.9 * norm.cdf(cut - 1) + 0.1 * norm.sf(cut + 1)
        assert _error(cut, 0.9) == pytest.approx(exact)
        assert abs(exact - stated) < 5e-4


# ----------------------------------------------------------------------------- the tables


def test_a_chapter_s_table_names_its_entries_only() -> None:
    table = errata("logistic_model")
    assert {entry.chapter for entry in table} == {"logistic_model"}
    assert len(table) == 6
    assert repr(table).startswith("E1-05  inconsistent: note 001, slide with the logistic neuron\n")
    assert repr(errata("08_logistic_model")) == repr(table)
    shown = table._repr_markdown_()
    assert shown.count("\n- Right is: ") == shown.count("\n- Why: ") == 6
    assert "|--" not in shown, "a narrow page would cut a table"
    assert repr(errata("land_cover")) == "No errata here."


def test_one_entry_is_found_by_its_id() -> None:
    assert erratum("e0-07").id == "E0-07"
    with pytest.raises(ValueError, match=r"'E9-01'.*E0-01.*EX-04"):
        erratum("E9-01")
    with pytest.raises(ValueError, match="chapter 'nonsense'"):
        errata("nonsense")
    with pytest.raises(ValueError, match="note '9'"):
        errata(note="9")


def test_an_entry_and_a_result_show_themselves() -> None:
    entry = erratum("E4-25")
    assert repr(entry).splitlines()[1].strip().startswith("printed: F_m = ((m+1)RP)/(R+mP)")
    assert entry._repr_markdown_().startswith("**E4-25** (misleading; note 004, (98))")
    lines = repr(check_erratum("E0-02")).splitlines()
    assert lines[0].startswith("The printed form fails: 0.446 against 21/47 = 0.44681")
    assert lines[1].startswith("The corrected form holds: 0.447")


def test_the_notes_are_named_with_title_and_author() -> None:
    text = errata().markdown()
    for note in NOTES:
        assert note.title in text
        assert note.author in text
    counts = ", ".join(f"{PER_SEVERITY[severity]} {severity}" for severity in SEVERITIES)
    assert f"{len(LEDGER)} entries: {counts}." in text


# ---------------------------------------------------------------------------- the command


def _schema() -> dict[str, Any]:
    path = files("lectures_lib.errata").joinpath("schema.json")
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


def test_the_json_export_meets_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["errata", "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(_schema())
    jsonschema.validate(record, _schema())
    assert len(record["errata"]) == len(LEDGER)
    del record["errata"][0]["why"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(record, _schema())


def test_the_json_export_with_checks_meets_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["errata", "--format", "json", "--check", "--chapter", "metrics"]) == 0
    captured = capsys.readouterr()
    record = json.loads(captured.out)
    jsonschema.validate(record, _schema())
    ended = {entry["id"]: entry["check"] for entry in record["errata"]}
    assert ended["E4-24"] is None
    assert ended["E4-25"]["printed_fails"]
    assert captured.err == "1 of 1 checks passed.\n"


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["errata", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == _schema()


def test_the_command_writes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mistakes.md"
    assert main(["errata", "--format", "markdown", "--note", "003", "-o", str(path)]) == 0
    assert capsys.readouterr().out == ""
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# Errata of five lecture notes\n\n25 entries")
    assert "Martín Onetto" in text


def test_the_command_prints_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["errata", "--chapter", "fisher"]) == 0
    out = capsys.readouterr().out
    assert "Classificação Linear" in out
    assert "E4-10  misleading: note 004, 5.1, second heuristic" in out


@pytest.mark.parametrize("words", [["--chapter", "nonsense"], ["--note", "9"]])
def test_a_wrong_argument_gets_a_message_and_code_2(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["errata", *words]) == 2
    assert words[1] in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["errata", "-o", str(tmp_path / "no" / "such.md")]) == 2
    assert "such.md" in capsys.readouterr().err


def test_a_failing_check_is_reported_with_code_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    swapped = {name: exchanged_forms(check) for name, check in checks().items()}
    monkeypatch.setattr(sys.modules[checks.__module__], "checks", lambda: swapped)
    assert main(["errata", "--chapter", "perceptron_convergence", "--check"]) == 1
    assert "failed: E0-10, " in capsys.readouterr().err
