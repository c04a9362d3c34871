"""Actions are small integers. This module is their layout and their notation, both ways.

    0               pass (end the turn, decline a card, score now)
    4 .. 9          choose the power card of that number
    10 .. 14        name territory type 0 .. 4 for the wild card, and score
    15              play Sacred Games
    16 .. 18        play a Blessing: of the jungle, the mountains, the terraced fields
    19              play Rafts and Canoes on all lakes at once (ruleset option)
    64 + t          place a pawn of the pool in territory t
    128 + t         play Eagle and Jaguar Warriors, its pawn in t; as often per turn as it is held
    192 + t         battle in t
    256 + t         coexistence in t
    320 + t         play Great Tlatoani in t
    1024 + 64 a + b move a pawn from a to its neighbour b
    5120 + 64 a + b play Rafts and Canoes on the shore territories a < b

Territories are numbered in the order of the board file; a board has at most 60.
"""

from typing import TYPE_CHECKING, Final

from engine.cards import BLESSED_TYPES, HIGHEST_POWER, LOWEST_POWER
from engine.errors import ActionTextError

if TYPE_CHECKING:
    from engine.board import Board

TERRITORY_BITS: Final = 6
TERRITORY_STEP: Final = 1 << TERRITORY_BITS
"""Two territories a and b are written as TERRITORY_STEP * a + b."""
TERRITORY_MASK: Final = TERRITORY_STEP - 1

PASS: Final = 0
NAME_TYPE: Final = 10
PLAY_GAMES: Final = 15
BLESSING: Final = 16
RAFT_ALL: Final = 19
PLACE: Final = 64
EAGLE: Final = 128
BATTLE: Final = 192
COEXIST: Final = 256
TLATOANI: Final = 320
MOVE: Final = 1024
RAFT: Final = 5120
END: Final = 9216

_ONE_TERRITORY = {PLACE: "place", EAGLE: "eagle", BATTLE: "battle", COEXIST: "coexist", TLATOANI: "tlatoani"}
_POWER_CARDS = frozenset(str(card) for card in range(LOWEST_POWER, HIGHEST_POWER + 1))


def to_text(action: int, board: "Board") -> str:
    """Write an action in words: `place t07`, `move t01>t02`, `card 9`, `name desert`, `pass`."""
    if action == PASS:
        return "pass"
    if LOWEST_POWER <= action <= HIGHEST_POWER:
        return f"card {action}"
    if NAME_TYPE <= action < NAME_TYPE + len(board.types):
        return f"name {board.types[action - NAME_TYPE]}"
    if action == PLAY_GAMES:
        return "games"
    if BLESSING <= action < BLESSING + len(BLESSED_TYPES):
        return f"bless {BLESSED_TYPES[action - BLESSING]}"
    if action == RAFT_ALL:
        return "raft all"
    b = action & TERRITORY_MASK
    if action - b in _ONE_TERRITORY and b < board.size:
        return f"{_ONE_TERRITORY[action - b]} {board.ids[b]}"
    if MOVE <= action < END:
        base, word, sign = (MOVE, "move", ">") if action < RAFT else (RAFT, "raft", "~")
        a = (action - base) >> TERRITORY_BITS
        if a < board.size and b < board.size:
            return f"{word} {board.ids[a]}{sign}{board.ids[b]}"
    raise ActionTextError(f"{action} is not an action on the board {board.id}")


def from_text(text: str, board: "Board") -> int:
    """Read what `to_text` writes. Only the notation is checked here, not whether the rules allow it."""
    word, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    if text.strip() == "pass":
        return PASS
    if word == "card" and rest in _POWER_CARDS:
        return int(rest)
    if word == "name" and rest in board.types:
        return NAME_TYPE + board.types.index(rest)
    if text.strip() == "games":
        return PLAY_GAMES
    if word == "bless" and rest in BLESSED_TYPES:
        return BLESSING + BLESSED_TYPES.index(rest)
    if text.strip() == "raft all":
        return RAFT_ALL
    for base, name in _ONE_TERRITORY.items():
        if word == name:
            return base + _territory(rest, board, text)
    for base, name, sign in ((MOVE, "move", ">"), (RAFT, "raft", "~")):
        if word == name and sign in rest:
            a, _, b = rest.partition(sign)
            return base + TERRITORY_STEP * _territory(a, board, text) + _territory(b, board, text)
    raise ActionTextError(f"{text!r} is not an action: try `place {board.ids[0]}`, `card 7` or `pass`")


def _territory(name: str, board: "Board", text: str) -> int:
    try:
        return board.ids.index(name.strip())
    except ValueError:
        raise ActionTextError(f"{text!r}: the board {board.id} has no territory {name.strip()!r}") from None


def all_actions(board: "Board") -> tuple[int, ...]:
    """Every action that can ever be legal on this board, in rising order (a dense action space)."""
    actions = [PASS, *range(LOWEST_POWER, RAFT_ALL + 1)]
    for base in (PLACE, EAGLE, BATTLE, COEXIST, TLATOANI):
        actions += [base + t for t in range(board.size)]
    actions += sorted(MOVE + TERRITORY_STEP * a + b for a in range(board.size) for b in board.neighbours[a])
    actions += sorted(RAFT + TERRITORY_STEP * a + b for a, b in board.shore_pairs)
    return tuple(actions)
