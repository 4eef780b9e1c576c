"""The exercises of this chapter: scatters, sphered distances, an argument about the first axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import (
    Array,
    Case,
    Function,
    Prediction,
    Proof,
    Property,
    Result,
    Rng,
    Values,
    choices,
    exercise,
    slips,
    steps,
)


def _classes(rng: Rng) -> tuple[Any, ...]:
    """Classes of unequal size, correlated features, no round numbers."""
    d, K = int(rng.integers(3, 5)), int(rng.integers(2, 5))
    y = np.concatenate([np.arange(K), np.arange(K), rng.integers(K, size=d + 4)])
    X = rng.normal(size=(len(y), d)) @ rng.normal(size=(d, d)) + 3 * rng.normal(size=(K, d))[y]
    order = rng.permutation(len(y))
    return X[order], y[order]


def _in_order(X: Array, y: Array) -> bool:
    """Labels 0 to K - 1, each class twice or more."""
    return len(y) > 0 and np.bincount(y).min() >= 2


# Scatters ---------------------------------------------------------------------------------------


def scatters(X: Array, y: Array) -> Any:
    mean = X.mean(axis=0)
    within = np.zeros((X.shape[1], X.shape[1]))
    between = np.zeros((X.shape[1], X.shape[1]))
    for k in np.unique(y):
        own = X[y == k]
        centre = own.mean(axis=0)
        within = within + (own - centre).T @ (own - centre)
        between = between + len(own) * np.outer(centre - mean, centre - mean)
    return within, between


THREE_CLASSES = (
    np.array([[0.0, 0], [2, 0], [4, 3], [4, 5], [4, 4], [-1, 6], [1, 6]]),
    np.array([0, 0, 1, 1, 1, 2, 2]),
)

SCATTERS = exercise(
    """
    reduced_rank.scatters: Within and between [7 minutes] [What is spread, split in two]
        With what is each example compared, and with what each class mean?
        S_w adds (x − μ_k)(x − μ_k)ᵀ over the examples of each class, S_B adds N_k(μ_k − μ)(μ_k −
            μ)ᵀ over the classes.
        With `own = X[y == k]`, one class adds `(own - m).T @ (own - m)` to the first.
    Remark
        Their sum is (X − μ)ᵀ(X − μ): a test that you can run on any data.
    """,
    Function(
        scatters,
        (Result("within", ("d", "d"), points=2), Result("between", ("d", "d"), points=2)),
        (
            Case("two classes on a line", ([[0.0], [2.0], [7.0]], [0, 0, 1])),
            Case("three classes of unequal size", THREE_CLASSES),
        ),
        _classes,
        slips("""
    The mean of the means
        mean = X.mean(axis=0) -> mean = np.mean([X[y == k].mean(axis=0) for k in np.unique(y)],
            axis=0)
        μ is the mean of all examples. The plain mean of the class means is another point when the
        classes differ in size.
    Each class counts once
        len(own) * np.outer -> np.outer
        Every class mean stands for N_k examples: S_B has the factor N_k.
    Scatter around the grand mean
        (own - centre).T @ (own - centre) -> (own - mean).T @ (own - mean)
        Within a class, examples are compared with the mean of their own class.
    Covariances instead of scatters
        (own - centre).T @ (own - centre) -> (own - centre).T @ (own - centre) / len(own) ||
            np.cov(own.T, bias=True)
        return within, between -> return within / (len(y) - len(np.unique(y))), between || return
            within / len(y), between / len(y)
        A scatter is a sum. Nothing is divided.
    The grand mean is not subtracted
        np.outer(centre - mean, centre - mean) -> np.outer(centre, centre)
        S_B holds the deviations of the class means from the mean of all.
    Total instead of between
        return within, between -> return within, (X - mean).T @ (X - mean)
        The scatter of the examples around μ is S_T. S_B is S_T − S_w.
    Examples in columns
        (own - centre).T @ (own - centre) -> ((own - centre) @ (own - centre).T).sum()
        Examples stand in rows, so the product is (d, N) times (N, d).
            """),
        valid=lambda X, y: _in_order(X, y) or len(X) == 3,
    ),
)


# Sphered distances ------------------------------------------------------------------------------


def sphered_distances(X: Array, y: Array, X_new: Array) -> Any:
    K = len(np.unique(y))
    means = np.array([X[y == k].mean(axis=0) for k in range(K)])
    rest = X - means[y]
    sizes, U = np.linalg.eigh(rest.T @ rest / (len(X) - K))
    root = U / np.sqrt(sizes)
    far = (X_new @ root)[:, None] - means @ root
    return (far**2).sum(axis=2)


def _with_new(rng: Rng) -> tuple[Any, ...]:
    X, y = _classes(rng)
    return X, y, 2 * rng.normal(size=(int(rng.integers(1, 4)), X.shape[1]))


def _spread(X: Array, y: Array, X_new: Array) -> bool:
    if not _in_order(X, y):
        return False
    rest = X - np.array([X[y == k].mean(axis=0) for k in range(y.max() + 1)])[y]
    return bool(np.linalg.eigvalsh(rest.T @ rest).min() > 1e-3)


DISTANCES = exercise(
    """
    reduced_rank.distances: Distances in the sphered space [9 minutes] [The same axes from the
            classifier]
        Which covariance makes each class round? And which points have to be moved into the new
            coordinates: only the new examples?
        With Σ = S_w/(N − K) = U D Uᵀ, a row x becomes x U D^(−1/2); means and examples alike.
        `sizes, U = np.linalg.eigh(Sigma)` and `U / np.sqrt(sizes)`: that is U D^(−1/2).
    Remark
        Any other root of Σ⁻¹ gives the same distances: (x − μ_k)ᵀ Σ⁻¹ (x − μ_k).
    """,
    Function(
        sphered_distances,
        (Result("far", ("n", "K"), points=5),),
        (
            Case("one feature: Σ = 2", ([[0.0], [2], [5], [7]], [0, 0, 1, 1], [[3.0]])),
            Case(
                "two features of different width",
                (
                    [[0.0, 0], [2, 0], [0, 6], [2, 8], [8, 0], [9, 9]],
                    [0, 0, 1, 1, 2, 2],
                    [[1.0, 1], [4, 4]],
                ),
            ),
        ),
        _with_new,
        slips("""
    The total covariance
        rest = X - means[y] -> rest = X - X.mean(axis=0)
        rest.T @ rest / (len(X) - K) -> np.atleast_2d(np.cov(X.T)) || np.atleast_2d(np.cov(X.T,
            bias=True))
        Sphering makes the classes round: Σ is the covariance within the classes.
    The means are not sphered [E3-09]
        means @ root -> means
        A sphered example is compared with a sphered mean.
    The examples are not sphered
        (X_new @ root)[:, None] -> X_new[:, None]
        Examples and means both go into the new coordinates.
    Not divided by N − K
        (len(X) - K) -> len(X) || (len(X) - 1)
        K means were estimated: the covariance within divides by N − K.
    A scatter instead of a covariance
        / (len(X) - K) ->
        S_w is a sum. Σ is S_w divided by N − K.
    Each feature by itself
        rest.T @ rest / (len(X) - K) -> np.diag(np.diag(rest.T @ rest)) / (len(X) - K)
        Dividing features by their own deviations leaves a slant: Σ has entries off its diagonal.
    Not divided by the root
        U / np.sqrt(sizes) -> U / sizes || U * np.sqrt(sizes)
        Lengths are divided by standard deviations, the roots of the eigenvalues.
    Rows of U
        U / np.sqrt(sizes) -> U.T / np.sqrt(sizes)
        The eigenvectors are the columns of U: rows x go to x U D^(−1/2).
    Turned, not squeezed
        U / np.sqrt(sizes) -> U
        U turns the axes. D^(−1/2) is what makes the classes round.
    Distances without the square
        (far**2).sum(axis=2) -> np.sqrt((far**2).sum(axis=2))
        The task asks for squared distances.
            """),
        valid=_spread,
    ),
)


# Scatter around another point --------------------------------------------------------------------

ELSEWHERE = exercise(
    """
    reduced_rank.elsewhere: Scatter around the wrong point [7 minutes] [What is spread, split in
            two]
        Write each deviation from c as a deviation from the mean plus the step from c to the mean.
        Three kinds of terms: squares that stay, a cross term, and m equal squares. The chapter
            shows what becomes of the cross term.
        The first line: `= sum((x[j] - mean(x) + mean(x) - c)**2, j, 1, m)`, multiplied out.
    Remark
        So a scatter is smallest around the mean. With c = μ, added over the classes, this is S_T =
        S_w + S_B for one feature.
    """,
    Proof(
        "elsewhere_proof",
        "sum((x[j] - c)**2, j, 1, m)",
        steps("""
    the mean inserted [1 point]
        sum((x[j] - mean(x) + mean(x) - c)**2, j, 1, m)
        with x[j] - mean(x) + mean(x) - c
        with (x[j] - mean(x))*(mean(x) - c)
        with (mean(x) - c)*sum(x[j] - mean(x), j, 1, m)
        with c*mean(x)
    multiplied out [1 point]
        sum((x[j] - mean(x))**2 + 2*(x[j] - mean(x))*(mean(x) - c) + (mean(x) - c)**2, j, 1, m)
        with (x[j] - mean(x))*(mean(x) - c)
        with (mean(x) - c)*sum(x[j] - mean(x), j, 1, m)
        with x[j]**2
    the goal [2 points]
        sum((x[j] - mean(x))**2, j, 1, m) + m*(mean(x) - c)**2
        """),
        {"x": "vector m", "c": "real"},
        sizes={"m": (2, 3)},
        slips=slips("""
    Once instead of m times
        + m*(mean(x) - c)**2 -> + (mean(x) - c)**2
        The step from c to the mean is the same for all m examples. Its square counts m times.
    The square of a difference
        m*(mean(x) - c)**2 -> m*(mean(x)**2 - c**2)
        (a − b)² is not a² − b².
    Minus
        , j, 1, m) + m* -> , j, 1, m) - m*
        Around any other point the scatter is larger: the last term is added.
    The last square is lost
        *(mean(x) - c) + (mean(x) - c)**2, j -> *(mean(x) - c), j
        (u + v)² has three terms: u², 2uv and v².
            """),
    ),
)


# An argument -------------------------------------------------------------------------------------

ARGUMENT = exercise(
    """
    reduced_rank.argument: The axis with the largest J [8 minutes] [What goes wrong]
        Lines 1 to 4 hold for all classes, wherever their means lie. Draw four means for which line
            5 looks doubtful.
        J of an axis is Σ_k π_k (m_k − m)² over the variance within, m_k the means along it. Which
            of these squares can make it large?
        Try `means = np.array([[30, 0], [0, -6], [0, 0], [0, 6]])` with round classes of variance 1:
            the nearest mean along the first axis alone, then along the second alone.
    Remark
        In that example the first axis has J = 169 and errs on one half, the second has J = 18 and
        errs on one quarter. Two axes together separate all four.
    """,
    Prediction(
        ("line", "because"),
        choices("""
    a. 1
        Deviations from the grand mean, weighted by the counts, add up to 0.
    b. 2
        What lies across the flat of the means adds the same to all distances.
    c. 3
        In the sphered coordinates the variance within is 1 along every axis.
    d. 4
        That is how the first axis is found.
    e. 5 [right]
        J counts how far the means lie from their mean, not how many of them lie apart.
            """),
        choices("""
    a. a sum of K matrices of rank one can have the rank K
        It could if the vectors were independent. Line 1 says why they are not.
    b. sphering changes which mean is nearest
        It does. The distance becomes that of Mahalanobis, as LDA has it.
    c. the means are estimated, and J comes out too large
        That is so, but line 5 fails for the true means as well.
    d. one class far away makes J large, though the others coincide along that axis [right]
        J adds up squared distances. For an error, one mean that is too close is enough.
            """),
        points=4.0,
    ),
)


# Predict and build ------------------------------------------------------------------------------

FOURTH = exercise(
    """
    reduced_rank.fourth: A fourth class in the middle [5 minutes] [From one direction to several]
        Count vectors, not classes: which differences of means are there?
        Three means that do not lie on a line span a plane. Where does the fourth one lie?
        S_B is a sum of N_k (μ_k − μ)(μ_k − μ)ᵀ. Which directions can such a sum reach?
    Remark
        K − 1 is the most that K means can span. They may span less.
    """,
    Prediction(
        ("axes", "because"),
        choices("""
    a. 3
        That is the most for four classes. Look at where the fourth mean lies.
    b. 2 [right]
        All four means lie in one plane.
    c. 1
        The first three means do not lie on a line.
    d. 10
        With few classes most directions contain no difference of means at all.
            """),
        choices("""
    a. four matrices are added, and the sum has rank 3
        The rank of the sum is decided by what the vectors span.
    b. the fourth μ_k − μ is a combination of the other three, which span a plane [right]
        A new class adds an axis only when its mean leaves the flat of the others.
    c. the fourth class has the mean of all examples, so it is not counted
        It need not be the mean of all, and it is counted in S_w and in μ.
    d. there are more features than classes
        That is true, and says nothing about where the means lie.
            """),
        points=3.0,
    ),
)


def _trouble(X: Array, y: Array) -> str:
    """What keeps the data from being three classes in the plane."""
    if X.ndim != 2 or X.shape[1] != 2:
        return f"Found X_rescue of shape {X.shape}; expected (N, 2)."
    if len(X) != len(y) or not 9 <= len(X) <= 40:
        return f"Found {len(X)} points and {len(y)} labels; expected equally many, 9 to 40."
    if set(np.unique(y)) != {0, 1, 2}:
        return "All three labels are needed, 0, 1 and 2, and no other."
    if np.bincount(y.astype(int)).min() < 3:
        return "Each class needs three points or more."
    rest = X - np.array([X[y == k].mean(axis=0) for k in range(3)])[y.astype(int)]
    sizes = np.linalg.eigvalsh(rest.T @ rest)
    return "" if sizes[0] > 1e-9 * sizes[1] else "The scatter within the classes has no inverse."


def _share_wrong(X: Array, y: Array, sphered: bool) -> float:
    """How many are nearer to another class mean, in the plane as it is or after sphering."""
    labels = y.astype(int)
    means = np.array([X[labels == k].mean(axis=0) for k in range(3)])
    rest = X - means[labels]
    metric = np.linalg.inv(rest.T @ rest / (len(X) - 3)) if sphered else np.eye(2)
    gaps = X[:, None] - means
    far = np.einsum("nki,ij,nkj->nk", gaps, metric, gaps)
    own = far[np.arange(len(X)), labels]
    others = np.where(np.arange(3) == labels[:, None], np.inf, far).min(axis=1)
    return float(np.mean(own > others - 1e-9))


def _poor_before(X: Array, y: Array) -> str:
    if _trouble(X, y):
        return _trouble(X, y)
    share = _share_wrong(X, y, sphered=False)
    return "" if share >= 0.3 else f"As measured, {share:.0%} lie nearer to another mean."


def _perfect_after(X: Array, y: Array) -> str:
    if _trouble(X, y):
        return _trouble(X, y)
    share = _share_wrong(X, y, sphered=True)
    return "" if share == 0 else f"After sphering, {share:.0%} lie nearer to another mean."


RESCUE = exercise(
    """
    reduced_rank.rescue: Data that sphering rescues [9 minutes] [The same axes from the classifier]
        When does the plain distance mislead? Think of classes that are much longer than wide, as
            the cloud in space was.
        Lay three long thin strips side by side, close together, and let them have the same shape:
            sphering uses one covariance for all.
        For example the class k at the heights k − 0.1 and k + 0.1 in turn, with points at x = −10,
            …, 10; then shift class k by 2k along x: the ends of a strip come to lie nearer to
            another mean.
    Remark
        As measured, the long direction dominates the distance although it says nothing about the
        class. Sphering counts it in its own standard deviations.
    """,
    Values(
        ("X_rescue", "y_rescue"),
        (
            Property(
                "the plain distance is wrong",
                3.0,
                _poor_before,
                "30 % or more nearer to the mean of another class",
            ),
            Property(
                "sphering is right",
                2.0,
                _perfect_after,
                "all nearest to their own mean after sphering",
            ),
        ),
        (Result("X_rescue", ("N", "2")), Result("y_rescue", ("N",), "count")),
        slips(
            """
    Not misleading yet
        when misleading_yet
        Sphering is right already. Lengthen the classes, and shift their means along that direction.
    Sphering is not enough
        when beyond_rescue
        Do the classes overlap in every direction, or differ in shape? One covariance cannot make
        different shapes round.
    No width
        when no_width
        Within each class the points lie on a line, and all lines have one direction: Σ has no
        inverse. Give the strips a little width.
    Not three classes of 9 to 40 points
        when too_few
        Three classes in the plane, with one label for each point and three points or more of each
        class, 9 to 40 in all.
                """,
            misleading_yet=lambda X, y: (
                not _trouble(X, y)
                and _share_wrong(X, y, sphered=True) == 0
                and _share_wrong(X, y, sphered=False) < 0.3
            ),
            beyond_rescue=lambda X, y: not _trouble(X, y) and _share_wrong(X, y, sphered=True) > 0,
            no_width=lambda X, y: _trouble(X, y).startswith("The scatter"),
            too_few=lambda X, y: (
                bool(_trouble(X, y)) and not _trouble(X, y).startswith("The scatter")
            ),
        ),
    ),
    another="""
strip = np.array([[-8, 0.1], [-4, -0.1], [0, 0], [4, -0.1], [8, 0.1]])
X_rescue = np.concatenate([strip + [4 * k, k] for k in range(3)])
y_rescue = np.repeat([0, 1, 2], 5)
""",
)

EXERCISES = (SCATTERS, ELSEWHERE, FOURTH, DISTANCES, RESCUE, ARGUMENT)
