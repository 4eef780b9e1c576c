"""The certificate: the convergence proof, checked on a run in exact arithmetic."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_lib._core.validation import Array
from lectures_lib.chapters.perceptron_convergence.certificate import CertificatePage
from lectures_lib.perceptron import Perceptron, certificate, novikoff_bound

SEEDS = st.integers(0, 10_000)
quick = settings(deadline=None, max_examples=15)


def separable(seed: int, n: int = 40) -> tuple[Array, Array, Array]:
    """Points of random scale with a gap in the middle, signs, and a (w0*, w*) through the gap."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 4))
    w = rng.normal(size=d)
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-1, 2)
    w0 = -np.median(X @ w)
    g = w0 + X @ w
    far = np.abs(g) > 0.2 * g.std()
    return X[far], np.sign(g[far]), np.r_[w0, w]


def fractions(values: Any) -> list[Fraction]:
    return [Fraction(float(v)) for v in values]


def replay(X: Array, s: Array, updates: Any) -> list[list[Fraction]]:
    """Weights after every update, (w0, w) in fractions, entry by entry."""
    w = [Fraction(0)] * (X.shape[1] + 1)
    path = [w]
    for i in updates:
        x = [Fraction(1), *fractions(X[i])]
        w = [a + int(s[i]) * b for a, b in zip(w, x, strict=True)]
        path.append(w)
    return path


def dot(u: list[Fraction], v: list[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))


@given(SEEDS)
@quick
def test_every_line_of_the_proof_holds_on_every_run(seed: int) -> None:
    X, s, w = separable(seed)
    model = Perceptron().fit(X, s)
    found = certificate(X, s, w, model.updates_)
    assert found.holds, str(CertificatePage(found))
    assert found.broken is None
    assert found.n_wrong_at_end == 0
    assert found.n_updates == len(model.updates_)
    assert all(line.checked == found.n_updates for line in list(found.lines.values())[2:])
    # Every visit up to the last update is a decision.
    passes = sum(after <= before for before, after in pairwise(model.updates_))
    assert found.n_decisions == passes * len(X) + model.updates_[-1] + 1
    assert found.n_updates <= found.bound
    assert float(found.bound) == pytest.approx(novikoff_bound(X, s, w), rel=1e-9)


@given(SEEDS)
@quick
def test_the_verdicts_are_those_of_a_replay_in_fractions(seed: int) -> None:
    """Also where the claimed ||w*||² is wrong: each line fails at the update where it should."""
    X, s, w = separable(seed, n=15)
    updates = Perceptron().fit(X, s).updates_
    path, star = replay(X, s, updates), fractions(w)
    rows = [[Fraction(1), *fractions(x)] for x in X]
    gamma = min(int(sign) * dot(star, x) for sign, x in zip(s, rows, strict=True))
    R2, norm2 = max(dot(x, x) for x in rows), dot(star, star)
    found = certificate(X, s, w, updates)
    assert (found.gamma, found.R2, found.norm2) == (gamma, R2, norm2)
    assert certificate(np.c_[np.ones(len(X)), X], s, w, updates) == found
    longer = certificate(X, s, 64 * w, updates)
    assert (longer.bound, longer.gamma) == (found.bound, 64 * gamma)
    claimed = norm2 / 3
    wrong = certificate(X, s, w, updates, norm2=claimed).lines
    states = list(enumerate(path))[1:]
    late = [t for t, W in states if dot(star, W) ** 2 > claimed * dot(W, W)]
    assert wrong["Cauchy-Schwarz"].failed_at == (late[0] if late else None)
    late = [t for t, _ in states if t > R2 * claimed / gamma**2]
    assert wrong["conclusion"].failed_at == (late[0] if late else None)
    for name, equal in {
        "progress": [dot(star, W) - dot(star, path[t - 1]) == gamma for t, W in states],
        "growth": [dot(W, W) - dot(path[t - 1], path[t - 1]) == R2 for t, W in states],
        "lower bound": [dot(star, W) == t * gamma for t, W in states],
        "upper bound": [dot(W, W) == t * R2 for t, W in states],
        "Cauchy-Schwarz": [dot(star, W) ** 2 == norm2 * dot(W, W) for t, W in states],
    }.items():
        assert found.lines[name].equal == sum(equal), name


