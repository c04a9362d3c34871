"""Keeps an event going: opens rounds, asks for games, takes in results, forfeits what is overdue.

`tick` is safe to call at any time and any number of times: it holds the tournament's row and does what
follows from the results.
"""

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.bots.models import Bot, Version
from arena.matches.models import HeldReport, Match
from arena.matches.services import MatchRequest, request_matches, void_match
from arena.tournaments.formats.entities import Pod
from arena.tournaments.formats.fairness import game_seed, seating
from arena.tournaments.formats.timeline import Timeline
from arena.tournaments.models import Game, RoundOpening, State, Tournament, TournamentEntry
from arena.tournaments.selectors import Picture, picture, results_of
from engine.rulesets import ruleset_from_options
from proto.messages import Clocks


def settle(settled: Match) -> None:
    """Take in a match that is over; safe to run twice."""
    with transaction.atomic():
        game = Game.objects.select_for_update().filter(match=settled, voided_at=None).first()
        if game is None:
            return
        match = Match.objects.get(pk=settled.pk)  # read after the lock
        if match.state == Match.State.FINISHED and game.placements is None:
            game.placements = _placements(game, match)
            game.save(update_fields=["placements"])
        elif match.state == Match.State.VOIDED:
            void_game(game, _("the match was voided"))
            reopen(game.tournament_id)
    if not _goes_on_anyway(game):
        tick(game.tournament_id)


def _goes_on_anyway(game: Game) -> bool:
    """Whether nothing follows from this result yet, since others of its round, all asked for, are awaited.

    Asked after the result is committed: of two that come in at once, one sees the other.
    """
    if _asks_in_turn(game.tournament):
        return False
    return Game.objects.filter(
        tournament=game.tournament_id, round=game.round, voided_at=None, placements=None
    ).exists()


def _placements(game: Game, match: Match) -> dict[str, int]:
    """The places among the entrants: a house bot that filled the table is left out."""
    in_pod = [int(part) for part in game.pod.split(":")[1].split("-")]
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
    if seen.timeline is None:
        return
    is_running = tournament.state == State.RUNNING
    if is_running and _forfeit_overdue(tournament, seen.games) + _drop_orphans(seen, seen.timeline):
        seen = picture(tournament)
    if is_running and seen.timeline is not None:
        _go_on(tournament, seen, seen.timeline)
    remember(seen)


def _go_on(tournament: Tournament, seen: Picture, timeline: Timeline) -> None:
    """Open what is to be opened and ask for what is to be played; or all is played."""
    if timeline.current is None:
        finish(tournament)
        return
    if timeline.current.number > tournament.opened_rounds:
        if tournament.rounds_by_hand and tournament.opened_rounds:
            return
        open_rounds(tournament, timeline.current.number)
    _request_games(tournament, seen, timeline)


def remember(seen: Picture) -> None:
    """Keep pairings with their rounds, and with each entry its line of the standings."""
    if seen.timeline is None:
        return
    bases = dict(enumerate(seen.timeline.bases, 1))
    rounds = {one.number: one for one in seen.timeline.rounds}
    changed = [one for one in seen.tournament.openings.all() if one.basis != bases.get(one.number, "")]
    for opening in changed:
        opening.basis = bases.get(opening.number, "")
        found = rounds.get(opening.number)
        opening.pairing = found and {
            "name": found.name,
            "pods": [(pod.entrants, pod.name) for pod in found.pods],
            "byes": found.byes,
            "walkovers": found.walkovers,
        }
    RoundOpening.objects.bulk_update(changed, ["basis", "pairing"])
    moved = []
    for entry, line in seen.lines_now:
        kept = (entry.place, entry.points, entry.pods, entry.byes, entry.breaks)
        now = (line.place, line.points, line.pods, line.byes, list(line.breaks))
        if kept != now:
            entry.place, entry.points, entry.pods, entry.byes, entry.breaks = now
            moved.append(entry)
    TournamentEntry.objects.bulk_update(moved, ["place", "points", "pods", "byes", "breaks"], batch_size=500)


def finish(tournament: Tournament) -> None:
    """Nothing is left to be played: the master seed is shown from now on."""
    tournament.state = State.FINISHED
    tournament.finished_at = timezone.now()
    tournament.save(update_fields=["state", "finished_at"])


def reopen(tournament_id: int) -> None:
    """An event that was over goes on: a game of it is to be played again."""
    over = Tournament.objects.filter(pk=tournament_id, state=State.FINISHED)
    over.update(state=State.RUNNING, finished_at=None)


