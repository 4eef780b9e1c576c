"""What a derivation earns: verified lines that say something new, and required way-points."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from linecheck.derivation.lines import KeptLine, LineReport, Note, Report, Settings
from linecheck.judge.verdicts import Status, Verdict
from linecheck.language.forms import length, same_form

LONGER = 2  # nodes by which a line may exceed the way-point that it equals


Ask = Callable[[str, str], Verdict]  # whether two expressions are equal


def report(lines: Sequence[KeptLine], settings: Settings, ask: Ask) -> Report:
    """Verdict and credit of every line, missing way-points, score.

    The score is the mean of two shares: verified lines among all judged lines, and way-points
    reached (the goal is one of them) among those required. Without requirements it is the first.
    """
    names = settings.names
    credits = [_credit(line, names) for line in lines]
    again = [_holds(line) and not credit for line, credit in zip(lines, credits, strict=True)]
    notes = [Note.SAME if one else Note.NONE for one in again]
    required = [*settings.waypoints, *([settings.goal] if settings.goal else [])]
    reached = [""] * len(lines)
    missing: list[str] = []
    goal_reached = settings.goal is None
    leap = _leap(lines, credits, settings, ask)
    if leap is not None:  # such a line reaches nothing, also where the goal equals a way-point
        credits[leap] = False
        notes[leap] = Note.LEAP
    for waypoint in required:
        is_goal = waypoint is settings.goal
        earning = (k for k, credit in enumerate(credits) if credit)
        at = next((k for k in earning if _reaches(ask, lines[k], waypoint, names)), None)
        if at is None:
            missing.append(waypoint)
            continue
        notes[at] = Note.GOAL if is_goal else Note.WAYPOINT
        reached[at] = "" if is_goal else waypoint
        goal_reached = goal_reached or is_goal
    judged = [k for k, line in enumerate(lines) if line.verdict is not None]
    share = sum(credits[k] for k in judged) / len(judged) if judged else 0.0
    if required:
        share = (share + (len(required) - len(missing)) / len(required)) / 2
        if len(missing) == len(required) and not any(credits):
            share = 0.0
    told = tuple(
        LineReport(k + 1, line.text, line.because, line.verdict, credits[k], notes[k], reached[k])
        for k, line in enumerate(lines)
    )
    complete = all(_holds(lines[k]) for k in judged) and not missing and any(credits)
    return Report(told, tuple(missing), goal_reached, share, complete)


def _leap(
    lines: Sequence[KeptLine], credits: Sequence[bool], settings: Settings, ask: Ask
) -> int | None:
    """The first line that earns anything, if it is the goal already.

    A line that is only worth the same as the goal is a step on the way when more follows.
    """
    goal, names = settings.goal, settings.names
    earning = [k for k, credit in enumerate(credits) if credit]
    if goal is None or not earning or not _reaches(ask, lines[earning[0]], goal, names):
        return None
    is_the_goal = same_form(lines[earning[0]].expression, goal, names)
    return earning[0] if is_the_goal or len(earning) == 1 else None


def _credit(line: KeptLine, names: frozenset[str]) -> bool:
    """Verified, and not the line before (or 0 = 0) once more."""
    if not _holds(line) or line.changed or not line.before:
        return _holds(line)
    return not same_form(line.before, line.expression, names)


def _holds(line: KeptLine) -> bool:
    return line.verdict is not None and line.verdict.holds


def _reaches(ask: Ask, line: KeptLine, waypoint: str, names: frozenset[str]) -> bool:
    """The way-point itself up to order, or an equal expression that is not longer; PROVED."""
    if line.verdict is None or line.verdict.status != Status.PROVED or not line.expression:
        return False
    if same_form(line.expression, waypoint, names):
        return True
    if length(line.expression, names) > length(waypoint, names) + LONGER:
        return False
    if "diff(" in line.expression and "diff(" not in waypoint:  # still to be differentiated
        return False
    return ask(line.expression, waypoint).status == Status.PROVED
