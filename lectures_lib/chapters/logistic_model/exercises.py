"""The exercises of this chapter: log-odds, both codings, missing values, what a weight says."""

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

# The weight behind two probabilities ---------------------------------------------------------


def weight_between(p: Array, q: Array, delta: Array) -> Any:
    before = np.log(p / (1 - p))
    after = np.log(q / (1 - q))
    return (after - before) / delta


def _two_probabilities(rng: Rng) -> tuple[Any, ...]:
    n = int(rng.integers(3, 6))
    sign = rng.choice([-1, 1], n)
    return rng.uniform(0.01, 0.99, n), rng.uniform(0.01, 0.99, n), sign * rng.uniform(0.3, 4, n)


WEIGHT = exercise(
    """
    logistic_model.weight_between: The weight behind two probabilities [6 minutes] [The same thing
            in code]
        A weight says how the log-odds change. So go to the log-odds first, with both probabilities.
        log(q/(1 − q)) = log(p/(1 − p)) + w·delta. Solve for w.
        `np.log(p / (1 - p))` are the log-odds before the change; q gives those after it.
    Remark
        This is also how a published odds ratio becomes a weight: take its logarithm, and divide by
        the step it belongs to.
    """,
    Function(
        weight_between,
        (Result("w", ("N",), points=3),),
        (
            Case("one step of 1", ([0.5], [0.8], [1.0])),
            Case("several, steps of 10 and 2", ([0.1, 0.02], [0.2, 0.5], [10.0, 2.0])),
            Case("a step back", ([0.3], [0.9], [-2.0])),
            Case("no change", ([0.7], [0.7], [3.0])),
        ),
        _two_probabilities,
        slips("""
    A difference of probabilities [What goes wrong]
        np.log(p / (1 - p)) -> p ; np.log(q / (1 - q)) -> q
        w is added to the log-odds, not to the probability.
    A ratio of probabilities [What goes wrong]
        np.log(p / (1 - p)) -> np.log(p) ; np.log(q / (1 - q)) -> np.log(q)
        log(q/p) compares probabilities. The model compares odds: those of p are p/(1 − p).
    The odds without their logarithm
        np.log(p / (1 - p)) -> p / (1 - p) ; np.log(q / (1 - q)) -> q / (1 - q)
        (after - before) / delta -> np.exp(after - before) / delta
        The model is linear in the logarithm of the odds.
    A bracket is missing
        (after - before) / delta -> q / (1 - q) / p / (1 - p) / delta || np.log(q / (1 - q) / p / (1
            - p)) / delta || q / (1 - q) / p / (1 - p)
        a/b/c/d divides by c and by d as well: write (q/(1 − q))/(p/(1 − p)).
    The factor of the odds
        (after - before) / delta -> np.exp(after - before) || np.exp((after - before) / delta)
        This is a factor of the odds: e^(w·delta) for the whole step, e^w for a step of 1. The
        weight w is the logarithm of e^w.
    The step is forgotten
        / delta ->
        w belongs to a change of the feature by 1; here it changed by `delta`.
    Multiplied by the step
        / delta -> * delta
        A larger step with the same effect means a smaller weight: divide.
    Before and after exchanged
        after - before -> before - after
        q is the probability after the step: its log-odds come first.
            """),
    ),
)


# The new probability, line by line -----------------------------------------------------------

