"""Derivations: from log-odds to softmax, its gradient and its Hessian."""

from __future__ import annotations

from collections.abc import Callable

from lectures_lib.proofs import Derivation


def from_log_odds_to_softmax() -> Derivation:
    """Step 1: the log-odds against class 3 determine all probabilities."""
    d = Derivation("From log-odds to probabilities", symbols={"p": "simplex 3", "a b": "real"})
    d.line(
        "1/(1 + p[1]/p[3] + p[2]/p[3])", because="1/(1 + exp(a) + exp(b)) when exp(a) = p1/p3, ..."
    )
    d.line("p[3]/(p[3] + p[1] + p[2])", because="multiply above and below by p3")
    d.line("p[3]", because="the probabilities add up to 1")
    d.start("(p[1]/p[3])/(1 + p[1]/p[3] + p[2]/p[3])", because="exp(a)/(1 + exp(a) + exp(b))")
    d.line("p[1]/(p[3] + p[1] + p[2])", because="multiply above and below by p3")
    d.line("p[1]", because="likewise p2")
    d.claim(
        "log((exp(a)/(1 + exp(a) + exp(b)))/(1/(1 + exp(a) + exp(b))))",
        "a",
        because="and the log-odds of these probabilities are a again",
    )
    return d


def probabilities_add_up() -> Derivation:
    """Step 2: the posteriors are positive and add up to 1."""
    d = Derivation("The posteriors add up to 1", symbols={"a b": "real"})
    d.line(
        "exp(a)/(1 + exp(a) + exp(b)) + exp(b)/(1 + exp(a) + exp(b)) + 1/(1 + exp(a) + exp(b))",
        because="three classes, class 3 as reference",
    )
    d.line("(exp(a) + exp(b) + 1)/(1 + exp(a) + exp(b))", because="one denominator")
    d.line("1", because="equal above and below")
    d.claim("exp(a)/(1 + exp(a) + exp(b))", "0", relation=">", because="exp is positive")
    return d


def gradient() -> Derivation:
    """Step 3: the gradient of the cross-entropy in the scores is prediction minus target."""
    d = Derivation("The gradient of the cross-entropy", symbols={"z": "vector 3", "y": "simplex 3"})
    d.line("-sum(y[k]*log(exp(z[k])/sum(exp(z[j]), j, 1, 3)), k, 1, 3)", because="cross-entropy")
    d.line(
        "-sum(y[k]*z[k], k, 1, 3) + sum(y[k], k, 1, 3)*log(sum(exp(z[j]), j, 1, 3))",
        because="log of a quotient; the second term does not depend on k",
    )
    d.line("-dot(y, z) + log(sum(exp(z[j]), j, 1, 3))", because="the targets add up to 1")
    d.differentiate(
        "z[1]", "-y[1] + exp(z[1])/sum(exp(z[j]), j, 1, 3)", because="chain rule on the logarithm"
    )
    d.line("softmax(z)[1] - y[1]", because="prediction minus target; likewise for z2 and z3")
    d.claim(
        "-dot(y, z) + logsumexp(z)",
        "softmax(z) - y",
        derivative="z",
        because="all three at once",
    )
    return d


def hessian() -> Derivation:
    """Step 4: the Hessian is diag(p) - pp', positive semidefinite, with null vector 1."""
    d = Derivation(
        "The Hessian of the cross-entropy",
        symbols={"z v": "vector 3", "p": "simplex 3"},
    )
    d.claim(
        "logsumexp(z)",
        "diag(softmax(z)) - outer(softmax(z), softmax(z))",
        derivative="z,z",
        because="slope of the softmax; the linear term has no curvature",
    )
    d.line(
        "dot(v, (diag(p) - outer(p, p)) @ v)", because="curvature in direction v, p = softmax(z)"
    )
    d.line("sum(p[k]*v[k]**2, k, 1, 3) - dot(p, v)**2", because="multiply out")
    d.line(
        "sum(p[k]*(v[k] - dot(p, v))**2, k, 1, 3)",
        because="the variance of v under p, since the p add up to 1",
    )
    d.line("0", relation=">=", because="a sum of squares with positive weights")
    d.claim(
        "(diag(p) - outer(p, p)) @ ones(3)",
        "zeros(3)",
        because="no curvature when all scores move together",
    )
    return d


def shift_invariance() -> Derivation:
    """Step 5: adding one number to all scores changes nothing."""
    d = Derivation("Shifting all scores", symbols={"z": "vector 3", "c": "real"})
    d.line(
        "exp(z[1] + c)/(exp(z[1] + c) + exp(z[2] + c) + exp(z[3] + c))", because="shifted scores"
    )
    d.line(
        "exp(c)*exp(z[1])/(exp(c)*(exp(z[1]) + exp(z[2]) + exp(z[3])))",
        because="exp(a + c) = exp(c) exp(a)",
    )
    d.line("exp(z[1])/(exp(z[1]) + exp(z[2]) + exp(z[3]))", because="exp(c) cancels")
    d.claim(
        "softmax([z[1] - z[3], z[2] - z[3], 0])",
        "softmax(z)",
        because="with c = -z3 the last class has score 0: it may be fixed as the reference",
    )
    return d


def two_classes() -> Derivation:
    """Step 6: for two classes softmax is the sigmoid of the difference."""
    d = Derivation("Two classes give the sigmoid", symbols={"a b": "real"})
    d.line("softmax([a, b])[1]", because="softmax of two scores")
    d.line("exp(a)/(exp(a) + exp(b))", because="definition")
    d.line("1/(1 + exp(-(a - b)))", because="divide above and below by exp(a)")
    d.line("sigma(a - b)", because="definition of the sigmoid")
    return d


DERIVATIONS: tuple[Callable[[], Derivation], ...] = (
    from_log_odds_to_softmax,
    probabilities_add_up,
    gradient,
    hessian,
    shift_invariance,
    two_classes,
)
AGREES: dict[str, str] = {}
