"""What the checker says about one step."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """The six things that can be said about a step."""

    PROVED = "PROVED"
    AGREES = "AGREES"
    REFUTED = "REFUTED"
    DOMAIN = "DOMAIN"
    UNDECIDED = "UNDECIDED"
    INVALID = "INVALID"


@dataclass(frozen=True)
class Witness:
    """A point of the domain and what the two sides are there ("undefined" when they are not)."""

    point: tuple[tuple[str, str], ...]  # (("w", "1"), ("x", "(1, 0)"))
    left: str
    right: str

    def __str__(self) -> str:
        place = ", ".join(f"{name} = {value}" for name, value in self.point)
        sides = f"left {self.left}, right {self.right}"
        return f"at {place}: {sides}" if place else sides


@dataclass(frozen=True)
class Verdict:
    """The verdict on one step. `holds` is true for PROVED and AGREES only."""

    status: Status
    reason: str = ""
    witness: Witness | None = None
    slip: str = ""  # the likely slip behind a refutation, in words
    points: int = 0  # how many exact sample points were compared

    @property
    def holds(self) -> bool:
        """True when nothing speaks against the step."""
        return self.status in (Status.PROVED, Status.AGREES)

    def __str__(self) -> str:
        parts = [str(self.witness) if self.witness else "", self.reason, self.slip]
        told = "; ".join(part for part in parts if part)
        return f"{self.status}: {told}" if told else str(self.status)
