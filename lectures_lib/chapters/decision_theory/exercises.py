"""The exercises of this chapter: what a look is worth, cuts with costs, three rules, no answer."""

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

# What a look is worth ------------------------------------------------------------------------


def worth_of_a_look(priors: Array, likelihoods: Array, C: Array) -> Any:
    before = (priors @ C).min()
    after = ((likelihoods * priors) @ C).min(axis=1).sum()
    return before, after


def _table(rng: Rng) -> tuple[Any, ...]:
    """Three to five classes, as many values of x and actions as you like, odd numbers."""
    K, M, J = (int(k) for k in rng.integers((3, 3, 2), (6, 7, 6)))
    return (
        rng.dirichlet(np.ones(K)),
        rng.dirichlet(np.full(M, 0.6), K).T,
        rng.uniform(0, 4, (K, J)),
    )


TWO = (
    np.array([0.75, 0.25]),
    np.array([[0.5, 0.1], [0.3, 0.2], [0.2, 0.7]]),
    np.array([[0.0, 1.0], [4.0, 0.0]]),
)
USELESS = (
    np.array([0.75, 0.25]),
    np.array([[0.4, 0.4], [0.6, 0.6]]),
    np.array([[0.0, 1.0], [4.0, 0.0]]),
)
MORE_ACTIONS = (
    np.array([0.5, 0.3, 0.2]),
    np.array([[0.7, 0.2, 0.1], [0.3, 0.8, 0.9]]),
    np.array([[0.0, 2.0, 5.0, 0.9], [1.0, 0.0, 3.0, 0.9], [6.0, 2.0, 0.0, 0.9]]),
)

WORTH = exercise(
    """
    decision_theory.worth: What is a look worth? [12 minutes] [When mistakes have prices]
        Without a look there is one action for everybody: the one that is cheapest on average. With
            a look the action may depend on x: choose for each x by itself, then add.
        Before: min over j of Σ_k P(k)·C[k, j]. After: Σ over x of the min over j of Σ_k
            P(x|k)·P(k)·C[k, j]. The joint probabilities need not be divided by anything.
        `likelihoods * priors` is the joint table, one row per x; `@ C` gives one column per action,
            and `.min(axis=1)` chooses for each x.
    Remark
        The difference is the most that anybody should pay for seeing x. It is never negative:
        whoever has seen x may still ignore it.
    """,
    Function(
        worth_of_a_look,
        (Result("before", points=2), Result("after", points=3)),
        (
            Case("two classes, three values of x", TWO),
            Case("x says nothing", USELESS),
            Case("three classes, four actions", MORE_ACTIONS),
        ),
        _table,
        slips("""
    The costs transposed
        (likelihoods * priors) @ C -> (likelihoods * priors) @ _turned(C)
        (priors @ C).min() -> (priors @ _turned(C)).min()
        C has the truth in its rows and the actions in its columns.
    One action for all x
        C).min(axis=1).sum() -> C).sum(axis=0).min()
        After the look the action may differ from x to x: first the minimum in each row, then the
        sum.
    The priors are missing
        (likelihoods * priors) @ -> likelihoods @
        Multiply the likelihoods by the priors: the joint probabilities count.
    Posteriors without the evidence
        ((likelihoods * priors) @ C) -> (((likelihoods * priors) / (likelihoods *
            priors).sum(axis=1, keepdims=True)) @ C)
        ((likelihoods * priors) @ C).min(axis=1).sum() -> (((likelihoods * priors) / (likelihoods *
            priors).sum(axis=1, keepdims=True)) @ C).min(axis=1).mean()
        A conditional risk counts as often as its x occurs: multiply it by P(x), or leave the joint
        probabilities undivided.
    The cheapest x
        C).min(axis=1).sum() -> C).min()
        Every x can occur: take the cheapest action for each x, then add over all x.
    The cheapest x for each action
        min(axis=1) -> min(axis=0)
        You choose the action, not the x: the minimum runs along a row, over the actions.
    Mistakes are counted
        (priors @ C).min() -> 1 - priors.max() ; ((likelihoods * priors) @ C).min(axis=1).sum() -> 1
            - (likelihoods * priors).max(axis=1).sum()
        These are probabilities of a mistake; here each action has its cost in C.
    The mean over the actions
        (priors @ C).min() -> (priors @ C).mean()
        Before the look, too, one may choose the cheapest action.
    The mean over x
        min(axis=1).sum() -> min(axis=1).mean()
        The joint probabilities already hold how often each x occurs, so take the sum.
    The most expensive action
        C).min(axis=1) -> C).max(axis=1)
        (priors @ C).min() -> (priors @ C).max()
        C).min(axis=1) -> C).max(axis=1) ; (priors @ C).min() -> (priors @ C).max()
        Choose the smallest expected cost, not the largest.
    The most probable class
        (priors @ C).min() -> (priors @ C)[min(priors.argmax(), C.shape[1] - 1)]
        ((likelihoods * priors) @ C).min(axis=1).sum() -> sum((q @ C)[min(q.argmax(), C.shape[1] -
            1)] for q in likelihoods * priors)
        Before and after the look the smallest expected cost decides, not the most probable class.
    The difference
        return before, after -> return before, before - after
        Return both costs; their difference is what the look is worth.
    The prior is not used
        (priors @ C).min() -> C.mean(axis=0).min() || C.max(axis=0).min()
        Before the look each class's costs count in proportion to its prior.
    Costs, not mistakes
        (priors @ C).min() -> 1 - priors.max()
        ((likelihoods * priors) @ C).min(axis=1).sum() -> 1 - (likelihoods *
            priors).max(axis=1).sum()
        One minus a probability is the chance of a mistake. What it costs stands in C.
    The class is known
        ((likelihoods * priors) @ C).min(axis=1).sum() -> priors @ C.min(axis=1)
        (priors @ C).min() -> priors @ C.min(axis=1)
        The look shows x, not the class: the action is chosen for x, and the classes stay uncertain.
    The table is turned
        (priors @ C).min() -> (priors @ _turned(C)).min() ; @ C).min(axis=1).sum() -> @
            _turned(C)).min(axis=1).sum()
        The rows of C are the true classes: sum over them.
            """),
    ),
)


