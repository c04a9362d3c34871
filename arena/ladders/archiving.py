"""Moves the reports of a closed season into archives in the storage, and back.

Reports are most of what a match takes. Matches, seats, the log of results and ratings stay in the database:
lists, bots' histories and `fold_ratings --check` need them, and they say where each report is.

A batch is one transaction under the season's lock: write the file, read it back, compare every report with
the database, note the file, delete the reports. Whenever it is killed, each report is in the database or in a
file that was compared with it; files that no row names are deleted by the next run.
"""

import json
import os
import zipfile
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from io import BytesIO
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import QuerySet
from django.db.utils import OperationalError
from django.utils.translation import gettext as _

from arena.ladders.models import Result, Season, Standing
from arena.matches.archived_reports import ReportArchiveError, check_archive, put, read_report, write_archive
from arena.matches.listing import with_seats
from arena.matches.models import ArchivedReport, Match, MatchReport, ReportArchive

BATCH = 250
"""Matches per file: storages that cannot read a part of a file read half a megabyte to open a match."""
SUMMARY = "season-"


class SeasonNotArchivedError(Exception):
    """The sentence says why nothing was moved, and what to do."""


def folder_of(season: Season) -> str:
    return f"seasons/{season.ladder.slug}-{season.number}"


def archives_of(season: Season) -> QuerySet[ReportArchive]:
    return ReportArchive.objects.filter(purpose=Match.Purpose.LADDER, purpose_id=season.pk)


def reports_of(season: Season) -> QuerySet[MatchReport]:
    return MatchReport.objects.filter(match__purpose=Match.Purpose.LADDER, match__purpose_id=season.pk)


def archive_season(season: Season, batch: int = BATCH) -> Iterator[int]:
    """Move all reports of a closed season into archives; yield how many each batch has moved.

    What was moved before stays where it is: an interrupted run is continued by the next.
    """
    while moved := archive_batch(season, batch):
        yield moved
    write_summary(season)


@transaction.atomic
def archive_batch(season: Season, batch: int) -> int:
    lock(season)
    ids = list(reports_of(season).order_by("match_id").values_list("match_id", flat=True)[:batch])
    if not ids:
        return 0
    list(MatchReport.objects.select_for_update().filter(match__in=ids).values_list("pk"))
    wanted = Match.objects.filter(pk__in=ids).select_related("report", "terms").prefetch_related(with_seats())
    matches = list(wanted.order_by("pk"))
    name = store(season, f"{ids[0]}-", write_archive(matches))
    check_archive(name, matches)
    ends = [match.finished_at for match in matches if match.finished_at]
    archive = note(season, name, len(matches), max(ends, default=None))
    ArchivedReport.objects.bulk_create(ArchivedReport(match=match, archive=archive) for match in matches)
    MatchReport.objects.filter(match__in=ids).delete()
    return len(matches)


def lock(season: Season) -> None:
    """Lock a season that is closed; raise SeasonNotArchivedError for any other."""
    try:
        locked = Season.objects.select_for_update(nowait=True).get(pk=season.pk)
    except OperationalError as error:
        raise SeasonNotArchivedError(
            _("%s is being archived, restored or corrected just now: try again later.") % season
        ) from error
    if locked.closed_at is None:
        raise SeasonNotArchivedError(
            _("%s is not closed yet: it can be archived once its last match is settled.") % season
        )
    if locked.tallied_to < locked.last_sequence:
        raise SeasonNotArchivedError(
            _("The matches of %s are still being counted for its statistics: try again later.") % season
        )


def store(season: Season, start: str, content: bytes) -> str:
    """Write a file, down to the disk, unless it is there already; return its name, which has its digest."""
    name = f"{folder_of(season)}/{start}{sha256(content).hexdigest()}.zip"
    if default_storage.exists(name):
        with default_storage.open(name) as opened:
            if sha256(opened.read()).hexdigest() in name:
                return name
        default_storage.delete(name)  # half written by a run that was killed
    stored = default_storage.save(name, ContentFile(content))
    if stored != name:
        raise ReportArchiveError(f"The storage keeps {name} as {stored}; was it written twice?")
    flush(name)
    return name


