"""What the reader answers and writes inside this chapter, without points."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

SHARE = question("""
    decision_theory.share_of_area: How probable is organic? [Three rules for one avocado]
        60 of 100 avocados are ordinary, and 35 % of these have the price 1.4. 40 are organic, and
            65 % of these have it. What share of the avocados with this price is organic?
    0.55 to 0.56 [right]
        21 ordinary and 26 organic ones have the price 1.4, and 26/47 = 0.553.
    0.65
        That is the share of the organic ones that have this price. Asked is the share of those
            with this price that are organic: 26 of 21 + 26.
    0.26
        That is the share of all avocados that are organic and have this price. Divide it by the
            share that has this price at all.
    0.4
        That is the share before the price is known. Count those with the price 1.4 of each type.
    0.44 to 0.45
        That is the share of the ordinary ones, 21/47.
    otherwise
        Of 100 avocados, how many are ordinary with this price, and how many organic?
    """)

CALLED_BACK = question("""
    decision_theory.called_back: The cut of the sample, used on 1,000 others [What goes wrong]
        Of 1,000 people in a screening 10 are ill. The cut that was cheapest for the biopsies, at a
            price of 10 for a missed tumour, is used on them. About how many healthy ones are called
            back?
    a. about 10
        As many as are ill would be called back by a test that hardly errs. This cut lies inside the
            healthy ones.
    b. about 100
        More. Where tumours are frequent and dear, the cheapest cut gives away many of the healthy.
    c. about 400 [right]
        Two of five healthy ones lie above it. Among the biopsies there were few healthy ones to
            call back by mistake; here there are 990.
    """)


def decide(priors: Array, likelihoods: Array, C: Array) -> Any:
    joint = likelihoods * priors
    posteriors = joint / joint.sum(axis=1, keepdims=True)
    return (posteriors @ C).argmin(axis=1)


def _draw(rng: Rng) -> tuple[Any, ...]:
    K, M, J = (int(k) for k in rng.integers((3, 3, 2), (5, 7, 5)))
    return rng.dirichlet(np.ones(K)), rng.uniform(0.05, 2, (M, K)), rng.uniform(0, 4, (K, J))


def _possible(priors: Array, likelihoods: Array, C: Array) -> bool:
    return bool((priors > 0).all() and (likelihoods > 0).all())


DECIDE = small(
    r"""
    decision_theory.decide: The cheapest action for each x [The same thing in code]
        Each row of `likelihoods` belongs to one x, each column to one class. Weigh the columns with
            the priors; then each action has an expected cost in each row.
        The expected cost of action $j$ is $\sum_kP(c_k\mid x)\,C_{kj}$: a product of matrices. A
            factor that is the same in a whole row does not change which action is cheapest.
        `return ((likelihoods * priors) @ C).argmin(axis=1)`
    """,
    Function(
        decide,
        (Result("actions", ("rows",)),),
        (
            Case(
                "the avocado of price 1.4, an ordinary and an organic one",
                ([0.6, 0.4], [[0.35, 0.65], [0.9, 0.1]], [[0.0, 2.0], [1.0, 0.0]]),
            ),
            Case(
                "three actions",
                ([0.5, 0.5], [[0.9, 0.1], [0.5, 0.5]], [[0.0, 1.0, 0.3], [1.0, 0.0, 0.3]]),
            ),
        ),
        _draw,
        slips("""
            The costs transposed
                posteriors @ C -> posteriors @ (C.T if C.shape[0] == C.shape[1] else C)
                C has the truth in its rows and the actions in its columns.
            The priors are missing
                likelihoods * priors -> likelihoods * 1
                Weigh each column of the likelihoods with the prior of its class.
            The dearest action
                argmin(axis=1) -> argmax(axis=1)
                These are costs: the smallest one wins.
            The most probable class
                posteriors @ C -> -posteriors
                That is the class with the largest posterior. The action is the cheapest one.
            Along the wrong axis
                argmin(axis=1) -> argmin(axis=0)
                You choose an action for each x: the minimum runs along a row.
        """),
        valid=_possible,
    ),
)

TRIES = (SHARE, DECIDE, CALLED_BACK)