def _turned(C: Array) -> Any:
    """C with truth and action exchanged, in a shape that still fits."""
    n = min(C.shape)
    turned = C.copy()
    turned[:n, :n] = C[:n, :n].T
    return turned


# A cut with costs ----------------------------------------------------------------------------


def cheapest_cut(mean_0: float, mean_1: float, sd: float, prior: float, C: Array) -> Any:
    gain_0 = (1 - prior) * (C[0, 1] - C[0, 0])
    gain_1 = prior * (C[1, 0] - C[1, 1])
    return (mean_0 + mean_1) / 2 + sd**2 / (mean_1 - mean_0) * np.log(gain_0 / gain_1)


def _gaussians(rng: Rng) -> tuple[Any, ...]:
    m = rng.normal(size=2) * 3
    right = rng.uniform(0, 0.4, 2) if rng.random() < 0.6 else np.zeros(2)
    C = np.array([[right[0], rng.uniform(0.6, 5)], [rng.uniform(0.6, 5), right[1]]])
    low, high = float(m.min()), float(m.min() + rng.uniform(0.3, 3))
    return low, high, float(rng.uniform(0.2, 2.3)), float(rng.uniform(0.05, 0.95)), C


ONE_ONE = np.array([[0.0, 1.0], [1.0, 0.0]])

