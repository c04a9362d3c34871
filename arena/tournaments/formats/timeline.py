"""An event recomputed from its results: what is paired, what is over, what is to be played now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.tournaments.formats import FORMATS
from arena.tournaments.formats.entities import (
    Entrant,
    Event,
    FormatError,
    Game,
    Options,
    PlayedRound,
    Pod,
    Round,
)
from arena.tournaments.formats.points import is_decided

Results = Mapping[str, Sequence[Game]]
"""The games of each pod that has any, by the pod's key."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """`event` holds the finished rounds; `current` is the round under way, None when the event is over.

    `orphans` are the keys of results that belong to no pod any more, since something before them changed.
    """

    event: Event
    current: Round | None
    orphans: tuple[str, ...]

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to be played."""
        return self.current is None

    def open_pods(self, results: Results, best_of: int) -> list[Pod]:
        """The pods of the current round that need another game."""
        pods = self.current.pods if self.current else ()
        return [pod for pod in pods if not is_decided(results.get(pod.key, ()), best_of)]


def recompute(
    format_name: str, options: Options, entrants: Sequence[Entrant], results: Results, best_of: int = 1
) -> Timeline:
    """Pair round after round as long as the results allow. The same results always give the same timeline."""
    if format_name not in FORMATS:
        raise FormatError(f"no format {format_name!r}; there are {', '.join(FORMATS)}")
    event = Event(options, tuple(entrants))
    used: set[str] = set()
    while (found := FORMATS[format_name](event)) is not None:
        known = {pod.key: tuple(results[pod.key]) for pod in found.pods if pod.key in results}
        used |= known.keys()
        if not all(is_decided(known.get(pod.key, ()), best_of) for pod in found.pods):
            break
        event = Event(options, event.entrants, (*event.played, PlayedRound(found, known)))
    return Timeline(event, found, tuple(sorted(results.keys() - used)))


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
    rounds = [played.round for played in timeline.event.played]
    rounds += [timeline.current] if timeline.current else []
    return {pod.key for one in rounds for pod in one.pods}
