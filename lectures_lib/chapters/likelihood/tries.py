"""What the reader answers and writes inside this chapter, without points."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

COIN = question("""
    likelihood.factors: When does the product die? [The likelihood]
        A coin gives each of the 1309 passengers the probability ½. The computer multiplies, one
            passenger after the other. When does it say 0.0?
    a. after 16 factors
        16 digits are what a number of the computer holds. Its exponent goes much further.
    b. after about 324 factors
        The numbers end near 10 to the minus 324. A factor of ½ is not yet a factor of 1/10.
    c. after about 1075 factors [right]
        The smallest number is 2 to the minus 1074, and one half of it is rounded to 0.
    d. never: 1309 factors are no trouble
        2 to the minus 1309 is about 10 to the minus 394. Compare that with the smallest number.
    """)

HONEST = question("""
    likelihood.honest: Paid by the probability you gave [What goes wrong]
        It rains with probability 0.7, and you know it. You say a number t, and are paid t if it
            rains and 1 − t if it does not. What do you say to earn most in the mean?
    a. 0.7, the truth
        You earn 0.7·0.7 + 0.3·0.3 = 0.58. Another answer earns more.
    b. 1 [right]
        You earn 0.7 in the mean. This payment rewards being loud.
    c. 0.5, to be safe
        You earn 0.5, whatever the weather does.
    d. it makes no difference
        The mean payment is 0.7t + 0.3(1 − t). Does t cancel?
    """)


def draw_log_likelihood(X: Array, y: Array, w: Array, t: Array) -> Any:
    z = np.outer(t, w[0] + X @ w[1:])
    ell = np.sum(y * z - np.logaddexp(0, z), axis=1)
    return np.column_stack([t, ell])  # the points of its line


def _draw(rng: Rng) -> tuple[Any, ...]:
    N, d = int(rng.integers(3, 7)), int(rng.integers(3, 5))
    X, w = rng.normal(size=(N, d)), rng.normal(size=d + 1)
    return X, rng.integers(0, 2, N).astype(float), w, np.sort(rng.normal(size=4))


WRITTEN = small(
    r"""
    likelihood.log_likelihood: The log-likelihood along a line of weights [The same thing in code]
        The score of an example with the weights t·w is t times its score with w. For each t there
            is one term for each example, and their sum.
        $\ell=\sum_i[y_iz_i-\log(1+e^{z_i})]$; the logarithm for all scores is `np.logaddexp(0, z)`.
        `np.sum(y * a * z - np.logaddexp(0, a * z))` for one number `a` of `t`, with `z = w[0] + X @
            w[1:]`; then `ax.plot(t, ell)` with these sums in `ell`.
    """,
    Function(
        draw_log_likelihood,
        (Result("curve", ("t", "2")),),
        (
            Case("all scores 0", ([[1.0], [2.0]], [0.0, 1.0], [0.0, 0.0], [-1.0, 0.0, 1.0])),
            Case("scores of 800", ([[1.0], [1.0]], [1.0, 0.0], [0.0, 800.0], [0.0, 0.5, 1.0])),
        ),
        _draw,
        slips("""
            Overflow
                np.logaddexp(0, z) -> np.log(1 + np.exp(z))
                e^z is no number of the computer from z = 710 on; np.logaddexp never computes it.
            A minus
                y * z - np.logaddexp(0, z) -> np.logaddexp(0, z) - y * z
                This is the sum of the losses, −ℓ. The log-likelihood is never above 0.
            A mean for a sum
                np.sum(y * z -> np.mean(y * z
                ℓ is the sum over the examples; the mean of the losses is J = −ℓ/N.
            The label is missing
                y * z - np -> z - np
                With z for y·z every label counts as 1.
            The bias is missing
                w[0] + X @ w[1:] -> X @ w[1:]
                z = w₀ + w·x.
            The bias stays as it is
                np.outer(t, w[0] + X @ w[1:]) -> w[0] + np.outer(t, X @ w[1:])
                All weights are multiplied by t, the bias too.
            The bias last
                w[0] + X @ w[1:] -> w[-1] + X @ w[:-1]
                In this course the bias is the first entry of w.
        """),
    ),
)

TRIES = (WRITTEN, COIN, HONEST)
