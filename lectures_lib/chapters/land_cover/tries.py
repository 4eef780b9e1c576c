"""What the reader answers and writes inside this chapter, without points."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

TWINS = question("""
    land_cover.twins: Windows that share pixels [What goes wrong]
        The windows were mixed before they were split, 4,435 for training and 2,000 for the test.
            For which share of the test windows does the training part hold a window one pixel up,
            down, left or right of it?
    0.9 to 1 [right]
        0.97. Each of the four neighbours trains with a chance of two in three, so that none does
            happens about once in 100; the others lie at an edge of what is there.
    0.6 to 0.75
        That is the chance that one given neighbour has trained. There are four.
    0.3 to 0.35
        Near the share of test windows. Asked is for how many of them at least one of four
            neighbours has trained.
    0 to 0.05
        It would be so if whole fields had been put aside. The windows were mixed first.
    2 to 100
        That looks like per cent. Asked is a share, between 0 and 1.
    otherwise
        One neighbour has trained with a chance of 4,435 in 6,435. What is the chance that none of
            four has?
    """)

JUDGE = question("""
    land_cover.judge_says: What the judge believes [What goes wrong]
        In a world where the truth is known the map is wrong at 11 of 100 pixels. The surveyors
            judge it by pure areas that did not train, held out as a whole. Which error do they
            find, in the mean?
    a. about 11 in 100: the areas that judge did not train
        They are honest in this. But where do they lie?
    b. about half of that [right]
        6.0 or 4.7 in 100. Pure areas lie in the middle of things, and mistakes at their edges.
    c. about twice that, as each model has half of the areas only
        Half of the areas cost little. What is left out by drawing pure areas costs more.
    """)


def corrected(M: Array, q: Array) -> Any:
    R = M / M.sum(axis=1, keepdims=True)
    return np.linalg.solve(R.T, q)


def _draw(rng: Rng) -> tuple[Any, ...]:
    K = int(rng.integers(3, 5))
    M = rng.integers(0, 12, (K, K)) + np.diag(rng.integers(40, 90, K))
    p = rng.dirichlet(np.full(K, 3.0))
    return M, p @ (M / M.sum(axis=1, keepdims=True))


def _possible(M: Array, q: Array) -> bool:
    if M.shape != (len(q), len(q)) or M.min() < 0 or M.sum(axis=1).min() == 0:
        return False
    R = M / M.sum(axis=1, keepdims=True)
    return bool(np.linalg.cond(R) < 30 and np.linalg.solve(R.T, q).min() > 0.001)


CORRECTED = small(
    r"""
    land_cover.corrected: From calls to true shares [The same thing in code]
        First turn counts into rates of the true classes, then solve a system of equations.
        $R_{kj}=M_{kj}/\sum_lM_{kl}$. The equations $q_j=\sum_kp_kR_{kj}$ read $R^Tp=q$.
        `R = M / M.sum(axis=1, keepdims=True)`, then `np.linalg.solve(R.T, q)`.
    """,
    Function(
        corrected,
        (Result("p", ("K",)),),
        (
            Case("two classes", ([[8, 2], [1, 9]], [0.31, 0.69])),
            Case(
                "three classes of unequal size",
                ([[90, 10, 0], [5, 40, 5], [0, 2, 18]], [0.48, 0.31, 0.21]),
            ),
        ),
        _draw,
        slips("""
            Shares of what was called
                M / M.sum(axis=1, keepdims=True) -> M / M.sum(axis=0, keepdims=True)
                Rows are the truth: R holds shares of the true class, so each row adds up to 1.
            Rows and columns exchanged
                np.linalg.solve(R.T, q) -> np.linalg.solve(R, q)
                q_j is a sum over the true classes k, the rows of R: it is R transposed that is
                    multiplied by p.
            Forward instead of backward
                np.linalg.solve(R.T, q) -> R.T @ q
                That is what a map would count if q were the truth. Asked is the p that gives q.
            Counts for rates
                R = M / M.sum(axis=1, keepdims=True) -> R = M
                Divide each row by its sum: rates, not counts.
            The diagonal alone
                np.linalg.solve(R.T, q) -> q / np.diag(R) || q * np.diag(R)
                What is called j holds pixels of other classes too.
            As the map counts
                np.linalg.solve(R.T, q) -> q
                q counts calls. The mistakes have to be taken out.
        """),
        valid=_possible,
    ),
)

TRIES = (CORRECTED, TWINS, JUDGE)
