"""An event as it was played: its rounds as they were paired, what is decided, and what is open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from contests.formats import FORMATS
from contests.formats.entities import (
    Entrant,
    FormatError,
    Game,
    Options,
    PlayedRound,
    Pod,
    Round,
    TournamentProgress,
)
from contests.formats.points import as_it_counts, is_decided, series_points

Results = Mapping[str, Sequence[Game]]
"""The games of each pod that has any, by pod key, as they were played."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """`event` has the rounds that are over; `so_far` also has what is decided in the current one.

    `rounds` are all rounds that were opened, and `open_pods` those of their pods that need another game.
    """

    format_name: str
    rounds: tuple[Round, ...]
    event: TournamentProgress
    so_far: TournamentProgress
    open_pods: tuple[Pod, ...]

    def next_round(self) -> Round | None:
        """Return the round that follows once no pod is open; None when the event is over."""
        return FORMATS[self.format_name](self.event)


def follow(
    format_name: str,
    options: Options,
    entrants: Sequence[Entrant],
    rounds: Sequence[Round],
    results: Results,
    best_of: int = 1,
) -> Timeline:
    """Return the timeline of an event through the rounds that were opened, taken as they are."""
    if format_name not in FORMATS:
        raise FormatError(f"There is no format {format_name!r}. Choose from {', '.join(FORMATS)}.")
    bare = TournamentProgress(options, tuple(entrants))
    played, open_pods = [], []
    for one in rounds:
        games = {pod.key: _counted(bare, pod, results) for pod in one.pods}
        decided = tuple(pod for pod in one.pods if is_decided(games[pod.key], best_of))
        open_pods += [pod for pod in one.pods if not is_decided(games[pod.key], best_of)]
        played.append(PlayedRound(replace(one, pods=decided), {pod.key: games[pod.key] for pod in decided}))
    event = replace(bare, played=tuple(played))
    if open_pods and open_pods[-1].round == rounds[-1].number:
        before = replace(bare, played=tuple(played[:-1]))
        so_far = event if played[-1].round.pods else before
        return Timeline(format_name, tuple(rounds), before, so_far, tuple(open_pods))
    return Timeline(format_name, tuple(rounds), event, event, tuple(open_pods))


def _counted(event: TournamentProgress, pod: Pod, results: Results) -> tuple[Game, ...]:
    return tuple(as_it_counts(pod, game, event.by_id) for game in results.get(pod.key, ()))


@dataclass(frozen=True, slots=True)
class Change:
    """What an act changes: pods that are dropped, pods that are added, and pods whose result changes."""

    dropped: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    results: tuple[str, ...] = ()


def compare(before: Timeline, after: Timeline) -> Change:
    """Return the difference between two timelines, for a preview."""
    old, new = _keys(before), _keys(after)
    had, has = _points(before), _points(after)
    changed = {key for key in old & new if had.get(key) != has.get(key)}
    return Change(tuple(sorted(old - new)), tuple(sorted(new - old)), tuple(sorted(changed)))


def _keys(timeline: Timeline) -> set[str]:
    return {pod.key for one in timeline.rounds for pod in one.pods}


def _points(timeline: Timeline) -> dict[str, dict[int, int]]:
    return {key: series_points(games) for one in timeline.so_far.played for key, games in one.games.items()}
