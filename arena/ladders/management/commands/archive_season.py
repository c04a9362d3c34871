"""`manage.py archive_season LADDER NUMBER`, and back with `--restore`."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.ladders.archiving import (
    SeasonNotArchivedError,
    archive_season,
    folder_of,
    reports_of,
    restore_season,
)
from arena.ladders.models import Season
from arena.matches.archived_reports import ReportArchiveError
from arena.matches.models import ArchivedReport, Match
from arena.storage_down import StorageDownError


class Command(BaseCommand):
    help = "Move the records and reports of a closed season from the database into archives in the storage."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ladder", help="the ladder's address, such as duel")
        parser.add_argument("number", type=int, help="the season's number")
        parser.add_argument("--restore", action="store_true", help="move them back into the database")

    def handle(self, *args: Any, **options: Any) -> None:
        season = find_season(options["ladder"], options["number"])
        moving = restore_season(season) if options["restore"] else archive_season(season)
        total = count_archived(season) if options["restore"] else reports_of(season).count()
        done = 0
        try:
            for moved in moving:
                done += moved
                self.stdout.write(f"{season}: {done} of {total} reports")
                self.stdout.flush()
        except (SeasonNotArchivedError, ReportArchiveError, StorageDownError) as error:
            raise CommandError(f"{error} {done} reports were moved; nothing is lost.") from error
        where = "the database" if options["restore"] else f"{folder_of(season)} in the storage"
        self.stdout.write(f"{season}: moved {done} reports; all of them are in {where}.")


def find_season(slug: str, number: int) -> Season:
    season = Season.objects.select_related("ladder").filter(ladder__slug=slug, number=number).first()
    if season is None:
        raise CommandError(f"There is no season {number} of a ladder “{slug}”: see /ladders/ for both.")
    return season


def count_archived(season: Season) -> int:
    return ArchivedReport.objects.filter(
        match__purpose=Match.Purpose.LADDER, match__purpose_id=season.pk
    ).count()
