"""Synthetic classes: notebooks with right, slipped, half-done and untouched answers."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STEMS = ("04_perceptron", "05_perceptron_convergence")
SLIPS = (
    ("np.maximum(1 - m, 0)", "np.maximum(-m, 0)"),
    ("m <= 0", "m < 0"),
    ("+ eta * s[i]", "- eta * s[i]"),
    (".mean()", ".sum()"),
    ("R**2 * norm(w)**2", "R * norm(w)"),
)


def _cells(folder: str, stem: str) -> list[dict[str, object]]:
    path = ROOT / folder / f"{stem}.ipynb"
    cells: list[dict[str, object]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return cells


def _text(cell: dict[str, object]) -> str:
    source = cell["source"]
    return "".join(source) if isinstance(source, list) else str(source)


def synthetic(stem: str, number: int) -> str:
    """One notebook: every answer is untouched, slipped or right, with a remark of its own."""
    chance = random.Random(number)
    solved = {cell["id"]: _text(cell) for cell in _cells("solutions", stem)}
    notebook = json.loads((ROOT / "exercises" / f"{stem}.ipynb").read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if str(cell["id"]).endswith("-answer") and chance.random() > 0.15:
            source = solved[cell["id"]]
            old, new = chance.choice(SLIPS)
            source = source.replace(old, new) if chance.random() < 0.5 else source
            lines = [line for line in source.splitlines() if "### " not in line]
            cell["source"] = "\n".join([*lines, f"# {number}"])
    return json.dumps(notebook)


def hand_in(folder: Path, count: int) -> Iterator[Path]:
    """So many notebooks, of both chapters in turn, in nbgrader's layout."""
    for number in range(count):
        stem = STEMS[number % len(STEMS)]
        path = folder / f"student{number:05d}" / stem / f"{stem}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(synthetic(stem, number), encoding="utf-8")
        yield path
