"""Fills a database with an arena that has been played on: reproducible from a seed, consistent with the fold.

Results, history and standings come from Python, by COPY; what only has to be there is made from them by SQL.
The busiest bot is the house bot `bot-0`; 60 % of the matches are of the season of `ladder-0` that is open.
"""

import json
import random
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from itertools import count
from math import exp
from typing import Any

from django.db import connection
from django.utils import timezone

from arena.ladders import queries
from arena.ladders.fold import fold_result
from arena.ladders.models import Ladder, Season
from arena.matches.timings import SeatTimes, pack
from contests.rating import Place, Rated
from engine.record import Recorder
from engine.rulesets import ruleset
from engine.state import State

HOUSE = 5
VERSIONS = 2
"""Per bot; the second one is active."""


@dataclass(frozen=True)
class Size:
    name: str
    matches: int
    bots: int


@dataclass(frozen=True)
class Part:
    """The part of all matches that one season has."""

    ladder: int
    number: int
    seats: int
    share: float
    is_closed: bool = False


PARTS = (Part(1, 1, 4, 0.2, is_closed=True), Part(1, 2, 4, 0.6), Part(2, 1, 2, 0.2))

PEOPLE = """
    insert into accounts_user (id, password, is_superuser, username, first_name, last_name, is_staff,
        is_active, date_joined, email, email_confirmed_at, about, mails_notices, is_organiser)
    select i, '!', i = 1, case i when 1 then 'itzel' else 'author' || i end, '', '', i = 1, true, now(),
        'author' || i || '@example.org', now(), '', false, false
    from generate_series(1, greatest(%(bots)s / 4, 2)) i;
    insert into bots_bot (id, owner_id, slug, name, description, activates_itself, is_house, benched_reason,
        disqualified_reason, created_at, active_version_id, benched_at)
    select i, 1 + i %% greatest(%(bots)s / 4, 2), 'bot-' || i - 1, 'Jaguar ' || i, 'It plays.', true,
        i <= %(house)s, '', '', now(), i * %(versions)s, case when i %% 10 = 9 then now() end
    from generate_series(1, %(bots)s) i;
    insert into bots_version (id, bot_id, number, sha256, archive, size, runtime, language, manifest, status,
        code, reason, built_archive, pinned_runtime, created_at)
    select i, (i - 1) / %(versions)s + 1, 1 + (i - 1) %% %(versions)s, md5(i::text) || md5(i::text),
        'archives/' || i, 5000, 'python', 'python', '{}',
        case when i %% %(versions)s = 0 then 'active' else 'validated' end, '', '', '', '', now()
    from generate_series(1, %(bots)s * %(versions)s) i;
    insert into bots_versionevent (version_id, status, at, code, reason, log)
    select i, status, now(), '', '', 'a line of a log'
    from generate_series(1, %(bots)s * %(versions)s) i, unnest(array['received', 'active']) status;
    insert into ladders_entry (ladder_id, bot_id, fixed_rating, joined_at, seats_had, house_passed, paired_at)
    select ladder, bot, case when bot <= %(house)s then 1300 + 100 * bot end, now() - interval '90 days',
        '[]', 0, now() - bot * interval '7 seconds'
    from generate_series(1, 2) ladder, generate_series(1, %(bots)s) bot;
"""
MATCHES = """
    insert into matches_match (id, public_id, purpose, purpose_id, seats, ruleset, board_id, board_hash,
        clocks, seed, seed_commitment, state, rated, attempts_allowed, created_at, started_at, finished_at)
    select match_id, 'm' || lpad(match_id::text, 9, '0'), 'ladder', season_id, jsonb_array_length(places),
        %(ruleset)s, 'aztlan', md5('board') || md5('board'), %(clocks)s,
        decode(md5(match_id::text) || md5(match_id::text), 'hex'), md5(match_id::text) || md5(match_id::text),
        'finished', true, 5, created_at - interval '1 minute', created_at - interval '30 seconds', created_at
    from ladders_result where kind = 'match' order by match_id;
    insert into matches_matchseat (match_id, seat, version_id, purpose, placement, score, fault, fault_reason,
        strikes, time_used_ms)
    select match_id, place.number - 1, (place.value->>'bot')::bigint * %(versions)s, 'ladder',
        (place.value->>'place')::int, 100, '', '', 0, 1234
    from ladders_result, jsonb_array_elements(places) with ordinality as place (value, number)
    where kind = 'match' order by match_id, place.number;
    insert into hosts_attempt (match_id, number, state, host, key_hash, created_at, sent_at, started_at,
        lease_until, ended_at, fault, note)
    select match_id, 1, 'done', 'host', md5(match_id::text) || md5(match_id::text), created_at, created_at,
        created_at - interval '30 seconds', created_at, created_at, 'none', ''
    from ladders_result where kind = 'match' order by match_id;
    insert into matches_matchreport (match_id, host, record, wall_us, play_us, stalled_us, startup_us,
        ping_us, decision_us, times, faults, created_at)
    select match_id, 'host', (%(records)s::bytea[])[jsonb_array_length(places) - 1], 900000, 500000, 0,
        array_fill(90000, array[jsonb_array_length(places)]),
        array_fill(300, array[jsonb_array_length(places)]), array_fill(800, array[jsonb_array_length(places)]),
        (%(times)s::bytea[])[jsonb_array_length(places) - 1],
        (select jsonb_agg('{}'::jsonb) from jsonb_array_elements(places)), created_at
    from ladders_result where kind = 'match' order by match_id;
"""
TABLES = (
    "accounts_user", "bots_bot", "bots_version", "bots_versionevent", "ladders_ladder", "ladders_season",
    "ladders_entry", "ladders_result", "ladders_ratingchange", "ladders_standing", "ladders_paircount",
    "matches_match", "matches_matchseat", "matches_matchreport", "hosts_attempt",
)  # fmt: skip
RULESET = {"tie": "lowest", "name": "english", "eagle": "any", "rafts": "pair", "landing": "stack"} | {
    "offerings": "new_set",
    "empty_deck": "reshuffle",
}
CLOCKS = {"bank_ms": 30000, "startup_ms": 10000, "decision_ms": 5000, "increment_ms": 100}


