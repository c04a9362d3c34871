"""`manage.py fold_ratings`: fold every season's log from nothing and store what comes out."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.ladders.models import Season
from arena.ladders.results import check, refold


class Command(BaseCommand):
    help = "Fold the ratings of all seasons again from their logs; what was stored should come out unchanged."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="change nothing; fail where something differs"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        differing = 0
        for season in Season.objects.select_related("ladder").order_by("pk"):
            found = (check if options["check"] else refold)(season.pk)
            differing += len(found)
            self.stdout.write(f"{season}: {season.last_sequence} results, {len(found)} values differed")
            for line in found[:20]:
                self.stdout.write(f"  {line}")
        if differing and options["check"]:
            raise CommandError(f"{differing} stored values are not what their log says.")
