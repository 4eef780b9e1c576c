"""Keeps `check` and `hint` what they are while a notebook is being worked on."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import Any


def keep_names(functions: Mapping[str, Callable[..., Any]]) -> None:
    """In a notebook, put a name back when a cell has given it another meaning, and say so."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None or os.environ.get("NBGRADER_EXECUTION") == "autograde":
        return  # there, check cells bring their own judge
    seen: set[str] = set()

    def after_cell(*_: object) -> None:
        for name, function in functions.items():
            if shell.user_ns.get(name) is function:
                seen.add(name)
            elif name in seen:
                shell.user_ns[name] = function
                print(
                    f"This cell gave the name `{name}` another meaning. It is the function that "
                    "the exercises call, so it was put back: choose another name for yours."
                )

    shell.events.register("post_run_cell", after_cell)
