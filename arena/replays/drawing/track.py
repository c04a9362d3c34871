"""The score track: a hundred spaces around the board, gone round again beyond 99."""

from arena.replays.drawing.geometry import Point, short

LEFT, TOP, RIGHT, BOTTOM = -30.0, -30.0, 1030.0, 730.0
ACROSS, DOWN = 29, 21
SPACES = 2 * (ACROSS + DOWN)
_ONES, _FIVES, _TENS = ("#e9d9b4", "#8f7440"), ("#dcc48f", "#7d6231"), ("#c8704a", "#6d2c12")
_SPACE = "h21q5 0 5 5v21q0 5-5 5h-21q-5 0-5-5v-21q0-5 5-5z"


def place(score: int) -> Point:
    """The middle of a score's space. 0 is the corner at the top left; the track runs clockwise."""
    at = score % SPACES
    wide, high = (RIGHT - LEFT) / ACROSS, (BOTTOM - TOP) / DOWN
    if at < ACROSS:
        return LEFT + at * wide, TOP
    if at < ACROSS + DOWN:
        return RIGHT, TOP + (at - ACROSS) * high
    if at < 2 * ACROSS + DOWN:
        return RIGHT - (at - ACROSS - DOWN) * wide, BOTTOM
    return LEFT, BOTTOM - (at - 2 * ACROSS - DOWN) * high


def stand(score: int, height: int, count: int) -> Point:
    """Where a counter stands on a space of several: fanned out, but never off the board."""
    x, y = place(score)
    up = min(8.0, 15 / max(count - 1, 1))
    above = height - (count - 1) / 2
    return x + 4 * above, y - up * above


def draw() -> str:
    """The empty track: its spaces as one shape a colour."""
    spaces: dict[tuple[str, str], list[str]] = {}
    numbers = []
    for score in range(SPACES):
        x, y = place(score)
        paint = _TENS if score % 10 == 0 else _FIVES if score % 5 == 0 else _ONES
        spaces.setdefault(paint, []).append(f"M{short(x - 10.5)} {short(y - 15.5)}{_SPACE}")
        numbers.append(f'<text x="{short(x)}" y="{short(y + 3.8)}">{score}</text>')
    shapes = "".join(
        f'<path d="{"".join(some)}" fill="{fill}" stroke="{edge}"/>' for (fill, edge), some in spaces.items()
    )
    return (
        f'{shapes}<g font-family="Georgia,serif" font-size="10.5" text-anchor="middle" fill="#4a3312">'
        f"{''.join(numbers)}</g>"
    )
