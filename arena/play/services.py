"""Opens tables, seats people, and takes their decisions."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from django.core import signing
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.accounts.permissions import Person
from arena.bots.errors import RefusedError
from arena.bots.models import Version
from arena.hosts.models import Attempt
from arena.matches.models import STILL_TO_PLAY, Match, MatchSeat
from arena.matches.services import MatchRequest, request_matches
from arena.play.channels import tell_hosts, tell_people
from arena.play.models import DailyChallenge, OnLeaving, Table, TableSeat
from arena.play.people_results import count_result
from arena.play.selectors import house_version, name_of, read_game
from engine.rulesets import ruleset
from workers.match.person import LEAVE, RESIGN

TABLES_AT_ONCE = 10
WAITS_FOR = timedelta(hours=1)
"""After this long a table that is not full no longer counts as open."""
INVITATION = signing.Signer(salt="arena.play.invitation")


@dataclass(frozen=True)
class NewTable:
    """A table to open: `opponents` are versions of bots, or None for a person who is invited."""

    opponents: Sequence[Version | None]
    edition: str
    pace: int
    on_leaving: str
    opened_from: str
    has_hints: bool = False
    is_guided: bool = False
    challenge: DailyChallenge | None = None

    @property
    def may_hint(self) -> bool:
        """Whether its person may ask for hints: only where nobody but bots would suffer from it."""
        return self.has_hints and None not in self.opponents and self.challenge is None


def hash_token(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def opener(person: Person, network: str) -> str:
    """Return by what open tables are counted."""
    return f"user:{person.pk}" if isinstance(person, User) else sha256(network.encode()).hexdigest()[:32]


@transaction.atomic
def open_table(person: Person, wanted: NewTable) -> tuple[Table, str]:
    """Open a table and seat whoever opens it; return it, and the token of their seat."""
    check_open_tables(wanted.opened_from)
    stand_in = house_version()
    table = Table.objects.create(
        edition=wanted.edition,
        pace=wanted.pace,
        on_leaving=wanted.on_leaving,
        opened_from=wanted.opened_from,
        has_hints=wanted.may_hint,
        is_guided=wanted.is_guided,
        challenge=wanted.challenge,
    )
    TableSeat.objects.bulk_create(
        TableSeat(table=table, seat=seat, is_person=version is None, version=version or stand_in)
        for seat, version in enumerate([None, *wanted.opponents])
    )
    return table, sit_down(table, person)


def check_open_tables(opened_from: str) -> None:
    tables = Table.objects.filter(opened_from=opened_from)
    waiting = tables.filter(match=None, created_at__gt=timezone.now() - WAITS_FOR).count()
    if waiting + tables.filter(match__state__in=STILL_TO_PLAY).count() >= TABLES_AT_ONCE:
        raise RefusedError(
            "quota-tables",
            _("You have %d open tables. Finish or resign one of them first.") % TABLES_AT_ONCE,
            30,
        )


@transaction.atomic
def sit_down(table: Table, person: Person) -> str:
    """Give somebody the next free seat and return its token; begin once nobody is missing."""
    Table.objects.select_for_update().get(pk=table.pk)
    free = table.table_seats.filter(is_person=True, token_hash="").order_by("seat").first()
    if free is None:
        raise RefusedError("table-full", _("All seats of this table are taken. Open a table of your own."))
    token = secrets.token_urlsafe(32)
    free.token_hash = hash_token(token)
    free.user = person if isinstance(person, User) else None
    free.save(update_fields=["token_hash", "user"])
    if not table.table_seats.filter(is_person=True, token_hash="").exists():
        begin(table)
    tell_people(table.public_id)
    return token


def begin(table: Table) -> None:
    """Request the match of a table that is full."""
    seats = list(table.table_seats.select_related("version", "user").order_by("seat"))
    [match] = request_matches(
        [
            MatchRequest(
                [seat.version for seat in seats],
                ruleset(table.edition),
                Match.Purpose.PLAY,
                purpose_id=table.pk,
                seed=bytes(table.challenge.seed) if table.challenge else None,
            )
        ]
    )
    for seat in seats:
        if seat.is_person:
            MatchSeat.objects.filter(match=match, seat=seat.seat).update(person=name_of(seat))
    Table.objects.filter(pk=table.pk).update(match=match, moved_at=timezone.now())
    tell_hosts({"new": True})


def invitation(table: Table) -> str:
    """Return what the link to an empty seat must carry."""
    return INVITATION.sign(table.public_id).partition(":")[2]


def is_invited(public_id: str, signature: str) -> bool:
    try:
        INVITATION.unsign(f"{public_id}:{signature}")
    except signing.BadSignature:
        return False
    return True


def lock_seat(seat: TableSeat) -> tuple[Table, TableSeat]:
    """Lock the table of a seat; return both as they are now, so that one decision is taken at a time."""
    tables = Table.objects.select_for_update(of=("self",)).select_related("match__terms")
    table = tables.get(pk=seat.table_id)
    return table, TableSeat.objects.get(pk=seat.pk)


@transaction.atomic
def decide(seat: TableSeat, number: int, action: int) -> None:
    """Take a person's decision, or refuse it with the reason; nothing is lost by a refusal."""
    table, seat = lock_seat(seat)
    check_playing(table, seat)
    game = read_game(table)
    if number != game.decided[seat.seat]:
        raise RefusedError("late", _("The game has moved on since. Look at the board and decide again."))
    if not (legal := game.legal_actions(seat.seat)):
        raise RefusedError("not-your-turn", _("It is not your turn yet."))
    if action not in legal:
        why = game.why_illegal(seat.seat, action)
        raise RefusedError("illegal", _("That is not possible now: %s. Choose again.") % why)
    step = game.step_of(seat.seat)
    if seat.answer_step == step:
        if seat.answer_action == action:
            return  # a second click
        raise RefusedError("decided", _("You have already decided. Wait for the others."))
    keep_answer(table, seat, step, action)


