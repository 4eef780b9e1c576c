"""The derivations of the likelihood, the cross-entropy and the divergences."""

from __future__ import annotations

from collections.abc import Callable

from linecheck import Derivation


def bernoulli_in_one_formula() -> Derivation:
    """Step 1: one formula for both labels."""
    d = Derivation("Both labels in one formula", p="probability", y="label01")
    d.line("p**y*(1 - p)**(1 - y)", because="the probability of label y")
    d.substitute({"y": "1"}, "p*1", because="label 1: a power with exponent 0 is 1")
    d.line("p", because="the probability of label 1")
    d.start("p**y*(1 - p)**(1 - y)", because="the same formula")
    d.substitute({"y": "0"}, "1*(1 - p)", because="label 0")
    d.line("1 - p", because="the probability of label 0")
    d.claim("sum(p**k*(1 - p)**(1 - k), k, 0, 1)", "1", because="the two add up to 1")
    return d


def log_of_the_product() -> Derivation:
    """Step 2: the logarithm of the likelihood is a sum."""
    d = Derivation(
        "The log-likelihood is a sum",
        symbols={"p": "probabilities vector N", "y": "label01 vector N"},
        sizes={"N": (1, 2, 3)},
    )
    d.line("log(prod(p[i]**y[i]*(1 - p[i])**(1 - y[i]), i, 1, N))", because="independent examples")
    d.line("sum(log(p[i]**y[i]*(1 - p[i])**(1 - y[i])), i, 1, N)", because="log ab = log a + log b")
    d.line(
        "sum(y[i]*log(p[i]) + (1 - y[i])*log(1 - p[i]), i, 1, N)",
        because="log of a product and of powers",
    )
    return d


def log_likelihood_of_one_example() -> Derivation:
    """Step 3: with the sigmoid inside, the log-likelihood becomes yz - log(1 + exp z)."""
    d = Derivation("The log-likelihood of one example", z="real", y="label01")
    d.line("y*log(sigma(z)) + (1 - y)*log(1 - sigma(z))", because="label y, score z")
    d.line("y*log(sigma(z)) + (1 - y)*log(sigma(-z))", because="1 - sigma(z) = sigma(-z)")
    d.line(
        "y*(z - log(1 + exp(z))) - (1 - y)*log(1 + exp(z))",
        because="sigma(z) = exp(z)/(1 + exp(z)), sigma(-z) = 1/(1 + exp(z))",
    )
    d.line("y*z - log(1 + exp(z))", because="collect the logarithms: y + (1 - y) = 1")
    return d


def labels_plus_minus_one() -> Derivation:
    """Step 4: the loss for labels s = 1, -1 is the same loss."""
    d = Derivation("The same loss with labels 1 and -1", z="real", s="sign")
    d.line("log(1 + exp(z)) - (1 + s)/2*z", because="the loss from above, with y = (1 + s)/2")
    d.line("log(1 + exp(z)) - log(exp((1 + s)/2*z))", because="z = log exp(z)")
    d.line("log((1 + exp(z))/exp((1 + s)/2*z))", because="difference of logarithms")
    d.line("log(1 + exp(-s*z))", because="s = 1: divide by exp(z); s = -1: divide by 1")
    d.line("-log(sigma(s*z))", because="so the probability of label s is sigma(s z)")
    return d


def curvatures() -> Derivation:
    """Step 5: the logistic loss is convex; the squared error of a sigmoid is not."""
    d = Derivation("Which loss is convex", z="real", y="label01")
    d.line("log(1 + exp(z)) - y*z", because="the logistic loss")
    d.differentiate("z", "sigma(z) - y", because="slope")
    d.differentiate("z", "sigma(z)*(1 - sigma(z))", because="curvature")
    d.line("0", relation=">=", because="both factors are positive: convex")
    d.start("(1 - sigma(z))**2", because="squared error for y = 1")
    d.differentiate("z", "-2*sigma(z)*(1 - sigma(z))**2", because="slope")
    d.differentiate("z", "2*sigma(z)*(1 - sigma(z))**2*(3*sigma(z) - 1)", because="curvature")
    d.claim(
        "2*sigma(z)*(1 - sigma(z))**2*(3*sigma(z) - 1)",
        "0",
        relation="<",
        given="sigma(z) < 1/3",
        because="negative where the output is below 1/3: not convex",
    )
    return d


def convex_in_every_direction() -> Derivation:
    """Step 6: in the weights, too: along a line w + t v nothing bends down."""
    d = Derivation(
        "Convex in the weights",
        symbols={"w v x": "vector d", "t": "real", "y": "label01"},
        sizes={"d": (1, 2, 3)},
        where={"z": "dot(w, x) + t*dot(v, x)"},
    )
    d.claim("dot(w + t*v, x)", "z", because="the score along the line is linear in t")
    d.line("log(1 + exp(z)) - y*z", because="the loss along the line")
    d.differentiate("t", "(sigma(z) - y)*dot(v, x)", because="chain rule")
    d.differentiate("t", "sigma(z)*(1 - sigma(z))*dot(v, x)**2", because="chain rule again")
    d.line("0", relation=">=", because="three factors that are not negative")
    return d


