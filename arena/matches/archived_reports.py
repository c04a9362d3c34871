"""Archives of reports: ZIP files that any tool opens, with two members per match.

`ID.aztr` is the record in its public form, which `aztlan verify` checks; `ID.json` has the match, its seats
with the result, and the rest of the report. To open a match, only the file's directory and its two members
are read. The files never change: their names come from their digests.
"""

import json
import logging
import zipfile
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from io import BytesIO
from typing import Any

from django.core.files.storage import default_storage

from arena.matches.models import ArchivedReport, Match, MatchReport
from arena.matches.stored_records import pack_record, unpack_record
from arena.matches.timings import SeatTimes, pack
from engine.record import load_record

FORMAT = 1
MATCH_FIELDS = (
    "purpose", "state", "rated", "seats", "ruleset", "clocks", "board_id", "board_hash", "seed_commitment",
    "duplicate_set_id",
)  # fmt: skip
MOMENTS = ("created_at", "started_at", "finished_at")
SEAT_FIELDS = (
    "seat", "placement", "score", "fault", "fault_step", "strikes", "time_used_ms",
)  # fmt: skip
REPORT_FIELDS = (
    "host", "wall_us", "play_us", "stalled_us", "startup_us", "ping_us", "decision_us", "timings", "faults",
)  # fmt: skip

log = logging.getLogger(__name__)


class ReportArchiveError(Exception):
    """An archive that is missing or damaged. The sentence says which."""


def write_archive(matches: Iterable[Match]) -> bytes:
    """Return the archive of some matches, which have their report and `with_seats` prefetched.

    The same matches always give the same bytes.
    """
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for match in matches:
            put(archive, f"{match.public_id}.aztr", unpack_record(bytes(match.report.record)))
            put(archive, f"{match.public_id}.json", json.dumps(data_of(match), indent=1).encode())
    return content.getvalue()


def put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 9)


def data_of(match: Match) -> dict[str, Any]:
    """Return all about a match but its record, so that it can be understood without the arena."""
    report = match.report
    return {
        "format": FORMAT,
        "match": match.public_id,
        **{name: getattr(match, name) for name in MATCH_FIELDS},
        **{name: moment.isoformat() for name in MOMENTS if (moment := getattr(match, name))},
        "seed": bytes(match.seed).hex(),
        "bots": [
            {
                "bot": seat.version.bot.slug,
                "name": seat.version.bot.name,
                "version": seat.version.number,
                "sha256": seat.version.sha256,
                **{name: getattr(seat, name) for name in SEAT_FIELDS},
            }
            for seat in match.seats_taken.all()
        ],
        "report": {
            **{name: getattr(report, name) for name in REPORT_FIELDS},
            "created_at": report.created_at.isoformat(),
            "times": None if report.times is None else [seat._asdict() for seat in report.seat_times],
        },
    }


def read_report(archive: zipfile.ZipFile, match: Match) -> MatchReport:
    """Return a report as it was before it was archived; it is not saved."""
    data = json.loads(archive.read(f"{match.public_id}.json"))["report"]
    times = data["times"]
    return MatchReport(
        match=match,
        record=pack_record(load_record(archive.read(f"{match.public_id}.aztr"))),
        times=None if times is None else pack([SeatTimes(**seat) for seat in times]),
        created_at=datetime.fromisoformat(data["created_at"]),
        **{name: data[name] for name in REPORT_FIELDS},
    )


def is_same(one: MatchReport, other: MatchReport) -> bool:
    """Return whether two reports say the same, however they are packed."""
    return (
        one.match_id == other.match_id
        and one.created_at == other.created_at
        and unpack_record(bytes(one.record)) == unpack_record(bytes(other.record))
        and one.seat_times == other.seat_times
        and all(getattr(one, name) == getattr(other, name) for name in REPORT_FIELDS)
    )


def check_archive(name: str, matches: Sequence[Match]) -> None:
    """Read an archive back; raise ReportArchiveError if a report in it is not as in the database."""
    try:
        with default_storage.open(name) as opened, zipfile.ZipFile(opened) as archive:
            wrong = [match for match in matches if not is_same(read_report(archive, match), match.report)]
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise ReportArchiveError(f"The archive {name} cannot be read back: {error}") from error
    if wrong:
        raise ReportArchiveError(f"The archive {name} differs in match {wrong[0].public_id}.")


def find_report(match: Match) -> MatchReport | None:
    """Return the report of a match from its archive; None if it is in none, or in one that cannot be read."""
    place = ArchivedReport.objects.filter(match=match).values_list("archive__name", flat=True).first()
    if place is None:
        return None
    try:
        return open_report(place, match)
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        log.exception("The archive %s with the report of match %s cannot be read.", place, match.public_id)
        return None


def find_record(match_id: int) -> bytes | None:
    """Return the stored record of a match from its archive, if it is in one."""
    report = find_report(Match.objects.get(pk=match_id))
    return bytes(report.record) if report else None


# A page asks for the report several times, and archives never change.
@lru_cache(maxsize=32)
def open_report(name: str, match: Match) -> MatchReport:
    with default_storage.open(name) as opened, zipfile.ZipFile(opened) as archive:
        return read_report(archive, match)
