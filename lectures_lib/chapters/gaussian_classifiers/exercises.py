"""The exercises of this chapter: an argument, coefficients, conics, tables, and what LDA misses."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

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
from lectures_lib.gaussian import boundary_quadric, conic_type

if TYPE_CHECKING:
    from lectures_lib.figures import Scene


# Estimates ----------------------------------------------------------------------------------------


def _spread(rng: Rng, d: int) -> Array:
    z = rng.normal(size=(d + 3, d))
    S: Array = z.T @ z / (d + 2)
    return S


ARGUMENT = exercise(
    """
    gaussian_classifiers.argument: QDA can do all that LDA can [6 minutes] [A covariance for each:
            QDA]
        The likelihood grows with the density of the model at every example. A mistake depends only
            on the side of the boundary on which an example lies.
        Write beside each line what it is about: models, likelihoods or mistakes. Does the step from
            one to the next need a reason?
        Try it: heavy tails in one feature, `rng.standard_t(2, (10, 1))` and another such draw plus
            2. Compare `QDA(covariance="mle").fit(X, y).score(X, y)` with LDA's, for many draws.
    Remark
        In 121 of 500 such draws QDA made more training mistakes than LDA. One far example widens
        its own class only under QDA, and the wide class takes over both ends of the line.
    """,
    Prediction(
        ("line", "because"),
        choices("""
    a. 1
        With equal shapes QDA's discriminants are those of LDA plus one number for all classes.
    b. 2
        A maximum over a larger set cannot be smaller.
    c. 3
        The estimates with the divisors N and N_k are these maxima.
    d. 4 [right]
        Lines 1 to 3 are about likelihoods, line 4 is about mistakes.
            """),
        choices("""
    a. covariances that are divided by N do not maximise the likelihood
        They do. Those with N − K and N_k − 1 do not.
    b. the many numbers of QDA cannot be estimated well from few examples
        Then new examples suffer. Line 4 is about the training examples themselves.
    c. a fit that is more likely can have more examples on the wrong side [right]
        A wide cloud makes one far example likelier, and can misplace several near the boundary.
    d. the likelihood of QDA need not be larger, because its shapes differ
        It may choose equal shapes, so it is at least as large.
            """),
        points=3.0,
    ),
)


def discriminant_coefficients(means: Array, S: Array, priors: Array) -> Any:
    W = np.linalg.solve(S, means.T).T
    w0 = np.log(priors) - (W * means).sum(axis=1) / 2
    return W, w0


def _models(rng: Rng) -> tuple[Any, ...]:
    K, d = int(rng.integers(3, 6)), int(rng.integers(3, 5))
    p = rng.uniform(0.5, 2.0, size=K)
    return rng.normal(size=(K, d)), _spread(rng, d), p / p.sum()


COEFFICIENTS = exercise(
    """
    gaussian_classifiers.coefficients: One row for each class [7 minutes] [One covariance for all:
            LDA]
        Read δ_k(x) as a number plus a product with x. Which part contains x?
        w_k = Σ⁻¹μ_k, and the number is log π_k − ½ μ_kᵀ Σ⁻¹ μ_k.
        `np.linalg.solve(S, means.T).T` holds Σ⁻¹μ_k in row k, because Σ is symmetric.
    Remark
        Fitted once, LDA is a linear machine: prediction costs one product, whatever N was.
    """,
    Function(
        discriminant_coefficients,
        (Result("W", ("K", "d"), points=2), Result("w0", ("K",), points=2)),
        (
            Case("round clouds", ([[1.0, 0.0], [0.0, 2.0]], np.eye(2), [0.5, 0.5])),
            Case("one feature", ([[1.0], [3.0]], [[4.0]], [0.8, 0.2])),
            Case(
                "a tilted cloud",
                ([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]], [[2.0, 1.0], [1.0, 2.0]], [0.5, 0.3, 0.2]),
            ),
        ),
        _models,
        slips("""
    Σ instead of its inverse
        np.linalg.solve(S, means.T).T -> means @ S
        Directions in which the cloud is wide count less: Σ⁻¹, not Σ.
    Inverted entry by entry
        np.linalg.solve(S, means.T).T -> means @ (1 / S)
        1/S inverts each entry by itself. Σ⁻¹ is the matrix with Σ⁻¹Σ = I.
    The half is missing
        .sum(axis=1) / 2 -> .sum(axis=1)
        μᵀΣ⁻¹μ keeps the ½ of the exponent.
    The square is added
        np.log(priors) - (W -> np.log(priors) + (W
        The term is subtracted, as it is in the exponent: −½ μᵀΣ⁻¹μ.
    The prior itself
        np.log(priors) -> priors
        The discriminant is a logarithm: log π_k.
    The priors are missing
        np.log(priors) -> 0 * priors
        log π_k belongs to the number of class k.
    The square without Σ⁻¹
        (W * means) -> (means * means)
        The square of the mean is taken with Σ⁻¹ as well: μᵀΣ⁻¹μ.
    The prior on the wrong side
        np.log(priors) -> -np.log(priors)
        A more frequent class gains: + log π_k.
    The variances only
        np.linalg.solve(S, means.T).T -> means / np.diag(S)
        The entries of Σ off the diagonal count too. Without them this is naive Bayes with one
        variance for all classes.
    The determinant stays
        np.log(priors) -> np.log(priors) - np.linalg.slogdet(S)[1] / 2
        ½ log|Σ| is the same number for every class. In δ_k it has been dropped.
            """),
        valid=lambda means, S, priors: bool(
            len(means) == len(priors) > 1
            and S.shape == (means.shape[1],) * 2
            and np.allclose(S, S.T)
            and np.linalg.eigvalsh(S).min() > 0.05
            and priors.min() > 0
        ),
    ),
    another="""
def discriminant_coefficients(means, S, priors):
    W = means @ np.linalg.inv(S)
    return W, np.log(priors) - np.diag(W @ means.T) / 2
""",
)


# Conics -------------------------------------------------------------------------------------------

CLASS_0 = np.array([[1.0, 0.0], [0.0, 4.0]])
MEANS = np.array([[0.0, 0.0], [3.0, 0.0]])


def _no_covariance(S: Array) -> str:
    if not np.allclose(S, S.T):
        return "is not symmetric."
    if np.linalg.eigvalsh(S).min() <= 0:
        return "is not a covariance: some direction has a variance of 0 or less."
    return ""


def _kind(S: Array) -> str:
    return "" if _no_covariance(S) else conic_type(*boundary_quadric(MEANS, [CLASS_0, S]))


def _makes(name: str, wanted: str, tilted: bool = False) -> Callable[..., str]:
    def holds(ellipse: Array, hyperbola: Array, parabola: Array) -> str:
        S = {"ellipse": ellipse, "hyperbola": hyperbola, "parabola": parabola}[name]
        trouble = _no_covariance(S)
        if trouble:
            return f"`{name}` {trouble}"
        if _kind(S) != wanted:
            return f"`{name}` makes a boundary of the kind: {_kind(S)}."
        if tilted and S[0, 1] == 0:
            return f"`{name}` is not tilted: its entry off the diagonal is 0."
        return ""

    return holds


def _any(test: Callable[[Array], bool]) -> Callable[..., bool]:
    return lambda *given: any(test(S) for S in given)


def _three_boundaries(ellipse: Array, hyperbola: Array, parabola: Array) -> Scene:
    from lectures_lib.chapters.gaussian_classifiers.pictures import conics_scene

    ordered = {"ellipse": ellipse, "hyperbola": hyperbola, "parabola": parabola}
    fit = {name: S for name, S in ordered.items() if not _no_covariance(S)}
    return conics_scene({f"`{name}`": (MEANS, [CLASS_0, S]) for name, S in fit.items()})


CONICS = exercise(
    """
    gaussian_classifiers.conics: Boundaries to order [9 minutes] [A covariance for each: QDA]
        Compare the two clouds direction by direction: where is class 1 narrower, where wider?
        A = ½(Σ₁⁻¹ − Σ₀⁻¹) with Σ₀⁻¹ = diag(1, ¼). Narrower in every direction: det A > 0. Narrower
            in one and wider in another: det A < 0.
        `np.linalg.det(np.linalg.inv(S) - np.diag([1, 0.25]))` is 0 if Σ₁ and Σ₀ agree along one
            axis: keep one number of diag(1, 4), change the other. A curve is left if the means
            differ along the axis where the variances agree.
    Remark
        Wider in every direction gives an ellipse too, but around class 0.
    """,
    Values(
        ("ellipse", "hyperbola", "parabola"),
        (
            Property("an ellipse", 1.0, _makes("ellipse", "ellipse"), "det A > 0"),
            Property(
                "a hyperbola, tilted",
                2.0,
                _makes("hyperbola", "hyperbola", tilted=True),
                "det A < 0, and an entry off the diagonal",
            ),
            Property("a parabola", 1.0, _makes("parabola", "parabola"), "det A = 0"),
        ),
        (
            Result("ellipse", ("2", "2")),
            Result("hyperbola", ("2", "2")),
            Result("parabola", ("2", "2")),
        ),
        slips(
            """
    No covariance
        when no_covariance
        A covariance is symmetric, and every direction has a positive variance.
    The same shape
        when same_shape
        With the covariance of class 0 the squared terms cancel, and a line is left.
    Parallel lines
        when parallel_lines
        det A is 0, but the means agree along the direction in which the clouds do: nothing bends.
    Crosswise, not tilted
        when crosswise_tilted
        The hyperbola is there. Turn the cloud of class 1: no entry of its matrix may be 0.
    Ellipse and hyperbola exchanged
        when ellipse_hyperbola
        Narrower in every direction closes the curve. Narrower in one, wider in another opens it.
                """,
            no_covariance=_any(lambda S: bool(_no_covariance(S))),
            same_shape=_any(lambda S: _kind(S) == "line"),
            parallel_lines=lambda e, h, p: _kind(p) == "two parallel lines",
            crosswise_tilted=lambda e, h, p: _kind(h) == "hyperbola" and h[0, 1] == 0,
            ellipse_hyperbola=lambda e, h, p: _kind(e) == "hyperbola" and _kind(h) == "ellipse",
        ),
        picture=_three_boundaries,
    ),
    another="""
ellipse, parabola = np.eye(2) / 2, np.eye(2)
hyperbola = [[3, 0.5], [0.5, 1]]
""",
)


# Naive Bayes --------------------------------------------------------------------------------------


def naive_posterior(X: Array, y: Array, x: Array) -> Any:
    joint = []
    for k in (0, 1):
        own = X[y == k]
        p = (own.sum(axis=0) + 1) / (len(own) + 2)
        joint.append(np.mean(y == k) * np.prod(np.where(x == 1, p, 1 - p)))
    return joint[1] / (joint[0] + joint[1])


def _words(rng: Rng) -> tuple[Any, ...]:
    n, d = int(rng.integers(6, 12)), int(rng.integers(3, 5))
    y = rng.integers(0, 2, n)
    y[:3] = [0, 1, 1]
    return rng.integers(0, 2, (n, d)), y, rng.integers(0, 2, d)


LETTERS = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]])

TABLE = exercise(
    """
    gaussian_classifiers.table: Words that give spam away [9 minutes] [No covariance at all: naive
            Bayes]
        For each class: how likely is each entry of x, and what is their product?
        P(word j occurs | k) = (count + 1) / (N_k + 2). A word that is absent has the factor 1 − P.
            Then Bayes' rule, with the shares of the classes as priors.
        `np.prod(np.where(x == 1, p, 1 - p))` is the product for one class.
    Remark
        Without the + 1 and + 2, one word that a class never used would rule the class out.
    """,
    Function(
        naive_posterior,
        (Result("p", points=4),),
        (
            Case("one word", ([[1], [0], [1]], [1, 0, 1], [1])),
            Case("an absent word counts too", (LETTERS, [1, 1, 0, 0, 0], [0, 0, 0])),
            Case("a word that class 1 never used", (LETTERS, [1, 1, 0, 0, 0], [1, 0, 1])),
        ),
        _words,
        slips("""
    Absent words are left out
        np.where(x == 1, p, 1 - p) -> np.where(x == 1, p, 1)
        An absent word counts too: its factor is 1 − P.
    Counts without the added ones
        (own.sum(axis=0) + 1) / (len(own) + 2) -> own.mean(axis=0)
        A word never seen in a class would give probability 0: (count + 1)/(N_k + 2).
    The priors are missing
        np.mean(y == k) * np.prod -> np.prod
        Bayes' rule weights each class by its share of the letters.
    Not divided by the sum
        joint[1] / (joint[0] + joint[1]) -> joint[1]
        The two products do not add up to 1 yet: divide by their sum.
    The other class
        joint[1] / ( -> joint[0] / (
        The task asks for the probability of class 1.
    Another denominator
        (len(own) + 2) -> (len(own) + 1) || len(own) || (len(own) + X.shape[1])
        A word has two values, present and absent: each gets one, so N_k + 2.
    The odds
        joint[1] / (joint[0] + joint[1]) -> joint[1] / joint[0]
        One product over the other gives the odds a : b. The probability is a/(a + b).
    Priors with added ones
        np.mean(y == k) -> (len(own) + 1) / (len(y) + 2)
        The ones are added to the counts of words only. The priors are plain shares.
    Divided by all letters
        (len(own) + 2) -> (len(y) + 2)
        The shares of a class are counted within the class: N_k, not N.
    A sum instead of a product
        np.prod(np.where -> np.sum(np.where
        The words are independent given the class: their probabilities multiply.
            """),
        valid=lambda X, y, x: bool(
            np.isin(X, (0, 1)).all()
            and np.isin(x, (0, 1)).all()
            and set(np.unique(y)) == {0, 1}
            and len(X) == len(y)
            and x.shape == (X.shape[1],)
        ),
    ),
)

WORDS = exercise(
    """
    gaussian_classifiers.words: A line again [8 minutes] [No covariance at all: naive Bayes]
        x is 0 or 1, and it stands in exponents. Logarithms bring exponents down.
        log(p·aˣ/(1 + a)) = log p + x log a − log(1 + a), and the same for class 0. Then collect
            what x multiplies.
        The first line: `= log(p) + x*log(a) - log(1 + a) - log(q) - x*log(b) + log(1 + b)`.
    Remark
        Naive Bayes on words is a linear classifier: a word that occurs adds its weight log(a/b).
    """,
    Proof(
        "words_proof",
        "log(p*a**x/(1 + a)) - log(q*b**x/(1 + b))",
        steps("""
    the exponents come down [2 points]
        log(p) + x*log(a) - log(1 + a) - log(q) - x*log(b) + log(1 + b)
        with x*log(a); without a**x and b**x
        with (a/b)**x; without a**x
    the goal: linear in x [2 points]
        log(p*(1 + b)/(q*(1 + a))) + x*log(a/b)
        """),
        {"p q a b": "positive", "x": "real"},
        slips=slips("""
    A quotient became a sum
        x*log(a) - log(1 + a) -> x*log(a) + log(1 + a)
        The log of a quotient is a difference: log(1 + a) is subtracted.
    Class 0 is added
        - x*log(b) -> + x*log(b)
        Class 0 is subtracted, its −x log(b) as well.
    The minus before the bracket
        - x*log(b) + log(1 + b) -> + x*log(b) - log(1 + b) || - x*log(b) - log(1 + b)
        The minus stands before all of class 0: −log q − x·log b + log(1 + b).
    The log of a sum
        (1 + b)/(q*(1 + a)) -> b/(q*a)
        - log(1 + a) -> - log(a)
        log(1 + a) cannot be taken apart: keep 1 + a inside.
    The two classes are exchanged
        p*(1 + b)/(q*(1 + a)) -> p*(1 + a)/(q*(1 + b))
        log(1 + b) came from subtracting log(1/(1 + b)): it is added, so 1 + b stands above.
    The weight has lost a class
        x*log(a/b) -> x*log(a)
        x multiplies log(a) and −log(b): its weight is log(a/b).
            """),
    ),
)


# What goes wrong ----------------------------------------------------------------------------------

TURNED = exercise(
    """
    gaussian_classifiers.turned: All features are mixed [4 minutes] [What goes wrong]
        Which of the three models knows what a single feature is?
        Means and covariances turn with the data: μ becomes Rμ and Σ becomes RΣRᵀ. What happens to
            the Mahalanobis distance? And to a Σ that must be diagonal?
        With `R = np.array([[0.8, -0.6], [0.6, 0.8]])` look at `R @ np.diag([1, 4]) @ R.T`: are the
            features of a turned cloud still independent?
    Remark
        LDA and QDA may be given any invertible mixture of the features. For naive Bayes the choice
        of the features matters.
    """,
    Prediction(
        ("changes", "because"),
        choices("""
    a. those of LDA only
        LDA turns its one covariance with the data.
    b. those of QDA only
        QDA turns each of its covariances.
    c. those of naive Bayes only [right]
        LDA and QDA give the same answers as before.
    d. those of all three
        A Mahalanobis distance does not change when the cloud turns with the points.
            """),
        choices("""
    a. more numbers are estimated, so they vary more
        The number of parameters does not change.
    b. independence holds for some axes and not for others [right]
        A diagonal covariance does not stay diagonal when the axes turn.
    c. the determinant of the covariance changes
        A rotation has determinant 1, and log|Σ| stays.
    d. mixed features are no longer Gaussian
        Every linear mixture of Gaussian features is Gaussian.
            """),
        points=3.0,
    ),
)


def _two_groups(low: Array, high: Array) -> str:
    if len(low) != len(high) or not 3 <= len(low) <= 12:
        return f"Found {len(low)} and {len(high)} numbers; expected 3 to 12, equally many."
    if low.max() >= high.min():
        return "Some number of `low` is not below all of `high`."
    return ""


def _cut(low: Array, high: Array) -> float:
    return float(low.mean() + high.mean()) / 2


def _missed(low: Array, high: Array) -> int:
    return int(np.sum(low > _cut(low, high)) + np.sum(high <= _cut(low, high)))


def _lda_errs(low: Array, high: Array) -> str:
    trouble = _two_groups(low, high)
    if trouble or _missed(low, high) > 0:
        return trouble
    return "LDA cuts between the two groups and makes no mistake."


def _half_of_a_class(low: Array, high: Array) -> str:
    trouble = _two_groups(low, high)
    found = max(np.mean(low > _cut(low, high)), np.mean(high <= _cut(low, high)))
    if trouble or found > 0.5:
        return trouble
    return f"At most {found:.0%} of a class is missed; expected more than half."


def _cut_of_lda(low: Array, high: Array) -> Scene:
    from lectures_lib.chapters.gaussian_classifiers.pictures import one_cut_scene

    return one_cut_scene(low, high)


MISSED = exercise(
    """
    gaussian_classifiers.missed: A cut exists, and LDA misses it [7 minutes] [From data to numbers]
        With one feature and equally many examples LDA cuts in the middle of the two means. What can
            one number do to a mean?
        Put most of `high` close to `low`, and one number far away.
        With `low = [0, 0, 0]` the cut is half the mean of `high`. Which of `high` lie below it?
    Remark
        LDA fits a model of both clouds. It never asks which training examples it gets right. The
        perceptron would find such a cut.
    """,
    Values(
        ("low", "high"),
        (
            Property("a cut separates them", 1.0, _two_groups, "low below high"),
            Property("LDA makes a mistake", 2.0, _lda_errs, "a number on the wrong side"),
            Property(
                "more than half of a class is missed",
                1.0,
                _half_of_a_class,
                "most of one class on the wrong side",
            ),
        ),
        (Result("low", ("n",)), Result("high", ("n",))),
        slips(
            """
    They overlap
        when they_overlap
        Every number of `low` must lie below every number of `high`.
    The groups are exchanged
        when groups_exchanged
        `low` lies above `high` here.
    Unequal numbers
        when unequal_numbers
        Give equally many of both: then the cut of LDA lies in the middle of the means.
    The middle of the means lies in the gap
        when in_the_gap
        Move one number far away: it takes its mean and the middle along.
                """,
            they_overlap=lambda a, b: bool(a.max() >= b.min() and b.max() >= a.min()),
            groups_exchanged=lambda a, b: bool(a.min() > b.max()),
            unequal_numbers=lambda a, b: len(a) != len(b) and bool(a.max() < b.min()),
            in_the_gap=lambda a, b: not _lda_errs_or_trouble(a, b),
        ),
        picture=_cut_of_lda,
    ),
    another="low, high = [0, 0, 0, 0], [1, 1, 1, 37]  # the mean is 10, so the cut is at 5",
)


def _lda_errs_or_trouble(low: Array, high: Array) -> bool:
    return bool(_two_groups(low, high)) or _missed(low, high) > 0


EXERCISES = (COEFFICIENTS, ARGUMENT, MISSED, CONICS, TABLE, WORDS, TURNED)
