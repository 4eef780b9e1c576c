"""What happens at the start of every kernel of the environment, whoever starts it.

IPython reads `etc/ipython/` of the environment, which names this module; so JupyterLab, VS Code and
a hub need no setting of their own. Outside a student's folder nothing changes.
"""

from __future__ import annotations

import ast
import json
import os
import re
from pathlib import Path
from typing import Any

from lectures_lib.workspace.place import find_work

THREADS = tuple(f"{name}_NUM_THREADS" for name in ("OMP", "OPENBLAS", "MKL", "VECLIB_MAXIMUM"))
RUN_ABOVE = "Run > Run All Above Selected Cell"


def load_ipython_extension(shell: Any) -> None:
    """What IPython calls when the kernel starts, before NumPy is there."""
    if find_work() is None:
        return
    if not any(name in os.environ for name in THREADS):  # else the reader has said how many
        # The matrices are small: several threads wait longer for each other than they compute.
        os.environ.update(dict.fromkeys(THREADS, "1"))

    def after_cell(result: Any) -> None:
        error = result.error_in_exec
        if isinstance(error, NameError) and error.name:
            said = what_to_run(error.name, result.info.raw_cell, notebook_of(shell))
            if said:
                print(said)

    shell.events.register("post_run_cell", after_cell)
    shell.push({"glossary": glossary}, interactive=False)


def glossary(word: str = "") -> Any:
    """The glossary in every notebook, imported when it is asked for the first time."""
    from lectures_lib.glossary import glossary as look

    return look(word)


def notebook_of(shell: Any) -> Path | None:
    """The file of the notebook, as Jupyter's server and VS Code name it to a kernel."""
    name = shell.user_ns.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME", "")
    return Path(name) if name.endswith(".ipynb") and Path(name).is_file() else None


def what_to_run(name: str, source: str, notebook: Path | None) -> str:
    """Which cell gives this name its meaning; "" if none is known to do so."""
    if re.search(rf"^\s*check\(.*\b{re.escape(name)}\b", source, re.MULTILINE):
        return (
            f"There is no `{name}` yet: run the answer cell above, in which it is written, then "
            f"this one. If that cell needs others, select it first: {RUN_ABOVE}."
        )
    if any(name in meanings(cell) for cell in _cells(notebook) if cell != source):
        return (
            f"`{name}` gets its meaning in another cell of this notebook, which has not run since "
            f"the kernel started. {RUN_ABOVE}, then run this cell again."
        )
    return ""


def _cells(notebook: Path | None) -> list[str]:
    """The code of a stored notebook, cell by cell."""
    try:
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"] if notebook else []
        return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (OSError, ValueError, LookupError, TypeError):
        return []


def meanings(source: str) -> set[str]:
    """The names that a cell gives a meaning to, as far as it can be read."""
    try:
        body = ast.parse(source).body
    except SyntaxError:
        found = re.findall(r"^def\s+(\w+)|^([\w\s,]+)=(?!=)", source, re.MULTILINE)
        return {name for pair in found for name in re.findall(r"\w+", " ".join(pair))}
    names = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    imported = (
        n for node in body if isinstance(node, ast.Import | ast.ImportFrom) for n in node.names
    )
    names |= {(one.asname or one.name).partition(".")[0] for one in imported}
    stored = (n for node in body if isinstance(node, ast.Assign) for n in ast.walk(node))
    return names | {
        n.id for n in stored if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
