"""What all formats share: entrants, pods, rounds, games, and an event made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Game = Mapping[int, int]
"""The placements of one game by entrant id, 1 for the best; house bots do not count."""


class FormatError(ValueError):
    """Options with which no event can be played; the message says what to change."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A participant. Seeds are 1, 2, 3, …, the strongest first. From round `out_from` on it is out (withdrawn
    or disqualified): it is not paired any more, and is last where it was paired already."""

    id: int
    seed: int
    rating: float = 1500.0
    out_from: int | None = None

    def is_out(self, round_number: int) -> bool:
        """Return whether it is out in this round."""
        return self.out_from is not None and self.out_from <= round_number


@dataclass(frozen=True, slots=True)
class Pod:
    """Entrants who meet in a series of games, best seed first. If they are fewer than the event's seats, the
    arena fills the table with house bots, whose placements do not count."""

    round: int
    entrants: tuple[int, ...]
    name: str = ""

    @property
    def key(self) -> str:
        """The round and who meets, whatever their order; `from_key` reads it."""
        return f"{self.round}:{'-'.join(map(str, sorted(self.entrants)))}"

    @classmethod
    def from_key(cls, key: str) -> "Pod":
        """Return the pod that a key names, its entrants in the order of their ids."""
        number, _, entrants = key.partition(":")
        return cls(int(number), tuple(int(one) for one in entrants.split("-")))


@dataclass(frozen=True, slots=True)
class Round:
    """Pods that can be played at the same time. A bye is scored as the format says; a walkover is a pod whose
    other entrants are out, and counts as a win. `tables` are all places of a knockout's tree at this level,
    in order, with the entrants who got there: the next level follows from them."""

    number: int
    name: str
    pods: tuple[Pod, ...]
    byes: tuple[int, ...] = ()
    walkovers: tuple[int, ...] = ()
    tables: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round with only its decided pods, and their games by pod key, as they count."""

    round: Round
    games: Mapping[str, Sequence[Game]]


@dataclass(frozen=True, slots=True)
class Options:
    """What an organiser chooses. Each format reads the options it needs.

    `rounds`: for a Swiss, or a round robin that does not play every pod. `advance`: how many entrants of a
    knockout pod go on; it must divide the seats. `group_size` and `from_group`: for groups before a knockout.
    `cycles`: how often a round robin is played. `champion`: whom everybody meets in a gauntlet.
    """

    seats: int = 2
    rounds: int | None = None
    advance: int = 1
    group_size: int = 4
    from_group: int = 2
    cycles: int = 1
    champion: int | None = None

    def __post_init__(self) -> None:
        if self.seats not in (2, 3, 4):
            raise FormatError(f"An event has 2, 3 or 4 seats, not {self.seats}.")
        if not 1 <= self.advance < self.seats or self.seats % self.advance:
            raise FormatError(
                f"{self.advance} of {self.seats} cannot advance: choose fewer, so that it divides the seats."
            )
        if self.rounds is not None and not 1 <= self.rounds <= 1000:
            raise FormatError("An event has 1 to 1000 rounds.")
        if not 1 <= self.cycles <= 20:
            raise FormatError("A round robin is played 1 to 20 times.")
        if not 2 <= self.group_size <= 64 or not 1 <= self.from_group < self.group_size:
            raise FormatError("Groups have 2 to 64 entrants, and fewer than all of them go on.")


@dataclass(frozen=True, slots=True)
class TournamentProgress:
    """Everything that the next round follows from."""

    options: Options
    entrants: tuple[Entrant, ...]
    played: tuple[PlayedRound, ...] = ()
    by_id: dict[int, Entrant] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {one.id: one for one in self.entrants})
        if len(self.by_id) != len(self.entrants) or len(self.entrants) < 2:
            raise FormatError("An event needs at least two entrants, each only once.")
        if sorted(one.seed for one in self.entrants) != list(range(1, len(self.entrants) + 1)):
            raise FormatError("Seeds must be 1, 2, 3 and so on, each only once.")

    @property
    def next_number(self) -> int:
        """The number of the next round, from 1."""
        return len(self.played) + 1

    def by_seed(self) -> list[Entrant]:
        """Return all entrants, the best seed first."""
        return sorted(self.entrants, key=lambda one: one.seed)

    def active(self, round_number: int) -> list[Entrant]:
        """Return the entrants who are not out in this round, the best seed first."""
        return [one for one in self.by_seed() if not one.is_out(round_number)]

    def pod(self, round_number: int, entrants: Sequence[int], name: str = "") -> Pod:
        """Return a pod, its entrants in the order of their seeds."""
        return Pod(round_number, tuple(sorted(entrants, key=lambda one: self.by_id[one].seed)), name)


def split_by_presence(
    event: TournamentProgress, number: int, name: str, tables: Sequence[Sequence[int]]
) -> Round:
    """Return a round of fixed tables without those who are out; an entrant left alone gets a walkover."""
    pods, walkovers = [], []
    for table in tables:
        present = [one for one in table if not event.by_id[one].is_out(number)]
        if len(present) > 1:
            pods.append(event.pod(number, present))
        elif present and len(table) > 1:
            walkovers += present
    seated = {one for table in tables for one in table}
    byes = tuple(one.id for one in event.active(number) if one.id not in seated)
    return Round(number, name, tuple(pods), byes, tuple(walkovers))
