"""`aztlan upload --when-better` and `aztlan status`, on a live server: how a promotion test stands."""

import threading
from pathlib import Path

import pytest
from django.db import connection

from arena.accounts.models import User
from arena.bots.models import Bot
from arena.hosts import services as hosts
from arena.promotions import planning
from arena.promotions.models import PromotionTest
from aztlan.cli import main
from tests.arena.cast import HOST_STATE
from tests.arena.people import pass_validation
from tests.arena.promotions.playing import play_sets

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_commands_show_the_test(
    signed_in: User, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hosts.beat("host", {**HOST_STATE, "slots": 8})
    assert main(["upload", str(folder), "--create", "Jaguar", "--when-better"]) == 0
    bot = Bot.objects.get()
    assert bot.only_when_better
    pass_validation(bot.versions.get())
    (folder / "bot.py").write_text("print(2)\n")
    assert main(["upload", str(folder)]) == 0
    pass_validation(bot.versions.get(number=2))
    trial = PromotionTest.objects.get()
    planning.plan_sets()
    capsys.readouterr()
    assert main(["status", "jaguar"]) == 0
    told = capsys.readouterr().out
    assert "jaguar version 2 is validated" in told
    assert "test of version 2 against version 1: running, 0 of 1000 sets" in told

    def win() -> None:
        try:
            play_sets(trial, 50)
        finally:
            connection.close()

    beside = threading.Thread(target=win)
    beside.start()
    assert main(["status", "jaguar", "--watch"]) == 0
    beside.join(60)
    told = capsys.readouterr().out
    assert "against version 1: promoted" in told
    assert "It is better than version 1." in told
    assert told.rstrip().endswith("jaguar version 2 is active")
    (folder / "bot.py").write_text("print(3)\n")
    assert main(["upload", str(folder), "--at-once"]) == 0
    bot.refresh_from_db()
    assert not bot.only_when_better
    with pytest.raises(SystemExit):
        main(["upload", str(folder), "--at-once", "--when-better"])
