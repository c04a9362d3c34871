"""A Swiss of 2,000 entrants: pairing a round, and the standings of the finished event, beside their limits."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from statistics import median
from typing import TYPE_CHECKING

from bench.arena import empty_arena
from bench.figures import figure
from contests.formats.entities import Entrant, Options, PlayedRound, Pod, TournamentProgress
from contests.formats.swiss import next_round

if TYPE_CHECKING:
    from arena.tournaments.models import Tournament

ENTRANTS = 2000
TURNS = 15
PAIRING_LIMIT, STANDINGS_LIMIT = 2000, 200
CLOCKS = {"startup_ms": 5000, "bank_ms": 60000, "increment_ms": 500, "decision_ms": 10000}

PATHS = {
    "page": "/tournaments/{}/",
    "standings in the API": "/api/v1/tournaments/{}/standings",
    "everything in the API": "/api/v1/tournaments/{}",
}


def main() -> None:
    for seats in (2, 4):
        time_pairing(seats)
    with empty_arena():
        small, large = finished_event("small", 40), finished_event("large", ENTRANTS)
        time_pages(small, large)


def time_pairing(seats: int) -> None:
    """Pair round after round of an event with random results."""
    entrants = [Entrant(number, number, 2000.0 - number / 10) for number in range(1, ENTRANTS + 1)]
    rng, took = Random(seats), []
    event = TournamentProgress(Options(seats=seats), tuple(entrants))
    while True:
        began = time.perf_counter()
        found = next_round(event)
        took.append(1000 * (time.perf_counter() - began))
        if found is None:
            break
        results: dict[str, list[dict[int, int]]] = {}
        play(found.pods, results, rng)
        event = replace(event, played=(*event.played, PlayedRound(found, results)))
    name = f"pairing a round of {ENTRANTS}, {seats} seats"
    figure(f"{name}, median", median(took[:-1]), "ms")
    figure(f"{name}, slowest of {len(took) - 1}", max(took), "ms", at_most=PAIRING_LIMIT)


def play(pods: tuple[Pod, ...], results: dict[str, list[dict[int, int]]], rng: Random) -> None:
    for pod in pods:
        ranked = sorted(pod.entrants, key=lambda one: one / ENTRANTS + rng.gauss(0, 0.5))
        results[pod.key] = [{one: place for place, one in enumerate(ranked, 1)}]


def finished_event(slug: str, entrants: int) -> "Tournament":
    """An event in the database that was played to its end, without matches."""
    from arena.accounts.models import User
    from arena.bots.models import Bot
    from arena.tournaments import running
    from arena.tournaments.models import Game, State, Tournament, TournamentEntry
    from arena.tournaments.selectors import picture
    from engine.rulesets import ruleset

    organiser = User.objects.create(username=f"organiser-{slug}", email=f"{slug}@example.org")
    names = [f"{slug}-{number}" for number in range(entrants)]
    bots = Bot.objects.bulk_create(Bot(owner=organiser, slug=name, name=name) for name in names)
    tournament = Tournament.objects.create(
        slug=slug, name=slug, organiser=organiser, format="swiss", seats=4, state=State.PAUSED,
        ruleset=ruleset().options(), clocks=CLOCKS,
    )  # fmt: skip
    TournamentEntry.objects.bulk_create(
        TournamentEntry(tournament=tournament, bot=bot, seed=seed) for seed, bot in enumerate(bots, 1)
    )
    rng = Random(1)
    while (timeline := (seen := picture(tournament)).timeline) and (found := timeline.next_round()):
        results: dict[str, list[dict[int, int]]] = {}
        play(found.pods, results, rng)
        running.open_round(seen, timeline, found)
        Game.objects.bulk_create(
            Game(tournament=tournament, round=found.number, pod=key, number=1, placements=games[0])
            for key, games in results.items()
        )
    running.tick(tournament.pk)
    tournament.state = State.FINISHED
    tournament.save()
    return tournament


def time_pages(small: "Tournament", large: "Tournament") -> None:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from arena.tournaments.selectors import picture

    browser = Client(headers={"host": "localhost"})

    def queries(path: str) -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            if browser.get(path).status_code != 200:
                raise SystemExit(f"{path} cannot be read")
        return len(asked)

    for name, path in PATHS.items():
        asked = {event.slug: queries(path.format(event.slug)) for event in (small, large)}
        took = timed(partial(browser.get, path.format(large.slug)))
        figure(f"{name} of a finished event of {ENTRANTS}", took, "ms", at_most=STANDINGS_LIMIT)
        figure(f"{name} of a finished event of {ENTRANTS}, queries", asked[large.slug])
        figure(f"{name} of a finished event of 40, queries", asked[small.slug])
    took = timed(lambda: picture(large).lines)
    figure(f"standings computed from {large.games.count()} results", took, "ms")


def timed(act: Callable[[], object]) -> float:
    """The median of some turns, in milliseconds."""
    found = []
    for _ in range(TURNS):
        began = time.perf_counter()
        act()
        found.append(1000 * (time.perf_counter() - began))
    return median(found)
