"""`manage.py copy_files [FOLDER] [--dry-run]`: from a folder into the bucket of ARENA_STORAGE."""

from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from arena.operations.copying import Outcome, SameFolderError, copy_files
from arena.storage_down import StorageDownError

BAD = {Outcome.MISSING, Outcome.WRONG}


class Command(BaseCommand):
    help = "Copy all files that the database names from a folder into the storage, and compare their digests."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "folder", type=Path, nargs="?", help="by default the folder of this arena's files"
        )
        parser.add_argument("--dry-run", action="store_true", help="only say what would be copied")

    def handle(self, *args: Any, **options: Any) -> None:
        counts: Counter[Outcome] = Counter()
        size = 0
        try:
            for file in copy_files(options["folder"] or Path(settings.MEDIA_ROOT), options["dry_run"]):
                counts[file.outcome] += 1
                size += file.size if file.outcome == Outcome.COPIED else 0
                if file.outcome in BAD or options["verbosity"] > 1:
                    self.stdout.write(f"{file.outcome}: {file.name}")
        except SameFolderError as error:
            raise CommandError(str(error)) from error
        except StorageDownError as error:
            raise CommandError(f"{error} Then run this again: it continues where it stopped.") from error
        verb = "Would copy" if options["dry_run"] else "Copied"
        self.stdout.write(
            f"{verb} {counts[Outcome.COPIED]} files ({size} bytes); "
            f"{counts[Outcome.THERE]} were there already."
        )
        if bad := sum(counts[each] for each in BAD):
            raise CommandError(
                f"{bad} files are missing or wrong; they are named above. "
                "Put them back from a backup and run this again."
            )
