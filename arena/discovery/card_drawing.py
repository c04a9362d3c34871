"""Cards: PNG pictures that other sites show beside a link (docs/adr/0035). Pure functions without Django."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import Any, Final
from unicodedata import combining, normalize

from PIL import Image, ImageDraw, ImageFont

from engine.boardfile import load_board

WIDTH: Final = 1200
HEIGHT: Final = 630
MARGIN: Final = 64
FINE: Final = 2
"""Drawn this many times as large and then reduced, so that edges are smooth."""
GROUND: Final = "#14201d"
INK: Final = "#f6ead2"
FAINT: Final = "#b7ab93"
GOLD: Final = "#e3b04b"
TRIBES: Final = ("#d2401f", "#0a8f9c", "#f5b817", "#5a31a6")
LAND: Final = {
    "jungle": "#2f6b4f", "desert": "#e6d3a0", "mountains": "#9f8fc0", "fields": "#9cbf3a", "city": "#d27a55",
}  # fmt: skip
BOARD: Final = (640, 96, 500, 350)
"""Where a board is drawn: x, y, width, height."""
WIDE_FONT: Final = "DejaVuSans.ttf"
ROWS: Final = 5
ROW_HEIGHT: Final = 56


@dataclass(frozen=True)
class CardRow:
    """A line of a card, with the colour of a tribe if it is a player's."""

    text: str
    value: str = ""
    tribe: int | None = None
    is_first: bool = False


@dataclass(frozen=True)
class CardContent:
    """What a card says. `pawns` is a board's position: (side's tribe, territory) for each pile."""

    kind: str
    title: str
    subtitle: str
    rows: tuple[CardRow, ...] = ()
    board_id: str = ""
    pawns: tuple[tuple[int, int], ...] = ()


class Pen:
    """Draws in the units of the card."""

    def __init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), GROUND)
        self.draw = ImageDraw.Draw(self.image)

    def box(self, x: float, y: float, wide: float, high: float, **style: Any) -> None:
        self.draw.rectangle([x * FINE, y * FINE, (x + wide) * FINE, (y + high) * FINE], **style)

    def disc(self, x: float, y: float, radius: float, **style: Any) -> None:
        corners = [(x - radius) * FINE, (y - radius) * FINE, (x + radius) * FINE, (y + radius) * FINE]
        self.draw.ellipse(corners, **style)

    def polygon(self, points: Sequence[tuple[float, float]], **style: Any) -> None:
        self.draw.polygon([(x * FINE, y * FINE) for x, y in points], **style)

    def text(
        self, x: float, y: float, words: str, size: int, colour: str, room: float, anchor: str = "la"
    ) -> None:
        """Write a line, shortened to the room that it has."""
        self.draw.text((x * FINE, y * FINE), shortened(words, size, room), colour, font(size), anchor=anchor)

    def png(self) -> bytes:
        out = BytesIO()
        self.image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).save(out, "PNG", optimize=True)
        return out.getvalue()


@cache
def font(size: int) -> Any:
    """DejaVu Sans, which has most of the world's letters, or else the font that comes with Pillow."""
    try:
        return ImageFont.truetype(WIDE_FONT, size * FINE)
    except OSError:
        return ImageFont.load_default(size * FINE)


def readable(words: str) -> str:
    """Return the words as the font can write them: Pillow's own has no accents."""
    if WIDE_FONT in str(getattr(font(1), "path", "")):
        return words
    return "".join(sign for sign in normalize("NFKD", words) if not combining(sign))


def shortened(words: str, size: int, room: float) -> str:
    """Return the words, cut with an ellipsis where they are wider than the room."""
    line = readable(" ".join(words.split())[:200])
    if font(size).getlength(line) <= room * FINE:
        return line
    while line and font(size).getlength(f"{line}…") > room * FINE:
        line = line[:-1]
    return f"{line.rstrip()}…"


def draw_card(content: CardContent) -> bytes:
    """Return a card as a PNG file."""
    pen = Pen()
    pen.box(0, 0, WIDTH, 14, fill=GOLD)
    has_board = bool(content.board_id)
    room = (BOARD[0] if has_board else WIDTH) - 2 * MARGIN + (MARGIN / 2 if has_board else 0)
    pen.text(MARGIN, 58, content.kind, 28, GOLD, room)
    pen.text(MARGIN, 104, content.title, 58, INK, room)
    pen.text(MARGIN, 182, content.subtitle, 28, FAINT, room)
    for number, row in enumerate(content.rows[:ROWS]):
        _row(pen, row, 256 + number * ROW_HEIGHT, room)
    if has_board:
        _board(pen, content)
    pen.text(WIDTH - MARGIN, HEIGHT - 66, "Aztlán Arena", 30, INK, 400, anchor="ra")
    return pen.png()


def _row(pen: Pen, row: CardRow, y: float, room: float) -> None:
    left = MARGIN
    if row.tribe is not None:
        pen.disc(MARGIN + 15, y + 17, 15, fill=TRIBES[row.tribe], outline=INK, width=3 * FINE)
        left += 46
    colour = GOLD if row.is_first else INK
    pen.text(left, y, row.text, 32, colour, room - (left - MARGIN) - 110)
    pen.text(MARGIN + room, y, row.value, 32, colour, 110, anchor="ra")


def _board(pen: Pen, content: CardContent) -> None:
    """The land with its pawns, as small as a card has room for."""
    raw = load_board(content.board_id).raw
    x, y, width, height = BOARD
    scale = min(width / 1000, height / 700)

    def at(point: Sequence[float]) -> tuple[float, float]:
        return x + point[0] * scale, y + point[1] * scale

    pen.box(x - 14, y - 14, width + 28, height + 28, fill="#1c5a78", outline=GOLD, width=3 * FINE)
    for one in raw["territories"]:
        pen.polygon(
            [at(point) for point in one["polygon"]], fill=LAND.get(one["type"], FAINT), outline="#3a2410"
        )
    for lake in raw["lakes"]:
        pen.polygon([at(point) for point in lake["polygon"]], fill="#3d86c6", outline="#134a86")
    for tribe, territory in content.pawns:
        places = raw["territories"][territory]["pawns"]
        px, py = at(places[tribe % len(places)])
        pen.disc(px, py, 8, fill=TRIBES[tribe], outline="#fffdf6", width=2 * FINE)
