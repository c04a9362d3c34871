"""The spectators' delay moves from a table of its own to the ladders and tournaments, and back, with its rows."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

BEFORE = [
    ("replays", "0001_initial"),
    ("ladders", "0003_matches_a_minute"),
    ("tournaments", "0002_remembered"),
]
AFTER = [("replays", "0002_live_delay_moved")]


def migrate(targets: list[tuple[str, str]]) -> Any:
    """Migrate to these; return the models of then."""
    MigrationExecutor(connection).migrate(targets)
    loader = MigrationExecutor(connection).loader
    return loader.project_state(list(loader.applied_migrations)).apps


@pytest.fixture
def before(transactional_db: None) -> Iterator[Any]:
    """The database of before, with two ladders of two seasons each and two events."""
    leaves = MigrationExecutor(connection).loader.graph.leaf_nodes()
    try:
        apps = migrate(BEFORE)
        make_contests(apps)
        yield apps
    finally:
        migrate(leaves)


def make_contests(apps: Any) -> None:
    model = apps.get_model
    for number, name in enumerate(("slow", "quick"), start=1):
        model("ladders.Ladder").objects.create(
            pk=number, slug=name, name=name, seats=4, ruleset={}, clocks={}
        )
        for season in (1, 2):
            model("ladders.Season").objects.create(
                pk=10 * number + season, ladder_id=number, number=season, starts_at=timezone.now()
            )
    olin = model("accounts.User").objects.create(username="olin", email="olin@example.org")
    for number, name in enumerate(("finals", "open"), start=1):
        model("tournaments.Tournament").objects.create(
            pk=number, slug=name, name=name, organiser=olin, format="swiss", ruleset={}, clocks={}
        )


def delays(apps: Any) -> dict[str, int]:
    kinds = (apps.get_model("ladders.Ladder"), apps.get_model("tournaments.Tournament"))
    return {one.slug: one.live_delay for kind in kinds for one in kind.objects.all()}


def test_every_delay_goes_to_its_contest_and_a_ladder_has_that_of_its_newest_season(before: Any) -> None:
    delay = before.get_model("replays.LiveDelay").objects.create
    delay(purpose="ladder", purpose_id=12, seconds=3600)
    delay(purpose="ladder", purpose_id=11, seconds=30)
    delay(purpose="tournament", purpose_id=1, seconds=600)
    delay(purpose="tournament", purpose_id=77, seconds=5)  # the event is gone
    delay(purpose="challenge", purpose_id=1, seconds=9)
    assert delays(migrate(AFTER)) == {"slow": 3600, "quick": 0, "finals": 600, "open": 0}


def test_no_delay_is_lost_on_the_way_back(before: Any) -> None:
    after = migrate(AFTER)
    after.get_model("ladders.Ladder").objects.filter(slug="slow").update(live_delay=60)
    after.get_model("tournaments.Tournament").objects.filter(slug="open").update(live_delay=120)
    rows = (
        migrate(BEFORE).get_model("replays.LiveDelay").objects.values_list("purpose", "purpose_id", "seconds")
    )
    assert sorted(rows) == [("ladder", 11, 60), ("ladder", 12, 60), ("tournament", 2, 120)]
