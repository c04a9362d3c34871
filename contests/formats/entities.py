"""What every format speaks of: entrants, pods, rounds, games and an event made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Game = Mapping[int, int]
"""The placements of one game by entrant id, 1 for the best, among the entrants only."""


class FormatError(ValueError):
    """Options that no event can be played with; the message says what to change."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who plays. Seeds are 1, 2, 3, …, the strongest first. From round `out_from` on it is out:
    withdrawn or disqualified, paired no more, and last wherever it was paired already."""

    id: int
    seed: int
    rating: float = 1500.0
    out_from: int | None = None

    def is_out(self, round_number: int) -> bool:
        """Whether it is out in this round."""
        return self.out_from is not None and self.out_from <= round_number


@dataclass(frozen=True, slots=True)
class Pod:
    """Entrants who meet in a series of games, best seed first. With fewer than the event's seats, the arena
    fills the table with a house bot whose placement does not count."""

    round: int
    entrants: tuple[int, ...]
    name: str = ""

    @property
    def key(self) -> str:
        """The round and who meets, whatever the order."""
        return f"{self.round}:{'-'.join(map(str, sorted(self.entrants)))}"

    @staticmethod
    def entrants_in(key: str) -> list[int]:
        """Who meets, read from a key."""
        return [int(one) for one in key.partition(":")[2].split("-")]


@dataclass(frozen=True, slots=True)
class Round:
    """Pods that can be played at once. A bye is scored as the format says; a walkover is a pod whose other
    entrants are out, and counts as won. `tables` are all places of a knockout's tree at this level, in order,
    with whoever came there: the next level follows from them."""

    number: int
    name: str
    pods: tuple[Pod, ...]
    byes: tuple[int, ...] = ()
    walkovers: tuple[int, ...] = ()
    tables: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round, its decided pods only, with their games by the pod's key, as they count."""

    round: Round
    games: Mapping[str, Sequence[Game]]


@dataclass(frozen=True, slots=True)
class Options:
    """What an organiser chooses. A format reads what it needs.

    `rounds`: of a Swiss or of a round robin that does not play every pod. `advance`: how many of a knockout's
    pod go on; it must divide the seats. `group_size` and `from_group`: of groups before a knockout.
    `cycles`: how often a round robin is played through. `champion`: whom everybody meets in a gauntlet.
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
            raise FormatError(f"an event is for 2, 3 or 4 seats, not {self.seats}")
        if not 1 <= self.advance < self.seats or self.seats % self.advance:
            raise FormatError(
                f"{self.advance} of {self.seats} cannot advance: it must divide the seats and be fewer"
            )
        if self.rounds is not None and not 1 <= self.rounds <= 1000:
            raise FormatError("an event has 1 to 1000 rounds")
        if not 1 <= self.cycles <= 20:
            raise FormatError("a round robin is played 1 to 20 times")
        if not 2 <= self.group_size <= 64 or not 1 <= self.from_group < self.group_size:
            raise FormatError("groups have 2 to 64 entrants, and fewer of them go on")


@dataclass(frozen=True, slots=True)
class TournamentProgress:
    """All that the next round follows from."""

    options: Options
    entrants: tuple[Entrant, ...]
    played: tuple[PlayedRound, ...] = ()
    by_id: dict[int, Entrant] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {one.id: one for one in self.entrants})
        if len(self.by_id) != len(self.entrants) or len(self.entrants) < 2:
            raise FormatError("an event needs two entrants or more, each once")
        if sorted(one.seed for one in self.entrants) != list(range(1, len(self.entrants) + 1)):
            raise FormatError("seeds are 1, 2, 3 and so on, each once")

    @property
    def next_number(self) -> int:
        """The number of the round to come, from 1."""
        return len(self.played) + 1

    def by_seed(self) -> list[Entrant]:
        """All entrants, the best seed first."""
        return sorted(self.entrants, key=lambda one: one.seed)

    def active(self, round_number: int) -> list[Entrant]:
        """Those who are not out in this round, the best seed first."""
        return [one for one in self.by_seed() if not one.is_out(round_number)]

    def pod(self, round_number: int, entrants: Sequence[int], name: str = "") -> Pod:
        """A pod, its entrants in the order of their seeds."""
        return Pod(round_number, tuple(sorted(entrants, key=lambda one: self.by_id[one].seed)), name)


def split_by_presence(
    event: TournamentProgress, number: int, name: str, tables: Sequence[Sequence[int]]
) -> Round:
    """A round of tables that were fixed beforehand: who is out is left out, who is left alone walks over."""
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
