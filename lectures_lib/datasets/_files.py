"""Loaders of the files that ship with the package. Nothing is downloaded."""

from __future__ import annotations

import csv
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lectures_lib.datasets._record import DataSet

CC_BY = "CC BY 4.0, https://creativecommons.org/licenses/by/4.0/"
_FILES = files("lectures_lib.datasets") / "files"


def _table(file_name: str) -> dict[str, list[str]]:
    """The columns of a CSV file with a header, by name, as text."""
    text = (_FILES / file_name).read_text(encoding="utf-8")
    header, *rows = csv.reader(text.splitlines())
    return dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))


def _arrays(file_name: str) -> dict[str, NDArray[Any]]:
    """The arrays of an NPZ file, by name."""
    with (_FILES / file_name).open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
        return dict(stored)


def _floats(columns: dict[str, list[str]], names: tuple[str, ...]) -> NDArray[np.float64]:
    """The named columns side by side; an empty cell becomes NaN."""
    return np.array([[float(cell or "nan") for cell in columns[name]] for name in names]).T.copy()


def _codes(words: list[str], class_names: tuple[str, ...]) -> NDArray[np.int64]:
    """The position of each word in `class_names`."""
    position = {name: code for code, name in enumerate(class_names)}
    return np.array([position[word] for word in words], dtype=np.int64)


def load_iris() -> DataSet:
    """150 flowers, 4 lengths in cm, 3 species (50 each): Fisher's example of 1936.

    >>> load_iris().class_names
    ('setosa', 'versicolor', 'virginica')
    """
    columns = _table("iris.csv")
    features = tuple(columns)[:-1]
    species = ("setosa", "versicolor", "virginica")
    return DataSet(
        name="iris",
        X=_floats(columns, features),
        y=_codes(columns["species"], species),
        feature_names=features,
        class_names=species,
        source="R. A. Fisher (1936), Iris, UCI Machine Learning Repository, doi:10.24432/C56C76",
        licence=CC_BY,
    )


def load_digits() -> DataSet:
    """1797 handwritten digits, 8 x 8 grey values from 0 to 16, row by row; also as `images`.

    >>> load_digits().images.shape
    (1797, 8, 8)
    """
    stored = _arrays("digits.npz")
    images = stored["images"]
    return DataSet(
        name="digits",
        X=images.reshape(len(images), 64).astype(np.float64),
        y=stored["labels"].astype(np.int64),
        feature_names=tuple(f"row{i}_col{j}" for i in range(8) for j in range(8)),
        class_names=tuple("0123456789"),
        source=(
            "E. Alpaydin, C. Kaynak (1998), Optical Recognition of Handwritten Digits (test part),"
            " UCI Machine Learning Repository, doi:10.24432/C50P49"
        ),
        licence=CC_BY,
        extras={"images": images},
    )


def load_breast_cancer() -> DataSet:
    """569 biopsies, 30 measurements of cell nuclei; the positive class (1) is malignant.

    >>> load_breast_cancer().X.shape
    (569, 30)
    """
    columns = _table("breast_cancer.csv")
    features = tuple(columns)[:-1]
    diagnoses = ("benign", "malignant")
    return DataSet(
        name="breast cancer",
        X=_floats(columns, features),
        y=_codes(columns["diagnosis"], diagnoses),
        feature_names=features,
        class_names=diagnoses,
        source=(
            "W. Wolberg, O. Mangasarian, N. Street, W. Street (1995), Breast Cancer Wisconsin"
            " (Diagnostic), UCI Machine Learning Repository, doi:10.24432/C5DW2B"
        ),
        licence=CC_BY,
    )


def load_spambase() -> DataSet:
    """4601 messages, 57 frequencies (percent) and run lengths; the positive class (1) is spam.

    >>> data = load_spambase()
    >>> len(data.y), int(data.y.sum())
    (4601, 1813)
    """
    columns = _table("spambase.csv")
    features = tuple(columns)[:-1]
    kinds = ("nonspam", "spam")
    return DataSet(
        name="spambase",
        X=_floats(columns, features),
        y=_codes(columns["label"], kinds),
        feature_names=features,
        class_names=kinds,
        source=(
            "M. Hopkins, E. Reeber, G. Forman, J. Suermondt (1999), Spambase,"
            " UCI Machine Learning Repository, doi:10.24432/C53G6X"
        ),
        licence=CC_BY,
    )


