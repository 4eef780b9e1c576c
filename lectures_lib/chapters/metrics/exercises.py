"""The exercises of this chapter: thresholds, odds, areas against costs, averages, a page."""

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
from lectures_lib.metrics import best_threshold, roc_auc_score

# A limit for what may be lost --------------------------------------------------------------------


def strictest(y: Array, s: Array, lost: int) -> Any:
    best, recall = np.inf, 0.0
    for t in np.unique(s):
        if np.sum((s >= t) & (y == 0)) <= lost:
            found = np.mean(s[y == 1] >= t)
            if found > recall:
                best, recall = t, found
            elif found == recall:
                best = max(best, t)
    return best, recall


def _messages(rng: Rng) -> tuple[Any, Any]:
    n = int(rng.integers(9, 16))
    y = rng.permutation(np.r_[0, 0, 1, 1, rng.integers(0, 2, n - 4)])
    return y, np.round(rng.normal(size=n) + 1.2 * y, int(rng.integers(0, 3)))


def _limited(rng: Rng) -> tuple[Any, ...]:
    y, s = _messages(rng)
    return y, s, int(rng.integers(0, 4))


FEW = (np.array([0, 1, 0, 1, 1]), np.array([0.1, 0.2, 0.6, 0.7, 0.9]))
TIED = (np.array([0, 1, 0, 1, 1, 0]), np.array([1.0, 1.0, 2.0, 2.0, 3.0, 0.0]))
AT_TOP = (np.array([0, 1, 1, 0]), np.array([5.0, 5.0, 2.0, 1.0]))


def _two_cuts(
    arguments: tuple[Any, ...], came_out: tuple[Any, ...], expected: tuple[Any, ...]
) -> Any:
    """The scores as points in two rows, with the answered and the expected threshold."""
    from lectures_lib.figures import Axis, Line, Panel, Points, Scene

    y, s = arguments[:2]
    x = Axis("score", float(s.min()) - 0.5, float(s.max()) + 0.8)
    marks: list[Any] = [Points(np.c_[s, y], y, ("negative", "positive"), size=7)]
    for value, role, name in (
        (came_out[0], "path2", "yours"),
        (expected[0], "boundary", "expected"),
    ):
        shown = float(np.clip(value, x.lo + 0.1, x.hi - 0.1))  # infinity stands at the edge
        marks.append(Line([1, 0], -shown, role, f"{name}: {float(value):g}"))
    panel = Panel(tuple(marks), x, Axis("", -0.7, 1.7, ()), height=0.35)
    told = f"Threshold {float(came_out[0]):g}, expected {float(expected[0]):g}."
    return Scene((panel,), told)


STRICTEST = exercise(
    """
    metrics.strictest: At most so many lost [8 minutes] [One threshold moves everything]
        Try the scores that occur, and infinity, as thresholds. What does each of them lose?
        Of the thresholds that lose at most `lost` negatives take the one with the largest recall.
            Where several have it, take the largest threshold.
        Go through `np.unique(s)`, count `(s >= t) & (y == 0)`, and start with `np.inf` and 0.
    Remark
        This is the Neyman-Pearson rule: a limit for one kind of mistake, the least of the other.
    """,
    Function(
        strictest,
        (Result("t", infinite=True, points=2), Result("recall", points=2)),
        (
            Case("none may be lost", (*FEW, 0)),
            Case("one may be lost", (*FEW, 1)),
            Case("equal scores are called together", (*TIED, 1)),
            Case("a negative is at the top", (*AT_TOP, 0)),
        ),
        _limited,
        slips("""
    Strictly fewer
        <= lost -> < lost
        As many as `lost` messages may be lost, not only fewer.
    Above instead of at least
        (s >= t) & (y == 0) -> (s > t) & (y == 0) ; s[y == 1] >= t -> s[y == 1] > t
        (s >= t) & (y == 0) -> (s > t) & (y == 0)
        A score equal to the threshold is called positive.
    All deleted messages count as lost
        np.sum((s >= t) & (y == 0)) -> np.sum(s >= t)
        Only negatives that are called positive are lost.
    Precision instead of recall
        np.mean(s[y == 1] >= t) -> np.mean(y[s >= t] == 1)
        Recall divides by all positives, not by all that are called positive.
    Not a share of the positives
        np.mean(s[y == 1] >= t) -> np.sum(s[y == 1] >= t) || np.sum(s[y == 1] >= t) / len(y)
        Recall is a share: divide by the number of positives.
    The lowest of equal thresholds
        best = max(best, t) -> best = min(best, t) || pass
        Of thresholds with the same recall the task takes the largest one.
            """),
        picture=_two_cuts,
        valid=lambda y, s, lost: len(np.unique(y)) == 2 and lost >= 0,
    ),
)


