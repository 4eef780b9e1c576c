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

from lectures_lib._core.estimator import Array
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


def replay(X: Array, s: Array, updates: Any, eta: Any, start: Any) -> list[list[Fraction]]:
    """Weights after every update, (w0, w) in fractions, entry by entry."""
    w = [Fraction(v) for v in start]
    path = [w]
    for i in updates:
        x = [Fraction(1), *fractions(X[i])]
        w = [a + Fraction(eta) * int(s[i]) * b for a, b in zip(w, x, strict=True)]
        path.append(w)
    return path


def dot(u: list[Fraction], v: list[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))


@given(
    SEEDS,
    st.sampled_from([1.0, 0.1, 3.0]),
    st.sampled_from(["update", "positive"]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
@quick
def test_every_line_of_the_proof_holds_on_every_run(
    seed: int, eta: float, tie: str, shuffle: bool, revisit: bool, from_zero: bool
) -> None:
    X, s, w = separable(seed)
    start = None if from_zero else np.linspace(-1, 1, len(w))
    model = Perceptron(eta0=eta, tie=tie, w_start=start, record=True)
    model.set_params(shuffle=shuffle, revisit=revisit, rng=seed)
    found = model.fit(X, s).certificate(X, s, w)
    assert found.holds, str(CertificatePage(found))
    assert found.first_failure is None
    assert found.disagreements == []
    assert found.n_wrong_at_end == 0
    assert found.n_updates == len(model.updates_) == len(found.steps)
    assert all(line.held == line.checked for line in found.lines.values())
    assert found.lines["progress"].checked == found.n_updates
    if not (shuffle or revisit):  # every visit up to the last update is a decision
        passes = sum(after <= before for before, after in pairwise(model.updates_))
        assert found.n_decisions == passes * len(X) + model.updates_[-1] + 1
    if from_zero:
        assert found.n_updates <= found.bound
        assert float(found.bound) == pytest.approx(novikoff_bound(X, s, w), rel=1e-9)
    else:
        assert found.bound is None


@given(SEEDS, st.sampled_from([1.0, 0.1]), st.booleans())
@quick
def test_the_numbers_of_the_steps_are_those_of_a_replay_in_fractions(
    seed: int, eta: float, from_zero: bool
) -> None:
    X, s, w = separable(seed, n=15)
    start = [0.0] * len(w) if from_zero else np.linspace(-1, 1, len(w)).tolist()
    updates = Perceptron(eta0=eta, w_start=start).fit(X, s).updates_
    found = certificate(X, s, w, updates, eta=eta, start=start)
    path, star = replay(X, s, updates, eta, start), fractions(w)
    rows = [[Fraction(1), *fractions(x)] for x in X]
    signs = [int(v) for v in s]
    gamma = min(sign * dot(star, x) for sign, x in zip(signs, rows, strict=True))
    assert found.gamma == gamma
    assert max(dot(x, x) for x in rows) == found.R2
    assert found.norm2 == dot(star, star)
    assert certificate(np.c_[np.ones(len(X)), X], s, w, updates, eta=eta, start=start) == found
    longer = certificate(X, s, 64 * w, updates, eta=eta, start=start)
    assert (longer.bound, longer.gamma) == (found.bound, 64 * gamma)
    for step, before, after in zip(found.steps, path[:-1], path[1:], strict=True):
        assert step.margin == signs[step.example] * dot(before, rows[step.example])
        assert step.a == dot(star, after)
        assert step.b == dot(after, after)
        assert step.a_at_least == dot(star, path[0]) + step.t * Fraction(eta) * gamma
        assert step.b_at_most == dot(path[0], path[0]) + step.t * Fraction(eta) ** 2 * found.R2


def test_w_star_may_be_given_in_fractions_and_eta_too() -> None:
    X, s = np.array([[0.1], [0.3]]), np.array([-1, 1])
    model = Perceptron(max_iter=5000).fit(X, s)
    found = certificate(X, s, [Fraction(-1), Fraction(5)], model.updates_, eta=Fraction(1, 10))
    assert found.holds
    assert found.eta == Fraction(1, 10)
    assert found.norm2 == 26
    assert found.gamma == min(1 - 5 * Fraction(0.1), 5 * Fraction(0.3) - 1)
    by_model = model.certificate(X, s, [Fraction(-1, 15), Fraction(1, 3)])
    assert by_model.norm2 == Fraction(1, 9) + Fraction(1, 225)
    unbiased, ones = Perceptron(fit_intercept=False), np.c_[np.ones(2), X]
    assert unbiased.set_params(max_iter=5000).fit(ones, s).certificate(ones, s, [-1, 5]).holds


# --- broken on purpose --------------------------------------------------------------------------


def test_an_unnormalised_gamma_breaks_the_proof_at_cauchy_schwarz() -> None:
    X, s = np.array([[-1.0], [1.0]]), np.array([-1, 1])
    updates = Perceptron().fit(X, s).updates_
    found = certificate(X, s, [0, 2], updates, norm2=1)  # ||w*|| = 2, claimed to be 1
    assert not found.holds
    assert found.first_failure.line == "Cauchy-Schwarz"
    assert found.first_failure.t == 1
    assert found.lines["conclusion"].held < found.lines["conclusion"].checked
    assert "Cauchy-Schwarz" in found.verdict()
    assert certificate(X, s, [0, 2], updates, norm2=4).holds


def test_a_gamma_that_is_too_large_breaks_the_proof_at_the_separation() -> None:
    X, s, w = separable(6)
    updates = Perceptron().fit(X, s).updates_
    exact = certificate(X, s, w, updates).gamma
    found = certificate(X, s, w, updates, gamma=2 * exact)
    assert found.first_failure.line == "separation"
    assert certificate(X, s, w, updates, gamma=exact / 2).holds  # weaker, but true


def test_a_claimed_gamma_that_an_update_does_not_reach_fails_at_that_update() -> None:
    X, s = np.array([[-1.0], [3.0]]), np.array([-1, 1])
    found = certificate(X, s, [0, 1], [0, 1], gamma=2)
    progress = found.lines["progress"].first_failure
    assert progress.t == 1
    assert (progress.left, progress.right) == (1, 2)
    assert found.lines["progress"].held == 1  # the second update does reach it


def test_weights_that_do_not_separate_prove_nothing() -> None:
    X, s, w = separable(7)
    updates = Perceptron().fit(X, s).updates_
    found = certificate(X, s, -w, updates)
    assert found.first_failure.line == "separation"
    assert found.bound is None
    assert found.lines["growth"].held == found.n_updates  # this half does not need w*
    touching = certificate([[0.0], [1.0]], [-1, 1], [0, 1], [0])  # an example on the hyperplane
    assert touching.first_failure.line == "separation"


def test_an_update_on_a_right_example_is_named() -> None:
    X, s = np.array([[-1.0], [1.0], [10.0]]), np.array([-1, 1, 1])
    true = Perceptron().fit(X, s).updates_.tolist()
    found = certificate(X, s, [0, 1], [*true, 2])
    t = len(true) + 1
    assert found.first_failure.line == "decisions"
    assert found.first_failure.t == t
    assert "example 2" in found.first_failure.words
    assert found.lines["growth"].first_failure.t == t  # and the proof's step is false there
    (only,) = found.disagreements
    assert (only.example, only.used, only.by_rounding) == (2, True, False)


def test_a_missing_update_is_named() -> None:
    X, s, w = separable(8)
    true = Perceptron().fit(X, s).updates_.tolist()
    assert len(true) > 3
    found = certificate(X, s, w, true[1:])
    assert found.first_failure.line == "decisions"
    assert found.first_failure.t == 1
    assert f"example {true[0]}" in found.first_failure.words
    cut = certificate(X, s, w, true[:2])
    assert cut.holds  # so far
    assert cut.n_wrong_at_end > 0


def test_the_other_tie_rule_is_noticed() -> None:
    X, s = np.array([[-1.0], [1.0]]), np.array([-1, 1])
    updates = Perceptron(tie="positive").fit(X, s).updates_
    assert certificate(X, s, [0, 1], updates, tie="positive").holds
    strict = certificate(X, s, [0, 1], updates, tie="update")
    assert strict.n_wrong_at_end == 1  # the positive example lies on the line
    updates = Perceptron(tie="update").fit(X, s).updates_
    assert certificate(X, s, [0, 1], updates, tie="positive").first_failure.line == "decisions"


def test_the_wrong_order_of_visit_is_noticed() -> None:
    X, s, w = separable(9)
    model = Perceptron(shuffle=True, rng=1, record=True).fit(X, s)
    assert model.certificate(X, s, w).holds
    assert not certificate(X, s, w, model.updates_).holds
    with pytest.raises(ValueError, match=r"order: update \d+ uses example \d+"):
        certificate(X, s, w, model.updates_, order=model.orders_[:1])


def float_loop(X: Array, s: Array, eta: float, passes: int = 3000) -> list[int]:
    """A student's perceptron: float weights, rounded at every update."""
    w, updates = np.zeros(X.shape[1] + 1), []
    for _ in range(passes):
        before = len(updates)
        for i, x in enumerate(X):
            if s[i] * (w[0] + x @ w[1:]) <= 0:
                w[0] += eta * s[i]
                w[1:] += eta * s[i] * x
                updates.append(i)
        if len(updates) == before:
            return updates
    return updates


@pytest.mark.parametrize("seed", [0, 13, 37])
def test_rounding_adds_up_over_hundreds_of_updates_and_is_still_blamed(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(-30, 31, size=(400, 2)) / 30
    g = X @ [3, -2] + 0.1
    X, s = X[np.abs(g) > 0.02], np.sign(g[np.abs(g) > 0.02])
    updates = float_loop(X, s, 0.1)
    found = certificate(X, s, [0.1, 3, -2], updates, eta=0.1)
    assert any(d.margin != 0 for d in found.disagreements)
    assert all(d.by_rounding for d in found.disagreements)
    assert found.first_failure.t == found.disagreements[0].t
    # Our run of whole numbers is made in units of eta, so they stay whole.
    assert Perceptron(eta0=0.1).fit(30 * X, s).certificate(30 * X, s, [3, 3, -2]).holds


def test_a_slip_far_from_zero_is_not_blamed_on_rounding() -> None:
    X, s, w = separable(10)
    true = Perceptron().fit(X, s).updates_.tolist()
    wrong = [*true[:-1], (true[-1] + 1) % len(X), true[-1]]
    found = certificate(X, s, w, wrong)
    assert found.disagreements
    assert not any(one.by_rounding for one in found.disagreements)


def cancelling(seed: int) -> tuple[Array, list[list[Fraction]]]:
    """Rows whose sums cancel so that float64 has some of the signs wrong; also as fractions."""
    rng = np.random.default_rng(seed)
    half = rng.integers(1, 2**53, size=(40, 3)) * 2.0 ** rng.integers(0, 4, size=(40, 3))
    X = np.c_[half, -half, rng.integers(-4, 5, size=40)]
    X = rng.permuted(X, axis=1)
    return X, [fractions(x) for x in X]


@pytest.mark.parametrize("seed", range(5))
def test_signs_that_float64_has_wrong_are_decided_exactly(seed: int) -> None:
    X, rows = cancelling(seed)
    s = np.where(np.arange(40) % 2, 1, -1)
    exact = [int(v) * sum(x) for v, x in zip(s, rows, strict=True)]
    rough = s * (X @ np.ones(7))
    assert any((a > 0) != (b > 0) for a, b in zip(rough, exact, strict=True))
    found = certificate(X, s, np.ones(7), [], start=np.ones(7))
    assert found.n_wrong_at_end == sum(m <= 0 for m in exact)
    assert found.gamma == min(exact)
    some = certificate(X, s, np.ones(7), [39], start=np.ones(7))  # 39 are passed over before
    first = next((i for i, m in enumerate(exact[:39]) if m <= 0), None)
    assert [d.example for d in some.disagreements if not d.used] == [first]


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
    assert found.steps[0].b == 1 + Fraction(scale) ** 2


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
    head, row = page.updates().splitlines()
    # w(1) = -(1, -3) = (-1, 3): a = w*·w = 10, at least γ = 2; b = 10, at most R² = 10
    assert row.split() == ["1", "0", "0", "10", "2", "10", "10"]
    assert head.index("margin") < head.index("a(t)") < head.index("q(t)")
    none = certificate([[-3.0], [1.0]], [-1, 1], [-1, 3], [], start=[-1, 3])
    assert none.holds
    assert none.n_wrong_at_end == 0
    assert len(CertificatePage(none).updates().splitlines()) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"updates": [5]}, "updates: found example 5"),
        ({"updates": [-1]}, "updates: found example -1"),
        ({"updates": [0.5]}, "updates: found dtype float64"),
        ({"w_star": [1, 2, 3]}, "w_star: found 3 entries .*expected 2"),
        ({"w_star": 1}, "w_star: found 0 dim"),
        ({"w_star": [0, np.nan]}, "w_star: found nan"),
        ({"start": [1]}, "start: found 1 entries .*expected 2"),
        ({"eta": 0}, "eta: found 0, expected .* above 0"),
        ({"eta": "1"}, "eta: found '1'"),
        ({"gamma": np.inf}, "gamma: found inf"),
        ({"tie": "left"}, "tie: found 'left'"),
        ({"s": [0, 1]}, r"s: found 0, expected -1 and \+1"),
        ({"s": [1]}, "s: found 1 entries, expected 2"),
        ({"X": [[np.nan], [1]]}, "X: found NaN"),
        ({"order": [[0, 7]]}, "order: found example 7"),
    ],
)
def test_bad_arguments_are_refused_by_name(change: dict[str, Any], message: str) -> None:
    good: dict[str, Any] = {"X": [[-1.0], [1.0]], "s": [-1, 1], "updates": [0], "w_star": [0, 1]}
    with pytest.raises(ValueError, match=message):
        certificate(**(good | change))


def test_the_certificate_of_a_model_wants_its_own_data() -> None:
    X, s, w = separable(3)
    model = Perceptron(shuffle=True).fit(X, s)
    with pytest.raises(ValueError, match="record: found False"):
        model.certificate(X, s, w)
    model = Perceptron().fit(X, s)
    with pytest.raises(ValueError, match="y: "):
        model.certificate(X, s + 5, w)
    with pytest.raises(ValueError, match="not fitted"):
        Perceptron().certificate(X, s, w)
    with pytest.raises(ValueError, match=f"w_star: found {len(w) - 1} .*{len(w)}"):
        model.certificate(X, s, w[:-1])  # taken for a plane without a bias, it would prove another
