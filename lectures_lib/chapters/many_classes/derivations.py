"""Derivations: how many binary problems, and what codes can correct."""

from __future__ import annotations

from collections.abc import Callable

from linecheck import Derivation


def number_of_problems() -> Derivation:
    """Step 1: one-vs-one needs K(K-1)/2 binary problems, one-vs-rest K."""
    d = Derivation("The number of binary problems", K="int 1..8")
    d.line("sum(sum(indicator(i < j), j, 1, K), i, 1, K)", because="pairs with i < j")
    d.line("sum(K - i, i, 1, K)", because="class i meets the K - i classes after it")
    d.line("K*K - K*(K + 1)/2", because="1 + 2 + ... + K = K(K+1)/2")
    d.line("K*(K - 1)/2", because="one-vs-one")
    d.claim("sum(1, i, 1, K)", "K", because="one-vs-rest: one problem per class")
    return d


def codes_correct_errors() -> Derivation:
    """Step 2: a code of minimum distance D corrects (D-1)/2 wrong bits."""
    d = Derivation(
        "What an output code corrects",
        symbols={"a b c": "label01", "D near far between": "nonnegative"},
    )
    d.claim(
        "abs(a - c)",
        "abs(a - b) + abs(b - c)",
        relation="<=",
        because="bit by bit: distances of words obey the triangle inequality",
    )
    d.claim(
        "far",
        "D - near",
        relation=">=",
        given=["between >= D", "between <= near + far"],
        because="near, far: distances of the received word to the true and to another code word",
    )
    d.claim(
        "far",
        "near",
        relation=">",
        given=["between >= D", "between <= near + far", "near <= (D - 1)/2"],
        because="with at most (D-1)/2 wrong bits the true word is the nearest",
    )
    return d


def scale_of_the_scores() -> Derivation:
    """Step 3: rescaling one discriminant keeps its classifier and changes the largest score."""
    d = Derivation(
        "The scale of the scores",
        symbols={"w x": "vector 2", "w0": "real", "c g h": "positive"},
    )
    d.equivalent(
        "c*(dot(w, x) + w0) > 0",
        "dot(w, x) + w0 > 0",
        because="the half-plane of one classifier does not change",
    )
    d.claim(
        "2*h/g*g", "h", relation=">", because="scores g and h above 0: g times 2h/g is the larger"
    )
    d.claim("h/(2*g)*g", "h", relation="<", because="and g times h/(2g) is the smaller")
    d.claim(
        "(dot(c*w, x) + c*w0)/norm(c*w)",
        "(dot(w, x) + w0)/norm(w)",
        given="norm(w) > 0",
        because="distances to the boundary do not depend on the scale",
    )
    return d


DERIVATIONS: tuple[Callable[[], Derivation], ...] = (
    number_of_problems,
    codes_correct_errors,
    scale_of_the_scores,
)
AGREES: dict[str, str] = {}
