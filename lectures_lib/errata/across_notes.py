"""The places where the notes contradict one another."""

from lectures_lib.errata._entry import ACROSS, Erratum

ENTRIES = (
    Erratum(
        "EX-01",
        ACROSS,
        "note 000 (16); note 001, one-vs-rest; note 004, 2.2.1",
        "misleading",
        "many_classes",
        printed="the largest output resolves the ambiguity",
        corrected=r"only outputs on a common scale do: probabilities, or "
        r"$g_k(x)/\lVert w_k\rVert$",
        why=r"Rescaling one $f_k$ keeps its classifier and changes the largest output.",
        items=("A074", "B030", "E023"),
    ),
    Erratum(
        "EX-02",
        ACROSS,
        "note 000, cost matrix; note 004 (8)",
        "inconsistent",
        "decision_theory",
        printed=r"$C_{kj}$ with $k$ true, $j$ predicted; "
        r"$l(\alpha_i,C_j)$ with $i$ chosen, $j$ true",
        corrected="one convention: rows are the truth, columns the prediction",
        why="A transposed table gives other decisions.",
        items=("A035", "E043"),
    ),
    Erratum(
        "EX-03",
        ACROSS,
        "note 000, Algorithm 1; note 001",
        "inconsistent",
        "perceptron",
        printed=r"$\operatorname{sign}(0)=+1$, so an example on the line is no mistake",
        corrected=r"update when $y\,w^Tx\le0$",
        why="With the first rule the run can stop with margin 0, "
        "against the strict separation of (15).",
        items=("A050", "B043"),
    ),
    Erratum(
        "EX-04",
        ACROSS,
        "all notes",
        "inconsistent",
        "linear_discriminants",
        printed=r"$K$ counts classes (000, 001, 003) and attributes (004); "
        r"the sample size is $n$, $m$, $N$",
        corrected=r"one table: $N$ examples, $d$ features, $K$ classes",
        why="The same letter means two things.",
        items=("E007", "E036"),
        text_only=True,
    ),
)
