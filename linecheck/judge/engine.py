"""The verdict on one step: sample points first, then a proof, then a harder search."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from linecheck.expand.graph import in_order
from linecheck.expand.needs import Need
from linecheck.expand.problem import Problem, cases, sizes_to_try
from linecheck.expand.request import ParsedStep, Request, read
from linecheck.expand.values import Array, Value
from linecheck.judge.slips import likely_slip
from linecheck.judge.ties import tie_at_points, tie_on_surfaces
from linecheck.judge.verdicts import Status, Verdict, Witness
from linecheck.language.domains import Finite
from linecheck.language.terms import LineError, TooBigError
from linecheck.prove.propose import Proposal, proposal
from linecheck.prove.solve import has_equations, without_equations
from linecheck.search import interval as iv
from linecheck.search.evaluate import Evaluator, Found, Undefined
from linecheck.search.hard import HardSearch
from linecheck.search.interval import Number
from linecheck.search.refute import Failure, Search

QUICK_POINTS = 16
MOST_HARD = 6  # cases that are searched harder
QUICK_WORK, LONG_WORK = 60_000, 90_000  # multiplications of monomials, for each case
QUICK_SECONDS, LONG_SECONDS = 0.5, 1.2  # of the processor; only slow machines come near them


@dataclass
class Attempt:
    """One problem on its way through the pipeline."""

    problem: Problem
    search: Search
    original: Problem  # before an equation among the hypotheses was used up
    proved: bool = False
    reason: str = ""
    open_needs: list[Need] = field(default_factory=list)


@dataclass(frozen=True)
class Failed:
    """A failure, the problem it belongs to, and how many points had been compared."""

    problem: Problem
    failure: Failure
    points: int
    sampled: bool = True  # at a sample point of a case; slips are tried out there


Place = Mapping[str, Number]
Progress = Callable[[Verdict], None]


def decide(request: Request, progress: Progress = lambda verdict: None) -> Verdict:
    """The verdict on a request; `progress` hears of what can already be said.

    The reason of INTERNAL is the traceback; who asked writes it down.
    """
    try:
        return _decide(request, progress)
    except TooBigError as problem:
        return Verdict(Status.UNDECIDED, problem.message)
    except LineError as problem:
        return Verdict(Status.INVALID, problem.message)
    except (RecursionError, MemoryError, OverflowError):
        return Verdict(Status.UNDECIDED, "the line is beyond the limits")
    except Exception:  # whatever else is raised is a mistake in the engine
        return Verdict(Status.INTERNAL, traceback.format_exc())


def _decide(request: Request, progress: Progress) -> Verdict:
    begin = time.process_time()
    step = read(request)
    parts, failed, complete = look(cases(step))
    if failed is not None:
        return with_slip(failed, step, progress)
    if not any(part.search.good for part in parts):
        return Verdict(Status.UNDECIDED, "no point was found that meets the hypotheses")
    if complete and prove_all(parts, QUICK_WORK, begin + QUICK_SECONDS):
        return proved(parts, step)
    if complete and any(isinstance(d, Finite) for p in parts for d in p.problem.variables.values()):
        separate, failed, complete = look(cases(step, every_value=True))
        if failed is not None:
            return with_slip(failed, step, progress)
        if complete and prove_all(separate, QUICK_WORK, begin + QUICK_SECONDS):
            return proved(separate, step)
        parts = separate
    failed, suspicious = look_harder(parts)
    if failed is not None:
        return with_slip(failed, step, progress)
    points = compared(parts)
    if points == 0:
        return Verdict(Status.UNDECIDED, "the two sides could not be compared at any point")
    status, why = Status.UNDECIDED, "no proof, and at some point the two sides may just be equal"
    if not suspicious and samples_tell(step, parts):
        status, why = Status.AGREES, "no difference at the sample points, no proof"
    elif not suspicious:
        why = "no proof, and the sample points may have missed where it fails"
    agrees = Verdict(status, why, points=points)
    progress(agrees)
    if complete and prove_all(parts, LONG_WORK, begin + LONG_SECONDS):
        return proved(parts, step)
    return agrees


def samples_tell(step: ParsedStep, parts: list[Attempt]) -> bool:
    """Whether sample points say anything about a line without a proof.

    A false equation fails almost everywhere, unless a hypothesis is an equation with branches of
    its own, or something in it jumps: indicator(x**3 == x + 1) is 0 but at one point. A false
    inequality may fail at one point, far out, or where a hypothesis is tight.
    """
    if step.relation != "==" or any(has_equations(part.original) for part in parts):
        return False
    if any(part.open_needs for part in parts):
        return False  # a side may be undefined somewhere
    choice = sizes_to_try(step)
    if choice.open_ended and not choice.telling(sizes_met(parts)):
        return False
    nodes = (node for part in parts for node in in_order(part.problem.nodes()))
    return not any(node.op in ("sign", "if") for node in nodes)


def with_slip(found: Failed, step: ParsedStep, progress: Progress) -> Verdict:
    """A failure as a verdict; a refutation with the slip that explains it, if a known one does."""
    verdict = told(found.problem, found.failure, found.points)
    if verdict.status != Status.REFUTED:
        return verdict
    progress(verdict)
    if not found.sampled or not step.explain:
        return verdict
    slip = likely_slip(step, found.failure.point, len(found.problem.shape))
    if "@" not in "".join(step.texts):  # none is shown to who typed none
        slip = slip.replace(" @ ", "·")
    return replace(verdict, slip=slip)


def proved(parts: list[Attempt], step: ParsedStep) -> Verdict:
    """The verdict when every case has its proof: for every size, or for those that it names."""
    choice = sizes_to_try(step)
    reason, points = max((part.reason for part in parts), key=len), compared(parts)
    shown = told_sizes(choice.chosen)
    settled = {part.problem.at_sizes for part in parts if part.problem.further}
    settled -= {part.problem.at_sizes for part in parts if not part.proved}
    if choice.every or (choice.further and len(settled) == len(choice.further)):
        if shown:
            reason = f"the sums written out for {shown}, which settles every size: {reason}"
        return Verdict(Status.PROVED, reason, points=points)
    reason = f"the sums written out: {reason}"
    if choice.open_ended:
        reason += "; larger sizes were only sampled"
    # a false equation fails at sample points, if there are any; a false inequality may not
    looked = sizes_met(parts)
    met = all(part.problem.at_sizes in looked for part in parts)
    sure = not choice.open_ended or (choice.telling(looked) and met)
    return Verdict(Status.PROVED, reason, points=points, sizes=shown, sampled=not sure)


def sizes_met(parts: list[Attempt]) -> set[tuple[tuple[str, int], ...]]:
    """The sizes at which some point meets the hypotheses."""
    return {part.problem.at_sizes for part in parts if part.search.good}


def told_sizes(chosen: list[dict[str, int]]) -> str:
    """N = 1, 2, 3 or (N, d) = (1, 1), (2, 2); nothing without sizes."""
    names = list(chosen[0])
    if not names:
        return ""
    if len(names) == 1:
        return f"{names[0]} = {', '.join(str(sizes[names[0]]) for sizes in chosen)}"
    pairs = ", ".join(f"({', '.join(map(str, sizes.values()))})" for sizes in chosen)
    return f"({', '.join(names)}) = {pairs}"


def compared(parts: list[Attempt]) -> int:
    """At how many points both sides were compared."""
    return sum(part.search.judge.compared for part in parts)


def look(problems: Iterable[Problem | None]) -> tuple[list[Attempt], Failed | None, bool]:
    """A first look at every case: the cases, a failure if one was found, whether all are there."""
    parts: list[Attempt] = []
    undefined: Failed | None = None
    complete = True
    for case in problems:
        if case is None:
            complete = False
            continue
        for problem in without_equations(case):
            part = Attempt(problem, Search(problem), case)
            parts.append(part)
            failure = part.search.quick(QUICK_POINTS if len(parts) < 40 else 4)
            if failure is not None and failure.kind == "REFUTED":
                return parts, Failed(problem, failure, compared(parts)), complete
            if failure is not None and undefined is None:
                undefined = Failed(problem, failure, compared(parts))
    return parts, undefined, complete


def look_harder(parts: list[Attempt]) -> tuple[Failed | None, bool]:
    """A failure of some unproved case, if a harder search finds one; and whether it seems that
    something that must not be 0 is."""
    undefined: Failed | None = None
    suspicious = False
    unproved = [part for part in parts if not part.proved]
    for part in unproved[:MOST_HARD]:
        search = HardSearch(part.search, part.open_needs)
        failure = search.failure() or tie_at_points(
            part.problem, part.search.good[:8], part.open_needs
        )
        found = (part.problem, failure) if failure else tie_on_surfaces(part.problem, search)
        suspicious = suspicious or search.suspicious
        if found is not None:
            failed = Failed(*found, compared(parts), found[0] is part.problem)
            if failed.failure.kind == "REFUTED":
                return failed, suspicious
            undefined = undefined or failed
    return undefined, suspicious


def prove_all(parts: list[Attempt], work: int, deadline: float) -> bool:
    """Whether the kernel proves every case; stops soon after the first that it does not."""
    open_cases = 0
    tried: dict[int, Proposal] = {}  # by the case before an equation was used up
    for part in parts:
        if part.proved or part.problem.sample_only:
            continue
        if part.problem.further and open_cases:
            continue
        whole = part.original
        if id(whole) not in tried:
            tried[id(whole)] = proposal(whole, part.search.good, work, deadline)
        found = tried[id(whole)]
        part.proved, part.reason = found.replayed, found.reason
        needs = zip(in_turn(whole), in_turn(part.problem), strict=True)
        met = [(own, before in found.met) for before, own in needs]
        part.open_needs = [own for own, is_met in met if not is_met]
        part.search.settle([own.node for own, is_met in met if is_met])
        open_cases += not part.proved and not part.problem.further
        if open_cases >= MOST_HARD:
            break
    return open_cases == 0


def in_turn(problem: Problem) -> list[Need]:
    """The needs of both sides."""
    return [*problem.needs[0], *problem.needs[1]]


def told(problem: Problem, failure: Failure, points: int) -> Verdict:
    """A failure as a verdict with its witness."""
    left, right = failure.left, failure.right
    place = failure.near or failure.point
    values = Evaluator(problem.pairs[failure.entry]).at(place, 120)
    if failure.kind == "DOMAIN":
        at_sides = [*zip((left, right), values, strict=True)]
        sides = [any(isinstance(one, Undefined) for one in both) for both in at_sides]
        shown = [
            "undefined" if broken else show(both[1])
            for broken, both in zip(sides, at_sides, strict=True)
        ]
        which = "both sides are" if all(sides) else f"the {'left' if sides[0] else 'right'} side is"
        reason = f"{which} undefined: {failure.reason}"
    else:
        shown = [show(left), show(right)]
        reason = entry_reason(problem, failure.entry)
    witness = Witness(witness_point(problem, place), *shown)
    return Verdict(Status(failure.kind), reason, witness, points=points)


def entry_reason(problem: Problem, entry: int) -> str:
    """Which entry of a vector or a matrix differs."""
    if len(problem.shape) == 2:
        i, j = divmod(entry, problem.shape[1])
        return f"entry ({i + 1}, {j + 1})"
    return f"entry {entry + 1}" if problem.shape else ""


def witness_point(problem: Problem, point: Place) -> tuple[tuple[str, str], ...]:
    """The symbols as the reader declared them, with their values."""
    sizes = ((name, str(size)) for name, size in problem.sizes.items())
    shown = ((name, show_value(value, point)) for name, value in problem.shown.items())
    return (*sizes, *shown)


def show_value(value: Value, point: Place) -> str:
    """A symbol's value: a number, (1, 2), or ((1, 0), (0, 1))."""
    if isinstance(value, Array):
        texts = [show(one) for one in Evaluator(value.entries).at(point, 120)]
        if len(value.shape) == 1:
            return f"({', '.join(texts)})"
        width = value.shape[1]
        rows = [texts[k : k + width] for k in range(0, len(texts), width)]
        return f"({', '.join('(' + ', '.join(row) + ')' for row in rows)})"
    (number,) = Evaluator([value]).at(point, 120)
    return show(number)


def show(value: Found) -> str:
    """A number, a truth value, or what is wrong with it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Undefined):
        return "undefined"
    return "unknown" if value is None else iv.show(value)
