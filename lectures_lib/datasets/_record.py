"""The record in which every data set comes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

_WHAT = {
    "train": "no official split; lectures_lib.selection.train_test_split makes one",
    "test": "no official split; lectures_lib.selection.train_test_split makes one",
    "groups": "no groups",
    "images": "no images",
    "cube": "no image cube",
    "outlier": "no marked outliers",
}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DataSet:
    """Examples, labels, and what they mean.

    X             (N, d) floats, one example per row; a missing value is NaN
    y             (N,) integer codes: `class_names[y[i]]` is the class of example i;
                  -1 everywhere when the examples have no labels
    feature_names, class_names
                  names of the columns of X and of the codes 0..K-1
    source, licence
                  whom to cite, and under what terms the data may be passed on
    extras        arrays that only some sets have, each also an attribute:
                  `train`, `test` (N,) masks of the official split, `groups` (N,) codes of what
                  belongs together (the speaker), `images` (N, height, width),
                  `cube` (height, width, bands), `outlier` (N,) mask

    >>> flowers = load_iris()
    >>> flowers.X.shape, flowers.class_names
    ((150, 4), ('setosa', 'versicolor', 'virginica'))
    >>> flowers.X[0]
    array([5.1, 3.5, 1.4, 0.2])
    """

    name: str
    X: NDArray[np.float64]
    y: NDArray[np.int64]
    feature_names: tuple[str, ...]
    class_names: tuple[str, ...]
    source: str
    licence: str
    extras: dict[str, NDArray[Any]] = field(default_factory=dict)

    def _extra(self, name: str) -> NDArray[Any]:
        if name not in self.extras:
            raise AttributeError(f"the data set {self.name!r} has {_WHAT[name]}.")
        return self.extras[name]

    @property
    def train(self) -> NDArray[np.bool_]:
        """Mask of the training part of the official split."""
        return self._extra("train")

    @property
    def test(self) -> NDArray[np.bool_]:
        """Mask of the test part of the official split."""
        return self._extra("test")

    @property
    def groups(self) -> NDArray[np.int64]:
        """Code of the group of each example: the speaker of an utterance."""
        return self._extra("groups")

    @property
    def images(self) -> NDArray[np.uint8]:
        """The examples as pictures, (N, height, width)."""
        return self._extra("images")

    @property
    def cube(self) -> NDArray[np.uint8]:
        """The scene as an image cube, (height, width, bands)."""
        return self._extra("cube")

    @property
    def outlier(self) -> NDArray[np.bool_]:
        """Mask of the examples that were added as outliers."""
        return self._extra("outlier")

    @property
    def labels(self) -> NDArray[np.str_]:
        """The name of the class of each example."""
        if not self.class_names:
            raise AttributeError(f"the data set {self.name!r} has no labels.")
        return np.array(self.class_names)[self.y]

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Mask of the examples with at least one missing value (NaN in X)."""
        return np.asarray(np.isnan(self.X).any(axis=1))

    def rows(self, which: NDArray[Any]) -> DataSet:
        """The same record with some of the examples only (a mask or row numbers)."""
        extras = {name: a if name == "cube" else a[which] for name, a in self.extras.items()}
        return replace(self, X=self.X[which], y=self.y[which], extras=extras)

    def complete(self) -> DataSet:
        """The same record without the examples that have a missing value."""
        return self.rows(~self.missing)

    def only(self, *class_names: str) -> DataSet:
        """The examples of the named classes, whose codes become 0, 1, ... in the order given."""
        unknown = [name for name in class_names if name not in self.class_names]
        if unknown or not class_names:
            raise ValueError(
                f"class_names: found {class_names}, expected names out of {self.class_names}."
            )
        old_codes = [self.class_names.index(name) for name in class_names]
        new_code = np.full(len(self.class_names), -1)
        new_code[old_codes] = np.arange(len(old_codes))
        chosen = self.rows(np.isin(self.y, old_codes))
        return replace(chosen, y=new_code[chosen.y], class_names=class_names)

    def __repr__(self) -> str:
        def listed(names: list[str]) -> str:
            short = names if len(names) <= 7 else [*names[:4], "...", *names[-2:]]
            return ", ".join(short)

        counts = [
            f"{name} {count}"
            for name, count in zip(
                self.class_names,
                np.bincount(self.y[self.y >= 0], minlength=len(self.class_names)),
                strict=True,
            )
        ]
        n, d = self.X.shape
        lines = [
            f"{self.name}: {n} examples, {d} features, {len(self.class_names) or 'no'} classes",
            f"  features  {listed(list(self.feature_names))}",
        ]
        if counts:
            lines.append(f"  classes   {listed(counts)}")
        if self.missing.any():
            lines.append(f"  missing   a value in {int(self.missing.sum())} examples")
        if self.extras:
            lines.append(f"  also      {', '.join(self.extras)}")
        lines += [f"  source    {self.source}", f"  licence   {self.licence}"]
        return "\n".join(lines)
