"""Derivations: rates, the F measures and the ROC curve."""

from __future__ import annotations

from collections.abc import Callable

from linecheck import Derivation

COUNTS = {"TP FN FP TN": "positive"}


def complements() -> Derivation:
    """Step 1: rates that add up to 1."""
    d = Derivation("Rates that add up to 1", symbols=COUNTS, where={"N": "TP + FN + FP + TN"})
    d.claim("(TP + TN)/N + (FP + FN)/N", "1", because="accuracy and error rate")
    d.claim("TN/(TN + FP)", "1 - FP/(TN + FP)", because="specificity and false positive rate")
    d.claim("TP/(TP + FN)", "1 - FN/(TP + FN)", because="recall and false negative rate")
    return d


def f1_in_counts() -> Derivation:
    """Step 2: F1 in counts."""
    d = Derivation(
        "F1 in counts",
        symbols=COUNTS,
        where={"P": "TP/(TP + FP)", "R": "TP/(TP + FN)"},
    )
    d.line("2*R*P/(R + P)", because="(99)")
    d.line("2/(1/P + 1/R)", because="divide above and below by RP: the harmonic mean")
    d.line("2/((TP + FP)/TP + (TP + FN)/TP)", because="insert precision and recall")
    d.line("2*TP/(2*TP + FP + FN)", because="multiply above and below by TP")
    return d


def weighted_harmonic_mean() -> Derivation:
    """Step 3: F_m is a weighted harmonic mean, and m is beta squared."""
    d = Derivation(
        "F as a weighted harmonic mean", symbols={"P R": "probability", "m beta": "positive"}
    )
    d.line("1/((m + 1)*R*P/(R + m*P))", because="the inverse of (98)")
    d.line("(R + m*P)/((m + 1)*R*P)", because="the inverse of a quotient")
    d.line("1/(m + 1)*(1/P) + m/(m + 1)*(1/R)", because="weights 1/(m+1) and m/(m+1)")
    d.claim(
        "subs((m + 1)*R*P/(R + m*P), m, beta**2)",
        "(1 + beta**2)*P*R/(beta**2*P + R)",
        because="the usual F with beta² = m",
    )
    return d


def f_lies_between() -> Derivation:
    """Step 4: F lies between precision and recall."""
    d = Derivation("F lies between P and R", symbols={"P R": "probability", "m": "positive"})
    d.claim(
        "(m + 1)*R*P/(R + m*P) - P",
        "m*P*(R - P)/(R + m*P)",
        because="F - P has the sign of R - P",
    )
    d.claim(
        "(m + 1)*R*P/(R + m*P) - R",
        "R*(P - R)/(R + m*P)",
        because="F - R has the sign of P - R: so F lies between the two",
    )
    d.claim("min(P, R)", "(m + 1)*R*P/(R + m*P)", relation="<=", because="not below the smaller")
    d.claim("(m + 1)*R*P/(R + m*P)", "max(P, R)", relation="<=", because="not above the larger")
    return d


def accuracy_is_a_weighted_mean() -> Derivation:
    """Step 5: accuracy is the mean of recall and specificity, weighted by the class sizes."""
    d = Derivation(
        "Accuracy is a weighted mean",
        symbols=COUNTS,
        where={"N": "TP + FN + FP + TN"},
    )
    d.line("(TP + TN)/N", because="(94)")
    d.line("TP/N + TN/N", because="split")
    d.line(
        "(TP + FN)/N*(TP/(TP + FN)) + (TN + FP)/N*(TN/(TN + FP))",
        because="share of the class times its rate",
    )
    return d


def roc_of_two_gaussians() -> Derivation:
    """Step 6: the ROC curve of two Gaussians with unit variance, and its area."""
    d = Derivation(
        "The ROC curve of two Gaussians",
        symbols={"t": "real", "D": "nonnegative", "q": "probability"},
    )
    d.claim(
        "1 - Phi(t)", "Phi(-t)", because="false positive rate at threshold t: negatives N(0, 1)"
    )
    d.claim("1 - Phi(t - D)", "Phi(D - t)", because="true positive rate: positives N(D, 1)")
    d.claim("Phi(-(-Phi_inv(q)))", "q", because="the threshold with false positive rate q")
    d.line("Phi(D - t)", because="true positive rate at that threshold")
    d.substitute({"t": "-Phi_inv(q)"}, "Phi(D + Phi_inv(q))", because="the ROC curve")
    d.start("1 - Phi((0 - D)/sqrt(1 + 1))", because="P(s+ > s-): the difference is N(D, 1 + 1)")
    d.line("1 - Phi(-D/sqrt(2))", because="simplify")
    d.line("Phi(D/sqrt(2))", because="symmetry: the area under the curve")
    return d


def random_classifier() -> Derivation:
    """Step 7: a classifier that ignores its input lies on the diagonal."""
    d = Derivation(
        "The random classifier",
        symbols={"pos neg": "positive", "q": "probability"},
    )
    d.line("q*pos/pos", because="says yes with probability q: expected true positive rate")
    d.line("q", because="cancel")
    d.line("q*neg/neg", because="the expected false positive rate is the same")
    return d


DERIVATIONS: tuple[Callable[[], Derivation], ...] = (
    complements,
    f1_in_counts,
    weighted_harmonic_mean,
    f_lies_between,
    accuracy_is_a_weighted_mean,
    roc_of_two_gaussians,
    random_classifier,
)
AGREES: dict[str, str] = {}
