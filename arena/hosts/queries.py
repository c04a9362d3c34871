"""SQL by hand for what every match asks: who may claim it, what to play, and what came of it.

`make bench ONLY=statements` shows what each one saves beside its plain form (`bench/_plain_statements.py`),
and `tests/arena/hosts/test_queries.py` compares the two on random data.
"""

import json
from enum import StrEnum
from typing import Any, NamedTuple

from django.conf import settings

from arena.hosts.models import Attempt
from arena.matches.models import Match
from arena.sql import ask, columns


class ClaimVerdict(StrEnum):
    """What a host that claims an attempt is told: it gets what is `FREE`, and has what is `HELD`."""

    FREE = "free"
    HELD = "held"
    TAKEN = "taken"
    UNKNOWN_HOST = "unknown host"
    PAUSED = "paused"
    DEGRADED = "degraded"
    CANNOT_BUILD = "cannot build"
    CANNOT_RUN = "cannot run"


class Claim(NamedTuple):
    """How a claim went, the state in which it found the attempt, and the language that the host lacks."""

    verdict: ClaimVerdict
    state: str
    language: str
    match_id: int | None
    build_id: int | None
    worlds_id: int | None


# The only place that says who may claim. The row is locked first, so of two claims one finds it free.
CLAIM = """
    with judged as (
        select attempt.id, attempt.state, attempt.match_id, attempt.build_id, attempt.worlds_id,
            case
                when host.name is null then %(unknown_host)s
                when host.paused then %(paused)s
                when host.degraded and match.rated and not %(rated_anywhere)s then %(degraded)s
                when not (host.languages -> build.language ->> 'works')::boolean then %(cannot_build)s
                when lacking.language is not null then %(cannot_run)s
                when attempt.state = %(queued)s then %(free)s
                when attempt.state = %(running)s and attempt.key_hash = %(key_hash)s then %(held)s
                else %(taken)s
            end as verdict,
            coalesce(lacking.language, build.language, '') as language
        from hosts_attempt attempt
        left join matches_match match on match.id = attempt.match_id
        left join bots_version build on build.id = attempt.build_id
        left join hosts_worldgames worlds on worlds.id = attempt.worlds_id
        left join hosts_host host on host.name = %(host)s
        left join lateral (
            select version.language, seat.seat
            from matches_matchseat seat join bots_version version on version.id = seat.version_id
            where host.cannot_run <> '{}' and seat.match_id = match.id
                and version.language = any(host.cannot_run)
            union all
            select played.language, played.seat
            from unnest(worlds.languages) with ordinality as played (language, seat)
            where played.language = any(host.cannot_run)
            order by seat limit 1
        ) lacking on true
        where attempt.id = %(attempt)s
        for update of attempt
    ), claimed as (
        update hosts_attempt attempt
        set state = %(running)s, host = %(host)s, key_hash = %(key_hash)s, started_at = statement_timestamp(),
            lease_until = statement_timestamp() + make_interval(secs => %(lease)s)
        from judged where attempt.id = judged.id and judged.verdict = %(free)s
        returning attempt.match_id
    ), started as (
        update matches_match match set state = %(match_running)s, started_at = statement_timestamp()
        from claimed where match.id = claimed.match_id and match.state = %(match_queued)s
    )
    select verdict, state, language, match_id, build_id, worlds_id from judged
"""


def claim(attempt_id: int, key_hash: str, host_name: str) -> Claim | None:
    """Give an attempt to a host that may have it; None where there is no such attempt."""
    values = {
        "attempt": attempt_id,
        "key_hash": key_hash,
        "host": host_name,
        "lease": settings.LEASE_SECONDS,
        "rated_anywhere": settings.RATED_ON_DEGRADED_HOSTS,
        "queued": Attempt.State.QUEUED.value,
        "running": Attempt.State.RUNNING.value,
        "match_queued": Match.State.QUEUED.value,
        "match_running": Match.State.RUNNING.value,
        **{verdict.name.lower(): verdict.value for verdict in ClaimVerdict},
    }
    rows = ask(CLAIM, values)
    return Claim(ClaimVerdict(rows[0][0]), *rows[0][1:]) if rows else None


class SeatedVersion(NamedTuple):
    """A version, as far as a match host needs to know it."""

    slug: str
    number: int
    version_id: int
    sha256: str
    built: str
    runtime: str
    entry: str


class MatchToPlay(NamedTuple):
    """A match, as far as a match host needs to know it, with its players in the order of the seats."""

    public_id: str
    seed: bytes
    ruleset: str
    board_id: str
    board_hash: str
    clocks: str
    players: list[SeatedVersion]


