"""Hints: what a house bot would do in a person's place, knowing what that person knows."""

from dataclasses import asdict
from typing import Final

from django.db.models import F
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from arena.accounts.client_address import client_network
from arena.accounts.limits import LimitError, spend
from arena.bots.errors import RefusedError
from arena.computing import computes
from arena.offload import offload
from arena.play import views
from arena.play.hint_search import Hint, find_hint
from arena.play.models import Table, TableSeat
from arena.play.selectors import read_game
from arena.play.services import check_playing
from engine.rulesets import ruleset_from_options

SECONDS: Final = 0.3


def give_hint(table: Table, seat: TableSeat, number: int) -> Hint:
    """Return what to do at the open decision; raise RefusedError where there is no hint."""
    if not table.has_hints:
        raise RefusedError("no-hints", _("There are no hints at this table."))
    check_playing(table, seat)
    match = table.match
    game = read_game(table)
    if number != game.decided[seat.seat]:
        raise RefusedError("late", _("The game has moved on since. Look at the board and ask again."))
    if match is None or not (legal := game.legal_actions(seat.seat)):
        raise RefusedError("not-your-turn", _("It is not your turn yet."))
    rules = ruleset_from_options(match.ruleset)
    found = offload(find_hint, game.observation(seat.seat), legal, rules, match.board_id, SECONDS)
    TableSeat.objects.filter(pk=seat.pk, hints_taken__lt=30_000).update(hints_taken=F("hints_taken") + 1)
    return found


@computes
@require_POST
def hint(request: HttpRequest, public_id: str) -> HttpResponse:
    """Answer with a hint for the decision of the number that is sent."""
    table = views.find_table(public_id)
    seat = views.seat_of(request, table)
    if seat is None:
        return views.answer(403, _("This seat is not yours."))
    numbers = views.read_numbers(request, "number")
    if numbers is None:
        return views.answer(400, _("Send the number of the decision, a whole number."))
    try:
        spend("hint", client_network(request))
        return JsonResponse({"number": numbers[0], **asdict(give_hint(table, seat, numbers[0]))})
    except RefusedError as error:
        return views.answer(409, error.sentence)
    except LimitError as error:
        return views.answer(429, str(error))
