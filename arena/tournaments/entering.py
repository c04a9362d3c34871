"""Who takes part: bots enter, are invited, withdraw or are disqualified, and get their seeds."""

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena.accounts import audit
from arena.accounts.models import User
from arena.accounts.permissions import is_owner, may_organise
from arena.bots.errors import RefusedError
from arena.bots.models import Bot
from arena.bots.services import check_may_take_part
from arena.tournaments import news, running
from arena.tournaments.conditions import verdicts
from arena.tournaments.models import OPEN_STATES, EntryState, State, Tournament, TournamentEntry
from arena.tournaments.selectors import by_seed, read_ratings


def check_organiser(tournament: Tournament, actor: User) -> None:
    if not may_organise(actor, tournament):
        raise RefusedError("not-organiser", _("Only its organiser and staff may do this."))


def lock_for(tournament_id: int, actor: User, *states: str) -> Tournament:
    """Return the tournament, locked until the transaction ends, if the actor runs it and a state fits."""
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    check_organiser(tournament, actor)
    if tournament.state not in states:
        raise RefusedError(
            "wrong-state",
            _("This is not possible now: the tournament is %s.") % tournament.get_state_display(),
        )
    return tournament


@transaction.atomic
def enter(tournament_id: int, bot: Bot, actor: User) -> TournamentEntry:
    """Enter a bot: its author while entries are open, or the organiser, who may ignore the conditions."""
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    by_organiser = may_organise(actor, tournament)
    states = {State.REGISTRATION, State.DRAFT} if by_organiser else {State.REGISTRATION}
    if tournament.state not in states:
        raise RefusedError("closed", _("Entries are not open."))
    if not by_organiser:
        if not is_owner(actor, bot):
            raise RefusedError("not-yours", _("%s is not your bot.") % bot.name)
        check_may_take_part(actor)
        for verdict in verdicts(tournament, bot):
            if not verdict.is_met:
                raise RefusedError(verdict.condition, verdict.text)
    elif bot.active_version_id is None:
        raise RefusedError("active", _("%s has no active version.") % bot.name)
    former = tournament.entries.filter(bot=bot).first()
    if former and former.state == EntryState.ENTERED:
        raise RefusedError("entered", _("%s has already entered.") % bot.name)
    if former and former.state == EntryState.DISQUALIFIED and not by_organiser:
        raise RefusedError("disqualified", _("%s was disqualified from this tournament.") % bot.name)
    entry, _new = TournamentEntry.objects.update_or_create(
        tournament=tournament, bot=bot, defaults={"state": EntryState.ENTERED, "out_from": None, "reason": ""}
    )
    news.tell_entered(entry)
    if by_organiser and not is_owner(actor, bot):
        audit.record(actor, "enter bot in tournament", tournament, bot.slug)
    return entry


@transaction.atomic
def invite(tournament_id: int, bot: Bot, actor: User) -> None:
    """Let a bot enter a tournament that is by invitation only."""
    tournament = lock_for(tournament_id, actor, State.DRAFT, State.REGISTRATION)
    former = tournament.entries.filter(bot=bot).first()
    if former:
        state = former.get_state_display()
        raise RefusedError("entered", _("%(bot)s is already %(state)s.") % {"bot": bot.name, "state": state})
    entry = TournamentEntry.objects.create(tournament=tournament, bot=bot, state=EntryState.INVITED)
    if tournament.state == State.REGISTRATION:  # a draft is announced when it opens
        news.tell_invited(entry)
    audit.record(actor, "invite to tournament", tournament, bot.slug)


@transaction.atomic
def uninvite(tournament_id: int, bot: Bot, actor: User) -> None:
    """Take back an invitation that was not accepted."""
    tournament = lock_for(tournament_id, actor, State.DRAFT, State.REGISTRATION)
    deleted, _rows = tournament.entries.filter(bot=bot, state=EntryState.INVITED).delete()
    if not deleted:
        raise RefusedError("not-invited", _("%s has no open invitation.") % bot.name)
    audit.record(actor, "take back invitation", tournament, bot.slug)


@transaction.atomic
def withdraw(tournament_id: int, bot: Bot, actor: User, reason: str = "") -> None:
    """Withdraw a bot. Before versions are locked its entry is deleted; afterwards it plays no further round.

    The current round is played to its end, and everything that was played stays as it is.
    """
    tournament, entry = _entry_to_take_out(tournament_id, bot, actor)
    if entry.state != EntryState.ENTERED:
        raise RefusedError(
            "out", _("%(bot)s is already %(state)s.") % {"bot": bot.name, "state": entry.get_state_display()}
        )
    if tournament.state in OPEN_STATES:
        entry.delete()
    else:
        _put_out(entry, EntryState.WITHDRAWN, reason, tournament.opened_rounds + 1)
        if not is_owner(actor, bot):
            news.tell_out(entry)
    audit.record(actor, "withdrawn in tournament", tournament, f"{bot.slug}: {reason}")
    running.tick(tournament_id)