SEATED = """
    select match.public_id, match.seed, coalesce(terms.ruleset, match.ruleset),
        coalesce(terms.board_id, match.board_id), coalesce(terms.board_hash, match.board_hash),
        coalesce(terms.clocks, match.clocks),
        bot.slug, version.number, version.id, version.sha256, coalesce(version.built_archive, ''),
        version.runtime, version.manifest ->> 'entry'
    from matches_match match
    left join matches_matchterms terms on terms.id = match.terms_id
    join matches_matchseat seat on seat.match_id = match.id
    join bots_version version on version.id = seat.version_id
    join bots_bot bot on bot.id = version.bot_id
    where match.id = %s order by seat.seat
"""
OF_PLAYER = len(MatchToPlay._fields) - 1
"""Where the columns of the player begin."""


def read_match(match_id: int) -> MatchToPlay:
    rows = ask(SEATED, [match_id])
    public_id, seed, ruleset, board_id, board_hash, clocks = rows[0][:OF_PLAYER]
    players = [SeatedVersion(*row[OF_PLAYER:]) for row in rows]
    return MatchToPlay(public_id, seed, ruleset, board_id, board_hash, clocks, players)


class Recorded(NamedTuple):
    """Whether a result was written: not if the attempt had ended, or the match was no longer running."""

    is_ended: bool
    is_finished: bool
    seat_ids: dict[int, int]
    """By seat, the id of its row."""


# All or nothing, guarded by the attempt and then by its match.
RECORD = """
    with ended as (
        update hosts_attempt set state = %(done)s, fault = %(fault)s,
            ended_at = coalesce(ended_at, statement_timestamp())
        where id = %(attempt)s and state = %(expected)s
        returning match_id, host, ended_at
    ), finished as (
        update matches_match match set state = %(finished)s, finished_at = ended.ended_at
        from ended where match.id = ended.match_id and match.state = %(running)s
        returning match.id
    ), reported as (
        insert into matches_matchreport (match_id, host, record, wall_us, play_us, stalled_us, startup_us,
            ping_us, decision_us, times, faults, created_at)
        select finished.id, ended.host, %(record)s, %(wall_us)s, %(play_us)s, %(stalled_us)s,
            %(startup_us)s::int[], %(ping_us)s::int[], %(decision_us)s::int[], %(times)s, %(faults)s::jsonb,
            statement_timestamp()
        from finished, ended
    ), filled as (
        update matches_matchseat seat set placement = new.placement, score = new.score, strikes = new.strikes,
            time_used_ms = new.used, fault = new.fault, fault_step = new.step, fault_reason = new.reason
        from finished, unnest(%(seat)s::int[], %(placement)s::int[], %(score)s::int[], %(strikes)s::int[],
            %(used)s::int[], %(seat_fault)s::text[], %(step)s::int[], %(reason)s::text[])
            as new (seat, placement, score, strikes, used, fault, step, reason)
        where seat.match_id = finished.id and seat.seat = new.seat
        returning seat.seat, seat.id
    )
    select finished.id is not null, filled.seat, filled.id
    from ended left join finished on true left join filled on true
"""


class SeatResult(NamedTuple):
    """How a match went for one seat, as `RECORD` names the values."""

    seat: int
    placement: int | None
    score: int | None
    strikes: int
    used: int
    seat_fault: str
    step: int | None
    reason: str


class Timings(NamedTuple):
    """How long a match took, and its seats; `times` is packed by `matches.timings`."""

    wall_us: int
    play_us: int
    stalled_us: int
    startup_us: list[int | None]
    ping_us: list[int | None]
    decision_us: list[int | None]
    times: bytes


class ReportedResult(NamedTuple):
    """What is written of a match: whose fault it was, its compressed record, how it went for each seat."""

    fault: str
    record: bytes
    timings: Timings
    faults: list[dict[str, Any]]
    seats: list[SeatResult]


def record_result(attempt_id: int, expected: str, result: ReportedResult) -> Recorded:
    """End an attempt that is in the expected state, finish its running match, and write the whole result."""
    rows = ask(
        RECORD,
        {
            "attempt": attempt_id,
            "expected": expected,
            "done": Attempt.State.DONE.value,
            "running": Match.State.RUNNING.value,
            "finished": Match.State.FINISHED.value,
            "fault": result.fault,
            "record": result.record,
            **result.timings._asdict(),
            "faults": json.dumps(result.faults),
            **dict(zip(SeatResult._fields, columns(result.seats), strict=True)),
        },
    )
    is_finished = bool(rows) and rows[0][0]
    return Recorded(bool(rows), is_finished, {seat: pk for _, seat, pk in rows} if is_finished else {})
