"""The acts of organisers and authors. Each is recorded; what one does to pairings can be seen beforehand."""

from collections.abc import Callable, Iterable, Sequence

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.accounts import audit
from arena.accounts.models import User
from arena.bots.errors import RefusedError
from arena.bots.models import Bot
from arena.bots.services import check_may_take_part
from arena.matches import announcing
from arena.matches.models import Match
from arena.tournaments import running
from arena.tournaments.conditions import verdicts
from arena.tournaments.models import OPEN_STATES, EntryState, State, Tournament, TournamentEntry
from arena.tournaments.selectors import by_seed, may_organise, options_of, picture, read_ratings
from contests.formats.entities import FormatError
from contests.formats.timeline import Change, compare


class _UndoError(Exception):
    """Ends a preview: nothing of it is kept."""


def _locked(tournament_id: int, actor: User, *states: str) -> Tournament:
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if not may_organise(tournament, actor):
        raise RefusedError("not-organiser", _("Only its organiser and staff may do this."))
    if tournament.state not in states:
        raise RefusedError(
            "wrong-state",
            _("This cannot be done now: the tournament is %s.") % tournament.get_state_display(),
        )
    return tournament


def _move(tournament: Tournament, actor: User, state: str, act: str, reason: str = "") -> None:
    tournament.state = state
    tournament.save()
    audit.record(actor, f"{act} tournament", tournament, reason)


def to_edit(tournament_id: int, actor: User) -> Tournament:
    """The tournament, locked until the transaction ends, whose rules its organiser may still change."""
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if not may_organise(tournament, actor):
        raise RefusedError("not-organiser", _("Only its organiser and staff may do this."))
    if tournament.state not in OPEN_STATES:
        raise RefusedError("locked", _("Once versions are locked, an event's rules stay as they are."))
    return tournament


@transaction.atomic
def publish(tournament_id: int, actor: User) -> None:
    """Open a draft for entries."""
    tournament = _locked(tournament_id, actor, State.DRAFT)
    try:
        options_of(tournament)
    except FormatError as error:
        raise RefusedError("options", str(error)) from None
    if tournament.lock_at and tournament.lock_at <= timezone.now():
        raise RefusedError(
            "closing-time",
            _("The time at which entries close has passed. Change the rules: set a later one."),
        )
    _move(tournament, actor, State.REGISTRATION, "publish")


@transaction.atomic
def enter(tournament_id: int, bot: Bot, actor: User) -> TournamentEntry:
    """Enter a bot: its author while entries are open, or the organiser, who may pass over conditions."""
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    by_organiser = may_organise(tournament, actor)
    states = {State.REGISTRATION, State.DRAFT} if by_organiser else {State.REGISTRATION}
    if tournament.state not in states:
        raise RefusedError("closed", _("Entries are not open."))
    if not by_organiser:
        if bot.owner_id != actor.pk:
            raise RefusedError("not-yours", _("%s is not your bot.") % bot.name)
        check_may_take_part(actor)
        for verdict in verdicts(tournament, bot):
            if not verdict.is_met:
                raise RefusedError(verdict.condition, verdict.text)
    elif bot.active_version_id is None:
        raise RefusedError("active", _("%s has no active version.") % bot.name)
    former = tournament.entries.filter(bot=bot).first()
    if former and former.state == EntryState.ENTERED:
        raise RefusedError("entered", _("%s is entered already.") % bot.name)
    if former and former.state == EntryState.DISQUALIFIED and not by_organiser:
        raise RefusedError("disqualified", _("%s was disqualified from this tournament.") % bot.name)
    entry, _new = TournamentEntry.objects.update_or_create(
        tournament=tournament, bot=bot, defaults={"state": EntryState.ENTERED, "out_from": None, "reason": ""}
    )
    if by_organiser and bot.owner_id != actor.pk:
        audit.record(actor, "enter bot in tournament", tournament, bot.slug)
    return entry


