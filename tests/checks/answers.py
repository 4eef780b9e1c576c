"""The answers that stand in the notebooks, solved and untouched, and others to some exercises."""

import json
from itertools import pairwise

import numpy as np

from tests.conftest import ROOT


def answer_cells(folder: str) -> dict[str, str]:
    """Source of the answer cell of every exercise, by identity."""
    found = {}
    for path in sorted((ROOT / folder).glob("*.ipynb")):
        for answer, checked in pairwise(json.loads(path.read_text("utf-8"))["cells"]):
            identity = checked["metadata"].get("lectures", {}).get("check")
            if identity and checked["cell_type"] == "code":
                found[identity] = "".join(answer["source"])
    return found


SOLVED, UNTOUCHED = answer_cells("solutions"), answer_cells("exercises")
OTHERS = json.loads((ROOT / "tests" / "data" / "answers.json").read_text("utf-8"))


def answers_in(source: str, exercise) -> tuple:
    """What `check` is called with after the answer cell has run."""
    namespace = {"np": np}
    exec(compile(source, "<answer>", "exec"), namespace)
    return tuple(namespace[name] for name in exercise.names)
