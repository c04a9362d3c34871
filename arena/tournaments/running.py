"""Keeps a tournament going: opens rounds, requests games, records results, forfeits what is overdue.

`tick` is safe to call at any time and any number of times: it locks the tournament's row and does what
follows from the results. A round that was opened stays as it was paired.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_noop

from arena.bots.models import Bot, Version
from arena.hosts.models import HeldReport
from arena.listeners import Happening, publish
from arena.matches.models import Match
from arena.matches.services import MatchRequest, request_matches, void_match
from arena.tournaments import stored_rounds
from arena.tournaments.models import Game, RoundOpening, State, Tournament, TournamentEntry
from arena.tournaments.news import owe_news
from arena.tournaments.selectors import Picture, picture
from contests.formats.entities import Pod, Round
from contests.formats.fairness import game_seed, seating
from contests.formats.timeline import Timeline
from engine.rulesets import ruleset_from_options
from proto.messages import Clocks


def settle(matches: Sequence[Match]) -> None:
    """Record the results of matches that are over; safe to run twice."""
    for match in matches:
        settle_match(match)


def settle_match(settled: Match) -> None:
    with transaction.atomic():
        match = Match.objects.get(pk=settled.pk)
        is_void = match.state == Match.State.VOIDED
        if is_void:
            # Lock the tournament before its games, as the acts of its organiser do.
            Tournament.objects.select_for_update(of=("self",)).filter(games__match=match).first()
        game = Game.objects.select_for_update().filter(match=match, voided_at=None).first()
        if game is None:
            return
        if match.state == Match.State.FINISHED and game.placements is None:
            game.placements = _placements(game, match)
            game.save(update_fields=["placements"])
        elif is_void:
            void_game(game, gettext_noop("The match was voided."))
            reopen(game)
    if is_void or not _goes_on_anyway(game):
        tick(game.tournament_id)


def _goes_on_anyway(game: Game) -> bool:
    """Return whether nothing follows from this result yet, as other games of its round are not over.

    Called after the result is committed: of two results that arrive at once, one sees the other.
    """
    if _asks_in_turn(game.tournament):
        return False
    return Game.objects.filter(
        tournament=game.tournament_id, round=game.round, voided_at=None, placements__isnull=True
    ).exists()


def _placements(game: Game, match: Match) -> dict[str, int]:
    """Return the placements of the entrants, without a house bot that filled the table."""
    in_pod = Pod.from_key(game.pod).entrants
    entries = game.tournament.entries.filter(pk__in=in_pod).values_list("version_id", "pk")
    by_version = dict(entries)
    seats = sorted(match.seats_taken.all(), key=lambda seat: seat.placement or 0)
    ranked = [by_version[seat.version_id] for seat in seats if seat.version_id in by_version]
    return {str(entry): place for place, entry in enumerate(ranked, 1)}


@transaction.atomic
def tick(tournament_id: int) -> None:
    """Do what follows from the results so far."""
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if tournament.state not in {State.RUNNING, State.PAUSED}:
        return
    seen = picture(tournament)
    while tournament.state == State.RUNNING and seen.timeline and _go_on(tournament, seen, seen.timeline):
        seen = picture(tournament)
    keep_standings(seen)


def _go_on(tournament: Tournament, seen: Picture, timeline: Timeline) -> bool:
    """Take the next step: forfeit, request games, open a round, finish. Return whether more may follow."""
    if _forfeit_pending(tournament, seen, timeline):
        return True
    if timeline.open_pods:
        return _request_games(tournament, seen, timeline)
    found = timeline.next_round()
    if found is None:
        finish(tournament)
        return False
    if tournament.rounds_by_hand and tournament.opened_rounds:
        return False
    open_round(seen, timeline, found)
    return True


def keep_standings(seen: Picture) -> None:
    """Store each entry's line of the standings."""
    moved = []
    for entry, line in seen.lines_now:
        kept = (entry.place, entry.points, entry.pods, entry.byes, entry.breaks)
        now = (line.place, line.points, line.pods, line.byes, list(line.breaks))
        if kept != now:
            entry.place, entry.points, entry.pods, entry.byes, entry.breaks = now
            moved.append(entry)
    TournamentEntry.objects.bulk_update(moved, ["place", "points", "pods", "byes", "breaks"], batch_size=500)


