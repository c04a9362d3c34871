"""The visible table: what events leave behind, without playing the rules again.

A table follows one seat (or a spectator, -1) and takes the events as that seat may see them. It then equals
that seat's observation in all of `FIELDS`; whose decision it is belongs to the game, not to the table.
"""

from typing import Any, Final

from engine import cards
from engine.actions import TERRITORY_STEP
from engine.board import Board
from engine.events import HIDDEN, Event
from engine.observation import FIELDS as OBSERVED
from engine.position import CHOOSING, OVER, PAWNS

FIELDS: Final = tuple(name for name in OBSERVED if name not in {"seat", "seats", "step", "to_act"})
"""Those of an observation, except who looks and whose decision it is."""

Data = dict[str, Any]


class VisibleTable:
    """The table so far. Its attributes are those of `engine.observation.Observation`."""

    def __init__(self, board: Board, seats: int, seat: int = -1) -> None:
        self.seat = seat
        self.seats = seats
        self.size = board.size
        self.to_act = HIDDEN
        self.order: list[int] = []
        self.side_of = list(range(seats))
        self.pawns = [0] * (seats * board.size)
        self.reserve = [PAWNS[seats]] * seats
        self.removed = [0] * seats
        self.pool = [0] * seats
        self.scores = [0] * seats
        self.arrivals = [0] * seats
        self.used = [0] * seats
        self.hand = [0] * cards.KINDS
        self.hand_sizes = [0] * seats
        self.deck_size = len(cards.FULL_DECK)
        self.discard = [0] * cards.KINDS
        self.battle = self.battle_by = -1
        self.spared = 0
        self._clear_scoring()
        self._age_began({"age": 1})

    def apply(self, event: Event) -> None:
        """Apply one event, as `Event.seen_by` shows it to this table's seat."""
        getattr(self, f"_{event.kind}")(event.data)

    def _age_began(self, data: Data) -> None:
        self.age = data["age"]
        self.phase = CHOOSING
        self.power = [0] * self.seats
        self.chosen = [0] * self.seats
        self.own_power = 0
        self.placed = [0] * self.seats
        self.settled = 0
        self.claims = [0] * self.seats

    def _phase_began(self, data: Data) -> None:
        self.phase = data["phase"]

    def _turn_order(self, data: Data) -> None:
        if not self.order:  # the first one shows how the counters are stacked on 0
            for height, seat in enumerate(reversed(data["seats"])):
                self.arrivals[seat] = height
        self.order = list(data["seats"])

    def _power_chosen(self, data: Data) -> None:
        self.chosen[data["seat"]] = 1
        if data["card"] != HIDDEN:
            self.own_power = data["card"]
            self.used[data["seat"]] |= 1 << (data["card"] - cards.LOWEST_POWER)

    def _power_revealed(self, data: Data) -> None:
        self.power[data["seat"]] = data["card"]
        self.used[data["seat"]] |= 1 << (data["card"] - cards.LOWEST_POWER)

    def _pawns_taken(self, data: Data) -> None:
        self.reserve[data["side"]] -= data["from_reserve"]
        self.removed[data["side"]] -= data["from_removed"]
        self.pool[data["seat"]] = data["from_reserve"] + data["from_removed"]

    def _pawn_placed(self, data: Data) -> None:
        self.pool[data["seat"]] -= 1
        self._put_down(data)

    def _eagle_placed(self, data: Data) -> None:
        (self.removed if data["from_removed"] else self.reserve)[data["side"]] -= 1
        self._played(data["seat"], cards.EAGLE_WARRIORS)
        self._put_down(data)

    def _put_down(self, data: Data) -> None:
        self.pawns[data["side"] * self.size + data["territory"]] += 1
        self.placed[data["seat"]] |= 1 << data["territory"]

    def _pawn_moved(self, data: Data) -> None:
        self.pawns[data["side"] * self.size + data["from"]] -= 1
        self.pawns[data["side"] * self.size + data["to"]] += 1

    def _pawns_removed(self, data: Data) -> None:
        self.pawns[data["side"] * self.size + data["territory"]] -= data["count"]
        self.removed[data["side"]] += data["count"]

    def _battle_declared(self, data: Data) -> None:
        self.battle, self.battle_by = data["territory"], data["seat"]

    def _battle_won(self, data: Data) -> None:
        self.settled |= 1 << data["territory"]
        self.battle = self.battle_by = -1
        self.spared = 0

    def _coexistence(self, data: Data) -> None:
        self.settled |= 1 << data["territory"]

    _conflict_tied = _coexistence

    def _tlatoani_played(self, data: Data) -> None:
        self._played(data["seat"], cards.GREAT_TLATOANI)
        self.claims[data["seat"]] |= 1 << data["territory"]

    def _games_played(self, data: Data) -> None:
        self._played(data["seat"], cards.SACRED_GAMES)
        self.spared |= 1 << data["seat"]

    def _card_drawn(self, data: Data) -> None:
        self.deck_size -= 1
        self.hand_sizes[data["seat"]] += 1
        if data["card"] != HIDDEN:
            self.hand[data["card"]] += 1

    def _no_card_left(self, data: Data) -> None:
        pass

    def _deck_reshuffled(self, data: Data) -> None:
        self.deck_size = data["cards"]
        self.discard = [0] * cards.KINDS

    def _played(self, seat: int, kind: int) -> None:
        self.hand_sizes[seat] -= 1
        self.discard[kind] += 1
        if seat == self.seat:
            self.hand[kind] -= 1

    def _blessing_played(self, data: Data) -> None:
        self._played(data["seat"], data["card"])
        self.pending += data["points"]

    def _raft_played(self, data: Data) -> None:
        self._played(data["seat"], cards.RAFTS)
        self.rafts.append(TERRITORY_STEP * data["from"] + data["to"])

    def _raft_played_everywhere(self, data: Data) -> None:
        self._played(data["seat"], cards.RAFTS)
        self.raft_all = 1

    def _type_named(self, data: Data) -> None:
        pass

    _domain_scored = _type_named

    def _age_scored(self, data: Data) -> None:
        self._end_scored(data)
        self._clear_scoring()

    def _clear_scoring(self) -> None:
        self.pending = 0
        self.rafts: list[int] = []
        self.raft_all = 0

    def _end_scored(self, data: Data) -> None:
        self.scores[data["seat"]] = data["score"]
        self.arrivals[data["seat"]] = data["arrival"]

    def _factions_swapped(self, data: Data) -> None:
        self.side_of = list(data["side_of"])

    def _game_over(self, _: Data) -> None:
        self.phase = OVER
