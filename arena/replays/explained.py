"""The game in pictures: positions that the engine itself played, drawn on its own board."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _

from arena.replays.drawing.empty_board import VIEW_BOX
from arena.replays.drawing.scene import Scene, draw
from arena.replays.words import card_names
from engine import cards as prosperity
from engine import load_board
from engine.actions import from_text
from engine.phases import scoring
from engine.replay.frames import OPEN, Lens
from engine.state import State

Window = tuple[float, float, float, float]
_SEED: Final = bytes(range(32))
# By seat, where its pawns of the first age go: Coyote builds a domain, the others come near.
_PLACES: Final = (
    ("t09", "t10", "t11", "t04", "t16", "t23", "t10"),
    ("t17", "t18", "t10", "t24", "t18", "t25", "t19"),
    ("t28", "t22", "t27", "t10", "t29", "t28", "t23"),
    ("t03", "t02", "t05", "t23", "t07", "t08", "t01"),
)
_POWERS: Final = (5, 7, 8, 9)


@dataclass(frozen=True, slots=True)
class Illustration:
    """A picture of the page: its URL, and a description for people who cannot see it."""

    address: str
    text: str
    width: float
    height: float


@cache
def _after(turns: int) -> State:
    """Play the first age until this many pawns have been placed."""
    state = State.new(4, _SEED)
    placed = [0] * 4
    for power in _POWERS:
        state.apply(power)
    for _turn in range(turns):
        seat = state.to_act()
        state.apply(from_text(f"place {_PLACES[seat][placed[seat]]}", state.board))
        state.apply(0)
        placed[seat] += 1
    return state


def _scene(state: State, **shown: Any) -> Scene:
    seen = Lens(OPEN)
    seen.see(state, [])
    position, size = seen.seen, state.board.size
    pawns = {divmod(int(at), size): count for at, count in position["pawns"].items()}
    return Scene(
        state.board,
        state.seats,
        pawns,
        position["scores"],
        position["arrivals"],
        position["side_of"],
        **shown,
    )


def _number(territory: str) -> int:
    return load_board().ids.index(territory)


def _placing() -> Scene:
    state = _after(10)
    arrow = (0, _number("t10"), _number("t11"))
    return _scene(state, lit=[_number("t10")], arrows=[arrow])


def _conflict() -> Scene:
    return _scene(_after(28), marks={_number("t10"): "battle", _number("t23"): "tie"})


def _domain() -> Scene:
    state = _after(28)
    domains = [
        (0, [t for t in range(state.board.size) if mask >> t & 1]) for mask in scoring.domains(state, 0)
    ]
    return _scene(state, domains=domains)


def _rafts() -> Scene:
    state = _after(28)
    link = (_number("t16"), _number("t23"))
    return _scene(state, links=[link])


def _track() -> Scene:
    state = _after(28)
    scene = _scene(state)
    return Scene(scene.board, 4, {}, (7, 7, 12, 4), (3, 1, 2, 0), scene.sides)


def _board() -> Scene:
    return Scene(load_board(), 4)


# By name: the scene, and the part of the board that is shown.
_PICTURES: Final[dict[str, tuple[Callable[[], Scene], Window]]] = {
    "board": (_board, VIEW_BOX),
    "placing": (_placing, (420, 130, 440, 300)),
    "conflict": (_conflict, (420, 150, 400, 300)),
    "domain": (_domain, (320, 20, 540, 460)),
    "rafts": (_rafts, (270, 290, 330, 240)),
    "track": (_track, (-50, -66, 560, 250)),
}


NAMES: Final = frozenset(_PICTURES)


def drawn(name: str) -> str:
    """Draw a picture of the page by its name, one of NAMES."""
    scene, window = _PICTURES[name]
    return draw(scene(), window)


def domain_sum() -> tuple[int, int, int]:
    """Return the territories, matching territories and points of the domain that the picture shows."""
    state = _after(28)
    largest = max(scoring.domains(state, 0), key=int.bit_count)
    matches = (largest & state.board.type_masks[state.board.types.index("jungle")]).bit_count()
    return largest.bit_count(), matches, scoring.domain_points(largest.bit_count(), matches)


def pictures() -> dict[str, Illustration]:
    """Return all pictures, with descriptions for people who cannot see them."""
    words = {
        "board": _("The board: thirty territories of five types around four lakes, and the score track."),
        "placing": _("A Coyote pawn goes into Tlaolco; an arrow shows that it may move on to Ocelocalco."),
        "conflict": _("Coyote, Quetzal and Ocelot pawns stand in Tlaolco; crossed swords mark the battle."),
        "domain": _("A line runs around the connected territories in which Coyote has pawns."),
        "rafts": _("A canoe on the lake Metzapan joins Huitzyan and Tianquizco."),
        "track": _("Counters on the score track; two of them are stacked on the space 7."),
    }
    return {
        name: Illustration(reverse("how-to-play-picture", args=[name]), text, *_PICTURES[name][1][2:])
        for name, text in words.items()
    }


def cards() -> list[dict[str, Any]]:
    """Return the prosperity cards: name, how many there are, when they are played, what they do."""
    effects = [
        (_("Scoring"), _("2 points for each jungle territory you stand in.")),
        (_("Scoring"), _("2 points for each mountain territory you stand in.")),
        (_("Scoring"), _("2 points for each territory of terraced fields you stand in.")),
        (_("The end"), _("Keep them: one to five are worth 1, 4, 9, 16 and 25 points.")),
        (_("Conflict"), _("You are attacked: your pawns there stay, and the attacker draws a card.")),
        (_("Scoring"), _("Two of your territories on one lake count as neighbours.")),
        (_("Conflict"), _("You are tied for the most power: now you decide alone.")),
        (
            _("Development"),
            _("After placing, place one more pawn anywhere. Play as many in a turn as you like."),
        ),
    ]
    return [
        {
            "kind": kind,
            "name": name,
            "count": prosperity.IN_DECK[kind],
            "when": effects[kind][0],
            "text": effects[kind][1],
        }
        for kind, name in enumerate(card_names())
    ]
