"""What a term stands for once sizes are filled in: a number, a vector, a matrix, a condition."""

from __future__ import annotations

from dataclasses import dataclass

from linecheck.expand.graph import Node


@dataclass(frozen=True)
class Array:
    """Entries of a vector (shape (n,)) or, by rows, of a matrix (shape (m, n))."""

    entries: tuple[Node, ...]
    shape: tuple[int, ...]
    row: bool = False  # the transpose of a vector

    def at(self, i: int, j: int) -> Node:
        """Entry in row i and column j, from 0."""
        return self.entries[i * self.shape[1] + j]

    @property
    def told(self) -> str:
        """In words."""
        if len(self.shape) == 1:
            return f"a {'row' if self.row else 'vector'} of {self.shape[0]}"
        return f"a {self.shape[0]} by {self.shape[1]} matrix"


Value = Node | Array

_CONDITIONS = ("<", "<=", "==", "and", "or", "not", "true", "false")


class NeedsValueError(Exception):
    """A symbol with finitely many values stands where a number is needed (index, exponent)."""

    def __init__(self, names: set[str]) -> None:
        super().__init__(str(names))
        self.names = names


def is_condition(value: Value) -> bool:
    """Whether the value is true or false instead of a number."""
    return isinstance(value, Node) and value.op in _CONDITIONS


def told(value: Value) -> str:
    """A value in words."""
    if isinstance(value, Array):
        return value.told
    return "a condition" if is_condition(value) else "a number"


def same_shape(left: Array, right: Array) -> bool:
    """Equal shapes; a vector and a matrix with one column are the same thing."""
    if left.shape == right.shape:
        return len(left.shape) == 2 or left.row == right.row or left.shape == (1,)
    column = {(left.shape[0], 1), (right.shape[0], 1)}
    return {left.shape, right.shape} <= column | {left.shape[:1], right.shape[:1]} and (
        left.shape[0] == right.shape[0] and not left.row and not right.row
    )