NEW_PROBABILITY = exercise(
    """
    logistic_model.new_probability: From the old probability to the new one [13 minutes] [From the
            log-odds to the sigmoid]
        Write the sigmoid out as a fraction. Its exponent holds a logarithm, and the exponential
            function takes that away.
        exp(−log(p/(1 − p)) − b) = ((1 − p)/p)·exp(−b). Then multiply numerator and denominator by
            p·exp(b). A smaller denominator makes a fraction larger.
        One of the lines is `= p*exp(b)/(1 - p + p*exp(b))`, and after it comes the bound: what may
            be left out of its denominator?
    Remark
        So a step b multiplies the probability by less than e^b/(1 − p). For rare events this is
        nearly e^b, and there an odds ratio may be read as a ratio of probabilities.
    """,
    Proof(
        "new_probability",
        "sigma(log(p/(1 - p)) + b)",
        steps("""
    the sigmoid written out
        1/(1 + exp(-(log(p/(1 - p)) + b)))
    the logarithm gone [2 points]
        1/(1 + (1 - p)/p*exp(-b))
        without log
        is exp(log(p/(1 - p)) + b)
    the fraction made ready for the bound [1 point]
        p*exp(b)/(1 - p + p*exp(b))
        with exp(b); without log
        is 1/((1 - p)/p*exp(-b))
        is exp(log(p/(1 - p)) + b)
    the goal: at most the odds times exp(b) [2 points]
        p/(1 - p)*exp(b)
        """),
        symbols={"p": "probability", "b": "real"},
        asked="<=",
        slips=slips("""
    The sign in the exponent
        exp(-(log(p/(1 - p)) + b)) -> exp(log(p/(1 - p)) + b)
        (1 - p)/p*exp(-b) -> p/(1 - p)*exp(b)
        σ(z) = 1/(1 + exp(−z)): the exponent has a minus, and so exp(−log(p/(1 − p))) is (1 − p)/p.
    The odds are upside down
        (1 - p)/p*exp(-b) -> p/(1 - p)*exp(-b)
        exp(−log(p/(1 − p))) = (1 − p)/p.
    A sum in the exponent became a sum
        (1 - p)/p*exp(-b) -> (1 - p)/p + exp(-b)
        exp(u + v) = exp(u)·exp(v): the two factors are multiplied.
    The other class is forgotten below
        1 - p + p*exp(b) -> 1 + p*exp(b) || p + p*exp(b)
        After multiplying by p·exp(b) the denominator is p·exp(b) + (1 − p).
    The probability is multiplied [What goes wrong]
        p*exp(b)/(1 - p + p*exp(b)) -> p*exp(b)
        exp(b) multiplies the odds, p/(1 − p), and not the probability.
            """),
    ),
)


# The probability of a label ------------------------------------------------------------------


def label_probability(X: Array, s: Array, w: Array) -> Any:
    z = w[0] + X @ w[1:]
    m = s * z
    return np.exp(-np.logaddexp(0, -m))


def _labelled(rng: Rng) -> tuple[Any, ...]:
    """Scores of any size; now and then one that overflows where the formula is typed naively."""
    n, d = int(rng.integers(3, 7)), int(rng.integers(3, 6))
    scale = rng.choice([0.5, 2.0, 600.0], p=[0.5, 0.3, 0.2])
    return rng.normal(size=(n, d)), rng.choice([-1, 1], n), scale * rng.normal(size=d + 1)


PLANE = np.array([[1.0, 2.0], [0.0, -1.0], [3.0, 0.5]])

