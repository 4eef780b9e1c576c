"""Derivations: what one update does, and which loss the perceptron descends."""

from __future__ import annotations

from collections.abc import Callable

from linecheck import Derivation

DIMENSIONS = {"d": (1, 2, 3, 4, 5)}  # each line is proved for each of these


def log_odds_decide() -> Derivation:
    """Step 1: to know the sign of the log-odds is to know the larger posterior."""
    d = Derivation("The sign of the log-odds decides", symbols={"p q": "positive"})
    d.equivalent("p > q", "p/q > 1", because="divide by q = 1 - p, which is positive")
    d.equivalent("p/q > 1", "log(p/q) > 0", because="log is increasing, log 1 = 0")
    d.equivalent("p < q", "log(p/q) < 0", because="the same for the other class")
    d.equivalent("p == q", "log(p/q) == 0", because="and on the boundary")
    return d


def update_margin() -> Derivation:
    """Step 2: one update raises the margin of its own example by eta times its squared norm."""
    d = Derivation(
        "One update raises the margin of its example",
        symbols={"w x": "vector d", "s": "sign", "eta": "positive"},
        sizes=DIMENSIONS,
    )
    d.line("s*dot(w + eta*s*x, x)", because="margin of the example after the update")
    d.line("s*dot(w, x) + eta*s**2*dot(x, x)", because="the dot product is linear")
    d.line("s*dot(w, x) + eta*dot(x, x)", because="s is 1 or -1, so s² = 1")
    d.line("s*dot(w, x) + eta*norm(x)**2", because="definition of the norm")
    return d


def update_bias() -> Derivation:
    """Step 3: the bias alone gains eta."""
    d = Derivation("The part of the bias", w0="real", s="sign", eta="positive")
    d.line("s*(w0 + eta*s)", because="new bias times the label of the example")
    d.line("s*w0 + eta*s**2", because="multiply out")
    d.line("s*w0 + eta", because="s² = 1")
    return d


def loss_and_its_slopes() -> Derivation:
    """Step 4: the loss max(-m, 0) has slopes -1 and 0 and any slope in between at its kink."""
    d = Derivation("The perceptron loss as a function of the margin m", symbols={"m c": "real"})
    d.claim("max(-m, 0)", "-1", derivative="m", given="m < 0", because="there it is -m")
    d.claim("max(-m, 0)", "0", derivative="m", given="m > 0", because="there it is 0")
    d.claim(
        "max(-m, 0)",
        "c*m",
        relation=">=",
        given="-1 <= c <= 0",
        because="each line through the kink with a slope from -1 to 0 stays below the loss",
    )
    d.equivalent(
        "max(-1, 0) >= c*1 and max(1, 0) >= c*(-1)",
        "-1 <= c <= 0",
        because="at m = 1 and m = -1 no other slope does",
    )
    return d


def loss_is_convex() -> Derivation:
    """Step 5: a maximum of linear functions is convex."""
    d = Derivation(
        "The perceptron loss is convex",
        symbols={"a b": "real", "t": "closed probability"},
    )
    d.line("max(-(t*a + (1 - t)*b), 0)", because="loss between two margins a and b")
    d.line("max(t*(-a) + (1 - t)*(-b), 0)", because="multiply out")
    d.line(
        "max(t*max(-a, 0) + (1 - t)*max(-b, 0), 0)",
        relation="<=",
        because="-a ≤ max(-a, 0), -b ≤ max(-b, 0)",
    )
    d.line("t*max(-a, 0) + (1 - t)*max(-b, 0)", because="a sum of numbers that are not negative")
    return d


def descent_is_the_rule() -> Derivation:
    """Step 6: a step of stochastic gradient descent on this loss is the perceptron update."""
    d = Derivation(
        "Stochastic gradient descent on the loss is the perceptron rule",
        symbols={"w x": "vector 3", "s": "sign", "eta": "positive"},
    )
    d.claim(
        "max(-s*dot(w, x), 0)",
        "-s*x",
        derivative="w",
        given="s*dot(w, x) < 0",
        because="for a wrong example the loss is -s wᵀx, linear in w",
    )
    d.claim(
        "max(-s*dot(w, x), 0)",
        "0*x",
        derivative="w",
        given="s*dot(w, x) > 0",
        because="for a right example it is 0",
    )
    d.claim("w - eta*(-s*x)", "w + eta*s*x", because="one step against the gradient")
    return d


def learning_rate_only_rescales() -> Derivation:
    """Step 7: from a zero start the weights with rate eta are eta times those with rate 1."""
    d = Derivation(
        "From a zero start the learning rate only rescales",
        symbols={"w x": "vector d", "s": "sign", "eta": "positive"},
        sizes=DIMENSIONS,
    )
    d.claim(
        "eta*w + eta*s*x",
        "eta*(w + s*x)",
        because="an update: if the weights were η w before it, they are η times w + s x after it",
    )
    d.equivalent(
        "s*dot(eta*w, x) <= 0",
        "s*dot(w, x) <= 0",
        because="both runs update on the same examples, since η > 0",
    )
    return d


DERIVATIONS: tuple[Callable[[], Derivation], ...] = (
    log_odds_decide,
    update_margin,
    update_bias,
    loss_and_its_slopes,
    loss_is_convex,
    descent_is_the_rule,
    learning_rate_only_rescales,
)
AGREES: dict[str, str] = {}
