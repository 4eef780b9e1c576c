"""Derivations: geometry of a linear function, and least squares on labels."""

from __future__ import annotations

from collections.abc import Callable

from linecheck import Derivation

SPACE = {"w x p": "vector 3", "w0": "real"}
LINE = "[[1, x1], [1, x2], [1, x3]]"  # design matrix of three examples with one feature


def weights_are_orthogonal() -> Derivation:
    """Step 1: w is orthogonal to the boundary."""
    d = Derivation(
        "The weights are orthogonal to the boundary",
        symbols={"w a b": "vector 3", "w0": "real"},
        given=["dot(w, a) + w0 == 0", "dot(w, b) + w0 == 0"],
    )
    d.line("dot(w, a - b)", because="a and b are two points of the boundary")
    d.line("(dot(w, a) + w0) - (dot(w, b) + w0)", because="the dot product is linear")
    d.line("0", because="both brackets are 0 on the boundary")
    return d


def foot_of_the_perpendicular() -> Derivation:
    """Step 2: the nearest point of the boundary, by Lagrange multipliers."""
    d = Derivation(
        "The nearest point of the boundary",
        symbols=SPACE | {"lam": "real"},
        given="norm(w) > 0",
        where={"g": "dot(w, p) + w0"},
    )
    d.line("norm(x - p)**2 + lam*(dot(w, x) + w0)", because="Lagrange function")
    d.differentiate("x", "2*(x - p) + lam*w", because="gradient; 0 for x = p - lam w/2")
    d.claim(
        "dot(w, p - lam/2*w) + w0",
        "g - lam/2*norm(w)**2",
        because="the constraint there; it is 0 for lam = 2 g/‖w‖²",
    )
    d.claim("dot(w, p - g/norm(w)**2*w) + w0", "0", because="so the foot is p - g w/‖w‖²")
    d.claim(
        "norm(x - p)**2",
        "norm(x - (p - g/norm(w)**2*w))**2 + (g/norm(w))**2",
        given="dot(w, x) + w0 == 0",
        because="Pythagoras: any other point x of the boundary is farther away",
    )
    return d


def distance() -> Derivation:
    """Step 3: the squared distance of a point is g²/‖w‖²."""
    d = Derivation(
        "The distance of a point",
        symbols={"w": "vector 3", "g": "real"},
        given="norm(w) > 0",
    )
    d.line("norm(g/norm(w)**2*w)**2", because="from the point to its foot")
    d.line("g**2/norm(w)**4*norm(w)**2", because="the norm of a multiple")
    d.line("g**2/norm(w)**2", because="cancel")
    return d


def signed_distances() -> Derivation:
    """Step 4: the origin and the boundary see each other with opposite signs."""
    d = Derivation(
        "Signed distances",
        symbols={"w": "vector 3", "w0": "real"},
        given="norm(w) > 0",
    )
    d.claim(
        "(dot(w, 0*w) + w0)/norm(w)",
        "w0/norm(w)",
        because="signed distance of the origin: g(0)/‖w‖",
    )
    d.claim("dot(w, -w0/norm(w)**2*w) + w0", "0", because="a point of the boundary along w")
    d.claim(
        "dot(w/norm(w), -w0/norm(w)**2*w)",
        "-w0/norm(w)",
        because="its coordinate along w: the other sign",
    )
    return d


def scaling() -> Derivation:
    """Step 5: a positive factor changes neither the boundary nor the signed distance."""
    d = Derivation(
        "Scaling the weights",
        symbols={"w x": "vector 3", "w0": "real", "c": "positive", "k": "nonzero"},
        given="norm(w) > 0",
    )
    d.line("(dot(c*w, x) + c*w0)/norm(c*w)", because="signed distance with (c w, c w0)")
    d.line("c*(dot(w, x) + w0)/(c*norm(w))", because="c is positive")
    d.line("(dot(w, x) + w0)/norm(w)", because="cancel")
    d.equivalent(
        "dot(k*w, x) + k*w0 == 0",
        "dot(w, x) + w0 == 0",
        because="the boundary stays for any factor k other than 0",
    )
    return d


def monotone_transforms() -> Derivation:
    """Step 6: one increasing transform keeps the largest discriminant, two different do not."""
    d = Derivation("Transforms of the discriminants", symbols={"a b": "real"})
    d.equivalent("a > b", "exp(a) > exp(b)", because="the same increasing function for both")
    d.equivalent("a > b", "2*a + 3 > 2*b + 3", because="another one")
    d.claim("1", "2", relation="<", because="here the second discriminant is larger")
    d.claim(
        "exp(1)", "2 - 1", relation=">", because="exp on the first, minus 1 on the second: no more"
    )
    return d