# Odds --------------------------------------------------------------------------------------------

ODDS = exercise(
    """
    metrics.odds: What prevalence does to precision [6 minutes] [One threshold moves everything]
        Write 1 − precision with the same denominator. What is left in the numerator?
        q·r + (1 − q)·f minus q·r is (1 − q)·f. In the quotient of the two fractions the common
            denominator cancels.
        `(q*r/(q*r + (1 - q)*f))/(…/(q*r + (1 - q)*f))` is the first line. What stands for the dots?
    Remark
        The ROC point gives the factor r/f, a likelihood ratio; the population gives the prior odds.
        That is Bayes' rule.
    """,
    Proof(
        "odds",
        "(q*r/(q*r + (1 - q)*f))/(1 - q*r/(q*r + (1 - q)*f))",
        steps("""
    one minus precision as one fraction [2 points]
        (q*r/(q*r + (1 - q)*f))/((1 - q)*f/(q*r + (1 - q)*f))
        without 1 - q*r/(q*r + (1 - q)*f); with 1/((1 - q)*f) and 1/(q*r + (1 - q)*f)
        without 1 - q*r/(q*r + (1 - q)*f); with q*r + (1 - q)*f - q*r
    the common denominator cancelled
        q*r/((1 - q)*f)
    the goal [2 points]
        q/(1 - q)*(r/f)
        """),
        symbols={"q r f": "real"},
        given=("q > 0", "q < 1", "r > 0", "r <= 1", "f > 0", "f < 1"),
        slips=slips("""
    The classes exchanged
        q*r/((1 - q)*f) -> (1 - q)*f/(q*r)
        What is caught, q·r, stands above the line, and what is lost, (1 − q)·f, below it.
    Prevalence is forgotten below
        q*r/((1 - q)*f) -> q*r/f
        What is lost is a share f of the negatives, and these are 1 − q of all.
    The odds upside down
        q/(1 - q)*(r/f) -> (1 - q)/q*(r/f)
        The odds of q are q/(1 − q): small where q is small.
    Specificity instead of the false positive rate
        q*r/((1 - q)*f) -> q*r/((1 - q)*(1 - f))
        Of the negatives a share f is lost, and 1 − f is kept.
            """),
    ),
)


# Area against cost -------------------------------------------------------------------------------

TEN = np.repeat([0, 1], 5)
TEN_TO_ONE = [[0.0, 10.0], [1.0, 0.0]]


def _area(s: Array) -> float:
    return float(roc_auc_score(TEN, s))


def _least_cost(s: Array) -> float:
    return best_threshold(TEN, s, TEN_TO_ONE).cost * 10


def _larger_area(a: Array, b: Array) -> str:
    if _area(a) > _area(b):
        return ""
    return f"The area of `a` is {_area(a):.2f}, that of `b` {_area(b):.2f}."


def _cheaper(a: Array, b: Array) -> str:
    if _least_cost(b) < _least_cost(a):
        return ""
    return f"The least cost of `a` is {_least_cost(a):g}, that of `b` {_least_cost(b):g}."


def _both(a: Array, b: Array) -> str:
    worse = [name for name, s in (("a", a), ("b", b)) if _area(s) <= 0.5]
    trouble = _larger_area(a, b) or _cheaper(a, b)
    return trouble or (f"The area of `{worse[0]}` is no better than chance." if worse else "")


def _two_curves(a: Array, b: Array) -> Any:
    """Both ROC curves, with the cheapest point of each."""
    from lectures_lib.chapters.metrics.pictures import roc_scene
    from lectures_lib.metrics import roc_curve

    points = {}
    for name, s in (("cheapest of a", a), ("cheapest of b", b)):
        best = best_threshold(TEN, s, TEN_TO_ONE)
        points[name] = (best.fpr, best.tpr)
    if points["cheapest of a"] == points["cheapest of b"]:
        points = {"cheapest of both": points["cheapest of a"]}
    curves = {name: roc_curve(TEN, s)[:2] for name, s in (("a", a), ("b", b))}
    return roc_scene(curves, points)


