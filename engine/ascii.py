"""Draws a position in plain characters, for terminals and logs."""

from engine import cards
from engine.board import Board
from engine.position import PHASE_NAMES, Position

SIDES = "ABCD"
COLUMNS = 100
ROWS = 28
CELL = 9
SHORT_NAMES = ("Mixcoatl", "Tepeyollotl", "Xipe Totec", "Offering", "Games", "Rafts", "Tlatoani", "Eagle")


def summary(p: Position) -> str:
    """The age and phase, the board, and a line for each seat."""
    title = f"Age {p.age}, {PHASE_NAMES[p.phase]}"
    lines = [title, "-" * len(title), draw_board(p), ""]
    lines += [_seat_line(p, seat) for seat in p.order]
    return "\n".join(lines)


def _seat_line(p: Position, seat: int) -> str:
    side = p.side_of[seat]
    hand = p.hands[seat * cards.KINDS : (seat + 1) * cards.KINDS]
    held = ", ".join(f"{count} {SHORT_NAMES[kind]}" for kind, count in enumerate(hand) if count) or "no cards"
    chosen = f"power {p.power[seat]}" if p.power[seat] else "no power card yet"
    pawns = f"pool {p.pool[seat]}  reserve {p.reserve[side]:2}  removed {p.removed[side]:2}"
    return f"seat {seat} ({SIDES[side]})  {p.score[seat]:3} points  {pawns}  {chosen}  {held}"


def draw_board(p: Position) -> str:
    """A map where the board file says where territories lie, otherwise a list."""
    cells = _cells(p)
    spots = _spots(p.board)
    if spots is None:
        return "\n".join("  ".join(cell) for cell in cells)
    cells += [("~" * CELL, f"~~ {lake['id']} ~~") for lake in p.board.raw["lakes"]]
    rows = [[" "] * (COLUMNS + CELL) for _ in range(ROWS + 2)]
    for (x, y), (title, pawns) in zip(spots, cells, strict=True):
        for i, text in enumerate((title[:CELL], pawns)):
            rows[y + i][x : x + len(text)] = text
    return "\n".join("".join(row).rstrip() for row in rows if set(row) != {" "})


def _cells(p: Position) -> list[tuple[str, str]]:
    """Two lines for each territory: its id and type, and the pawns there by side."""
    board = p.board
    cells = []
    for t in range(board.size):
        counts = [(SIDES[side], p.pawns[side * board.size + t]) for side in range(p.seats)]
        pawns = "".join(f"{side}{count}" for side, count in counts if count)
        cells.append((f"{board.ids[t]} {board.types[board.type_of[t]]}", pawns or "."))
    return cells


def _spots(board: Board) -> list[tuple[int, int]] | None:
    """Column and row for each territory and lake, from the places that the board file gives them."""
    try:
        _, _, width, height = board.raw["viewBox"]
        places = [one["pole"] for one in board.raw["territories"]]
        places += [one["label"] for one in board.raw["lakes"]]
        spots = [(int(x * COLUMNS / width), int(y * ROWS / height)) for x, y in places]
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return None
    inside = all(0 <= x <= COLUMNS and 0 <= y <= ROWS for x, y in spots)
    return spots if inside else None
