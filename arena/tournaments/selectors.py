"""What is known of an event: its timeline and standings. Each takes a fixed number of queries."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from arena.ladders.models import Standing as LadderStanding
from arena.tournaments.models import (
    OPEN_STATES,
    UNRATED,
    EntryState,
    Game,
    RoundOpening,
    State,
    Tournament,
    TournamentEntry,
)
from arena.tournaments.stored_rounds import paired
from contests.formats.entities import Entrant, Options, Round, TournamentProgress
from contests.formats.ranking import BY_DISTANCE, ranked_lines
from contests.formats.standings import RankedEntrant
from contests.formats.timeline import Timeline, follow

COUNTED = (EntryState.ENTERED, EntryState.WITHDRAWN, EntryState.DISQUALIFIED)

EVERY_ROUND = 10_000

Line = tuple[TournamentEntry, RankedEntrant]


def options_of(tournament: Tournament) -> Options:
    """Return the format's options; raise FormatError where they contradict each other."""
    return Options(
        seats=tournament.seats,
        rounds=tournament.rounds,
        advance=tournament.advance,
        group_size=tournament.group_size,
        from_group=tournament.from_group,
        cycles=tournament.cycles,
    )


def by_seed(entry: TournamentEntry) -> tuple[bool, int, float, int]:
    """Return a sort key: entries with a seed come first, in that order, then the others by rating."""
    return (entry.seed is None, entry.seed or 0, -entry.rating, entry.pk)


def entrants_of(entries: list[TournamentEntry]) -> list[Entrant]:
    """Return the entries as formats see them. Seeds are numbered without gaps."""
    playing = [one for one in entries if one.state in COUNTED and one.out_from != 0]
    ranked = sorted(playing, key=by_seed)
    return [Entrant(one.pk, seed, one.rating, one.out_from) for seed, one in enumerate(ranked, 1)]


def read_ratings(tournament: Tournament, entries: Iterable[TournamentEntry]) -> None:
    """Give entries the current ratings of their bots, until versions are locked.

    A bot's rating is that of the newest season of the tournament's ladder in which it stands.
    """
    if tournament.ladder_id is None or tournament.state not in OPEN_STATES:
        return
    standings = LadderStanding.objects.filter(season__ladder=tournament.ladder_id)
    standings = standings.filter(bot__tournament_entries__tournament=tournament)
    newest = standings.order_by("bot_id", "-season__number").distinct("bot_id")
    ratings = dict(newest.values_list("bot_id", "rating"))
    for entry in entries:
        entry.rating = ratings.get(entry.bot_id, UNRATED)


@dataclass(frozen=True)
class Picture:
    """A tournament with everything that belongs to it, read at once."""

    tournament: Tournament
    entries: dict[int, TournamentEntry]
    openings: list[RoundOpening]
    games: list[Game]
    timeline: Timeline | None
    """None while there are fewer than two entrants."""
    visible: int = EVERY_ROUND
    """The last round whose results are included."""

    @property
    def event(self) -> TournamentProgress | None:
        return self.timeline.event if self.timeline else None

    @cached_property
    def rounds(self) -> Sequence[Round]:
        """The rounds that were opened; before the first one, how it would be paired now."""
        if self.timeline is None or self.timeline.rounds or self.tournament.state == State.CANCELLED:
            return self.timeline.rounds if self.timeline else ()
        first = self.timeline.next_round()
        return [first] if first else []

    @cached_property
    def lines(self) -> list[Line]:
        """The standings after the rounds that are over, ranked as the format does it."""
        return self._lines(self.event) if self.event else []

    @property
    def standing_event(self) -> TournamentProgress | None:
        """The event including what is decided in the current round, in formats that count points."""
        if self.timeline is None or self.tournament.format in BY_DISTANCE:
            return self.event
        return self.timeline.so_far

    @cached_property
    def lines_now(self) -> list[Line]:
        """The standings by `standing_event`."""
        event = self.standing_event
        return self._lines(event) if event and event is not self.event else self.lines

    def _lines(self, event: TournamentProgress) -> list[Line]:
        found = ranked_lines(self.tournament.format, event, tuple(self.tournament.tie_breaks))
        return [(self.entries[line.entrant.id], line) for line in found]

    def ranked(self) -> list[TournamentEntry]:
        """Return the entries, best first."""
        return [entry for entry, _ in self.lines]


def results_of(games: list[Game]) -> dict[str, list[dict[int, int]]]:
    """Return the placements of the games that count, by pod, in the order of the games."""
    found: dict[str, list[dict[int, int]]] = {}
    for game in sorted(games, key=lambda one: one.number):
        if game.placements is not None and game.voided_at is None:
            placements = {int(entry): place for entry, place in game.placements.items()}
            found.setdefault(game.pod, []).append(placements)
    return found


def picture(tournament: Tournament, up_to_round: int | None = None) -> Picture:
    """Read a tournament; with `up_to_round`, as if later rounds had not been played."""
    entries = list(tournament.entries.select_related("bot", "bot__owner", "version"))
    read_ratings(tournament, entries)
    openings = list(tournament.openings.all())
    games = list(tournament.games.select_related("match"))
    if up_to_round is not None:
        openings = [one for one in openings if one.number <= up_to_round + 1]
        games = [one for one in games if one.round <= up_to_round]
    entrants = entrants_of(entries)
    timeline = None
    if len(entrants) > 1:
        timeline = follow(
            tournament.format,
            options_of(tournament),
            entrants,
            [paired(one) for one in openings],
            results_of(games),
            tournament.series_length,
        )
    visible = EVERY_ROUND if up_to_round is None else up_to_round
    return Picture(tournament, {one.pk: one for one in entries}, openings, games, timeline, visible)
