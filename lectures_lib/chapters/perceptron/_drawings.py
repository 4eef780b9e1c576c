"""Drawings of the chapter: Rosenblatt's machine and the neuron."""

from __future__ import annotations

import numpy as np

from lectures_lib.figures.marks import Arrow, Points, Raster, Region, Segments, Text
from lectures_lib.figures.scene import Axis, Floats, Mark, Panel, Scene
from lectures_lib.figures.words import count, subscript

RETINA = 20  # Rosenblatt's retina: 20 x 20 photocells


def _letter() -> Floats:
    """A 20 x 20 image of the letter A."""
    rows, columns = np.mgrid[0:RETINA, 0:RETINA]
    depth = rows - 2.0
    legs = np.abs(np.abs(columns - 9.5) - depth * 0.45) <= 1.1
    bar = (np.abs(rows - 12) <= 1) & (np.abs(columns - 9.5) < depth * 0.45)
    inside = (rows >= 2) & (rows <= 17)
    return np.asarray((legs | bar) & inside, dtype=float)


def _circle(centre: Floats, radius: float) -> Floats:
    angle = np.linspace(0, 2 * np.pi, 41)
    around = np.column_stack([np.cos(angle), np.sin(angle)])
    return np.asarray(centre + radius * around, dtype=float)


def _right(distance: float) -> Floats:
    """A step to the right."""
    return np.array([distance, 0.0])


def retina_scene() -> Scene:
    """Rosenblatt's machine: a retina, association units on random wires, one trained output."""
    values = _letter()
    cells = np.random.default_rng(7).integers(1, RETINA - 1, size=(6, 4, 2)) + 0.5
    units = np.c_[np.full(6, 32.0), np.linspace(1.5, 18.5, 6)]
    output = np.array([46.0, 10.0])
    marks: list[Mark] = [
        Raster(values, (0, RETINA), (RETINA, 0), "grey"),
        Region((np.array([[0, 0], [20, 0], [20, 20], [0, 20]]),), None, outline=True, fill=False),
        Segments(cells.reshape(-1, 2), np.repeat(units - _right(1.2), 4, axis=0), "wire"),
        Points(cells.reshape(-1, 2), np.full(24, 9), size=3),
        Arrow(units + _right(1.2), np.tile(output - _right(1.8), (6, 1)), "weights"),
        Region(tuple(_circle(unit, 1.2) for unit in units), None, outline=True),
        Region((_circle(output, 1.8),), 2, outline=True),
        Arrow(output + _right(1.8), output + _right(6), "boundary"),
        Text([[10, 22], [32, 22], [46, 22]], ("retina, 20×20", "association units", "output")),
        Text([[25, -1.5], [39, -1.5]], ("fixed wires", "trained weights"), colour="muted"),
        Text(output + _right(6.4), ("±1",), anchor="start"),
    ]
    panel = Panel(tuple(marks), Axis("", -1, 56), Axis("", -3, 24), equal=True, frame=False)
    sentence = (
        f"Rosenblatt's perceptron: a retina of 20 by 20 photocells with "
        f"{count(int((values > 0.5).sum()), 'cell')} lit, fixed random wires to six association "
        "units, and one output unit whose incoming weights are trained."
    )
    return Scene((panel,), sentence)


def neuron_scene(features: int = 3, output: str = "sign") -> Scene:
    """The neuron: inputs 1, x1, ..., xd, their weights, the sum g, and the output of g."""
    if not 1 <= features <= 6:
        raise ValueError(f"features: expected 1 to 6, found {features}")
    heights = np.linspace(9, 1, features + 1)
    inputs = np.c_[np.full(features + 1, 1.0), heights]
    total, result = np.array([8.0, 5.0]), np.array([13.0, 5.0])
    unit = total - inputs
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    names = ("1", *(f"x{subscript(j)}" for j in range(1, features + 1)))
    weights = tuple(f"w{subscript(j)}" for j in range(features + 1))
    marks: tuple[Mark, ...] = (
        Arrow(inputs + 0.8 * unit, total - 1.2 * unit, "weights"),
        Arrow(total + _right(1.2), result - _right(1.2), "boundary"),
        Arrow(result + _right(1.2), result + _right(3.6), "boundary"),
        Region(tuple(_circle(p, 0.75) for p in inputs), 9, outline=True),
        Region((_circle(total, 1.2),), None, outline=True),
        Region((_circle(result, 1.2),), 2, outline=True),
        Text(inputs, names, size=14),
        Text(inputs + 0.42 * (total - inputs), weights, size=13, shift=(0, 11)),
        Text([total, result], ("Σ", output), size=15),
        Text((total + result) / 2, ("g(x)",), shift=(0, 12)),
        Text(result + _right(3.8), ("h(x)",), anchor="start"),
    )
    panel = Panel(marks, Axis("", 0, 19), Axis("", -0.2, 10.2), equal=True, frame=False)
    sentence = (
        f"A neuron: the inputs 1 and x1 to x{features} are multiplied by the weights w0 to "
        f"w{features} and added to g(x); the output is h(x) = {output}(g(x))."
    ).replace("x1 to x1 ", "x1 ")
    return Scene((panel,), sentence)