@transaction.atomic
def disqualify(tournament_id: int, bot: Bot, actor: User, reason: str, from_round: int | None = None) -> None:
    """Disqualify a bot from a round on, by default the current one; from round 1, it counts as last in all.

    Rounds that were opened keep their pairings: it is last there, and games not yet played are forfeited.
    """
    tournament, entry = _entry_to_take_out(tournament_id, bot, actor)
    check_organiser(tournament, actor)
    latest = max(1, tournament.opened_rounds)
    if from_round is not None and not 1 <= from_round <= latest:
        raise RefusedError("round", _("Choose a round from 1 to %d, the latest one that is open.") % latest)
    first = from_round or latest
    if tournament.state in OPEN_STATES:
        first = 0  # as if it had never entered
    if entry.out_from is not None and entry.state == EntryState.DISQUALIFIED and entry.out_from <= first:
        raise RefusedError("out", _("%s is already disqualified.") % bot.name)
    before = entry.out_from
    _put_out(entry, EntryState.DISQUALIFIED, reason, first if before is None else min(before, first))
    news.tell_out(entry)
    audit.record(actor, "disqualified in tournament", tournament, f"{bot.slug}: {reason}")
    running.tick(tournament_id)


def _entry_to_take_out(tournament_id: int, bot: Bot, actor: User) -> tuple[Tournament, TournamentEntry]:
    """Return the tournament, locked, and the bot's entry; refuse others than its author and organiser."""
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if not is_owner(actor, bot) and not may_organise(actor, tournament):
        raise RefusedError("not-yours", _("%s is not your bot.") % bot.name)
    if tournament.state in {State.FINISHED, State.CANCELLED}:
        raise RefusedError("over", _("The tournament is over."))
    entry = tournament.entries.filter(bot=bot).exclude(state=EntryState.INVITED).first()
    if entry is None:
        raise RefusedError("not-entered", _("%s has not entered.") % bot.name)
    return tournament, entry


def _put_out(entry: TournamentEntry, state: str, reason: str, from_round: int) -> None:
    entry.state, entry.reason, entry.out_from = state, reason[:200], from_round
    entry.save(update_fields=["state", "reason", "out_from"])


@transaction.atomic
def seed_by_hand(tournament_id: int, slugs: Sequence[str], actor: User) -> None:
    """Set the seeds, strongest first; bots that are not named follow by rating."""
    tournament = lock_for(tournament_id, actor, *OPEN_STATES, State.LOCKED)
    entries = list(
        tournament.entries.exclude(state=EntryState.INVITED).exclude(out_from=0).select_related("bot")
    )
    known = {entry.bot.slug for entry in entries}
    unknown = [slug for slug in slugs if slug not in known]
    if unknown or len(set(slugs)) < len(slugs):
        raise RefusedError(
            "seeds", _("Name each bot at most once. Not entered: %s") % (", ".join(unknown) or "–")
        )
    for entry in entries:
        entry.seed = slugs.index(entry.bot.slug) + 1 if entry.bot.slug in slugs else None
    if tournament.state == State.LOCKED:
        _close_up(entries)
    TournamentEntry.objects.bulk_update(entries, ["seed"])
    audit.record(actor, "seed tournament", tournament, " ".join(slugs))


def _close_up(entries: Iterable[TournamentEntry]) -> None:
    """Number all seeds: 1, 2, 3 and so on."""
    for seed, entry in enumerate(sorted(entries, key=by_seed), 1):
        entry.seed = seed


def lock_entries(tournament: Tournament) -> None:
    """Freeze the entries. Bots that have lost their active version are withdrawn."""
    entries = list(tournament.entries.filter(state=EntryState.ENTERED).select_related("bot"))
    read_ratings(tournament, entries)
    for entry in entries:
        entry.version = entry.bot.active_version
        if entry.version is None:
            entry.state, entry.out_from, entry.seed = EntryState.WITHDRAWN, 0, None
            entry.reason = gettext_noop("It had no active version when versions were locked.")
    playing = [entry for entry in entries if entry.version is not None]
    if len(playing) < 2:
        raise RefusedError("too-few", _("A tournament needs at least two bots with an active version."))
    tournament.entries.filter(state=EntryState.INVITED).delete()
    _close_up(playing)
    TournamentEntry.objects.bulk_update(entries, ["version", "rating", "state", "out_from", "reason", "seed"])
