"""The little trees, dunes, peaks, terraces and temples that fill a territory around its name and its pawns."""

import random
from collections.abc import Iterator
from typing import Any, Final

from arena.replays.drawing.geometry import Point, distance_to_edge, inside, short

# Drawn around their foot, some 16 wide; `-b` is the rarer second form.
SHAPES: Final = {
    "jungle": '<path d="M-.8 4V0h1.6v4z" fill="#173b29"/><circle cx="-2.8" cy="-1" r="3.3" fill="#24543c"/>'
    '<circle cx="2.8" cy="-1" r="3.3" fill="#245a3f"/><circle cy="-4" r="3.9" fill="#3d7d5c"/>'
    '<path d="M-2-5.4a2.6 2.6 0 0 1 2-1.4" stroke="#7fb596" stroke-width=".9" fill="none" stroke-linecap="round"/>',
    "jungle-b": '<path d="M0 4C-.6 0 .6-2 0-5" stroke="#173b29" stroke-width="1.3" fill="none"/>'
    '<path d="M0-5C-4-8-7-5-7.5-2.6-5-4.6-2-4.8 0-5zM0-5c4-3 7 0 7.5 2.4C5-4.6 2-4.8 0-5zM0-5c-2 2-3 4-2.8 5.6'
    'C-1.6-1 0-2.6 0-5zM0-5c2 2 3 4 2.8 5.6C1.6-1 0-2.6 0-5z" fill="#4b936e"/>',
    "desert": '<path d="M-9 3Q-3-4 1.5-1.6 5 0 9 3" fill="none" stroke="#cfa557" stroke-width="1.2" '
    'stroke-linecap="round"/><path d="M1.5-1.6Q2 1 0 3.4" fill="none" stroke="#dfc180" stroke-width="1"/>',
    "desert-b": '<path d="M0 4V-5M-3.6-2v1.6q0 1.6 3.6 1.6M3.4-3.4V-2Q3.4 0 0 0" fill="none" stroke="#8c9a4e" '
    'stroke-width="2" stroke-linecap="round"/>',
    "mountains": '<path d="M-8.5 4-1-7 2.4-1.6 4-3.6 9 4z" fill="#8b7cab"/><path d="M-1-7-8.5 4H-2z" fill="#a99bc6"/>'
    '<path d="M-1-7-3.2-3.7-1.6-4.3-.6-2.9.6-4.5z" fill="#f3effa"/>',
    "mountains-b": '<path d="M-5.5 4 0-4 5.5 4z" fill="#9184b3"/><path d="M0-4-5.5 4H-1z" fill="#b4a8cf"/>',
    "fields": '<path d="M-9 3.6Q-4 .6 0 3.6T9 3.6M-7 .2Q-3-2.8 0 .2T7 .2M-4.5-3.2Q-2-5.4 0-3.2T4.5-3.2" fill="none" '
    'stroke="#76911a" stroke-width="1.150" stroke-linecap="round"/>',
    "fields-b": '<path d="M-4 4v-8M0 4v-9.5M4 4v-8" stroke="#5f7a10" stroke-width="1" stroke-linecap="round"/>'
    '<path d="M-4-1.5q-2.5-.5-2.5-3 2.5.4 2.5 3zM0-2.5q2.6-.5 2.6-3.2Q0-5.3 0-2.5zM4-1.5q2.5-.5 2.5-3-2.5.4-2.5 3z" '
    'fill="#7f9c1b"/><path d="M0-5.5v-2M-4-4v-1.6M4-4v-1.6" stroke="#e5bd2e" stroke-width="1.7" stroke-linecap="round"/>',
    "city": '<path d="M-8 4V1.8h2V-.4h2v-2.2h1.8V-5h4.4v2.4H4v2.2h2v2.2h2V4z" fill="#c36a42"/>'
    '<path d="M-8 4V1.8h2V-.4h2v-2.2h1.8V-5H0v9z" fill="#d6845c"/><path d="M-1.2 4v-6.2h2.4V4z" fill="#8e401e"/>',
    "city-b": '<path d="M-5.5 4v-4.5h5V4z" fill="#d6845c"/><path d="M-6.3-.3-3-3.3l3.3 3z" fill="#8e401e"/>'
    '<path d="M1 4V.6h4.4V4z" fill="#c36a42"/><path d="M.3.8 3.2-1.6 6.1.8z" fill="#9c4a26"/>',
}
_SPACING: Final = 19.0


def definitions() -> str:
    """The motifs as SVG groups, to be used by `scatter`."""
    return "".join(f'<g id="m-{name}">{shape}</g>' for name, shape in SHAPES.items())


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
