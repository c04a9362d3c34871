"""`manage.py capacity MATCHES`: what an arena with so many matches per day needs."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.operations.capacity import PEAK, Demand, size_for


class Command(BaseCommand):
    help = "Estimate cores and disk from measured figures (docs/operator/sizing.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("matches", type=float, help="matches per day")
        parser.add_argument("--cpu", type=float, default=5.0, help="CPU seconds of one match, bots included")
        parser.add_argument("--requests", type=float, default=0, help="requests per second, at peak")
        parser.add_argument(
            "--per-core", type=float, default=20, help="requests that one core answers per second"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if min(options["matches"], options["cpu"], options["requests"]) < 0 or options["per_core"] <= 0:
            raise CommandError(
                "Matches, --cpu and --requests cannot be negative, and --per-core must be positive."
            )
        size = size_for(Demand(options["matches"], options["cpu"], options["requests"], options["per_core"]))
        self.stdout.write(f"match hosts: {size.host_cores:.1f} cores")
        self.stdout.write(f"web servers, workers, PostgreSQL and Redis: {size.arena_cores:.1f} cores")
        self.stdout.write(f"the database grows by {size.gigabytes_per_month:.1f} GB per month")
        self.stdout.write(f"This plans for {PEAK} times the average rate of matches.")
