"""What is known of an event: its timeline, standings, who may see what. A fixed number of queries each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, OuterRef, Q

from arena.accounts.models import User
from arena.ladders.models import Standing as LadderStanding
from arena.tournaments.models import (
    OPEN_STATES,
    UNRATED,
    EntryState,
    Game,
    Release,
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
    """The format's options; raises FormatError where they do not go together."""
    return Options(
        seats=tournament.seats,
        rounds=tournament.rounds,
        advance=tournament.advance,
        group_size=tournament.group_size,
        from_group=tournament.from_group,
        cycles=tournament.cycles,
    )


def by_seed(entry: TournamentEntry) -> tuple[bool, int, float, int]:
    """The order of entries: those with a seed by it, all others by their rating."""
    return (entry.seed is None, entry.seed or 0, -entry.rating, entry.pk)


def entrants_of(entries: list[TournamentEntry]) -> list[Entrant]:
    """The entries as the formats see them. Seeds close up, so that who never played leaves no gap."""
    playing = [one for one in entries if one.state in COUNTED and one.out_from != 0]
    ranked = sorted(playing, key=by_seed)
    return [Entrant(one.pk, seed, one.rating, one.out_from) for seed, one in enumerate(ranked, 1)]


def read_ratings(tournament: Tournament, entries: Iterable[TournamentEntry]) -> None:
    """Give entries the ratings that their bots have now, until versions are locked: then they stay.

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
    """A tournament with everything that belongs to it, read once."""

    tournament: Tournament
    entries: dict[int, TournamentEntry]
    openings: list[RoundOpening]
    games: list[Game]
    timeline: Timeline | None
    """None as long as there are fewer than two entrants."""
    visible: int = EVERY_ROUND
    """The last round whose results are in it."""

    @property
    def event(self) -> TournamentProgress | None:
        return self.timeline.event if self.timeline else None

    @cached_property
    def rounds(self) -> Sequence[Round]:
        """The rounds that were opened; before the first, how it would be paired now."""
        if self.timeline is None or self.timeline.rounds or self.tournament.state == State.CANCELLED:
            return self.timeline.rounds if self.timeline else ()
        first = self.timeline.next_round()
        return [first] if first else []

    @cached_property
    def lines(self) -> list[Line]:
        """The standings after the rounds that are over, by what the format goes by."""
        return self._lines(self.event) if self.event else []

    @property
    def standing_event(self) -> TournamentProgress | None:
        """The event with what is decided in the round under way, where points are what counts."""
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
        """The entries, best first."""
        return [entry for entry, _ in self.lines]


def results_of(games: list[Game]) -> dict[str, list[dict[int, int]]]:
    """The placements of what counts, by pod, in the order of the games, as they were played."""
    found: dict[str, list[dict[int, int]]] = {}
    for game in sorted(games, key=lambda one: one.number):
        if game.placements is not None and game.voided_at is None:
            placements = {int(entry): place for entry, place in game.placements.items()}
            found.setdefault(game.pod, []).append(placements)
    return found


def picture(tournament: Tournament, up_to_round: int | None = None) -> Picture:
    """Read a tournament; with `up_to_round` only as if later rounds had not been played."""
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


def may_organise(tournament: Tournament, user: User | AnonymousUser) -> bool:
    """Whether a person runs this tournament: its organiser, or staff."""
    return isinstance(user, User) and (
        user.is_staff or (user.is_organiser and tournament.organiser_id == user.pk)
    )


def visible_rounds(tournament: Tournament, user: User | AnonymousUser) -> int:
    """The last round whose results this person may see; none before it is hidden."""
    if may_organise(tournament, user):
        return EVERY_ROUND
    entered = user.is_authenticated and tournament.entries.filter(bot__owner=user).exists()
    allowed = {Release.PUBLIC, Release.ENTRANTS} if entered else {Release.PUBLIC}
    last = 0
    for opening in tournament.openings.all():
        if opening.release not in allowed:
            return last
        last = opening.number
    return EVERY_ROUND


def seed_is_told(tournament: Tournament, visible: int) -> bool:
    """Whether the master seed, from which all games follow, is open to who sees these rounds."""
    return tournament.state == State.FINISHED and visible >= tournament.opened_rounds


def held_back(match_ids: Sequence[int], user: User | AnonymousUser) -> set[int]:
    """Those matches whose course and result a person may not see yet: their round is not released to them."""
    games = list(Game.objects.select_related("tournament").filter(match__in=match_ids))
    events = {game.tournament_id: game.tournament for game in games}
    visible = {pk: visible_rounds(event, user) for pk, event in events.items()}
    return {game.match_id for game in games if game.match_id and game.round > visible[game.tournament_id]}


def unknown_pairings(user: User | AnonymousUser) -> Exists:
    """Whether a match is of a round that follows from results which a person may not see."""
    games = Game.objects.filter(match=OuterRef("pk"))
    hidden = RoundOpening.objects.filter(tournament=OuterRef("tournament"), number__lt=OuterRef("round"))
    hidden = hidden.exclude(release=Release.PUBLIC)
    if isinstance(user, User):
        if user.is_staff:
            games = games.none()
        elif user.is_organiser:
            games = games.exclude(tournament__organiser=user)
        entered = TournamentEntry.objects.filter(tournament=OuterRef("tournament"), bot__owner=user)
        hidden = hidden.exclude(Exists(entered), release=Release.ENTRANTS)
    return Exists(games.filter(Exists(hidden)))


def live_delays(tournament_ids: Sequence[int]) -> dict[int, int]:
    """Return by event how many seconds spectators of its matches are kept behind them."""
    return dict(Tournament.objects.filter(pk__in=tournament_ids).values_list("pk", "live_delay"))


def listed(user: User | AnonymousUser) -> "list[Tournament]":
    """The tournaments that a person may know of: drafts only of their own."""
    found = Tournament.objects.select_related("organiser").exclude(state=State.DRAFT)
    if user.is_authenticated:
        own = Tournament.objects.select_related("organiser").filter(state=State.DRAFT)
        found = found | (own if user.is_staff else own.filter(organiser=user))
    entrants = Count("entries", filter=Q(entries__state__in=COUNTED))
    return list(found.annotate(entrants=entrants).order_by("-id")[:200])