def open_rounds(tournament: Tournament, number: int) -> None:
    """Open the rounds up to this one. The deadline runs from now."""
    minutes = tournament.round_minutes
    deadline = timezone.now() + timedelta(minutes=minutes) if minutes else None
    RoundOpening.objects.bulk_create(
        RoundOpening(tournament=tournament, number=one, deadline=deadline, release=tournament.release)
        for one in range(tournament.opened_rounds + 1, number + 1)
    )
    tournament.opened_rounds = number
    tournament.save(update_fields=["opened_rounds"])


def _request_games(tournament: Tournament, seen: Picture, timeline: Timeline) -> None:
    """Ask for the games that open pods still need: a series of two game by game, all else at once."""
    length = tournament.series_length
    in_turn = _asks_in_turn(tournament)
    asked: dict[str, set[int]] = {}
    for game in seen.games:
        if game.voided_at is None:
            asked.setdefault(game.pod, set()).add(game.number)
    wanted: list[tuple[Pod, int]] = []
    results = results_of(seen.games)
    for pod in timeline.open_pods(results, length):
        numbers = asked.get(pod.key, set())
        missing = [number for number in range(1, length + 1) if number not in numbers]
        if in_turn:
            missing = missing[: 0 if len(numbers) > len(results.get(pod.key, ())) else 1]
        wanted += [(pod, number) for number in missing]
    if not wanted:
        return
    matches = request_matches(_requests(tournament, seen, wanted))
    Game.objects.bulk_create(
        Game(tournament=tournament, round=pod.round, pod=pod.key, number=number, match=match)
        for (pod, number), match in zip(wanted, matches, strict=True)
    )


def _asks_in_turn(tournament: Tournament) -> bool:
    """Whether a series may be over before its last game, which is then not played."""
    return tournament.seats == 2 and tournament.series_length > 1 and not tournament.duplicate


def _requests(tournament: Tournament, seen: Picture, wanted: Iterable[tuple[Pod, int]]) -> list[MatchRequest]:
    rules = ruleset_from_options(tournament.ruleset)
    clocks = Clocks(**tournament.clocks)
    fillers = house_versions()
    found = []
    for pod, number in wanted:
        versions = [_version(seen, entry) for entry in seating(pod.entrants, number)]
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
    """The house bots that fill tables, the simplest first."""
    bots = Bot.objects.filter(is_house=True, active_version__isnull=False).select_related("active_version")
    ranked = sorted(bots, key=lambda bot: (bot.slug != "random", bot.pk))
    return [bot.active_version for bot in ranked if bot.active_version]


def _forfeit_overdue(tournament: Tournament, games: list[Game]) -> int:
    """Decide by seed what was not played before its round's deadline; return how many games that were."""
    overdue = set(tournament.openings.filter(deadline__lt=Now()).values_list("number", flat=True))
    late = [one for one in games if one.round in overdue and one.placements is None and one.voided_at is None]
    held = HeldReport.objects.filter(match__in=[one.match_id for one in late])
    played = set(held.values_list("match", flat=True))  # in time; that is not to be told yet
    late = [one for one in late if one.match_id not in played]
    seeds = dict(tournament.entries.values_list("pk", "seed"))
    for game in late:
        ranked = sorted(map(int, game.pod.split(":")[1].split("-")), key=lambda one: seeds[one] or 0)
        game.placements = {str(entry): place for place, entry in enumerate(ranked, 1)}
        game.forfeit = True
        if game.match_id:
            void_match(game.match_id, _("not played before the round's deadline"))
        game.match = None
        game.save(update_fields=["placements", "forfeit", "match"])
    return len(late)


def _drop_orphans(seen: Picture, timeline: Timeline) -> int:
    """Void the games of pods that do not exist any more, since something before them changed."""
    valid = {pod.key for one in timeline.rounds for pod in one.pods}
    dropped = [one for one in seen.games if one.voided_at is None and one.pod not in valid]
    for game in dropped:
        void_game(game, _("the pairing changed"))
    return len(dropped)


def void_game(game: Game, reason: str) -> None:
    """Take a game out of all counting, and its match with it."""
    game.voided_at = timezone.now()
    game.void_reason = reason[:200]
    game.save(update_fields=["voided_at", "void_reason"])
    if game.match_id:
        void_match(game.match_id, reason)
