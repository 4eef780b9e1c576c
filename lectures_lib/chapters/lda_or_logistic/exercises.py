"""The exercises of this chapter: shares, efficiency, guesses as weights, and who is misled when."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from lectures_lib.checks.author import (
    Array,
    Case,
    Function,
    Prediction,
    Proof,
    Property,
    Result,
    Rng,
    Values,
    choices,
    exercise,
    slips,
    steps,
)
from lectures_lib.gaussian import LinearDiscriminantAnalysis
from lectures_lib.logistic import LogisticRegression

# Other shares -----------------------------------------------------------------------------------

SHARES = exercise(
    """
    lda_or_logistic.shares: Log-odds after the shares have changed [7 minutes] [The same log-odds]
        The densities of the two classes do not change when one class becomes more frequent.
            Separate them from the shares.
        log(ab/(cd)) = log(a/c) + log(b/d) for positive numbers. Which two terms cancel then?
        The first line begins with `= log(f/g) + log(p/(1 - p))`
    Remark
        Only the intercept moves, and by a number that does not depend on x. The slopes of LDA and
        of logistic regression can be kept.
    """,
    Proof(
        "shares_proof",
        "log(f*p/(g*(1 - p))) + log(q/(1 - q)) - log(p/(1 - p))",
        steps("""
    the logarithms of products taken apart [2 points]
        log(f/g) + log(p/(1 - p)) + log(q/(1 - q)) - log(p/(1 - p))
        with log(f/g)
        with log(f) and log(g)
        is log(f*p/(g*(1 - p))*(q/(1 - q))/(p/(1 - p)))
    the goal [2 points]
        log(f*q/(g*(1 - q)))
        """),
        {"f g": "positive", "p q": "probability"},
        slips=slips("""
    The sign of the old shares
        - log(p/(1 - p)) -> + log(p/(1 - p))
        The log-odds of the old shares are subtracted, so they cancel.
    Shares instead of odds
        log(f*q/(g*(1 - q))) -> log(f*q/g)
        log(p/(1 - p)) + -> log(p) +
        The other class has the share 1 − q: odds, not shares.
    A product of logarithms
        log(f/g) + log(p/(1 - p)) + -> log(f/g)*log(p/(1 - p)) + || log(f/g + p/(1 - p)) +
        The logarithm of a product is a sum.
    The other way round
        log(f*q/(g*(1 - q))) -> log(f*(1 - q)/(g*q))
        log(f/g) + -> log(g/f) +
        Class 1 has the density f and the new share q: both stand above the line.
            """),
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


NEW_SHARES = exercise(
    """
    lda_or_logistic.new_shares: A model moves to another town [6 minutes] [The same log-odds]
        Which of the weights know how frequent a class is?
        The bias of class k grows by log(new_k/old_k). Then make the last row 0 again.
        `W[:, 0] + np.log(new / old)`, minus its last entry.
    Remark
        This holds for softmax regression as for LDA: the slopes come from the densities.
    """,
    Function(
        with_new_shares,
        (Result("moved", ("K", "d+1"), points=4),),
        (
            Case("two classes", ([[0.5, 1.0], [0.0, 0.0]], [0.5, 0.5], [0.2, 0.8])),
            Case(
                "three classes, one becomes rare",
                ([[1.0, 2, 0], [-1, 0, 1], [0, 0, 0]], [0.4, 0.4, 0.2], [0.45, 0.5, 0.05]),
            ),
        ),
        _weights,
        slips("""
    The wrong way round
        np.log(new / old) - np.log(new[-1] / old[-1]) -> np.log(old / new) - np.log(old[-1] /
            new[-1])
        A class that becomes more frequent gets a larger bias: log(new/old).
    The logarithm is missing
        np.log(new / old) - np.log(new[-1] / old[-1]) -> new / old - new[-1] / old[-1] || (new -
            old) - (new[-1] - old[-1])
        moved[:, 0] + np.log(new / old) - np.log(new[-1] / old[-1]) -> moved[:, 0] * new / old
        Weights are log-odds: shares enter through their logarithm.
    The change of the last class stays in
        - np.log(new[-1] / old[-1]) ->
        np.log(new[-1] / old[-1]) -> np.log(new[-1] / old[-1]) * (np.arange(len(W)) == len(W) - 1)
        Weights are counted against the last class: subtract its change from all of them.
    Against all others together
        np.log(new / old) - np.log(new[-1] / old[-1]) -> np.log(new / (1 - new)) - np.log(old / (1 -
            old)) || np.log(new * (1 - old) / old / (1 - new)) - np.log(new[-1] * (1 - old[-1]) /
            old[-1] / (1 - new[-1]))
        A bias compares class k with the last class: take shares, not odds q/(1 − q).
    The old shares stay in
        np.log(new / old) - np.log(new[-1] / old[-1]) -> np.log(new / new[-1])
        W holds the old shares already. Add the logarithm of new over old.
    The slopes move too
        moved[:, 0] = moved[:, 0] + np.log(new / old) - np.log(new[-1] / old[-1]) -> moved = moved +
            (np.log(new / old) - np.log(new[-1] / old[-1]))[:, None]
        Only the first column, the biases, depends on the shares.
            """),
        valid=lambda W, old, new: bool(
            len(W) >= 2
            and len(old) == len(new) == len(W)
            and not W[-1].any()
            and min(old.min(), new.min()) > 0.01
            and abs(old.sum() - 1) < 1e-9
            and abs(new.sum() - 1) < 1e-9
        ),
    ),
)


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


EXTRA = exercise(
    """
    lda_or_logistic.extra: The promise for data at hand [8 minutes] [What an example is worth]
        The formula of the chapter has two ingredients. Which of them is a distance, and which one
            can be averaged over the examples at hand?
        Δ² = (μ₁ − μ₀)ᵀΣ⁻¹(μ₁ − μ₀). With equal priors p = σ(wᵀ(x − middle)), w = Σ⁻¹(μ₁ − μ₀).
        `worth = (4 + distance**2) * np.mean(p * (1 - p))`, and the extra data are `1 / worth - 1`.
    Remark
        Here p(1 − p) is averaged over real examples instead of the two Gaussians. The factor 4 + Δ²
        still assumes them.
    """,
    Function(
        extra_data,
        (Result("distance", points=2), Result("extra", points=3)),
        (
            Case(
                "one feature, Δ = 2, one example in the middle", ([[0.0], [4.0]], [[4.0]], [[2.0]])
            ),
            Case(
                "two features that belong together",
                ([[0.0, 0], [2, 1]], [[2.0, 1], [1, 3]], [[1.0, 0], [3, 2], [-1, 0], [0, 2]]),
            ),
        ),
        _measured,
        slips("""
    Σ⁻¹ is missing
        np.sqrt(gap @ slope) -> np.sqrt(gap @ gap) || np.sqrt(gap @ covariance @ gap)
        Δ is counted in standard deviations: Σ⁻¹ stands between the two gaps.
    Δ² instead of Δ
        np.sqrt(gap @ slope) -> gap @ slope
        return distance, -> return distance**2,
        Δ is the root of (μ₁ − μ₀)ᵀΣ⁻¹(μ₁ − μ₀).
    Loss instead of extra data [E3-22]
        1 / worth - 1 -> 1 - worth
        An efficiency of 0.7 means 1/0.7 − 1 = 43 % more data, not 30 %.
    The factor instead of the extra
        1 / worth - 1 -> 1 / worth
        1/worth is how many times the data are needed. The extra is one less.
    The efficiency itself
        1 / worth - 1 -> worth
        worth is what one example is worth. 1/worth − 1 is how many more are needed, as a share.
    The wrong middle
        (X - means.mean(axis=0)) -> X || (X - means[0])
        With equal priors the log-odds are 0 in the middle of the two means.
    p(1 − p) at the mean of p
        np.mean(p * (1 - p)) -> np.mean(p) * (1 - np.mean(p))
        First p(1 − p) for every example, then the mean.
    Not 4 + Δ²
        (4 + distance**2) -> distance**2 || (4 + distance)
        The variance of LDA's direction has two parts: 4 from the means, Δ² from the covariance.
            """),
        valid=_spd,
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


GUESSES = exercise(
    """
    lda_or_logistic.guesses: LDA from guessed labels [9 minutes] [Is ignoring $P(x)$ a virtue or a
            defect?]
        An example that belongs to class 1 with probability 0.7 counts as 0.7 examples of it.
        N_k = Σᵢ P[i, k]. The mean of class k is Σᵢ P[i, k] xᵢ / N_k; the scatter has one term for
            every example *and* class, with the weight P[i, k].
        `rest = X - means[k]`, and class k adds `(P[:, [k]] * rest).T @ rest`.
    Remark
        With zeros and ones in P these are the estimates of LDA. One round of learning from examples
        without a label is this function, then the posterior again: the EM algorithm.
    """,
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
                ([[0.0], [2.0], [5.0], [7.0], [9.0]], [[1.0, 0], [1, 0], [0, 1], [0, 1], [0, 1]]),
            ),
            Case(
                "a doubtful example between two certain ones",
                ([[0.0, 0], [1, 2], [4, 1]], [[1.0, 0], [0.5, 0.5], [0, 1]]),
            ),
        ),
        _guesses,
        slips("""
    Divided by N [E3-05]
        / total[:, None] -> / len(X)
        A class mean divides by what its own sum runs over: Σᵢ P[i, k].
    The most probable class only
        total = P.sum(axis=0) -> P = np.eye(P.shape[1])[P.argmax(axis=1)]; total = P.sum(axis=0)
        A guess of 0.7 counts as 0.7 of an example of its class. No label is decided.
    Scatter around the grand mean
        rest = X - means[k] -> rest = X - X.mean(axis=0)
        Each class has its own mean.
    Scatter around a mixed mean
        rest = X - means[k] -> rest = X - P @ means
        A doubtful example has a deviation from each class mean, each with its weight. Do not
        average the means first.
    The weights are squared
        (P[:, k, None] * rest).T @ rest -> (P[:, k, None] * rest).T @ (P[:, k, None] * rest)
        The weight stands once in each term: multiply only one of the two factors.
    The weights are missing
        (P[:, k, None] * rest).T @ rest -> rest.T @ rest
        In the scatter of class k every example counts with P[i, k].
    The mean of the class covariances
        (P[:, k, None] * rest).T @ rest -> (P[:, k, None] * rest).T @ rest / total[k] * len(X) /
            P.shape[1]
        A class counts by its size: add the scatters, and divide once, by N.
    Divided by N − K
        covariance / len(X) -> covariance / (len(X) - P.shape[1])
        The task asks for the maximum of the likelihood, which divides by N.
    Sums instead of shares
        return total / len(X), -> return total,
        Priors add up to 1.
            """),
        valid=lambda X, P: bool(
            len(X) == len(P) > 2
            and P.shape[1] >= 2
            and P.min() >= 0
            and np.allclose(P.sum(axis=1), 1)
            and P.sum(axis=0).min() > 0.1
        ),
    ),
)


# Predict, decide, build -------------------------------------------------------------------------

HEALTHY = exercise(
    """
    lda_or_logistic.healthy: A thousand clear cases [3 minutes] [What goes wrong]
        What does an example weigh in each method? One of the weights was drawn in grey.
        p(1 − p) is nearly 0 for a clear case, and so is its residual y − p. In a mean and in a
            covariance every example weighs 1.
        Imagine 1000 points far on their own side, all near one place off the line of the means.
    Remark
        If the Gaussian model held there would be no such place: clear cases would lie around the
        mean like all others.
    """,
    Prediction(
        ("moves", "because"),
        choices("""
    a. both boundaries
        One method hardly sees a case that is beyond doubt.
    b. LDA only [right]
        Its mean and its covariance are drawn there.
    c. logistic regression only
        Its slope at these examples is y − p, nearly 0.
    d. neither
        A thousand examples do move a mean.
            """),
        choices("""
    a. they are on the right side, and the right side cannot do harm
        For a mean it does not matter on which side of a line a point lies.
    b. they change the shares of the classes
        That shifts LDA's boundary, by log 11 in the log-odds. Here the question is what turns.
    c. a mean counts every example alike, while y − p is nearly 0 for clear ones [right]
        The fit of logistic regression is settled by the doubtful ones.
    d. the likelihood of LDA has no maximum any more
        It has: means and covariance are finite for any data.
            """),
        points=3.0,
    ),
)

ARGUMENT = exercise(
    """
    lda_or_logistic.argument: An argument with two flaws [4 minutes] [Is ignoring $P(x)$ a virtue or
            a defect?]
        Two of the six sentences do not follow. For each, ask: must the classes be Gaussian for it,
            and was that said?
        A form is not yet a fit: what does each method maximise? And what else was missing where
            one of them was behind?
        Look again at the picture of the Gaussian twins, and at the duel in which both methods
            choose a penalty.
    Remark
        A common form is not a common line, and a lead does not name its cause.
    """,
    Prediction(
        ("flawed", "because"),
        choices("""
    a. Both methods have log-odds that are linear in x.
        They have: one by its model of x, the other by construction.
    b. So, with enough examples, both arrive at the same line. [right]
        At the same form. If the Gaussian model is wrong, LDA can arrive at another line.
    c. If the Gaussians hold, LDA's line varies less from sample to sample, because it uses P(x).
        That is what the efficiency counts.
    d. With 20 labels and without a penalty LDA was ahead, so P(x) gave it its lead. [right]
        A penalty does the same without any P(x).
    e. Examples without a label leave logistic regression as it is: its likelihood lacks them.
        P(x) does not contain β.
    f. The same examples can make LDA worse.
        On the real biopsies they did.
        """),
        choices("""
    a. what both maximise is the same likelihood
        One maximises the joint density, the other the conditional one.
    b. where the model of x is wrong, the joint and the conditional likelihood have their maxima at
            different lines [right]
        The difference of the two limits is LDA's bias.
    c. with a penalty chosen by cross-validation the lead was gone, and a penalty knows nothing of x
            [right]
        The lead of LDA came from weights that stay finite.
    d. the log-odds of LDA are quadratic, and become linear with many examples only
        With one covariance xᵀΣ⁻¹x cancels, for any number of examples.
        """),
        points=3.0,
    ),
)


def _trouble(X: Array, y: Array) -> str:
    """What keeps the data from being two classes in the plane."""
    if X.ndim != 2 or X.shape[1] != 2:
        return f"Found X_separated of shape {X.shape}; expected (N, 2)."
    if len(X) != len(y) or not 10 <= len(X) <= 40:
        return f"Found {len(X)} points and {len(y)} labels; expected equally many, 10 to 40."
    if set(np.unique(y)) != {0, 1} or min(np.sum(y == 0), np.sum(y == 1)) < 4:
        return "Both labels are needed, 0 and 1, each four times or more."
    rest = X - np.array([X[y == k].mean(axis=0) for k in (0, 1)])[y.astype(int)]
    sizes = np.linalg.eigvalsh(rest.T @ rest)
    return "" if sizes[0] > 1e-9 * sizes[1] else "The covariance within the classes is singular."


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
    return "" if _separable(X, y) else "No line separates the classes."


def _lda_does_not(X: Array, y: Array) -> str:
    if _trouble(X, y):
        return _trouble(X, y)
    wrong = _mistakes_of_lda(X, y)
    return "" if wrong >= 3 else f"Mistakes of LDA: {wrong}."


def _line_of_lda(X: Array, y: Array) -> Any:
    from lectures_lib.figures.plane import boundary_scene

    model = LinearDiscriminantAnalysis(priors=[0.5, 0.5]).fit(X, y)
    return boundary_scene(X, y, [*model.intercept_, *model.coef_[0]], title="the line of LDA")


SEPARATED = exercise(
    """
    lda_or_logistic.separated: A line separates, and LDA misses it [8 minutes] [What goes wrong]
        LDA assumes two clouds of one shape. Give it something else, and keep a gap between them.
        The far examples of the chapter turned LDA's line. Give one class a long tail on its side.
        Most of class 1 just right of the gap, a few of its points at (15, 10); class 0 just left of
            the gap, above and below.
    Remark
        Every separating line has training error 0. LDA does not look for the training error.
    """,
    Values(
        ("X_separated", "y_separated"),
        (
            Property("a line separates the classes", 2.0, _a_line_does_it, "separable data"),
            Property(
                "LDA is wrong on the training data",
                3.0,
                _lda_does_not,
                "three mistakes or more with equal priors",
            ),
        ),
        (Result("X_separated", ("N", "2")), Result("y_separated", ("N",), "count")),
        slips(
            """
    LDA makes fewer than three mistakes
        when lda_finds
        Make the classes differ in shape: move a few points of one further out on its own side.
    No line separates
        when no_line
        Leave a gap: some line must have every example of a class on its own side.
    All on lines
        when all_on
        Each class lies on a line, and both lines have one direction: Σ has no inverse.
    Not two classes of 10 to 40 points
        when too_few
        Two classes in the plane, with one label for each point and four points or more of each
        class, 10 to 40 in all.
                """,
            lda_finds=lambda X, y: (
                not _trouble(X, y) and _separable(X, y) and _mistakes_of_lda(X, y) < 3
            ),
            no_line=lambda X, y: not _trouble(X, y) and not _separable(X, y),
            all_on=lambda X, y: _trouble(X, y).startswith("The covariance"),
            too_few=lambda X, y: (
                bool(_trouble(X, y)) and not _trouble(X, y).startswith("The covariance")
            ),
        ),
        picture=_line_of_lda,
    ),
    another="""
left = [[-1.4, -4], [-1, -2.5], [-1.4, -1], [-1, 0.5], [-1.4, 2], [-1, 3.5]]
X_separated = left + [[-x, height] for x, height in left] + [[15, 10], [16, 10], [15, 11]]
y_separated = [0] * 6 + [1] * 9
""",
)

EXERCISES = (SHARES, NEW_SHARES, EXTRA, HEALTHY, SEPARATED, GUESSES, ARGUMENT)