LABEL_PROBABILITY = exercise(
    """
    logistic_model.label_probability: The probability of the label that was observed [8 minutes]
            [The model, in both codings]
        Compute the scores first. One formula of the chapter holds for both labels at once. Only
            large numbers need care.
        Pr(s | x) = σ(s·z), and its logarithm is −log(1 + exp(−s·z)), for every score.
        `np.logaddexp(0, u)` is log(1 + exp(u)) without overflow, for a whole array u.
    Remark
        The probabilities of the two labels of an example add up to 1, because σ(z) + σ(−z) = 1.
    """,
    Function(
        label_probability,
        (Result("p", ("N",), points=4),),
        (
            Case("three examples", (PLANE, [1, 1, -1], [-1.0, 1.0, 0.5])),
            Case("the other labels", (PLANE, [-1, -1, 1], [-1.0, 1.0, 0.5])),
            Case("all weights 0", (PLANE, [1, -1, 1], np.zeros(3))),
            Case("scores of 1000 and −1000", ([[1.0], [-1.0]], [1, 1], [0.0, 1000.0])),
            Case("the same, label −1", ([[1.0], [-1.0]], [-1, -1], [0.0, 1000.0])),
        ),
        _labelled,
        slips("""
    The label is not used
        m = s * z -> m = z
        This is the probability of label +1 for every example.
    Labels 0 and 1 in the exponent
        m = s * z -> m = (s + 1) / 2 * z
        With 0 for the label −1 every such example gets σ(0) = 1/2. The formula needs s = −1.
    The wrong sign
        m = s * z -> m = -s * z
        This is the probability of the other label: σ(s·z) has exp(−s·z) inside.
    The bias is missing
        w[0] + X -> X
        The score is w0 + w1·x1 + … + wd·xd.
    The bias is taken from the end
        w[0] + X @ w[1:] -> w[-1] + X @ w[:-1]
        `w[0]` is the bias, as everywhere in the course; the weights of the features follow.
    The larger of the two
        m = s * z -> m = abs(z)
        The observed label can be the less probable one; its probability is then below one half.
    Only its logarithm
        np.exp(-np.logaddexp(0, -m)) -> -np.logaddexp(0, -m)
        This is log Pr(s | x), which is never positive. Return the probability itself.
    No number for large scores
        np.exp(-np.logaddexp(0, -m)) -> np.exp(m) / (1 + np.exp(m))
        exp(m)/(1 + exp(m)) is infinity divided by infinity at m = 1000. The formula with exp(−m)
        goes to 0 and 1, and `np.logaddexp` does not overflow at all.
            """),
        forms=("np.exp(-np.logaddexp(0, -m)) -> 1 / (1 + np.exp(-m))",),
    ),
)


# Missing values ------------------------------------------------------------------------------


def fill_and_flag(train: Array, new: Array) -> Any:
    median = np.nanmedian(train, axis=0)
    flag = np.isnan(new)
    filled = np.where(flag, median, new)
    return filled, flag


def _with_gaps(rng: Rng) -> tuple[Any, ...]:
    """Two samples with gaps; every column of the first keeps some values."""
    d = int(rng.integers(3, 5))
    train, new = rng.normal(size=(rng.integers(5, 9), d)), rng.normal(size=(rng.integers(4, 7), d))
    train, new = train**3 * 2 + 1, new * 3 - 2
    train[2:][rng.random(train[2:].shape) < 0.3] = np.nan
    new[rng.random(new.shape) < 0.35] = np.nan
    return train, new


GAPS = np.array([[20.0, 3.0], [np.nan, 1.0], [70.0, 2.0], [30.0, np.nan]])

FILL = exercise(
    """
    logistic_model.fill_and_flag: Fill what is missing, and say so [10 minutes] [What goes wrong]
        Every column has its own median, that of its known values, fixed before the new data are
            seen.
        flag = 1 where a value of `new` is missing, else 0. Where it is 1, put in the median of that
            column of `train`. Everything else stays.
        `np.nanmedian(train, axis=0)` has one median for each column. `np.where(a, b, c)` takes b
            where a is true, and c elsewhere.
    Remark
        A model that was trained with flags can be asked about passengers of unknown age, and may
        answer differently for them.
    """,
    Function(
        fill_and_flag,
        (Result("filled", ("M", "d"), points=3), Result("flag", ("M", "d"), "flag", points=2)),
        (
            Case("one gap", (GAPS, [[np.nan, 2.0], [50.0, 1.0]])),
            Case("gaps in both columns", (GAPS, [[np.nan, np.nan], [0.0, np.nan]])),
            Case("nothing missing", (GAPS, [[25.0, 3.0]])),
        ),
        _with_gaps,
        slips("""
    The median of the new data
        np.nanmedian(train, axis=0) -> np.nanmedian(new, axis=0)
        np.nanmedian(train, -> np.nanmedian(np.vstack([train, new]),
        The new data may be a single passenger: the median is that of `train`.
    The mean
        np.nanmedian -> np.nanmean
        The mean follows a few old passengers. Take the median.
    One median for all columns
        train, axis=0 -> train
        Each column has a median of its own: `axis=0`.
    The median of each row
        np.nanmedian(train, axis=0) -> np.resize(np.nanmedian(train, axis=1), new.shape[1])
        The median runs over the passengers, column by column: `axis=0`.
    Compared with NaN
        np.isnan(new) -> new == np.nan
        NaN is equal to nothing, not even to itself: `np.isnan(new)` finds it.
    Gaps are filled with 0
        np.where(flag, median, new) -> np.where(flag, 0, new) || np.nan_to_num(new)
        With 0, an unknown age would be that of a newborn child.
    The gaps count as 0 in the median
        np.nanmedian(train, axis=0) -> np.median(np.nan_to_num(train), axis=0)
        Missing values are left out before the median is taken.
    The flag is turned round
        return filled, flag -> return filled, ~flag
        The flag is 1 where the value is missing.
    Known values are replaced
        np.where(flag, median, new) -> np.where(flag, new, median)
        The median goes where a value is missing; known values stay.
    One flag for all
        np.isnan(new) -> np.isnan(new) ; return filled, flag -> return filled, np.full(new.shape,
            flag.any())
        Each value has its own flag: the shape is that of `new`.
            """),
    ),
)


