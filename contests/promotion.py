"""Promotion by evidence: what the sets of a candidate say so far, and which candidate plays next.

A candidate is a new version that is tested against the active one (`contests.sequential`), set by set. Who
plays next depends only on results that are known, so the tests' error rates stay what they are.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from contests.sequential import Conclusion, Evidence, Plan, add

FAIR_SHARE: Final = 4
"""Once in this many sets, the candidate with the fewest sets plays, so that none waits forever."""
FAILED_SETS: Final = 2
"""A candidate that fails in every game of so many sets in a row cannot play, so its strength is beside the
point."""


class SetState(StrEnum):
    """What became of a planned set."""

    OPEN = "open"
    COUNTED = "counted"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class PlayedSet:
    """A planned set: its result once it is counted, and whether the candidate failed in all of its games."""

    state: SetState = SetState.OPEN
    result: float = 0.5
    failed: bool = False


class CourseEnding(StrEnum):
    """How a test stands, or ended."""

    OPEN = "open"
    BETTER = "better"
    NOT_BETTER = "not better"
    FAILING = "failing"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Course:
    """What the sets of a test say so far."""

    steps: tuple[Evidence, ...]
    """The evidence after each counted set, in the order in which the sets were planned."""
    ending: CourseEnding

    @property
    def evidence(self) -> Evidence:
        return self.steps[-1] if self.steps else Evidence()


CONCLUDED: Final = {Conclusion.BETTER: CourseEnding.BETTER, Conclusion.NOT_BETTER: CourseEnding.NOT_BETTER}


def follow_sets(sets: Iterable[PlayedSet], plan: Plan, most_sets: int) -> Course:
    """Weigh planned sets in their order, up to the first that is still open.

    Sets that end early wait for those before them: otherwise quick wins would count before slow losses.
    A void set leaves no trace. Once there is an ending it stays, whatever later sets say; they only sharpen
    the estimate.
    """
    steps: list[Evidence] = []
    evidence, ending, failed = Evidence(), CourseEnding.OPEN, 0
    for one in sets:
        if one.state is SetState.OPEN:
            break
        if one.state is SetState.VOID:
            continue
        evidence = add(evidence, one.result, plan)
        steps.append(evidence)
        failed = failed + 1 if one.failed else 0
        if ending is CourseEnding.OPEN:
            ending = _ending(evidence, failed, most_sets)
    return Course(tuple(steps), ending)


def _ending(evidence: Evidence, failed: int, most_sets: int) -> CourseEnding:
    if failed >= FAILED_SETS:
        return CourseEnding.FAILING
    if evidence.conclusion is not Conclusion.OPEN:
        return CONCLUDED[evidence.conclusion]
    return CourseEnding.UNDECIDED if evidence.sets >= most_sets else CourseEnding.OPEN


@dataclass(frozen=True, slots=True)
class Contender:
    """A candidate that waits for its next set."""

    promise: float
    sets: int
    """How many were planned so far, whether played or not."""


def promise(log_better: float, log_not_better: float, plan: Plan) -> float:
    """Return how close a test is to "better", from 0 to 1; before the first set it is one half."""
    up = min(max(log_better / -math.log(plan.alpha), -1.0), 1.0)
    down = min(max(log_not_better / -math.log(plan.beta), -1.0), 1.0)
    return (1.0 + (up - down) / 2.0) / 2.0


def next_candidate(contenders: Mapping[int, Contender], planned: int) -> int | None:
    """Return whose set is next after so many sets of all; None where nobody waits.

    The most promising candidate plays; of equals, the one with the fewest sets.
    """
    if not contenders:
        return None
    if planned % FAIR_SHARE == FAIR_SHARE - 1:
        return min(contenders, key=lambda key: (contenders[key].sets, key))
    return max(contenders, key=lambda key: (contenders[key].promise, -contenders[key].sets, -key))
