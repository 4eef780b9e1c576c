"""Derivations: Fisher's criterion, its maximum, and least squares.

`S` is the scatter within the classes, `m` the difference of the class means, `B` = m mᵀ.
"""

from __future__ import annotations

from collections.abc import Callable

from linecheck import Derivation

PLANE = {"w m": "vector 2", "S": "spd 2"}


def projected_mean() -> Derivation:
    """Step 1: the mean of the projections is the projection of the mean."""
    d = Derivation(
        "The projected mean",
        symbols={"X": "matrix N d", "w": "vector d"},
        sizes={"N": (1, 2, 3), "d": (1, 2)},
    )
    d.line("1/N*sum(dot(w, X[i]), i, 1, N)", because="mean of the projections")
    d.line("dot(w, 1/N*sum(X[i], i, 1, N))", because="the dot product is linear")
    return d


def mean_difference_direction() -> Derivation:
    """Step 2: on the unit circle the means are farthest apart along their difference."""
    d = Derivation(
        "The direction that separates the means",
        symbols={"w m": "vector 2", "lam": "positive"},
    )
    d.line("dot(w, m) - lam*(dot(w, w) - 1)", because="Lagrange function for norm(w) = 1")
    d.differentiate("w", "m - 2*lam*w", because="gradient; it is 0 for w = m/(2 lam)")
    d.claim(
        "dot(w, m)**2",
        "norm(m)**2",
        relation="<=",
        given="norm(w) == 1",
        because="no unit vector does better (Cauchy-Schwarz)",
    )
    d.claim(
        "dot(m/norm(m), m)",
        "norm(m)",
        given="norm(m) > 0",
        because="and w = m/‖m‖ reaches it",
    )
    return d


def projected_scatter() -> Derivation:
    """Step 3: equations (23) to (28) of note 004."""
    d = Derivation(
        "The scatter of the projections",
        symbols={"X": "matrix N 2", "w c": "vector 2"},
        sizes={"N": (1, 2, 3)},
    )
    d.line("sum((dot(w, X[i]) - dot(w, c))**2, i, 1, N)", because="(23): scatter around the mean c")
    d.line("sum(dot(w, X[i] - c)**2, i, 1, N)", because="(24): the dot product is linear")
    d.line("sum(dot(w, X[i] - c)*dot(X[i] - c, w), i, 1, N)", because="(25), (26): wᵀa = aᵀw")
    d.line("sum(dot(w, outer(X[i] - c, X[i] - c) @ w), i, 1, N)", because="(27): a aᵀ w = a (aᵀw)")
    d.line("dot(w, sum(outer(X[i] - c, X[i] - c), i, 1, N) @ w)", because="(28): wᵀ S w")
    return d


def projected_distance() -> Derivation:
    """Step 4: equation (31) of note 004."""
    d = Derivation("The distance of the projected means", symbols={"w a b": "vector 2"})
    d.line("(dot(w, a) - dot(w, b))**2", because="distance of the projected means, squared")
    d.line("dot(w, a - b)**2", because="the dot product is linear")
    d.line("dot(w, outer(a - b, a - b) @ w)", because="wᵀ B w with B = (a-b)(a-b)ᵀ")
    return d


def gradient_of_the_criterion() -> Derivation:
    """Step 5: the gradient of Fisher's criterion by the quotient rule."""
    d = Derivation(
        "The gradient of Fisher's criterion",
        symbols={"w": "vector 2", "B": "symmetric 2", "S": "spd 2"},
        given="dot(w, S @ w) > 0",  # S is positive definite and w is not 0
    )
    d.claim("dot(w, B @ w)", "2*B @ w", derivative="w", because="gradient of a quadratic form")
    d.line("dot(w, B @ w)/dot(w, S @ w)", because="Fisher's criterion J")
    d.differentiate(
        "w",
        "(2*dot(w, S @ w)*B @ w - 2*dot(w, B @ w)*S @ w)/dot(w, S @ w)**2",
        because="quotient rule",
    )
    d.line(
        "2/dot(w, S @ w)*(B @ w - dot(w, B @ w)/dot(w, S @ w)*S @ w)",
        because="it is 0 exactly when B w = J S w",
    )
    return d


def fisher_direction_is_stationary() -> Derivation:
    """Step 6: at w = S⁻¹ m the gradient is 0."""
    d = Derivation(
        "Fisher's direction",
        symbols={"m": "vector 2", "S": "spd 2"},
        where={"v": "inv(S) @ m", "B": "outer(m, m)"},
    )
    d.line("dot(v, S @ v)*B @ v - dot(v, B @ v)*S @ v", because="numerator of the gradient")
    d.line("dot(v, m)*B @ v - dot(v, B @ v)*m", because="S v = m")
    d.line("dot(v, m)*dot(m, v)*m - dot(v, m)**2*m", because="B v = m (mᵀv)")
    d.line("zeros(2)", because="both terms are equal")
    return d


def largest_ratio() -> Derivation:
    """Step 7: the criterion there is m'S⁻¹m, the eigenvalue of (38)."""
    d = Derivation(
        "The value of the criterion",
        symbols={"m": "vector 2", "S": "spd 2"},
        given="dot(m, inv(S) @ m) > 0",  # S is positive definite and m is not 0
        where={"v": "inv(S) @ m", "B": "outer(m, m)"},
    )
    d.line("dot(v, B @ v)/dot(v, S @ v)", because="J at w = S⁻¹m")
    d.line("dot(m, v)**2/dot(v, m)", because="B v = m (mᵀv) and S v = m")
    d.line("dot(m, inv(S) @ m)", because="cancel")
    d.claim(
        "inv(S) @ B @ v",
        "dot(m, inv(S) @ m)*v",
        because="(38): an eigenvector with this eigenvalue",
    )
    return d


