"""Somebody does not decide in time, and leaves: the table says so, and keeps or gives up the seat as it was opened."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from playwright.sync_api import Page, expect

from arena.play import selectors, services
from arena.play.models import OnLeaving

PACE = 3


@pytest.mark.parametrize(
    ("on_leaving", "said"),
    [
        (OnLeaving.BOT, "You have left the table; a house bot plays your seat."),
        (OnLeaving.RESIGN, "You have resigned. The others play on."),
    ],
)
def test_whoever_is_late_is_told_and_the_second_time_has_left(
    address: str, open_page: Callable[..., Page], tmp_path: Path, settings: Any, on_leaving: str, said: str
) -> None:
    from tests.e2e.tables import activate_house_bots, table_host

    settings.MEDIA_ROOT = tmp_path / "media"
    activate_house_bots("random", "greedy", "settler")
    opponents = [selectors.house_version(["house-greedy"]), selectors.house_version(["house-random"])]
    wanted = services.NewTable(opponents, "english", PACE, on_leaving, "here")
    table, token = services.open_table(AnonymousUser(), wanted)
    cookie = {"name": f"seat-{table.public_id}", "value": token, "url": address}
    page = open_page(f"/play/{table.public_id}/", ready="#seat", cookies=[cookie], reduced_motion="reduce")
    with TemporaryDirectory(prefix="aztlan-tables-") as folder, table_host(address, Path(folder)):
        expect(page.get_by_role("button", name="Resign")).to_be_visible()
        leave = page.get_by_role("button", name="Leave the table")
        expect(leave).to_have_count(1 if on_leaving == OnLeaving.BOT else 0)
        expect(page.locator(".notice[role=alert]")).to_contain_text("Your time ran out")
        expect(page.get_by_text(said)).to_be_visible()
        expect(page.locator(".ending h2")).to_be_visible()
