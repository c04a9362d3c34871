"""What organisers do with a tournament. Each act is recorded, and its effect on pairings can be previewed."""

from collections.abc import Callable

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena import listeners
from arena.accounts import audit
from arena.accounts.models import User
from arena.bots.errors import RefusedError
from arena.listeners import Happening
from arena.matches import announcing
from arena.matches.models import Match
from arena.tournaments import running
from arena.tournaments.entering import check_organiser, lock_entries, lock_for
from arena.tournaments.models import OPEN_STATES, State, Tournament
from arena.tournaments.news import owe_news
from arena.tournaments.previews import look_ahead
from arena.tournaments.selectors import options_of, picture
from contests.formats.entities import FormatError
from contests.formats.timeline import Change


def _move(tournament: Tournament, actor: User, state: str, act: str, reason: str = "") -> None:
    tournament.state = state
    tournament.save()
    if act != "resume":
        listeners.publish(Happening.EVENT_MOVED, tournament.pk, state)
    audit.record(actor, f"{act} tournament", tournament, reason)


def to_edit(tournament_id: int, actor: User) -> Tournament:
    """Return the tournament, locked until the transaction ends, if its rules may still be changed."""
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    check_organiser(tournament, actor)
    if tournament.state not in OPEN_STATES:
        raise RefusedError("locked", _("The rules cannot be changed once versions are locked."))
    return tournament


@transaction.atomic
def publish(tournament_id: int, actor: User) -> None:
    """Open a draft for entries."""
    tournament = lock_for(tournament_id, actor, State.DRAFT)
    try:
        options_of(tournament)
    except FormatError as error:
        raise RefusedError("options", str(error)) from None
    if tournament.lock_at and tournament.lock_at <= timezone.now():
        raise RefusedError(
            "closing-time",
            _("The time at which entries close has passed. Set a later one in the rules."),
        )
    _move(tournament, actor, State.REGISTRATION, "publish")
    owe_news(tournament_id, "opened")


@transaction.atomic
def lock(tournament_id: int, actor: User) -> None:
    """Close entries, freeze each bot's active version, rating and seed, and commit to the master seed."""
    tournament = lock_for(tournament_id, actor, State.REGISTRATION)
    lock_entries(tournament)
    _move(tournament, actor, State.LOCKED, "lock")


@transaction.atomic
def start(tournament_id: int, actor: User) -> None:
    """Start the first round."""
    tournament = lock_for(tournament_id, actor, State.LOCKED)
    tournament.started_at = timezone.now()
    _move(tournament, actor, State.RUNNING, "start")
    owe_news(tournament_id, "started")
    running.tick(tournament_id)


@transaction.atomic
def pause(tournament_id: int, actor: User) -> None:
    """Request no further games. Those being played are finished and counted, and deadlines are extended."""
    tournament = lock_for(tournament_id, actor, State.RUNNING)
    tournament.paused_at = timezone.now()
    _move(tournament, actor, State.PAUSED, "pause")


@transaction.atomic
def resume(tournament_id: int, actor: User) -> None:
    """Continue a paused tournament."""
    tournament = lock_for(tournament_id, actor, State.PAUSED)
    if tournament.paused_at:
        waited = timezone.now() - tournament.paused_at
        cut_short = tournament.openings.filter(deadline__gt=tournament.paused_at)
        cut_short.update(deadline=F("deadline") + waited)
    tournament.paused_at = None
    _move(tournament, actor, State.RUNNING, "resume")
    running.tick(tournament_id)


@transaction.atomic
def cancel(tournament_id: int, actor: User, reason: str) -> None:
    """Cancel the tournament. What was played stays visible, and `reinstate` undoes it."""
    open_states = (State.DRAFT, State.REGISTRATION, State.LOCKED, State.RUNNING, State.PAUSED)
    tournament = lock_for(tournament_id, actor, *open_states)
    unplayed = tournament.games.filter(placements__isnull=True, voided_at=None)
    for game in unplayed.exclude(match__in=running.played_but_held(unplayed)).select_for_update():
        running.void_game(game, gettext_noop("The tournament was cancelled."))
    tournament.cancelled_from, tournament.cancel_reason = tournament.state, reason[:200]
    if tournament.state == State.RUNNING:
        tournament.cancelled_from, tournament.paused_at = State.PAUSED, timezone.now()
    _move(tournament, actor, State.CANCELLED, "cancel", reason)
    if tournament.cancelled_from != State.DRAFT:
        owe_news(tournament_id, "cancelled")