def finish(tournament: Tournament) -> None:
    """End the tournament: nothing is left to be played, and the master seed is shown from now on."""
    tournament.state = State.FINISHED
    tournament.finished_at = timezone.now()
    tournament.save(update_fields=["state", "finished_at"])
    publish(Happening.EVENT_MOVED, tournament.pk, State.FINISHED)
    owe_news(tournament.pk, "over")


def reopen(game: Game) -> None:
    """Let a game be played again: a finished tournament goes on, and its round gets a new deadline."""
    over = Tournament.objects.filter(pk=game.tournament_id, state=State.FINISHED)
    over.update(state=State.RUNNING, finished_at=None)
    limited = RoundOpening.objects.filter(tournament=game.tournament_id, number=game.round)
    limited.filter(deadline__isnull=False).update(deadline=_deadline(game.tournament))


def _deadline(tournament: Tournament) -> datetime | None:
    minutes = tournament.round_minutes
    return timezone.now() + timedelta(minutes=minutes) if minutes else None


def open_round(seen: Picture, timeline: Timeline, found: Round) -> None:
    """Open a round: its pairings are final, and its deadline starts."""
    tournament = seen.tournament
    RoundOpening.objects.create(
        tournament=tournament,
        number=found.number,
        deadline=_deadline(tournament),
        release=tournament.release,
        pairing=stored_rounds.to_data(found),
        known=stored_rounds.what_is_known(seen.openings, timeline.event.entrants, seen.games),
    )
    tournament.opened_rounds = found.number
    tournament.save(update_fields=["opened_rounds"])
    owe_news(tournament.pk, "round")


def _request_games(tournament: Tournament, seen: Picture, timeline: Timeline) -> bool:
    """Request the games that open pods still need; return whether some were forfeited for lack of players."""
    wanted = _missing(tournament, seen, timeline)
    lone = {pod.key for pod in _pods_of_one(timeline)}
    to_play = [(pod, number) for pod, number in wanted if pod.key not in lone]
    matches = request_matches(_requests(tournament, seen, to_play)) if to_play else []
    Game.objects.bulk_create(
        Game(tournament=tournament, round=pod.round, pod=pod.key, number=number, match=match)
        for (pod, number), match in zip(to_play, matches, strict=True)
    )
    given = [(pod, number) for pod, number in wanted if pod.key in lone]
    Game.objects.bulk_create(
        Game(tournament=tournament, round=pod.round, pod=pod.key, number=number,
             forfeit=True, placements=_by_seed(seen, pod.key))
        for pod, number in given
    )  # fmt: skip
    return bool(given)


def _missing(tournament: Tournament, seen: Picture, timeline: Timeline) -> list[tuple[Pod, int]]:
    """Return the games to request: all at once, or the next one where a series may end early."""
    length = tournament.series_length
    in_turn = _asks_in_turn(tournament)
    asked: dict[str, dict[int, bool]] = {}
    for game in seen.games:
        if game.voided_at is None:
            asked.setdefault(game.pod, {})[game.number] = game.placements is None
    wanted: list[tuple[Pod, int]] = []
    for pod in timeline.open_pods:
        pending = asked.get(pod.key, {})
        missing = [number for number in range(1, length + 1) if number not in pending]
        if in_turn:
            missing = [] if any(pending.values()) else missing[:1]
        wanted += [(pod, number) for number in missing]
    return wanted


def _pods_of_one(timeline: Timeline) -> list[Pod]:
    """Return the open pods in which at most one entrant is left."""
    by_id = timeline.event.by_id
    return [
        pod
        for pod in timeline.open_pods
        if sum(not by_id[one].is_out(pod.round) for one in pod.entrants) <= 1
    ]


