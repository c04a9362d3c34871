"""What is known of tables, and who sits there."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.bots.errors import RefusedError
from arena.bots.models import Version
from arena.bots.selectors import playable_bots
from arena.play.models import Table, TableSeat
from arena.play.seat_game import SeatGame
from engine.boardfile import load_board
from engine.rulesets import ruleset_from_options
from workers.match.person import LEAVE, RESIGN

FIRST_OPPONENTS = ("house-greedy", "house-random", "house-settler")
"""Who sits opposite in a first game, the first that can play: weak ones."""
STAND_INS = ("house-settler", "house-greedy", "house-random")
"""Who takes a seat over, the first that can play."""


def house_version(slugs: Sequence[str] = STAND_INS) -> Version:
    """Return the first of these house bots that can play: by default, who takes over when people leave."""
    found = {bot.slug: bot.active_version for bot in playable_bots().filter(slug__in=slugs)}
    for slug in slugs:
        if version := found.get(slug):
            return version
    raise RefusedError(
        "no-house-bot", _("No house bot is ready yet. Try again in a minute: they are being checked.")
    )


def find_table(public_id: str) -> Table | None:
    """Return a table with all that its feed reads later, in the event loop, where no query may be made."""
    tables = Table.objects.select_related("match__terms", "rematch", "challenge")
    return tables.filter(public_id=public_id).first()


def seat_of_token(table: Table, token_hash: str) -> TableSeat | None:
    """Return the seat that this token belongs to; a token of another table opens nothing here."""
    return table.table_seats.filter(is_person=True, token_hash=token_hash).first() if token_hash else None


def find_seat(public_id: str, token_hash: str) -> TableSeat | None:
    """Return the seat at a table that this token belongs to, with its table."""
    seats = TableSeat.objects.select_related("table").filter(table__public_id=public_id, is_person=True)
    return seats.filter(token_hash=token_hash).first() if token_hash else None


def seats_at(table: Table) -> list[TableSeat]:
    return list(table.table_seats.select_related("version__bot", "user").order_by("seat"))


def name_of(seat: TableSeat) -> str:
    """Return the name under which a seat is shown. Strangers' own words are never shown to others."""
    if not seat.is_person:
        return seat.version.bot.name
    return seat.user.get_username() if seat.user else _("Guest")


def names_at(seats: list[TableSeat]) -> list[str]:
    """Return the seats' names; equal ones are numbered."""
    names = [name_of(seat) for seat in seats]
    return [
        f"{name} ({names[: at + 1].count(name)})" if names.count(name) > 1 else name
        for at, name in enumerate(names)
    ]


def new_game(table: Table, people: list[int] | None = None) -> SeatGame:
    """Return the game of a table before its first action."""
    match = table.match
    if match is None:
        raise RefusedError("waiting", _("The game begins when all seats are taken."))
    return SeatGame(
        match.seats,
        bytes(match.seed),
        ruleset_from_options(match.ruleset),
        load_board(match.board_id),
        people or (),
    )


def read_game(table: Table) -> SeatGame:
    """Return the game of a table after all its actions."""
    game = new_game(table)
    game.play(table.actions)
    return game


def state_of(seat: TableSeat) -> str:
    if seat.is_replaced:
        return "replaced"
    if seat.has_left or seat.answer_action == LEAVE:
        return "bot"
    if seat.resigned_at is not None or seat.answer_action == RESIGN:
        return "resigned"
    return "free" if seat.is_free else "here"


def describe_table(table: Table, seats: list[TableSeat]) -> dict[str, Any]:
    """Return what everybody at a table may know of it besides the game."""
    match = table.match
    is_over = match is not None and match.is_over
    return {
        "state": "waiting" if match is None else "over" if is_over else "playing",
        "seats": [
            {"name": name, "person": seat.is_person, "state": state_of(seat)}
            for name, seat in zip(names_at(seats), seats, strict=True)
        ],
        "replay": match.get_absolute_url() if match and is_over else None,
        "rematch": reverse("table", args=[table.rematch.public_id]) if table.rematch else None,
    }


def left_ms(table: Table) -> int:
    """Return how much time is left for the open decision."""
    if table.moved_at is None:
        return table.pace * 1000
    used = (timezone.now() - table.moved_at).total_seconds()
    return max(0, int((table.pace - used) * 1000))
