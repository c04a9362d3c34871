"""A small network that foretells how a game ends for a seat: the form to read. `foretell.c` is the fast one.

It looks at the numbers of `engine.kernel.judge`: the seat's own, its lead over the others' mean, and the best
of the others'; then age, phase, whether it acts, and what the warlord's formula says, to which the network
only adds. One hidden layer; the answer lies between -1 (last) and 1 (first). A network is its weights as
32-bit floats, one after the other: INPUTS rows of HIDDEN, HIDDEN, HIDDEN, 1.
"""

import math
from collections.abc import Sequence
from typing import Final

from engine.kernel.judge import FEATURES, judge
from engine.position import CHOOSING, LAST_AGE
from engine.state import State

OWN: Final = FEATURES.index("age")
INPUTS: Final = 3 * OWN + 5 + 5 + 1 + 1
HIDDEN: Final = 64
WEIGHTS: Final = INPUTS * HIDDEN + 2 * HIDDEN + 1
MUCH: Final = 25.0
"""A lead, in points, that nearly decides the game."""
SCALE: Final = (100, 30, 60, 30, 15, 5, 8, 20, 15, 3, 8, 20, 2, 10)
"""A large value of each number."""
_SCORE, _NOW, _LATER, _HAND, _PHASE = map(FEATURES.index, ("score", "now", "later", "hand", "phase"))


def prospects(seen: Sequence[int]) -> float:
    """A seat's points now, and a share of those to come: the warlord's judgement."""
    left = LAST_AGE - seen[OWN]
    unused = left + (2 if seen[_PHASE] == CHOOSING else 1)
    return seen[_SCORE] + seen[_NOW] + 0.5 * left * seen[_LATER] / unused + 2.0 * seen[_HAND]


def inputs(judged: Sequence[Sequence[int]], seat: int) -> list[float]:
    """What the network looks at, for one seat."""
    own, others = judged[seat], [one for other, one in enumerate(judged) if other != seat]
    columns = [[one[k] for one in others] for k in range(OWN)]
    lead = prospects(own) - sum(map(prospects, others)) / len(others)
    return [
        *[own[k] / SCALE[k] for k in range(OWN)],
        *[(own[k] - sum(columns[k]) / len(others)) / SCALE[k] for k in range(OWN)],
        *[max(columns[k]) / SCALE[k] for k in range(OWN)],
        *[float(own[OWN] == age) for age in range(1, LAST_AGE + 1)],
        *[float(own[_PHASE] == phase) for phase in range(5)],
        float(own[-1]),
        lead / MUCH,
    ]


def foretell(network: Sequence[float], seen: Sequence[float]) -> float:
    """The network's answer."""
    first, last = INPUTS * HIDDEN, (INPUTS + 1) * HIDDEN
    hidden = list(network[first:last])
    for i, value in enumerate(seen):
        if value:
            for k in range(HIDDEN):
                hidden[k] += value * network[i * HIDDEN + k]
    learned = sum(value * network[last + k] for k, value in enumerate(hidden) if value > 0)
    return math.tanh(learned + network[WEIGHTS - 1] + seen[-1])


def foretell_all(network: Sequence[float], state: State) -> list[float]:
    """The answer for each seat."""
    judged = judge(state)
    return [foretell(network, inputs(judged, seat)) for seat in range(state.seats)]
