"""What is only true of one chapter: its pictures, its notebook's functions, its exercises."""

import ast

import numpy as np

from tests.exercise_tests import cells


def defined(slug: str, name: str, **scope) -> dict:
    """The functions of the notebook's cell that begins with `def name(`."""
    (source,) = [text for text in cells("notebooks", slug) if text.startswith(f"def {name}(")]
    kept = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    scope["np"] = np
    exec(compile(ast.Module(kept, []), name, "exec"), scope)
    return scope
