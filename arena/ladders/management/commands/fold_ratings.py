"""`manage.py fold_ratings`: fold every season's log from nothing and store what comes out."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.ladders.checking import differences, refold
from arena.ladders.models import Season

SHOWN = 20


class Command(BaseCommand):
    help = "Fold the ratings of all seasons again from their logs; what was stored should come out unchanged."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="change nothing; fail where something differs"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        differing = 0
        for season in Season.objects.select_related("ladder").order_by("pk"):
            first, count = [], 0
            for line in differences(season.pk):
                count += 1
                first += [line] if count <= SHOWN else []
            if not options["check"]:
                refold(season.pk)
            differing += count
            self.stdout.write(f"{season}: {season.last_sequence} results, {count} values differed")
            for line in first:
                self.stdout.write(f"  {line}")
            if season.corrected_to is not None and options["check"]:
                self.stdout.write(f"  being corrected; checked up to result {season.corrected_to}")
        if differing and options["check"]:
            raise CommandError(f"{differing} stored values are not what their log says.")
