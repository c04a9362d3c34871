"""The pages of tables, and what their script asks. A seat is known by the token in its cookie."""

import json
from typing import Any

from asgiref.sync import sync_to_async
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    JsonResponse,
    StreamingHttpResponse,
)
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from arena.accounts.client_address import client_network
from arena.accounts.limits import LimitError, spend
from arena.bots.errors import RefusedError
from arena.play import selectors, services, table_feeds
from arena.play.forms import TableForm
from arena.play.lessons import lessons
from arena.play.models import OnLeaving, Table, TableSeat
from arena.play.table_words import phrases
from arena.replays.pictures import board_address

COOKIE_SECONDS = 7 * 24 * 3600
LONGEST_BODY = 1000
STRONGER = "house-settler"
"""Whom to play after the first game, and where nobody was chosen."""


def cookie_name(public_id: str) -> str:
    return f"seat-{public_id}"


def token_hash(request: HttpRequest, public_id: str) -> str:
    """Return the hash of the token in the cookie for a table; nothing if it cannot be one."""
    token = request.COOKIES.get(cookie_name(public_id), "")
    return services.hash_token(token) if 20 <= len(token) <= 100 else ""


def seat_of(request: HttpRequest, table: Table) -> TableSeat | None:
    """Return the seat of whoever asks, by the token in their cookie."""
    return selectors.seat_of_token(table, token_hash(request, table.public_id))


def find_table(public_id: str) -> Table:
    table = selectors.find_table(public_id)
    if table is None:
        raise Http404(_("There is no such table."))
    return table


