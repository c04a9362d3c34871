"""People at tables in the browser tests: house bots that play, a host for tables, and ways to decide."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from playwright.sync_api import Page

from arena.bots.house import load_house_bot
from arena.bots.models import Bot, Status, Version
from arena.hosts import services as hosts
from tests.arena.cast import HOST_STATE

ROOT = Path(__file__).parents[2]
TURN = "#seat[data-turn]:not([data-turn=''])"
OVER = ".ending a.button"


def activate_house_bots(*names: str) -> None:
    """Have house bots ready, as if they had been validated."""
    for name in names:
        version = load_house_bot(name)
        assert version is not None
        Version.objects.filter(pk=version.pk).update(status=Status.ACTIVE)
        Bot.objects.filter(pk=version.bot_id).update(active_version=version)


@contextmanager
def table_host(address: str, folder: Path, name: str = "tables") -> Iterator[subprocess.Popen[bytes]]:
    """The process of a match host that plays tables."""
    hosts.beat(name, HOST_STATE)
    folder.chmod(0o755)  # sandboxes must reach it
    known = {key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "SECRET_KEY")}
    process = subprocess.Popen(
        [sys.executable, "-m", "workers.host.table_host", str(os.getpid())],
        cwd=ROOT,
        env={
            **known,
            "ARENA_URL": address,
            "ARENA_HOST_KEY": settings.HOST_KEY,
            "MATCH_HOST_NAME": name,
            "MATCH_HOST_FOLDER": str(folder / name),
            "ARENA_LOG_LEVEL": "INFO",
        },
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(60)


def decide(page: Page, choose: Callable[[Page], None], count: int = 10_000) -> int:
    """Decide until the match is over, or so many times; return how often."""
    for done in range(count):
        page.wait_for_selector(f"{TURN}, {OVER}")
        if page.locator(OVER).count():
            return done
        before = page.locator("#seat").get_attribute("data-turn")
        while page.locator("#seat").get_attribute("data-turn") == before:
            choose(
                page
            )  # some decisions take two: a pawn and where it goes, a tap and the one that confirms it
    return count
