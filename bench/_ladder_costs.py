"""What settling and queueing cost, beside the least that they could."""

import json
import random
import time
from dataclasses import asdict
from statistics import median

from django.db import connection, transaction

from arena.bots.models import Version
from arena.celery import app
from arena.hosts.models import Attempt
from arena.hosts.wakeups import send_wake_ups
from arena.ladders.models import Season
from arena.ladders.results import settle_match
from arena.matches.models import Match
from arena.matches.services import MatchRequest, request_matches
from arena.queues import until_empty
from arena.redis_client import redis_client
from bench._cast import ask_for, finish, make_bot, make_season
from bench.figures import figure
from contests.rating import Place
from engine.rulesets import ruleset
from workers.settings import MATCHES_QUEUE, QUEUE_PREFIX, RUN_ATTEMPT

SETTLED = 200
QUEUED = 10_000
TARGET_SETTLING, TARGET_QUEUEING = 5.0, 0.4


def measure_costs() -> None:
    versions = [make_bot(f"cost-{number}") for number in range(20)]
    ids = [version.bot_id for version in versions]
    season, chance = make_season(4, is_open=False), random.Random(1)
    matches = [ask_for(chance.sample(versions, 4), season) for _ in range(SETTLED)]
    for match in matches:
        finish(match)
    settling, inserting = [], []
    for number, match in enumerate(matches):
        began = time.perf_counter()
        settle_match(match.pk)
        settling.append(time.perf_counter() - began)
        began = time.perf_counter()
        insert_rows(season, match, number, chance.sample(ids, 4))
        inserting.append(time.perf_counter() - began)
    ours, bare = median(settling) * 1000, median(inserting) * 1000
    figure("settling a match", ours, "ms")
    figure("inserting its rows alone", bare, "ms")
    figure("settling over inserting", ours / bare, "x", at_most=TARGET_SETTLING)
    measure_queueing(versions[:4])


def insert_rows(season: Season, match: Match, number: int, bots: list[int]) -> None:
    """Insert the rows of a settled match with no questions asked, in tables of the same shape."""
    with transaction.atomic(), connection.cursor() as cursor:
        if number == 0:
            for table in ("ladders_result", "ladders_ratingchange", "ladders_standing"):
                cursor.execute(f"create table bare_{table} (like {table} including all)")
        cursor.execute(
            "insert into bare_ladders_result (season_id, sequence, kind, match_id, places, reason, created_at)"
            " values (%s, %s, 'match', %s, %s, '', now()) returning id",
            [season.pk, number, match.pk, json.dumps([asdict(Place(bot, 1)) for bot in bots])],
        )
        [result] = cursor.fetchone()
        cursor.executemany(
            "insert into bare_ladders_ratingchange"
            " (result_id, season_id, sequence, bot_id, place, rating, change, mu, sigma)"
            " values (%s, %s, %s, %s, 1, 1500, 0, 1500, 500)",
            [(result, season.pk, number, bot) for bot in bots],
        )
        cursor.executemany(
            "insert into bare_ladders_standing (season_id, bot_id, rating, mu, sigma, games, wins)"
            " values (%s, %s, 1500, 1500, 500, 1, 0)"
            " on conflict (season_id, bot_id) do update set rating = excluded.rating",
            [(season.pk, bot) for bot in bots],
        )


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
