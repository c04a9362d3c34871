"""A host dies, and a bot cannot go on where another host sets the table up again: the table says who plays on."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.test_play import choose_by_mouse

# Plays a match from its beginning, but leaves one that has begun already.
FORGETFUL = """
import os
from aztlan.bot import Bot
from aztlan.client import run


class Forgetful(Bot):
    name = "forgetful"
    knows = False

    def choose(self, observation, legal):
        if observation.phase != 0 and not self.knows:
            os._exit(1)
        self.knows = True
        return legal[0]


run(Forgetful())
"""


def test_the_table_says_that_a_house_bot_took_the_place_of_a_bot(
    address: str, tmp_path: Path, settings: Any, open_page: Callable[..., Page]
) -> None:
    from arena.hosts.attempts import reap
    from arena.hosts.models import Attempt
    from arena.play.models import TableSeat
    from bench._running_arena import make_version
    from tests.e2e.conftest import shoot
    from tests.e2e.tables import TURN, activate_house_bots, decide, table_host

    settings.MEDIA_ROOT = tmp_path / "media"
    activate_house_bots("settler", "greedy")
    make_version("forgetful", FORGETFUL)
    with TemporaryDirectory(prefix="aztlan-tables-") as folder:
        with table_host(address, Path(folder), "first") as first:
            page = open_page("/play/", ready="form", reduced_motion="reduce")
            page.select_option("[name=first]", "other")
            page.fill("[name=other]", "forgetful")
            page.get_by_role("button", name="Sit down").click()
            page.wait_for_selector(TURN)
            decide(page, choose_by_mouse, 3)
            first.kill()
            first.wait()
            lost = False
            while not lost:  # its last heartbeat may still be on its way, and renew the lease
                Attempt.objects.update(lease_until="2020-01-01T00:00:00Z")
                lost = reap() == 1
        with table_host(address, Path(folder), "second"):
            page.wait_for_selector(TURN)
            decide(page, choose_by_mouse, 2)
            expect(page.locator(".seats")).to_contain_text("could not go on: a house bot plays on")
            shoot(page, "play-replaced")
            assert TableSeat.objects.get(seat=1).is_replaced
            decide(page, choose_by_mouse, 2)
