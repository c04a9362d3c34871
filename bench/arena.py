"""Pages and API lists of an arena with 20,000 bots, 100,000 versions and 1,000,000 matches.

Each is measured beside a page of the same size that asks nothing of the database (the same template or
serializer on rows that are in memory), taking turns in one run, so that a busy machine slows both.
Target: within 3x.
"""

import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.figures import figure

TURNS = 25
TARGET = 3.0
LARGE = ("matches_match", "matches_matchseat")
FILLED = ("accounts_user", "bots_bot", "bots_version", "bots_versionevent", *LARGE)
TYPICAL, HOUSE = "bot-12345", "bot-3"

PAGES = (
    "/",
    f"/bots/{TYPICAL}/",
    f"/bots/{HOUSE}/",
    "/bots/",
    "/bots/?q=jag+123",
    "/bots/?before=9000",
    "/matches/",
    "/matches/?before=500000",
    f"/matches/?bot={TYPICAL}",
    f"/matches/?bot={HOUSE}",
    f"/matches/?bot={HOUSE}&purpose=tournament&seats=4",
    "/matches/?state=queued",
    "/matches/?state=voided",
    "/matches/?state=set_aside",
    "/matches/?purpose=tournament",
    "/matches/?purpose=validation&seats=3",
)
API = (
    "/api/v1/bots",
    "/api/v1/bots?search=jag+123",
    "/api/v1/bots?owner=author77",
    f"/api/v1/bots/{TYPICAL}",
    f"/api/v1/bots/{TYPICAL}/versions",
    f"/api/v1/bots/{TYPICAL}/versions/3",
    "/api/v1/matches",
    f"/api/v1/matches?bot={TYPICAL}",
    f"/api/v1/matches?bot={HOUSE}",
    "/api/v1/matches?purpose=tournament&state=finished",
    "/api/v1/matches/000007a120",
)


@contextmanager
def empty_arena() -> Iterator[None]:
    """An arena of its own in a temporary folder."""
    folder = Path(tempfile.mkdtemp(prefix="arena-bench-"))
    try:
        with arena_in(folder):
            yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def arena_in(folder: Path) -> Iterator[None]:
    """An arena with its data in this folder, migrated; this process is set up for it."""
    os.environ |= {"ARENA_HOME": str(folder), "DJANGO_SETTINGS_MODULE": "arena.settings"}
    os.environ["ARENA_DATABASE_POOL"] = "2"  # as a web process has one
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    from arena.embedded.home import Home
    from arena.embedded.servers import running_servers

    with running_servers(Home(folder), durable=False):
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        yield


def fill() -> None:
    import psycopg
    from django.conf import settings

    began = time.monotonic()
    with psycopg.connect(settings.HOME.database_url, autocommit=True) as connection:
        indexes = drop_indexes(connection)
        statements = (Path(__file__).parent / "_arena_data.sql").read_text().split(";\n")
        for statement in [*statements, *indexes, f"vacuum analyze {', '.join(FILLED)}"]:
            if statement.strip():
                connection.execute(statement)
    figure("1,000,000 matches made in", time.monotonic() - began, "s")


def drop_indexes(connection: Any) -> list[str]:
    """Drop the indexes of the large tables and return how to make them again, which is faster afterwards."""
    found = connection.execute(
        "select indexname, indexdef from pg_indexes where tablename = any (%s)"
        " and indexname not in (select conname from pg_constraint)",
        [list(LARGE)],
    ).fetchall()
    for name, _ in found:
        connection.execute(f'drop index "{name}"')
    return [definition for _, definition in found]


def main() -> None:
    with empty_arena():
        fill()
        from django.core.handlers.base import BaseHandler

        from arena.accounts import limits

        limits.LIMITS = {name: limits.Limit(10**9, 60, "") for name in limits.LIMITS}  # counted all the same
        handler = BaseHandler()
        handler.load_middleware()
        ratios = [measure(handler, path) for path in (*PAGES, *API)]
        figure("median of all pages, over a plain one", statistics.median(ratios), "x")


def measure(handler: Any, path: str) -> float:
    """Print and return how much longer the page takes than one of the same size without the database."""
    queries = prepare(handler, path)
    plain = "/bench/api" if path.startswith("/api/") else "/bench/html"
    page_times, plain_times = [], []
    for _ in range(TURNS):
        page_times.append(timed(lambda: answer(handler, path)))
        plain_times.append(timed(lambda: answer(handler, plain)))
    page, bare = statistics.median(page_times), statistics.median(plain_times)
    figure(f"{path}, queries", queries)
    figure(f"{path}, time", page, "ms")
    figure(f"{path}, over a plain page", page / bare, "x", at_most=TARGET)
    return page / bare


def timed(act: Callable[[], object]) -> float:
    """Return the milliseconds of one call."""
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000


def answer(handler: Any, path: str) -> Any:
    """Answer a request with all middleware and, as in production, end its use of the database."""
    from django.core.signals import request_finished, request_started
    from django.test import RequestFactory

    request_started.send(sender=main)
    request = RequestFactory().get(path, headers={"host": "localhost"})
    request.urlconf = "bench._arena_pages"
    response = handler.get_response(request)
    assert response.status_code == 200, f"{path} answered {response.status_code}"
    request_finished.send(sender=main)
    return response


def prepare(handler: Any, path: str) -> int:
    """Ask once, keep what the page was made of for its plain twin, and return how many queries it took."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from bench import _arena_pages

    with CaptureQueriesContext(connection) as asked:
        keep_html(handler, path) if not path.startswith("/api/") else keep_api(handler, path)
    count = len(asked)  # the next request empties the log
    answered = answer(handler, path)
    twin = answer(handler, "/bench/api" if path.startswith("/api/") else "/bench/html")
    assert _arena_pages.SHOWN
    assert 0.8 < len(twin.content) / len(answered.content) < 1.25, "the plain page is of another size"
    return count


def keep_html(handler: Any, path: str) -> None:
    from django.shortcuts import render

    from bench._arena_pages import SHOWN

    def spy(request: Any, name: str, context: dict[str, Any]) -> Any:
        SHOWN["html"] = (name, {key: in_memory(value) for key, value in context.items()})
        return render(request, name, context)

    swap(("arena.pages.views", "arena.bots.views"), "render", spy, lambda: answer(handler, path))


def in_memory(value: Any) -> Any:
    from django.db.models import QuerySet

    return list(value) if isinstance(value, QuerySet) else value


def keep_api(handler: Any, path: str) -> None:
    """Note the serializer that made the answer, and its rows."""
    from rest_framework.serializers import BaseSerializer

    from bench._arena_pages import SHOWN

    original = BaseSerializer.__init__
    made: list[Any] = []

    def spy(self: Any, instance: Any = None, *args: Any, **options: Any) -> None:
        original(self, instance, *args, **options)
        if instance is not None and getattr(self, "parent", None) is None:
            made.append(self)

    BaseSerializer.__init__ = spy  # type: ignore[method-assign]  # watched for one call
    try:
        answer(handler, path)
    finally:
        BaseSerializer.__init__ = original  # type: ignore[method-assign]  # watched for one call
    outer = made[-1] if made else None
    assert outer is not None
    child = getattr(outer, "child", outer)
    SHOWN["api"] = (type(child), outer.instance, child is not outer)


def swap(modules: tuple[str, ...], name: str, value: Any, act: Callable[[], object]) -> None:
    from importlib import import_module

    kept = [(import_module(module), getattr(import_module(module), name)) for module in modules]
    for module, _ in kept:
        setattr(module, name, value)
    try:
        act()
    finally:
        for module, old in kept:
            setattr(module, name, old)
