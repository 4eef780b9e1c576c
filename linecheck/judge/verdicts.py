"""What the checker says about one step."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """The seven things that can be said about a step.

    >>> [str(status) for status in Status]
    ['PROVED', 'AGREES', 'REFUTED', 'DOMAIN', 'UNDECIDED', 'INVALID', 'INTERNAL']
    """

    PROVED = "PROVED"
    AGREES = "AGREES"
    REFUTED = "REFUTED"
    DOMAIN = "DOMAIN"
    UNDECIDED = "UNDECIDED"
    INVALID = "INVALID"
    INTERNAL = "INTERNAL"  # the judge itself failed: a defect of ours, never of the line


@dataclass(frozen=True)
class Witness:
    """A point of the domain and what the two sides are there ("undefined" when they are not).

    >>> found = verdict("(a + b)**2", "a**2 + b**2", {"a": "real", "b": "real"})
    >>> found.witness.point, found.witness.left, found.witness.right
    ((('a', '1'), ('b', '1')), '4', '2')
    """

    point: tuple[tuple[str, str], ...]  # (("w", "1"), ("x", "(1, 0)"))
    left: str
    right: str

    def __str__(self) -> str:
        place = ", ".join(f"{name} = {value}" for name, value in self.point)
        sides = f"left {self.left}, right {self.right}"
        return f"at {place}: {sides}" if place else sides


@dataclass(frozen=True)
class Verdict:
    """The verdict on one step.

    >>> found = verdict("exp(a + b)", "exp(a)*exp(b)", {"a": "real", "b": "real"})
    >>> found.holds, str(found.status)
    (True, 'PROVED')
    """

    status: Status
    reason: str = ""
    witness: Witness | None = None
    slip: str = ""  # the likely slip behind a refutation, in words
    points: int = 0  # how many exact sample points were compared
    sizes: str = ""  # of a proof: the sizes it is for, "N = 1, 2, 3"; empty: for every size
    sampled: bool = False  # larger sizes were only sampled, and samples may miss where it fails

    @property
    def holds(self) -> bool:
        """True for AGREES and PROVED; not for an inequality that is proved for some sizes only."""
        return self.status in (Status.PROVED, Status.AGREES) and not self.sampled

    @property
    def told(self) -> str:
        """The status with the sizes that it is for: PROVED for N = 1, 2, 3."""
        return f"{self.status} for {self.sizes}" if self.sizes else str(self.status)

    def __str__(self) -> str:
        parts = [str(self.witness) if self.witness else "", self.reason, self.slip]
        told = "; ".join(part for part in parts if part)
        return f"{self.told}: {told}" if told else self.told
