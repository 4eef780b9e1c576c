"""Derivations: both bounds of the convergence proof, and the dual form.

All vectors are augmented, (1, x) and (w0, w). `v` is the separating vector w*, with norm 1 and
s v·x ≥ γ for every example; R bounds the norms of the examples.
"""

from __future__ import annotations

from collections.abc import Callable

from linecheck import Derivation

RATES = {"eta gamma R": "positive"}
DIMENSIONS = {"d": (1, 2, 3, 4, 5)}  # each line is proved for each of these
VECTORS = {"v w x": "vector d", "s": "sign"}


def lower_bound_step() -> Derivation:
    """Step 1: an update takes the weights at least eta gamma further along the separator."""
    d = Derivation(
        "Each update gains at least ηγ along the separator",
        symbols=VECTORS | RATES,
        given="s*dot(v, x) >= gamma",
        sizes=DIMENSIONS,
    )
    d.line("dot(v, w + eta*s*x)", because="projection after the update")
    d.line("dot(v, w) + eta*(s*dot(v, x))", because="the dot product is linear")
    d.line("dot(v, w) + eta*gamma", relation=">=", because="v separates with margin γ, and η > 0")
    return d


def upper_bound_step() -> Derivation:
    """Step 2: an update adds at most eta² R² to the squared norm."""
    d = Derivation(
        "Each update adds at most η²R² to the squared norm",
        symbols={"w x": "vector d", "s": "sign"} | RATES,
        given=["s*dot(w, x) <= 0", "norm(x)**2 <= R**2"],
        sizes=DIMENSIONS,
    )
    d.line("norm(w + eta*s*x)**2", because="squared norm after the update")
    d.line("norm(w)**2 + 2*eta*(s*dot(w, x)) + eta**2*s**2*norm(x)**2", because="expand the square")
    d.line("norm(w)**2 + 2*eta*(s*dot(w, x)) + eta**2*norm(x)**2", because="s² = 1")
    d.line(
        "norm(w)**2 + eta**2*norm(x)**2",
        relation="<=",
        because="an update happens only when s wᵀx ≤ 0",
    )
    d.line("norm(w)**2 + eta**2*R**2", relation="<=", because="R is the largest norm")
    return d


def recursions() -> Derivation:
    """Step 3: both steps, repeated t times from zero."""
    d = Derivation(
        "After t updates from zero",
        symbols={"a q": "real", "t": "nonnegative"} | RATES,
    )
    d.claim(
        "a + eta*gamma",
        "(t + 1)*eta*gamma",
        relation=">=",
        given="a >= t*eta*gamma",
        because="if the projection is at least tηγ, one update later it is at least (t+1)ηγ",
    )
    d.claim(
        "q + eta**2*R**2",
        "(t + 1)*eta**2*R**2",
        relation="<=",
        given="q <= t*eta**2*R**2",
        because="if the squared norm is at most tη²R², one update later it is at most (t+1)η²R²",
    )
    return d


def cauchy_schwarz() -> Derivation:
    """Step 3, continued: the projection on a unit vector is no longer than the vector."""
    d = Derivation("The projection is at most the norm", symbols={"v w": "vector 3"})
    d.claim(
        "norm(v)**2*norm(w)**2 - dot(v, w)**2",
        "(v[1]*w[2] - v[2]*w[1])**2 + (v[1]*w[3] - v[3]*w[1])**2 + (v[2]*w[3] - v[3]*w[2])**2",
        because="Lagrange's identity, here in three dimensions",
    )
    d.claim(
        "dot(v, w)**2",
        "norm(v)**2*norm(w)**2",
        relation="<=",
        because="the right side was a sum of squares",
    )
    d.claim("dot(v, 2*v)", "norm(v)*norm(2*v)", because="equality for the same direction")
    d.claim("dot(v, -v)", "-norm(v)**2", because="parallel but opposite: the lowest value")
    return d


