"""The weights of the small network of `learned` and `champion`, one file per number of seats. Needs NumPy.

`engine/kernel/foretell.py` says what the network looks at and how it answers; the kernel does it natively.
`aztlan.examples.train_value` makes the weights.
"""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from aztlan.kernel import HIDDEN, INPUTS, MUCH

Array = npt.NDArray[np.float32]
Weights = dict[str, Array]
VERSION: Final = 2
"""The version of the network's inputs; weights of another version are refused."""
PARTS: Final = {"w1": (INPUTS, HIDDEN), "b1": (HIDDEN,), "w2": (HIDDEN, 1), "b2": (1,)}


@cache
def load(seats: int) -> bytes:
    """Return the network that comes with the SDK, as the kernel takes it."""
    with (files(__package__) / f"value-{seats}.npz").open("rb") as file:
        return check(dict(np.load(file)))


def read(path: Path) -> bytes:
    """Return a network that you trained yourself."""
    return check(dict(np.load(path)))


def check(weights: dict[str, Any]) -> bytes:
    """Refuse weights that were made for other inputs, or that are not numbers."""
    if int(weights.get("version", 0)) != VERSION or any(
        weights[name].shape != shape for name, shape in PARTS.items()
    ):
        raise ValueError("these weights were made for another version of the network's inputs: train again")
    if not all(np.isfinite(weights[name]).all() for name in PARTS):
        raise ValueError("these weights hold infinite or undefined numbers: train again")
    return packed(weights, float(weights.get("share", 1.0)))


def packed(weights: Weights, share: float = 1.0) -> bytes:
    """Return the weights one after the other, with this share of what was learned on top of the formula."""
    weights = {**weights, "w2": share * weights["w2"], "b2": share * weights["b2"]}
    return np.concatenate([weights[name].ravel() for name in PARTS]).astype(np.float32).tobytes()


__all__ = ["HIDDEN", "INPUTS", "MUCH", "VERSION", "Array", "Weights", "check", "load", "packed", "read"]
