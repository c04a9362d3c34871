"""Points, polygons and SVG paths."""

import math
from collections.abc import Iterable, Sequence

Point = tuple[float, float]


def short(number: float) -> str:
    """Format a coordinate in as few characters as possible."""
    return f"{number:.1f}".rstrip("0").rstrip(".") or "0"


def path(polygon: Sequence[Sequence[float]], closed: bool = True) -> str:
    """Return an SVG path in relative steps, which is half as long as one in absolute coordinates."""
    x, y = round(polygon[0][0] * 10), round(polygon[0][1] * 10)
    parts = [f"M{short(x / 10)} {short(y / 10)}l"]
    for point in polygon[1:]:
        dx, dy = round(point[0] * 10) - x, round(point[1] * 10) - y
        x, y = x + dx, y + dy
        for step in (dx, dy):
            text = short(step / 10).replace("0.", ".", 1) if abs(step) < 10 else short(step / 10)
            parts.append(text if text.startswith("-") or parts[-1].endswith("l") else f" {text}")
    return "".join(parts) + ("z" if closed else "")


def inside(point: Point, polygon: Sequence[Sequence[float]]) -> bool:
    """Return whether the point lies in the polygon (even-odd rule)."""
    x, y = point
    found = False
    for (ax, ay), (bx, by) in _edges(polygon):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            found = not found
    return found


def distance_to_edge(point: Point, polygon: Sequence[Sequence[float]]) -> float:
    """Return the distance to the nearest corner of the outline; outlines have a corner every few units."""
    return min(math.hypot(point[0] - x, point[1] - y) for x, y in polygon)


def _edges(polygon: Sequence[Sequence[float]]) -> Iterable[tuple[Sequence[float], Sequence[float]]]:
    return zip(polygon, [*polygon[1:], polygon[0]], strict=True)