# Weights with an interaction -----------------------------------------------------------------


def _score(w: Array, female: float, passenger_class: Any) -> Any:
    return w[0] + w[1] * female + (w[2] + w[3] * female) * passenger_class


def _chance(w: Array, female: float, passenger_class: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(_score(w, female, passenger_class), -500, 500))))


def _factor(w: Array, female: float, wanted: float, person: str) -> str:
    found = float(np.exp(np.clip(w[2] + w[3] * female, -500, 500)))
    told = f"One class further down multiplies the odds of a {person} by {found:.4g}"
    return "" if abs(found - wanted) <= 1e-3 * wanted else f"{told}; expected {wanted:g}."


def _men(w: Array) -> str:
    return _factor(w, 0, 0.5, "man")


def _women(w: Array) -> str:
    return _factor(w, 1, 0.125, "woman")


def _first_class(w: Array) -> str:
    woman, man = _chance(w, 1, 1), _chance(w, 0, 1)
    if woman < 0.95:
        return f"A woman of the first class has the probability {woman:.3f}; expected 0.95 or more."
    if man > 0.4:
        return f"A man of the first class has the probability {man:.3f}; expected 0.4 or less."
    return ""


def _third_class(w: Array) -> str:
    woman = _chance(w, 1, 3)
    if 0.35 <= woman <= 0.45:
        return ""
    return f"A woman of the third class has the probability {woman:.3f}; expected 0.35 to 0.45."


def _factors_for_weights(w: Array) -> bool:
    return bool(np.isclose(w[2], 0.5) and np.isclose(w[3], (0.125, 0.25)).any())


def _own_slope(w: Array) -> bool:
    return bool(np.isclose(w[2], np.log(0.5)) and np.isclose(w[3], np.log(0.125)))


def _other_base(w: Array) -> bool:
    return any(
        np.allclose(w[2:], [base(0.5), base(0.25)], atol=1e-3) for base in (np.log2, np.log10)
    )


def _turned(w: Array) -> bool:
    return bool(np.allclose(w[2:], [np.log(2), np.log(4)], atol=1e-3))


def _no_class_in_the_bias(w: Array) -> bool:
    """The probabilities are right when classes are counted from 0."""
    shifted = np.array([w[0] - w[2], w[1] - w[3], w[2], w[3]])
    held = [_men, _women, _first_class, _third_class]
    return not any(f(shifted) for f in held) and bool(_first_class(w) or _third_class(w))


