"""Everything on the board: pawns, counters on the score track, what has just changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from arena.replays.drawing import track
from arena.replays.drawing.empty_board import VIEW_BOX, layers, shapes
from arena.replays.drawing.geometry import Point, short
from arena.replays.drawing.symbols import symbol
from engine.board import Board

COLOURS: Final = ("#d2401f", "#0a8f9c", "#f5b817", "#5a31a6")


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture to be drawn. `pawns` is by side and territory, `domains` are (side, territories)."""

    board: Board
    seats: int
    pawns: Mapping[tuple[int, int], int] = field(default_factory=dict)
    scores: Sequence[int] = ()
    arrivals: Sequence[int] = ()
    sides: Sequence[int] = ()
    lit: Sequence[int] = ()
    domains: Sequence[tuple[int, Sequence[int]]] = ()
    marks: Mapping[int, str] = field(default_factory=dict)
    arrows: Sequence[tuple[int, int, int]] = ()
    """(side, from, to)"""
    links: Sequence[tuple[int, int]] = ()


def tribe(seats: int, side: int) -> int:
    """Return which tribe's sign a side has: with two seats a side is a pair of tribes."""
    return side * 2 if seats == 2 else side


def draw(
    scene: Scene, window: tuple[float, float, float, float] = VIEW_BOX, title: str = "", more: str = ""
) -> str:
    """Draw the scene on its board, cropped to a window. `title` and `more` are markup, already escaped."""
    x, y, width, height = (short(part) for part in window)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {width} {height}" role="img">'
        f"<title>{title}</title>{layers(scene.board.raw)}{things(scene)}{more}</svg>"
    )


def things(scene: Scene) -> str:
    """Draw everything except the board itself."""
    outlines = shapes(scene.board.raw)
    parts = [
        f'<path d="{outlines[t]}" fill="#fff" fill-opacity=".35" stroke="#fff" stroke-width="4"/>'
        for t in scene.lit
    ]
    parts += [_domain(outlines, COLOURS[tribe(scene.seats, side)], some) for side, some in scene.domains]
    parts += [_link(scene, a, b) for a, b in scene.links]
    parts += [_pawns(scene, side, t, count) for (side, t), count in sorted(scene.pawns.items()) if count]
    parts += [_arrow(scene, *arrow) for arrow in scene.arrows]
    parts += [symbol(f"mark-{name}", *_icon(scene, t), 32) for t, name in scene.marks.items()]
    return "".join(parts) + _counters(scene)


def _icon(scene: Scene, t: int) -> Point:
    x, y = scene.board.raw["territories"][t]["icon"]
    return x, y


def slot(scene: Scene, side: int, t: int) -> Point:
    """Return where a side's pawns stand in a territory."""
    places = scene.board.raw["territories"][t]["pawns"]
    if scene.seats == 2 and places[1][1] == places[2][1]:
        side += 1
    x, y = places[side]
    return x, y


def _pawns(scene: Scene, side: int, t: int, count: int) -> str:
    x, y = slot(scene, side, t)
    name = f"pawn-{tribe(scene.seats, side)}"
    if count == 1:
        return symbol(name, x, y, 30)
    return (
        symbol(name, x + 2.4, y - 2.8, 30) + symbol(name, x, y, 30)
        + f'<circle cx="{short(x)}" cy="{short(y + 13)}" r="7.4" fill="#fffdf6" stroke="#2b1a0b"/>'
        f'<text x="{short(x)}" y="{short(y + 17)}" font-size="11" font-weight="bold" text-anchor="middle" '
        f'font-family="system-ui,sans-serif" fill="#2b1a0b">{count}</text>'
    )  # fmt: skip