def test_w_star_may_be_given_in_fractions() -> None:
    X, s = np.array([[0.1], [0.3]]), np.array([-1, 1])
    updates = Perceptron(max_iter=5000).fit(X, s).updates_
    found = certificate(X, s, [Fraction(-1, 15), Fraction(1, 3)], updates)
    assert found.holds
    assert found.norm2 == Fraction(1, 9) + Fraction(1, 225)
    assert found.gamma == min(
        Fraction(1, 15) - Fraction(0.1) / 3, Fraction(0.3) / 3 - Fraction(1, 15)
    )


# --- broken on purpose --------------------------------------------------------------------------


def test_an_unnormalised_gamma_breaks_the_proof_at_cauchy_schwarz() -> None:
    X, s = np.array([[-1.0], [1.0]]), np.array([-1, 1])
    updates = Perceptron().fit(X, s).updates_
    found = certificate(X, s, [0, 2], updates, norm2=1)  # ||w*|| = 2, claimed to be 1
    assert not found.holds
    assert found.broken == "Cauchy-Schwarz"
    assert found.lines["Cauchy-Schwarz"].failed_at == 1
    assert found.lines["conclusion"].failure
    assert "Cauchy-Schwarz" in found.verdict()
    assert certificate(X, s, [0, 2], updates, norm2=4).holds


def test_weights_that_do_not_separate_prove_nothing() -> None:
    X, s, w = separable(7)
    updates = Perceptron().fit(X, s).updates_
    found = certificate(X, s, -w, updates)
    assert found.broken == "separation"
    assert found.bound is None
    assert not found.lines["growth"].failure  # this half does not need w*
    touching = certificate([[0.0], [1.0]], [-1, 1], [0, 1], [0])  # an example on the hyperplane
    assert touching.broken == "separation"


def test_an_update_on_a_right_example_is_named() -> None:
    X, s = np.array([[-1.0], [1.0], [10.0]]), np.array([-1, 1, 1])
    true = Perceptron().fit(X, s).updates_.tolist()
    found = certificate(X, s, [0, 1], [*true, 2])
    t = len(true) + 1
    assert found.broken == "decisions"
    assert found.lines["decisions"].failed_at == t
    assert "example 2 was used though right" in found.verdict()
    assert "rounding does not explain it" in found.verdict()
    assert found.lines["growth"].failed_at == t  # and the proof's step is false there


def test_a_missing_update_is_named() -> None:
    X, s, w = separable(8)
    true = Perceptron().fit(X, s).updates_.tolist()
    assert len(true) > 3
    found = certificate(X, s, w, true[1:])
    assert found.broken == "decisions"
    assert found.lines["decisions"].failed_at == 1
    assert f"example {true[0]} was passed over though wrong" in found.verdict()
    cut = certificate(X, s, w, true[:2])
    assert cut.holds  # so far
    assert cut.n_wrong_at_end > 0
    assert f"{cut.n_wrong_at_end} examples still wrong" in cut.verdict()


def test_the_other_tie_rule_and_another_order_of_visit_are_noticed() -> None:
    X, s = np.array([[-1.0], [1.0]]), np.array([-1, 1])
    updates = Perceptron(tie="positive").fit(X, s).updates_
    # The positive example lies on the line when the run ends.
    assert certificate(X, s, [0, 1], updates).n_wrong_at_end == 1
    X, s, w = separable(9)
    model = Perceptron(shuffle=True, rng=1).fit(X, s)
    assert certificate(X, s, w, model.updates_).broken == "decisions"


def float_loop(X: Array, s: Array, passes: int = 3000) -> list[int]:
    """A student's perceptron: float weights, rounded at every update."""
    w, updates = np.zeros(X.shape[1] + 1), []
    for _ in range(passes):
        before = len(updates)
        for i, x in enumerate(X):
            if s[i] * (w[0] + x @ w[1:]) <= 0:
                w[0] += s[i]
                w[1:] += s[i] * x
                updates.append(i)
        if len(updates) == before:
            return updates
    return updates


def test_rounding_adds_up_over_hundreds_of_updates_and_is_blamed() -> None:
    blamed = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X = rng.integers(-30, 31, size=(400, 2)) / 30
        g = X @ [3, -2] + 0.1
        X, s = X[np.abs(g) > 0.02], np.sign(g[np.abs(g) > 0.02])
        found = certificate(X, s, [0.1, 3, -2], float_loop(X, s))
        if not found.holds:
            assert found.broken == "decisions"
            assert "rounding explains it" in found.verdict()
            blamed += 1
        whole = np.round(30 * X)
        assert certificate(whole, s, [3, 3, -2], float_loop(whole, s)).holds
    assert blamed > 0