def _two_lines(w: Array) -> Any:
    from lectures_lib.figures.marks import Curve, Points, Segments
    from lectures_lib.figures.scene import Axis, Panel, Scene

    classes, marks = np.array([1.0, 2.0, 3.0]), []
    for female, name, role in ((1, "women", "class1"), (0, "men", "class0")):
        z = _score(w, female, classes)
        marks += [Curve(classes, z, role, name), Points(np.c_[classes, z], look="dot", size=4)]
    marks.append(Segments([[0.8, 0]], [[3.2, 0]], "guide"))  # the odds are even
    across = Axis("class", 0.8, 3.2, tuple((k, f"{k:g}") for k in classes))
    told = "The log-odds over the class: a line for women, a line for men, not parallel."
    return Scene((Panel(tuple(marks), across, Axis("log-odds", -6, 6), height=0.62),), told)


INTERACTION = exercise(
    """
    logistic_model.interaction: Weights for a different slope [12 minutes] [The check]
        Write the log-odds of a man and those of a woman in two lines. Which weights does a man's
            depend on, and by how much do a woman's change from class to class?
        Men: w0 + w_class·class, and halving the odds adds log(1/2). Women: their slope is w_class +
            w_both. Then choose w_female and w0.
        A woman of the third class has the log-odds `w0 + w_female + 3 * (w_class + w_both)`: choose
            `w0 + w_female` so that this is `np.log(0.4 / 0.6)`, and w0 small enough for the men.
    Remark
        A product of two features gives the second a slope that depends on the first: on the
        log-odds, two straight lines that are not parallel.
    """,
    Values(
        ("w_titanic",),
        (
            Property("the odds of men are halved from class to class", 1.0, _men),
            Property("those of women are divided by 8", 1.0, _women),
            Property("first class: women 0.95 or more, men 0.4 or less", 1.0, _first_class),
            Property("third class: women between 0.35 and 0.45", 1.0, _third_class),
        ),
        (Result("w_titanic", ("4",)),),
        slips("""
    Factors in the place of weights
        when _factors_for_weights
        e^w multiplies the odds, so the weight is the logarithm of the factor.
    The women's slope twice
        when _own_slope
        w_both is what women have in addition to men: their slope is w_class + w_both.
    Another logarithm
        when _other_base
        The model has e^w, so the natural logarithm is needed: `np.log`.
    The wrong direction
        when _turned
        The odds fall from class to class: the logarithm of a factor below 1 is negative.
    The first class is 1, not 0
        when _no_class_in_the_bias
        The weights would be right if classes were counted from 0. Here the first class has class =
        1.
            """),
        picture=_two_lines,
    ),
    another="""
both, one_class = np.log(1 / 4), np.log(1 / 2)
woman = np.log(0.4 / 0.6) - 3 * (one_class + both)  # w0 + w_female
w0 = -0.5
w_titanic = np.array([w0, woman - w0, one_class, both])
""",
)


# A sample that was thinned out ---------------------------------------------------------------


def population_weights(w: Array, kept_0: float, kept_1: float) -> Any:
    shift = np.log(kept_0 / kept_1)
    corrected = w.copy()
    corrected[0] = w[0] + shift
    return corrected


def _thinned(rng: Rng) -> tuple[Any, ...]:
    kept = rng.uniform(0.02, 1, 2)
    return rng.normal(size=rng.integers(3, 6)), float(kept[0]), float(kept[1])


