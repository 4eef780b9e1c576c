"""Derivations: from log-odds to softmax, its gradient and its Hessian."""

from __future__ import annotations

from collections.abc import Callable

from linecheck import Derivation


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


def softmax_slopes() -> Derivation:
    """Step 3: how each probability answers to each score."""
    d = Derivation("The slopes of the softmax", symbols={"z": "vector 3"})
    d.line("exp(z[1])/sum(exp(z[j]), j, 1, 3)", because="the probability of class 1")
    d.differentiate(
        "z[1]",
        "exp(z[1])/sum(exp(z[j]), j, 1, 3) - exp(z[1])**2/sum(exp(z[j]), j, 1, 3)**2",
        because="quotient rule: z1 stands above and below",
    )
    d.line("softmax(z)[1]*(1 - softmax(z)[1])", because="p1 - p1², as for the sigmoid")
    d.start("exp(z[1])/sum(exp(z[j]), j, 1, 3)", because="the same probability")
    d.differentiate(
        "z[2]",
        "-exp(z[1])*exp(z[2])/sum(exp(z[j]), j, 1, 3)**2",
        because="z2 stands below only",
    )
    d.line("-softmax(z)[1]*softmax(z)[2]", because="what one class gains, the others lose")
    return d


def gradient() -> Derivation:
    """Step 4: the gradient of the cross-entropy in the scores is prediction minus target."""
    d = Derivation(
        "The gradient of the cross-entropy",
        symbols={"z": "vector K", "p y": "simplex 3", "t": "simplex K"},
        sizes={"K": (2, 3, 4)},
    )
    d.line(
        "-y[1]/p[1]*(p[1]*(1 - p[1])) - y[2]/p[2]*(-p[2]*p[1]) - y[3]/p[3]*(-p[3]*p[1])",
        because="chain rule: slope -y_k/p_k of the loss, times the slope of p_k in z1",
    )
    d.line("-y[1]*(1 - p[1]) + (y[2] + y[3])*p[1]", because="each p_k cancels")
    d.line("(y[1] + y[2] + y[3])*p[1] - y[1]", because="collect the terms with p1")
    d.line("p[1] - y[1]", because="the targets add up to 1")
    d.claim(
        "-sum(t[k]*log(softmax(z)[k]), k, 1, K)",
        "softmax(z) - t",
        derivative="z",
        because="all slopes at once, for targets t",
    )
    return d


def hessian() -> Derivation:
    """Step 5: the Hessian is diag(p) - pp', positive semidefinite, with null vector 1."""
    d = Derivation(
        "The Hessian of the cross-entropy",
        symbols={"z v": "vector K", "p": "simplex K"},
        sizes={"K": (2, 3, 4)},
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
    d.line("sum(p[k]*v[k]**2, k, 1, K) - dot(p, v)**2", because="multiply out")
    d.line(
        "sum(p[k]*(v[k] - dot(p, v))**2, k, 1, K)",
        because="the variance of v under p, since the p add up to 1",
    )
    d.line("0", relation=">=", because="a sum of squares with positive weights")
    d.claim(
        "(diag(p) - outer(p, p)) @ ones(K)",
        "zeros(K)",
        because="no curvature when all scores move together",
    )
    return d


def shift_invariance() -> Derivation:
    """Step 6: adding one number to all scores changes nothing."""
    d = Derivation(
        "Shifting all scores",
        symbols={"z": "vector K", "c": "real"},
        sizes={"K": (2, 3, 4)},
    )
    d.line("exp(z[1] + c)/sum(exp(z[j] + c), j, 1, K)", because="shifted scores")
    d.line(
        "exp(c)*exp(z[1])/(exp(c)*sum(exp(z[j]), j, 1, K))",
        because="exp(a + c) = exp(c) exp(a)",
    )
    d.line("exp(z[1])/sum(exp(z[j]), j, 1, K)", because="exp(c) cancels")
    d.claim(
        "softmax(z - z[K]*ones(K))",
        "softmax(z)",
        because="with c = -z_K the last class has score 0: it may be fixed as the reference",
    )
    return d


def two_classes() -> Derivation:
    """Step 7: for two classes softmax is the sigmoid of the difference."""
    d = Derivation("Two classes give the sigmoid", symbols={"a b": "real"})
    d.line("softmax([a, b])[1]", because="softmax of two scores")
    d.line("exp(a)/(exp(a) + exp(b))", because="definition")
    d.line("1/(1 + exp(-(a - b)))", because="divide above and below by exp(a)")
    d.line("sigma(a - b)", because="definition of the sigmoid")
    return d


def two_energies() -> Derivation:
    """Step 8: two states in thermal equilibrium: Boltzmann's weights give Fermi and Dirac's."""
    d = Derivation("Boltzmann, Fermi and Dirac", symbols={"energy mu": "real", "kT": "positive"})
    d.line(
        "exp(-(energy - mu)/kT)/(exp(-(energy - mu)/kT) + exp(-0/kT))",
        because="weight of the occupied state over that of both; the empty one has energy 0",
    )
    d.line("1/(1 + exp((energy - mu)/kT))", because="divide above and below")
    d.line("sigma((mu - energy)/kT)", because="definition of the sigmoid")
    return d


DERIVATIONS: tuple[Callable[[], Derivation], ...] = (
    from_log_odds_to_softmax,
    probabilities_add_up,
    softmax_slopes,
    gradient,
    hessian,
    shift_invariance,
    two_classes,
    two_energies,
)
AGREES: dict[str, str] = {}