AREA_OR_COST = exercise(
    """
    metrics.area_or_cost: The larger area, the dearer filter [8 minutes] [Costs: the tangent line]
        With five against five and price 10 the cheapest threshold loses no good message: one would
            cost more than all spam. What does the threshold cost then?
        The cost is the number of positives that are not above the highest negative. Give `a` one
            negative at the very top, and nothing else wrong.
        `a = [1, 2, 3, 4, 10, 5, 6, 7, 8, 9]` wins 20 of 25 pairs and costs 5. How many positives
            must stand above the highest negative of `b`, and where may the others stand?
    Remark
        The area counts the whole curve. At this price only its left edge matters.
    """,
    Values(
        ("a", "b"),
        (
            Property("a has the larger area", 1.0, _larger_area, "AUC of a above that of b"),
            Property("b is cheaper at price 10", 2.0, _cheaper, "least cost of b below a's"),
            Property("both are better than chance", 1.0, _both, "both areas above 0.5"),
        ),
        (Result("a", ("10",)), Result("b", ("10",))),
        slips(
            """
    The two are exchanged
        when two_exchanged
        `a` should have the larger area and `b` the lower cost. Here it is the other way round.
    One is better in both
        when better_both
        A filter that is better everywhere wins both. Their curves have to cross.
    Equal costs
        when equal_costs
        Equally many positives lie above the highest negative. Let there be fewer in `a`.
    No better than chance
        when below_chance
        A score with an area of 0.5 or less orders no better than a coin.
                """,
            two_exchanged=lambda a, b: _area(b) > _area(a) and _least_cost(a) < _least_cost(b),
            better_both=lambda a, b: _area(a) > _area(b) and _least_cost(a) < _least_cost(b),
            equal_costs=lambda a, b: _area(a) > _area(b) and _least_cost(a) == _least_cost(b),
            below_chance=lambda a, b: (
                _area(a) > _area(b) and _least_cost(b) < _least_cost(a) and _area(b) <= 0.5
            ),
        ),
        picture=_two_curves,
    ),
    another="""
a = [1, 2, 3, 4, 10, 5, 6, 7, 8, 9]  # one negative above all: 20 of 25 pairs, cost 5
b = [8, 6, 4, 2, 1, 10, 9, 7, 5, 3]  # two positives at the top: 19 of 25 pairs, cost 3
""",
)


# The cheapest threshold somewhere else -----------------------------------------------------------


def cheapest(y: Array, s: Array, price: float, prevalence: float) -> Any:
    thresholds = np.append(np.inf, np.unique(s)[::-1])
    fpr = np.array([np.mean(s[y == 0] >= t) for t in thresholds])
    tpr = np.array([np.mean(s[y == 1] >= t) for t in thresholds])
    cost = (1 - prevalence) * price * fpr + prevalence * (1 - tpr)
    return thresholds[cost.argmin()], cost.min()


def _elsewhere(rng: Rng) -> tuple[Any, ...]:
    y, s = _messages(rng)
    return y, s, float(rng.uniform(0.2, 6)), float(rng.uniform(0.03, 0.8))


