"""`manage.py house_bots`: submit the current house bots. Run it after each deployment."""

from typing import Any

from django.core.management.base import BaseCommand

from arena.bots.house import load_house_bots


class Command(BaseCommand):
    help = "Submit house bots that are missing or new; match hosts then build and validate them."

    def handle(self, *args: Any, **options: Any) -> None:
        versions = load_house_bots()
        self.stdout.write(
            f"{len(versions)} house bots were submitted." if versions else "All house bots are up to date."
        )
