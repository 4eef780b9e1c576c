"""Derivations: scatter, rank, sphering and the criteria for many classes."""

from __future__ import annotations

from collections.abc import Callable

from linecheck import Derivation

GROUPS = {"x": "vector m", "y": "vector n"}  # one feature, two classes of m and n examples
SIZES = {"m": (1, 2, 3), "n": (1, 2)}


def grand_mean() -> Derivation:
    """Step 1: the grand mean is the weighted mean of the class means."""
    d = Derivation("The grand mean", symbols=GROUPS, sizes=SIZES)
    d.line("(sum(x) + sum(y))/(m + n)", because="mean of all examples")
    d.line(
        "(m*mean(x) + n*mean(y))/(m + n)", because="the sum of a class is its size times its mean"
    )
    return d


def cross_terms_vanish() -> Derivation:
    """Step 2: deviations from the class mean add up to 0, so the cross terms vanish."""
    d = Derivation(
        "The cross terms vanish",
        symbols={"x": "vector m", "c": "real"},
        where={"a": "mean(x)"},
    )
    d.line("sum(x[j] - a, j, 1, m)", because="deviations from a, the mean of the class")
    d.line("sum(x) - m*a", because="split the sum")
    d.line("0", because="definition of the mean")
    d.start("sum((x[j] - a)*(a - c), j, 1, m)", because="the cross term")
    d.line("(a - c)*sum(x[j] - a, j, 1, m)", because="the second factor is constant")
    d.line("0", because="by the lines above")
    return d


def total_scatter_splits() -> Derivation:
    """Step 3: total scatter is scatter within plus scatter between."""
    d = Derivation(
        "Total scatter = within + between",
        symbols=GROUPS | {"z": "vector 2", "a b c e": "vector 2"},
        sizes=SIZES,
        where={
            "mu": "(sum(x) + sum(y))/(m + n)",
            "nu": "(sum(x) + sum(y) + sum(z))/(m + n + 2)",
            "f": "(a + b)/2",
            "h": "(c + e)/2",
            "g": "(a + b + c + e)/4",
        },
    )
    d.claim(
        "sum((x[i] - mu)**2, i, 1, m) + sum((y[i] - mu)**2, i, 1, n)",
        "sum((x[i] - mean(x))**2, i, 1, m) + sum((y[i] - mean(y))**2, i, 1, n)"
        " + m*(mean(x) - mu)**2 + n*(mean(y) - mu)**2",
        because="two classes, one feature",
    )
    d.claim(
        "sum((x[i] - nu)**2, i, 1, m) + sum((y[i] - nu)**2, i, 1, n)"
        " + sum((z[i] - nu)**2, i, 1, 2)",
        "sum((x[i] - mean(x))**2, i, 1, m) + sum((y[i] - mean(y))**2, i, 1, n)"
        " + sum((z[i] - mean(z))**2, i, 1, 2)"
        " + m*(mean(x) - nu)**2 + n*(mean(y) - nu)**2 + 2*(mean(z) - nu)**2",
        because="three classes",
    )
    d.claim(
        "outer(a - g, a - g) + outer(b - g, b - g) + outer(c - g, c - g) + outer(e - g, e - g)",
        "outer(a - b, a - b)/2 + outer(c - e, c - e)/2"
        " + 2*outer(f - g, f - g) + 2*outer(h - g, h - g)",
        because="two features, classes {a, b} with mean f, {c, e} with mean h; g: mean of all",
    )
    return d


def two_scatters_between() -> Derivation:
    """Step 4: for two classes (53) is N1 N2/N times (30)."""
    d = Derivation(
        "The scatter between two classes",
        symbols={"a b": "vector 2", "m n": "positive"},
        where={"mu": "(m*a + n*b)/(m + n)"},
    )
    d.line("m*outer(a - mu, a - mu) + n*outer(b - mu, b - mu)", because="S_B; class means a and b")
    d.line(
        "(m*n**2 + n*m**2)/(m + n)**2*outer(a - b, a - b)",
        because="a - μ = n (a-b)/N, b - μ = -m (a-b)/N",
    )
    d.line("m*n/(m + n)*outer(a - b, a - b)", because="mn(m + n) = mn N")
    return d


def projected_scatter() -> Derivation:
    """Step 5: the scatter of the projections is WᵀSW."""
    d = Derivation(
        "The scatter of projections",
        symbols={"X": "matrix N 3", "W": "matrix 3 2"},
        sizes={"N": (1, 2)},
    )
    d.line("sum(outer(T(W) @ X[i], T(W) @ X[i]), i, 1, N)", because="deviations X, projected by Wᵀ")
    d.line("sum(T(W) @ outer(X[i], X[i]) @ W, i, 1, N)", because="(Wᵀx)(Wᵀx)ᵀ = Wᵀ x xᵀ W")
    d.line("T(W) @ sum(outer(X[i], X[i]), i, 1, N) @ W", because="matrices distribute over sums")
    return d


