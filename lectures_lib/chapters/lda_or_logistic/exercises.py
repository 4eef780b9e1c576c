"""The exercises of this chapter: shares, efficiency, guesses as weights, and who is misled when."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from lectures_lib.checks.author import (
    Array,
    Case,
    Choice,
    Exercise,
    Function,
    Prediction,
    Proof,
    Property,
    Quiz,
    Result,
    Rng,
    Slip,
    Step,
    Values,
)
from lectures_lib.gaussian import LinearDiscriminantAnalysis
from lectures_lib.logistic import LogisticRegression

FORM, IGNORED, WORTH, WRONG_WAYS, VIRTUE = (
    "The same log-odds",
    "What one of them does not look at",
    "What an example is worth",
    "What goes wrong",
    "Is ignoring $P(x)$ a virtue or a defect?",
)


# Other shares -----------------------------------------------------------------------------------

SHARES = Exercise(
    id="lda_or_logistic.shares",
    title="Log-odds after the shares have changed",
    minutes=7,
    section=FORM,
    hints=(
        "The densities of the two classes do not change when one class becomes more frequent. "
        "Separate them from the shares.",
        "log(ab/(cd)) = log(a/c) + log(b/d) for positive numbers. Which two terms cancel then?",
        "The first line begins with `= log(f/g) + log(p/(1 - p))`",
    ),
    remark="Only the intercept moves, and by a number that does not depend on x. The slopes of LDA "
    "and of logistic regression can be kept.",
    parts=(
        Proof(
            "shares_proof",
            "log(f*p/(g*(1 - p))) + log(q/(1 - q)) - log(p/(1 - p))",
            (
                Step(
                    "densities and shares apart",
                    "log(f/g) + log(p/(1 - p)) + log(q/(1 - q)) - log(p/(1 - p))",
                    points=1.5,
                    without=r"f\*p",
                ),
                Step(
                    "the goal",
                    "log(f*q/(g*(1 - q)))",
                    points=1.5,
                    without=r"\+",
                ),
            ),
            {"f g": "positive", "p q": "probability"},
            slips=(
                Slip(
                    "The sign of the old shares",
                    "The old log-odds of the shares are taken away, so they cancel.",
                    "- log(p/(1 - p)) -> + log(p/(1 - p))",
                ),
                Slip(
                    "Shares instead of odds",
                    "The other class has the share 1 − q: odds, not shares.",
                    "log(f*q/(g*(1 - q))) -> log(f*q/g)",
                    also=("log(p/(1 - p)) + -> log(p) +",),
                ),
                Slip(
                    "A product of logarithms",
                    "The logarithm of a product is a sum.",
                    "log(f/g) + log(p/(1 - p)) + -> log(f/g)*log(p/(1 - p)) +",
                    also=("log(f/g) + log(p/(1 - p)) + -> log(f/g + p/(1 - p)) +",),
                ),
                Slip(
                    "The other way round",
                    "Class 1 has the density f and the new share q: both stand above.",
                    "log(f*q/(g*(1 - q))) -> log(f*(1 - q)/(g*q))",
                    also=("log(f/g) + -> log(g/f) +",),
                ),
            ),
        ),
    ),
)


def with_new_shares(W: Array, old: Array, new: Array) -> Any:
    moved = W.copy()
    moved[:, 0] = moved[:, 0] + np.log(new / old) - np.log(new[-1] / old[-1])
    return moved


def _weights(rng: Rng) -> tuple[Any, ...]:
    K, d = int(rng.integers(3, 5)), int(rng.integers(3, 5))
    W = rng.normal(size=(K, d + 1))
    shares = rng.uniform(0.3, 2, (2, K))
    return W - W[-1], shares[0] / shares[0].sum(), shares[1] / shares[1].sum()


NEW_SHARES = Exercise(
    id="lda_or_logistic.new_shares",
    title="A model moves to another town",
    minutes=6,
    section=FORM,
    hints=(
        "Which of the weights know how frequent a class is?",
        "The bias of class k grows by log(new_k/old_k). Then make the last row 0 again.",
        "`W[:, 0] + np.log(new / old)`, minus its last entry.",
    ),
    remark="This holds for softmax regression as for LDA: the slopes come from the densities, and "
    "these stay.",
    parts=(
        Function(
            with_new_shares,
            (Result("moved", ("K", "d+1"), points=4),),
            (
                Case(
                    "two classes",
                    (np.array([[0.5, 1.0], [0.0, 0.0]]), np.array([0.5, 0.5]),
                     np.array([0.2, 0.8])),
                ),
                Case(
                    "three classes, one becomes rare",
                    (np.array([[1.0, 2, 0], [-1, 0, 1], [0, 0, 0]]), np.array([0.4, 0.4, 0.2]),
                     np.array([0.45, 0.5, 0.05])),
                ),
            ),
            _weights,
            (
                Slip(
                    "The wrong way round",
                    "A class that becomes more frequent gets a larger bias: log(new/old).",
                    "np.log(new / old) - np.log(new[-1] / old[-1]) -> "
                    "np.log(old / new) - np.log(old[-1] / new[-1])",
                ),
                Slip(
                    "The logarithm is missing",
                    "Weights are log-odds: shares enter through their logarithm.",
                    "np.log(new / old) - np.log(new[-1] / old[-1]) -> "
                    "new / old - new[-1] / old[-1]",
                    also=(
                        "np.log(new / old) - np.log(new[-1] / old[-1]) -> "
                        "(new - old) - (new[-1] - old[-1])",
                        "moved[:, 0] + np.log(new / old) - np.log(new[-1] / old[-1]) -> "
                        "moved[:, 0] * new / old",
                    ),
                ),
                Slip(
                    "The change of the last class stays in",
                    "Weights are counted against the last class: take its change away from all.",
                    " - np.log(new[-1] / old[-1]) -> ",
                    also=(
                        "np.log(new[-1] / old[-1]) -> "
                        "np.log(new[-1] / old[-1]) * (np.arange(len(W)) == len(W) - 1)",
                    ),
                ),
                Slip(
                    "Against all others together",
                    "A weight compares class k with the last class: shares, not odds q/(1 − q).",
                    "np.log(new / old) - np.log(new[-1] / old[-1]) -> "
                    "np.log(new / (1 - new)) - np.log(old / (1 - old))",
                    also=(
                        "np.log(new / old) - np.log(new[-1] / old[-1]) -> "
                        "np.log(new * (1 - old) / old / (1 - new)) "
                        "- np.log(new[-1] * (1 - old[-1]) / old[-1] / (1 - new[-1]))",
                    ),
                ),
                Slip(
                    "The old shares stay in",
                    "W holds the old shares already. Add the logarithm of the quotient.",
                    "np.log(new / old) - np.log(new[-1] / old[-1]) -> np.log(new / new[-1])",
                ),
                Slip(
                    "The slopes move too",
                    "Only the first column, the biases, knows the shares.",
                    "moved[:, 0] = moved[:, 0] + np.log(new / old) - np.log(new[-1] / old[-1]) -> "
                    "moved = moved + (np.log(new / old) - np.log(new[-1] / old[-1]))[:, None]",
                ),
            ),
            valid=lambda W, old, new: bool(
                len(W) >= 2
                and len(old) == len(new) == len(W)
                and not W[-1].any()
                and min(old.min(), new.min()) > 0.01
                and abs(old.sum() - 1) < 1e-9
                and abs(new.sum() - 1) < 1e-9
            ),
        ),
    ),
)  # fmt: skip


# What the data at hand are worth ----------------------------------------------------------------


def extra_data(means: Array, covariance: Array, X: Array) -> Any:
    gap = means[1] - means[0]
    slope = np.linalg.solve(covariance, gap)
    distance = np.sqrt(gap @ slope)
    p = 1 / (1 + np.exp(-(X - means.mean(axis=0)) @ slope))
    worth = (4 + distance**2) * np.mean(p * (1 - p))
    return distance, 1 / worth - 1


def _measured(rng: Rng) -> tuple[Any, ...]:
    d, n = int(rng.integers(3, 5)), int(rng.integers(6, 12))
    A = rng.normal(size=(d, d))
    S = A @ A.T + np.eye(d)
    means = rng.normal(size=(2, d))
    return means, S, means[rng.integers(2, size=n)] + rng.normal(size=(n, d))


def _spd(means: Array, covariance: Array, X: Array) -> bool:
    return bool(
        means.shape[0] == 2
        and means.shape[1] == X.shape[1] == len(covariance)
        and len(X) > 0
        and np.allclose(covariance, covariance.T)
        and np.linalg.eigvalsh(covariance).min() > 0.05
        and np.abs(means[1] - means[0]).max() > 0.1
        and np.abs(X).max() < 20
    )


EXTRA = Exercise(
    id="lda_or_logistic.extra",
    title="The promise for data at hand",
    minutes=8,
    section=WORTH,
    hints=(
        "The formula of the chapter has two ingredients. Which of them is a distance, and which "
        "one can be averaged over the examples at hand?",
        "Δ² = (μ₁ − μ₀)ᵀΣ⁻¹(μ₁ − μ₀). With equal priors p = σ(wᵀ(x − middle)), w = Σ⁻¹(μ₁ − μ₀).",
        "`worth = (4 + distance**2) * np.mean(p * (1 - p))`, and the extra data are "
        "`1 / worth - 1`.",
    ),
    remark="Here p(1 − p) is averaged over real examples instead of the two Gaussians. The "
    "factor 4 + Δ² still believes in them.",
    parts=(
        Function(
            extra_data,
            (Result("distance", points=2), Result("extra", points=3)),
            (
                Case(
                    "one feature, Δ = 2, one example in the middle",
                    (np.array([[0.0], [4.0]]), np.array([[4.0]]), np.array([[2.0]])),
                ),
                Case(
                    "two features that belong together",
                    (
                        np.array([[0.0, 0], [2, 1]]),
                        np.array([[2.0, 1], [1, 3]]),
                        np.array([[1.0, 0], [3, 2], [-1, 0], [0, 2]]),
                    ),
                ),
            ),
            _measured,
            (
                Slip(
                    "Σ⁻¹ is missing",
                    "Δ is counted in standard deviations: Σ⁻¹ stands between the two gaps.",
                    "np.sqrt(gap @ slope) -> np.sqrt(gap @ gap)",
                    also=("np.sqrt(gap @ slope) -> np.sqrt(gap @ covariance @ gap)",),
                ),
                Slip(
                    "Δ² instead of Δ",
                    "Δ is the root of (μ₁ − μ₀)ᵀΣ⁻¹(μ₁ − μ₀).",
                    "np.sqrt(gap @ slope) -> gap @ slope",
                ),
                Slip(
                    "Loss instead of extra data",
                    "An efficiency of 0.7 means 1/0.7 − 1 = 43 % more data, not 30 %.",
                    "1 / worth - 1 -> 1 - worth",
                    erratum="E3-22",
                ),
                Slip(
                    "The factor instead of the extra",
                    "1/worth is how many times the data; the extra is one less.",
                    "1 / worth - 1 -> 1 / worth",
                ),
                Slip(
                    "The efficiency itself",
                    "worth is what one example is worth; 1/worth − 1 is how many more are needed.",
                    "1 / worth - 1 -> worth",
                ),
                Slip(
                    "The wrong middle",
                    "With equal priors the log-odds are 0 in the middle of the two means.",
                    "(X - means.mean(axis=0)) -> X",
                    also=("(X - means.mean(axis=0)) -> (X - means[0])",),
                ),
                Slip(
                    "p(1 − p) at the mean of p",
                    "First p(1 − p) for every example, then the mean.",
                    "np.mean(p * (1 - p)) -> np.mean(p) * (1 - np.mean(p))",
                ),
                Slip(
                    "Not 4 + Δ²",
                    "LDA has two errors: 4 from the means, Δ² from the covariance.",
                    "(4 + distance**2) -> distance**2",
                    also=("(4 + distance**2) -> (4 + distance)",),
                ),
            ),
            valid=_spd,
        ),
    ),
)


# Guesses as weights -----------------------------------------------------------------------------


def from_guesses(X: Array, P: Array) -> Any:
    total = P.sum(axis=0)
    means = P.T @ X / total[:, None]
    covariance = np.zeros((X.shape[1], X.shape[1]))
    for k in range(P.shape[1]):
        rest = X - means[k]
        covariance = covariance + (P[:, k, None] * rest).T @ rest
    return total / len(X), means, covariance / len(X)


def _guesses(rng: Rng) -> tuple[Any, ...]:
    n, d, K = int(rng.integers(6, 10)), int(rng.integers(3, 5)), int(rng.integers(2, 4))
    P = rng.uniform(0.02, 1, (n, K)) ** 2
    return rng.normal(size=(n, d)) + 2, P / P.sum(axis=1, keepdims=True)


GUESSES = Exercise(
    id="lda_or_logistic.guesses",
    title="LDA from guessed labels",
    minutes=9,
    section=VIRTUE,
    hints=(
        "An example that belongs to class 1 with probability 0.7 counts as 0.7 examples of it.",
        "N_k = Σᵢ P[i, k]. The mean of class k is Σᵢ P[i, k] xᵢ / N_k; the scatter has one term "
        "for every example *and* class, with the weight P[i, k].",
        "`rest = X - means[k]`, and class k adds `(P[:, [k]] * rest).T @ rest`.",
    ),
    remark="With zeros and ones in P these are the estimates of LDA. One round of learning from "
    "examples without a label is this function, then the posterior again: the EM algorithm.",
    parts=(
        Function(
            from_guesses,
            (
                Result("priors", ("K",), points=1),
                Result("means", ("K", "d"), points=2),
                Result("covariance", ("d", "d"), points=3),
            ),
            (
                Case(
                    "certain labels",
                    (
                        np.array([[0.0], [2.0], [5.0], [7.0], [9.0]]),
                        np.array([[1.0, 0], [1, 0], [0, 1], [0, 1], [0, 1]]),
                    ),
                ),
                Case(
                    "a doubtful example between two certain ones",
                    (
                        np.array([[0.0, 0], [1, 2], [4, 1]]),
                        np.array([[1.0, 0], [0.5, 0.5], [0, 1]]),
                    ),
                ),
            ),
            _guesses,
            (
                Slip(
                    "Divided by N",
                    "A class mean divides by what its own sum runs over: Σᵢ P[i, k].",
                    "/ total[:, None] -> / len(X)",
                    erratum="E3-05",
                ),
                Slip(
                    "The most probable class only",
                    "A guess of 0.7 counts as 0.7 here and 0.3 there; no label is decided.",
                    "total = P.sum(axis=0) -> "
                    "P = np.eye(P.shape[1])[P.argmax(axis=1)]; total = P.sum(axis=0)",
                ),
                Slip(
                    "Scatter around the grand mean",
                    "Each class has its own mean.",
                    "rest = X - means[k] -> rest = X - X.mean(axis=0)",
                ),
                Slip(
                    "Scatter around a mixed mean",
                    "A doubtful example has a distance from each class mean, each with its weight; "
                    "do not average the means first.",
                    "rest = X - means[k] -> rest = X - P @ means",
                ),
                Slip(
                    "The weights are squared",
                    "The weight stands once in each term; multiply only one of the two factors.",
                    "(P[:, k, None] * rest).T @ rest -> "
                    "(P[:, k, None] * rest).T @ (P[:, k, None] * rest)",
                ),
                Slip(
                    "The weights are missing",
                    "In the scatter of class k every example counts with P[i, k].",
                    "(P[:, k, None] * rest).T @ rest -> rest.T @ rest",
                ),
                Slip(
                    "The mean of the class covariances",
                    "A class counts by its size: add the scatters, and divide once, by N.",
                    "(P[:, k, None] * rest).T @ rest -> "
                    "(P[:, k, None] * rest).T @ rest / total[k] * len(X) / P.shape[1]",
                ),
                Slip(
                    "Divided by N − K",
                    "The task asks for the maximum of the likelihood, which divides by N.",
                    "covariance / len(X) -> covariance / (len(X) - P.shape[1])",
                ),
                Slip(
                    "Sums instead of shares",
                    "Priors add up to 1.",
                    "return total / len(X), -> return total,",
                ),
            ),
            valid=lambda X, P: bool(
                len(X) == len(P) > 2
                and P.shape[1] >= 2
                and P.min() >= 0
                and np.allclose(P.sum(axis=1), 1)
                and P.sum(axis=0).min() > 0.1
            ),
        ),
    ),
)


# Predict, decide, build -------------------------------------------------------------------------

HEALTHY = Exercise(
    id="lda_or_logistic.healthy",
    title="A thousand clear cases",
    minutes=4,
    section=WRONG_WAYS,
    hints=(
        "What does an example weigh in each method? One of the weights was drawn in grey.",
        "p(1 − p) is nearly 0 for a clear case, and so is its residual y − p. In a mean and in a "
        "covariance every example weighs 1.",
        "Imagine 1000 points far on their own side, all near one place off the line of the means.",
    ),
    remark="If the Gaussian model held there would be no such place: clear cases would lie around "
    "the mean like all others.",
    parts=(
        Prediction(
            ("moves", "because"),
            (
                Choice("a", "both boundaries", False, "One method hardly sees a case that is "
                       "beyond doubt."),
                Choice("b", "LDA only", True, "Its mean and its covariance are drawn there."),
                Choice("c", "logistic regression only", False,
                       "Its slope at these examples is y − p, nearly 0."),
                Choice("d", "neither", False, "A thousand examples do move a mean."),
            ),
            (
                Choice("a", "they are on the right side, and the right side cannot do harm", False,
                       "For a mean it does not matter on which side of a line a point lies."),
                Choice("b", "they change the shares of the classes", False,
                       "That shifts LDA's boundary, by log 11 in the log-odds. Here the question "
                       "is what turns."),
                Choice("c", "a mean counts every example alike, y − p is nearly 0 for clear ones",
                       True, "The fit of logistic regression is settled by the doubtful ones."),
                Choice("d", "the likelihood of LDA has no maximum any more", False,
                       "It has: means and covariance are finite for any data."),
            ),
            points=3.0,
        ),
    ),
)  # fmt: skip

QUESTIONS = Exercise(
    id="lda_or_logistic.questions",
    title="The questions of the note",
    minutes=3,
    section=VIRTUE,
    hints=(
        "Two of the four are true. For each, ask what is in P(x).",
        "Think of the experiment with 300 biopsies without a label, on both kinds of data.",
        "A prior on the weights is Bayesian too, and it needs no model of x.",
    ),
    remark="Efficiency and robustness are the two sides of one assumption.",
    parts=(
        Quiz(
            "true",
            (
                Choice("a", "Ignoring P(x) is always a defect: it throws information away.", False,
                       "It is information only if the model of x is right. On the real biopsies it "
                       "misled."),
                Choice("b", "If the model of x is wrong, more examples without a label can make "
                       "LDA worse.", True, "They pull the clouds to where the mixture fits best, "
                       "not to the diagnoses."),
                Choice("c", "Logistic regression cannot be made Bayesian, because it has no model "
                       "of x.", False, "A prior is put on the weights; P(x) is not needed for "
                       "that."),
                Choice("d", "If both models hold and one class is sampled three times as densely, "
                       "only the intercepts change, by log 3.", True, "The densities of the "
                       "classes stay; log 3 is added to the log-odds."),
            ),
            points=2.0,
        ),
    ),
)  # fmt: skip


def _trouble(X: Array, y: Array) -> str:
    """What keeps the data from being two classes in the plane."""
    if X.ndim != 2 or X.shape[1] != 2:
        return f"found X_separated of shape {X.shape}; expected (N, 2)."
    if len(X) != len(y) or not 10 <= len(X) <= 40:
        return f"found {len(X)} points and {len(y)} labels; expected as many, 10 to 40."
    if set(np.unique(y)) != {0, 1} or min(np.sum(y == 0), np.sum(y == 1)) < 4:
        return "both labels, 0 and 1, are needed, each four times or more."
    rest = X - np.array([X[y == k].mean(axis=0) for k in (0, 1)])[y.astype(int)]
    sizes = np.linalg.eigvalsh(rest.T @ rest)
    return "" if sizes[0] > 1e-9 * sizes[1] else "the covariance within the classes is singular."


def _mistakes_of_lda(X: Array, y: Array) -> int:
    model = LinearDiscriminantAnalysis(priors=[0.5, 0.5]).fit(X, y.astype(int))
    return int(np.sum(model.predict(X) != y))


def _separable(X: Array, y: Array) -> bool:
    """A line with every example strictly on its own side; the library finds a proof."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LogisticRegression().fit(X, y.astype(int))
    return not model.converged_ and bool(np.all(model.predict(X) == y))


