"""What both forms of the perceptron share: rules, passes, the record of a run, its end."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lectures_lib._core.estimator import (
    Array,
    Classifier,
    ConvergenceWarning,
    Labels,
    as_generator,
    check_choice,
    check_integer,
)
from lectures_lib._core.lesson import lesson

Indices = NDArray[np.intp]


REVISITS = 100  # at most so many passes through the earlier mistakes, then everybody again


@dataclass
class Run:
    """Passes through N examples, and what happened in them."""

    N: int
    max_iter: int
    shuffle: bool
    revisit: bool
    record: bool
    rng: np.random.Generator
    updates: list[int] = field(default_factory=list)  # the example of each update
    mistakes: list[int] = field(default_factory=list)  # number of updates in each pass
    orders: list[Indices] = field(default_factory=list)  # examples in the order of their visit
    clean: bool = False  # a pass through all examples had no mistake

    def passes(self) -> Iterator[Indices | None]:
        """The order of visit of each pass, None for 0, 1, ..., N-1; ends after a clean one."""
        again = 0  # how often the earlier mistakes have been visited since the last full pass
        order = self._everyone()
        for _ in range(self.max_iter):
            before = len(self.updates)
            if self.record:
                self.orders.append(np.arange(self.N) if order is None else order)
            yield order
            self.mistakes.append(len(self.updates) - before)
            if self.mistakes[-1] == 0 and not again:
                self.clean = True
                return
            more = self.revisit and self.mistakes[-1] > 0 and again < REVISITS
            again = again + 1 if more else 0
            if again == 0:
                order = self._everyone()
            elif again == 1:
                order = np.unique(self.updates)

    def _everyone(self) -> Indices | None:
        return self.rng.permutation(self.N) if self.shuffle else None


class MistakeDriven(Classifier):
    """A classifier for two classes that changes on mistakes only, with a stated tie rule."""

    _binary_only: ClassVar[bool] = True

    tie: str
    max_iter: int
    shuffle: bool
    revisit: bool
    rng: int | np.random.Generator
    record: bool

    updates_: Indices
    mistakes_: Indices
    orders_: list[Indices]
    n_iter_: int
    converged_: bool

    def predict(self, X: ArrayLike) -> Labels:
        """Label of every row of `X`; at g(x) = 0 as `tie` says."""
        scores = self.decision_function(X)
        positive = scores >= 0 if self.tie == "positive" else scores > 0
        labels: Labels = self.classes_[positive.astype(np.intp)]
        return labels

    def _start(self, N: int) -> Run:
        """A new run, after a look at the rules."""
        check_choice(self.tie, "tie", ("update", "positive"))
        max_iter = check_integer(self.max_iter, "max_iter", at_least=1)
        reordered = bool(self.shuffle or self.revisit)
        return Run(
            N=N,
            max_iter=max_iter,
            shuffle=bool(self.shuffle),
            revisit=bool(self.revisit),
            record=bool(self.record) and reordered,
            rng=as_generator(self.rng),
        )

    def _right(self, margins: Array, signs: Array) -> NDArray[np.bool_]:
        """Which examples are right. NaN is not: an overflow must never pass for success."""
        right: NDArray[np.bool_] = margins > 0
        if self.tie == "positive":
            right |= (margins == 0) & (signs > 0)
        return right

    def _end(self, run: Run, surface: str) -> None:
        """Put on the model how its run went, and warn if it did not end by itself."""
        self.updates_ = np.array(run.updates, dtype=np.intp)
        self.mistakes_ = np.array(run.mistakes, dtype=np.intp)
        self.n_iter_ = len(run.mistakes)
        self.converged_ = run.clean
        if run.record:
            self.orders_ = run.orders
        if not self.converged_:
            warnings.warn(
                ConvergenceWarning(
                    f"{type(self).__name__} stopped at max_iter={self.max_iter} passes, with "
                    f"{run.mistakes[-1]} mistakes in the last one and {len(run.updates)} in all. "
                    f"Either no {surface} separates the classes, and then no number of passes "
                    "helps, or the margin is so small against the length of the examples that "
                    "the bound R²/gamma² is far away; then scaled features or more passes help "
                    f"({lesson('perceptron_convergence')})."
                ),
                stacklevel=3,
            )
