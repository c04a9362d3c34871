"""`manage.py restore FOLDER`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.operations.backups import BackupError, restore


class Command(BaseCommand):
    help = "Restore a backup into an empty database and the storage, after checking its digests."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            manifest = restore(options["folder"])
        except BackupError as error:
            raise CommandError(str(error)) from error
        count = len(manifest["sha256"]) - 1
        self.stdout.write(f"Restored the database and {count} files, as of {manifest['made_at']}.")
        self.stdout.write("Now run `manage.py migrate`, then `manage.py fold_ratings --check`.")