THINNED = exercise(
    """
    logistic_model.thinned_sample: A sample in which one class was thinned out [10 minutes] [What
            goes wrong]
        Which factor of the posterior odds depends on how many examples of each class there are, and
            which does not?
        For every x: odds in the sample = odds in the population · kept_1/kept_0. Take logarithms.
        `corrected = w.copy()`; then change one entry of it. In the example the sample's odds are
            ten times those of the population, for every x: by `np.log(10)`, but up or down?
    Remark
        This is why studies may collect all the ill and a few of the healthy, and still estimate
        odds ratios. Probabilities need the correction.
    """,
    Function(
        population_weights,
        (Result("w", ("d+1",), points=4),),
        (
            Case("nothing left out", ([0.5, -1.0], 1.0, 1.0)),
            Case("a tenth of class 0 kept", ([0.5, -1.0, 2.0], 0.1, 1.0)),
            Case("half of class 1 kept", ([-2.0, 0.25], 1.0, 0.5)),
            Case("both thinned out", ([0.0, 3.0], 0.2, 0.4)),
        ),
        _thinned,
        slips("""
    The wrong direction
        kept_0 / kept_1 -> kept_1 / kept_0
        w[0] + shift -> w[0] - shift
        Where class 0 was thinned out, class 1 looks too probable in the sample: in the population
        its log-odds are lower.
    The factor without its logarithm
        np.log(kept_0 / kept_1) -> kept_0 / kept_1 || -kept_1 / kept_0
        The odds are multiplied; to the log-odds, and to the bias, the logarithm is added.
    The bias is multiplied
        np.log(kept_0 / kept_1) -> kept_0 / kept_1 ; w[0] + shift -> w[0] * shift
        The bias is a log-odds: the logarithm of the factor is added to it.
    All weights are shifted
        corrected[0] = w[0] + shift -> corrected = w + shift
        The Bayes factor of a feature does not depend on how many examples of each class were kept:
        only the bias changes.
    Only one class is looked at
        np.log(kept_0 / kept_1) -> np.log(kept_0) || -np.log(kept_1)
        Both shares count: the odds are changed by their ratio.
    The log-odds of the shares
        kept_0 / kept_1 -> kept_0 / (1.0000001 - kept_0)
        kept_0 and kept_1 are two shares, of two classes: their ratio counts, not kept/(1 − kept).
    The bias stands last
        corrected[0] = w[0] + shift -> corrected[-1] = w[-1] + shift
        In this course the bias comes first: w[0].
            """),
    ),
)


# Who gains more ------------------------------------------------------------------------------

WHO_GAINS = exercise(
    """
    logistic_model.who_gains: What the weights say: two flaws [5 minutes] [What goes wrong]
        A weight is the change of the log-odds for one unit more of its feature, the others held
            fixed. Read each sentence with that in mind.
        The slope of the sigmoid at p is p·(1 − p). And with a product in the model, by how much is
            the score of a woman above that of a man?
        Work out `-0.034 * (80 - 20)`, and the two scores for `female = 1` and `female = 0`.
    Remark
        Compare units before you compare weights. A weight beside a product is the whole effect only
        where the other factor is 0.
    """,
    Prediction(
        ("flawed", "because"),
        choices("""
    a. At equal age and class the odds of a woman are about 12 times those of a man.
        e to the power of 2.50 is about 12.
    b. Where a man's probability is 0.001, a woman's, of his age and class, is nearly 12 times that.
        So small a probability nearly equals its odds: it becomes 0.012.
    c. Ann has the probability 0.6 and Bob 0.97. One class further up raises Ann's by more.
        The log-odds of both rise by 1.13, but near 1 the curve is flat.
    d. The weight of age, −0.034, is by far the smallest in size, so here age hardly counts. [right]
        The number is small. It stands beside a feature that runs from 0 to 80.
    e. The passengers of probability ½ lie on a plane in the space of sex, age and class.
        They are those of score 0, and the score is linear.
    f. With “female × class” as a further feature, the weight of “female” alone says how far the
            log-odds of a woman lie above those of a man of her age and class. [right]
        It did, without the product. What else differs between the two now?
            """),
        choices("""
    a. a weight is per unit: from 20 to 80 years the log-odds fall by 2 [right]
        That is nearly as much as two classes make. Per month the weight would be a twelfth.
    b. twelve times the odds is never twelve times the probability
        For rare events the two come together.
    c. the difference is now w_female + w_both·class, a different one in each class [right]
        The weight alone would be the difference in a class 0.
    d. the curve bends, and so does the place where it is one half
        The curve bends along the score. The place is where the score is 0.
    e. equal steps of the log-odds are equal steps of the probability
        The same step moves p most in the middle: p(1 − p) is 0.24 at 0.6 and 0.03 at 0.97.
            """),
        points=2.0,
    ),
    version=2,
)

EXERCISES = (WEIGHT, WHO_GAINS, NEW_PROBABILITY, LABEL_PROBABILITY, FILL, INTERACTION, THINNED)
