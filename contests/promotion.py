"""Which of several candidates plays next: each gets its share, and the promising get more.

A candidate is a new version that is tested against the active one (`contests.sequential`). Who is chosen
depends on results that are known, so the tests' error rates stay what they are.
"""

import math
from collections.abc import Mapping

from contests.sequential import Conclusion, Evidence, Plan

FAIR_SHARE = 4
"""Once in this many sets, the candidate with the fewest sets plays, so that none waits forever."""


def promise(evidence: Evidence, plan: Plan) -> float:
    """Return how close a test is to "better", from 0 to 1; before the first set it is one half."""
    up = min(max(evidence.log_better / -math.log(plan.alpha), -1.0), 1.0)
    down = min(max(evidence.log_not_better / -math.log(plan.beta), -1.0), 1.0)
    return (1.0 + (up - down) / 2.0) / 2.0


def next_candidate(tests: Mapping[int, Evidence], plan: Plan, played: int) -> int | None:
    """Return whose set is next after so many sets of all; None where every test is concluded.

    The most promising candidate plays; of equals, the one with the fewest sets.
    """
    undecided = {key: one for key, one in tests.items() if one.conclusion is Conclusion.OPEN}
    if not undecided:
        return None
    if played % FAIR_SHARE == FAIR_SHARE - 1:
        return min(undecided, key=lambda key: (undecided[key].sets, key))
    return max(undecided, key=lambda key: (promise(undecided[key], plan), -undecided[key].sets, -key))
