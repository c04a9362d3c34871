"""Small drawings of ratings, as numbers for SVG. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

Point = tuple[float, float]

FARTHEST: Final = 400.0
"""Elo points that an axis shows beyond the bots on it."""


def points(values: Sequence[float], width: float, height: float, low: float, high: float) -> list[Point]:
    """Spread values over a width; `low` is at the bottom, `high` at the top."""
    span = (high - low) or 1.0
    step = width / max(len(values) - 1, 1)
    return [
        (round(i * step, 1), round(height - (value - low) / span * height, 1))
        for i, value in enumerate(values)
    ]


def as_text(spread: Sequence[Point]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in spread)


def sparkline(values: Sequence[float], width: float = 96, height: float = 24) -> str:
    """The points of a line through the latest ratings; empty where there is no line yet."""
    if len(values) < 2:
        return ""
    return as_text(points(values, width, height, min(values), max(values)))


@dataclass(frozen=True)
class Tick:
    y: float
    label: str


@dataclass(frozen=True)
class Chart:
    """A rating's history: the line, the band in which the strength lies, and the scale beside it."""

    width: int
    height: int
    line: str
    band: str
    ticks: list[Tick]


def history_chart(
    ratings: Sequence[float],
    lows: Sequence[float],
    highs: Sequence[float],
    width: int = 720,
    height: int = 260,
) -> Chart | None:
    """Draw a history; None where there is too little of it."""
    if len(ratings) < 2:
        return None
    # After the first games the band is far wider than the line: the scale follows the line and the latest
    # band, and what does not fit is cut.
    low = min(min(ratings) - 100, max(lows[-1], min(ratings) - FARTHEST))
    high = max(max(ratings) + 100, min(highs[-1], max(ratings) + FARTHEST))
    upper = points([min(value, high) for value in highs], width, height, low, high)
    lower = points([max(value, low) for value in lows], width, height, low, high)
    return Chart(
        width,
        height,
        as_text(points(ratings, width, height, low, high)),
        as_text([*upper, *reversed(lower)]),
        [Tick(points([mark], width, height, low, high)[0][1], f"{mark:.0f}") for mark in marks(low, high)],
    )


@dataclass(frozen=True)
class Axis:
    """The part of the scale that the bars of one page show."""

    low: float
    high: float


@dataclass(frozen=True)
class Bar:
    low: float
    mean: float
    high: float


def axis_of(intervals: Sequence[tuple[float, float, float]]) -> Axis:
    """Return an axis with all means (low, mean, high), and with the ends that are not far off."""
    means = [mean for _, mean, _ in intervals] or [0.0]
    low = max(min([low for low, _, _ in intervals] or [0.0]), min(means) - FARTHEST)
    high = min(max([high for _, _, high in intervals] or [1.0]), max(means) + FARTHEST)
    return Axis(low, max(high, low + 1.0))


def bar(axis: Axis, mean: float, low: float, high: float, width: float = 120) -> Bar:
    """Draw an interval on an axis; what does not fit is cut."""
    ends = (min(max(value, axis.low), axis.high) for value in (low, mean, high))
    return Bar(*(round((value - axis.low) / (axis.high - axis.low) * width, 1) for value in ends))


def marks(low: float, high: float) -> list[float]:
    """Return round numbers between two values, four to nine of them."""
    step = next(step for step in (25, 50, 100, 200, 500, 1000, 10_000) if (high - low) / step <= 9)
    first = int(low // step + 1) * step
    return [float(mark) for mark in range(first, int(high) + 1, step)]
