"""What each statement of an app's `queries.py` does, written plainly with the ORM."""

import json
from collections.abc import Iterable
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Coalesce, Now

from arena.hosts import services as hosts
from arena.hosts.models import Attempt, Host
from arena.hosts.queries import Claim, ClaimVerdict, MatchToPlay, Recorded, ReportedResult
from arena.hosts.specs import player_of
from arena.matches.models import Match, MatchReport, MatchSeat
from arena.matches.queries import NewSeat
from arena.outbox.models import Outbox
from arena.outbox.queries import Work


@transaction.atomic
def claim(attempt_id: int, key_hash: str, host_name: str) -> Claim | None:
    attempts = Attempt.objects.select_for_update(of=["self"]).select_related("match", "build", "worlds")
    attempt = attempts.filter(pk=attempt_id).first()
    if attempt is None:
        return None
    host = Host.objects.filter(name=host_name).first()
    verdict, language = verdict_of(attempt, host, key_hash)
    if verdict is ClaimVerdict.FREE:
        Attempt.objects.filter(pk=attempt.pk).update(
            state=Attempt.State.RUNNING,
            host=host_name,
            key_hash=key_hash,
            started_at=Now(),
            lease_until=Now() + timedelta(seconds=settings.LEASE_SECONDS),
        )
        Match.objects.filter(attempts=attempt, state=Match.State.QUEUED).update(
            state=Match.State.RUNNING, started_at=Now()
        )
    return Claim(verdict, attempt.state, language, attempt.match_id, attempt.build_id, attempt.worlds_id)


def verdict_of(attempt: Attempt, host: Host | None, key_hash: str) -> tuple[ClaimVerdict, str]:
    built = attempt.build.language if attempt.build else ""
    if host is None:
        return ClaimVerdict.UNKNOWN_HOST, built
    seats = MatchSeat.objects.filter(match=attempt.match_id, version__language__in=host.cannot_run)
    lacking = seats.order_by("seat").values_list("version__language", flat=True).first()
    if attempt.worlds:
        lacking = next((one for one in attempt.worlds.languages if one in host.cannot_run), None)
    if host.paused:
        return ClaimVerdict.PAUSED, lacking or built
    if host.degraded and attempt.match and attempt.match.rated and not settings.RATED_ON_DEGRADED_HOSTS:
        return ClaimVerdict.DEGRADED, lacking or built
    if attempt.build and not hosts.works(host.languages, built):
        return ClaimVerdict.CANNOT_BUILD, built
    if lacking:
        return ClaimVerdict.CANNOT_RUN, lacking
    if attempt.state == Attempt.State.QUEUED:
        return ClaimVerdict.FREE, built
    is_held = attempt.state == Attempt.State.RUNNING and attempt.key_hash == key_hash
    return (ClaimVerdict.HELD if is_held else ClaimVerdict.TAKEN), built


def insert_seats(seats: Iterable[NewSeat]) -> None:
    MatchSeat.objects.bulk_create(MatchSeat(**seat._asdict()) for seat in seats)


def read_match(match_id: int) -> MatchToPlay:
    match = Match.objects.select_related("terms").get(pk=match_id)
    seats = MatchSeat.objects.filter(match=match).select_related("version__bot").order_by("seat")
    return MatchToPlay(
        match.public_id,
        bytes(match.seed),
        json.dumps(match.ruleset),
        match.board_id,
        match.board_hash,
        json.dumps(match.clocks),
        [player_of(seat.version) for seat in seats],
    )


@transaction.atomic
def record_result(attempt_id: int, expected: str, result: ReportedResult) -> Recorded:
    attempts = Attempt.objects.filter(pk=attempt_id, state=expected)
    if not attempts.update(
        state=Attempt.State.DONE, fault=result.fault, ended_at=Coalesce("ended_at", Now())
    ):
        return Recorded(False, False, {})
    attempt = Attempt.objects.select_related("match").get(pk=attempt_id)
    running = Match.objects.filter(attempts=attempt, state=Match.State.RUNNING)
    if attempt.match is None or not running.update(state=Match.State.FINISHED, finished_at=attempt.ended_at):
        return Recorded(True, False, {})
    MatchReport.objects.create(
        match=attempt.match,
        host=attempt.host,
        record=result.record,
        **result.timings._asdict(),
        faults=result.faults,
    )
    seats = list(MatchSeat.objects.filter(match=attempt.match_id))
    by_number = {row.seat: row for row in result.seats}
    for seat in seats:
        row = by_number[seat.seat]
        seat.placement, seat.score, seat.strikes, seat.time_used_ms = row[1:5]
        seat.fault, seat.fault_step, seat.fault_reason = row[5:]
    names = ["placement", "score", "strikes", "time_used_ms", "fault", "fault_step", "fault_reason"]
    MatchSeat.objects.bulk_update(seats, names)
    return Recorded(True, True, {seat.seat: seat.pk for seat in seats})


@transaction.atomic
def take_new(kind: str, most: int) -> list[Work]:
    new = Outbox.objects.select_for_update(skip_locked=True).filter(kind=kind, tries=0)
    rows = list(new.order_by("pk")[:most])
    lease_end = Now() + timedelta(seconds=settings.OUTBOX_LEASE_SECONDS)
    Outbox.objects.filter(pk__in=[row.pk for row in rows]).update(tries=1, due_at=lease_end)
    return [Work(row.pk, row.kind, row.payload, 1) for row in rows]