def test_a_slip_far_from_zero_is_not_blamed_on_rounding() -> None:
    X, s, w = separable(10)
    true = Perceptron().fit(X, s).updates_.tolist()
    wrong = [*true[:-1], (true[-1] + 1) % len(X), true[-1]]
    assert "rounding does not explain it" in certificate(X, s, w, wrong).verdict()


@pytest.mark.parametrize("seed", range(5))
def test_signs_that_float64_has_wrong_are_decided_exactly(seed: int) -> None:
    """After one update with an example of ones the margins are the sums of the rows."""
    rng = np.random.default_rng(seed)
    half = rng.integers(1, 2**53, size=(40, 3)) * 2.0 ** rng.integers(0, 4, size=(40, 3))
    X = rng.permuted(np.c_[half, -half, rng.integers(-4, 5, size=40)], axis=1)
    s = np.where(np.arange(40) % 2, 1, -1)
    exact = [int(v) * sum(fractions(x)) for v, x in zip(s, X, strict=True)]
    rough = s * (X @ np.ones(7))
    assert any((a > 0) != (b > 0) for a, b in zip(rough, exact, strict=True))
    found = certificate(np.r_[[np.ones(7)], X], np.r_[1, s], np.ones(7), [0])
    assert found.n_wrong_at_end == sum(m <= 0 for m in exact)
    assert found.gamma == min([7, *exact])


@pytest.mark.parametrize("seed", range(5))
def test_lengths_that_float64_cannot_order_are_ordered_exactly(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=9)
    X = np.array([rng.permutation(x) for _ in range(30)])
    X[-1, np.abs(X[-1]).argmin()] *= 1 + 2.0**-52  # the longest, by less than a float64 can hold
    exact = max(sum(v * v for v in fractions(row)) for row in X)
    found = certificate(X, [1, -1] * 15, np.ones(9), [])
    assert exact == found.R2


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e300])
def test_numbers_of_any_size_are_replayed(scale: float) -> None:
    X, s = np.array([[-1.0], [1.0]]) * scale, np.array([-1, 1])
    found = certificate(X, s, [0, 1], [0])
    assert found.gamma == Fraction(scale)
    assert 1 + Fraction(scale) ** 2 == found.R2
    assert found.holds


# --- what it looks like -------------------------------------------------------------------------


def test_text_and_html_show_every_number_of_one_update() -> None:
    found = certificate([[-3.0], [1.0]], [-1, 1], [-1, 3], [0])  # w(1) = (-1, 3) = (w0*, w*)
    assert found.holds
    assert found.lines["Cauchy-Schwarz"].equal == 1
    numbers = {name: re.findall(r"\d+", finding) for name, _, finding in found.rows()}
    assert numbers["separation"] == ["2"]
    assert numbers["decisions"] == ["1"]
    assert numbers["progress"] == ["1", "1"]
    assert numbers["growth"] == ["1", "1", "1"]  # one of one update, one with equality
    page = CertificatePage(found)
    for text in (str(page), unescape(page._repr_html_())):
        assert "γ = 2, R² = 10, ‖w*‖² = 10, R²‖w*‖²/γ² = 25" in text
        for words in (found.heading(), found.verdict(), *sum(found.rows(), ())):
            assert words in text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"updates": [5]}, "updates: found example 5"),
        ({"updates": [-1]}, "updates: found example -1"),
        ({"updates": [0.5]}, "updates: found dtype float64"),
        ({"w_star": [1, 2, 3]}, "w_star: found 3 entries .*expected 2"),
        ({"w_star": 1}, "w_star: found 0 dim"),
        ({"w_star": [0, np.nan]}, "w_star: found nan"),
        ({"norm2": np.inf}, "norm2: found inf"),
        ({"norm2": "1"}, "norm2: found '1'"),
        ({"s": [0, 1]}, r"s: found 0, expected -1 and \+1"),
        ({"s": [1]}, "s: found 1 entries, expected 2"),
        ({"X": [[np.nan], [1]]}, "X: found NaN"),
    ],
)
def test_bad_arguments_are_refused_by_name(change: dict[str, Any], message: str) -> None:
    good: dict[str, Any] = {"X": [[-1.0], [1.0]], "s": [-1, 1], "updates": [0], "w_star": [0, 1]}
    with pytest.raises(ValueError, match=message):
        certificate(**(good | change))