def _a_line_does_it(X: Array, y: Array) -> str:
    if _trouble(X, y):
        return _trouble(X, y)
    return "" if _separable(X, y) else "no line separates the classes."


def _lda_does_not(X: Array, y: Array) -> str:
    if _trouble(X, y):
        return _trouble(X, y)
    wrong = _mistakes_of_lda(X, y)
    return "" if wrong >= 3 else f"LDA makes {wrong} mistakes."


SEPARATED = Exercise(
    id="lda_or_logistic.separated",
    title="A line separates, and LDA misses it",
    minutes=8,
    section=WRONG_WAYS,
    hints=(
        "LDA believes in two clouds of the same shape. Give it something else, and keep a gap "
        "between the classes.",
        "The far examples of the chapter turned LDA's line. Let one class have a long tail that "
        "stays on its own side.",
        "Most of class 1 just right of the gap, a few of its points at (15, 10); class 0 just left "
        "of the gap, above and below.",
    ),
    remark="Every separating line has training error 0. LDA does not look for the training error.",
    parts=(
        Values(
            ("X_separated", "y_separated"),
            (
                Property("a line separates the classes", 2.0, _a_line_does_it, "separable data"),
                Property("LDA is wrong on the training data", 3.0, _lda_does_not,
                         "three mistakes or more with equal priors"),
            ),
            (Result("X_separated", ("N", "2")), Result("y_separated", ("N",), "count")),
            (
                Slip(
                    "LDA finds the gap as well",
                    "Make one class less like the other in shape: a few points far out on its own "
                    "side.",
                    recognise=lambda X, y: not _trouble(X, y)
                    and _separable(X, y)
                    and _mistakes_of_lda(X, y) < 3,
                ),
                Slip(
                    "No line separates",
                    "Leave a gap: some line must have every example of a class on its own side.",
                    recognise=lambda X, y: not _trouble(X, y) and not _separable(X, y),
                ),
                Slip(
                    "All on lines",
                    "Within each class the points lie on parallel lines: Σ has no inverse.",
                    recognise=lambda X, y: _trouble(X, y).startswith("the covariance"),
                ),
                Slip(
                    "Too few points",
                    "Two classes in the plane, with four points or more each, 10 to 40 in all.",
                    recognise=lambda X, y: bool(_trouble(X, y))
                    and not _trouble(X, y).startswith("the covariance"),
                ),
            ),
        ),
    ),
)  # fmt: skip

EXERCISES = (SHARES, NEW_SHARES, EXTRA, HEALTHY, SEPARATED, GUESSES, QUESTIONS)
