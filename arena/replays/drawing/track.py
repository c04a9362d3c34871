"""The score track: a hundred spaces around the board, gone round again beyond 99."""

from arena.replays.drawing.geometry import Point, short

LEFT, TOP, RIGHT, BOTTOM = -30.0, -30.0, 1030.0, 730.0
ACROSS, DOWN = 29, 21
SPACES = 2 * (ACROSS + DOWN)


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


def draw() -> str:
    """The empty track."""
    spaces, numbers = [], []
    for score in range(SPACES):
        x, y = place(score)
        kind = "ten" if score % 10 == 0 else "five" if score % 5 == 0 else "one"
        spaces.append(f'<use href="#{kind}" x="{short(x)}" y="{short(y)}"/>')
        numbers.append(f'<text x="{short(x)}" y="{short(y + 3.8)}">{score}</text>')
    shapes = "".join(
        f'<rect id="{kind}" x="-15.5" y="-15.5" width="31" height="31" rx="5" fill="{fill}" stroke="{edge}"/>'
        for kind, fill, edge in (
            ("one", "#e9d9b4", "#8f7440"),
            ("five", "#dcc48f", "#7d6231"),
            ("ten", "#c8704a", "#6d2c12"),
        )
    )
    return (
        f"<defs>{shapes}</defs>{''.join(spaces)}"
        '<g font-family="Georgia,serif" font-size="10.5" text-anchor="middle" fill="#4a3312">'
        f"{''.join(numbers)}</g>"
    )
