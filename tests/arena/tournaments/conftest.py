"""Tournaments whose matches are played by nobody: a report of random play settles each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from arena.accounts.models import User
    from arena.tournaments.models import Tournament

CLOCKS = {"startup_ms": 5000, "bank_ms": 60000, "increment_ms": 500, "decision_ms": 10000}


@pytest.fixture
def make_tournament(olin: User) -> Callable[..., Tournament]:
    """Make an event of olin's with so many bots entered, of authors of their own."""
    from arena.tournaments import services
    from arena.tournaments.models import Tournament
    from engine.rulesets import ruleset
    from tests.arena.cast import make_bot

    def make(bots: int = 4, state: str = "running", **options: Any) -> Tournament:
        values: dict[str, Any] = {"seats": 2, "format": "round_robin", **options}
        tournament = Tournament.objects.create(
            slug="cup", name="Cup", organiser=olin, ruleset=ruleset().options(), clocks=CLOCKS, **values
        )
        make_bot("random", "house", is_house=True)
        for number in range(bots):
            services.enter(tournament.pk, make_bot(f"bot-{number}").bot, olin)
        steps = [services.publish, services.lock, services.start]
        for step in steps[: ["draft", "registration", "locked", "running"].index(state)]:
            step(tournament.pk, olin)
        tournament.refresh_from_db()
        return tournament

    return make


@pytest.fixture
def play_open(db: None) -> Callable[..., int]:
    """Play all matches that an event waits for, once; return how many."""
    from arena.matches.models import Match
    from arena.tournaments import running
    from tests.arena.cast import finish

    def play(tournament: Tournament) -> int:
        waiting = Match.objects.filter(purpose="tournament", purpose_id=tournament.pk, state="queued")
        matches = list(waiting.order_by("pk"))
        for match in matches:
            finish(match)
            running.settle(match.pk)
            running.settle(match.pk)  # whatever settles is safe to run twice
        tournament.refresh_from_db()
        return len(matches)

    return play


@pytest.fixture
def play_out(play_open: Callable[..., int]) -> Callable[..., int]:
    """Play an event to its end; return the number of matches."""

    def play(tournament: Tournament) -> int:
        total = 0
        while count := play_open(tournament):
            total += count
            assert total < 500
        return total

    return play