def fill(size: Size, seed: int = 1) -> None:
    """Fill an empty, migrated database."""
    chance = random.Random(seed)
    values: dict[str, Any] = {
        "bots": size.bots,
        "house": HOUSE,
        "versions": VERSIONS,
        "ruleset": json.dumps(RULESET),
        "clocks": json.dumps(CLOCKS),
        **sample_reports(chance),
    }
    with connection.cursor() as cursor:
        cursor.execute("set session_replication_role = replica; set statement_timeout = 0")
        cursor.execute(PEOPLE, values)
        for pk, seats in ((1, 4), (2, 2)):
            names = {"slug": f"ladder-{pk - 1}", "name": f"Ladder {pk}"}
            options = {"seats": seats, "ruleset": RULESET, "clocks": CLOCKS, "depth": 2, "a_minute": 15}
            Ladder.objects.create(pk=pk, **names, **options)
        match_ids = count(1)
        for season_id, part in enumerate(PARTS, 1):
            lines = int(size.matches * part.share)
            Season.objects.create(
                pk=season_id,
                ladder_id=part.ladder,
                number=part.number,
                starts_at=moment_ago(60 * 86400),
                closed_at=timezone.now() if part.is_closed else None,
                last_sequence=lines,
                ranked_to=lines,
            )
            fill_season(season_id, part, lines, size.bots, chance, match_ids)
            queries.recount_pairs(season_id)
        cursor.execute(MATCHES, values)
        for table in TABLES:
            if table not in ("ladders_ratingchange", "ladders_paircount"):
                cursor.execute(
                    f"select setval(pg_get_serial_sequence('{table}', 'id'), (select max(id) from {table}))"
                )
        cursor.execute("set session_replication_role = default; reset statement_timeout")
        for table in TABLES:
            cursor.execute(f"vacuum analyze {table}")


def fill_season(
    season_id: int, part: Part, lines: int, bots: int, chance: random.Random, match_ids: Iterator[int]
) -> None:
    """Write a season's log, and what folds from it."""
    known: dict[int, Rated] = {}
    changes: list[queries.Change] = []
    with connection.cursor() as cursor:
        for first in range(1, lines + 1, 5000):
            with cursor.copy(
                "copy ladders_result (season_id, sequence, kind, match_id, places, reason, created_at) from stdin"
            ) as copy:
                for sequence in range(first, min(first + 5000, lines + 1)):
                    places = draw_places(part.seats, bots, chance)
                    changes += fold_result(sequence, places, known)
                    text = json.dumps([asdict(place) for place in places])
                    age = (lines - sequence) * 60 * 86400 // lines + 5
                    copy.write_row((season_id, sequence, "match", next(match_ids), text, "", moment_ago(age)))
            queries.copy_changes(season_id, changes)
            changes.clear()
    queries.save_standings(season_id, known)


def draw_places(seats: int, bots: int, chance: random.Random) -> list[Place]:
    """Draw opponents of similar strength, now and then with a house bot, and how they were placed."""
    near = chance.randrange(bots)
    width = max(bots // 5, 3 * seats)
    chosen: list[int] = [1 + chance.randrange(HOUSE)] if chance.random() < 0.2 else []
    while len(chosen) < seats:
        bot = 1 + (near + chance.randrange(width)) % bots
        if bot not in chosen:
            chosen.append(bot)
    order = sorted(chosen, key=lambda bot: bot + chance.gauss(0, bots / 4))
    return [Place(bot, order.index(bot) + 1, 1300.0 + 100 * bot if bot <= HOUSE else None) for bot in chosen]


def moment_ago(seconds: int) -> datetime:
    return timezone.now() - timedelta(seconds=seconds)


def sample_reports(chance: random.Random) -> dict[str, list[bytes]]:
    """Play one game of each number of seats at random; all matches of that number have its record."""
    records, times = [], []
    for seats in (2, 3, 4):
        names = tuple(f"Jaguar {seat + 1}" for seat in range(seats))
        recorder = Recorder(State.new(seats, chance.randbytes(32), ruleset("english")), names)
        asked = [SeatTimes([], []) for _ in range(seats)]
        while not recorder.state.is_over():
            seat = asked[recorder.state.to_act()]
            seat.steps.append(len(recorder.actions))
            seat.charged_us.append(int(exp(chance.gauss(6, 0.5))))
            recorder.apply(chance.choice(recorder.state.legal_actions()))
        records.append(zlib.compress(recorder.record().to_bytes(), 6))
        times.append(pack(asked))
    return {"records": records, "times": times}


def empty() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"truncate {', '.join(TABLES)} restart identity cascade")


def bytes_per_match(size: Size) -> dict[str, float]:
    """Return how many bytes of disk each table takes for one match, with its indexes and what is toasted."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select name, pg_total_relation_size(name::regclass) from unnest(%s::text[]) name",
            [[table for table in TABLES if not table.startswith(("accounts", "bots"))]],
        )
        return {name: total / size.matches for name, total in cursor.fetchall()}