def alternative_route() -> Derivation:
    """Step 7, continued: equations (40) to (42) of note 004."""
    d = Derivation(
        "The short way",
        symbols={"w m": "vector 2", "S": "spd 2", "J": "nonzero"},
        where={"B": "outer(m, m)", "eps": "dot(m, w)"},
    )
    d.claim("B @ w", "eps*m", because="(40): B w always points along m; eps is a number")
    d.claim(
        "inv(S) @ (B @ w/J)",
        "eps/J*(inv(S) @ m)",
        because="(41), (42): B w = J S w gives w = S⁻¹B w/J, a multiple of S⁻¹m",
    )
    return d


def it_is_the_maximum() -> Derivation:
    """Step 8: the other eigenvalue is 0, and no direction has a larger ratio."""
    d = Derivation(
        "The stationary point is the maximum",
        symbols=PLANE,
        where={"B": "outer(m, m)", "u": "[-m[2], m[1]]"},
    )
    d.claim("det(inv(S) @ B)", "0", because="B has rank one: the other eigenvalue is 0")
    d.claim("trace(inv(S) @ B)", "dot(m, inv(S) @ m)", because="so the trace is the first one")
    d.claim(
        "dot(w, S @ w)*dot(u, S @ u) - det(S)*dot(w, m)**2",
        "dot(w, S @ u)**2",
        because="Lagrange's identity; u is m turned by a right angle, uᵀSu = det(S) mᵀS⁻¹m",
    )
    d.claim("dot(u, S @ u)", "det(S)*dot(m, inv(S) @ m)", because="adjugate of a 2 × 2 matrix")
    d.claim(
        "det(S)*dot(w, m)**2",
        "dot(w, S @ w)*dot(u, S @ u)",
        relation="<=",
        because="hence J(w) ≤ mᵀS⁻¹m for every w",
    )
    return d


def scale_does_not_matter() -> Derivation:
    """Step 9: the criterion does not depend on the length of w."""
    d = Derivation(
        "The length of w does not matter",
        symbols={"w": "vector 2", "B": "symmetric 2", "S": "spd 2", "c": "nonzero"},
        given="dot(w, S @ w) > 0",
    )
    d.line("dot(c*w, B @ (c*w))/dot(c*w, S @ (c*w))", because="J(cw)")
    d.line("c**2*dot(w, B @ w)/(c**2*dot(w, S @ w))", because="both forms are quadratic")
    d.line("dot(w, B @ w)/dot(w, S @ w)", because="c² cancels")
    return d


def least_squares_finds_it() -> Derivation:
    """Step 10: least squares with the targets N/N1 and -N/N2 has Fisher's direction.

    Two examples `a`, `b` in class 1 and one, `c`, in class 2: N = 3, targets 3/2, 3/2, -3.
    """
    d = Derivation(
        "Least squares with special targets",
        symbols={
            "X": "matrix 3 2",
            "t": "vector 3",
            "a b c w m": "vector 2",
            "w0": "real",
            "S": "spd 2",
            "k N": "positive",
        },
        where={"v": "inv(S) @ m", "q": "1 + k*dot(m, v)"},
    )
    d.claim(
        "sum((w0 + dot(w, X[i]) - t[i])**2, i, 1, 3)/2",
        "3*w0 + sum(dot(w, X[i]), i, 1, 3) - sum(t)",
        derivative="w0",
        because="three examples; targets that add up to 0 give w0 = -wᵀμ",
    )
    d.let(f="(a + b)/2", g="(a + b + c)/3")
    d.claim(
        "(dot(w, a - g) - 3/2)*(a - g) + (dot(w, b - g) - 3/2)*(b - g)"
        " + (dot(w, c - g) + 3)*(c - g)",
        "(outer(a - f, a - f) + outer(b - f, b - f) + 2/3*outer(f - c, f - c)) @ w - 3*(f - c)",
        because="gradient in w with that w0: (S_w + N1 N2/N S_B) w = N (μ1 - μ2)",
    )
    d.claim(
        "(S + k*outer(m, m)) @ v",
        "q*m",
        because="insert v = S⁻¹m on the left: the result is a multiple of m",
    )
    d.claim(
        "(S + k*outer(m, m)) @ (N/q*v)",
        "N*m",
        because="so the solution is a multiple of S⁻¹m (Sherman and Morrison)",
    )
    return d


def bayes_threshold() -> Derivation:
    """Step 11: the threshold on the projection, for two Gaussians with one variance."""
    d = Derivation(
        "The threshold on the projection",
        symbols={"z m1 m2": "real", "v p1 p2": "positive"},
        given="m1 != m2",
    )
    d.line(
        "log(p1/p2) - (z - m1)**2/(2*v) + (z - m2)**2/(2*v)",
        because="log of the posterior odds of the projection z",
    )
    d.line("log(p1/p2) + (m1 - m2)/v*(z - (m1 + m2)/2)", because="the squares of z cancel")
    d.substitute(
        {"z": "(m1 + m2)/2 - v/(m1 - m2)*log(p1/p2)"}, "0", because="zero at the Bayes threshold"
    )
    return d


DERIVATIONS: tuple[Callable[[], Derivation], ...] = (
    projected_mean,
    mean_difference_direction,
    projected_scatter,
    projected_distance,
    gradient_of_the_criterion,
    fisher_direction_is_stationary,
    largest_ratio,
    alternative_route,
    it_is_the_maximum,
    scale_does_not_matter,
    least_squares_finds_it,
    bayes_threshold,
)
AGREES: dict[str, str] = {}
