"""What people have achieved at tables. Guests, first games and games with hints are not counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest

from arena.accounts.models import User
from arena.bots.models import Bot
from arena.matches.models import Match, MatchSeat
from arena.play.models import PersonAgainstBot, PersonTotal, Table, TableSeat


@transaction.atomic
def count_result(table: Table) -> None:
    """Count a table's result, once; take it back if its match was voided afterwards."""
    match = table.match
    if match is None or table.is_guided:
        return
    is_finished = match.state == Match.State.FINISHED
    changed = Table.objects.filter(pk=table.pk, is_counted=not is_finished)
    if not (is_finished or match.state == Match.State.VOIDED) or not changed.update(is_counted=is_finished):
        return
    places = dict(MatchSeat.objects.filter(match=match).values_list("seat", "placement"))
    seats = list(table.table_seats.select_related("version").order_by("seat"))
    people = [seat.user_id for seat in seats if seat.user_id]
    for seat in seats:
        if seat.user_id and people.count(seat.user_id) == 1 and not seat.hints_taken:
            add_person(seat, seats, places, 1 if is_finished else -1)


def add_person(
    seat: TableSeat, seats: Sequence[TableSeat], places: dict[int, int | None], count: int
) -> None:
    """Add one person's result to the totals; whoever left the seat to a bot has not won."""
    own = len(seats) if seat.has_left else places.get(seat.seat) or len(seats)
    add(PersonTotal, {"user_id": seat.user_id}, count, own == 1)
    met = {other.version.bot_id: other for other in reversed(seats) if not other.is_person}
    for bot_id, other in met.items():
        is_ahead = own < (places.get(other.seat) or len(seats) + 1)
        add(PersonAgainstBot, {"user_id": seat.user_id, "bot_id": bot_id}, count, is_ahead)


def add(model: Any, key: dict[str, Any], count: int, is_won: bool) -> None:
    """Change one row of counts in place; two matches may end at once."""
    row, _ = model.objects.get_or_create(**key)
    model.objects.filter(pk=row.pk).update(games=F("games") + count, wins=F("wins") + count * is_won)


def forget(user: User) -> None:
    """Remove the results of somebody who deletes their account."""
    PersonTotal.objects.filter(user=user).delete()
    PersonAgainstBot.objects.filter(user=user).delete()


def export_of(user: User) -> dict[str, Any]:
    """Return the results of somebody who exports their account."""
    against = PersonAgainstBot.objects.filter(user=user).order_by("id")
    return {
        "results_at_tables": list(PersonTotal.objects.filter(user=user).values("games", "wins")),
        "results_against_bots": list(against.values("bot__slug", "games", "wins")),
    }


def people_who_played() -> QuerySet[PersonTotal]:
    return PersonTotal.objects.filter(games__gt=0).select_related("user").order_by("-wins", "id")


def bots_met_by(person: User, count: int) -> list[PersonAgainstBot]:
    """Return the bots that a person met most often."""
    met = PersonAgainstBot.objects.filter(user=person, games__gt=0).select_related("bot")
    return list(met.order_by("-games", "id")[:count])


def people_met_by(bot: Bot, count: int) -> list[PersonAgainstBot]:
    """Return the people who have beaten a bot most often."""
    met = PersonAgainstBot.objects.filter(bot=bot, games__gt=0).select_related("user")
    return list(met.order_by("-wins", "id")[:count])


@dataclass(frozen=True)
class PeoplePage:
    """A page of people: `first` and `next` are addresses, empty where there is no such page."""

    rows: Sequence[PersonTotal]
    first: str
    next: str


def people_page(request: HttpRequest, length: int) -> PeoplePage:
    """Return the page that `?after=WINS-ID` names; anything else is the first one."""
    rows, after = people_who_played(), request.GET.get("after", "")
    wins, _, pk = after.partition("-")
    is_later = all(one.isascii() and one.isdecimal() and len(one) < 10 for one in (wins, pk))
    if is_later:
        # The first condition alone follows the index; the second leaves out what the page before has shown.
        rows = rows.filter(wins__lte=int(wins)).filter(Q(wins__lt=int(wins)) | Q(pk__gt=int(pk)))
    found = list(rows[: length + 1])
    last = found[length - 1] if len(found) > length else None
    return PeoplePage(
        found[:length], "?" if is_later else "", f"?after={last.wins}-{last.pk}" if last else ""
    )
