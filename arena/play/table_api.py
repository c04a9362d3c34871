"""What match hosts ask about tables with people: the rest of their API is `arena.hosts.host_api`."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce, Now
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST
from redis.asyncio import Redis

from arena.hosts import attempts, signing, specs
from arena.hosts.attempts import Claimant, HostRefusedError
from arena.hosts.host_api import host_call, read_claimant, read_json, refusal
from arena.hosts.models import Attempt, Host
from arena.matches.models import Match
from arena.play import selectors
from arena.play.channels import HOSTS, tell_people
from arena.play.models import Table, TableSeat
from workers.match.strict import DataError, fields, items, number, text

LEASE_SECONDS: Final = 12
"""Shorter than of other attempts: people wait."""
MOST_TABLES: Final = 1000
REST_SECONDS: Final = 5
"""How long a table that a host could not play waits, so that others can take it."""
QUIET_SECONDS: Final = 10


@require_POST
@host_call
def beat(request: HttpRequest) -> HttpResponse:
    """Renew the leases of a host's tables; say which it has lost, which wait, and what people decided."""
    name, room, tables = fields(read_json(request), "beat", ("host", "room", "tables"))
    text(name, "beat.host", 100)
    held = items(tables, "beat.tables", read_held, MOST_TABLES)
    number(room, "beat.room", 0, MOST_TABLES)
    ours = renew(held)
    return JsonResponse(
        {
            "lost": [one.attempt_id for one in held if one.attempt_id not in ours],
            "waiting": waiting(name, min(room, 20)),
            "answers": answers(ours),
        }
    )


def read_held(data: Any, where: str) -> Claimant:
    attempt, token, key = fields(data, where, ("attempt", "token", "key"))
    claimant = Claimant(number(attempt, where), text(key, where, 128))
    signing.check_attempt(claimant.attempt_id, text(token, where, 200))
    return claimant


def renew(held: list[Claimant]) -> set[int]:
    """Extend the leases that these claims still have; return their attempts."""
    mine = Q(pk__in=[])
    for one in held:
        mine |= Q(pk=one.attempt_id, key_hash=one.key_hash)
    running = Attempt.objects.filter(mine, state=Attempt.State.RUNNING)
    ours = set(running.values_list("pk", flat=True))
    running.update(lease_until=Now() + timedelta(seconds=LEASE_SECONDS))
    return ours


def waiting(host: str, room: int) -> list[tuple[int, str]]:
    """Return attempts at tables that nobody plays yet, with their tokens."""
    if not room or not Host.objects.filter(name=host, paused=False).exists():
        return []
    rested = Q(sent_at=None) | Q(sent_at__lt=Now() - timedelta(seconds=REST_SECONDS))
    queued = Attempt.objects.filter(rested, state=Attempt.State.QUEUED, match__purpose=Match.Purpose.PLAY)
    ids = queued.order_by("pk").values_list("pk", flat=True)[:room]
    return [(pk, signing.sign_attempt(pk)) for pk in ids]


def answers(ours: set[int]) -> list[tuple[int, int, int, int]]:
    """Return what people at these tables decided and their host may not have heard."""
    open_ones = TableSeat.objects.filter(
        table__match__attempts__in=ours, resigned_at=None, has_left=False, answer_step__isnull=False
    ).filter(Q(answer_action__lt=0) | Q(answer_step__gte=Coalesce(F("table__actions__len"), 0)))
    columns = ("table__match__attempts", "seat", "answer_step", "answer_action")
    return [(pk, seat, step or 0, action or 0) for pk, seat, step, action in open_ones.values_list(*columns)]


