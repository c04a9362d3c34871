"""What settling and queueing cost, beside the least that they could."""

import random
import time
from statistics import median
from typing import Any

from django.db import connection, transaction

from arena.bots.models import Version
from arena.celery import app
from arena.hosts.models import Attempt
from arena.hosts.wakeups import send_wake_ups
from arena.ladders.models import RatingChange, Result, Season
from arena.ladders.results import settle_match
from arena.matches.models import Match
from arena.matches.services import MatchRequest, request_matches
from arena.queues import until_empty
from arena.redis_client import redis_client
from bench._cast import ask_for, finish, make_bot, make_season
from bench.figures import figure
from engine.rulesets import ruleset
from workers.settings import MATCHES_QUEUE, QUEUE_PREFIX, RUN_ATTEMPT

SETTLED = 200
QUEUED = 10_000
TABLES = ("ladders_result", "ladders_ratingchange", "ladders_standing")
KEYS = {"ladders_standing": "season_id, bot_id"}
TARGET_SETTLING, TARGET_QUEUEING = 5.0, 0.4


def measure_costs() -> None:
    versions = [make_bot(f"cost-{number}") for number in range(20)]
    season, chance = make_season(4, is_open=False), random.Random(1)
    matches = [ask_for(chance.sample(versions, 4), season) for _ in range(SETTLED)]
    for match in matches:
        finish(match)
    settling, inserting = [], []
    make_bare_tables()
    for match in matches:
        began = time.perf_counter()
        settle_match(match.pk)
        settling.append(time.perf_counter() - began)
        rows = settled_rows(season, match)
        began = time.perf_counter()
        insert_rows(rows)
        inserting.append(time.perf_counter() - began)
    ours, bare = median(settling) * 1000, median(inserting) * 1000
    figure("settling a match", ours, "ms")
    figure("inserting its rows alone", bare, "ms")
    figure("settling over inserting", ours / bare, "x", at_most=TARGET_SETTLING)
    measure_queueing(versions[:4])


def settled_rows(season: Season, match: Match) -> list[tuple[str, list[str], list[tuple[Any, ...]]]]:
    """Return what settling this match has written: table, columns, rows."""
    sequence = Result.objects.get(match=match).sequence
    bots = list(
        RatingChange.objects.filter(season=season, sequence=sequence).values_list("bot_id", flat=True)
    )
    found = []
    with connection.cursor() as cursor:
        for table, condition, of in (
            ("ladders_result", "sequence = %s", [sequence]),
            ("ladders_ratingchange", "sequence = %s", [sequence]),
            ("ladders_standing", "bot_id = any(%s)", [bots]),
        ):
            cursor.execute(f"select * from {table} where season_id = %s and {condition}", [season.pk, *of])
            columns = [column.name for column in cursor.description or ()]
            found.append((table, columns, cursor.fetchall()))
    return found


def make_bare_tables() -> None:
    """Make tables of the same shape for the rows alone."""
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"create table bare_{table} (like {table} including all)")


def insert_rows(rows: list[tuple[str, list[str], list[tuple[Any, ...]]]]) -> None:
    """Insert the rows of a settled match with no questions asked; what is there already is updated."""
    with transaction.atomic(), connection.cursor() as cursor:
        for table, columns, values in rows:
            names, places = ", ".join(columns), ", ".join(["%s"] * len(columns))
            statement = f"insert into bare_{table} ({names}) values ({places})"
            if key := KEYS.get(table):
                statement += f" on conflict ({key}) do update set games = excluded.games"
            cursor.executemany(statement, values)


def measure_queueing(versions: list[Version]) -> None:
    """Make and queue many matches; then send as many bare messages."""
    request = MatchRequest(versions, ruleset("english"), Match.Purpose.CHALLENGE)
    began = time.perf_counter()
    for _ in range(QUEUED // 500):
        request_matches([request] * 500)
    until_empty(send_wake_ups)
    ours = QUEUED / (time.perf_counter() - began)
    began = time.perf_counter()
    with app.producer_pool.acquire(block=True) as producer:
        for number in range(QUEUED):
            app.send_task(
                RUN_ATTEMPT, [number, "x" * 43], queue=MATCHES_QUEUE, producer=producer, retry=False
            )
    bare = QUEUED / (time.perf_counter() - began)
    figure("matches made and queued", ours, "per second")
    figure("bare messages sent", bare, "per second")
    figure("queueing over bare messages", ours / bare, "x", at_least=TARGET_QUEUEING)
    redis_client().delete(f"{QUEUE_PREFIX}{MATCHES_QUEUE}")
    Attempt.objects.filter(state="queued").update(state="refused")
    Match.objects.filter(state="queued").update(state="set_aside")