@transaction.atomic
def reinstate(tournament_id: int, actor: User) -> None:
    """Undo a cancellation: the tournament returns to its earlier state, paused if it was running.

    A closing time that has passed is dropped; otherwise it would be cancelled again at once.
    """
    tournament = lock_for(tournament_id, actor, State.CANCELLED)
    others = Tournament.objects.exclude(pk=tournament_id).exclude(state=State.CANCELLED)
    if others.filter(name=tournament.name).exists():
        raise RefusedError(
            "name", _("Another tournament has this name now. Rename or cancel that one first.")
        )
    if tournament.lock_at and tournament.lock_at <= timezone.now():
        tournament.lock_at = None
    state = tournament.cancelled_from or State.REGISTRATION
    tournament.cancelled_from = tournament.cancel_reason = ""
    _move(tournament, actor, state, "reinstate")


@transaction.atomic
def open_next_round(tournament_id: int, actor: User, number: int | None = None) -> None:
    """Open the next round, where rounds are opened by hand; with `number`, only if it is that one."""
    tournament = lock_for(tournament_id, actor, State.RUNNING)
    if number is not None and number <= tournament.opened_rounds:
        raise RefusedError("round", _("Round %d is already open.") % number)
    seen = picture(tournament)
    if seen.timeline is None or seen.timeline.open_pods:
        raise RefusedError("round", _("The current round is not over."))
    found = seen.timeline.next_round()
    if found is not None:
        running.open_round(seen, seen.timeline, found)
        audit.record(actor, "open round", tournament, str(found.number))
    running.tick(tournament_id)


@transaction.atomic
def take_back_rounds(tournament_id: int, actor: User, first: int, reason: str) -> None:
    """Void all games of this round and later ones, and pair them again from what is known now."""
    tournament = lock_for(tournament_id, actor, State.RUNNING, State.PAUSED, State.FINISHED)
    if not 1 <= first <= tournament.opened_rounds:
        raise RefusedError("round", _("Only a round that has been opened can be taken back."))
    for game in tournament.games.select_for_update().filter(round__gte=first, voided_at=None):
        running.void_game(game, reason or gettext_noop("Its round was taken back."))
    tournament.openings.filter(number__gte=first).delete()
    # Bots that have left since play in none of the rounds that are paired again.
    tournament.entries.filter(out_from__gt=first).update(out_from=first)
    tournament.opened_rounds = first - 1
    if tournament.state == State.FINISHED:
        tournament.state, tournament.finished_at = State.RUNNING, None
    tournament.save(update_fields=["opened_rounds", "state", "finished_at"])
    audit.record(actor, "take back rounds", tournament, f"from round {first}: {reason}")
    running.tick(tournament_id)


@transaction.atomic
def release_rounds(tournament_id: int, actor: User, release: str, up_to: int) -> None:
    """Let more (or fewer) people see the results of the rounds up to this one."""
    states = (State.RUNNING, State.PAUSED, State.FINISHED)
    tournament = lock_for(tournament_id, actor, *states)
    if not 1 <= up_to <= tournament.opened_rounds:
        raise RefusedError("round", _("Only rounds that have been opened can be released."))
    others = tournament.openings.filter(number__lte=up_to).exclude(release=release)
    if not others.update(release=release):
        raise RefusedError("release", _("These results are already released to the same people."))
    audit.record(actor, "release results", tournament, f"{release} up to round {up_to}")
    announcing.owe_announcing(Match.Purpose.TOURNAMENT, tournament.pk)
    owe_news(tournament_id, "over" if tournament.state == State.FINISHED else "round")


@transaction.atomic
def void(tournament_id: int, game_id: int, actor: User, reason: str) -> None:
    """Void a game, which is then played again with the same seed. Rounds opened since stay as they are."""
    states = (State.RUNNING, State.PAUSED, State.FINISHED)
    tournament = lock_for(tournament_id, actor, *states)
    game = tournament.games.select_for_update().filter(pk=game_id, voided_at=None).first()
    if game is None:
        raise RefusedError("game", _("There is no such game, or it is already void."))
    running.void_game(game, reason)
    audit.record(actor, "void game", tournament, f"{game.pod} game {game.number}: {reason}")
    running.reopen(game)
    running.tick(tournament_id)


def preview(act: Callable[[], object], tournament_id: int) -> Change:
    """Return what an act would change in pairings and results."""
    return look_ahead(act, tournament_id).change