def load_titanic() -> DataSet:
    """1309 passengers of the Titanic: female (0, 1), age in years, class (1, 2, 3); 1 = survived.

    263 ages are unknown and NaN in X. `missing` is the mask of those passengers,
    `complete()` the set without them.

    >>> people = load_titanic()
    >>> int(people.missing.sum()), len(people.complete().y)
    (263, 1046)
    """
    columns = _table("titanic.csv")
    female = _codes(columns["sex"], ("male", "female"))
    age = _floats(columns, ("age",))[:, 0]
    passenger_class = 1 + _codes(columns["passenger_class"], ("1st", "2nd", "3rd"))
    return DataSet(
        name="titanic",
        X=np.column_stack([female, age, passenger_class]).astype(np.float64),
        y=_codes(columns["survived"], ("no", "yes")),
        feature_names=("female", "age", "passenger_class"),
        class_names=("died", "survived"),
        source="Encyclopedia Titanica list as compiled by F. E. Harrell (titanic3), names removed",
        licence="bare facts of public record; the compilers state no licence",
    )


def load_vowel() -> DataSet:
    """990 utterances of 11 words by 15 speakers, 10 features; official split 528 / 462.

    `train` and `test` are the split by speakers, `groups` the speaker (0..14).
    The codes of the words are those of the repository.

    >>> data = load_vowel()
    >>> int(data.train.sum()), int(data.test.sum())
    (528, 462)
    """
    columns = _table("vowel.csv")
    features = tuple(f"x{j}" for j in range(1, 11))
    words = ("hid", "hId", "hEd", "hAd", "hYd", "had", "hOd", "hod", "hUd", "hud", "hed")
    train = np.array(columns["split"]) == "train"
    return DataSet(
        name="vowel",
        X=_floats(columns, features),
        y=_codes(columns["word"], words),
        feature_names=features,
        class_names=words,
        source=(
            "D. Deterding, M. Niranjan, T. Robinson, Connectionist Bench (Vowel Recognition),"
            " UCI Machine Learning Repository, doi:10.24432/C58P4S"
        ),
        licence=CC_BY,
        extras={
            "train": train,
            "test": ~train,
            "groups": np.array(columns["speaker"], dtype=np.int64),
        },
    )


def load_statlog_landsat() -> DataSet:
    """6435 pixels with their 3 x 3 neighbourhoods in 4 bands, 6 soils; official split 4435 / 2000.

    Columns: pixel by pixel from top left to bottom right, four bands each; the pixel that is
    labelled is the middle one (columns 16 to 19). The repository's codes 1, 2, 3, 4, 5, 7
    become 0..5 (its code 6 has no examples). Windows overlap, also across the official split: its
    errors say little about ground that was not seen.

    >>> data = load_statlog_landsat()
    >>> int(data.train.sum()), int(data.test.sum())
    (4435, 2000)
    """
    stored = _arrays("statlog_landsat.npz")
    codes = np.concatenate([stored["y_train"], stored["y_test"]])
    train = np.arange(len(codes)) < len(stored["y_train"])
    rows, cols = ("top", "middle", "bottom"), ("left", "centre", "right")
    bands = ("green", "red", "infrared1", "infrared2")
    return DataSet(
        name="statlog landsat",
        X=np.concatenate([stored["x_train"], stored["x_test"]]).astype(np.float64),
        y=np.searchsorted([1, 2, 3, 4, 5, 7], codes).astype(np.int64),
        feature_names=tuple(f"{r}_{c}_{b}" for r in rows for c in cols for b in bands),
        class_names=(
            "red soil",
            "cotton crop",
            "grey soil",
            "damp grey soil",
            "vegetation stubble",
            "very damp grey soil",
        ),
        source=(
            "A. Srinivasan (1993), Statlog (Landsat Satellite),"
            " UCI Machine Learning Repository, doi:10.24432/C55887"
        ),
        licence=CC_BY,
        extras={"train": train, "test": ~train},
    )


def load_olinda() -> DataSet:
    """A Landsat 7 scene of Olinda, Brazil, 352 x 349 pixels of 28.5 m, 6 bands, without labels.

    `cube` is the image (height, width, bands), X the same as a table, row by row; y is -1.

    >>> load_olinda().cube.shape
    (352, 349, 6)
    """
    cube = _arrays("olinda_landsat7.npz")["bands"]
    return DataSet(
        name="olinda",
        X=cube.reshape(-1, cube.shape[2]).astype(np.float64),
        y=np.full(cube.shape[0] * cube.shape[1], -1, dtype=np.int64),
        feature_names=("blue", "green", "red", "near_infrared", "shortwave1", "shortwave2"),
        class_names=(),
        source="NASA / USGS, Landsat 7 ETM+ bands 1-5 and 7 (L7_ETMs of the R package stars)",
        licence="public domain",
        extras={"cube": cube},
    )
