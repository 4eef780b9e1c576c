"""Derivations: LDA, QDA, their estimators and naive Bayes.

`P` and `Q` are inverse covariances; `m` and `n` are the means of two classes.
"""

from __future__ import annotations

from collections.abc import Callable

from linecheck import Derivation

SHARED = {"x m n": "vector 2", "P": "symmetric 2", "p q": "positive"}


def log_of_the_density() -> Derivation:
    """Step 1: the logarithm of a Gaussian density times a prior."""
    d = Derivation(
        "The log of density times prior",
        symbols={"x m": "vector 2", "S": "spd 2", "prior": "probability"},
        where={"u": "dot(x - m, inv(S) @ (x - m))"},
    )
    d.line("log(prior*exp(-u/2)/(2*pi*sqrt(det(S))))", because="two features; u is D²(x)")
    d.line(
        "log(prior) + log(exp(-u/2)) - log(2*pi) - log(sqrt(det(S)))",
        because="log of a product and of a quotient",
    )
    d.line("log(prior) - u/2 - log(2*pi) - log(det(S))/2", because="log exp and log of a root")
    return d


def quadratic_terms_cancel() -> Derivation:
    """Steps 2 and 3: with one covariance the log-ratio of two classes is linear in x."""
    d = Derivation("The log-ratio of two classes", symbols=SHARED)
    d.line(
        "log(p/q) - dot(x - m, P @ (x - m))/2 + dot(x - n, P @ (x - n))/2",
        because="difference of the two logarithms; the determinants cancel",
    )
    d.line(
        "log(p/q) - (dot(x, P @ x) - 2*dot(x, P @ m) + dot(m, P @ m))/2"
        " + (dot(x, P @ x) - 2*dot(x, P @ n) + dot(n, P @ n))/2",
        because="multiply out; P is symmetric",
    )
    d.line(
        "log(p/q) + dot(x, P @ (m - n)) - dot(m, P @ m)/2 + dot(n, P @ n)/2",
        because="xᵀPx cancels",
    )
    d.line(
        "log(p/q) - dot(m + n, P @ (m - n))/2 + dot(x, P @ (m - n))",
        because="a difference of squares: the form of the notes",
    )
    return d


def discriminants_differ_by_the_log_ratio() -> Derivation:
    """Step 4: the difference of two discriminants is the log-ratio."""
    d = Derivation("Discriminants and log-ratio", symbols=SHARED)
    d.line(
        "(log(p) - dot(m, P @ m)/2 + dot(x, P @ m)) - (log(q) - dot(n, P @ n)/2 + dot(x, P @ n))",
        because="delta_k - delta_l",
    )
    d.line(
        "log(p/q) - dot(m, P @ m)/2 + dot(n, P @ n)/2 + dot(x, P @ (m - n))",
        because="collect the terms",
    )
    d.line(
        "log(p/q) - dot(m + n, P @ (m - n))/2 + dot(x, P @ (m - n))",
        because="the log-ratio: comparing pairs is comparing discriminants",
    )
    return d


def boundaries_of_qda() -> Derivation:
    """Step 5: with two covariances a quadratic part stays; its determinant tells the conic."""
    d = Derivation(
        "The boundary of QDA is a conic",
        symbols={"x m": "vector 2", "P": "symmetric 2", "a b c": "real", "k": "nonzero"},
        where={"A": "[[a, b], [b, c]]", "u": "[-b, a]"},
    )
    d.claim(
        "-dot(x - m, P @ (x - m))/2",
        "-P",
        derivative="x,x",
        because="the second derivative of one log-density; of the log-ratio it is Q - P",
    )
    d.claim(
        "a*dot(x, A @ x)",
        "(a*x[1] + b*x[2])**2 + det(A)*x[2]**2",
        because="complete the square; A = (Q - P)/2 has the rows (a, b) and (b, c)",
    )
    d.claim(
        "a*dot(x, A @ x)",
        "0",
        relation=">=",
        given="det(A) > 0",
        because="positive determinant: one sign in all directions, an ellipse",
    )
    d.claim(
        "dot(u, A @ u)",
        "a*det(A)",
        because="negative determinant: u = (-b, a) has the other sign than (1, 0), a hyperbola",
    )
    d.claim(
        "k*dot(x, [[k, b], [b, b**2/k]] @ x)",
        "(k*x[1] + b*x[2])**2",
        because="determinant 0 (c = b²/k): a square, a parabola or two parallel lines",
    )
    return d


def posterior_is_a_sigmoid() -> Derivation:
    """Step 6: with one variance the posterior is the sigmoid of a linear function."""
    d = Derivation(
        "The posterior of two classes",
        symbols={"x m n": "real", "p q v": "positive"},
        where={"f": "exp(-(x - m)**2/(2*v))", "g": "exp(-(x - n)**2/(2*v))"},
    )
    d.line(
        "p*f/(p*f + q*g)",
        because="Bayes' rule; one feature, variance v: f = exp(-(x - m)²/(2v)), g with n for m",
    )
    d.line(
        "1/(1 + q/p*exp((x - m)**2/(2*v) - (x - n)**2/(2*v)))",
        because="divide above and below by the first term",
    )
    d.line(
        "1/(1 + exp(-(log(p/q) - (m**2 - n**2)/(2*v) + (m - n)/v*x)))",
        because="the squares of x cancel, q/p = exp(-log(p/q))",
    )
    d.line(
        "sigma(log(p/q) - (m**2 - n**2)/(2*v) + (m - n)/v*x)",
        because="definition of the sigmoid",
    )
    return d


