"""What is only true of one chapter: its pictures, its notebook's functions, its exercises."""

import ast

import numpy as np

from lectures_lib.figures import Region
from tests.exercise_tests import cells


def defined(slug: str, name: str, **scope) -> dict:
    """The functions of the notebook's cell that begins with `def name(`, the last behind a stub."""
    *_, source = [text for text in cells("notebooks", slug) if text.startswith(f"def {name}(")]
    kept = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    scope["np"] = np
    exec(compile(ast.Module(kept, []), name, "exec"), scope)
    return scope


def area(region: Region) -> float:
    """The area of a polygon, by the shoelace formula."""
    (ring,) = region.polygons
    x, y = ring.T
    return abs(float(x @ np.roll(y, 1) - y @ np.roll(x, 1))) / 2
