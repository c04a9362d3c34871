"""`View`: helpers to query an observation. Territories, seats and types are numbers, as everywhere."""

from dataclasses import dataclass, field, replace

from engine.board import WILD, Board
from engine.cards import LOWEST_POWER, POWER_CARDS
from engine.observation import Observation
from engine.phases.conflict import contested
from engine.phases.scoring import domain_points, domains
from engine.position import PHASE_NAMES, Position
from engine.rulesets import ruleset


@dataclass(frozen=True)
class View:
    """What one seat sees. Methods that take a `seat` default to the observing seat."""

    observation: Observation
    board: Board
    _position: Position = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # A position with nothing but pawns: all that the engine's geometry needs.
        seen, size = self.observation, self.board.size
        position = Position(self.board, ruleset(), seen.seats, b"")
        position.side_of = tuple(seen.side_of)
        position.rafts, position.raft_all = tuple(seen.rafts), seen.raft_all
        for side in range(seen.seats):
            counts = seen.pawns[side * size : (side + 1) * size]
            position.present[side] = sum(1 << t for t, count in enumerate(counts) if count)
        object.__setattr__(self, "_position", position)

    @property
    def me(self) -> int:
        """The observing seat."""
        return self.observation.seat

    @property
    def others(self) -> list[int]:
        """The other seats, in turn order."""
        return [seat for seat in self.observation.order if seat != self.me]

    @property
    def phase(self) -> str:
        """The phase: choosing, development, conflict, scoring or over."""
        return PHASE_NAMES[self.observation.phase]

    def pawns(self, territory: int, seat: int | None = None) -> int:
        """Return how many pawns a seat has in a territory."""
        return self.observation.pawns[self._side(seat) * self.board.size + territory]

    def territories(self, seat: int | None = None) -> list[int]:
        """Return the territories where a seat is present."""
        return self._unpack(self._position.present[self._side(seat)])

    def seats_in(self, territory: int) -> list[int]:
        """Return the seats that are present in a territory."""
        return [seat for seat in range(self.observation.seats) if self.pawns(territory, seat)]

    def empty(self) -> list[int]:
        """Return the territories without pawns."""
        return [t for t in range(self.board.size) if not self.seats_in(t)]

    def contested(self) -> list[int]:
        """Return the territories with pawns of two or more sides."""
        return self._unpack(contested(self._position))

    def neighbours(self, territory: int) -> list[int]:
        """Return the neighbours of a territory."""
        return self.board.neighbours[territory]

    def border(self, seat: int | None = None) -> list[int]:
        """Return the neighbours of a seat's territories where it is not present."""
        own = set(self.territories(seat))
        return sorted({b for a in own for b in self.board.neighbours[a]} - own)

    def domains(self, seat: int | None = None) -> list[list[int]]:
        """Return a seat's domains, each as a list of territories."""
        return [self._unpack(domain) for domain in domains(self._position, self._seat(seat))]

    def points(self, kind: int, seat: int | None = None) -> int:
        """Return what a seat's domains would score now for the territory type `kind`."""
        matching = self.board.type_masks[kind]
        return sum(
            domain_points(domain.bit_count(), (domain & matching).bit_count())
            for domain in domains(self._position, self._seat(seat))
        )

    def card_points(self, card: int, seat: int | None = None) -> int:
        """Return what a seat's domains would score now with a power card, 4 to 9 (if wild: its best type)."""
        kind = self.board.card_types[card - LOWEST_POWER]
        return max(
            self.points(one, seat) for one in ([kind] if kind != WILD else range(len(self.board.types)))
        )

    def with_pawn(self, territory: int) -> "View":
        """Return the same position with one more pawn of the observing seat."""
        pawns = list(self.observation.pawns)
        pawns[self._side(None) * self.board.size + territory] += 1
        return View(replace(self.observation, pawns=pawns), self.board)

    def unused_cards(self, seat: int | None = None) -> list[int]:
        """Return the power cards, 4 to 9, that a seat may still have, as far as the observing seat knows."""
        used = self.observation.used[self._seat(seat)]
        return [LOWEST_POWER + i for i in range(POWER_CARDS) if not used >> i & 1]

    def type_of(self, territory: int) -> str:
        """Return the name of a territory's type."""
        return self.board.types[self.board.type_of[territory]]

    def _seat(self, seat: int | None) -> int:
        return self.me if seat is None else seat

    def _side(self, seat: int | None) -> int:
        return self.observation.side_of[self._seat(seat)]

    def _unpack(self, mask: int) -> list[int]:
        return [t for t in range(self.board.size) if mask >> t & 1]