CUT = exercise(
    """
    decision_theory.cut: The cheapest cut between two Gaussians [12 minutes] [On a line, the best
            cut is a crossing]
        At the cheapest cut both actions have the same expected cost. Write that down with
            densities, priors and costs, and take logarithms.
        Equal costs: P(0)·f₀(x)·(C₀₁ − C₀₀) = P(1)·f₁(x)·(C₁₀ − C₁₁). The log of f₁/f₀ is (μ₁ −
            μ₀)/σ²·(x − (μ₀ + μ₁)/2).
        Solve for x: the midpoint plus `sd**2 / (mean_1 - mean_0)` times the log of a ratio. Which
            of the two products goes on top? A rare class 1 gets less room.
    Remark
        Priors and costs enter as products only: where the odds of class 1 are a third, and missing
        it costs three times as much, the cut is the same.
    """,
    Function(
        cheapest_cut,
        (Result("cut", points=5),),
        (
            Case("equal priors and costs", (1.0, 3.0, 0.5, 0.5, ONE_ONE)),
            Case("a rare class 1", (1.0, 3.0, 0.5, 0.1, ONE_ONE)),
            Case("a false alarm is expensive", (1.1, 1.5, 0.25, 0.4, [[0.0, 2.0], [1.0, 0.0]])),
            Case("right answers cost something", (-1.0, 0.5, 1.5, 0.3, [[0.25, 1.0], [6.0, 0.75]])),
        ),
        _gaussians,
        slips("""
    The priors exchanged
        (1 - prior) * -> prior * ; gain_1 = prior * -> gain_1 = (1 - prior) *
        A rare class 1 gets less room: the cut moves towards its mean. `prior` is that of class 1.
    The costs exchanged
        (C[0, 1] - C[0, 0]) -> (C[1, 0] - C[1, 1]) ; prior * (C[1, 0] - C[1, 1]) -> prior * (C[0, 1]
            - C[0, 0])
        C[0, 1] is paid where the truth is 0, so it goes with the prior of class 0.
    The wrong way
        / 2 + sd**2 -> / 2 - sd**2
        gain_0 / gain_1 -> gain_1 / gain_0
        The cut moves away from the mean of the class that is frequent or expensive to miss.
    The width is not squared
        sd**2 -> sd
        The factor of the logarithm holds the variance, σ².
    The distance multiplies
        sd**2 / (mean_1 -> sd**2 * (mean_1
        Between means that lie far apart the cut moves less: divide by μ₁ − μ₀.
    Right answers are free
        (C[0, 1] - C[0, 0]) -> C[0, 1] ; (C[1, 0] - C[1, 1]) -> C[1, 0]
        (C[0, 1] - C[0, 0]) -> C[0, 1]
        (C[1, 0] - C[1, 1]) -> C[1, 0]
        What counts is what a mistake costs more than a right answer: C₀₁ − C₀₀ and C₁₀ − C₁₁.
    The costs are forgotten
        (C[0, 1] - C[0, 0]) -> 1 ; (C[1, 0] - C[1, 1]) -> 1
        This is the cut for equal costs (MAP).
    The priors are forgotten
        (1 - prior) * -> 1 * ; gain_1 = prior * -> gain_1 = 1 *
        This is the cut for equal priors. They may differ.
    The midpoint
        sd**2 / (mean_1 - mean_0) * np.log(gain_0 / gain_1) -> 0 * sd
        This is the cut of ML: neither the priors nor the costs have moved it.
    The threshold on the posterior
        (mean_0 + mean_1) / 2 + sd**2 / (mean_1 - mean_0) * np.log(gain_0 / gain_1) -> (C[0, 1] -
            C[0, 0]) / (C[0, 1] - C[0, 0] + C[1, 0] - C[1, 1])
        This is the probability above which class 1 is cheaper. The cut is the x at which the
        posterior has this value.
    The table transposed
        (C[0, 1] - C[0, 0]) -> (C[1, 0] - C[0, 0]) ; prior * (C[1, 0] - C[1, 1]) -> prior * (C[0, 1]
            - C[1, 1])
        C[true, predicted]: the truth is the row, the answer the column.
    Right answers of the other class
        (C[0, 1] - C[0, 0]) -> (C[0, 1] - C[1, 1]) ; prior * (C[1, 0] - C[1, 1]) -> prior * (C[1, 0]
            - C[0, 0])
        Compare the two answers for the same truth, in one row of C: C₀₁ − C₀₀ and C₁₀ − C₁₁.
    Another logarithm
        np.log( -> np.log10( || np.log2(
        The inverse of exp is the natural logarithm, np.log.
    No logarithm
        np.log(gain_0 / gain_1) -> gain_0 / gain_1
        / 2 + sd**2 -> / 2 - sd**2 ; np.log(gain_0 / gain_1) -> gain_1 / gain_0
        Comparing densities means comparing exponents: take the logarithm of the ratio.
    The width is missing
        sd**2 / (mean_1 - mean_0) -> 1 / (mean_1 - mean_0)
        The logarithm is multiplied by σ²/(μ1 − μ0).
    The distance is missing
        sd**2 / (mean_1 - mean_0) -> sd**2
        The logarithm is multiplied by σ²/(μ1 − μ0): means that lie far apart move the cut less.
    A factor of 2
        sd**2 / (mean_1 -> 2 * sd**2 / (mean_1 || sd**2 / 2 / (mean_1
        The shift is σ²/(μ1 − μ0) times the logarithm; the 2 of 2σ² has cancelled.
    Not the midpoint
        (mean_0 + mean_1) / 2 + -> (mean_0 + mean_1) + || (mean_1 - mean_0) / 2 + || (mean_0**2 +
            mean_1**2) / 2 + || (1 - prior) * mean_0 + prior * mean_1 +
        Without priors and costs the cut lies half-way, at (μ0 + μ1)/2.
    A prior for the odds
        (1 - prior) * (C[0, 1] -> 1.0 * (C[0, 1]
        prior * (C[1, 0] -> 1.0 * (C[1, 0]
        Both classes have a prior: the odds are (1 − P)/P.
    Costs added
        C[0, 1] - C[0, 0] -> C[0, 1] + C[0, 0] ; C[1, 0] - C[1, 1] -> C[1, 0] + C[1, 1]
        What a mistake costs beyond the right answer counts: C[0, 1] − C[0, 0].
    The log odds for the place
        return (mean_0 + mean_1) / 2 + sd**2 / (mean_1 - mean_0) * np.log -> return np.log
        This is the value that log f₁/f₀ must reach. The cut is the place x where it does.
            """),
    ),
    another="""
def cheapest_cut(mean_0, mean_1, sd, prior, C):
    a = (mean_1 - mean_0) / sd**2  # the log-odds of class 1 are a x + b
    b = (mean_0**2 - mean_1**2) / (2 * sd**2) + np.log(prior / (1 - prior))
    return (np.log((C[0, 1] - C[0, 0]) / (C[1, 0] - C[1, 1])) - b) / a
""",
)


