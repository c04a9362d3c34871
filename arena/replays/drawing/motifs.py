"""The little trees, dunes, peaks, terraces and temples that fill a territory around its name and pawns."""

import random
from collections.abc import Iterator
from typing import Any, Final

from arena.replays.drawing.geometry import Point, distance_to_edge, inside, short

_SPACING: Final = 19.0


def scatter(territory: dict[str, Any]) -> str:
    """Motifs of its type all over a territory, upper ones first so that lower ones stand before them."""
    rng = random.Random(territory["id"])
    drawn = []
    for x, y in sorted(_spots(territory, rng), key=lambda spot: spot[1]):
        name = territory["type"] + ("-b" if rng.random() < 0.3 else "")
        size = short(rng.uniform(0.85, 1.15))
        drawn.append(f'<use href="#m-{name}" transform="translate({short(x)} {short(y)})scale({size})"/>')
    return "".join(drawn)


def _spots(territory: dict[str, Any], rng: random.Random) -> Iterator[Point]:
    polygon = territory["polygon"]
    left, right = min(x for x, _ in polygon), max(x for x, _ in polygon)
    row, y = 0, min(y for _, y in polygon)
    bottom = max(y for _, y in polygon)
    while y < bottom:
        x = left + (_SPACING / 2 if row % 2 else 0)
        while x < right:
            spot = (x + rng.uniform(-4, 4), y + rng.uniform(-3, 3))
            if inside(spot, polygon) and distance_to_edge(spot, polygon) > 11 and not _taken(spot, territory):
                yield spot
            x += _SPACING
        row, y = row + 1, y + _SPACING * 0.8


def _taken(spot: Point, territory: dict[str, Any]) -> bool:
    """Whether the name, the type's sign or a pawn needs the place."""
    x, y = spot
    label_x, label_y = territory["label"]
    half = len(territory["name"]) * territory["fontSize"] * 0.3 + 9
    if abs(x - label_x) < half and abs(y + 1 - label_y) < 13:
        return True
    icon_x, icon_y = territory["icon"]
    if (x - icon_x) ** 2 + (y - icon_y) ** 2 < 19**2:
        return True
    return any((x - px) ** 2 + (y - 1 - py) ** 2 < 19.5**2 for px, py in territory["pawns"])
