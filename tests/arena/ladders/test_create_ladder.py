"""`manage.py create_ladder`: an operator's first ladder."""

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from arena.ladders.models import Ladder

pytestmark = pytest.mark.django_db


def test_a_ladder_is_open_with_its_first_season(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("create_ladder", "duel", "Duel", "--days", "30", "--rate-house-bots")
    ladder = Ladder.objects.get()
    [season] = ladder.seasons.all()
    assert (ladder.seats, ladder.house_fixed, ladder.is_open) == (2, False, True)
    assert season.ends_at is not None
    assert (season.ends_at - season.starts_at).days == 30
    assert "/ladders/duel/" in capsys.readouterr().out
    assert Client().get("/ladders/duel/").status_code == 200


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["duel", "Another"], "already exists"),
        (["another", "Duel"], "already exists"),
        (["a duel", "A duel"], "slug"),
        (["another", "Another", "--days", "0"], "--days must be at least 1"),
        (["another", "Another", "--seats", "5"], "invalid choice"),
        (["another", "Another", "--ruleset", "latin"], "invalid choice"),
    ],
)
def test_a_mistake_is_named_and_changes_nothing(words: list[str], sentence: str) -> None:
    call_command("create_ladder", "duel", "Duel")
    with pytest.raises(CommandError, match=sentence):
        call_command("create_ladder", *words)
    assert Ladder.objects.count() == 1
