"""Derivations: one form of the posterior, two ways to estimate it."""

from __future__ import annotations

from collections.abc import Callable

from linecheck import Derivation


def log_odds_of_lda() -> Derivation:
    """Step 1: the log-odds of LDA with their intercept written out."""
    d = Derivation(
        "The log-odds of LDA",
        symbols={"x m n": "vector 2", "P": "symmetric 2", "p q": "positive"},
        where={"intercept": "log(p/q) - dot(m + n, P @ (m - n))/2", "slope": "P @ (m - n)"},
    )
    d.line(
        "log(p) - dot(x - m, P @ (x - m))/2 - (log(q) - dot(x - n, P @ (x - n))/2)",
        because="class k (mean m, prior p) against class K (mean n, prior q)",
    )
    d.line(
        "log(p/q) + dot(x, P @ (m - n)) - dot(m, P @ m)/2 + dot(n, P @ n)/2",
        because="the terms with xᵀPx cancel",
    )
    d.line("intercept + dot(slope, x)", because="intercept and slope depend on the class k")
    return d


def joint_and_conditional() -> Derivation:
    """Step 2: the joint density is marginal times conditional."""
    d = Derivation(
        "Joint = marginal × conditional", symbols={"f g": "positive", "p": "probability"}
    )
    d.line("f*p", because="joint density of x and class 1: density times prior")
    d.line(
        "(f*p + g*(1 - p))*(f*p/(f*p + g*(1 - p)))",
        because="marginal density times posterior; logistic regression models the second only",
    )
    return d


def efficiency() -> Derivation:
    """Step 3: Efron's relative efficiency of logistic regression.

    Two Gaussians with equal priors, covariance I, means D apart along the first axis. The
    boundary turns with the coefficient of the second feature, which is 0 in truth.
    """
    d = Derivation(
        "The relative efficiency",
        symbols={
            "D": "nonnegative",
            "h u v a b c": "real",
            "N w": "positive",
            "x y": "sign",
        },
        where={"S": "[[1 + h*a, h*b], [h*b, 1 + h*c]]"},
    )
    d.claim(
        "subs(diff(dot([0, 1], inv(S) @ [D + h*u, h*v]), h), h, 0)",
        "v - b*D",
        because="LDA, first order in the errors h: v of the mean difference, b of the covariance",
    )
    d.claim(
        "1/(N/2) + 1/(N/2)",
        "4/N",
        because="variance of v: a difference of two means of N/2 examples",
    )
    d.claim(
        "4/N + D**2*(1/N)",
        "(4 + D**2)/N",
        because="b is a mean of N products of independent unit variables: variance 1/N",
    )
    d.claim(
        "((4 + D**2)/N)/(1/(N*w))",
        "(4 + D**2)*w",
        because="logistic regression: 1/(N w), w = E[p(1-p)]; the ratio is the efficiency",
    )
    d.claim("subs((4 + D**2)*w, {D: 0, w: 1/4})", "1", because="no loss when the classes coincide")
    return d


DERIVATIONS: tuple[Callable[[], Derivation], ...] = (
    log_odds_of_lda,
    joint_and_conditional,
    efficiency,
)
AGREES: dict[str, str] = {}