def rank_of_the_scatter_between() -> Derivation:
    """Step 6: K centroids span at most K - 1 dimensions; the matrices can be independent."""
    d = Derivation(
        "The rank of the scatter between",
        symbols={
            "a b c": "vector 3",
            "n1 n2 n3": "positive",
            "u v t": "real",
        },
        where={"mu": "(n1*a + n2*b + n3*c)/(n1 + n2 + n3)"},
    )
    d.claim(
        "n1*(a - mu) + n2*(b - mu) + n3*(c - mu)",
        "zeros(3)",
        because="one linear relation between the three centred means",
    )
    d.claim(
        "det([a - mu, b - mu, c - mu])",
        "0",
        because="so they span at most K - 1 = 2 dimensions",
    )
    d.claim(
        "u*outer([1, 0], [1, 0]) + v*outer([0, 1], [0, 1]) + t*outer([-1, -1], [-1, -1])",
        "[[u + t, t], [t, v + t]]",
        because="yet these three matrices are independent: 0 only for u = v = t = 0",
    )
    return d


def sphering() -> Derivation:
    """Step 7: with b = Σ^{1/2} a the criterion (13) becomes (14)."""
    d = Derivation(
        "The sphered criterion",
        symbols={"a": "vector 2", "U": "matrix 2 2", "B": "symmetric 2", "p q": "positive"},
        where={
            "D": "diag([p**2, q**2])",
            "H": "diag([p, q])",
            "root": "H @ T(U)",
            "b": "root @ a",
        },
    )
    d.line("dot(a, U @ D @ T(U) @ a)", because="aᵀΣa with Σ = U D Uᵀ")
    d.line("dot(T(U) @ a, H @ H @ (T(U) @ a))", because="D = H H, so H is D½")
    d.line("norm(root @ a)**2", because="the squared norm of b = Σ½ a")
    d.claim(
        "dot(a, B @ a)/norm(root @ a)**2",
        "dot(inv(root) @ b, B @ inv(root) @ b)/norm(b)**2",
        given=["det(U) != 0", "norm(b) > 0"],
        because="inserting a = Σ^{-1/2} b",
    )
    return d


def trace_is_the_sum_of_eigenvalues() -> Derivation:
    """Step 8: for eigenvectors the trace criterion is the sum of their eigenvalues."""
    d = Derivation(
        "The trace criterion",
        symbols={"M": "invertible 2", "l1 l2": "nonnegative"},
        where={"V": "inv(M)", "S": "T(M) @ M", "B": "T(M) @ diag([l1, l2]) @ M"},
    )
    d.claim(
        "B @ V",
        "S @ V @ diag([l1, l2])",
        because="the columns of V are generalised eigenvectors with eigenvalues l1 and l2",
    )
    d.line("trace(inv(T(V) @ S @ V) @ (T(V) @ B @ V))", because="the trace criterion")
    d.line("trace(inv(eye(2)) @ diag([l1, l2]))", because="VᵀSV = I, VᵀBV = diag(l1, l2)")
    d.line("l1 + l2", because="sum of the eigenvalues")
    return d


def basis_does_not_matter() -> Derivation:
    """Step 9: both criteria stay the same when W is replaced by WM."""
    d = Derivation(
        "The basis does not matter",
        symbols={"S": "spd 2", "B": "symmetric 2", "M": "invertible 2"},
    )
    d.line(
        "trace(inv(T(M) @ S @ M) @ (T(M) @ B @ M))", because="S, B: scatters after projection on W"
    )
    d.line("trace(inv(M) @ inv(S) @ B @ M)", because="(MᵀSM)⁻¹ = M⁻¹S⁻¹M⁻ᵀ, and M⁻ᵀMᵀ = I")
    d.line("trace(inv(S) @ B)", because="the trace of a product may be turned round")
    d.start("det(T(M) @ B @ M)/det(T(M) @ S @ M)", because="the determinant criterion")
    d.line("det(M)**2*det(B)/(det(M)**2*det(S))", because="det of a product")
    d.line("det(B)/det(S)", because="cancel")
    return d


DERIVATIONS: tuple[Callable[[], Derivation], ...] = (
    grand_mean,
    cross_terms_vanish,
    total_scatter_splits,
    two_scatters_between,
    projected_scatter,
    rank_of_the_scatter_between,
    sphering,
    trace_is_the_sum_of_eigenvalues,
    basis_does_not_matter,
)
AGREES: dict[str, str] = {}
