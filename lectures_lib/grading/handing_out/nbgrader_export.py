"""A ready nbgrader course: the solved notebooks as source, and a configuration with our stub.

nbgrader gives a check cell full points unless it raises or its last value is a number. So each
check cell gets a hidden beginning after which the same call of `check` returns a value whose plain
text is the points, and whose page is the verdict: untouched work gets nothing, half of it its half.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from lectures_lib.checks.telling.solutions import CONFIGURATION as CLASS
from lectures_lib.grading.handing_out.build_exercises import (
    STUB,
    as_text,
    ours,
    pairs,
    solved_notebook,
    without_readers_part,
)
from lectures_lib.grading.handing_out.solutions import AuthoringError
from lectures_lib.workspace.files import write_whole
from lectures_lib.workspace.normal_form import normalise

NBGRADER = f'''"""nbgrader reads this when it runs in this folder."""

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "linear-classification"
# The same stub as in the exercises of the course: an untouched notebook runs without an error.
c.ClearSolutions.code_stub = {{"python": "{STUB}"}}
# A check stops a function that runs too long by itself; this is for everything else in a notebook.
c.Execute.timeout = 300
'''

README = """# An nbgrader course

One assignment per chapter, in `source/`. In an environment in which the package `lectures-lib`
and nbgrader are installed, run here, for each assignment:

    nbgrader generate_assignment 04_perceptron
    nbgrader autograde 04_perceptron
    nbgrader generate_feedback 04_perceptron

Students need `lectures-lib` too. Points are those that the checks give in the notebook, and the
feedback shows their verdicts; `nbgrader validate` shows what is missing.

## What this does not protect against

nbgrader runs submitted code in the same process as the tests, with all rights of the account that
runs it: it can read and delete files, and code that wants to can give itself points. Each check
cell imports its judge afresh, which undoes a patched `check`; it does not undo a patched import.
For work of people you do not know use `lectures grade`: it reads the same `submitted/` folder, runs
answers in a sandbox and judges them in another process. Otherwise run nbgrader in a container that
has nothing to lose.
"""


def export(course: Path, folder: Path) -> list[str]:
    """Write the nbgrader course to `folder` and return the names of its assignments.

    Files of an earlier export are replaced; whatever else is in the folder stays.
    """
    names = []
    for solved, _ in pairs(course):
        notebook = source_notebook(solved_notebook(solved))
        write_whole(folder / "source" / solved.stem / solved.name, as_text(notebook))
        write_whole(folder / "source" / solved.stem / CLASS, "solutions = false\n")
        names.append(solved.stem)
    write_whole(folder / "nbgrader_config.py", NBGRADER)
    write_whole(folder / "README.md", README)
    return names


def source_notebook(solved: Any) -> Any:
    """nbgrader's source of a solved notebook: no outputs, hidden tests in the check cells."""
    notebook = without_readers_part(solved)
    for cell in notebook.cells:
        if "check" in ours(cell):
            cell.source = with_hidden_tests(cell.source)
    return normalise(notebook)


def with_hidden_tests(source: str) -> str:
    """The check cell with the part that nbgrader takes out before students see it.

    The judge is imported afresh there, so that what a notebook did to its own `check` is undone.
    """
    call = re.fullmatch(r"check\((.+)\)", source.strip(), flags=re.DOTALL)
    if call is None:
        raise AuthoringError(f"a check cell holds one call of check and nothing else: {source!r}")
    return f"""### BEGIN HIDDEN TESTS
import sys
own = ("lectures_lib", "linecheck")
for module in [name for name in sys.modules if name.partition(".")[0] in own]:
    del sys.modules[module]
from lectures_lib.grading.nbgrader_verdict import judge as check
### END HIDDEN TESTS
{source.strip()}"""