def flush(name: str) -> None:
    """Have a file on disk before the reports in it are deleted; object storages answer once it is safe."""
    try:
        path = default_storage.path(name)
    except NotImplementedError:
        return
    for one in (path, os.path.dirname(path)):  # noqa: PTH120  storages name files by text
        opened = os.open(one, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def note(season: Season, name: str, matches: int, finished_to: datetime | None = None) -> ReportArchive:
    return ReportArchive.objects.create(
        purpose=Match.Purpose.LADDER,
        purpose_id=season.pk,
        name=name,
        sha256=name.removesuffix(".zip")[-64:],
        matches=matches,
        finished_to=finished_to,
    )


@transaction.atomic
def write_summary(season: Season) -> None:
    """Put the final standings and the whole log beside the reports, so that the folder explains itself."""
    lock(season)
    name = store(season, SUMMARY, summary_of(season))
    old = archives_of(season).filter(matches=0).exclude(name=name)
    old.delete()
    if not archives_of(season).filter(name=name).exists():
        note(season, name, 0)
    delete_unnamed(season)


def summary_of(season: Season) -> bytes:
    standings = Standing.objects.filter(season=season).select_related("bot").order_by("-rating", "pk")
    data = {
        "ladder": season.ladder.slug,
        "season": season.number,
        "starts_at": season.starts_at.isoformat(),
        "closed_at": season.closed_at.isoformat() if season.closed_at else None,
        "ruleset": season.ladder.ruleset,
        "clocks": season.ladder.clocks,
        "standings": [
            {"rank": rank, "bot": one.bot.slug, "id": one.bot_id, "rating": one.rating, "games": one.games}
            for rank, one in enumerate(standings, 1)
        ],
    }
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        put(archive, "season.json", json.dumps(data, indent=1).encode())
        with archive.open(zipfile.ZipInfo("results.jsonl"), "w") as lines:
            for line in log_of(season):
                lines.write(json.dumps(line).encode() + b"\n")
    return content.getvalue()


def log_of(season: Season) -> Iterator[dict[str, Any]]:
    names = (
        "sequence",
        "kind",
        "match__public_id",
        "duplicate_set_id",
        "voids__sequence",
        "places",
        "reason",
    )
    rows = Result.objects.filter(season=season).order_by("sequence").values_list(*names)
    shown = ("sequence", "kind", "match", "duplicate_set", "voids", "places", "reason")
    for row in rows.iterator(2000):
        yield {name: value for name, value in zip(shown, row, strict=True) if value not in (None, "")}


def delete_unnamed(season: Season) -> None:
    """Delete files of runs that were killed before they were noted."""
    named = set(archives_of(season).values_list("name", flat=True))
    for file in default_storage.listdir(folder_of(season))[1]:
        if (name := f"{folder_of(season)}/{file}") not in named:
            default_storage.delete(name)


def restore_season(season: Season) -> Iterator[int]:
    """Move all reports of a season back into the database; yield how many came from each file."""
    for archive in archives_of(season).order_by("-matches", "pk"):
        yield restore_archive(season, archive)


def restore_archive(season: Season, archive: ReportArchive) -> int:
    with transaction.atomic():
        lock(season)
        matches = list(Match.objects.filter(archived_report__archive=archive).order_by("pk"))
        try:
            reports = read_all(archive, matches)
        except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
            raise ReportArchiveError(f"The archive {archive.name} cannot be read: {error}") from error
        moments = {report.match_id: report.created_at for report in reports}
        for report in MatchReport.objects.bulk_create(reports):
            report.created_at = moments[report.match_id]  # which inserting has set anew
        MatchReport.objects.bulk_update(reports, ["created_at"])
        archive.delete()
    default_storage.delete(archive.name)  # what is killed before this leaves a file that no row names
    return len(matches)


def read_all(archive: ReportArchive, matches: list[Match]) -> list[MatchReport]:
    with default_storage.open(archive.name) as opened:
        content = opened.read()
    if sha256(content).hexdigest() != archive.sha256:
        raise ValueError("its digest is not the one in the database")
    with zipfile.ZipFile(BytesIO(content)) as opened_archive:
        return [read_report(opened_archive, match) for match in matches]