def number_of_updates() -> Derivation:
    """Step 4: the two bounds meet at t = R²/gamma²; the learning rate cancels."""
    d = Derivation("The number of updates is bounded", symbols={"t": "positive"} | RATES)
    d.equivalent(
        "(t*eta*gamma)**2 <= t*eta**2*R**2",
        "t <= R**2/gamma**2",
        because="divide by t η²γ², which is positive",
    )
    d.line("(t*eta*gamma)**2", because="the square of the lower bound")
    d.substitute({"t": "R**2/gamma**2"}, "(R**2/gamma**2*eta*gamma)**2", because="at t = R²/γ²")
    d.line("R**2/gamma**2*eta**2*R**2", because="which is the upper bound tη²R² there")
    return d


def cosine_bound() -> Derivation:
    """Step 5: the cosine between weights and separator is at least sqrt(t) gamma / R."""
    d = Derivation("The bound on the cosine", symbols={"t": "positive"} | RATES)
    d.line("t*eta*gamma/sqrt(t*eta**2*R**2)", because="lower bound over upper bound")
    d.line("t*eta*gamma/(sqrt(t)*eta*R)", because="η and R are positive")
    d.line("sqrt(t)*gamma/R", because="t/√t = √t, and η cancels")
    d.substitute({"t": "R**2/gamma**2"}, "1", because="at t = R²/γ² the cosine would have to be 1")
    return d


def general_start() -> Derivation:
    """Step 6: from a start w0 of norm n the bound grows by 2n/(eta gamma)."""
    d = Derivation(
        "The bound for a start that is not zero",
        symbols={"v u": "vector 2", "t": "positive", "n": "nonnegative"} | RATES,
    )
    d.claim(
        "dot(v, u) + t*eta*gamma",
        "t*eta*gamma - norm(u)",
        relation=">=",
        given="norm(v) == 1",
        because="the start u is at worst opposite to v (Cauchy-Schwarz; here for two components)",
    )
    d.claim(
        "n**2 + t*eta**2*R**2 + eta**2*R**2",
        "n**2 + (t + 1)*eta**2*R**2",
        because="the squared norm starts at n² = ‖u‖² and gains at most η²R²",
    )
    d.equivalent(
        "(t*eta*gamma - n)**2 <= n**2 + t*eta**2*R**2",
        "t**2*eta**2*gamma**2 <= t*(eta**2*R**2 + 2*n*eta*gamma)",
        because="expand; n² cancels",
    )
    d.equivalent(
        "t**2*eta**2*gamma**2 <= t*(eta**2*R**2 + 2*n*eta*gamma)",
        "t <= R**2/gamma**2 + 2*n/(eta*gamma)",
        because="divide by t η²γ²; now η matters",
    )
    d.claim(
        "t",
        "R**2/gamma**2 + 2*n/(eta*gamma)",
        relation="<=",
        given="t*eta*gamma - n < 0",
        because="where the left side was negative and must not be squared, t is small anyway",
    )
    return d


def dual_form() -> Derivation:
    """Step 7: the weights count how often each example caused an update."""
    d = Derivation(
        "The dual form",
        symbols={
            "X": "matrix N d",
            "s": "sign vector N",
            "alpha": "vector N",
            "eta": "positive",
            "k": "int 1..3",
            "j": "int 1..3",
        },
        sizes={"N": (3,), "d": (1, 2, 3)},
    )
    d.claim(
        "eta*sum(alpha[i]*s[i]*X[i], i, 1, N) + eta*s[k]*X[k]",
        "eta*sum((alpha[i] + delta(i, k))*s[i]*X[i], i, 1, N)",
        because="an update on example k adds 1 to its α",
    )
    d.claim(
        "dot(eta*sum(alpha[i]*s[i]*X[i], i, 1, N), X[j])",
        "eta*sum(alpha[i]*s[i]*(X @ T(X))[i, j], i, 1, N)",
        because="the score needs the Gram matrix only",
    )
    return d


DERIVATIONS: tuple[Callable[[], Derivation], ...] = (
    lower_bound_step,
    upper_bound_step,
    recursions,
    cauchy_schwarz,
    number_of_updates,
    cosine_bound,
    general_start,
    dual_form,
)
AGREES: dict[str, str] = {}
