"""The exercises of this chapter: losses from scores, divergences, curvature, two goals."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import numpy as np

from lectures_lib.checks.author import (
    Array,
    Case,
    Expression,
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
from lectures_lib.logistic import LogisticRegression

# One forecast too sure -----------------------------------------------------------------------

TOO_SURE = exercise(
    """
    likelihood.too_sure: What a likelihood says: two flaws [5 minutes] [The likelihood]
        A likelihood is a probability. Of what, and given what?
        Bayes' rule has three factors on its right side. The likelihood is one of them. And how
            large is the likelihood of the coin on the same list?
        `1309 * np.log10(2)` says how many powers of ten the coin's lies below 1.
    Remark
        One likelihood by itself says little. The ratio of two, on the same data, says which model
        gave what happened the larger probability, and by what factor.
    """,
    Prediction(
        ("flawed", "because"),
        choices(r"""
    a. A forecaster who gives 1000 outcomes probability 1 and is wrong once has likelihood 0.
        999 factors are 1, and one is 0.
    b. The weights of the largest likelihood are those of the smallest cross-entropy.
        −ℓ/N is smallest where ℓ is largest.
    c. The fitted model has the likelihood $4\cdot10^{-265}$ on the 1309 passengers. What is so
            improbable under a model does not happen; so the model is wrong. [right]
        The number is right. Would another model of these passengers have a larger one?
    d. With all weights doubled, no decision of a fitted model changes, and its mean loss grows.
        The sign of every score stays. The loss was smallest at the fitted weights.
    e. Model A has twice the likelihood of model B. So it is twice as probable that A is the true
            one. [right]
        A likelihood is the probability of the labels.
    f. Two models that are right equally often can have likelihoods that are powers of ten apart.
        The modest forecaster and the loud one had, by 65 of them.
            """),
        choices(r"""
    a. the computer has rounded so small a product
        The smallest positive float is 5e-324, well below this number.
    b. of so many doubtful cases every exact list is improbable, whatever the model: the coin gives
            it $10^{-394}$ [right]
        So the model is ahead of the coin by nearly 130 powers of ten.
    c. one wrong forecast in a thousand costs a thousandth
        It is one factor of the product. What can other factors repair, if this one is 0?
    d. the likelihood looks only at which answers are right
        It multiplies how probable each answer was said to be.
    e. it is the labels that are twice as probable, given A; for A itself one needs a prior too
            [right]
        Posterior odds are this ratio times the prior odds.
            """),
        points=2.0,
    ),
    version=2,
)


# The likelihood in two numbers ---------------------------------------------------------------


def written_likelihood(p: Array, y: Array) -> Any:
    given = np.where(y == 1, p, 1 - p)
    decimal = np.log10(given).sum()
    exponent = np.floor(decimal)
    digits = 10 ** (decimal - exponent)
    return digits, exponent


def _forecasts(rng: Rng) -> tuple[Any, ...]:
    n = int(rng.choice([3, 5, 8, 900, 2500]))
    return rng.uniform(0.03, 0.97, n), rng.integers(0, 2, n)


COIN = (np.full(2000, 0.5), np.arange(2000) % 2)

WRITTEN = exercise(
    """
    likelihood.written: A likelihood that no number of the computer can hold [8 minutes] [The
            likelihood]
        Which number carries all that is needed and does not underflow? To which base?
        log10 of the likelihood is a sum, for instance −131.04. Which whole number below it is the
            exponent, and what is left for the digits?
        `np.floor(-131.04)` is −132: it rounds down, also below 0. And `10**0.96` is about 9.1.
    Remark
        Likelihoods are compared by their logarithms for the same reason: the difference of two
        logarithms says how many times more probable one model made what happened.
    """,
    Function(
        written_likelihood,
        (Result("digits", points=2), Result("exponent", kind="count", points=2)),
        (
            Case("three labels", ([0.9, 0.2, 0.7], [1, 0, 1])),
            Case("the same, other labels", ([0.9, 0.2, 0.7], [0, 1, 1])),
            Case("a coin, 2000 times", COIN),
            Case("one label", ([0.125], [1])),
        ),
        _forecasts,
        slips("""
    The labels are not used [E2-13]
        np.where(y == 1, p, 1 - p) -> p
        The factor of an example with label 0 is 1 − p.
    The labels are exchanged
        np.where(y == 1, p, 1 - p) -> np.where(y == 1, 1 - p, p)
        p is the probability of label 1.
    The larger of p and 1 − p [E2-11]
        np.where(y == 1, p, 1 - p) -> np.maximum(p, 1 - p)
        The factor belongs to the label that was observed, also when it was the less probable one.
    The natural logarithm
        np.log10( -> np.log(
        Digits and exponent belong to powers of ten: `np.log10`.
    The exponent is rounded to the nearest
        np.floor -> np.rint
        Then the digits can be below 1. Round down: `np.floor`.
    The exponent is cut at the decimal point
        np.floor -> np.trunc
        For a negative number that rounds up. Round down: `np.floor`.
    The mean instead of the sum
        .sum() -> .mean()
        The likelihood is the product of all factors, its logarithm the sum.
    The sign of the rest
        decimal - exponent -> exponent - decimal
        The rest is the logarithm minus the exponent, a number from 0 to 1.
            """),
        valid=lambda p, y: len(p) == len(y) and bool(((p > 0) & (p < 1)).all()),
    ),
    another="""
def written_likelihood(p, y):
    exponent, rest = np.divmod(np.log10(np.where(y == 1, p, 1 - p)).sum(), 1)
    return 10**rest, exponent
""",
)


# Loss and divergence for uncertain labels ----------------------------------------------------


def soft_loss(z: Array, q: Array) -> Any:
    cross = np.logaddexp(0, z) - q * z
    ones, zeros = np.where(q > 0, q, 1), np.where(q < 1, 1 - q, 1)
    entropy = -(q * np.log(ones) + (1 - q) * np.log(zeros))
    divergence = cross - entropy
    return cross.mean(), divergence.mean()


def _soft(rng: Rng) -> tuple[Any, ...]:
    """Scores, now and then huge, and probabilities of label 1, now and then certain."""
    n = int(rng.integers(3, 8))
    q = rng.uniform(0, 1, n)
    q[rng.random(n) < 0.25] = rng.integers(0, 2)
    return rng.normal(size=n) * rng.choice([1.0, 3.0, 700.0], p=[0.5, 0.3, 0.2]), q


def _rounded(z: Array, q: Array) -> Any:
    return soft_loss(z, np.rint(q))


def _clipped(z: Array, q: Array, least: float = 1e-12) -> Any:
    with np.errstate(over="ignore"):
        p = np.clip(1 / (1 + np.exp(-z)), least, 1 - least)
    cross = -(q * np.log(p) + (1 - q) * np.log(1 - p))
    r = np.clip(q, least, 1 - least)
    return cross.mean(), (cross + r * np.log(r) + (1 - r) * np.log(1 - r)).mean()


def _reversed(z: Array, q: Array) -> Any:
    with np.errstate(all="ignore"):
        p = 1 / (1 + np.exp(-z))
        other = p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))
    return soft_loss(z, q)[0], other.mean()


def _entropy_of_the_model(z: Array, q: Array) -> Any:
    p = 1 / (1 + np.exp(-np.clip(z, -500, 500)))
    cross = soft_loss(z, q)[0]
    return cross, cross - np.mean(np.logaddexp(0, z) - p * z)


SOFT = exercise(
    """
    likelihood.soft_loss: Cross-entropy and divergence for uncertain labels [12 minutes] [The same
            number, told by a divergence]
        Start from the loss in terms of the score, which needs no sigmoid. Nothing in it asks the
            label to be 0 or 1. What has to be taken away to get the divergence?
        The loss with the score is log(1 + e^z) − q·z. The divergence is smaller than the
            cross-entropy, by a number that does not depend on z.
        `np.logaddexp(0, z)` is log(1 + e^z) without overflow. `np.log(np.where(q > 0, q, 1))` is
            log q where q is positive, and 0 otherwise.
    Remark
        The two differ by the entropy of the labels, which no weight can change: lowering one lowers
        the other by as much.
    """,
    Function(
        soft_loss,
        (
            Result("cross_entropy", points=3, absolute=1e-9),
            Result("divergence", points=2, absolute=1e-9),
        ),
        (
            Case("certain labels", ([0.0, 2.0, -1.0], [1.0, 1.0, 0.0])),
            Case("uncertain labels", ([0.0, 2.0, -1.0], [0.5, 0.75, 0.1])),
            Case("scores of 1000 and −1000", ([1000.0, -1000.0], [0.0, 0.25])),
            Case("a model that says what is true", (np.log([0.25 / 0.75, 3.0]), [0.25, 0.75])),
        ),
        _soft,
        slips(
            """
    Only label 1
        np.logaddexp(0, z) - q * z -> q * np.logaddexp(0, -z)
        Label 0 has its share as well: the loss is −q·log p − (1 − q)·log(1 − p).
    The labels are rounded
        - q * z -> - np.rint(q) * z
        by _rounded
        q is used as it is. A label of 0.75 is not a label of 1.
    The sign of the score
        logaddexp(0, z) - q * z -> logaddexp(0, -z) + q * z
        The loss is log(1 + e^z) − q·z: a large score is good for label 1.
    The entropy is added
        cross - entropy -> cross + entropy
        Cross-entropy = entropy + divergence, so the divergence is the difference.
    The entropy is forgotten [E0-16]
        cross - entropy -> cross
        The cross-entropy is the divergence plus the entropy of the labels.
    Half of the entropy
        q * np.log(ones) + (1 - q) * np.log(zeros) -> q * np.log(ones)
        Both classes contribute to the entropy: −q·log q − (1 − q)·log(1 − q).
    The model's p in front of a logarithm
        by _reversed
        by _entropy_of_the_model
        The mean and the entropy are those of the labels: q and 1 − q stand before the logarithms.
    Sums instead of means [E0-17]
        cross.mean(), divergence.mean() -> cross.sum(), divergence.sum()
        Losses in this course are means over the examples.
    Cut off near 0 and 1
        by _clipped
        by cut_off
        by cut_off_near
        A clipped probability limits the loss, to 28 for 10⁻¹². Computed from the score it comes out
        right at any size.
                """,
            cut_off=partial(_clipped, least=1e-15),
            cut_off_near=partial(_clipped, least=1e-10),
        ),
        valid=lambda z, q: len(z) == len(q) and bool(((q >= 0) & (q <= 1)).all()),
    ),
)


# Two curvatures, in SymPy --------------------------------------------------------------------


def loss_curvature(w: float, x: float, s: float) -> Any:
    p = 1 / (1 + np.exp(-s * w * x))
    return p * (1 - p) * x**2 * s**2


def error_curvature(w: float, x: float, y: float) -> Any:
    p = 1 / (1 + np.exp(-w * x))
    slope = p * (1 - p)
    return 2 * (slope + (p - y) * (1 - 2 * p)) * slope * x**2


def _signed_place(rng: Rng) -> tuple[Any, ...]:
    return float(rng.normal()), float(rng.normal() * 2), float(rng.choice([-1, 1]))


def _labelled_place(rng: Rng) -> tuple[Any, ...]:
    return float(rng.normal()), float(rng.normal() * 2), float(rng.choice([0, 1]))


CURVATURES = exercise(
    """
    likelihood.curvatures: Which of the two bends down, in SymPy [12 minutes] [Convex, and why that
            matters]
        Let SymPy differentiate: write the loss of one example as an expression, and differentiate
            it twice with respect to w.
        sp.diff(f, w, 2), with f = log(1 + e^(−s·w·x)) for the first and f = (y − σ(w·x))² for the
            second. Any form of the result is right.
        `w, x, s, y = sp.symbols('w x s y', real=True)`. The example of the task is
            `sp.diff(sp.log(1 + sp.exp(-s * w * x)), w)`.
    Remark
        The first is p(1 − p)x², which is never negative. The second is negative wherever the right
        answer gets a probability below one third and x is not 0.
    """,
    Expression(
        loss_curvature,
        (
            Case("w = 0", (0.0, 1.5, 1.0)),
            Case("label −1", (0.5, 2.0, -1.0)),
            Case("x = 0", (1.0, 0.0, 1.0)),
            Case("a large margin", (4.0, 3.0, 1.0)),
        ),
        _signed_place,
        points=3,
        slips=slips("""
    The inner derivative is missing
        * x**2 * s**2 ->
        z = w·x: each derivative with respect to w brings a factor x.
    A factor x or s is missing
        x**2 * s**2 -> x * s || x || x**2 * s
        Two derivatives with respect to w bring x², and s² = 1.
    The slope
        p * (1 - p) * x**2 * s**2 -> -(1 - p) * s * x
        This is the first derivative; the curvature is the second.
    The wrong sign
        return p * (1 - p) -> return -p * (1 - p)
        This is the curvature of the log-likelihood; the loss is minus that.
            """),
    ),
    Expression(
        error_curvature,
        (
            Case("label 1, w = 0", (0.0, 1.5, 1.0)),
            Case("label 1, very wrong", (-2.0, 1.5, 1.0)),
            Case("label 0, very wrong", (2.0, 1.5, 0.0)),
            Case("label 0, right", (-1.0, 1.0, 0.0)),
        ),
        _labelled_place,
        points=3,
        slips=slips("""
    One term of the product rule
        slope + (p - y) * (1 - 2 * p) -> slope
        The slope 2(p − y)·p(1 − p)·x is a product of two functions of w. Differentiate both.
    The slope of the error
        2 * (slope + (p - y) * (1 - 2 * p)) * slope * x**2 -> 2 * (p - y) * slope * x
        This is the first derivative; the curvature is the second.
    The factor 2
        return 2 * -> return
        The derivative of a square has the factor 2.
    The factor x is missing
        * slope * x**2 -> * slope || * slope * x
        z = w·x: each derivative with respect to w brings a factor x.
    The other label
        (p - y) -> (p - 1 + y)
        The error is (y − σ(w·x))²: for y = 1 it is (1 − σ)², for y = 0 it is σ².
            """),
    ),
)


# The best coin -------------------------------------------------------------------------------

BEST_COIN = exercise(
    """
    likelihood.best_coin: No coin is better than the share, without a derivative [12 minutes] [The
            same number, told by a divergence]
        Write t as q·(t/q) and 1 − t as (1 − q)·((1 − t)/(1 − q)). What do the logarithms become?
        log t = log q + log(t/q), and log u ≤ u − 1 for every positive u. Use it twice.
        The first line ends in `+ q*log(t/q) + (1 - q)*log((1 - t)/(1 - q))`. In the second line
            `q*(t/q - 1)` replaces the first of these terms.
    Remark
        Equality holds only for t = q, where log u = u − 1 is used at u = 1. The same two lines
        prove that a divergence is never negative.
    """,
    Proof(
        "best_coin",
        "q*log(t) + (1 - q)*log(1 - t)",
        steps("""
    the entropy split off [1 point]
        q*log(q) + (1 - q)*log(1 - q) + q*log(t/q) + (1 - q)*log((1 - t)/(1 - q))
        with log(q); with log(t/q); without log(t)
    log u at most u - 1, twice [1 point]
        q*log(q) + (1 - q)*log(1 - q) + q*(t/q - 1) + (1 - q)*((1 - t)/(1 - q) - 1)
        bound; with t/q and (1 - t)/(1 - q) and log(q); without log(t) and log(t/q) and log((1 -
            t)/(1 - q))
        bound; later; with log(q); without log(t) and log(t/q) and log((1 - t)/(1 - q))
    what was added is 0 [2 points]
        q*log(q) + (1 - q)*log(1 - q)
        """),
        symbols={"q t": "probability"},
        asked="<=",
        slips=slips("""
    The quotient is upside down, or subtracted
        q*log(t/q) -> q*log(q/t)
        log((1 - t)/(1 - q)) -> log((1 - q)/(1 - t))
        log t = log q + log(t/q): t stands above the line, and the parts are added.
    A weight is lost
        q*log(t/q) -> log(t/q)
        (1 - q)*log((1 - t)/(1 - q)) -> log((1 - t)/(1 - q))
        q multiplies both parts of log t, and 1 − q both parts of log(1 − t).
    Half of the entropy is lost
        q*log(q) + (1 - q)*log(1 - q) + q*log(t/q) -> q*log(q) + q*log(t/q)
        Both terms are split: q·log q and (1 − q)·log(1 − q) stay behind.
    The bound is turned round
        q*(t/q - 1) -> q*(1 - t/q)
        ((1 - t)/(1 - q) - 1) -> (1 - (1 - t)/(1 - q))
        log u ≤ u − 1: the quotient stands first.
            """),
    ),
)


# Likelihood against accuracy -----------------------------------------------------------------


def _fit(x: Array, y: Array) -> tuple[float, float] | None:
    """w0 and w of maximum likelihood, or None where there is no maximum."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LogisticRegression().fit(x[:, None], y)
    return (float(model.intercept_[0]), float(model.coef_[0, 0])) if model.converged_ else None


def best_threshold(x: Array, y: Array) -> float:
    """The largest share that a threshold gets right, class 1 above it."""
    cuts = np.concatenate([[x.min() - 1], np.unique(x)])
    return max(float(np.mean((x > cut) == (y == 1))) for cut in cuts)


def _two_classes(y: Array) -> bool:
    return bool(np.isin(y, (0, 1)).all() and 0 < y.sum() < len(y))


def _has_maximum(x: Array, y: Array) -> str:
    if len(x) > 20:
        return f"There are {len(x)} examples; at most 20 are allowed."
    if len(x) != len(y):
        return f"There are {len(x)} values of x and {len(y)} labels."
    if not _two_classes(y):
        return "The labels must be 0 and 1, and both must occur."
    if _fit(x, y) is None:
        return "The likelihood has no maximum: the classes do not overlap."
    return ""


def likelihood_share(x: Array, y: Array) -> float:
    """The share that the model of maximum likelihood gets right."""
    fitted = _fit(x, y)
    if fitted is None:
        return 1.0
    return float(np.mean((fitted[0] + fitted[1] * x > 0) == (y == 1)))


def _likelihood_is_wrong(x: Array, y: Array) -> str:
    if _has_maximum(x, y):
        return "First the likelihood must have a maximum."
    share = likelihood_share(x, y)
    if share <= 0.4:
        return ""
    return f"Maximum likelihood gets {share:.0%} of the labels right; expected 40 % or less."


def _threshold_is_right(x: Array, y: Array) -> str:
    if len(x) != len(y) or not _two_classes(y):
        return "First give one label, 0 or 1, for each value of x. Both labels must occur."
    share = best_threshold(x, y)
    if share >= 0.8:
        return ""
    return f"The best threshold gets {share:.0%} of the labels right; expected 80 % or more."


def _readable(x: Array, y: Array) -> bool:
    return len(x) == len(y) and _two_classes(y)


def _separable(x: Array, y: Array) -> bool:
    return _readable(x, y) and _fit(x, y) is None


def _chapters_own(x: Array, y: Array) -> bool:
    return bool(
        _readable(x, y)
        and not _has_maximum(x, y)
        and 0.4 < likelihood_share(x, y) < 0.6
        and best_threshold(x, y) >= 0.8
    )


def _outlier_too_near(x: Array, y: Array) -> bool:
    return bool(
        _readable(x, y)
        and not _has_maximum(x, y)
        and likelihood_share(x, y) >= 0.6
        and best_threshold(x, y) >= 0.8
    )


def _too_mixed(x: Array, y: Array) -> bool:
    return bool(
        _readable(x, y) and not _has_maximum(x, y) and best_threshold(x, y) < 0.8
    ) and not _turned(x, y)


def _turned(x: Array, y: Array) -> bool:
    return _readable(x, y) and best_threshold(x, y) < 0.8 <= best_threshold(x, 1 - y)


TWO_GOALS = exercise(
    """
    likelihood.two_goals: Data on which the two goals part [10 minutes] [What goes wrong]
        A single example far out on the wrong side costs the likelihood more than many small
            mistakes near the middle. What does the curve do to make it cheaper?
        Start with two classes that a threshold separates, as many of each, and add one example of
            label 0 far out on the side of label 1. How many of each class must there be, if the
            turned curve is to get most labels wrong?
        Fit with `LogisticRegression().fit(x[:, None], y)` and look at `model.coef_`: it must have
            become negative. Try `np.append(np.arange(8), 30)` and move the last value.
    Remark
        The turned curve can be nearly flat, with about one half for everybody. For decisions,
        look at the far example first.
    """,
    Values(
        ("x_part", "y_part"),
        (
            Property("the likelihood has a maximum", 1.0, _has_maximum),
            Property("maximum likelihood is right for 40 % or less", 2.0, _likelihood_is_wrong),
            Property("a threshold is right for 80 % or more", 2.0, _threshold_is_right),
        ),
        (Result("x_part", ("N",)), Result("y_part", ("N",), "count")),
        slips(
            """
    The classes do not overlap
        when _separable
        So the weights grow without end. Put an example of one label among those of the other.
    About half, as with the seven points of the chapter
        when _chapters_own
        Beside the far example, take as many of label 1 as of label 0: then a curve that has turned
        round is wrong for most of both.
    Maximum likelihood is right too often
        when _outlier_too_near
        An example of label 0, far enough out on the side of label 1, turns the curve round. With as
        many of each label beside it, most answers are wrong then.
    The labels are turned round
        when _turned
        The threshold gives label 1 to the larger x: exchange the labels 0 and 1.
    Too many on the wrong side
        when _too_mixed
        No threshold is right for 80 %: one example far out is enough.
            """
        ),
    ),
    another="x_part, y_part = [0, 1, 2, 3, 4, 5, 6, 7, 100], [0, 0, 0, 0, 1, 1, 1, 1, 0]",
)

EXERCISES = (TOO_SURE, WRITTEN, SOFT, CURVATURES, BEST_COIN, TWO_GOALS)
