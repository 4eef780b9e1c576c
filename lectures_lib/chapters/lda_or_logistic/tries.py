"""What the reader answers and writes inside this chapter, without points."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

CROSSING = question("""
    lda_or_logistic.crossing: Which of the two is ahead? [The question]
        LDA and logistic regression, both without a penalty, learn from 20, 40, … 320 labelled
            biopsies. Which one makes fewer errors on others?
    a. LDA with few labels, logistic regression with many [right]
        By two errors in a hundred with 20 or 40, and by less than one the other way round with 160
            or 320.
    b. logistic regression with few labels, LDA with many
        What would a model of the measurements themselves be good for: little data, or much?
    c. LDA with any number of labels
        It would, if the biopsies of each class were Gaussians with one covariance. What if they
            are not, and there are many of them?
    d. logistic regression with any number of labels
        20 labels are few for six weights. Which method has something else to hold on to?
    """)

UNLABELLED = question("""
    lda_or_logistic.unlabelled: 300 biopsies without a label [Is ignoring $P(x)$ a virtue or a
            defect?]
        LDA learns from 20 labelled biopsies and makes errors on 12 in 100 others. Then 300 biopsies
            without a label join in, as described. What happens to its errors?
    a. they fall to what 320 labels would give, about 8 in 100
        That is what happens to examples drawn from the two Gaussians. Are the biopsies such?
    b. they fall, but not so far
        What pulls the two clouds to where they end? The labels are few by now.
    c. they stay as they were
        The means and the covariance are fitted again, 20 times. They do move.
    d. they rise [right]
        To 15 in 100. The 300 decide where the clouds lie, and the clouds of a wrong model lie where
            they fit all x best, not where the diagnoses are.
    """)


def softmax_weights(priors: Array, means: Array, covariance: Array) -> Any:
    slopes = np.linalg.solve(covariance, means.T).T
    biases = np.log(priors) - (means * slopes).sum(axis=1) / 2
    W = np.column_stack([biases, slopes])
    return W - W[-1]


def _draw(rng: Rng) -> tuple[Any, ...]:
    K, d = int(rng.integers(3, 5)), int(rng.integers(3, 5))
    A = rng.normal(size=(d, d))
    return rng.dirichlet(np.full(K, 3.0)), rng.normal(size=(K, d)), A @ A.T + np.eye(d)


def _possible(priors: Array, means: Array, covariance: Array) -> bool:
    symmetric = np.allclose(covariance, covariance.T)
    return bool((priors > 0).all() and symmetric and np.linalg.eigvalsh(covariance).min() > 0.01)


WEIGHTS = small(
    r"""
    lda_or_logistic.softmax_weights: LDA as rows of softmax weights [The same thing in code]
        Give every class its own score first, a bias and slopes. Subtracting the last row makes them
            log-odds against the last class.
        Slopes $\Sigma^{-1}\mu_k$, bias $\log\pi_k-\frac12\mu_k^T\Sigma^{-1}\mu_k$; then take away
            the row of class $K$.
        `slopes = np.linalg.solve(covariance, means.T).T`; the biases are `np.log(priors) - (means *
            slopes).sum(axis=1) / 2`; `np.column_stack` puts them in front.
    """,
    Function(
        softmax_weights,
        (Result("W", ("K", "d+1")),),
        (
            Case("one feature, variance 4", ([0.2, 0.8], [[4.0], [-2.0]], [[4.0]])),
            Case(
                "three classes in the plane",
                ([0.5, 0.25, 0.25], [[1.0, 0], [0, 2], [-1, 1]], [[2.0, 1], [1, 3]]),
            ),
        ),
        _draw,
        slips("""
            The logarithm of the prior is missing
                np.log(priors) - -> -
                A frequent class needs less evidence: its bias holds log π.
            The half is missing
                (means * slopes).sum(axis=1) / 2 -> (means * slopes).sum(axis=1)
                The bias holds ½ μᵀΣ⁻¹μ.
            Plus for minus in the bias
                np.log(priors) - -> np.log(priors) +
                A mean that lies far out makes the bias smaller.
            Without the inverse
                np.linalg.solve(covariance, means.T).T -> means @ covariance
                The slopes are Σ⁻¹μ, not Σμ.
            Not against the last class
                W - W[-1] -> W
                Take the last row away from all: the weights are log-odds against class K.
            Against the first class
                W - W[-1] -> W - W[0]
                This chapter counts against the last class, so the last row is 0.
            The bias last
                [biases, slopes] -> [slopes, biases]
                The bias stands first, as everywhere in this course.
        """),
        valid=_possible,
    ),
)

TRIES = (CROSSING, WEIGHTS, UNLABELLED)