@transaction.atomic
def invite(tournament_id: int, bot: Bot, actor: User) -> None:
    """Let a bot enter an event that is by invitation only."""
    tournament = _locked(tournament_id, actor, State.DRAFT, State.REGISTRATION)
    former = tournament.entries.filter(bot=bot).first()
    if former:
        state = former.get_state_display()
        raise RefusedError("entered", _("%(bot)s is %(state)s already.") % {"bot": bot.name, "state": state})
    TournamentEntry.objects.create(tournament=tournament, bot=bot, state=EntryState.INVITED)
    audit.record(actor, "invite to tournament", tournament, bot.slug)


@transaction.atomic
def withdraw(tournament_id: int, bot: Bot, actor: User, reason: str = "") -> None:
    """Take a bot out: before versions lock it was never there; later it plays no further round.

    The round under way is played to its end, and all that was played stays as it is.
    """
    tournament, entry = _entry_to_take_out(tournament_id, bot, actor)
    if entry.state != EntryState.ENTERED:
        raise RefusedError(
            "out", _("%(bot)s is %(state)s already.") % {"bot": bot.name, "state": entry.get_state_display()}
        )
    if tournament.state in OPEN_STATES:
        entry.delete()
    else:
        _put_out(entry, EntryState.WITHDRAWN, reason, tournament.opened_rounds + 1)
    audit.record(actor, "withdrawn in tournament", tournament, f"{bot.slug}: {reason}")
    running.tick(tournament_id)


@transaction.atomic
def disqualify(tournament_id: int, bot: Bot, actor: User, reason: str, from_round: int | None = None) -> None:
    """Put a bot out, from this round on (by default the one under way); with 1 it counts as last in all.

    Rounds that were opened stay as they were paired: there it is last, and what is not played is forfeited.
    """
    tournament, entry = _entry_to_take_out(tournament_id, bot, actor)
    if not may_organise(tournament, actor):
        raise RefusedError("not-organiser", _("Only its organiser and staff may do this."))
    latest = max(1, tournament.opened_rounds)
    if from_round is not None and not 1 <= from_round <= latest:
        raise RefusedError("round", _("Choose a round from 1 to %d, the latest that was opened.") % latest)
    first = from_round or latest
    if tournament.state in OPEN_STATES:
        first = 0  # it was never there
    if entry.out_from is not None and entry.state == EntryState.DISQUALIFIED and entry.out_from <= first:
        raise RefusedError("out", _("%s is disqualified already.") % bot.name)
    before = entry.out_from
    _put_out(entry, EntryState.DISQUALIFIED, reason, first if before is None else min(before, first))
    audit.record(actor, "disqualified in tournament", tournament, f"{bot.slug}: {reason}")
    running.tick(tournament_id)


def _entry_to_take_out(tournament_id: int, bot: Bot, actor: User) -> tuple[Tournament, TournamentEntry]:
    """The tournament, locked, and the bot's entry; refused to strangers and when the event is over."""
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if bot.owner_id != actor.pk and not may_organise(tournament, actor):
        raise RefusedError("not-yours", _("%s is not your bot.") % bot.name)
    if tournament.state in {State.FINISHED, State.CANCELLED}:
        raise RefusedError("over", _("The tournament is over."))
    entry = tournament.entries.filter(bot=bot).exclude(state=EntryState.INVITED).first()
    if entry is None:
        raise RefusedError("not-entered", _("%s is not entered.") % bot.name)
    return tournament, entry


def _put_out(entry: TournamentEntry, state: str, reason: str, from_round: int) -> None:
    entry.state, entry.reason, entry.out_from = state, reason[:200], from_round
    entry.save(update_fields=["state", "reason", "out_from"])


