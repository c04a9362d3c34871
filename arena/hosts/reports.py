"""Records what match hosts report: once or not at all, with a definite answer."""

import json
import zlib
from base64 import b64decode
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from django.core.files.base import ContentFile
from django.db import DataError as DatabaseDataError
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce, Now

from arena.bots.models import Version
from arena.hosts import attempts, queries, validation, world_games
from arena.hosts.attempts import Claimant, HostRefusedError
from arena.hosts.models import Attempt, HeldReport
from arena.matches import settling, visibility
from arena.matches.models import Match, SeatLog
from arena.matches.stored_records import pack_record
from arena.matches.timings import SeatTimes, pack
from arena.outbox import services as outbox
from engine.errors import EngineError
from engine.kernel.verifying import verify_record
from workers import tracing
from workers.archives.archive_limits import BUILT
from workers.match import report as reported
from workers.match.contradictions import check_seats
from workers.match.faults import final_placements
from workers.match.strict import DataError, fields, flag, text

LONGEST_US = 2**31 - 1
LONGEST_BUILD_LOG = 256 * 1024
LONGEST_ARTIFACT = 4 * -(-BUILT // 3)
"""In base64. Builds keep to the limit, so a longer one is a host's mistake."""
ENDED = "This attempt has ended: another report came first, or its lease ran out."
NOT_TO_BE_PLAYED = "This match is no longer to be played."


class ReportError(Exception):
    """A report that cannot be true. The host is at fault, never a bot."""


class ReportedAttempt(NamedTuple):
    """The attempt that a report is about, with its match; without one, it is of games or a build."""

    key_hash: str
    state: str
    note: str
    worlds_id: int | None
    match_id: int | None
    public_id: str
    ruleset: dict[str, Any]
    board_hash: str
    seed: bytes
    seats: int
    purpose: str
    purpose_id: int | None


def read_attempt(attempt_id: int) -> ReportedAttempt | None:
    own, of_match = ReportedAttempt._fields[:5], ReportedAttempt._fields[5:]
    shared = {
        name: Coalesce(f"match__terms__{name}", f"match__own_{name}") for name in ("ruleset", "board_hash")
    }
    values = [*own, *(shared.get(name, F(f"match__{name}")) for name in of_match)]
    row = Attempt.objects.filter(pk=attempt_id).values_list(*values).first()
    return ReportedAttempt(*row) if row else None


def record_report(claimant: Claimant, data: Any) -> None:
    """Record a report, or raise HostRefusedError. A report that is already recorded is ignored.

    If the body cannot be read, `data` is the DataError that says why.
    """
    attempt = read_attempt(claimant.attempt_id)
    if attempt is None or attempt.key_hash != claimant.key_hash:
        raise HostRefusedError("This attempt is not yours.")
    if attempt.state == Attempt.State.DONE:
        return  # the host did not receive our first answer
    if attempt.state != Attempt.State.RUNNING:
        raise HostRefusedError(f"This attempt is {Attempt.State(attempt.state).label}: {attempt.note}")
    with tracing.span("record", attempt.public_id or ""):
        record_new(claimant, attempt, data)


def record_new(claimant: Claimant, attempt: ReportedAttempt, data: Any) -> None:
    try:
        if isinstance(data, DataError):
            raise data
        if attempt.match_id:
            report = read_match_report(attempt, data)
            if delay := visibility.delay(attempt.purpose, attempt.purpose_id):
                hold_back(claimant.attempt_id, attempt.match_id, data, delay)
            else:
                record_match(claimant.attempt_id, attempt.match_id, report)
        elif attempt.worlds_id:
            world_games.record_games(claimant.attempt_id, attempt.worlds_id, data)
        else:
            record_build(claimant.attempt_id, data)
    except (DataError, ReportError, DatabaseDataError) as error:
        refuse(claimant.attempt_id, printable(error))
        raise HostRefusedError(f"The report cannot be true: {printable(error)}") from error


def printable(error: Exception) -> str:
    """Return an error's message, which may quote a report, as text that can be stored and sent."""
    return str(error).encode(errors="backslashreplace").decode().replace("\0", "\\0")[:2000]


def read_match_report(match: ReportedAttempt, data: Any) -> reported.MatchReport:
    """Read a report and replay its record: the rules decide a result, not the host's word."""
    report = reported.MatchReport.from_data(data)
    record = report.record
    wanted = (match.public_id, match.ruleset, match.board_hash, bytes(match.seed), match.seats)
    played = (report.match_id, record.ruleset.options(), record.board_hash, record.seed, len(report.seats))
    if wanted != played:
        raise ReportError("it is the report of another match")
    actors: list[int] = []
    try:
        end = verify_record(record, actors)
    except EngineError as error:
        raise ReportError(f"its record does not replay: {error}") from error
    faults = {number: seat.fault for number, seat in enumerate(report.seats) if seat.fault}
    if report.scores != end.scores() or list(report.game_placements) != end.placements():
        raise ReportError("its scores or placements are not those of its record")
    if report.placements != final_placements(end.placements(), faults):
        raise ReportError("its placements do not follow from its faults")
    check_seats(report, actors)
    return report


@transaction.atomic(durable=True)
def hold_back(attempt_id: int, match_id: int, data: Any, seconds: int) -> None:
    """Hold a report back. Until it is published, the match counts as running; only its host is free."""
    ended = Attempt.objects.filter(pk=attempt_id, state=Attempt.State.RUNNING)
    if not ended.update(state=Attempt.State.DONE, ended_at=Now()):
        raise HostRefusedError(ENDED)
    if not Match.objects.select_for_update().filter(pk=match_id, state=Match.State.RUNNING).exists():
        raise HostRefusedError(NOT_TO_BE_PLAYED)
    HeldReport.objects.create(
        match_id=match_id,
        attempt_id=attempt_id,
        report=zlib.compress(json.dumps(data).encode(), 6),
        public_at=Now() + timedelta(seconds=seconds),
    )
    outbox.owe("publish", {"match": match_id}, after=seconds)
    settling.owe_settling(match_id)  # nothing counts yet, but the ladder can request more matches


@transaction.atomic(durable=True)
def publish(payload: dict[str, Any]) -> None:
    """Publish a report whose time has come. If its match was voided meanwhile, it no longer exists."""
    waiting = HeldReport.objects.select_for_update().filter(match=payload["match"])
    held = waiting.filter(public_at__lte=Now()).first()
    if held:
        report = reported.MatchReport.from_data(json.loads(zlib.decompress(bytes(held.report))))
        write_result(held.attempt_id, held.match_id, report, Attempt.State.DONE)
        held.delete()
    elif waiting.exists():
        raise outbox.TryLaterError("it is not due yet")


@transaction.atomic(durable=True)
def record_match(attempt_id: int, match_id: int, report: reported.MatchReport) -> None:
    """Write the whole result in one transaction."""
    write_result(attempt_id, match_id, report, Attempt.State.RUNNING)


def write_result(attempt_id: int, match_id: int, report: reported.MatchReport, expected: str) -> None:
    """Write the result of an attempt that is in the expected state, and have it settled."""
    recorded = queries.record_result(attempt_id, expected, result_of(report))
    if not recorded.is_ended:
        raise HostRefusedError(ENDED)
    if not recorded.is_finished:
        raise HostRefusedError(NOT_TO_BE_PLAYED)
    keep_logs(recorded.seat_ids, report.seats)
    settling.owe_settling(match_id)


def keep_logs(ids: Mapping[int, int], seats: Sequence[reported.SeatReport]) -> None:
    """Store for each seat what only its author may read."""
    SeatLog.objects.bulk_create(
        SeatLog(
            seat_id=ids[number],
            output=seat.output,
            notes={str(step): note for step, note in seat.notes.items()},
        )
        for number, seat in enumerate(seats)
        if seat.output or seat.notes
    )


def result_of(report: reported.MatchReport) -> queries.ReportedResult:
    is_bots_fault = any(seat.fault for seat in report.seats)
    return queries.ReportedResult(
        (Attempt.Fault.BOT if is_bots_fault else Attempt.Fault.NONE).value,
        pack_record(report.record),
        timings(report),
        [seat_faults(seat) for seat in report.seats],
        [seat_result(number, seat) for number, seat in enumerate(report.seats)],
    )


def seat_result(number: int, seat: reported.SeatReport) -> queries.SeatResult:
    used = sum(seat.charged_us) // 1000
    fault = (seat.fault.kind.value, seat.fault.step, seat.fault.reason) if seat.fault else ("", None, "")
    return queries.SeatResult(number, seat.placement, seat.score, len(seat.strikes), used, *fault)


def timings(report: reported.MatchReport) -> queries.Timings:
    return queries.Timings(
        report.wall_us,
        report.play_us,
        report.stalled_us,
        [bounded(seat.startup_us) for seat in report.seats],
        [bounded(seat.ping_us) for seat in report.seats],
        [bounded(sum(seat.wall_us) // len(seat.wall_us)) if seat.wall_us else None for seat in report.seats],
        pack([SeatTimes(seat.steps, seat.charged_us) for seat in report.seats]),
    )


def bounded(us: int | None) -> int | None:
    """Return a time that its column can hold: half an hour is as good as any more."""
    return None if us is None else min(us, LONGEST_US)


def seat_faults(seat: reported.SeatReport) -> dict[str, Any]:
    """Return what went wrong for a seat, without the bot's own words: those are its author's."""
    names = ("fault", "strikes", "late", "repeated", "unknown", "refused_clients", "notes_dropped", "exit")
    data = seat.to_data()
    return {name: data[name] for name in names if data[name]}


@transaction.atomic
def refuse(attempt_id: int, reason: str) -> None:
    refused = Attempt.objects.filter(pk=attempt_id, state=Attempt.State.RUNNING).update(
        state=Attempt.State.REFUSED, fault=Attempt.Fault.HOST, ended_at=Now(), note=reason
    )
    if refused:
        attempts.try_again(Attempt.objects.get(pk=attempt_id))


@transaction.atomic(durable=True)
def record_build(attempt_id: int, data: Any) -> None:
    ok, reason, log, artifact = fields(data, "build", ("ok", "reason", "log", "artifact"))
    text(reason, "build.reason", 1000)
    text(log, "build.log", LONGEST_BUILD_LOG)
    flag(ok, "build.ok")
    try:
        built = b64decode(text(artifact, "build.artifact", LONGEST_ARTIFACT), validate=True)
    except ValueError:
        raise DataError("build.artifact must be base64") from None
    done = Attempt.objects.filter(pk=attempt_id, state=Attempt.State.RUNNING).update(
        state=Attempt.State.DONE, fault=Attempt.Fault.NONE if ok else Attempt.Fault.BOT, ended_at=Now()
    )
    if not done:
        raise HostRefusedError(ENDED)
    version = Version.objects.select_related("bot").get(build_attempts=attempt_id)
    if built and ok:
        version.built_archive.save("built", ContentFile(built), save=False)
        Version.objects.filter(pk=version.pk).update(built_archive=version.built_archive.name)
    validation.follow_build(version, ok, reason, log)
