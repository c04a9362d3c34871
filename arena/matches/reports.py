"""Recording what match hosts report: once, or not at all, with a definite answer."""

import zlib
from base64 import b64decode
from typing import Any

from django.core.files.base import ContentFile
from django.db import transaction
from django.db.models.functions import Now

from arena.bots.models import Version
from arena.matches import attempts, builds, settling
from arena.matches.attempts import Hold, RefusedError
from arena.matches.models import Attempt, Match, MatchReport, MatchSeat, SeatLog
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
    seats = list(MatchSeat.objects.filter(match=match).order_by("seat"))
    for row, seat in zip(seats, report.seats, strict=True):
        fill_seat(row, seat)
    MatchSeat.objects.bulk_update(seats, SEAT_FIELDS)
    SeatLog.objects.bulk_create(
        SeatLog(seat=row, output=seat.output, notes={str(step): note for step, note in seat.notes.items()})
        for row, seat in zip(seats, report.seats, strict=True)
        if seat.output or seat.notes
    )
    settling.owe_settling(match.pk)


SEAT_FIELDS = ["placement", "score", "fault", "fault_step", "fault_reason", "strikes", "time_used_ms"]


def fill_seat(row: MatchSeat, seat: reported.SeatReport) -> None:
    row.placement = seat.placement
    row.score = seat.score
    row.strikes = len(seat.strikes)
    row.time_used_ms = sum(seat.charged_us) // 1000
    if seat.fault:
        row.fault, row.fault_step = seat.fault.kind.value, seat.fault.step
        row.fault_reason = seat.fault.reason


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
