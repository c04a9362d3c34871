"""All that is measured: each address of the URL table, the administration, and each task of the schedule."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.test import Client

from arena.accounts.models import User
from arena.celery import app
from arena.ladders.models import Standing
from arena.matches.models import Match
from bench import _addresses
from bench._growth_costs import Cost, measure

# Lists further down, by filters that seldom fit, and what bad input asks for.
DEEP = (
    "/ladders/ladder-0/?page=2", "/ladders/ladder-0/?page=999999999", "/ladders/ladder-0/?page=-1",
    "/ladders/ladder-0/?after={last}", "/ladders/ladder-0/?before={last}", "/ladders/ladder-0/?after={middle}",
    "/ladders/ladder-0/?after=nobody", "/ladders/ladder-0/?q=jaguar 77a", "/ladders/ladder-0/?q=jag",
    "/ladders/ladder-0/?q=author",
    "/ladders/ladder-0/bots/bot-0/?before=200", "/ladders/ladder-0/seasons/1/",
    "/api/v1/ladders/ladder-0/standings?offset=999999999", "/api/v1/ladders/ladder-0/standings?after={middle}",
    "/api/v1/ladders/ladder-0/bots/bot-0/history?before=200", "/api/v1/ladders/ladder-0/results?page_size=200",
    "/matches/?bot=bot-0", "/matches/?bot={middle}", "/matches/?bot=bot-0&state=voided",
    "/matches/?bot=bot-0&state=set_aside", "/matches/?bot=bot-0&purpose=tournament",
    "/matches/?bot={middle}&purpose=challenge", "/matches/?purpose=tournament", "/matches/?before=1",
    "/matches/?state=queued", "/api/v1/matches?bot=bot-0", "/api/v1/matches?bot={middle}&state=voided",
    "/bots/?q=jag", "/bots/?q=jaguar 77a", "/search/?q=author",
    "/bots/bot-0/results/?sort=name", "/bots/bot-0/results/?opponent={middle}&by=seat", "/bots/{middle}/results/",
    "/bots/?before=3", "/admin/matches/match/?q={match}", "/admin/matches/match/?p=3",
    "/admin/matches/match/?state__exact=voided",
)  # fmt: skip
AS_IF_LARGE = """
    set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off
"""
NOT_MEASURED = ("/versions/1/source",)
"""What reads files, which the data has not."""


def addresses() -> Iterator[tuple[str, str]]:
    """Return all addresses that can be read, by a name that is the same at every size."""
    matches = list(Match.objects.filter(state=Match.State.FINISHED).order_by("-pk")[:1])
    known = [
        *_addresses.addresses(matches),
        *(path for path in _addresses.administration() if not path.endswith("/change/")),
    ]
    yield from ((path.replace(matches[0].public_id, "{match}"), path) for path in known)
    standings = Standing.objects.filter(season=2).order_by("-rating", "pk")
    count = standings.count()
    slugs = standings.values_list("bot__slug", flat=True)
    examples = {"last": slugs[count - 2], "middle": slugs[count // 2], "match": matches[0].public_id}
    yield from ((path, path.format(**examples)) for path in DEEP)


def tasks() -> Iterator[tuple[str, Callable[[], object]]]:
    app.loader.import_default_modules()
    for name, entry in sorted(app.conf.beat_schedule.items()):
        yield f"task: {name}", app.tasks[entry["task"]].run


def works() -> dict[str, Callable[[], object]]:
    """Return every piece of work by its name."""
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(username="itzel"))

    def visit(path: str) -> Callable[[], object]:
        def get() -> object:
            answer: Any = client.get(path)
            if answer.status_code >= 500:
                raise AssertionError(f"{path} answered {answer.status_code}")
            return b"".join(answer) if answer.streaming else answer.content

        return get

    return {name: visit(path) for name, path in addresses() if not path.endswith(NOT_MEASURED)} | dict(
        tasks()
    )


@contextmanager
def quiet_settings() -> Iterator[None]:
    """Answer any host, and let nobody be slowed down for asking often."""
    from arena.accounts import limits

    hosts, settings.ALLOWED_HOSTS = settings.ALLOWED_HOSTS, ["*"]
    logging.disable(logging.ERROR)  # of many pages the answer is that they are not for everybody
    client = limits.counters()
    for key in [*client.scan_iter("limit:*")]:
        client.delete(key)
    try:
        yield
    finally:
        settings.ALLOWED_HOSTS = hosts
        logging.disable(logging.NOTSET)


def measure_all(turns: int = 1, as_if_large: bool = False) -> tuple[dict[str, Cost], dict[str, str]]:
    """Return what everything costs, and what failed.

    A small table is read as a whole although it has an index; `as_if_large` plans as if it were large.
    """
    costs, failed = {}, {}
    with quiet_settings():
        for name, work in works().items():
            try:
                with transaction.atomic():
                    if as_if_large:
                        with connection.cursor() as cursor:
                            cursor.execute(AS_IF_LARGE)
                    costs[name] = measure(work, turns)
                    transaction.set_rollback(True)
            except Exception as error:  # noqa: BLE001  one broken page must not hide the others
                failed[name] = f"{type(error).__name__}: {error}"
    return costs, failed
