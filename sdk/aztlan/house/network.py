"""A small network that predicts how a game will end, for `learned` and `champion`. Needs NumPy.

It begins with the warlord's formula, `lead`, and adds what it has learned: it looks at the numbers of
`engine.kernel.judge` for the seat in question, and at the mean and the best of the others', through a hidden
layer. Its answer is between -1 (last) and 1 (first). `aztlan.examples.train_value` makes the weights, one
file per number of seats.
"""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from aztlan.kernel import FEATURES, Batch

Array = npt.NDArray[np.float32]
VERSION: Final = 1
"""The version of the inputs below; weights of another version are refused."""
_SCALE: Final = np.array(
    [100, 30, 60, 30, 15, 5, 8, 20, 15, 3, 8, 20, 2, 10, 5, 4, 1], np.float32
)  # a large value of each feature
_SHARED: Final = FEATURES.index("age")
INPUTS: Final = 3 * _SHARED + 5 + 5 + 1 + 1
"""Own numbers, the lead over the others' mean, their best; age, phase (one of five each); acting; `lead`."""
MUCH: Final = 25.0
"""A lead, in points, that nearly decides the game."""
_SCORE, _NOW, _LATER, _HAND = (FEATURES.index(name) for name in ("score", "now", "later", "hand"))

Weights = dict[str, Array]


def judged(batch: Batch) -> Array:
    """FEATURES of each seat of each game: games x seats x features."""
    numbers = np.empty((batch.size, batch.seats * len(FEATURES)), np.int32)
    batch.judge_into(numbers)
    return numbers.reshape(batch.size, batch.seats, len(FEATURES)).astype(np.float32)


def inputs(features: Array, seats: npt.NDArray[np.intp]) -> Array:
    """Return the network's inputs, for one seat of each game."""
    games, n, _ = features.shape
    scaled = features / _SCALE
    row = np.arange(games)
    own = scaled[row, seats]
    others = scaled[np.arange(n)[None, :] != seats[:, None]].reshape(games, n - 1, -1)[:, :, :_SHARED]
    out = np.zeros((games, INPUTS), np.float32)
    out[:, :_SHARED] = own[:, :_SHARED]
    out[:, _SHARED : 2 * _SHARED] = own[:, :_SHARED] - others.mean(axis=1)
    out[:, 2 * _SHARED : 3 * _SHARED] = others.max(axis=1)
    age, phase = features[row, seats, _SHARED].astype(int), features[row, seats, _SHARED + 1].astype(int)
    out[row, 3 * _SHARED + age - 1] = 1
    out[row, 3 * _SHARED + 5 + phase] = 1
    out[:, -2] = own[:, -1]
    out[:, -1] = lead(features, seats)
    return out


def lead(features: Array, seats: npt.NDArray[np.intp]) -> Array:
    """Return the warlord's evaluation: points now and half of those to come, less the others' mean."""
    left = 5 - features[:, :, _SHARED]
    prospects = features[:, :, _SCORE] + features[:, :, _NOW] + 2 * features[:, :, _HAND]
    prospects += 0.5 * left * features[:, :, _LATER] / (left + 1)
    own = prospects[np.arange(len(seats)), seats]
    others = (prospects.sum(axis=1) - own) / (features.shape[1] - 1)
    found: Array = ((own - others) / MUCH).astype(np.float32)
    return found


def forward(weights: Weights, seen: Array) -> tuple[Array, Array]:
    """Return the hidden layer and the output."""
    hidden = np.maximum(seen @ weights["w1"] + weights["b1"], 0)
    answer: Array = np.tanh((hidden @ weights["w2"] + weights["b2"])[:, 0] + seen[:, -1])
    return hidden, answer


def values(weights: Weights, batch: Batch) -> Array:
    """Predict how each game will end for each seat: games x seats."""
    features = judged(batch)
    columns = [inputs(features, np.full(batch.size, seat)) for seat in range(batch.seats)]
    _, answers = forward(weights, np.concatenate(columns))
    return answers.reshape(batch.seats, batch.size).T


def value_for(weights: Weights, batch: Batch, seat: int) -> Array:
    """Predict how each game will end for one seat."""
    return forward(weights, inputs(judged(batch), np.full(batch.size, seat)))[1]


@cache
def load(seats: int) -> Weights:
    """Load the weights that come with the SDK."""
    with (files(__package__) / f"value-{seats}.npz").open("rb") as file:
        return check(dict(np.load(file)))


def read(path: Path) -> Weights:
    """Read weights that you trained yourself."""
    return check(dict(np.load(path)))


def check(weights: dict[str, Any]) -> Weights:
    """Refuse weights that were made for other inputs."""
    if int(weights.get("version", 0)) != VERSION or weights["w1"].shape[0] != INPUTS:
        raise ValueError("these weights were made for another version of the network's inputs: train again")
    return {name: weights[name].astype(np.float32) for name in ("w1", "b1", "w2", "b2")}
