"""Recording what match hosts report: once, or not at all, with a definite answer."""

import zlib
from base64 import b64decode
from collections.abc import Sequence
from typing import Any

from django.core.files.base import ContentFile
from django.db import connection, transaction
from django.db.models.functions import Now

from arena.bots.models import Version
from arena.matches import attempts, builds, settling
from arena.matches.attempts import Hold, RefusedError
from arena.matches.models import Attempt, Match, MatchReport, SeatLog
from engine.errors import EngineError
from engine.record import verify
from workers.match import report as reported
from workers.match.faults import final_placements
from workers.match.strict import DataError, fields, number, text

LONGEST_BUILD_LOG = 256 * 1024


class ReportError(Exception):
    """A report that cannot be true. The host is at fault, never a bot."""


def record_report(hold: Hold, data: Any) -> None:
    """Record a report and return, or raise RefusedError. What was recorded already is not recorded again."""
    attempt = Attempt.objects.select_related("match", "build").filter(pk=hold.attempt_id).first()
    if attempt is None or attempt.key_hash != hold.key_hash:
        raise RefusedError("This attempt is not yours.")
    if attempt.state == Attempt.State.DONE:
        return  # the host did not hear our first answer
    if attempt.state != Attempt.State.RUNNING:
        raise RefusedError(f"This attempt is {attempt.get_state_display()}: {attempt.note}")
    try:
        if attempt.match:
            record_match(attempt, attempt.match, read_match_report(attempt.match, data))
        elif attempt.build:
            record_build(attempt, attempt.build, data)
    except (DataError, ReportError) as error:
        refuse(attempt, str(error))
        raise RefusedError(f"The report cannot be true: {error}") from error


def read_match_report(match: Match, data: Any) -> reported.MatchReport:
    """Read a report and play its record again: a result stands on the rules, not on a host's word."""
    report = reported.MatchReport.from_data(data)
    record = report.record
    asked = (match.public_id, match.ruleset, match.board_hash, bytes(match.seed), match.seats)
    played = (report.match_id, record.ruleset.options(), record.board_hash, record.seed, len(report.seats))
    if asked != played:
        raise ReportError("it is the report of another match")
    try:
        end = verify(record)
    except EngineError as error:
        raise ReportError(f"its record does not replay: {error}") from error
    faults = {number: seat.fault for number, seat in enumerate(report.seats) if seat.fault}
    if report.scores != end.scores() or list(report.game_placements) != end.placements():
        raise ReportError("its scores or placements are not those of its record")
    if report.placements != final_placements(end.placements(), faults):
        raise ReportError("its placements do not follow from its faults")
    return report


@transaction.atomic(durable=True)
def record_match(attempt: Attempt, match: Match, report: reported.MatchReport) -> None:
    """Write the whole result in one transaction, guarded by the attempt."""
    is_bots_fault = any(seat.fault for seat in report.seats)
    finish_attempt(attempt, Attempt.Fault.BOT if is_bots_fault else Attempt.Fault.NONE)
    finished = Match.objects.filter(pk=match.pk, state=Match.State.RUNNING).update(
        state=Match.State.FINISHED, finished_at=Now()
    )
    if not finished:
        raise RefusedError("The match is no longer to be played.")
    MatchReport.objects.create(
        match=match,
        host=attempt.host,
        record=zlib.compress(report.record.to_bytes(), 6),
        timings=timings(report),
        faults=[seat_faults(seat) for seat in report.seats],
    )
    fill_seats(match, report.seats)
    settling.owe_settling(match.pk)


# A third of a report's time went into a `bulk_update` that says the same.
FILL_SEATS = """
    update matches_matchseat set placement = new.placement, score = new.score, strikes = new.strikes,
        time_used_ms = new.used, fault = new.fault, fault_step = new.step, fault_reason = new.reason
    from unnest(%s::int[], %s::int[], %s::int[], %s::int[], %s::int[], %s::text[], %s::int[], %s::text[])
        as new (seat, placement, score, strikes, used, fault, step, reason)
    where match_id = %s and matches_matchseat.seat = new.seat
    returning matches_matchseat.seat, id
"""


def fill_seats(match: Match, seats: Sequence[reported.SeatReport]) -> None:
    """Write down how it went for each seat, and what its author alone may read."""
    rows = [seat_row(number, seat) for number, seat in enumerate(seats)]
    with connection.cursor() as cursor:
        cursor.execute(FILL_SEATS, [*map(list, zip(*rows, strict=True)), match.pk])
        ids = dict(cursor.fetchall())
    SeatLog.objects.bulk_create(
        SeatLog(
            seat_id=ids[number],
            output=seat.output,
            notes={str(step): note for step, note in seat.notes.items()},
        )
        for number, seat in enumerate(seats)
        if seat.output or seat.notes
    )


def seat_row(number: int, seat: reported.SeatReport) -> tuple[int | str | None, ...]:
    used = sum(seat.charged_us) // 1000
    fault = (seat.fault.kind.value, seat.fault.step, seat.fault.reason) if seat.fault else ("", None, "")
    return number, seat.placement, seat.score, len(seat.strikes), used, *fault


def timings(report: reported.MatchReport) -> dict[str, Any]:
    names = ("startup_us", "ping_us", "steps", "wall_us", "charged_us")
    seats = [{name: getattr(seat, name) for name in names} for seat in report.seats]
    whole = {name: getattr(report, name) for name in ("wall_us", "play_us", "stalled_us")}
    return {**whole, "seats": seats}


def seat_faults(seat: reported.SeatReport) -> dict[str, Any]:
    """What went wrong for a seat, without the bot's own words: those are its author's."""
    names = ("fault", "strikes", "late", "repeated", "unknown", "refused_clients", "notes_dropped", "exit")
    data = seat.to_data()
    return {name: data[name] for name in names}


def finish_attempt(attempt: Attempt, fault: str) -> None:
    done = Attempt.objects.filter(pk=attempt.pk, state=Attempt.State.RUNNING).update(
        state=Attempt.State.DONE, fault=fault, ended_at=Now()
    )
    if not done:
        raise RefusedError("This attempt has ended: another report came first, or its lease was over.")


@transaction.atomic
def refuse(attempt: Attempt, reason: str) -> None:
    refused = Attempt.objects.filter(pk=attempt.pk, state=Attempt.State.RUNNING).update(
        state=Attempt.State.REFUSED, fault=Attempt.Fault.HOST, ended_at=Now(), note=reason[:2000]
    )
    if refused:
        attempt.refresh_from_db()
        attempts.try_again(attempt)


@transaction.atomic(durable=True)
def record_build(attempt: Attempt, version: Version, data: Any) -> None:
    ok, reason, log, artifact = fields(data, "build", ("ok", "reason", "log", "artifact"))
    text(reason, "build.reason", 1000)
    text(log, "build.log", LONGEST_BUILD_LOG)
    number(int(ok), "build.ok", 0, 1)
    try:
        built = b64decode(text(artifact, "build.artifact", 2**26), validate=True)
    except ValueError:
        raise DataError("build.artifact must be base64") from None
    finish_attempt(attempt, Attempt.Fault.NONE if ok else Attempt.Fault.BOT)
    if built and ok:
        version.built_archive.save("built", ContentFile(built), save=False)
        Version.objects.filter(pk=version.pk).update(built_archive=version.built_archive.name)
    builds.finish(version, bool(ok), reason, log)
