"""The cards. Power cards: six for each seat, numbered 4 to 9, and one of them stays unused.

Prosperity cards: eight kinds, thirty cards. A hand or a discard is eight counts, one per kind.
"""

from typing import Final

POWER_CARDS: Final = 6
LOWEST_POWER: Final = 4
"""The number of the lowest power card; as an index (into masks and the board's card tables) it is 0."""
HIGHEST_POWER: Final = LOWEST_POWER + POWER_CARDS - 1

KINDS: Final = 8
BLESSING_JUNGLE: Final = 0
BLESSING_MOUNTAINS: Final = 1
BLESSING_FIELDS: Final = 2
OFFERING: Final = 3
SACRED_GAMES: Final = 4
RAFTS: Final = 5
GREAT_TLATOANI: Final = 6
EAGLE_WARRIORS: Final = 7

NAMES: Final = (
    "Blessing of Mixcoatl",
    "Blessing of Tepeyollotl",
    "Blessing of Xipe Totec",
    "Offering to the Gods",
    "Sacred Games",
    "Rafts and Canoes",
    "Great Tlatoani",
    "Eagle and Jaguar Warriors",
)
BLESSED_TYPES: Final = ("jungle", "mountains", "fields")
IN_DECK: Final = (3, 3, 3, 9, 3, 3, 3, 3)
"""English rulebook, Game Components: how many of each kind the deck of thirty holds."""

FULL_DECK: Final = [kind for kind in range(KINDS) for _ in range(IN_DECK[kind])]


def offering_points(offerings: int, new_sets: bool) -> int:
    """Points of Offerings at the end: 1, 4, 9, 16, 25 for one to five.

    English rulebook, Offerings to the Gods. A sixth begins a new set where the ruleset says so
    (French rulebook), otherwise it adds nothing.
    """
    full, rest = divmod(offerings, 5)
    if not new_sets and full:
        return 25
    return 25 * full + rest * rest
