"""The empty board: sea, land, territories with colour and pattern, lakes, names, the score track around."""

from functools import cache
from typing import Any, Final
from xml.sax.saxutils import escape

from arena.replays.drawing import motifs, track
from arena.replays.drawing.geometry import path, short
from arena.replays.drawing.symbols import definitions, symbol
from engine import load_board

VIEW_BOX: Final = (-50, -50, 1100, 800)
_SERIF: Final = "Georgia,'DejaVu Serif',serif"


@cache
def board_svg(board_id: str = "aztlan") -> str:
    """Return the whole picture as an SVG document."""
    raw = load_board(board_id).raw
    x, y, width, height = VIEW_BOX
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {width} {height}">{layers(raw)}</svg>'


def layers(raw: dict[str, Any]) -> str:
    """Return the parts of the picture, from the bottom up."""
    return "".join((_definitions(raw), _frame(), _sea(), _land(raw), _lakes(raw), _borders(), _names(raw)))


def shapes(raw: dict[str, Any]) -> list[str]:
    """Return the outlines of the territories as SVG paths, in the board's order."""
    return [path(one["polygon"]) for one in raw["territories"]]


def _definitions(raw: dict[str, Any]) -> str:
    parts = [
        definitions("paint.svg"),
        motifs.markers(),
        f'<path id="coast" d="{path(raw["coastline"])}"/>',
        f'<path id="shoal" d="{path(raw["coastline"][::6])}"/>',
        f'<path id="borders" d="{"".join(path(one["points"], closed=False) for one in raw["borders"])}"/>',
    ]
    for number, shape in enumerate(shapes(raw)):
        parts.append(f'<path id="t{number}" d="{shape}"/>')
    return f"<defs>{''.join(parts)}</defs>"


def _frame() -> str:
    x, y, width, height = VIEW_BOX
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="16" fill="url(#wood)"/>'
        f'<rect x="{x + 2.5}" y="{y + 2.5}" width="{width - 5}" height="{height - 5}" rx="14" fill="none" '
        f'stroke="#e3b04b" stroke-width="1.5" opacity=".7"/>{track.draw()}'
        '<rect x="-11" y="-11" width="1022" height="722" rx="9" fill="#33190a"/>'
        '<rect x="-9" y="-9" width="1018" height="718" rx="8" fill="url(#fret)"/>'
    )


def _sea() -> str:
    # These strokes are wide and soft: every sixth corner is enough, and makes them faster to draw.
    shoals = "".join(
        f'<use href="#shoal" stroke="{colour}" stroke-width="{width}" opacity="{opacity}"/>'
        for colour, width, opacity in (
            ("#bfe6e6", 62, 0.06),
            ("#bfe6e6", 44, 0.09),
            ("#cdf0ec", 28, 0.13),
            ("#e4f8f0", 15, 0.25),
        )
    )
    return (
        '<svg x="-2" y="-2" width="1004" height="704" viewBox="-2 -2 1004 704">'
        '<rect x="-2" y="-2" width="1004" height="704" fill="url(#sea)"/>'
        '<rect x="-2" y="-2" width="1004" height="704" fill="url(#waves)"/>'
        f'<use href="#coast" transform="translate(5 9)" fill="#06202b" opacity=".35"/>'
        f'<g fill="none" stroke-linejoin="round">{shoals}<use href="#coast" stroke="#f7edcf" '
        'stroke-width="7"/></g><use href="#rose" x="948" y="648"/></svg>'
    )


def _land(raw: dict[str, Any]) -> str:
    """Territories by type, so that each pattern is laid once; a soft shade along all borders; the motifs."""
    outlines, drawn = shapes(raw), []
    for kind in (one["id"] for one in raw["types"]):
        some = [number for number, one in enumerate(raw["territories"]) if one["type"] == kind]
        drawn += [f'<use href="#t{number}" fill="url(#g-{kind})"/>' for number in some]
        drawn.append(f'<path d="{"".join(outlines[number] for number in some)}" fill="url(#p-{kind})"/>')
    shades = "".join(
        f'<use href="#borders" stroke-width="{width}" stroke-opacity="{opacity}"/>'
        for width, opacity in ((15, 0.1), (7, 0.16))
    )
    return (
        f'{"".join(drawn)}<g fill="none" stroke="#3a2410" stroke-linejoin="round">{shades}</g>'
        f"{''.join(motifs.scatter(one) for one in raw['territories'])}"
    )


def _lakes(raw: dict[str, Any]) -> str:
    drawn = []
    for number, lake in enumerate(raw["lakes"]):
        x, y = lake["label"]
        drawn.append(
            f'<path id="lake{number}" d="{path(lake["polygon"])}" fill="url(#lake)" stroke="#f7edcf" '
            'stroke-width="4" stroke-linejoin="round"/>'
            f'<use href="#lake{number}" fill="none" stroke="#134a86" stroke-width="1.4"/>'
            f'<use href="#ripples" x="{x}" y="{y}"/>'
        )
    return "".join(drawn)


def _borders() -> str:
    return (
        '<g fill="none" stroke-linejoin="round" stroke-linecap="round">'
        '<use href="#borders" stroke="#fff6df" stroke-width="3.6" opacity=".75"/>'
        '<use href="#borders" stroke="#4a2b12" stroke-width="1.7"/>'
        '<use href="#coast" stroke="#4a2b12" stroke-width="2.6"/></g>'
    )


def _names(raw: dict[str, Any]) -> str:
    drawn = []
    for one in raw["territories"]:
        (x, y), (at_x, at_y) = one["label"], one["icon"]
        drawn.append(
            f'<circle cx="{at_x}" cy="{at_y}" r="12.2" fill="#fffaf0" stroke="#3a2410" stroke-width="1.4"/>'
            f"{symbol('type-' + one['type'], at_x, at_y, 19)}<text {_at(x, y)} "
            f'font-size="{one["fontSize"] + 0.8}" font-weight="bold" fill="#2b1a0b" stroke="#fffaf0" '
            f'stroke-width="3.4">{escape(one["name"])}</text>'
        )
    drawn += [
        f'<text {_at(*lake["label"])} font-size="12" font-style="italic" fill="#fff" stroke="#12508f" '
        f'stroke-width="3">{escape(lake["name"])}</text>'
        for lake in raw["lakes"]
    ]
    return (
        f'<g font-family="{_SERIF}" text-anchor="middle" paint-order="stroke" stroke-linejoin="round">'
        f"{''.join(drawn)}</g>"
    )


def _at(x: float, y: float) -> str:
    return f'x="{x}" y="{short(y + 4)}"'