def keep_answer(table: Table, seat: TableSeat, step: int, action: int) -> None:
    """Keep a decision for the match host, whichever it is, and tell it."""
    TableSeat.objects.filter(pk=seat.pk).update(answer_step=step, answer_action=action)
    running = Attempt.objects.filter(match=table.match_id, state=Attempt.State.RUNNING)
    if attempt := running.values_list("pk", flat=True).first():
        tell_hosts([attempt, seat.seat, step, action])
    tell_people(table.public_id, {"seat": seat.seat, "answer_step": step, "answer": action})


def check_playing(table: Table, seat: TableSeat) -> None:
    if table.match is None:
        raise RefusedError("waiting", _("The game begins when all seats are taken."))
    if table.match.is_over:
        raise RefusedError("over", _("This match is over."))
    if seat.resigned_at is not None or seat.has_left or seat.answer_action in (RESIGN, LEAVE):
        raise RefusedError("left", _("You have left this match. You can watch how it ends."))


@transaction.atomic
def leave(seat: TableSeat, *, resigns: bool) -> None:
    """Give a seat up: to a bot, where the table keeps seats, or for good."""
    table, seat = lock_seat(seat)
    check_playing(table, seat)
    is_for_good = resigns or table.on_leaving == OnLeaving.RESIGN
    keep_answer(table, seat, len(table.actions), RESIGN if is_for_good else LEAVE)


@transaction.atomic
def open_rematch(table: Table, person: Person) -> tuple[Table, str]:
    """Open the same table again, or sit down at the one that somebody else here has opened."""
    locked = Table.objects.select_for_update().get(pk=table.pk)
    if locked.rematch:
        return locked.rematch, sit_down(locked.rematch, person)
    seats = list(table.table_seats.select_related("version").order_by("seat"))
    others = list(seats)
    others.remove(next(one for one in seats if one.is_person))
    opponents = [None if one.is_person else one.version for one in others]
    wanted = NewTable(
        opponents,
        table.edition,
        table.pace,
        table.on_leaving,
        table.opened_from,
        table.has_hints,
        table.is_guided,
    )
    new, token = open_table(person, wanted)
    Table.objects.filter(pk=table.pk).update(rematch=new)
    tell_people(table.public_id)
    return new, token


def tell_over(matches: Sequence[Match]) -> None:
    """Count the results of tables whose match is over, and tell the people there."""
    for table in Table.objects.filter(match__in=matches).select_related("match"):
        count_result(table)
        tell_people(table.public_id)