def _domain(outlines: list[str], colour: str, territories: Sequence[int]) -> str:
    """Draw a tint and an outline around it: a wide stroke around each part, with the inside cut out."""
    joined = "".join(outlines[t] for t in territories)
    name = "d" + "-".join(str(t) for t in territories)
    x, y, width, height = VIEW_BOX
    area = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    rings = "".join(
        f'<mask id="{name}-{wide}" maskUnits="userSpaceOnUse" {area}><path d="{joined}" fill="#fff" '
        f'stroke="#fff" stroke-width="{wide}" stroke-linejoin="round"/><path d="{joined}"/></mask>'
        f'<rect {area} fill="{paint}" mask="url(#{name}-{wide})"/>'
        for wide, paint in ((16, "#fffdf4"), (9, colour))
    )
    return f'<path d="{joined}" fill="{colour}" opacity=".25"/>{rings}'


def _arrow(scene: Scene, side: int, start: int, end: int) -> str:
    (ax, ay), (bx, by) = slot(scene, side, start), slot(scene, side, end)
    length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5 or 1
    ux, uy = (bx - ax) / length, (by - ay) / length
    tip = (bx - ux * 16, by - uy * 16)
    line = f"M{short(ax)} {short(ay)}L{short(tip[0])} {short(tip[1])}"
    wings = "".join(
        f"M{short(tip[0])} {short(tip[1])}l{short(-9 * ux - turn * 6 * uy)} {short(-9 * uy + turn * 6 * ux)}"
        for turn in (1, -1)
    )
    return (
        f'<g fill="none" stroke-linecap="round"><path d="{line}{wings}" stroke="#fff" stroke-width="8"/>'
        f'<path d="{line}{wings}" stroke="#1c1208" stroke-width="3.6"/></g>'
    )


def _link(scene: Scene, a: int, b: int) -> str:
    """Draw a route across a lake on which both territories lie, with a canoe on it."""
    (ax, ay), (bx, by) = _icon(scene, a), _icon(scene, b)
    x, y = lake_between(scene.board, a, b)
    way = f"M{short(ax)} {short(ay)}Q{short(x)} {short(y)} {short(x)} {short(y)}T{short(bx)} {short(by)}"
    return (
        f'<path d="{way}" fill="none" stroke="#12508f" stroke-width="9" stroke-opacity=".55"/>'
        f'<path d="{way}" fill="none" stroke="#fff6df" stroke-width="5" stroke-dasharray="9 7"/>'
        f"{symbol('card-5', x, y - 22, 40)}"
    )


def lake_between(board: Board, a: int, b: int) -> Point:
    """Return the middle of the first lake on which both territories lie."""
    number = next(number for number, shores in enumerate(board.lakes) if a in shores and b in shores)
    x, y = board.raw["lakes"][number]["label"]
    return x, y


def _counters(scene: Scene) -> str:
    spaces = [score % track.SPACES for score in scene.scores]
    heights: dict[int, int] = {}
    drawn = []
    for seat in sorted(range(len(scene.scores)), key=lambda seat: scene.arrivals[seat]):
        space = spaces[seat]
        height = heights.get(space, 0)
        heights[space] = height + 1
        x, y = track.stand(space, height, spaces.count(space))
        drawn.append(symbol(f"pawn-{tribe(scene.seats, scene.sides[seat])}", x, y, 25))
    return "".join(drawn)


def scene_of(board: Board, position: dict[str, Any], events: Sequence[dict[str, Any]]) -> Scene:
    """Return the scene of a replay's position, with what its step changed."""
    marks = {"battle_declared": "battle", "coexistence": "peace", "conflict_tied": "tie"}
    size = position["size"]
    placed = [one["territory"] for one in events if one["kind"] in ("pawn_placed", "eagle_placed")]
    moved = [one["to"] for one in events if one["kind"] == "pawn_moved"]
    return Scene(
        board,
        len(position["scores"]),
        {divmod(int(at), size): count for at, count in position["pawns"].items()},
        position["scores"],
        position["arrivals"],
        position["side_of"],
        lit=placed + moved,
        domains=[
            (position["side_of"][one["seat"]], one["territories"])
            for one in events
            if one["kind"] == "domain_scored" and one["points"]
        ],
        marks={one["territory"]: marks[one["kind"]] for one in events if one["kind"] in marks},
        arrows=[(one["side"], one["from"], one["to"]) for one in events if one["kind"] == "pawn_moved"],
        links=[divmod(link, 64) for link in position["rafts"]],
    )
