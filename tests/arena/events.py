"""Tournaments whose matches are played by nobody: a report of random play settles each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.accounts.models import User
    from arena.tournaments.models import Tournament

CLOCKS = {"startup_ms": 5000, "bank_ms": 60000, "increment_ms": 500, "decision_ms": 10000}


def new_event(organiser: User, bots: int = 4, state: str = "running", **options: Any) -> Tournament:
    """Make an event with so many bots entered, of authors of their own."""
    from arena.bots.models import Bot
    from arena.tournaments import entering, services
    from arena.tournaments.models import Tournament
    from engine.rulesets import ruleset
    from tests.arena.cast import make_bot

    values: dict[str, Any] = {"slug": "cup", "name": "Cup", "seats": 2, "format": "round_robin", **options}
    tournament = Tournament.objects.create(
        organiser=organiser, ruleset=ruleset().options(), clocks=CLOCKS, **values
    )
    known = {bot.slug: bot for bot in Bot.objects.all()}
    if "random" not in known:
        make_bot("random", "house", is_house=True)
    for number in range(bots):
        name = f"bot-{number}"
        entering.enter(tournament.pk, known.get(name) or make_bot(name).bot, organiser)
    steps = [services.publish, services.lock, services.start]
    for step in steps[: ["draft", "registration", "locked", "running"].index(state)]:
        step(tournament.pk, organiser)
    tournament.refresh_from_db()
    return tournament


def play_open(tournament: Tournament) -> int:
    """Play all matches that an event waits for, once; return how many."""
    from arena.matches.models import Match
    from arena.tournaments import running
    from tests.arena.cast import finish

    waiting = Match.objects.filter(purpose="tournament", purpose_id=tournament.pk, state="queued")
    matches = list(waiting.order_by("pk"))
    for match in matches:
        finish(match)
        running.settle_match(match)
        running.settle_match(match)  # whatever settles is safe to run twice
    tournament.refresh_from_db()
    return len(matches)


def play_out(tournament: Tournament) -> int:
    """Play an event to its end; return the number of matches."""
    total = 0
    while count := play_open(tournament):
        total += count
        assert total < 500
    return total