def divergence_is_not_negative() -> Derivation:
    """Step 7: KL(p || q) >= 0, because log u is at most u - 1."""
    d = Derivation("A divergence is never negative", symbols={"u": "positive", "p q": "simplex 3"})
    d.claim("log(u)", "u - 1", relation="<=", because="the tangent at u = 1 lies above")
    d.start("-sum(p[k]*log(q[k]/p[k]), k, 1, 3)", because="KL(p‖q): log(p/q) = -log(q/p)")
    d.line(
        "-sum(p[k]*(q[k]/p[k] - 1), k, 1, 3)", relation=">=", because="log u ≤ u - 1, term by term"
    )
    d.line("-sum(q[k] - p[k], k, 1, 3)", because="p cancels")
    d.line("0", because="both add up to 1")
    return d


def divergence_and_likelihood() -> Derivation:
    """Step 8: maximum likelihood is minimum KL divergence, for a coin with n throws."""
    d = Derivation(
        "Maximum likelihood is minimum divergence",
        symbols={"q t": "probability", "n": "positive"},
    )
    d.line(
        "n*q*log(q/t) + n*(1 - q)*log((1 - q)/(1 - t)) + n*q*log(t) + n*(1 - q)*log(1 - t)",
        because="n KL(q‖t) plus the log-likelihood of t, when a share q of n labels is 1",
    )
    d.line("n*(q*log(q) + (1 - q)*log(1 - q))", because="the terms with t cancel")
    d.differentiate("t", "0", because="constant in t: one is largest where the other is smallest")
    d.maximum("q*log(t) + (1 - q)*log(1 - t)", "t", "q", because="log-likelihood of a throw")
    return d


def cross_entropy_splits() -> Derivation:
    """Step 9: cross-entropy is entropy plus KL divergence."""
    d = Derivation(
        "Cross-entropy is entropy plus divergence",
        symbols={"p q": "positive vector K"},
        sizes={"K": (2, 3, 4)},
    )
    d.line("-sum(p[k]*log(q[k]), k, 1, K)", because="cross-entropy")
    d.line("-sum(p[k]*log(p[k]*(q[k]/p[k])), k, 1, K)", because="write q as p times q/p")
    d.line(
        "-sum(p[k]*log(p[k]), k, 1, K) + sum(p[k]*log(p[k]/q[k]), k, 1, K)",
        because="log of a product; log(q/p) = -log(p/q)",
    )
    return d


def many_examples() -> Derivation:
    """Step 10: over many examples with label probabilities q, sums of the same kind."""
    d = Derivation(
        "The log-likelihood and the divergences of all examples",
        symbols={"p q": "probabilities vector N"},
        sizes={"N": (1, 2, 3)},
    )
    d.line(
        "sum(q[i]*log(p[i]) + (1 - q[i])*log(1 - p[i]), i, 1, N)",
        because="log-likelihood; q is the probability of label 1, p the model's",
    )
    d.line(
        "sum(q[i]*log(q[i]) + (1 - q[i])*log(1 - q[i]), i, 1, N)"
        " - sum(q[i]*log(q[i]/p[i]) + (1 - q[i])*log((1 - q[i])/(1 - p[i])), i, 1, N)",
        because="log p = log q - log(q/p): minus the entropies, minus the divergences",
    )
    return d


def jensen_shannon() -> Derivation:
    """Step 11: the Jensen-Shannon divergence is symmetric and at most log 2."""
    d = Derivation(
        "The Jensen-Shannon divergence", symbols={"p q": "simplex 3", "a b m": "positive"}
    )
    d.claim(
        "a*log(a/m) + b*log(b/m)",
        "b*log(b/m) + a*log(a/m)",
        because="symmetric: exchanging p and q exchanges the two terms, and m = (a + b)/2 stays",
    )
    d.claim(
        "a*log(2*a/(a + b))",
        "a*log(2)",
        relation="<=",
        because="each term: a/(a + b) is at most 1",
    )
    d.claim(
        "sum(p[k]*log(2) + q[k]*log(2), k, 1, 3)/2",
        "log(2)",
        because="and the bounds add up to log 2",
    )
    return d


DERIVATIONS: tuple[Callable[[], Derivation], ...] = (
    bernoulli_in_one_formula,
    log_of_the_product,
    log_likelihood_of_one_example,
    labels_plus_minus_one,
    curvatures,
    convex_in_every_direction,
    divergence_is_not_negative,
    divergence_and_likelihood,
    cross_entropy_splits,
    many_examples,
    jensen_shannon,
)
AGREES: dict[str, str] = {}