@transaction.atomic
def seed_by_hand(tournament_id: int, slugs: Sequence[str], actor: User) -> None:
    """Set the seeds, strongest first; bots that are not named follow by their rating."""
    tournament = _locked(tournament_id, actor, *OPEN_STATES, State.LOCKED)
    entries = list(
        tournament.entries.exclude(state=EntryState.INVITED).exclude(out_from=0).select_related("bot")
    )
    known = {entry.bot.slug for entry in entries}
    unknown = [slug for slug in slugs if slug not in known]
    if unknown or len(set(slugs)) < len(slugs):
        raise RefusedError(
            "seeds", _("Name each entered bot at most once; not entered: %s") % (", ".join(unknown) or "–")
        )
    for entry in entries:
        entry.seed = slugs.index(entry.bot.slug) + 1 if entry.bot.slug in slugs else None
    if tournament.state == State.LOCKED:
        _close_up(entries)
    TournamentEntry.objects.bulk_update(entries, ["seed"])
    audit.record(actor, "seed tournament", tournament, " ".join(slugs))


def _close_up(entries: Iterable[TournamentEntry]) -> None:
    """Give everybody a seed: 1, 2, 3 and so on."""
    for seed, entry in enumerate(sorted(entries, key=by_seed), 1):
        entry.seed = seed


@transaction.atomic
def lock(tournament_id: int, actor: User) -> None:
    """Close entries, freeze each bot's active version, rate and seed, and commit to the master seed."""
    tournament = _locked(tournament_id, actor, State.REGISTRATION)
    lock_entries(tournament)
    _move(tournament, actor, State.LOCKED, "lock")


def lock_entries(tournament: Tournament) -> None:
    """Freeze the entries. Bots that lost their active version since are withdrawn."""
    entries = list(tournament.entries.filter(state=EntryState.ENTERED).select_related("bot"))
    read_ratings(tournament, entries)
    for entry in entries:
        entry.version = entry.bot.active_version
        if entry.version is None:
            entry.state, entry.out_from, entry.seed = EntryState.WITHDRAWN, 0, None
            entry.reason = _("it had no active version when versions were locked")
    playing = [entry for entry in entries if entry.version is not None]
    if len(playing) < 2:
        raise RefusedError("too-few", _("A tournament needs at least two bots with an active version."))
    tournament.entries.filter(state=EntryState.INVITED).delete()
    _close_up(playing)
    TournamentEntry.objects.bulk_update(entries, ["version", "rating", "state", "out_from", "reason", "seed"])


@transaction.atomic
def start(tournament_id: int, actor: User) -> None:
    """Begin the first round."""
    tournament = _locked(tournament_id, actor, State.LOCKED)
    tournament.started_at = timezone.now()
    _move(tournament, actor, State.RUNNING, "start")
    running.tick(tournament_id)


@transaction.atomic
def pause(tournament_id: int, actor: User) -> None:
    """Ask for no further games; those under way are finished and counted. Deadlines stand still."""
    tournament = _locked(tournament_id, actor, State.RUNNING)
    tournament.paused_at = timezone.now()
    _move(tournament, actor, State.PAUSED, "pause")


@transaction.atomic
def resume(tournament_id: int, actor: User) -> None:
    """Go on where it was paused."""
    tournament = _locked(tournament_id, actor, State.PAUSED)
    if tournament.paused_at:
        waited = timezone.now() - tournament.paused_at
        cut_short = tournament.openings.filter(deadline__gt=tournament.paused_at)
        cut_short.update(deadline=F("deadline") + waited)
    tournament.paused_at = None
    _move(tournament, actor, State.RUNNING, "resume")
    running.tick(tournament_id)


@transaction.atomic
def cancel(tournament_id: int, actor: User, reason: str) -> None:
    """Call the event off. What was played stays visible, and it can be taken back: see `reinstate`."""
    open_states = (State.DRAFT, State.REGISTRATION, State.LOCKED, State.RUNNING, State.PAUSED)
    tournament = _locked(tournament_id, actor, *open_states)
    for game in tournament.games.select_for_update().filter(placements__isnull=True, voided_at=None):
        running.void_game(game, _("the tournament was cancelled"))
    tournament.cancelled_from, tournament.cancel_reason = tournament.state, reason[:200]
    if tournament.state == State.RUNNING:
        tournament.cancelled_from, tournament.paused_at = State.PAUSED, timezone.now()
    _move(tournament, actor, State.CANCELLED, "cancel", reason)


