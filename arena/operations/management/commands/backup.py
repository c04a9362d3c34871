"""`manage.py backup FOLDER`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.operations.backups import BackupError, back_up


class Command(BaseCommand):
    help = "Write the database and all bots' archives into a new folder, with their digests."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            manifest = back_up(options["folder"])
        except BackupError as error:
            raise CommandError(str(error)) from error
        count = len(manifest["sha256"]) - 1
        self.stdout.write(f"Backed up the database and {count} files, as of {manifest['made_at']}.")
