"""What is only true of this chapter: any file goes through it, and what it says of its own."""

import csv
import json
import tempfile
from functools import cache
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from lectures_lib.chapters import chapter
from lectures_lib.chapters.your_own_data import live, pictures
from lectures_lib.chapters.your_own_data.files import page, positive_rows, read_table
from lectures_lib.chapters.your_own_data.tries import FILLED, GAPS, PRICE
from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.datasets import load_titanic
from lectures_lib.figures import Curve, Points
from tests.conftest import ROOT
from tests.exercise_tests import ExerciseTests, cells

NOTEBOOK = ROOT / "notebooks" / f"{chapter('your_own_data').stem}.ipynb"
YOUR_LINE = "FILE, LABEL, POSITIVE, COSTS ="


def run(line: str | None = None, until: str | None = None, **scope) -> dict:
    """The names of the notebook after its code, with the reader's line in place of ours."""
    plt.switch_backend("agg")
    for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] != "code" or "interact(" in source or source.startswith("guess"):
            continue
        if cell["id"] == until:
            break
        if line and source.startswith(YOUR_LINE):
            source = f"{YOUR_LINE} {line}"
        exec(source, scope)
    plt.close("all")
    return scope


@cache
def ours() -> dict:
    """The notebook as it stands, up to the traps."""
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.chdir(folder)
        return run(until="trap-data")


# Files -------------------------------------------------------------------------------------------


def test_the_shipped_list_is_read_as_its_loader_reads_it() -> None:
    people, found = load_titanic(), ours()
    assert np.array_equal(found["y"], people.y)
    female, age, kind = people.X.T
    expected = np.column_stack([1 - female, age, kind == 2, kind == 3])
    np.testing.assert_array_equal(found["X"], expected)


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_marks_a_signature_and_words_for_empty_are_understood(tmp_path, mark) -> None:
    rows = [["a", "b b", "c"], ["1", "", "x, y; z"], [" 2.5 ", "NA", "?"], ["3", "-", "two\nlines"]]
    with (tmp_path / "it.csv").open("w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file, delimiter=mark).writerows(rows)
    found = read_table(tmp_path / "it.csv")
    assert found == {"a": ["1", "2.5", "3"], "b b": [""] * 3, "c": ["x, y; z", "", "two\nlines"]}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "found 0 rows"),
        ("a,b\n", "found 0 rows"),
        ("a,a\n1,2\n3,4\n", "none twice"),
        ("a\n1\n2\n", "a name for each column"),
        ("a,b\n1,2\n3\n", "row 3 has 1 cells, the first line 2"),
    ],
)
def test_what_is_no_table_is_told(tmp_path, text, told) -> None:
    (tmp_path / "it.csv").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=told):
        read_table(tmp_path / "it.csv")


def test_another_encoding_is_told(tmp_path) -> None:
    (tmp_path / "it.csv").write_bytes("a,b\nzürich,1\n".encode("latin-1"))
    with pytest.raises(ValueError, match="expected UTF-8"):
        read_table(tmp_path / "it.csv")


def test_a_label_that_is_not_there_is_told() -> None:
    table = {"a": ["x"] * 30 + ["y"] * 30, "b": ["1"] * 60}
    assert positive_rows(table, "a", "y").sum() == 30
    with pytest.raises(ValueError, match="no column 'c'; the columns are a, b"):
        positive_rows(table, "c", "y")
    with pytest.raises(ValueError, match=r"found 0 rows with 'Y' of 60.*Its values: x, y"):
        positive_rows(table, "a", "Y")
    with pytest.raises(ValueError, match="found 1 empty cells"):
        positive_rows({"a": [*table["a"], ""]}, "a", "y")


