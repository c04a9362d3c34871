"""Create an event and run it to its end without the pages: `manage.py tournament "Night Cup" …`."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from arena.accounts.models import User
from arena.bots.errors import RefusedError
from arena.bots.models import Bot
from arena.tournaments import entering, running, services
from arena.tournaments.forms import CLOCKS, TournamentForm
from arena.tournaments.models import FORMAT_NAMES, State, Tournament
from arena.tournaments.selectors import picture
from engine.rulesets import EDITIONS


class Command(BaseCommand):
    help = "Create a tournament of these bots, start it, and follow it to its podium."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("bots", nargs="+", help="addresses of bots, strongest first")
        parser.add_argument("--organiser", required=True, help="the username of an organiser or of staff")
        parser.add_argument("--format", choices=[*FORMAT_NAMES], default="swiss")
        parser.add_argument("--seats", type=int, choices=[2, 3, 4], default=4)
        parser.add_argument("--edition", choices=EDITIONS, default="english")
        parser.add_argument("--clock", choices=[*CLOCKS], default="blitz")
        parser.add_argument("--rounds", type=int)
        parser.add_argument("--best-of", type=int, default=1)
        parser.add_argument("--duplicate", action="store_true")
        parser.add_argument("--no-wait", action="store_true", help="return as soon as it has started")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            tournament = self._start(options)
        except RefusedError as error:
            raise CommandError(error.sentence) from None
        self.stdout.write(f"{tournament.name} has started: {tournament.get_absolute_url()}")
        if not options["no_wait"]:
            self._follow(tournament)

    def _start(self, options: dict[str, Any]) -> Tournament:
        organiser = User.objects.filter(username=options["organiser"]).first()
        if organiser is None:
            raise CommandError(f"There is no user called {options['organiser']!r}.")
        bots = {bot.slug: bot for bot in Bot.objects.filter(slug__in=options["bots"])}
        if missing := [slug for slug in options["bots"] if slug not in bots]:
            raise CommandError(f"There is no bot {missing[0]!r}.")
        defaults = {
            "advance": 1,
            "group_size": 4,
            "from_group": 2,
            "cycles": 1,
            "min_games": 0,
            "per_owner": 1,
            "live_delay": 0,
        }
        form = TournamentForm(
            {"tie_breaks": "points buchholz seed", "release": "public", **defaults, **options},
            instance=Tournament(organiser=organiser),
        )
        if not form.is_valid():
            sentences = [str(sentence) for found in form.errors.values() for sentence in found]
            raise CommandError(" ".join(sentences))
        tournament: Tournament = form.save()
        for slug in options["bots"]:
            entering.enter(tournament.pk, bots[slug], organiser)
        entering.seed_by_hand(tournament.pk, options["bots"], organiser)
        for act in (services.publish, services.lock, services.start):
            act(tournament.pk, organiser)
        return tournament

    def _follow(self, tournament: Tournament) -> None:
        told = -1
        goes_on = True
        while goes_on:
            running.tick(tournament.pk)
            tournament.refresh_from_db()
            goes_on = tournament.state in {State.RUNNING, State.PAUSED}
            played = tournament.games.filter(placements__isnull=False, voided_at=None).count()
            if played != told:
                self.stdout.write(f"round {tournament.opened_rounds}: {played} games played")
                told = played
            if goes_on:
                time.sleep(1)
        for place, entry in enumerate(picture(tournament).ranked(), 1):
            self.stdout.write(f"{place:3}. {entry.bot.name}")