# Three rules, three answers ------------------------------------------------------------------


def fit_together(priors: Array, likelihoods: Array) -> str:
    """Three priors that sum to 1 and three likelihoods in 0..1."""
    if len(priors) != 3 or len(likelihoods) != 3:
        return "Give three priors and three likelihoods."
    if np.min(priors) < 0:
        return "A prior is a probability: it is not negative."
    if abs(np.sum(priors) - 1) > 1e-9:
        return f"The priors sum to {np.sum(priors):.12g}; they are three probabilities with sum 1."
    if np.min(likelihoods) < 0 or np.max(likelihoods) > 1:
        return "A likelihood is a probability: between 0 and 1."
    return ""


def winners(priors: Array, likelihoods: Array) -> list[list[int]]:
    """For each of the three rules, all classes that share the first place."""
    found = []
    for values in (priors, priors * likelihoods, likelihoods):
        top = float(np.max(values))
        found.append([k for k in range(3) if values[k] > top - 1e-12])
    return found


def all_differ(priors: Array, likelihoods: Array) -> str:
    """The three rules have one winner each, and three different ones."""
    complaint = fit_together(priors, likelihoods)
    if complaint:
        return complaint
    found = winners(priors, likelihoods)
    rules = ("the prior alone", "MAP", "ML")
    for name, k in zip(rules, found, strict=True):
        if len(k) > 1:
            return f"There is a tie: {name} cannot choose between {k[0]} and {k[1]}."
    names = ", ".join(f"{name} says {k[0]}" for name, k in zip(rules, found, strict=True))
    return "" if len({k[0] for k in found}) == 3 else f"They do not all differ: {names}."


