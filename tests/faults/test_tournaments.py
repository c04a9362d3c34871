"""Events of sixteen bots through real workers: a host dies, a game is voided, a bot is disqualified."""

import json
import secrets

import pytest

from arena.accounts.models import User
from arena.bots.models import Bot
from arena.tournaments import entering, export, services
from arena.tournaments.models import State, Tournament
from arena.tournaments.selectors import picture
from aztlan.verify_tournament import verify_tournament
from contests.formats import FORMATS
from engine.rulesets import ruleset
from tests.faults.harness import BOTS, RunningArena, bot_source, make_version, wait_for

CLOCKS = {"startup_ms": 20_000, "bank_ms": 60_000, "increment_ms": 500, "decision_ms": 20_000}


@pytest.fixture(scope="session")
def sixteen(running_arena: RunningArena) -> list[Bot]:
    """All of one source, so that the host unpacks it once."""
    source = bot_source(BOTS / "first.py")
    house = make_version("random", source).bot
    Bot.objects.filter(pk=house.pk).update(is_house=True)
    names = [f"entrant-{number}" for number in range(16)]
    for name in names:
        make_version(name, source)
    found = {bot.slug: bot for bot in Bot.objects.filter(slug__in=names)}
    return [found[name] for name in names]


@pytest.fixture(scope="session")
def organiser(running_arena: RunningArena) -> User:
    return User.objects.create(username="organiser", email="organiser@example.org", is_organiser=True)


@pytest.mark.parametrize("format_name", [*FORMATS])
def test_an_event_survives_a_dead_host_a_void_and_a_disqualification(
    running_arena: RunningArena, sixteen: list[Bot], organiser: User, format_name: str
) -> None:
    tournament = Tournament.objects.create(
        slug=f"{format_name}-{secrets.token_hex(3)}", name=format_name, organiser=organiser,
        format=format_name, seats=4, rounds=3 if format_name in {"swiss", "round_robin"} else None,
        advance=2, clocks=CLOCKS, ruleset=ruleset().options(),
    )  # fmt: skip
    for bot in sixteen:
        entering.enter(tournament.pk, bot, organiser)
    for act in (services.publish, services.lock, services.start):
        act(tournament.pk, organiser)
    counted = tournament.games.filter(placements__isnull=False, voided_at=None)
    wait_for(lambda: counted.count() >= 2, "two games are played")

    running_arena.kill("host-1")
    running_arena.start_host("host-1")
    game = counted.first()
    assert game is not None
    services.void(tournament.pk, game.pk, organiser, "to see what follows")
    entering.disqualify(tournament.pk, sixteen[5], organiser, "to see what follows")

    def is_over() -> bool:
        tournament.refresh_from_db()
        return tournament.state == State.FINISHED

    wait_for(is_over, "the event is over")
    seen = picture(tournament)
    assert seen.ranked()[-1].bot == sixteen[5]
    assert counted.count() == tournament.games.filter(voided_at=None).count()
    assert counted.filter(pod=game.pod).exclude(pk=game.pk).exists()
    assert verify_tournament(json.dumps(export.to_data(seen))) == []
