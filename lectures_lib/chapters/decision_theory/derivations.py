"""The derivations of decision theory: Bayes' rule, costs, thresholds."""

from __future__ import annotations

from collections.abc import Callable

from linecheck import Derivation

TABLE = {"P": "positive matrix 2 2"}


def larger_posterior_wins() -> Derivation:
    """Step 1: the best of all four classifiers picks the larger posterior at each point."""
    d = Derivation("The best classifier", symbols=TABLE)
    d.line(
        "min(P[1, 2] + P[2, 2], P[1, 2] + P[2, 1], P[1, 1] + P[2, 2], P[1, 1] + P[2, 1])",
        because="the errors of all four classifiers",
    )
    d.line(
        "min(P[1, 1], P[1, 2]) + min(P[2, 1], P[2, 2])",
        because="each point can be minimised by itself",
    )
    d.line(
        "(P[1, 1] + P[1, 2] - max(P[1, 1], P[1, 2])) + (P[2, 1] + P[2, 2] - max(P[2, 1], P[2, 2]))",
        because="so the label with the larger share is chosen",
    )
    return d


def bayes_rule() -> Derivation:
    """Step 2: Bayes' rule from the joint table."""
    d = Derivation(
        "Bayes' rule",
        symbols=TABLE | {"x y": "int 1..2"},
        where={
            "total": "P[1, 1] + P[1, 2] + P[2, 1] + P[2, 2]",
            "evidence": "(P[x, 1] + P[x, 2])/total",
            "prior": "(P[1, y] + P[2, y])/total",
        },
    )
    d.line("P[x, y]/(P[x, 1] + P[x, 2])", because="posterior of y at x")
    d.line("(P[x, y]/total)/evidence", because="joint probability over evidence")
    d.line(
        "P[x, y]/(P[1, y] + P[2, y])*prior/evidence", because="the joint is likelihood times prior"
    )
    return d


def map_and_ml() -> Derivation:
    """Step 3: with equal priors the posterior and the likelihood choose alike."""
    d = Derivation(
        "Equal priors: MAP is ML", symbols={"a b evidence": "positive", "p q": "probability"}
    )
    d.equivalent("a*p/evidence > b*p/evidence", "a*p > b*p", because="the evidence is common")
    d.equivalent("a*p > b*p", "a > b", because="and so is the prior")
    d.equivalent("a*p > b*q", "a/b > q/p", because="else the likelihood ratio meets a threshold")
    return d


def cost_threshold() -> Derivation:
    """Step 4: with costs the threshold on the posterior of class 1 moves."""
    d = Derivation(
        "The threshold for given costs",
        symbols={"p": "probability", "c00 c01 c10 c11": "real", "a total": "positive"},
        given=["c01 > c00", "c10 > c11"],
    )
    d.equivalent(
        "c01*(1 - p) + c11*p < c00*(1 - p) + c10*p",
        "c01 - c00 < p*((c01 - c00) + (c10 - c11))",
        because="class 1 is cheaper; collect the terms with p",
    )
    d.equivalent(
        "a < p*total",
        "p > a/total",
        because="with a = C01 - C00 and the bracket, total = a + C10 - C11, which is positive",
    )
    d.claim(
        "subs((c01 - c00)/((c01 - c00) + (c10 - c11)), {c00: 0, c11: 0})",
        "c01/(c01 + c10)",
        given=["c01 > 0", "c10 > 0"],
        because="when right decisions cost nothing",
    )
    return d


def zero_one_loss() -> Derivation:
    """Step 5: with 0-1 loss the conditional risk is one minus the posterior."""
    d = Derivation("The risk with 0-1 loss", symbols={"p": "simplex 3", "i": "int 1..3"})
    d.line("sum(indicator(i != j)*p[j], j, 1, 3)", because="each wrong class costs 1")
    d.line("sum(p) - p[i]", because="all but the chosen one")
    d.line("1 - p[i]", because="the posteriors add up to 1")
    return d


def gaussian_threshold() -> Derivation:
    """Step 6: the Bayes threshold between two Gaussians with one variance."""
    d = Derivation(
        "The threshold between two Gaussians",
        symbols={"x m1 m0": "real", "v p1 p0": "positive"},
        given="m1 != m0",
    )
    d.line(
        "log(p1*exp(-(x - m1)**2/(2*v))/(p0*exp(-(x - m0)**2/(2*v))))",
        because="log of the posterior odds of class 1",
    )
    d.line("log(p1/p0) - (x - m1)**2/(2*v) + (x - m0)**2/(2*v)", because="log of a quotient")
    d.line("log(p1/p0) + (m1 - m0)/v*(x - (m1 + m0)/2)", because="the squares of x cancel")
    d.substitute(
        {"x": "(m1 + m0)/2 - v/(m1 - m0)*log(p1/p0)"}, "0", because="zero at the threshold"
    )
    return d


def bayes_error() -> Derivation:
    """Step 7: with equal priors the Bayes error is Phi(-Delta/2)."""
    d = Derivation(
        "The Bayes error of two Gaussians",
        symbols={"m1 m0": "real", "s": "positive"},
        given="m1 > m0",
        where={"t": "(m1 + m0)/2"},
    )
    d.line(
        "1/2*Phi((t - m1)/s) + 1/2*(1 - Phi((t - m0)/s))",
        because="errors: class 1 below the midpoint t, class 0 above it",
    )
    d.line(
        "1/2*Phi(-(m1 - m0)/(2*s)) + 1/2*(1 - Phi((m1 - m0)/(2*s)))", because="insert the midpoint"
    )
    d.line("Phi(-(m1 - m0)/(2*s))", because="1 - Phi(z) = Phi(-z): with Delta = (m1-m0)/s")
    return d


def reject_interval() -> Derivation:
    """Step 8: when a third answer with a constant cost r is the cheapest of three."""
    d = Derivation(
        "The third answer",
        symbols={"p": "probability", "a b r": "positive"},
    )
    d.equivalent("r < b*p", "p > r/b", because="cheaper than saying 0; a = C01, b = C10")
    d.equivalent("r < a*(1 - p)", "p < 1 - r/a", because="cheaper than saying 1")
    d.equivalent(
        "r/b < 1 - r/a", "r < a*b/(a + b)", because="the interval between them is not empty"
    )
    return d


def other_priors() -> Derivation:
    """Step 9: how posteriors change when only the priors do."""
    d = Derivation(
        "The same patterns, other priors",
        symbols={"f g p q P Q": "positive"},
    )
    d.line("f*P/(f*P + g*Q)", because="likelihoods f, g; new priors P, Q")
    d.line("(f*p)*(P/p)/((f*p)*(P/p) + (g*q)*(Q/q))", because="p, q: the priors of the sample")
    d.line(
        "f*p/(f*p + g*q)*(P/p)/(f*p/(f*p + g*q)*(P/p) + g*q/(f*p + g*q)*(Q/q))",
        because="divide by the evidence of the sample: old posteriors times P/p and Q/q",
    )
    return d


DERIVATIONS: tuple[Callable[[], Derivation], ...] = (
    larger_posterior_wins,
    bayes_rule,
    map_and_ml,
    cost_threshold,
    zero_one_loss,
    gaussian_threshold,
    bayes_error,
    reject_interval,
    other_priors,
)
AGREES: dict[str, str] = {}
