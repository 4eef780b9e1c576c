"""The one form in which the course stores its notebooks.

Execution counts from 1, no widget state, no timings, no editor's metadata, one kernel name, the
same bytes on every system. A difference between two versions is then a real one.
"""

from __future__ import annotations

import json
import platform
from pathlib import Path
from typing import Any

import nbformat

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
LANGUAGE = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
    "version": platform.python_version(),
}
"""What this machine's kernel says of its language when a notebook is opened."""

KEPT_CELL_METADATA = {"tags", "lectures", "nbgrader"}
FOLDED = {"source_hidden": True}  # JupyterLab then shows a bar in place of the code
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
SLIDERS = "Sliders of `interact`: they are there when the cell has run."


def normalise(notebook: Any) -> Any:
    """The notebook in normal form; changes it in place and returns it."""
    notebook.metadata = nbformat.from_dict(
        {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    )
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    count = 0
    for cell in notebook.cells:
        kept = {key: value for key, value in cell.metadata.items() if key in KEPT_CELL_METADATA}
        if cell.metadata.get("jupyter", {}).get("source_hidden"):
            kept["jupyter"] = FOLDED
        cell.metadata = nbformat.from_dict(kept)
        cell.source = cell.source.rstrip()
        if cell.cell_type == "code":
            count += bool(cell.source) and cell.execution_count is not None
            _normalise_outputs(cell, count)
    return notebook


def _normalise_outputs(cell: Any, count: int) -> None:
    """Number the cell and leave out what belongs to one session only."""
    if cell.execution_count is not None:
        cell.execution_count = count
    kept = []
    for output in cell.outputs:
        if output.output_type == "execute_result":
            output.execution_count = count
        if "data" in output:
            output.data.pop(WIDGET_VIEW, None)
            if output.data.get("text/plain", "").startswith("interactive("):
                output.data["text/plain"] = SLIDERS
            output.metadata = nbformat.from_dict({})
        if not ("data" in output and not output.data):
            kept.append(output)
    cell.outputs = kept


def for_this_machine(text: str) -> str:
    """A stored notebook as JupyterLab would save it here: opening it then changes nothing."""
    stored, local = (
        f'"language_info": {json.dumps(language, indent=1)}'.replace("\n", "\n  ")
        for language in ({"name": "python"}, LANGUAGE)
    )
    return text.replace(stored, local)


def write(notebook: Any, path: Path) -> None:
    """Write a notebook with the same bytes on every system."""
    text = nbformat.writes(notebook, version=4)
    path.write_text(text.rstrip("\n") + "\n", encoding="utf-8", newline="\n")
