"""A second opinion: SymPy and the proof engine agree on the derivations of logistic regression."""

import pytest
import sympy

from lectures_lib.proofs import Status, verdict

DOMAINS = {"w0": "real", "w": "real", "x1": "real", "x2": "real", "y1": "label01", "y2": "label01"}
Z1, Z2 = "(w0 + w*x1)", "(w0 + w*x2)"
LOSS = f"-(y1*{Z1} - log(1 + exp({Z1})) + y2*{Z2} - log(1 + exp({Z2})))"
D1, D2 = f"sigma({Z1})*(1 - sigma({Z1}))", f"sigma({Z2})*(1 - sigma({Z2}))"
# derivative of LOSS by these variables -> what the chapter says it is
STEPS = {
    ("w0",): f"(sigma({Z1}) - y1) + (sigma({Z2}) - y2)",
    ("w",): f"(sigma({Z1}) - y1)*x1 + (sigma({Z2}) - y2)*x2",
    ("w0", "w0"): f"{D1} + {D2}",
    ("w0", "w"): f"{D1}*x1 + {D2}*x2",
    ("w", "w"): f"{D1}*x1**2 + {D2}*x2**2",
}


def in_sympy(text: str) -> sympy.Expr:
    """One of the constants above as a SymPy expression."""
    names = {name: sympy.Symbol(name, real=True) for name in DOMAINS}
    return sympy.sympify(text, {**names, "sigma": lambda z: 1 / (1 + sympy.exp(-z))})


def derivative(variables: tuple[str, ...]) -> sympy.Expr:
    return sympy.diff(in_sympy(LOSS), *(sympy.Symbol(name, real=True) for name in variables))


@pytest.mark.parametrize("variables", STEPS, ids=" ".join)
def test_sympy_and_the_engine_find_the_same_derivative(variables: tuple[str, ...]) -> None:
    claimed = STEPS[variables]
    assert sympy.simplify(derivative(variables) - in_sympy(claimed)) == 0
    nested = LOSS
    for name in variables[:-1]:
        nested = f"diff({nested}, {name})"
    assert verdict(nested, claimed, DOMAINS, derivative=variables[-1]).status == Status.PROVED


@pytest.mark.slow
@pytest.mark.parametrize("variables", STEPS, ids=" ".join)
def test_both_reject_the_derivative_with_the_wrong_sign(variables: tuple[str, ...]) -> None:
    wrong = f"-({STEPS[variables]})"
    assert sympy.simplify(derivative(variables) - in_sympy(wrong)) != 0
    nested = LOSS
    for name in variables[:-1]:
        nested = f"diff({nested}, {name})"
    assert verdict(nested, wrong, DOMAINS, derivative=variables[-1]).status == Status.REFUTED


def test_both_reduce_the_log_likelihood_of_one_label() -> None:
    names = {"z": sympy.Symbol("z", real=True)}
    s = 1 / (1 + sympy.exp(-names["z"]))
    for y in (0, 1):
        left = y * sympy.log(s) + (1 - y) * sympy.log(1 - s)
        right = y * names["z"] - sympy.log(1 + sympy.exp(names["z"]))
        assert sympy.simplify(sympy.diff(left - right, names["z"])) == 0
        assert sympy.simplify((left - right).subs(names["z"], 0)) == 0
    text = "y*log(sigma(z)) + (1 - y)*log(1 - sigma(z))"
    found = verdict(text, "y*z - log(1 + exp(z))", {"y": "label01", "z": "real"})
    assert found.status == Status.PROVED
