"""The derivations of inference: score equations, existence of the maximum, information."""

from __future__ import annotations

from collections.abc import Callable

from linecheck import Derivation

SMALL = {"N": (1, 2, 3), "d": (1, 2)}


def score_of_the_intercept() -> Derivation:
    """Step 1: at the maximum the expected number of ones is the observed one."""
    d = Derivation(
        "The first score equation",
        symbols={"X": "matrix N d", "y": "label01 vector N", "p": "probabilities vector N"},
        sizes=SMALL,
    )
    d.line("(T(X) @ (y - p))[1]", because="first entry of the gradient")
    d.line(
        "sum(X[i][1]*(y[i] - p[i]), i, 1, N)",
        because="the first row of Xᵀ is the first column of X",
    )
    d.start("sum(1*(y[i] - p[i]), i, 1, N)", because="that column is made of ones")
    d.line("sum(y) - sum(p)", because="at the maximum it is 0: sum(y) = sum(p)")
    return d


def separable_data_have_no_maximum() -> Derivation:
    """Step 2: on (-1, 0) and (1, 1) the likelihood rises for ever."""
    d = Derivation("No maximum on separable data", symbols={"b w": "real"})
    d.line(
        "-log(1 + exp(b - w)) + (b + w) - log(1 + exp(b + w))",
        because="log-likelihood of x = -1 with label 0 and x = 1 with label 1",
    )
    d.differentiate("w", "sigma(b - w) + 1 - sigma(b + w)", because="slope in w")
    d.line("sigma(b - w) + sigma(-b - w)", because="1 - sigma(z) = sigma(-z)")
    d.line("0", relation=">", because="a sum of positive numbers is never 0")
    return d


def fisher_information() -> Derivation:
    """Step 3: the score has mean 0, and its covariance is p(1-p) x x'."""
    d = Derivation(
        "The information of one example",
        symbols={"p": "probability", "y": "label01", "x": "vector d"},
        sizes={"d": (1, 2, 3)},
    )
    d.line("(y - p)*x", because="score of one example")
    d.expect("y", {"0": "1 - p", "1": "p"}, "0*x", because="(1 - p)(-p) + p(1 - p) = 0")
    d.start("(y - p)**2*outer(x, x)", because="outer product of the score with itself")
    d.expect(
        "y",
        {"0": "1 - p", "1": "p"},
        "((1 - p)*p**2 + p*(1 - p)**2)*outer(x, x)",
        because="mean over both labels",
    )
    d.line("p*(1 - p)*outer(x, x)", because="take out p (1 - p): the negative Hessian")
    return d


DERIVATIONS: tuple[Callable[[], Derivation], ...] = (
    score_of_the_intercept,
    separable_data_have_no_maximum,
    fisher_information,
)
AGREES: dict[str, str] = {}