CHEAPEST = exercise(
    """
    metrics.cheapest: A threshold for another mailbox [8 minutes] [Costs: the tangent line]
        Rates of a class can be counted here and used there. Which numbers change with the mailbox?
        For each threshold: (1 − prevalence)·price·FPR + prevalence·(1 − TPR). The thresholds to try
            are the scores and infinity.
        `np.mean(s[y == 0] >= t)` is the false positive rate at t, whatever the prevalence.
    Remark
        A threshold from the sample's own counts would carry the sample's prevalence along.
    """,
    Function(
        cheapest,
        (Result("t", infinite=True, points=2), Result("cost", points=2)),
        (
            Case("half and half", (*FEW, 1.0, 0.5)),
            Case("spam is rare", (*FEW, 1.0, 0.1)),
            Case("a loss is dear", (*FEW, 7.0, 0.6)),
            Case("equal scores", (*TIED, 0.7, 0.55)),
        ),
        _elsewhere,
        slips("""
    The sample's prevalence
        cost = (1 - prevalence) * price * fpr + prevalence * (1 - tpr) -> cost = np.mean(y == 0) *
            price * fpr + np.mean(y == 1) * (1 - tpr) || cost = np.sum(y == 0) * price * fpr +
            np.sum(y == 1) * (1 - tpr)
        The cost is for the mailbox with the given prevalence, not for the sample.
    Prevalence is left out
        (1 - prevalence) * price * fpr + prevalence * (1 - tpr) -> price * fpr + (1 - tpr)
        Weight the rates by the shares of the two classes.
    The price at the wrong mistake
        (1 - prevalence) * price * fpr + prevalence * (1 - tpr) -> (1 - prevalence) * fpr + price *
            prevalence * (1 - tpr)
        The price belongs to a lost good message, a false positive.
    The price is left out
        (1 - prevalence) * price * fpr -> (1 - prevalence) * fpr
        A lost good message costs `price`, a missed spam message 1.
    Above instead of at least
        np.mean(s[y == 0] >= t) -> np.mean(s[y == 0] > t) ; np.mean(s[y == 1] >= t) -> np.mean(s[y
            == 1] > t)
        np.append(np.inf, np.unique(s)[::-1]) -> np.append(np.unique(s), np.inf) ; np.mean(s[y == 0]
            >= t) -> np.mean(s[y == 0] > t) ; np.mean(s[y == 1] >= t) -> np.mean(s[y == 1] > t)
        A message is deleted when its score is at least the threshold.
    Prevalence of the good mail
        (1 - prevalence) * price * fpr + prevalence * (1 - tpr) -> prevalence * price * fpr + (1 -
            prevalence) * (1 - tpr)
        Prevalence is the share of the positive class.
    What is caught costs
        (1 - tpr) -> tpr
        What is missed costs: 1 − TPR.
    Deleting nothing is not tried
        np.append(np.inf, np.unique(s)[::-1]) -> np.unique(s)[::-1]
        A threshold above all scores deletes nothing, and may be the cheapest.
            """),
        picture=_two_cuts,
        valid=lambda y, s, price, prevalence: (
            len(np.unique(y)) == 2 and price > 0 and 0 < prevalence < 1
        ),
    ),
)


# Averages ----------------------------------------------------------------------------------------


def averages(M: Array, beta: float) -> Any:
    tp = np.diag(M)
    fn = M.sum(axis=1) - tp
    fp = M.sum(axis=0) - tp
    b = beta**2
    per_class = (1 + b) * tp / ((1 + b) * tp + b * fn + fp)
    micro = (1 + b) * tp.sum() / ((1 + b) * tp.sum() + b * fn.sum() + fp.sum())
    return per_class.mean(), micro


def _with_beta(rng: Rng) -> tuple[Any, ...]:
    K = int(rng.integers(3, 6))
    M = rng.integers(0, 9, (K, K)) + np.diag(rng.integers(0, 30, K))
    M[0, 1] += 1
    if rng.random() < 0.3:
        M[:, K - 1] = 0  # never called; its row keeps it in the table
        M[K - 1, 0] += 1
    return M, float(rng.uniform(0.3, 3))


AVERAGES = exercise(
    """
    metrics.averages: Two averages of F [6 minutes] [Many classes: macro and micro]
        For each class in turn: what is its TP, its FN, its FP in the table?
        FN is the rest of its row, FP the rest of its column. In counts, F is (1 + β²)TP over (1 +
            β²)TP + β²FN + FP.
        `TP, FN = np.diag(M), M.sum(axis=1) - np.diag(M)`. Macro: the mean of the values per class.
            Micro: the same formula with the sums.
    Remark
        Whatever beta is, the micro average is the accuracy: the sums of FN and of FP are both the
        number of mistakes.
    """,
    Function(
        averages,
        (Result("macro", points=2), Result("micro", points=2)),
        (
            Case("beta 1", ([[8, 2], [3, 7]], 1.0)),
            Case("a small class is missed", ([[90, 2, 3], [4, 1, 0], [1, 0, 30]], 2.0)),
            Case("precision counts more", ([[5, 4], [0, 9]], 0.5)),
            Case("a class that is never called", ([[6, 0], [3, 0]], 1.0)),
        ),
        _with_beta,
        slips("""
    Beta is not squared
        b = beta**2 -> b = beta
        The weight of recall is β².
    Beta is left out
        b = beta**2 -> b = 1.0
        β² stands three times in the formula.
    FN and FP exchanged
        b * fn + fp) -> fn + b * fp)
        β² belongs to FN, the rest of the row: it stresses recall.
    Weighted by class size
        per_class.mean() -> (per_class * M.sum(axis=1)).sum() / M.sum()
        Macro counts every class the same.
    F of averaged rates
        per_class.mean() -> (lambda P, R: (1 + b) * P * R / (b * P + R))((tp / np.maximum(tp + fp,
            1)).mean(), (tp / np.maximum(tp + fn, 1)).mean())
        Macro is the mean of the classes' values of F, not F of the mean rates.
    The two averages exchanged
        return per_class.mean(), micro -> return micro, per_class.mean()
        Macro is the mean of the classes' values, micro comes from the summed counts.
            """),
        valid=lambda M, beta: bool(
            beta > 0
            and (M >= 0).all()
            and ((M.sum(axis=0) + M.sum(axis=1)) > 0).all()
            and np.trace(M) > 0
        ),
    ),
)


