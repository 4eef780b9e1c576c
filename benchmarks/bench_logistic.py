"""Logistic regression side by side with scikit-learn and statsmodels."""

from __future__ import annotations

import numpy as np
import statsmodels
import statsmodels.api as sm
from sklearn.linear_model import LogisticRegression as Peer

from benchmarks._likelihood import against, draw, large, small, steepness
from benchmarks._table import Measured, Row, side_by_side
from lectures_lib.datasets import load_spambase
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


def _spambase() -> Measured:
    mail, peer = load_spambase(), Peer(C=1.0, solver="newton-cholesky", tol=1e-8, max_iter=1000)
    return against(LogisticRegression(C=1.0), peer, mail.X, mail.y, apart=1e-5)


ROWS = [
    Row(
        "logistic, 100,000 x 50",
        lambda: large(LogisticRegression(), "newton-cholesky", 1e-6, 2),
        1.3,
    ),
    Row("logistic with standard errors, 100,000 x 50", _against_statsmodels, 1.5),
    Row("logistic, C = 1, Spambase", _spambase, 0.9),
    Row("logistic, 500 x 2", lambda: small(LogisticRegression(), 2)),
]
