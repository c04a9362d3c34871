"""What positions are worth to each seat: by the warlord's formula in points, and by champion's network.

Both are computed for a batch of games at once, by pure functions without Django.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from aztlan.house import network
from engine.kernel import Batch
from engine.kernel.judge import FEATURES
from engine.position import CHOOSING, LAST_AGE

Numbers = npt.NDArray[np.float64]
_SCORE, _NOW, _LATER, _HAND, _AGE, _PHASE = map(
    FEATURES.index, ("score", "now", "later", "hand", "age", "phase")
)
_POINTS_PER_CARD: Final = 2.0


def foretold(batch: Batch) -> Numbers:
    """Return how the network says that each game ends for each seat, from -1 (last) to 1: games x seats."""
    found = np.empty((batch.size, batch.seats), np.float32)
    batch.foretell_into(found, network.load(batch.seats))
    return found.astype(np.float64)


def leads(batch: Batch) -> Numbers:
    """Return each seat's lead over the others' mean in points, by `engine.kernel.foretell.prospects`."""
    numbers = np.empty((batch.size, batch.seats * len(FEATURES)), np.int32)
    batch.judge_into(numbers)
    seen = numbers.reshape(batch.size, batch.seats, len(FEATURES)).astype(np.float64)
    left = LAST_AGE - seen[:, :, _AGE]
    unused = left + np.where(seen[:, :, _PHASE] == CHOOSING, 2, 1)
    prospects = seen[:, :, _SCORE] + seen[:, :, _NOW] + _POINTS_PER_CARD * seen[:, :, _HAND]
    prospects += 0.5 * left * seen[:, :, _LATER] / unused
    others = (prospects.sum(axis=1, keepdims=True) - prospects) / (batch.seats - 1)
    difference: Numbers = prospects - others
    return difference
