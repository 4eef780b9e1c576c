"""Logistic regression without a penalty, side by side with scikit-learn and statsmodels."""

from __future__ import annotations

import numpy as np
import statsmodels
import statsmodels.api as sm

from benchmarks._likelihood import (
    against_scikit_learn,
    draw,
    growth,
    share_of_memory,
    steepness,
)
from benchmarks._table import Measured, Row, side_by_side
from lectures_lib.logistic import LogisticRegression


def _against_statsmodels() -> Measured:
    X, y = draw(100_000, 50, 2, correlated=True)
    ones = sm.add_constant(X)
    peer = sm.Logit(y, ones)
    ours = LogisticRegression()
    found, expected = ours.fit(X, y), peer.fit(disp=0, tol=1e-8)
    apart = float(np.abs(np.append(found.intercept_, found.coef_) / expected.params - 1).max())
    errors = float(np.abs(found.standard_errors_ / expected.bse - 1).max())
    reached = steepness(ours, X, y)
    if apart > 1e-7 or errors > 1e-7 or reached > 1e-8:
        raise AssertionError(f"estimates {apart:.1e}, errors {errors:.1e}, gradient {reached:.1e}")
    mine, other = side_by_side(5, lambda: ours.fit(X, y), lambda: peer.fit(disp=0, tol=1e-8))
    return Measured(
        mine,
        other,
        peer=f"statsmodels {statsmodels.__version__}",
        note=f"estimates apart {apart:.0e}, standard errors {errors:.0e}; default_rng(0)",
    )


ROWS = [
    Row(
        "logistic, no penalty, 100,000 x 50",
        lambda: against_scikit_learn(LogisticRegression(), 50, 2),
        1.5,
    ),
    Row("logistic with standard errors, 100,000 x 50", _against_statsmodels, 3.0),
    Row(
        "logistic, growth from 10,000 to 1,000,000 x 50",
        lambda: growth(LogisticRegression().fit, 50, 2),
    ),
    Row(
        "logistic, extra memory, 1,000,000 x 50",
        lambda: share_of_memory(LogisticRegression().fit, 50, 2),
    ),
]
