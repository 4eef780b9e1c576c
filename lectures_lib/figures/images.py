"""Small images: digits with their labels, and weight vectors seen as images."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lectures_lib.figures.marks import Raster, Region, Text
from lectures_lib.figures.scene import Axis, Mark, Panel, Scene, numbers
from lectures_lib.figures.words import count, number


def digits_scene(images: npt.ArrayLike, labels: Sequence[object], *, columns: int = 8) -> Scene:
    """Small images (n, rows, columns) in rows with their labels; 0 is paper."""
    pixels = np.asarray(images, dtype=float)
    if pixels.ndim != 3 or len(pixels) != len(labels) or not len(pixels):
        raise ValueError(
            f"images: expected one image for each of {len(labels)} labels, found {pixels.shape}"
        )
    top = float(pixels.max()) or 1.0
    n, height, width = pixels.shape
    columns = min(columns, n)
    rows = -(-n // columns)
    step_x, step_y = width + 1.5, height + 3.5
    marks: list[Mark] = []
    places = []
    for i, image in enumerate(pixels):
        row, column = divmod(i, columns)
        x0, y1 = column * step_x, (rows - row) * step_y
        marks.append(Raster(image / top, (x0, x0 + width), (y1, y1 - height), "grey"))
        places.append([x0 + width / 2, y1 - height - 1.3])
    marks.append(Text(np.array(places), tuple(map(str, labels))))
    panel = Panel(
        tuple(marks),
        Axis("", -1, columns * step_x - 0.5),
        Axis("", 0, rows * step_y + 1),
        equal=True,
        frame=False,
    )
    kinds = ", ".join(str(k) for k in sorted({str(label) for label in labels}))
    sentence = f"{count(n, 'image')} of {height} by {width} pixels, labelled {kinds}."
    return Scene((panel,), sentence)


def weights_image_scene(w: npt.ArrayLike) -> Scene:
    """64 weights as an image: blue counts for class 0, orange for class 1, paper is zero."""
    weights = numbers(w, "w", ndim=1)
    if weights.size != 64:
        raise ValueError(f"w: expected 64 weights, found {weights.size}")
    rows, columns = shape = (8, 8)
    top = float(np.abs(weights).max()) or 1.0
    image = weights.reshape(shape) / top
    border = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], dtype=float)
    strong = np.argwhere(np.abs(image) > 0.35)  # the sign in words of the eye: + and −
    places = np.c_[strong[:, 1] + 0.5, rows - strong[:, 0] - 0.5]
    signs = tuple("+" if image[r, c] > 0 else "−" for r, c in strong)
    scale = np.linspace(-1, 1, 33)[:, None]
    height = float(rows)
    marks: list[Mark] = [
        Raster(image, (0, columns), (rows, 0), "diverging"),
        Region((border,), None, outline=True, fill=False),
        Raster(scale, (columns + 1, columns + 1.6), (0, height), "diverging"),
        Text(
            [[columns + 1.8, 0.25], [columns + 1.8, height / 2], [columns + 1.8, height - 0.25]],
            (number(-top), "0", number(top)),
            anchor="start",
        ),
    ]
    if signs:
        marks.append(Text(places, signs, size=13))
    panel = Panel(
        tuple(marks),
        Axis("", -0.2, columns + 4),
        Axis("", -0.2, rows + 0.2),
        equal=True,
        frame=False,
    )
    up, down = (
        np.unravel_index(int(image.argmax()), shape),
        np.unravel_index(int(image.argmin()), shape),
    )
    sentence = (
        f"{count(weights.size, 'weight')} as an image of {rows} by {columns}: the largest is "
        f"{number(weights.max())} in row {up[0] + 1}, column {up[1] + 1}; the smallest is "
        f"{number(weights.min())} in row {down[0] + 1}, column {down[1] + 1}."
    )
    return Scene((panel,), sentence)