@transaction.atomic
def reinstate(tournament_id: int, actor: User) -> None:
    """Take a cancellation back: the event is where it was, one that ran is paused.

    A closing time that has passed is forgotten, or it would be cancelled again at once.
    """
    tournament = _locked(tournament_id, actor, State.CANCELLED)
    others = Tournament.objects.exclude(pk=tournament_id).exclude(state=State.CANCELLED)
    if others.filter(name=tournament.name).exists():
        raise RefusedError(
            "name", _("Another tournament has this name now; rename or cancel that one first.")
        )
    if tournament.lock_at and tournament.lock_at <= timezone.now():
        tournament.lock_at = None
    state = tournament.cancelled_from or State.REGISTRATION
    tournament.cancelled_from = tournament.cancel_reason = ""
    _move(tournament, actor, state, "reinstate")


@transaction.atomic
def open_next_round(tournament_id: int, actor: User, number: int | None = None) -> None:
    """Open the next round, where rounds are opened by hand; with `number` only if it is that one."""
    tournament = _locked(tournament_id, actor, State.RUNNING)
    if number is not None and number <= tournament.opened_rounds:
        raise RefusedError("round", _("Round %d is open already.") % number)
    seen = picture(tournament)
    if seen.timeline is None or seen.timeline.open_pods:
        raise RefusedError("round", _("The round under way is not over."))
    found = seen.timeline.next_round()
    if found is not None:
        running.open_round(seen, seen.timeline, found)
        audit.record(actor, "open round", tournament, str(found.number))
    running.tick(tournament_id)


@transaction.atomic
def take_back_rounds(tournament_id: int, actor: User, first: int, reason: str) -> None:
    """Void all games of this round and those after it, and pair them anew from what is known now."""
    tournament = _locked(tournament_id, actor, State.RUNNING, State.PAUSED, State.FINISHED)
    if not 1 <= first <= tournament.opened_rounds:
        raise RefusedError("round", _("Only a round that was opened can be taken back."))
    for game in tournament.games.select_for_update().filter(round__gte=first, voided_at=None):
        running.void_game(game, reason or _("its round was taken back"))
    tournament.openings.filter(number__gte=first).delete()
    # Who has left since plays none of the rounds that are paired anew.
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
    tournament = _locked(tournament_id, actor, *states)
    if not 1 <= up_to <= tournament.opened_rounds:
        raise RefusedError("round", _("Only rounds that were opened can be released."))
    others = tournament.openings.filter(number__lte=up_to).exclude(release=release)
    if not others.update(release=release):
        raise RefusedError("release", _("Their results are for the same people already."))
    audit.record(actor, "release results", tournament, f"{release} up to round {up_to}")
    announcing.owe_announcing(Match.Purpose.TOURNAMENT, tournament.pk)


@transaction.atomic
def void(tournament_id: int, game_id: int, actor: User, reason: str) -> None:
    """Take a game out; it is played again with its own seed. Rounds opened since stay as they are."""
    states = (State.RUNNING, State.PAUSED, State.FINISHED)
    tournament = _locked(tournament_id, actor, *states)
    game = tournament.games.select_for_update().filter(pk=game_id, voided_at=None).first()
    if game is None:
        raise RefusedError("game", _("There is no such game, or it is void already."))
    running.void_game(game, reason)
    audit.record(actor, "void game", tournament, f"{game.pod} game {game.number}: {reason}")
    running.reopen(game)
    running.tick(tournament_id)


def preview(act: Callable[[], object], tournament_id: int) -> Change:
    """What an act would do to pairings and results: it is done, compared, and undone."""
    tournament = Tournament.objects.get(pk=tournament_id)
    before = picture(tournament).timeline
    change = Change()
    try:
        with transaction.atomic():
            act()
            after = picture(Tournament.objects.get(pk=tournament_id)).timeline
            if before and after:
                change = compare(before, after)
            raise _UndoError
    except _UndoError:
        return change
