"""The normal form of a notebook: the same bytes whoever opened it last."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook, new_output

from lectures_lib.commands.execute import execute
from lectures_lib.workspace.normal_form import SLIDERS, normalise, write


def touched_widget():
    return {"application/vnd.jupyter.widget-view+json": {"model_id": "1"}}


def touched_notebook():
    """A notebook as an editor leaves it."""
    widget = touched_widget()
    both = {"text/plain": "a picture", **widget}
    cell = new_code_cell(
        "1 + 1\n\n",
        execution_count=17,
        metadata={"collapsed": True, "tags": ["nbval-ignore-output"], "scrolled": True},
        outputs=[
            new_output("display_data", data=widget),
            new_output("execute_result", data=both, execution_count=17),
        ],
    )
    metadata = {"widgets": {"state": {}}, "kernelspec": {"name": "other", "display_name": "x"}}
    return new_notebook(cells=[cell], metadata=metadata)


def test_normalising_leaves_out_what_belongs_to_one_session() -> None:
    notebook = normalise(touched_notebook())
    assert "widgets" not in notebook.metadata
    assert notebook.metadata.kernelspec.name == "python3"
    (cell,) = notebook.cells
    assert cell.execution_count == 1
    assert cell.source == "1 + 1"
    assert cell.metadata == {"tags": ["nbval-ignore-output"]}
    (output,) = cell.outputs
    assert dict(output.data) == {"text/plain": "a picture"}


def test_the_sliders_of_interact_are_stored_as_a_sentence() -> None:
    data = {"text/plain": "interactive(children=(IntSlider(value=1), Output()))"}
    output = new_output("display_data", data={**data, **touched_widget()})
    cell = normalise(new_notebook(cells=[new_code_cell("1", outputs=[output])])).cells[0]
    (stored,) = cell.outputs
    assert dict(stored.data) == {"text/plain": SLIDERS}


def test_executing_stores_outputs_and_counts(tmp_path: Path) -> None:
    path = tmp_path / "sum.ipynb"
    write(new_notebook(cells=[new_code_cell("print(6 * 7)")]), path)
    execute(path)
    (cell,) = nbformat.read(path, as_version=4).cells
    assert cell.execution_count == 1
    assert cell.outputs[0].text == "42\n"