def _sums_to_one_only(priors: Array, likelihoods: Array) -> bool:
    return len(priors) == 3 and abs(float(np.sum(priors)) - 1) > 1e-9


def _fits(priors: Array, likelihoods: Array) -> bool:
    return not fit_together(priors, likelihoods)


def _equal_priors(priors: Array, likelihoods: Array) -> bool:
    return _fits(priors, likelihoods) and float(np.ptp(priors)) < 1e-9


def _map_is_ml(priors: Array, likelihoods: Array) -> bool:
    found = winners(priors, likelihoods) if _fits(priors, likelihoods) else [[0], [1], [2]]
    return found[1] == found[2] and len(found[1]) == 1 and not _equal_priors(priors, likelihoods)


def _map_is_prior(priors: Array, likelihoods: Array) -> bool:
    found = winners(priors, likelihoods) if _fits(priors, likelihoods) else [[0], [1], [2]]
    return found[0] == found[1] != found[2] and len(found[0]) == 1


THREE = exercise(
    """
    decision_theory.three_rules: Three rules, three answers [6 minutes] [Three rules for one
            avocado]
        With two classes two of the rules must agree. With three, let one class be frequent, another
            one likely, and the third one good at both.
        MAP wants the largest product. Give the frequent class a small likelihood, the likely class
            a small prior, and the third one the second place in both.
        Start with priors `[0.6, 0.3, 0.1]` and choose likelihoods that give the middle class the
            largest product and the last class the largest likelihood.
    Remark
        A class can win by the product without being first in either factor.
    """,
    Values(
        ("priors", "likelihoods"),
        (
            Property("three priors with sum 1, three likelihoods", 1.0, fit_together),
            Property("prior alone, MAP and ML differ", 3.0, all_differ),
        ),
        (Result("priors", ("K",)), Result("likelihoods", ("K",))),
        slips("""
    The priors do not sum to 1
        when _sums_to_one_only
        One of the three classes is the true one: their priors sum to 1. (Likelihoods need not.)
    Equal priors
        when _equal_priors
        With equal priors MAP and ML agree, and the prior alone gives a tie.
    MAP and ML agree
        when _map_is_ml
        The class with the largest likelihood also has the largest product: make its prior smaller.
    MAP follows the prior
        when _map_is_prior
        The most frequent class also has the largest product: make its likelihood smaller.
            """),
    ),
    another="priors, likelihoods = [0.5, 0.35, 0.15], [0.2, 0.5, 0.8]",
)


# No answer -----------------------------------------------------------------------------------


def decide_or_not(posteriors: Array, r: float) -> Any:
    best = posteriors.max(axis=1)
    labels = np.where(1 - best > r, -1, posteriors.argmax(axis=1))
    decided = labels >= 0
    share = decided.mean()
    error = (1 - best)[decided].mean() if decided.any() else 0.0
    return labels, share, error


def _posteriors(rng: Rng) -> tuple[Any, ...]:
    N, K = int(rng.integers(5, 12)), int(rng.integers(3, 6))
    p = rng.dirichlet(np.full(K, rng.uniform(0.3, 2)), N)
    return p, float(rng.uniform(0.05, 0.6)) if rng.random() < 0.85 else 0.001


