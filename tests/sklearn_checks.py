"""Run scikit-learn's own check_estimator on a model and fail with a readable list."""

from __future__ import annotations

import warnings
from typing import Any

from sklearn.utils.estimator_checks import check_estimator


def run_check_estimator(estimator: Any, expected_failed: dict[str, str] | None = None) -> int:
    """Number of checks passed; fails when a check fails, or an expected failure passes.

    `expected_failed` maps names of checks that contradict the mathematics to the reason why.
    """
    expected = expected_failed or {}
    with warnings.catch_warnings(record=True):  # recorded, because checks look for some of them
        warnings.simplefilter("always")
        results = check_estimator(
            estimator, expected_failed_checks=expected, on_fail=None, on_skip=None
        )
    failed = [
        f"{r['check_name']}: {type(r['exception']).__name__}: {r['exception']}"
        for r in results
        if r["status"] == "failed"
    ]
    xfailed = {r["check_name"] for r in results if r["status"] == "xfail"}
    surprising = [
        f"{name} passes: take it off the list" for name in expected if name not in xfailed
    ]
    assert not failed + surprising, (
        f"{type(estimator).__name__}, {len(failed)} of {len(results)} checks of scikit-learn "
        "failed:\n  " + "\n  ".join(failed + surprising)
    )
    return sum(r["status"] == "passed" for r in results)
