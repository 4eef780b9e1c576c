'''How to write an exercise: everything an author needs, from one place.

A chapter's exercises stand in `lectures_lib/chapters/<slug>/exercises.py`, which ends in

    EXERCISES = (FIRST, SECOND, …)

in the order of the notebook. `SEPARATION` of `logistic_inference` is a short one to copy: the
reference, random cases and what the task promises about them, the text with its hints, teaching
cases, and slips.

Then `lectures build-exercises` writes the three cells of the exercise into `solutions/` (heading,
points, minutes, check, all metadata; a first answer from the reference) and `exercises/` from
there. In `solutions/` you write the task's text under its two generated lines, with the call in
code signs, `separation(x, y)` (of other kinds: each name of the answer), and the answer
between `### BEGIN SOLUTION` and `### END SOLUTION`; the rest is kept in step by the command. In
`tests/chapters/test_<slug>.py` you list, by identity, what cannot be made by machine:

    class TestExercises(ExerciseTests):  # from tests.exercise_tests
        slug = "logistic_inference"
        right_answers = {"logistic_inference.separation": [(by_a_loop,), (sorted_,)]}
        wrong_data = {"perceptron.zero_margin": {"One class only": (X, s)}}
        still_right = {("break", "break dropped"): "why this mutant is another right answer"}

It inherits all tests: the solution passes, the untouched stub is not attempted, every slip is
named and no other, other right answers pass, constant answers earn nothing, machine-made mutants
of the solution are rejected, texts and links are in order.
`python course.py test --chapter <slug>` runs what belongs to a chapter; all mutants run with
`course.py test --deep tests/chapters/test_<slug>.py -k mutants`.

**What may be asked**

- `Function`: a function to write. The reference gives name and parameters. Points stand at its
  results, and a result earns them when it is right in all teaching cases and all random ones. The
  generator draws d ≥ 3, unequal sizes, no round numbers, and now and then the edges (a tie, a 0,
  a huge number). `valid` says what the task promises, so that cases can be made smaller. Where
  several answers are right: `accepts`. Where slips meet another form that is right (`<` for `<=`)
  or an unfinished one, list it once under `forms`.
  `picture(arguments, came_out, expected)` returns a Scene of the failing case, the answer beside
  what was expected, or None (`figures.answers` has lines and curves). Import what it draws with
  inside it: a check loads no drawing before there is something to draw.
  An answer may draw: where it returns a Matplotlib Axes, the points of its lines and then those of
  its scatters are judged, as arrays of shape (n, 2). The reference returns these arrays.
- `Values`: data to find or numbers to work out: `names`, `reads`, `cases=(Property(…), …)`, where
  a property returns a complaint or "". Its slips have `recognise=`; its `picture(*values)` draws
  the data.
- `Quiz`: a question with choices, each with its own explanation; one or several are right.
- `Prediction`: what will happen and why; the reason counts with the outcome.
- `Proof`: a derivation, line by line, judged by its ideas: `steps("""…""")` names them and says by
  what each is recognised. `asked` is the relation of the goal to the start. Slips are edits of the
  lines of our own derivation.
- `Expression`: an expression or a matrix of SymPy, judged by its values on the domain.

**Inside a chapter** the reader answers questions and writes small pieces of code, without points.
They stand in `chapters/<slug>/tries.py`, which ends in `TRIES = (…)`: `question("""…""")` for a
choice, a number or, with `picture=`, a place, laid out as `lectures_lib.checks.writing.text_blocks`
says, and `small("""…""", Function(…))` for code. A question is the cell

    guess = ...
    check("perceptron.one_update", guess)

before the output that answers it, and a small piece of code a stub with its `check`, before the
author's version, whose source is folded.

**Formulas** in hints, messages, remarks and choices may stand between dollar signs, in LaTeX: the
notebook sets them, and `checks.telling.formulas` writes them in plain signs where there is only
text.

**The layout of the texts**, with marks in brackets, several ways to one slip, functions and
choices, stands in `lectures_lib.checks.writing.text_blocks`. What cannot be read is an error that
names file and line.

**A slip** is an edit `old -> new` of the reference; `old` must occur exactly once in its source, or
the line begins with `everywhere`: one wrong version for each place. Four slips or more; find them
by doing the exercise wrongly ten times, not by reading the solution.
'''

from typing import TypeAlias

import numpy as np

from lectures_lib._core.validation import Array as Array
from lectures_lib.checks.exercise import Exercise as Exercise
from lectures_lib.checks.exercise import Slip as Slip
from lectures_lib.checks.judging.readings import Result as Result
from lectures_lib.checks.kinds.derivation import Proof as Proof
from lectures_lib.checks.kinds.expression import Expression as Expression
from lectures_lib.checks.kinds.function import Case as Case
from lectures_lib.checks.kinds.function import Function as Function
from lectures_lib.checks.kinds.questions import Prediction as Prediction
from lectures_lib.checks.kinds.questions import Quiz as Quiz
from lectures_lib.checks.kinds.values import Property as Property
from lectures_lib.checks.kinds.values import Values as Values
from lectures_lib.checks.telling.outcomes import Choice as Choice
from lectures_lib.checks.writing.text_blocks import choices as choices
from lectures_lib.checks.writing.text_blocks import exercise as exercise
from lectures_lib.checks.writing.text_blocks import question as question
from lectures_lib.checks.writing.text_blocks import slips as slips
from lectures_lib.checks.writing.text_blocks import small as small
from lectures_lib.checks.writing.text_blocks import steps as steps

Rng: TypeAlias = np.random.Generator
