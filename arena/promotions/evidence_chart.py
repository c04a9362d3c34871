"""A drawing of a test's evidence, as numbers for SVG. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.ladders.charts import as_text, points
from contests.sequential import Evidence, Plan

BEYOND: Final = 1.15
"""How far the drawing reaches, where 1 is enough evidence."""
MOST_POINTS: Final = 300


@dataclass(frozen=True)
class EvidenceChart:
    """Two lines: evidence for "better" rises to the upper bound, for "not better" it falls to the lower."""

    width: int
    height: int
    better: str
    not_better: str
    upper: float
    middle: float
    lower: float


def evidence_chart(
    steps: Sequence[Evidence], plan: Plan, width: int = 720, height: int = 260
) -> EvidenceChart | None:
    """Draw the evidence over the sets; None before the first one."""
    if not steps:
        return None
    shown = thinned([Evidence(), *steps])
    up = [one.log_better / -math.log(plan.alpha) for one in shown]
    down = [-one.log_not_better / -math.log(plan.beta) for one in shown]

    def line(values: Sequence[float]) -> str:
        cut = [min(max(value, -BEYOND), BEYOND) for value in values]
        return as_text(points(cut, width, height, -BEYOND, BEYOND))

    upper, middle, lower = (y for _, y in points([1.0, 0.0, -1.0], width, height, -BEYOND, BEYOND))
    return EvidenceChart(width, height, line(up), line(down), upper, middle, lower)


def thinned(steps: Sequence[Evidence]) -> list[Evidence]:
    """Return evenly spread steps, not too many, with the last one."""
    stride = -(-len(steps) // MOST_POINTS)
    return [*steps[:-1:stride], steps[-1]]
