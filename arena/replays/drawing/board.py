"""The empty board: sea, land, territories with colour and pattern, lakes, names, and the score track around it."""

from functools import cache
from typing import Any, Final
from xml.sax.saxutils import escape

from arena.replays.drawing import motifs, track
from arena.replays.drawing.geometry import path, short
from arena.replays.drawing.symbols import symbol
from engine import load_board

VIEW_BOX: Final = (-50, -50, 1100, 800)
_SERIF: Final = "Georgia,'DejaVu Serif',serif"

# light, dark (towards the lower edge), rim, and the lines of the pattern
_PAINT: Final = {
    "jungle": ("#3c7a5b", "#2a5c45", "#0c2a1c"),
    "desert": ("#f8efcf", "#ead9a6", "#7a5a1c"),
    "mountains": ("#b9abd0", "#9c8cb8", "#2c2742"),
    "fields": ("#b4d94e", "#98c232", "#34480a"),
    "city": ("#e99c77", "#d67f55", "#5a1d0a"),
}
_PATTERNS: Final = {
    "jungle": '<path d="M2 6q2-3 4 0M10 13q2-3 4 0" stroke="#6ea98a"/>',
    "desert": '<path d="M3 4h.01M11 9h.01M6 14h.01M14 2h.01" stroke="#b98a2f" stroke-width="1.5"/>',
    "mountains": '<path d="M0 16 16 0M-2 2 2-2M14 18l4-4" stroke="#7a6b9c"/>',
    "fields": '<path d="M0 4q4-3 8 0t8 0M0 12q4-3 8 0t8 0" stroke="#7d9a1c"/>',
    "city": '<path d="M0 5h16M0 13h16M4 5v8M12 13v3M12 0v5" stroke="#b4603a"/>',
}


@cache
def board_svg(board_id: str = "aztlan") -> str:
    """The whole picture, a document of its own."""
    raw = load_board(board_id).raw
    x, y, width, height = VIEW_BOX
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {width} {height}">{layers(raw)}</svg>'
    )


def layers(raw: dict[str, Any]) -> str:
    """What the picture consists of, from the bottom up."""
    return "".join((_definitions(raw), _frame(), _sea(), _land(raw), _lakes(raw), _borders(raw), _names(raw)))


def shapes(raw: dict[str, Any]) -> list[str]:
    """The outlines of the territories as SVG paths, in the board's order."""
    return [path(one["polygon"]) for one in raw["territories"]]


def _definitions(raw: dict[str, Any]) -> str:
    parts = [motifs.definitions()]
    for kind, (light, dark, _) in _PAINT.items():
        parts.append(
            f'<linearGradient id="g-{kind}" x1="0" y1="0" x2=".3" y2="1"><stop stop-color="{light}"/>'
            f'<stop offset="1" stop-color="{dark}"/></linearGradient>'
            f'<pattern id="p-{kind}" width="16" height="16" patternUnits="userSpaceOnUse">'
            f'<g fill="none" stroke-width=".8" stroke-linecap="round" opacity=".38">{_PATTERNS[kind]}</g></pattern>'
        )
    parts.append(
        '<radialGradient id="sea" cx="50%" cy="46%" r="70%"><stop stop-color="#3f93a3"/><stop offset=".62" '
        'stop-color="#1f6076"/><stop offset="1" stop-color="#123f52"/></radialGradient>'
        '<radialGradient id="lake" cx="42%" cy="34%" r="75%"><stop stop-color="#7cc0f2"/><stop offset="1" '
        'stop-color="#2474c4"/></radialGradient><pattern id="waves" width="54" height="30" '
        'patternUnits="userSpaceOnUse"><path d="M4 9q4-4 8 0t8 0M30 24q4-4 8 0t8 0" fill="none" stroke="#bfe6ea" '
        'stroke-width="1" opacity=".2" stroke-linecap="round"/></pattern><linearGradient id="wood" x2="0" y2="1">'
        '<stop stop-color="#7a4a26"/><stop offset=".5" stop-color="#5b3317"/><stop offset="1" stop-color="#47260f"/>'
        '</linearGradient><pattern id="fret" width="16" height="7" patternUnits="userSpaceOnUse"><path d="M0 6.5h4v-4'
        'h4v2M8 6.5h8" fill="none" stroke="#e3b04b" stroke-width="1.2"/></pattern>'
    )
    parts.append(f'<path id="coast" d="{path(raw["coastline"])}"/>')
    for number, shape in enumerate(shapes(raw)):
        parts.append(f'<path id="t{number}" d="{shape}"/><clipPath id="c{number}"><use href="#t{number}"/></clipPath>')
    parts.append(f'<clipPath id="land"><use href="#coast"/></clipPath>')
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
    shoals = "".join(
        f'<use href="#coast" stroke="{colour}" stroke-width="{width}" opacity="{opacity}"/>'
        for colour, width, opacity in (
            ("#bfe6e6", 62, 0.06),
            ("#bfe6e6", 44, 0.09),
            ("#cdf0ec", 28, 0.13),
            ("#e4f8f0", 15, 0.25),
            ("#f7edcf", 7, 1),
        )
    )
    return (
        '<svg x="-2" y="-2" width="1004" height="704" viewBox="-2 -2 1004 704">'
        '<rect x="-2" y="-2" width="1004" height="704" fill="url(#sea)"/>'
        '<rect x="-2" y="-2" width="1004" height="704" fill="url(#waves)"/>'
        f'<use href="#coast" transform="translate(5 9)" fill="#06202b" opacity=".35"/>'
        f'<g fill="none" stroke-linejoin="round">{shoals}</g>{_rose(948, 648)}</svg>'
    )


