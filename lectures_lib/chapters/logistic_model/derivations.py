"""The derivations of the logistic model: log-odds, the sigmoid, Fermi's distribution."""

from __future__ import annotations

from collections.abc import Callable

from lectures_lib.proofs import Derivation


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


def fermi_dirac() -> Derivation:
    """Step 3: the occupation number of a fermion is a sigmoid."""
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
    fermi_dirac,
)
AGREES: dict[str, str] = {}