def seated(request: HttpRequest, table: Table, token: str) -> HttpResponseRedirect:
    """Send somebody who has just sat down to their seat; only their browser has its token."""
    response = HttpResponseRedirect(table.get_absolute_url())
    response.set_cookie(
        cookie_name(table.public_id),
        token,
        max_age=COOKIE_SECONDS,
        path=table.get_absolute_url(),
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    return response


@never_cache
def play_page(request: HttpRequest) -> HttpResponse:
    """Open a table."""
    wished = request.GET.get("first", "")
    opponent = wished if wished and wished.isascii() else STRONGER
    form = TableForm(request.POST or None, initial={"first": opponent})
    if request.method == "POST" and form.is_valid():
        network = client_network(request)
        names = ("opponents", "edition", "pace", "on_leaving", "has_hints")
        chosen = {name: form.cleaned_data[name] for name in names}
        try:
            spend("table", network)
            wanted = services.NewTable(**chosen, opened_from=services.opener(request.user, network))
            return seated(request, *services.open_table(request.user, wanted))
        except RefusedError as error:
            form.add_error(None, error.sentence)
        except LimitError as error:
            form.add_error(None, str(error))
    has_bots = len(form.fields["first"].choices) > 2  # type: ignore[attr-defined]  # a choice
    return render(request, "play/play.html", {"form": form, "has_bots": has_bots})


@never_cache
@require_safe
def table_page(request: HttpRequest, public_id: str) -> HttpResponse:
    """One's seat at a table; others are sent to the match, which they may watch."""
    table = find_table(public_id)
    seat = seat_of(request, table)
    if seat is None:
        if table.match:
            return redirect("match", table.match.public_id)
        return render(request, "play/not_yours.html", {"table": table}, status=403)
    link = reverse("table-join", args=[public_id, services.invitation(table)])
    page = {
        "board": board_address("board-data", "aztlan"),
        "events": reverse("table-events", args=[public_id]),
        "decide": reverse("table-decide", args=[public_id]),
        "leave": reverse("table-leave", args=[public_id]),
        "hint": reverse("table-hint", args=[public_id]) if table.has_hints else "",
        "pace": table.pace,
        "bot_plays_on": table.on_leaving == OnLeaving.BOT,
    }
    if table.is_guided:
        page["coach"] = {"stronger": f"{reverse('play')}?first={STRONGER}", **next_steps()}
    context = {
        "table": table,
        "page": page,
        "words": {**phrases(), **lessons()} if table.is_guided else phrases(),
        "board_picture": board_address("board-picture", "aztlan"),
        "invitation": request.build_absolute_uri(link),
    }
    return render(request, "play/table.html", context)


def next_steps() -> dict[str, str]:
    """Return where to go after a first game."""
    return {name: reverse(name) for name in ("how-to-play", "enter-a-bot")}


@never_cache
def join(request: HttpRequest, public_id: str, signature: str) -> HttpResponse:
    """Accept an invitation: only a click takes the seat, as programs open links, too."""
    table = find_table(public_id)
    if not services.is_invited(public_id, signature):
        raise Http404(_("This invitation is not valid. Ask for the link again."))
    if seat_of(request, table):
        return redirect("table", public_id)
    error = ""
    if request.method == "POST":
        try:
            spend("table", client_network(request))
            return seated(request, table, services.sit_down(table, request.user))
        except RefusedError as refused:
            error = refused.sentence
        except LimitError as limit:
            error = str(limit)
    seats = selectors.seats_at(table)
    names = [name for seat, name in zip(seats, selectors.names_at(seats), strict=True) if not seat.is_free]
    is_full = not any(seat.is_free for seat in seats)
    context = {"table": table, "names": names, "is_full": is_full, "error": error}
    return render(request, "play/join.html", context, status=409 if error else 200)


@never_cache
@require_safe
async def events(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Server-sent events for one's own seat alone."""
    try:
        seat = await sync_to_async(own_seat)(request, public_id, "seat-stream")
    except LimitError as error:
        return answer(429, str(error))
    feed = await table_feeds.table_hub().open(public_id) if seat is not None else None
    if feed is None or seat is None:
        return JsonResponse({"message": _("This seat is not yours.")}, status=403)
    return StreamingHttpResponse(
        table_feeds.messages(feed, seat.seat),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"},
    )


def own_seat(request: HttpRequest, public_id: str, limit: str = "decide") -> TableSeat | None:
    """Return the seat of whoever asks, with its table; None if it is not theirs. Raises Http404.

    Every try counts against the limit of the network, so that seats cannot be guessed: raises LimitError.
    """
    spend(limit, client_network(request))
    seat = selectors.find_seat(public_id, token_hash(request, public_id))
    if seat is None:
        find_table(public_id)
    return seat


def answer(status: int, message: str = "") -> JsonResponse:
    return JsonResponse({"message": message}, status=status)


def read_numbers(request: HttpRequest, *names: str) -> list[int] | None:
    """Return these small whole numbers of a body of JSON; None if it is anything else."""
    if len(request.body) > LONGEST_BODY:
        return None
    try:
        data: Any = json.loads(request.body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    values = [one for name in names if type(one := data.get(name)) is int and 0 <= one < 2**15]
    return values if len(values) == len(names) else None


@require_POST
def decide(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take a decision: {"number": of the decision, "action": the action}."""
    try:
        seat = own_seat(request, public_id)
        if seat is None:
            return answer(403, _("This seat is not yours."))
        decision = read_numbers(request, "number", "action")
        if decision is None:
            return answer(400, _("Send the number of the decision and an action, both whole numbers."))
        services.decide(seat, *decision)
    except RefusedError as error:
        return answer(409, error.sentence)
    except LimitError as error:
        return answer(429, str(error))
    return answer(200)


@require_POST
def leave(request: HttpRequest, public_id: str) -> HttpResponse:
    """Resign, or with ?how=leave give the seat to whom the table wants to have it."""
    try:
        seat = own_seat(request, public_id)
        if seat is None:
            return answer(403, _("This seat is not yours."))
        services.leave(seat, resigns=request.GET.get("how") != "leave")
    except RefusedError as error:
        return answer(409, error.sentence)
    except LimitError as error:
        return answer(429, str(error))
    return answer(200)


@require_POST
def rematch(request: HttpRequest, public_id: str) -> HttpResponse:
    """Play the same table again."""
    table = find_table(public_id)
    if seat_of(request, table) is None:
        return answer(403, _("This seat is not yours."))
    if table.rematch and seat_of(request, table.rematch):
        return redirect("table", table.rematch.public_id)
    try:
        spend("table", client_network(request))
        return seated(request, *services.open_rematch(table, request.user))
    except (RefusedError, LimitError) as error:
        return render(request, "play/not_yours.html", {"table": table, "error": str(error)}, status=409)
