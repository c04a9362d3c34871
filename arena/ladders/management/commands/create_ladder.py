"""`manage.py create_ladder SLUG NAME`: a ladder with its first season."""

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from arena.ladders.models import Ladder
from arena.ladders.services import create_ladder
from engine.rulesets import EDITIONS, ruleset
from workers.match.spec import DEFAULT_CLOCKS


class Command(BaseCommand):
    help = "Create a ladder with its first season; bots enter it by themselves, and matches begin at once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="its address, such as duel")
        parser.add_argument("name", help="its name, such as Duel")
        parser.add_argument("--seats", type=int, choices=(2, 3, 4), default=2)
        parser.add_argument("--ruleset", choices=EDITIONS, default="english")
        parser.add_argument("--days", type=int, help="how long a season lasts; without it, it has no end")
        parser.add_argument(
            "--rate-house-bots",
            action="store_true",
            help="let the ratings of house bots move, too; otherwise they are fixed points",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        values: dict[str, Any] = {name: options[name] for name in ("slug", "name", "seats")}
        values["house_fixed"] = not options["rate_house_bots"]
        if options["days"] is not None and options["days"] < 1:
            raise CommandError("--days must be at least 1.")
        try:
            Ladder(**values).full_clean(exclude=["ruleset", "clocks"])
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        ladder = create_ladder(
            **values, ruleset=ruleset(options["ruleset"]), clocks=DEFAULT_CLOCKS, days=options["days"]
        )
        self.stdout.write(f"The ladder “{ladder}” is open: /ladders/{ladder.slug}/")