def _rose(x: int, y: int) -> str:
    """A compass rose for an empty corner of the sea."""
    long = "".join(f'<path d="M0-34 5-7 0 0-5-7z" transform="rotate({turn})"/>' for turn in (0, 90, 180, 270))
    brief = "".join(f'<path d="M0-22 4-6 0 0-4-6z" transform="rotate({turn})"/>' for turn in (45, 135, 225, 315))
    return (
        f'<g transform="translate({x} {y})" opacity=".8"><circle r="26" fill="none" stroke="#e9cf92" opacity=".7"/>'
        f'<circle r="29" fill="none" stroke="#e9cf92" stroke-width=".6" opacity=".6"/><g fill="#9fc7cc">{brief}</g>'
        f'<g fill="#f3dfae">{long}</g><path d="M0-34 5-7 0 0z" fill="#c8542c"/><circle r="3" fill="#7a4a26"/></g>'
    )


def _land(raw: dict[str, Any]) -> str:
    drawn = []
    for number, one in enumerate(raw["territories"]):
        kind = one["type"]
        drawn.append(
            f'<use href="#t{number}" fill="url(#g-{kind})"/><use href="#t{number}" fill="url(#p-{kind})"/>'
            f'<use href="#t{number}" fill="none" stroke="{_PAINT[kind][2]}" stroke-width="14" opacity=".1" '
            f'clip-path="url(#c{number})"/><use href="#t{number}" fill="none" stroke="{_PAINT[kind][2]}" '
            f'stroke-width="6" opacity=".2" clip-path="url(#c{number})"/>{motifs.scatter(one)}'
        )
    return "".join(drawn)


def _lakes(raw: dict[str, Any]) -> str:
    drawn = []
    for number, lake in enumerate(raw["lakes"]):
        x, y = lake["label"]
        drawn.append(
            f'<path id="lake{number}" d="{path(lake["polygon"])}" fill="url(#lake)" stroke="#f7edcf" '
            f'stroke-width="4" stroke-linejoin="round"/><use href="#lake{number}" fill="none" stroke="#134a86" '
            'stroke-width="1.4"/>'
            f'<g fill="none" stroke="#e4f3ff" stroke-width="1.5" stroke-linecap="round" opacity=".75">'
            f'<path d="M{short(x - 30)} {short(y - 17)}q4-4 8 0t8 0M{short(x + 8)} {short(y + 16)}q4-4 8 0t8 0'
            f'M{short(x + 4)} {short(y - 26)}q3-3 6 0t6 0M{short(x - 26)} {short(y + 24)}q3-3 6 0t6 0"/></g>'
        )
    return "".join(drawn)


def _borders(raw: dict[str, Any]) -> str:
    lines = "".join(path(one["points"], closed=False) for one in raw["borders"])
    return (
        f'<path id="borders" d="{lines}" fill="none" stroke-linecap="round" stroke-linejoin="round"/>'
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
            f"{symbol('type-' + one['type'], at_x, at_y, 19)}"
            f'<text x="{x}" y="{short(y + 4)}" font-size="{one["fontSize"] + 0.8}" font-weight="bold" fill="#2b1a0b" '
            f'stroke="#fffaf0" stroke-width="3.4">{escape(one["name"])}</text>'
        )
    for lake in raw["lakes"]:
        x, y = lake["label"]
        drawn.append(
            f'<text x="{x}" y="{short(y + 4)}" font-size="12" font-style="italic" fill="#fff" stroke="#12508f" '
            f'stroke-width="3">{escape(lake["name"])}</text>'
        )
    return (
        f'<g font-family="{_SERIF}" text-anchor="middle" paint-order="stroke" stroke-linejoin="round">'
        f"{''.join(drawn)}</g>"
    )
