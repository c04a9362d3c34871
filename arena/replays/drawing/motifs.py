"""The little trees, dunes, peaks, terraces and temples that fill a territory around its name and pawns."""

import random
import re
from collections.abc import Iterator
from typing import Any, Final

from arena.replays.drawing.geometry import Point, distance_to_edge, inside, path
from arena.replays.drawing.symbols import definitions

_SPACING: Final = 19.0
_SIZES: Final = (0.9, 1.1)


def scatter(territory: dict[str, Any]) -> str:
    """Cover a territory with motifs of its type: one line per kind, along which the browser draws it."""
    rng = random.Random(territory["id"])
    lines: dict[str, list[Point]] = {}
    for spot in sorted(_spots(territory, rng), key=lambda spot: spot[1]):
        form = "-b" if rng.random() < 0.3 else ""
        size = rng.randrange(len(_SIZES))
        lines.setdefault(f"m-{territory['type']}{form}-{size}", []).append(spot)
    return "".join(
        f'<path d="{path([*spots, spots[-1]], closed=False)}" fill="none" {_markers(name)}/>'
        for name, spots in sorted(lines.items())
    )


def _markers(name: str) -> str:
    """Put a motif at each corner but the last, which exists only so that a single motif makes a line."""
    return f'marker-start="url(#{name})" marker-mid="url(#{name})"'


def markers() -> str:
    """The motifs in each size, to be set along lines: a tenth of the work that a copy of each would be."""
    parts = []
    for kind, drawing in re.findall(r'<g id="m-([\w-]+)">(.*?)</g>', definitions("motifs.svg")):
        parts += [
            f'<marker id="m-{kind}-{number}" markerUnits="userSpaceOnUse" markerWidth="20" markerHeight="20" '
            f'overflow="visible"><g transform="scale({size})">{drawing}</g></marker>'
            for number, size in enumerate(_SIZES)
        ]
    return "".join(parts)


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
    """Return whether the place is needed for the name, the type's sign or a pawn."""
    x, y = spot
    label_x, label_y = territory["label"]
    half = len(territory["name"]) * territory["fontSize"] * 0.3 + 9
    if abs(x - label_x) < half and abs(y + 1 - label_y) < 13:
        return True
    icon_x, icon_y = territory["icon"]
    if (x - icon_x) ** 2 + (y - icon_y) ** 2 < 19**2:
        return True
    return any((x - px) ** 2 + (y - 1 - py) ** 2 < 19.5**2 for px, py in territory["pawns"])
