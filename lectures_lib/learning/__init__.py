"""What it means to learn a classifier: a memoriser, cuts on a line, and where errors come from.

    R(f) = P(f(x) != y)                                   risk, what we want to be small
    Rhat(f) = 1/n sum_i [f(x_i) != y_i]                   training error, what we can see
    R(f~) = R(f*) + approximation + estimation + optimisation

A polynomial of degree k changes its sign at most k times, and any k cuts of the line are the sign
changes of one: so "the signs of polynomials of degree k" and "at most k cuts" are the same
classifiers, and the one with the fewest mistakes on a sample can be found exactly.
"""

from lectures_lib.learning._cuts import CutClassifier, apply_cuts
from lectures_lib.learning._neighbours import NearestNeighbour
from lectures_lib.learning._sources import (
    ErrorSources,
    best_cuts,
    draw_wave,
    error_sources,
    risk_of_cuts,
    wave_posterior,
)

__all__ = [
    "CutClassifier",
    "ErrorSources",
    "NearestNeighbour",
    "apply_cuts",
    "best_cuts",
    "draw_wave",
    "error_sources",
    "risk_of_cuts",
    "wave_posterior",
]
