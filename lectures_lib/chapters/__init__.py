"""The one table of the course: which chapters there are and what each of them uses."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Chapter:
    """One lesson. `number` is for display and order only; `slug` is its identity."""

    number: int
    slug: str
    title: str
    topics: tuple[str, ...]
    minutes: int  # reading and running the notebook
    exercise_minutes: int
    prerequisites: tuple[str, ...]  # slugs

    @property
    def stem(self) -> str:
        """File name without ending: `04_perceptron`."""
        return f"{self.number:02d}_{self.slug}"


def _chapter(
    number: int,
    slug: str,
    title: str,
    topics: str,
    minutes: tuple[int, int],
    prerequisites: str = "",
) -> Chapter:
    reading, exercises = minutes
    return Chapter(
        number, slug, title, tuple(topics.split()), reading, exercises, tuple(prerequisites.split())
    )


CHAPTERS: tuple[Chapter, ...] = (
    _chapter(0, "start_here", "Start here", "perceptron", (15, 0), ""),
    _chapter(
        1,
        "learning_from_examples",
        "What it means to learn a classifier",
        "learning selection",
        (45, 65),
        "",
    ),
    _chapter(
        2,
        "decision_theory",
        "Decision theory: Bayes, costs, and the best one can do",
        "decision",
        (50, 50),
        "learning_from_examples",
    ),
    _chapter(
        3,
        "linear_discriminants",
        "Linear discriminants and least squares",
        "discriminants least_squares",
        (60, 50),
        "decision_theory",
    ),
    _chapter(4, "perceptron", "The perceptron", "perceptron", (50, 55), "linear_discriminants"),
    _chapter(
        5,
        "perceptron_convergence",
        "Why the perceptron stops: the convergence theorem and the dual form",
        "perceptron margin",
        (65, 70),
        "perceptron",
    ),
    _chapter(
        6,
        "maximum_margin",
        "The maximum margin: support vector machines",
        "margin",
        (55, 65),
        "perceptron_convergence",
    ),
    _chapter(
        7,
        "many_classes",
        "From two classes to many: one-vs-one, one-vs-rest, output codes",
        "multiclass",
        (45, 50),
        "perceptron",
    ),
    _chapter(
        8,
        "logistic_model",
        "Logistic regression: log-odds, sigmoid, and what a coefficient says",
        "logistic",
        (45, 60),
        "decision_theory perceptron",
    ),
    _chapter(
        9,
        "likelihood",
        "The likelihood, the cross-entropy, and why they are the same thing",
        "logistic",
        (50, 55),
        "logistic_model",
    ),
    _chapter(
        10,
        "logistic_training",
        "Training logistic regression: gradient, Hessian, descent and Newton",
        "logistic",
        (60, 65),
        "likelihood",
    ),
    _chapter(
        11,
        "logistic_inference",
        "What the fitted coefficients are worth: inference, separability, features",
        "logistic",
        (50, 45),
        "logistic_training",
    ),
    _chapter(12, "softmax", "Softmax regression", "softmax", (55, 60), "logistic_inference"),
    _chapter(
        13,
        "gaussian_classifiers",
        "Gaussian classifiers: LDA, QDA, naive Bayes",
        "gaussian",
        (60, 50),
        "likelihood",
    ),
    _chapter(14, "fisher", "Fisher's discriminant", "fisher", (60, 45), "gaussian_classifiers"),
    _chapter(
        15,
        "reduced_rank",
        "Many-class Fisher and reduced-rank LDA",
        "fisher gaussian",
        (60, 45),
        "fisher",
    ),
    _chapter(
        16,
        "lda_or_logistic",
        "LDA or logistic regression?",
        "gaussian logistic softmax",
        (45, 45),
        "softmax gaussian_classifiers",
    ),
    _chapter(
        17,
        "metrics",
        "Metrics: confusion matrix, precision, recall, F, ROC",
        "metrics",
        (60, 45),
        "decision_theory likelihood",
    ),
    _chapter(
        18,
        "land_cover",
        "Capstone: classifying a satellite image",
        "landcover gaussian logistic softmax margin metrics",
        (60, 60),
        "metrics lda_or_logistic maximum_margin",
    ),
    _chapter(
        19,
        "your_own_data",
        "Your own data: from a file to one page of report",
        "selection logistic gaussian metrics",
        (60, 40),
        "metrics lda_or_logistic",
    ),
)


def chapter(slug: str) -> Chapter:
    """The chapter with this slug; its number in front (`04_perceptron`) is accepted too."""
    for candidate in CHAPTERS:
        if slug in (candidate.slug, candidate.stem):
            return candidate
    known = ", ".join(c.slug for c in CHAPTERS)
    raise ValueError(f"There is no chapter {slug!r}. The chapters are: {known}.")


def is_draft(notebook: Path) -> bool:
    """Whether a cell of the notebook is still to be written: `"lectures": {"draft": true}`."""
    cells = json.loads(notebook.read_text(encoding="utf-8")).get("cells", [])
    return any(cell["metadata"].get("lectures", {}).get("draft") for cell in cells)


@dataclass(frozen=True)
class Overview:
    """The table of the course, shown as a table in a notebook and as text elsewhere.

    A chapter whose notebook stands in `folder` and is no draft is a link; the others are announced.
    """

    folder: Path = Path()

    def ready(self, c: Chapter) -> bool:
        """Whether the chapter's notebook can be opened."""
        notebook = self.folder / f"{c.stem}.ipynb"
        return notebook.is_file() and not is_draft(notebook)

    def _needs(self, c: Chapter) -> str:
        return ", ".join(f"{chapter(slug).number:02d}" for slug in c.prerequisites) or "-"

    def _repr_markdown_(self) -> str:
        lines = [
            "| no. | chapter | minutes | needs |",
            "|---|---|---|---|",
        ]
        for c in CHAPTERS:
            title = f"[{c.title}]({c.stem}.ipynb)" if self.ready(c) else f"{c.title} (to come)"
            minutes = f"{c.minutes} + {c.exercise_minutes}" if c.exercise_minutes else c.minutes
            lines.append(f"| {c.number:02d} | {title} | {minutes} | {self._needs(c)} |")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return "\n".join(
            f"{c.number:02d}  {c.minutes:3d} + {c.exercise_minutes:2d} min  "
            f"needs {self._needs(c):8}  {c.title}{'' if self.ready(c) else ' (to come)'}"
            for c in CHAPTERS
        )
