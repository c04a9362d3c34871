"""Fills a database with an arena that has been played on: reproducible from a seed, consistent with the fold.

Results, history and standings come from Python, by COPY; what only has to be there is made from them by SQL.
The busiest bot is the house bot `bot-0`; 60 % of the matches are of the season of `ladder-0` that is open.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from math import exp
from typing import Any

from django.db import connection
from django.utils import timezone

from arena.ladders import queries, strengths
from arena.ladders.fold import fold_result
from arena.ladders.models import Ladder, Season
from arena.ladders.results import as_json
from arena.matches.stored_records import pack_record
from arena.matches.timings import SeatTimes, pack
from contests.rating import Place, Rated
from engine.record import Recorder
from engine.rulesets import ruleset
from engine.state import State
from workers.match.clock import rounded

VERSIONS = 2
"""Per bot; the second one is active."""
NEW = 15
"""Results of each season whose ranks and strengths are still to be noted, so that those tasks have work."""
SAMPLES = 20
"""So many games of each number of seats: rows differ in size, as those of real matches do."""


@dataclass(frozen=True)
class Size:
    matches: int
    bots: int
    house_share: float = 0.2
    """In how many of the matches one of the house bots sits."""
    house: int = 5
    per_day: int = 10_000
    """The rate of play is the same at every size: a larger arena has been played on for longer."""


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
    select i, 1 + i %% greatest(%(bots)s / 4, 2), 'bot-' || i - 1, 'Jaguar ' || i || 'a', 'It plays.', true,
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
    insert into matches_matchterms (id, digest, ruleset, clocks, board_id, board_hash)
    values (1, 'digest', %(ruleset)s, %(clocks)s, 'aztlan', md5('board') || md5('board'));
    insert into matches_match (id, public_id, purpose, purpose_id, seats, terms_id,
        seed, seed_commitment, state, rated, attempts_allowed, created_at, started_at, finished_at)
    select match_id, 'm' || lpad(match_id::text, 9, '0'), 'ladder', season_id, jsonb_array_length(places), 1,
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
    from ladders_result where kind = 'match' and created_at > now() - interval '7 days' order by match_id;
    insert into matches_matchreport (match_id, host, record, wall_us, play_us, stalled_us, startup_us,
        ping_us, decision_us, times, faults, created_at)
    select match_id, 'host', (%(records)s::bytea[])[%(samples)s * (jsonb_array_length(places) - 2) + 1 + match_id %% %(samples)s], 900000, 500000, 0,
        array_fill(90000, array[jsonb_array_length(places)]),
        array_fill(300, array[jsonb_array_length(places)]), array_fill(800, array[jsonb_array_length(places)]),
        (%(times)s::bytea[])[%(samples)s * (jsonb_array_length(places) - 2) + 1 + match_id %% %(samples)s],
        (select jsonb_agg('{}'::jsonb) from jsonb_array_elements(places)), created_at
    from ladders_result where kind = 'match' order by match_id;
    insert into ladders_meetingblock (season_id, version_id, block, keys, games, better, worse)
    select season_id, version_id, other_id / 512, array_agg((other_id %% 512 * 4 + seat)::smallint order by other_id, seat),
        array_agg(games order by other_id, seat), array_agg(better order by other_id, seat), array_agg(worse order by other_id, seat)
    from (
        select match.purpose_id as season_id, own.version_id, version.bot_id as other_id, own.seat, count(*)::int as games,
            (count(*) filter (where own.placement < other.placement))::int as better,
            (count(*) filter (where own.placement > other.placement))::int as worse
        from matches_match match join matches_matchseat own on own.match_id = match.id
        join matches_matchseat other on other.match_id = match.id and other.seat <> own.seat
        join bots_version version on version.id = other.version_id
        group by 1, 2, 3, 4
    ) met group by 1, 2, 3 order by 1, 2, 3;
    insert into ladders_seattally (season_id, version_id, seat, games, firsts, places, read, read_places, luck)
    select match.purpose_id, own.version_id, own.seat, count(*), count(*) filter (where own.placement = 1),
        sum(own.placement), 0, 0, 0
    from matches_match match join matches_matchseat own on own.match_id = match.id group by 1, 2, 3;
    insert into ladders_cardtally (season_id, version_id, seat, age, card, games, firsts, places)
    select season_id, version_id, seat, age, 3 + age, games, firsts, places
    from ladders_seattally, generate_series(1, 5) age;
    update ladders_season set tallied_to = last_sequence;
"""
WAITING = """
    insert into matches_match (public_id, purpose, seats, terms_id, seed, seed_commitment, state, rated,
        attempts_allowed, created_at)
    select 'waiting' || i, 'challenge', 2, 1,
        decode(md5(i::text) || md5(i::text), 'hex'), md5(i::text) || md5(i::text), 'queued', false, 5, now()
    from generate_series(1, 3) i;
    insert into matches_matchseat (match_id, seat, version_id, purpose, fault, fault_reason, strikes)
    select id, seat, (seat + 1) * %(versions)s, 'challenge', '', '', 0
    from matches_match, generate_series(0, 1) seat where state = 'queued';
    insert into hosts_attempt (match_id, number, state, host, key_hash, created_at, fault, note)
    select id, 1, 'queued', '', '', now(), 'none', '' from matches_match where state = 'queued';
"""
SHIFT = """
    set session_replication_role = replica;
    update matches_match set created_at = created_at + %(by)s, started_at = started_at + %(by)s,
        finished_at = finished_at + %(by)s where finished_at > %(since)s;
    update hosts_attempt set created_at = created_at + %(by)s, sent_at = sent_at + %(by)s, started_at = started_at + %(by)s,
        lease_until = lease_until + %(by)s, ended_at = ended_at + %(by)s where ended_at > %(since)s;
    update ladders_result set created_at = created_at + %(by)s where created_at > %(since)s;
    set session_replication_role = default
"""
TABLES = (
    "accounts_user", "bots_bot", "bots_version", "bots_versionevent", "ladders_ladder", "ladders_season",
    "ladders_entry", "ladders_result", "ladders_ratingchange", "ladders_standing", "ladders_ratingcount",
    "ladders_meetingblock", "ladders_seattally", "ladders_cardtally", "ladders_strength",
    "ladders_strengthmoment", "matches_matchterms", "matches_match", "matches_matchseat", "matches_matchreport", "hosts_attempt",
)  # fmt: skip
WITHOUT_ID = {
    "ladders_ratingchange", "ladders_ratingcount", "ladders_meetingblock", "ladders_seattally", "ladders_cardtally",
}  # fmt: skip
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
        "house": size.house,
        "versions": VERSIONS,
        "samples": SAMPLES,
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
            Ladder.objects.create(pk=pk, entered_at=moment_ago(120), **names, **options)
        match_ids = count(1)
        for season_id, part in enumerate(PARTS, 1):
            lines = int(size.matches * part.share)
            Season.objects.create(
                pk=season_id,
                ladder_id=part.ladder,
                number=part.number,
                starts_at=moment_ago(86400 * (1 + size.matches // size.per_day)),
                closed_at=timezone.now() if part.is_closed else None,
                last_sequence=lines - NEW,
                ranked_to=lines - NEW,
            )
            fill_season(season_id, part, lines, size, chance, match_ids)
            queries.recount_ratings(season_id)
            cursor.execute("analyze ladders_result")
            strengths.estimate_season(season_id)
            Season.objects.filter(pk=season_id).update(last_sequence=lines, estimated_at=None)
        cursor.execute(MATCHES, values)
        for table in TABLES:
            if table not in WITHOUT_ID:
                cursor.execute(
                    f"select setval(pg_get_serial_sequence('{table}', 'id'), (select max(id) from {table}))"
                )
        cursor.execute(WAITING, values)
        for table in TABLES:
            cursor.execute(f"vacuum analyze {table}")
        cursor.execute("set session_replication_role = default; reset statement_timeout")


def fill_season(
    season_id: int, part: Part, lines: int, size: Size, chance: random.Random, match_ids: Iterator[int]
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
                    places = draw_places(part.seats, size, chance)
                    changes += fold_result(sequence, places, known)
                    text = as_json(places)
                    age = int((lines - sequence) * 86400 / (size.per_day * part.share)) + 5
                    copy.write_row((season_id, sequence, "match", next(match_ids), text, "", moment_ago(age)))
            queries.copy_changes(season_id, changes)
            changes.clear()
    queries.save_standings(season_id, known)


def draw_places(seats: int, size: Size, chance: random.Random) -> list[Place]:
    """Draw opponents of similar strength, now and then with a house bot, and how they were placed."""
    bots = size.bots
    near = chance.randrange(bots)
    width = max(bots // 5, 3 * seats)
    chosen: list[int] = [1 + chance.randrange(size.house)] if chance.random() < size.house_share else []
    while len(chosen) < seats:
        bot = 1 + (near + chance.randrange(width)) % bots
        if bot not in chosen:
            chosen.append(bot)
    order = sorted(chosen, key=lambda bot: bot + chance.gauss(0, bots / 4))
    return [
        Place(bot, order.index(bot) + 1, 1300.0 + 100 * bot if bot <= size.house else None) for bot in chosen
    ]


def shift_latest(seconds: float) -> bool:
    """Let the last day be the last day again, after so many seconds; return False where those are few."""
    if seconds < 60:
        return False
    by = timedelta(seconds=seconds)
    with connection.cursor() as cursor:
        cursor.execute(SHIFT, {"by": f"{seconds} seconds", "since": timezone.now() - by - timedelta(days=1)})
        for table in ("matches_match", "hosts_attempt", "ladders_result"):
            cursor.execute(f"vacuum analyze {table}")
    return True


def moment_ago(seconds: int) -> datetime:
    return timezone.now() - timedelta(seconds=seconds)


def sample_reports(chance: random.Random) -> dict[str, list[bytes]]:
    """Play some games of each number of seats at random, whose records all matches share."""
    records, times = [], []
    for seats in sorted([2, 3, 4] * SAMPLES):
        names = tuple(f"Jaguar {seat + 1}" for seat in range(seats))
        recorder = Recorder(State.new(seats, chance.randbytes(32), ruleset("english")), names)
        asked = [SeatTimes([], []) for _ in range(seats)]
        while not recorder.state.is_over():
            seat = asked[recorder.state.to_act()]
            seat.steps.append(len(recorder.actions))
            seat.charged_us.append(rounded(int(exp(chance.gauss(6, 0.5)))))
            recorder.apply(chance.choice(recorder.state.legal_actions()))
        records.append(pack_record(recorder.record()))
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


def bytes_of_times() -> dict[int, float]:
    """Return how many bytes the times of a match's decisions take, by number of seats, in a sample."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select seats, avg(pg_column_size(times)) from matches_matchreport report tablesample system (5) "
            "join matches_match match on match.id = report.match_id group by seats order by seats"
        )
        return {seats: float(size) for seats, size in cursor.fetchall()}
