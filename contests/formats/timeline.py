"""An event recomputed from its results: what is paired, what is over, what is to be played now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from contests.formats import FORMATS
from contests.formats.entities import (
    Entrant,
    Event,
    FormatError,
    Game,
    Options,
    PlayedRound,
    Pod,
    Round,
)
from contests.formats.points import is_decided

Results = Mapping[str, Sequence[Game]]
"""The games of each pod that has any, by the pod's key."""

Remembered = Mapping[str, Round]
"""Rounds that were paired before, by their basis: the hash of everything that they followed from."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """`event` holds the finished rounds; `current` is the round under way, None when the event is over.

    `orphans` are the keys of results that belong to no pod any more, since something before them changed.
    `bases` has the basis of every round that is paired, the current one included.
    """

    event: Event
    current: Round | None
    orphans: tuple[str, ...]
    bases: tuple[str, ...] = ()

    @property
    def rounds(self) -> list[Round]:
        """All rounds that are paired, the one under way included."""
        found = [played.round for played in self.event.played]
        return [*found, self.current] if self.current else found

    def so_far(self, results: Results, best_of: int) -> Event:
        """The event with those pods of the current round that are decided already."""
        if self.current is None:
            return self.event
        decided = [pod for pod in self.current.pods if is_decided(results.get(pod.key, ()), best_of)]
        games = {pod.key: tuple(results[pod.key]) for pod in decided}
        partly = PlayedRound(replace(self.current, pods=tuple(decided)), games)
        return replace(self.event, played=(*self.event.played, partly)) if decided else self.event

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to be played."""
        return self.current is None

    def open_pods(self, results: Results, best_of: int) -> list[Pod]:
        """The pods of the current round that need another game."""
        pods = self.current.pods if self.current else ()
        return [pod for pod in pods if not is_decided(results.get(pod.key, ()), best_of)]


def recompute(
    format_name: str,
    options: Options,
    entrants: Sequence[Entrant],
    results: Results,
    best_of: int = 1,
    remembered: Remembered | None = None,
) -> Timeline:
    """Pair round after round as long as the results allow. The same results always give the same timeline.

    A round whose basis is remembered is taken from there: that changes nothing but the time it takes.
    """
    if format_name not in FORMATS:
        raise FormatError(f"no format {format_name!r}; there are {', '.join(FORMATS)}")
    event = Event(options, tuple(entrants))
    used: set[str] = set()
    bases: list[str] = []
    digest = sha256(
        repr((format_name, options, [(one.id, one.seed, one.rating) for one in entrants])).encode()
    )
    while True:
        out = sorted(one.id for one in entrants if one.is_out(event.next_number))
        digest.update(repr(out).encode())
        basis = digest.hexdigest()
        found = (remembered or {}).get(basis) or FORMATS[format_name](event)
        if found is None:
            break
        bases.append(basis)
        known = {pod.key: tuple(results[pod.key]) for pod in found.pods if pod.key in results}
        used |= known.keys()
        if not all(is_decided(known.get(pod.key, ()), best_of) for pod in found.pods):
            break
        games = [(key, [sorted(game.items()) for game in known[key]]) for key in sorted(known)]
        digest.update(repr(games).encode())
        event = Event(options, event.entrants, (*event.played, PlayedRound(found, known)))
    return Timeline(event, found, tuple(sorted(results.keys() - used)), tuple(bases))


@dataclass(frozen=True, slots=True)
class Change:
    """What an act of the organiser would do to what was paired: pods that fall away and pods that are new."""

    dropped: tuple[str, ...]
    added: tuple[str, ...]


def compare(before: Timeline, after: Timeline) -> Change:
    """The difference between two timelines, for a preview."""
    old, new = _keys(before), _keys(after)
    return Change(tuple(sorted(old - new)), tuple(sorted(new - old)))


def _keys(timeline: Timeline) -> set[str]:
    return {pod.key for one in timeline.rounds for pod in one.pods}