# Easy negatives ----------------------------------------------------------------------------------

EASY = exercise(
    """
    metrics.easy: Ten thousand birthday cards [4 minutes] [The ROC curve]
        Where on the axis of the scores do the new messages lie? Which of the four counts change?
        TP, FN and FP stay, TN grows. Which rates hold TN?
        `TN / (TN + FP)` before, `(TN + 10000) / (TN + 10000 + FP)` after. Where else is TN?
    Remark
        An AUC can be raised by adding examples that nobody would ever confuse. Say on which
        negatives it was measured.
    """,
    Prediction(
        ("change", "because"),
        choices("""
    a. AUC, precision and recall all rise
        Two of the three do not depend on TN.
    b. AUC rises, precision and recall stay [right]
        Every positive beats every new negative; the counts above the threshold stay.
    c. AUC stays, precision falls, as always when spam gets rarer
        Precision falls when the new good mail is like the old. Here none of it is called spam.
    d. nothing changes, since the ROC curve does not depend on the class sizes
        It does not depend on the sizes. It does depend on the kind of negatives.
            """),
        choices("""
    a. spam is rarer now
        True, but what counts is where the new messages score.
    b. only the number of true negatives grows [right]
        It stands in the false positive rate, and in neither precision nor recall.
    c. more data give better estimates
        The filter is the same; it was not trained again.
    d. all rates of a true class stay
        The false positive rate is such a rate, and it falls.
            """),
        points=3.0,
    ),
)

# A page that sells -------------------------------------------------------------------------------

ARGUMENT = exercise(
    """
    metrics.argument: A page that sells a filter [5 minutes] [What goes wrong]
        Two of the six sentences do not follow. For each number ask what it divides by, and whether
            the share of spam is in it.
        An area under the ROC curve counts pairs. And of the rates in the table of the chapter, one
            divides by what was called, not by a true class.
        Take 2,000 messages of which 100 are spam: 0.80·100 are caught, 0.01·1,900 are lost.
    Remark
        An area is not an accuracy, and a precision belongs to a mailbox.
    """,
    Prediction(
        ("flawed", "because"),
        choices("""
    a. On 2,000 messages that trained nothing and chose nothing, the AUC is 0.97, with 0.96 to 0.98
            as its 95 % interval.
        A number with its interval, on messages that were kept for judging.
    b. So the filter sorts 97 of 100 messages correctly. [right]
        0.97 is the share of pairs in which the spam message scores higher. How many are sorted
            correctly depends on a threshold and on the shares.
    c. At our threshold the recall is 0.80 and the false positive rate 0.01, also where spam is
            rarer, if spam and good mail look as they do here.
        Both divide by a true class.
    d. Of what it deletes 98.8 % is spam in our test, where every second message was; in your
            mailbox, where it is every twentieth, you will find the same. [right]
        0.05·0.80 is caught, 0.95·0.01 is lost: 81 %.
    e. In the first week no good message was lost among 300, so the rate is below 1.3 %, with
            Wilson's interval.
        0 of 300 is not 0, and the page says so.
    f. Where a lost message costs 50 and every twentieth is spam, deleting costs 0.485 for each
            message and doing nothing 0.05: use a folder.
        0.95·50·0.01 + 0.05·0.2 against 0.05.
            """),
        choices("""
    a. the area counts pairs of a positive and a negative, not messages [right]
        A ranking has no threshold yet, so nothing was sorted.
    b. the false positive rate grows when good mail is more frequent
        It is a share of the good mail, however much there is.
    c. precision mixes both classes, and falls where the positive one is rarer [right]
        Caught grows with the share of spam, lost with that of good mail.
    d. an interval has to hold the value 1
        It has to hold the values that fit the data.
    e. no loss among 300 means that the rate is 0
        The rate can be 1 % and show none among 300 in one week of twenty.
            """),
        points=3.0,
    ),
)

EXERCISES = (EASY, STRICTEST, ODDS, CHEAPEST, AREA_OR_COST, AVERAGES, ARGUMENT)