def _asks_in_turn(tournament: Tournament) -> bool:
    """Return whether a series may be decided before its last game, which is then not played."""
    return tournament.seats == 2 and tournament.series_length > 1 and not tournament.duplicate


def _requests(tournament: Tournament, seen: Picture, wanted: Iterable[tuple[Pod, int]]) -> list[MatchRequest]:
    """Return the matches of these games. House bots fill empty seats and those of entrants who are out."""
    by_id = seen.event.by_id if seen.event else {}
    rules = ruleset_from_options(tournament.ruleset)
    clocks = Clocks(**tournament.clocks)
    fillers = house_versions()
    found = []
    for pod, number in wanted:
        present = [one for one in seating(pod.entrants, number) if not by_id[one].is_out(pod.round)]
        versions = [_version(seen, entry) for entry in present]
        spare = [one for one in fillers if one not in versions]
        versions += (spare * tournament.seats)[: tournament.seats - len(versions)]
        shared = tournament.seats if tournament.duplicate else 1
        seed = game_seed(bytes(tournament.master_seed), pod.key, (number - 1) // shared + 1)
        found.append(
            MatchRequest(versions, rules, Match.Purpose.TOURNAMENT, clocks, tournament.pk, seed, rated=False)
        )
    return found


def _version(seen: Picture, entry: int) -> Version:
    version = seen.entries[entry].version
    if version is None:
        raise AssertionError("versions are frozen before the first game")
    return version


def house_versions() -> list[Version]:
    """Return the house bots that fill tables, the simplest first."""
    bots = Bot.objects.filter(is_house=True, active_version__isnull=False).select_related("active_version")
    ranked = sorted(bots, key=lambda bot: (bot.slug != "random", bot.pk))
    return [bot.active_version for bot in ranked if bot.active_version]


def _forfeit_pending(tournament: Tournament, seen: Picture, timeline: Timeline) -> bool:
    """Decide by seed the games that cannot be played: overdue, or with nobody left to play against."""
    overdue = set(tournament.openings.filter(deadline__lt=Now()).values_list("number", flat=True))
    lone = {pod.key for pod in _pods_of_one(timeline)}
    late = gettext_noop("It was not played before the round's deadline.")
    alone = gettext_noop("Nobody was left to play against.")
    waiting = [one for one in seen.games if one.placements is None and one.voided_at is None]
    played = set(played_but_held(waiting))  # in time, but the result is not public yet
    found = False
    for game in waiting:
        if game.match_id not in played and (game.round in overdue or game.pod in lone):
            found |= _forfeit(game, _by_seed(seen, game.pod), late if game.round in overdue else alone)
    return found


def played_but_held(games: Iterable[Game]) -> list[int]:
    """Return the matches of these games that were played, but whose results spectators must wait for."""
    held = HeldReport.objects.filter(match__in=[one.match_id for one in games])
    return list(held.values_list("match", flat=True))


def _forfeit(game: Game, placements: dict[str, int], reason: str) -> bool:
    """Decide a game that was not played, unless its result arrived meanwhile."""
    waiting = Game.objects.filter(pk=game.pk, placements__isnull=True, voided_at=None)
    if not waiting.update(placements=placements, forfeit=True, match=None):
        return True  # its result arrived: look again
    if game.match_id:
        void_match(game.match_id, reason)
    return True


def _by_seed(seen: Picture, pod: str) -> dict[str, int]:
    ranked = sorted(Pod.from_key(pod).entrants, key=lambda one: seen.entries[one].seed or 0)
    return {str(entry): place for place, entry in enumerate(ranked, 1)}


def void_game(game: Game, reason: str) -> None:
    """Void a game and its match."""
    game.voided_at = timezone.now()
    game.void_reason = reason[:200]
    game.save(update_fields=["voided_at", "void_reason"])
    if game.match_id:
        void_match(game.match_id, reason)
