"""The derivations of training: gradient, Hessian, Newton, minibatches."""

from __future__ import annotations

from collections.abc import Callable

from linecheck import Derivation

DATA = {"X": "matrix N d", "w": "vector d", "y": "label01 vector N"}
SMALL = {"N": (1, 2, 3), "d": (1, 2)}
LOG_LIKELIHOOD = "sum(y[i]*dot(X[i], w) - log(1 + exp(dot(X[i], w))), i, 1, N)"


def cross_entropy_line_by_line() -> Derivation:
    """Step 1: equations (75) to (80) of note 004."""
    d = Derivation(
        "The cross-entropy, line by line",
        symbols={"z": "vector N", "y": "label01 vector N", "u": "real"},
        sizes={"N": (1, 2, 3)},
    )
    d.claim("log(sigma(u))", "-log(1 + exp(-u))", because="(75): log of a quotient")
    d.claim("log(1 - sigma(u))", "-u - log(1 + exp(-u))", because="(76): 1 - sigma = exp(-u) sigma")
    d.line(
        "sum(y[i]*log(sigma(z[i])) + (1 - y[i])*log(1 - sigma(z[i])), i, 1, N)",
        because="(74): the cross-entropy J, times -N",
    )
    d.line(
        "sum(-y[i]*log(1 + exp(-z[i])) + (1 - y[i])*(-z[i] - log(1 + exp(-z[i]))), i, 1, N)",
        because="(77): insert both",
    )
    d.line(
        "sum(y[i]*z[i] - z[i] - log(1 + exp(-z[i])), i, 1, N)",
        because="(78): the terms y log(...) cancel",
    )
    d.line(
        "sum(y[i]*z[i] - log(1 + exp(z[i])), i, 1, N)",
        because="(79), (80): z + log(1 + exp(-z)) = log(1 + exp(z))",
    )
    return d


def gradient() -> Derivation:
    """Step 2: the gradient of the log-likelihood is X'(y - p)."""
    d = Derivation("The gradient of the log-likelihood", symbols=DATA, sizes=SMALL)
    d.line(LOG_LIKELIHOOD, because="log-likelihood, scores X w")
    d.differentiate(
        "w",
        "sum(y[i]*X[i] - exp(dot(X[i], w))/(1 + exp(dot(X[i], w)))*X[i], i, 1, N)",
        because="chain rule; the gradient of a score is its row of X",
    )
    d.line("sum((y[i] - sigma(dot(X[i], w)))*X[i], i, 1, N)", because="definition of the sigmoid")
    d.line("T(X) @ (y - sigma(X @ w))", because="a sum of rows with weights is a product with Xᵀ")
    return d


def hessian() -> Derivation:
    """Step 3: the Hessian of the log-likelihood is -X'DX."""
    d = Derivation("The Hessian of the log-likelihood", symbols=DATA, sizes=SMALL)
    d.let(p="sigma(X @ w)")
    d.line("T(X) @ (y - p)", because="the gradient, with p = sigma(X w)")
    d.differentiate(
        "w",
        "-sum(p[i]*(1 - p[i])*outer(X[i], X[i]), i, 1, N)",
        because="the slope of the sigmoid is sigma (1 - sigma)",
    )
    d.line(
        "-T(X) @ diag(hadamard(p, ones(N) - p)) @ X", because="D holds p (1 - p) on its diagonal"
    )
    return d


def negative_curvature() -> Derivation:
    """Step 4: X'DX is positive semidefinite, so the log-likelihood is concave."""
    d = Derivation(
        "The log-likelihood is concave",
        symbols={"X": "matrix N d", "v": "vector d", "D": "nonnegative vector N"},
        sizes=SMALL,
    )
    d.line("dot(v, T(X) @ diag(D) @ X @ v)", because="curvature of the loss in direction v")
    d.line("dot(X @ v, diag(D) @ (X @ v))", because="move Xᵀ to the other side")
    d.line("sum(D[i]*dot(X[i], v)**2, i, 1, N)", because="a diagonal matrix weights squares")
    d.line("0", relation=">=", because="every D is p (1 - p) ≥ 0")
    return d


def gradient_with_signs() -> Derivation:
    """Step 5: the derivative of the loss for labels 1 and -1, and that it is the same."""
    d = Derivation(
        "The derivative with labels 1 and -1",
        symbols={"w x": "vector 2", "s": "sign"},
    )
    d.let(z="dot(w, x)")
    d.line("log(1 + exp(-s*z))", because="loss of one example, with its score z = wᵀx")
    d.differentiate(
        "w[1]",
        "1/(1 + exp(-s*z))*exp(-s*z)*(-s*x[1])",
        because="chain rule on log, on exp, on the score",
    )
    d.line("-1/(1 + exp(s*z))*s*x[1]", because="divide above and below by the exponential")
    d.line("-sigma(-s*z)*s*x[1]", because="the probability of the other label")
    d.line(
        "(sigma(z) - (1 + s)/2)*x[1]",
        because="the same as (p - y) x with y = (1 + s)/2: insert s = 1 and s = -1",
    )
    return d


def newton_is_weighted_least_squares() -> Derivation:
    """Step 6: a Newton step solves a weighted least-squares problem."""
    d = Derivation(
        "A Newton step is a weighted least-squares fit",
        symbols={
            "X": "matrix N d",
            "D": "positive vector N",
            "r": "vector N",
            "H": "invertible d",
            "w g": "vector d",
        },
        sizes=SMALL,
    )
    d.line(
        "T(X) @ diag(D) @ (X @ w + inv(diag(D)) @ r)",
        because="normal equations of the fit to the working response X w + D⁻¹ r, r = y - p",
    )
    d.line("T(X) @ diag(D) @ X @ w + T(X) @ r", because="multiply out; D D⁻¹ = I")
    d.start("inv(H) @ (H @ w + g)", because="solved: H stands for XᵀD X, g for Xᵀr")
    d.line("w + inv(H) @ g", because="H⁻¹ H = I: the Newton step")
    return d


def minibatches() -> Derivation:
    """Step 7: a minibatch gradient is unbiased; all minibatches enumerated exactly."""
    d = Derivation(
        "A minibatch gradient is unbiased",
        symbols={"g": "vector N"},
        sizes={"N": (3, 4, 5)},
    )
    d.claim(
        "sum(sum(N/2*(g[i] + g[j]), i, 1, N), j, 1, N)/N**2",
        "sum(g)",
        because="two examples with replacement: the mean over all N² pairs",
    )
    d.claim(
        "sum(sum(N/2*(g[i] + g[j]), j, 1, N, j > i), i, 1, N)/(N*(N - 1)/2)",
        "sum(g)",
        because="without replacement: the mean over all N(N-1)/2 pairs",
    )
    d.claim(
        "sum(sum(sum(N/3*(g[i] + g[j] + g[k]), k, 1, N, k > j), j, 1, N, j > i), i, 1, N)"
        "/binomial(N, 3)",
        "sum(g)",
        because="three examples without replacement",
    )
    return d


DERIVATIONS: tuple[Callable[[], Derivation], ...] = (
    cross_entropy_line_by_line,
    gradient,
    hessian,
    negative_curvature,
    gradient_with_signs,
    newton_is_weighted_least_squares,
    minibatches,
)
AGREES: dict[str, str] = {}
