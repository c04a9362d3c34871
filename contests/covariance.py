"""Solving with the curvature of a posterior, and inverting it, in a fixed order of additions."""

from math import fsum
from random import Random
from typing import Final

import numpy as np

from contests.posterior import Curvature
from contests.result_log import Floats

PROBES: Final = 12
PROBE_ACCURACY: Final = 1e-2


def dot(one: Floats, other: Floats) -> float:
    """Return a sum of products that does not depend on how the machine adds."""
    return fsum((one * other).tolist())


def solve(curvature: Curvature, right: Floats, accuracy: float) -> Floats:
    """Solve by conjugate gradients, to a share of the right side's size."""
    found: Floats = np.zeros(len(right))
    rest, scaled = right, right / curvature.diagonal
    direction, size = scaled, dot(right, scaled)
    enough = size * accuracy * accuracy
    for _ in range(2 * len(right)):
        if size <= enough:
            break
        turned = curvature.times(direction)
        length = size / dot(direction, turned)
        found = found + length * direction
        rest = rest - length * turned
        scaled = rest / curvature.diagonal
        before, size = size, dot(rest, scaled)
        direction = scaled + size / before * direction
    return found


def covariance_of(curvature: Curvature) -> Floats:
    """Invert the whole curvature, by Gauss and Jordan: it is positive definite, so no pivot is small."""
    free = curvature.field.free
    nodes = free + len(curvature.field.fixed)
    flat: Floats = np.zeros(nodes * nodes)
    for one, other, weight in curvature.pairs():
        flat = flat + np.bincount(
            one.astype(np.int64) * nodes + other, weights=weight, minlength=nodes * nodes
        )
    half = flat.reshape(nodes, nodes)[:free, :free]
    inverse: Floats = np.diag(curvature.diagonal) - half - half.T
    for node in range(free):
        pivot = inverse[node, node]
        column = inverse[:, node] / pivot
        row = inverse[node].copy()
        inverse -= column[:, None] * row[None, :]
        inverse[node] = row / pivot
        inverse[:, node] = -column
        inverse[node, node] = 1.0 / pivot
    inverse = (inverse + inverse.T) / 2
    if not len(curvature.field.fixed):
        shared, common = of_the_mean(np.array([fsum(row) for row in inverse.tolist()]))
        inverse = inverse - shared[:, None] - shared[None, :] + common
    return inverse


def of_the_mean(sums: Floats) -> tuple[Floats, float]:
    """Return each bot's covariance with the mean of all, and that mean's variance, from the rows' sums."""
    shared = sums / len(sums)
    return shared, fsum(shared.tolist()) / len(sums)


def variances_of(curvature: Curvature) -> Floats:
    """Estimate the inverse's diagonal from random signs, always the same ones (Hutchinson's method).

    Its noise comes from what bots share with each other, which is little where there are many of them. What
    all of them share, their mean, is taken out first and computed by itself.
    """
    signs = Random(18)
    free = curvature.field.free
    apart: Floats = np.zeros(free)
    for _ in range(PROBES):
        bits = signs.getrandbits(free)
        probe = np.array([1.0 if bits >> node & 1 else -1.0 for node in range(free)])
        apart = apart + probe * centred(solve(curvature, centred(probe), PROBE_ACCURACY))
    shared, common = of_the_mean(solve(curvature, np.ones(free), PROBE_ACCURACY))
    together = 2 * shared - common
    # Results never tell more than they would against opponents known exactly, and never less than nothing.
    whole = np.clip(apart / PROBES + together, 1.0 / curvature.diagonal, 1.0 / curvature.field.precision)
    return whole if len(curvature.field.fixed) else np.maximum(whole - together, 0.0)


def centred(values: Floats) -> Floats:
    return values - fsum(values.tolist()) / len(values)