def test_a_page_holds_what_it_is_given_and_needs_no_other_file() -> None:
    html = page("<who>", {"found": {"a < b": "1 & 2"}}, {})
    assert "&lt;who&gt;" in html
    assert "<th>a &lt; b<td>1 &amp; 2" in html
    assert "http" not in html


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        'SHIPPED / "breast_cancer.csv", "diagnosis", "malignant", (1, 10)',
        'Path("mine.csv"), "paid", "no", (2, 1)',
    ],
)
def test_one_changed_line_carries_another_file_through(tmp_path, monkeypatch, line) -> None:
    """The second file has gaps in words, a constant column, and a word that occurs once."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    rows = [["paid", "town", "income", "same", "note"]]
    for i in range(150):
        income, town = rng.normal(), rng.choice(["north", "south", "NA"])
        paid = "yes" if income + rng.normal() > 0 else "no"
        rows.append(
            [paid, town, "" if i % 9 == 0 else f"{income:.2f}", "7", "once" if i == 3 else "-"]
        )
    with Path("mine.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=";").writerows(rows)
    found = run(line)
    assert found["chosen"] in found["MODELS"]
    html = (tmp_path / "report.html").read_text("utf-8")
    assert found["found"]["cost for each row"] in html
    assert html.count("<img") == 2


# What the chapter says ---------------------------------------------------------------------------


def test_nothing_of_new_rows_goes_into_their_preparation() -> None:
    prepared = ours()["prepared"]
    rng = np.random.default_rng(1)
    train, new = rng.normal(size=(30, 3)), rng.normal(size=(8, 3))
    train[3, 1] = new[2, 1] = np.nan
    Z, Z_new = prepared(train, new)
    one = [prepared(train, new[[i]])[1][0] for i in range(8)]
    np.testing.assert_allclose(Z_new, one)
    np.testing.assert_allclose(Z.mean(axis=0), 0, atol=1e-12)
    assert Z.shape[1] == 4


def test_the_sentences_below_the_outputs_hold() -> None:
    found = ours()
    X, y, p = found["X_train"], found["y_train"], found["P"]["LDA"].mean(axis=0)
    third = np.isnan(load_titanic().X[:, 1]) & (load_titanic().X[:, 2] == 3)
    assert third.sum() / 263 == pytest.approx(0.8, abs=0.02)  # "four of five" in the question
    near = (p > 0.6) & (p < 0.75)
    women = (X[:, 0] == 0) & (X[:, 3] == 1)
    assert women[near].mean() > 0.8
    assert y[women].mean() == pytest.approx(0.5, abs=0.05)
    for price in range(1, 21):
        bill = pictures.bills(y, p, np.array([1 / (1 + price)]), (1.0, float(price)))[0]
        assert (bill > np.mean(y == 0)) == (6 <= price <= 19), price


def test_the_bill_of_every_threshold_is_counted() -> None:
    rng = np.random.default_rng(2)
    y, p = rng.integers(0, 2, 60), rng.random(60).round(2)
    for cut, found in zip(pictures.CUTS, pictures.bills(y, p, pictures.CUTS, (1, 4)), strict=True):
        said = p >= cut - 1e-9
        assert found == pytest.approx((np.sum(said & (y == 0)) + 4 * np.sum(~said & (y == 1))) / 60)


def test_the_live_picture_says_what_is_drawn() -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 80)
    p = np.clip(0.5 * y + rng.random(80) / 2, 0, 1)
    widget = live.threshold(y, p, 4.0, ("no", "yes"))
    widget.cut, widget.miss = 0.3, 10.0
    false, missed = np.sum((p >= 0.3) & (y == 0)), np.sum((p < 0.3) & (y == 1))
    told, axes = widget.scene.describe(), [panel.y for panel in widget.scene.panels]
    widget.miss = 1.0
    assert axes == [panel.y for panel in widget.scene.panels], "axes stand still"
    widget.miss = 10.0
    assert f"threshold 0.30 gives {false} false alarms, {missed} misses" in told
    (curve,) = [c for c in widget.scene.marks(Curve) if len(c.x) == 101]
    ring, dot = widget.scene.marks(Points)
    assert ring.xy[0, 1] == pytest.approx(np.nanmin(curve.y))
    assert dot.xy[0, 1] == pytest.approx((false + 10 * missed) / 80)


@pytest.mark.parametrize(
    ("task", "answer"),
    [
        (GAPS, "b"),
        (PRICE, 1 / 5),
        (FILLED, lambda train, new: [
            [np.nanmedian(train[:, j]) if np.isnan(v) else v for j, v in enumerate(row)]
            for row in new
        ]),
    ],
    ids=lambda one: getattr(one, "id", ""),
)  # fmt: skip
def test_what_is_asked_inside_has_its_right_answers(task, answer) -> None:
    assert evaluate(task, (answer,)).status == "right"


def test_coins_look_clever_when_all_rows_choose_them() -> None:
    """The key of `your_own_data.chosen`, with scikit-learn."""
    shown, honest = [], []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        y, coins = rng.permutation(np.arange(100) % 2), rng.integers(0, 2, (100, 1000))
        best = np.argsort(-abs(np.corrcoef(coins.T, y)[-1, :-1]))[:20]
        model = LogisticRegression()
        shown.append(1 - cross_val_score(model, coins[:, best], y, cv=10).mean())
        honest.append(
            1
            - model.fit(coins[:, best], y).score(
                rng.integers(0, 2, (4000, 20)), rng.integers(0, 2, 4000)
            )
        )
    assert np.mean(shown) < 0.25
    assert np.mean(honest) == pytest.approx(0.5, abs=0.02)


def test_no_mistake_in_thirty_rows_says_what_the_report_says() -> None:
    assert (1 - 3 / 30) ** 30 < 0.05
    assert stats.binomtest(0, 30).proportion_ci(method="wilson").high == pytest.approx(
        0.11, abs=0.005
    )


# Exercises: right answers written in other ways --------------------------------------------------


def by_counts(word, y, fold):
    """Sums and counts of each word, less those of the own fold."""
    names, w = np.unique(word, return_inverse=True)
    k = np.unique(fold, return_inverse=True)[1]
    sums, counts = np.zeros((2, len(names), k.max() + 1))
    np.add.at(sums, (w, k), y)
    np.add.at(counts, (w, k), 1)
    other_sum = sums.sum(axis=1)[w] - sums[w, k]
    other = counts.sum(axis=1)[w] - counts[w, k]
    usual = (y.sum() - sums.sum(axis=0)[k]) / (len(y) - counts.sum(axis=0)[k])
    return np.where(other > 0, other_sum / np.maximum(other, 1), usual)


def by_lists(word, y, fold):
    code = []
    for w, k in zip(word, fold, strict=True):
        rest = [(v, t) for v, t, f in zip(word, y, fold, strict=True) if f != k]
        same = [t for v, t in rest if v == w] or [t for _, t in rest]
        code.append(sum(same) / len(same))
    return code


class TestExercises(ExerciseTests):
    slug = "your_own_data"
    A = [0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.15, 0.6, 0.7, 0.8]
    B = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.4, 0.4, 0.7, 0.8]
    right_answers = {
        "your_own_data.encoded": [(by_counts,), (by_lists,)],
        "your_own_data.cheaper": [(A, B), (np.array(A), np.array(B) / 2 + 0.1)],
    }
    wrong_data = {
        "your_own_data.cheaper": {
            "Scores instead of probabilities": (np.array(A) * 10 - 5, np.array(B) * 10 - 5),
            "The names exchanged": (B, A),
            "Equally many mistakes": (A, [*B[:7], 0.6, 0.7, 0.8]),
            "Cheaper at the wrong threshold": (
                [0.1] * 6 + [0.3, 0.9, 0.9, 0.9],
                [0.6, 0.6] + [0.1] * 4 + [0.9] * 4,
            ),
        }
    }


def test_the_notebook_s_report_is_not_kept_with_the_course() -> None:
    assert "report.html" in (ROOT / ".gitignore").read_text("utf-8").split()
    assert any("report.html" in text for text in cells("notebooks", "your_own_data"))