def estimators() -> Derivation:
    """Step 7: maximum-likelihood estimators of means, priors and variance."""
    d = Derivation(
        "The maximum-likelihood estimators",
        symbols={
            "x": "vector 3",
            "m": "real",
            "t": "probability",
            "n1 n2 n3 lam S v": "positive",
            "N": "int 2..9",
            "r": "simplex 3",
        },
    )
    d.maximum(
        "-sum((x[i] - m)**2, i, 1, 3)",
        "m",
        "mean(x)",
        because="the mean of a class maximises its Gaussian likelihood",
    )
    d.maximum(
        "n1*log(t) + n2*log(1 - t)",
        "t",
        "n1/(n1 + n2)",
        because="the prior of class 1 is its share of the examples",
    )
    d.claim(
        "n1*log(r[1]) + n2*log(r[2]) + n3*log(r[3]) - lam*(r[1] + r[2] + r[3] - 1)",
        "n1/r[1] - lam",
        derivative="r[1]",
        because="three classes, Lagrange: r1 = n1/lam, and likewise the others",
    )
    d.claim(
        "n1/(n1 + n2 + n3) + n2/(n1 + n2 + n3) + n3/(n1 + n2 + n3)",
        "1",
        because="they add up to 1 for lam = N",
    )
    d.maximum(
        "-N/2*log(v) - S/(2*v)",
        "v",
        "S/N",
        because="the variance: scatter divided by N, not by N - K",
        local=True,
    )
    return d


def why_divide_by_n_minus_one() -> Derivation:
    """Step 7, continued: the scatter of N draws has expectation (N - 1) times the variance."""
    d = Derivation(
        "The expected scatter",
        symbols={"x": "vector N", "m": "real", "p": "probability", "a b c": "label01"},
        sizes={"N": (2, 3, 4)},
    )
    d.claim(
        "sum((x[i] - mean(x))**2, i, 1, N)",
        "sum((x[i] - m)**2, i, 1, N) - N*(mean(x) - m)**2",
        because="around the true mean m the scatter is larger by N (x̄ - m)²",
    )
    d.line("(a - (a + b)/2)**2 + (b - (a + b)/2)**2", because="two draws, 1 with probability p")
    d.expect(
        "a", {"0": "1 - p", "1": "p"}, "p*(1 - b)**2/2 + (1 - p)*b**2/2", because="mean over a"
    )
    d.expect("b", {"0": "1 - p", "1": "p"}, "p*(1 - p)", because="(2 - 1) times the variance")
    d.line("p*(1 - p)", because="variance of one draw")
    d.start(
        "(a - (a + b + c)/3)**2 + (b - (a + b + c)/3)**2 + (c - (a + b + c)/3)**2",
        because="three draws",
    )
    d.expect(
        "a",
        {"0": "1 - p", "1": "p"},
        "(1 - p)*(2*b**2 + 2*c**2 - 2*b*c)/3 + p*(2 + 2*b**2 + 2*c**2 - 2*b - 2*c - 2*b*c)/3",
        because="mean over a",
    )
    d.expect(
        "b",
        {"0": "1 - p", "1": "p"},
        "(2*p + 2*c**2 - 2*p*c)/3 + p*(2 - 2*p - 2*c)/3",
        because="mean over b; b² = b for a label",
    )
    d.expect("c", {"0": "1 - p", "1": "p"}, "2*p*(1 - p)", because="(3 - 1) times the variance")
    return d


def log_determinant() -> Derivation:
    """Step 8: the log-determinant is the sum of the log-eigenvalues."""
    d = Derivation(
        "The log-determinant",
        symbols={"t": "real", "p q": "positive"},
        where={"U": "[[1 - t**2, -2*t], [2*t, 1 - t**2]]/(1 + t**2)", "D": "diag([p, q])"},
    )
    d.claim("T(U) @ U", "eye(2)", because="U is a rotation, t the tangent of half its angle")
    d.line("log(det(U @ D @ T(U)))", because="Σ = U D Uᵀ")
    d.line("log(det(U)**2*det(D))", because="det of a product, det Uᵀ = det U")
    d.line("log(p*q)", because="det U = 1")
    d.line("log(p) + log(q)", because="log of a product")
    return d


def naive_bayes_is_lda() -> Derivation:
    """Step 9: naive Bayes with shared variances is LDA with a diagonal covariance."""
    d = Derivation(
        "Gaussian naive Bayes",
        symbols={"x m": "vector d", "v": "positive vector d"},
        sizes={"d": (1, 2)},
    )
    d.line(
        "log(prod(exp(-(x[j] - m[j])**2/(2*v[j]))/sqrt(2*pi*v[j]), j, 1, d))",
        because="product over the features",
    )
    d.line(
        "sum(-(x[j] - m[j])**2/(2*v[j]) - log(2*pi*v[j])/2, j, 1, d)",
        because="log of a product, of exp and of a root",
    )
    d.line(
        "-dot(x - m, inv(diag(v)) @ (x - m))/2 - log(det(diag(v)))/2 - d/2*log(2*pi)",
        because="the Gaussian log-density with covariance diag(v)",
    )
    return d


DERIVATIONS: tuple[Callable[[], Derivation], ...] = (
    log_of_the_density,
    quadratic_terms_cancel,
    discriminants_differ_by_the_log_ratio,
    boundaries_of_qda,
    posterior_is_a_sigmoid,
    estimators,
    why_divide_by_n_minus_one,
    log_determinant,
    naive_bayes_is_lda,
)
AGREES: dict[str, str] = {}