@require_POST
@host_call
def claim(request: HttpRequest, attempt_id: int) -> HttpResponse:
    """Give a table to a host: the match, its bots, its people, and what was played so far."""
    claimant = read_claimant(request, attempt_id)
    [name] = fields(read_json(request), "claim", ("host",))
    if not Attempt.objects.filter(pk=attempt_id, match__purpose=Match.Purpose.PLAY).exists():
        raise HostRefusedError("This attempt is not at a table with people.")
    claimed = attempts.claim(claimant, text(name, "claim.host", 100))
    table = Table.objects.select_related("match").get(match=claimed.match_id)
    Table.objects.filter(pk=table.pk).update(moved_at=Now())
    seats = selectors.seats_at(table)
    assignment = specs.claim_answer(claimed)
    for seat, name in zip(seats, selectors.names_at(seats), strict=True):
        if seat.is_person:
            assignment["match"]["names"][seat.seat] = name
    stand_in = specs.bot_data(specs.player_of(selectors.house_version())) if table.actions else None
    for seat in seats:
        if seat.is_replaced:
            assignment["bots"][seat.seat] = stand_in
    tell_people(table.public_id)
    return JsonResponse(
        {
            "assignment": assignment,
            "actions": table.actions,
            "people": [person_data(table, seat) for seat in seats if seat.is_person],
            "stand_in": stand_in,
        }
    )


def person_data(table: Table, seat: TableSeat) -> dict[str, Any]:
    is_open = seat.answer_step is not None and seat.answer_step >= len(table.actions)
    is_leaving = seat.answer_action is not None and seat.answer_action < 0
    return {
        "seat": seat.seat,
        "decision_ms": table.pace * 1000,
        "leaving": table.on_leaving,
        "resigned_at": seat.resigned_at,
        "has_left": seat.has_left,
        "answer": [seat.answer_step, seat.answer_action] if is_open or is_leaving else None,
    }


@require_POST
@host_call
def record_actions(request: HttpRequest, attempt_id: int) -> HttpResponse:
    """Add the actions that a host has played to the table's list, once."""
    claimant = read_claimant(request, attempt_id)
    names = ("step", "actions", "stood_in", "resigned")
    step, actions, stood_in, resigned = fields(read_json(request), "played", names)
    number(step, "played.step")
    new = items(actions, "played.actions", lambda one, at: number(one, at, 0, 32_000), 4)
    left = items(stood_in, "played.stood_in", number, 4)
    quit_at = items(resigned, "played.resigned", lambda one, at: items(one, at, number, 2), 4)
    if any(len(one) != 2 for one in quit_at):
        raise DataError("played.resigned must be seats and steps")
    add_actions(claimant, step, new, left, quit_at)
    return JsonResponse({})


@transaction.atomic
def add_actions(
    claimant: Claimant, step: int, actions: list[int], left: list[int], resigned: list[list[int]]
) -> None:
    held = Attempt.objects.filter(
        pk=claimant.attempt_id, state=Attempt.State.RUNNING, key_hash=claimant.key_hash
    )
    table = Table.objects.select_for_update().filter(match__attempts__in=held).first()
    if table is None:
        raise HostRefusedError("This attempt is no longer yours.")
    if table.actions[step : step + len(actions)] == actions and step < len(table.actions):
        return  # the host did not receive our first answer
    if step != len(table.actions):
        raise HostRefusedError(f"This table is at step {len(table.actions)}.")
    if actions:  # none if a host only says who has taken a seat over
        Table.objects.filter(pk=table.pk).update(actions=[*table.actions, *actions], moved_at=Now())
    if left:
        table.table_seats.filter(seat__in=left, is_person=True).update(has_left=True)
        table.table_seats.filter(seat__in=left, is_person=False).update(is_replaced=True)
    for seat, at in resigned:
        table.table_seats.filter(seat=seat, is_person=True, resigned_at=None).update(resigned_at=at)
    tell_people(table.public_id, None if left or resigned else {"step": step, "actions": actions})


@csrf_exempt
@require_GET
async def news(request: HttpRequest) -> HttpResponseBase:
    """What happens at tables, a line of JSON each, for as long as the host listens."""
    shown = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not constant_time_compare(shown, settings.HOST_KEY):
        return refusal(401, "The host's key is wrong. Set ARENA_HOST_KEY to the same value as on the arena.")
    return StreamingHttpResponse(lines(), content_type="application/x-ndjson")


async def lines() -> AsyncIterator[bytes]:
    """Each message to the hosts; a line without content now and then shows that the connection lives."""
    async with Redis.from_url(settings.REDIS_URL) as redis, redis.pubsub() as heard:
        await heard.subscribe(HOSTS)
        yield json.dumps({"new": True}).encode() + b"\n"  # there may be something since the last connection
        while True:
            message = await heard.get_message(ignore_subscribe_messages=True, timeout=QUIET_SECONDS)
            yield message["data"] + b"\n" if message else b"{}\n"