def normal_equations() -> Derivation:
    """Step 7: the gradient of the squared error."""
    d = Derivation(
        "The normal equations",
        symbols={"X": "matrix 3 2", "Y": "matrix 3 2", "B": "matrix 2 2"},
    )
    d.line("trace(T(Y - X @ B) @ (Y - X @ B))", because="sum of all squared errors")
    d.differentiate("B", "-2*T(X) @ (Y - X @ B)", because="entry by entry")
    d.line("2*(T(X) @ X @ B - T(X) @ Y)", because="it is 0 exactly when XᵀX B = XᵀY")
    return d


def nearest_target() -> Derivation:
    """Step 8: the nearest one-hot target is that of the largest output."""
    d = Derivation(
        "The nearest target is the largest output",
        symbols={"f": "vector 3", "j k": "int 1..3"},
    )
    d.line("norm(f - unit(3, k))**2", because="squared distance to the target of class k")
    d.line("norm(f)**2 - 2*dot(f, unit(3, k)) + norm(unit(3, k))**2", because="expand")
    d.line("norm(f)**2 - 2*f[k] + 1", because="a unit vector picks one entry")
    d.equivalent(
        "norm(f)**2 - 2*f[j] + 1 < norm(f)**2 - 2*f[k] + 1",
        "f[j] > f[k]",
        because="only -2 f_k depends on the class",
    )
    return d


def outputs_add_up() -> Derivation:
    """Step 9: with an intercept the fitted values add up to 1."""
    d = Derivation(
        "The outputs add up to 1",
        symbols={"x1 x2 x3 x": "real"},
        given="x1 < x2",
        where={"X": LINE},
    )
    d.line(
        "inv(T(X) @ X) @ T(X) @ ones(3)", because="sum of the columns of B: each row of Y sums to 1"
    )
    d.line("inv(T(X) @ X) @ T(X) @ (X @ [1, 0])", because="the ones are the first column of X")
    d.line("[1, 0]", because="the inverse cancels")
    d.claim("dot([1, x], [1, 0])", "1", because="so the outputs at any x add up to 1")
    return d


def columns_decouple() -> Derivation:
    """Step 10: each class has its own regression."""
    d = Derivation(
        "The columns decouple",
        symbols={"x1 x2 x3": "real", "Y": "matrix 3 3", "k": "int 1..3"},
        given="x1 < x2",
        where={"X": LINE},
    )
    d.line("col(inv(T(X) @ X) @ T(X) @ Y, k)", because="weights of class k in the joint fit")
    d.line("inv(T(X) @ X) @ T(X) @ col(Y, k)", because="a matrix acts column by column")
    return d


def masking() -> Derivation:
    """Step 11: the middle of three groups on a line is never the largest."""
    d = Derivation(
        "Masking of the middle class",
        symbols={"a": "positive", "x": "real"},
        where={"X": "[[1, -a], [1, 0], [1, a]]"},
    )
    d.claim(
        "inv(T(X) @ X) @ T(X) @ [0, 1, 0]",
        "[1/3, 0]",
        because="the fit of the middle class is the constant 1/3",
    )
    d.claim("inv(T(X) @ X) @ T(X) @ [1, 0, 0]", "[1/3, -1/(2*a)]", because="the left class")
    d.claim("inv(T(X) @ X) @ T(X) @ [0, 0, 1]", "[1/3, 1/(2*a)]", because="the right class")
    d.claim(
        "max(1/3 - x/(2*a), 1/3 + x/(2*a))",
        "1/3",
        relation=">=",
        because="one of the outer fits is always at least as large",
    )
    return d


def gaussian_labels() -> Derivation:
    """Step 12: least squares is maximum likelihood for labels with Gaussian noise."""
    d = Derivation(
        "Least squares as a likelihood",
        symbols={"y f": "real", "v": "positive"},
    )
    d.line(
        "-log(exp(-(y - f)**2/(2*v))/sqrt(2*pi*v))",
        because="minus the log density of a label y with mean f and variance v",
    )
    d.line("(y - f)**2/(2*v) + log(2*pi*v)/2", because="log of a quotient")
    d.differentiate("f", "-(y - f)/v", because="the second term does not depend on f")
    d.claim(
        "-(y - f)/v",
        "1/(2*v)*(-2*(y - f))",
        because="so it is the slope of the squared error, up to the factor 1/(2v)",
    )
    return d


DERIVATIONS: tuple[Callable[[], Derivation], ...] = (
    weights_are_orthogonal,
    foot_of_the_perpendicular,
    distance,
    signed_distances,
    scaling,
    monotone_transforms,
    normal_equations,
    nearest_target,
    outputs_add_up,
    columns_decouple,
    masking,
    gaussian_labels,
)
AGREES: dict[str, str] = {}
