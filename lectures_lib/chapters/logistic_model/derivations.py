"""The derivations of the logistic model: log-odds, the sigmoid, Fermi's distribution."""

from __future__ import annotations

from collections.abc import Callable

from linecheck import Derivation


def from_log_odds_to_probability() -> Derivation:
    """Step 1: solving exp(f) = p/(1-p) for p gives the sigmoid, and back."""
    d = Derivation("From the log-odds to the probability", p="probability", f="real")
    d.line("(p/(1 - p))/(1 + p/(1 - p))", because="exp(f)/(1 + exp(f)) when exp(f) = p/(1-p)")
    d.line("p/((1 - p) + p)", because="multiply above and below by 1 - p")
    d.line("p", because="so p = exp(f)/(1 + exp(f))")
    d.start("exp(f)/(1 + exp(f))", because="the solution")
    d.line("1/(1 + exp(-f))", because="divide above and below by exp(f)")
    d.line("sigma(f)", because="definition of the sigmoid")
    d.claim("log(sigma(f)/(1 - sigma(f)))", "f", because="and its log-odds are f again")
    return d


def sigmoid_identities() -> Derivation:
    """Step 2: symmetry, slope and open range of the sigmoid."""
    d = Derivation("Three properties of the sigmoid", z="real", p="probability")
    d.line("1 - sigma(z)", because="the probability of the other class")
    d.line("1 - 1/(1 + exp(-z))", because="definition")
    d.line("exp(-z)/(1 + exp(-z))", because="common denominator")
    d.line("1/(exp(z) + 1)", because="multiply above and below by exp(z)")
    d.line("sigma(-z)", because="definition")
    d.start("1/(1 + exp(-z))", because="the slope")
    d.differentiate("z", "exp(-z)/(1 + exp(-z))**2", because="chain rule")
    d.line("sigma(z)*(exp(-z)/(1 + exp(-z)))", because="split the square")
    d.line("sigma(z)*(1 - sigma(z))", because="the second factor is 1 - sigma(z)")
    d.claim("sigma(z)", "0", relation=">", because="a quotient of positive numbers")
    d.claim("sigma(z)", "1", relation="<", because="the denominator is larger than 1")
    d.claim("sigma(log(p/(1 - p)))", "p", because="every p between 0 and 1 is reached")
    return d


def both_codings() -> Derivation:
    """Step 3: with labels 0 and 1, or -1 and 1, it is the same model."""
    d = Derivation("One model, two codings of the labels", z="real", s="sign")
    d.line("exp(z)/(1 + exp(z))", because="probability of label 1 when the log-odds are z")
    d.line("1/(1 + exp(-z))", because="divide above and below by exp(z)")
    d.line("sigma(z)", because="definition")
    d.start("1 - sigma(z)", because="probability of the other label, called 0 or -1")
    d.line("1/(1 + exp(z))", because="common denominator")
    d.line("sigma(-z)", because="definition")
    d.start("sigma(s*z)", because="both at once, with s = 1 or -1")
    d.substitute({"s": "1"}, "sigma(z)", because="label 1")
    d.start("sigma(s*z)", because="and")
    d.substitute({"s": "-1"}, "1 - sigma(z)", because="label -1")
    return d


def half_at_zero() -> Derivation:
    """Step 4: more probable than not exactly where the score is positive."""
    d = Derivation("The boundary", z="real", x="real")
    d.equivalent("sigma(z) > 1/2", "1 > exp(-z)", because="1/(1 + e) > 1/2 says 2 > 1 + e")
    d.equivalent("1 > exp(-z)", "z > 0", because="the exponential function is increasing")
    d.claim("sigma(0)", "1/2", because="and at z = 0 both classes are equally probable")
    d.claim(
        "sigma(z)",
        "sigma(x)",
        relation=">",
        given="z > x",
        because="a larger score, a larger probability",
    )
    return d


def one_unit_more() -> Derivation:
    """Step 5: a feature that grows by 1 multiplies the odds by exp(w)."""
    d = Derivation(
        "One unit more of a feature", symbols={"w0 w x": "real"}, where={"z": "w0 + w*x"}
    )
    d.line("sigma(z)/(1 - sigma(z))", because="the odds at x")
    d.line("sigma(z)/sigma(-z)", because="1 - sigma(z) = sigma(-z)")
    d.line("exp(w0 + w*x)", because="(1 + exp(z))/(1 + exp(-z)) = exp(z)")
    d.substitute({"x": "x + 1"}, "exp(w0 + w*x + w)", because="one unit more")
    d.line("exp(w)*exp(w0 + w*x)", because="the odds before, times exp(w), wherever x was")
    return d


def posterior_odds() -> Derivation:
    """Step 6: posterior odds are the Bayes factor times the prior odds."""
    d = Derivation("Posterior odds", symbols={"a b": "positive", "q": "probability"})
    d.line(
        "(q*a/(q*a + (1 - q)*b))/((1 - q)*b/(q*a + (1 - q)*b))",
        because="Bayes' rule for both classes; densities a and b at x, prior q of class 1",
    )
    d.line("(q*a)/((1 - q)*b)", because="the common denominator cancels")
    d.line("(a/b)*(q/(1 - q))", because="Bayes factor times prior odds")
    d.start("log((a/b)*(q/(1 - q)))", because="on the log scale")
    d.line("log(a/b) + log(q/(1 - q))", because="a sum: the prior moves the intercept only")
    return d


def fermi_dirac() -> Derivation:
    """Step 7: the occupation number of a fermion is a sigmoid."""
    d = Derivation(
        "The Fermi-Dirac distribution", symbols={"energy mu": "real", "k temp": "positive"}
    )
    d.line("1/(exp((energy - mu)/(k*temp)) + 1)", because="occupation of a state with that energy")
    d.line("1/(1 + exp(-(mu - energy)/(k*temp)))", because="turn the difference round")
    d.line("sigma((mu - energy)/(k*temp))", because="definition of the sigmoid")
    return d


DERIVATIONS: tuple[Callable[[], Derivation], ...] = (
    from_log_odds_to_probability,
    sigmoid_identities,
    both_codings,
    half_at_zero,
    one_unit_more,
    posterior_odds,
    fermi_dirac,
)
AGREES: dict[str, str] = {}