FOUR = np.array([[0.9, 0.1], [0.4, 0.6], [0.25, 0.75], [0.5, 0.5]])
THREE_CLASSES = np.array([[0.7, 0.2, 0.1], [0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])

NO_ANSWER = exercise(
    """
    decision_theory.no_answer: Deciding, or not [10 minutes] [A third answer]
        Deciding for the most probable class costs, on average, the probability that it is wrong.
            Compare that with r, one row at a time.
        Decide if 1 − max_k P(k|x) ≤ r. Among the decided rows the expected share of mistakes is the
            mean of 1 − max_k P(k|x).
        `best = posteriors.max(axis=1)`, then `np.where(1 - best > r, -1,
            posteriors.argmax(axis=1))`.
    Remark
        A smaller r means fewer answers, and a smaller share of mistakes among them. Such systems
        are compared by the curve of the one against the other.
    """,
    Function(
        decide_or_not,
        (
            Result("labels", ("N",), kind="count", points=2),
            Result("share", points=1),
            Result("error", points=2),
        ),
        (
            Case("two classes", (FOUR, 0.3)),
            Case("exactly at r", (FOUR, 0.25)),
            Case("r = 0.5: everything is decided", (FOUR, 0.5)),
            Case("nothing is decided", (FOUR, 0.05)),
            Case("three classes", (THREE_CLASSES, 0.35)),
        ),
        _posteriors,
        slips("""
    The largest posterior against r
        1 - best > r -> best > r || best < r
        r is compared with the risk of deciding, 1 − max P, not with max P.
    Equality is refused
        best > r -> best >= r
        Where both cost the same, decide: only rows with 1 − max P > r stay undecided.
    The error over all rows
        (1 - best)[decided].mean() if decided.any() else 0.0 -> ((1 - best) * decided).mean()
        Only the decided rows can be wrong: average over them.
    The undecided count as mistakes
        (1 - best)[decided].mean() if decided.any() else 0.0 -> (1 - best).mean()
        An undecided row is no mistake; the error is that of the decided ones.
    The share left out
        share = decided.mean() -> share = 1 - decided.mean()
        `share` is the share of rows that are decided.
    The share of right answers
        (1 - best)[decided] -> best[decided]
        `error` is the expected share of mistakes, 1 minus this.
    A number of rows
        share = decided.mean() -> share = decided.sum()
        `share` is between 0 and 1: divide by the number of rows.
    Everything is labelled
        np.where(1 - best > r, -1, posteriors.argmax(axis=1)) -> posteriors.argmax(axis=1) ; labels
            >= 0 -> 1 - best <= r
        Where no decision is cheaper the label is −1.
    Classes counted from 1
        posteriors.argmax(axis=1)) -> posteriors.argmax(axis=1) + 1)
        The labels are the columns, counted from 0.
    The cost of all rows
        (1 - best)[decided].mean() if decided.any() else 0.0 -> np.where(decided, 1 - best,
            r).mean()
        r is a cost, not a mistake: `error` looks at the decided rows only.
    The smallest posterior
        (1 - best)[decided] -> posteriors.min(axis=1)[decided]
        All classes but the chosen one are mistakes: 1 − max P. With two classes this is the
        smallest posterior, with three it is not.
    A class of its own for no answer
        > r, -1, -> > r, posteriors.shape[1], ; labels >= 0 -> labels < posteriors.shape[1]
        Mark the undecided rows with −1; K would be the label of a class.
    A threshold of its own
        1 - best > r -> best < 0.5 || best < -1 || 1 - best > 2 * r
        What decides is r: a decision costs 1 − the largest posterior, no decision costs r.
    The least probable class
        posteriors.argmax(axis=1)) -> posteriors.argmin(axis=1))
        The label is the class with the largest posterior.
    Two classes only
        posteriors.argmax(axis=1)) -> 1 * (posteriors[:, 1] > 0.5))
        There may be more than two classes: the label is the place of the largest posterior.
    The gap to the second
        1 - best > r -> best - np.sort(posteriors, axis=1)[:, -2] < r || np.sort(posteriors,
            axis=1)[:, -2] > r
        The largest posterior alone decides: compare 1 − max P with r.
    A sum for a mean
        (1 - best)[decided].mean() -> (1 - best)[decided].sum() || (1 - best)[decided].max()
        The error is the mean of 1 − max P over the decided rows.
    The undecided rows
        (1 - best)[decided].mean() if decided.any() else 0.0 -> (1 - best)[~decided].mean() if
            (~decided).any() else 0.0
        The error is that of the decided rows.
    No row, no error
        decided.any() else 0.0 -> decided.any() else 1.0
        Where no row is decided the error is 0.
            """),
    ),
)


# The memoriser again -------------------------------------------------------------------------

TWICE = exercise(
    """
    decision_theory.twice: The memoriser is at most twice as wrong [8 minutes] [No rule is better]
        The two terms of the start are the two ways in which two labels can differ. Put them
            together first, then multiply out and see what can be left out.
        2p(1 − p) is 2p − 2p². A square is not negative, so leaving out −2p² cannot make it smaller.
        The first line may be `= 2*p*(1 - p)`. The last one begins with `<=`.
    Remark
        Where p ≤ 1/2 the Bayes rule is wrong with probability p. So even with unlimited data the
        memoriser is wrong at most twice as often, and for p near 0 about twice (Cover and Hart,
        1967).
    """,
    Proof(
        "twice",
        "p*(1 - p) + (1 - p)*p",
        steps("""
    the terms put together, or multiplied out [2 points]
        2*p - 2*p**2
        with p**2; without 1 - p
        is 2*p*(1 - p)
    the goal [2 points]
        2*p
        is p + p
        """),
        symbols={"p": "real"},
        given=("p >= 0", "p <= 1/2"),
        asked="<=",
        slips=slips("""
    Only one of the ways
        2*p - 2*p**2 -> p - p**2
        Two labels differ in two ways: 1 and 0, or 0 and 1. The two terms are equal and are added.
    The terms are multiplied
        2*p - 2*p**2 -> p**2 - 2*p**3 + p**4
        Either one or the other happens, never both: their probabilities are added.
    The square is lost
        2*p - 2*p**2 -> 2*p - 2*p
        p times p is p²: 2p(1 − p) is 2p − 2p².
    The 2 is used twice
        2*p - 2*p**2 -> 2*p - 4*p**2
        2p·p is 2p², not (2p)².
            """),
    ),
)


# Which way does the cut go? ------------------------------------------------------------------

MOVES = exercise(
    """
    decision_theory.moves: A plan with two flaws [5 minutes] [When mistakes have prices]
        Write down for each sentence which of the three it is about: densities, priors, costs.
        The cut depends on P(0)·C₀₁ over P(1)·C₁₀. Work this ratio out for both years.
        This year it is 0.6·1 over 0.4·1. For which priors is the ratio of the posteriors that of
            the likelihoods?
    Remark
        Both flaws lose sight of a prior: once that of the other class, once all of them.
    """,
    Prediction(
        ("flawed", "because"),
        choices("""
    a. This year the cheapest cut lies where the two densities, each times its prior, are equal.
        Both mistakes cost 1, so prior times likelihood decides.
    b. More avocados with their prices will not bring the error below the Bayes error; a second
            measurement might.
        The overlap belongs to the price. What else is measured can tell some of them apart.
    c. Next year half as many are organic, and to miss one costs twice as much. So the cut stays
            where it is. [right]
        For the organic ones alone, prior times cost stays what it was.
    d. If nobody knew the shares, ML would be the rule to take: it assumes nothing about them.
            [right]
        Its formula holds no prior. Is there no prior for which it is the best rule?
    e. If all costs were doubled, no cut would move.
        Every conditional risk doubles, and the smallest one stays the smallest.
    f. It can be cheaper to say “organic” where that class has the posterior 0.3.
        If missing one is expensive enough: the threshold is C₀₁/(C₀₁ + C₁₀).
            """),
        choices("""
    a. where the shares change, the densities of the prices change too
        The prices of either kind are what they were.
    b. the share of the ordinary ones has grown: the ratio of the priors went from 1.5 to 4 [right]
        That is a factor of 8/3, and the cost brings a factor of 2. The cut goes up.
    c. the most probable class is the right answer, whatever the mistakes cost
        It makes the fewest mistakes. Where mistakes have prices, another answer can be cheaper.
    d. it decides as MAP does where all classes are equally frequent [right]
        That is an assumption, and often a worse one than a rough guess at the shares.
    e. with enough examples every error can be made as small as one likes
        With rich models too, what lies above the Bayes error can. The Bayes error stays.
            """),
        points=2.0,
    ),
    version=2,
)

EXERCISES = (THREE, CUT, WORTH, NO_ANSWER, TWICE, MOVES)
