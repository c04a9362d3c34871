"""SQL by hand for the estimate of strengths."""

from collections.abc import Iterator, Sequence

from arena.bots.models import Status
from arena.ladders.models import Result
from arena.sql import ask
from contests.result_log import Table, tables_of_columns

BLOCK = 20_000
"""Results per statement, so that each is short, and no more of the log is in memory at a time."""
LOG = """
    select array_agg(result.sequence), array_agg((place->>'bot')::bigint), array_agg((place->>'place')::int),
        array_agg((place->>'fixed')::float8)
    from (
        select sequence, places from ladders_result result
        where season_id = %(season)s and sequence > %(after)s and sequence <= %(block)s and kind <> %(void)s
            and not exists (
                select from ladders_result void where voids_id = result.id and void.sequence <= %(upto)s
            )
        order by sequence
    ) result, jsonb_array_elements(places) place
"""
VERSION_LOG = """
    with counted as (
        select sequence, places, coalesce(match_id, (
            select min(id) from matches_match where duplicate_set_id = result.duplicate_set_id
        )) as match_id
        from ladders_result result
        where season_id = %(season)s and sequence > %(after)s and sequence <= %(block)s and kind <> %(void)s
            and not exists (
                select from ladders_result void where voids_id = result.id and void.sequence <= %(upto)s
            )
    )
    select array_agg(counted.sequence order by counted.sequence, seat.seat),
        array_agg(seat.version_id order by counted.sequence, seat.seat),
        array_agg(place.place order by counted.sequence, seat.seat),
        array_agg(place.fixed order by counted.sequence, seat.seat)
    from counted
    cross join jsonb_to_recordset(places) as place (bot bigint, place int, fixed float8)
    join matches_matchseat seat on seat.match_id = counted.match_id
    join bots_version version on version.id = seat.version_id and version.bot_id = place.bot
"""
HAS_VERSIONS = """
    select exists (
        select from ladders_standing standing join bots_version version using (bot_id)
        where standing.season_id = %s and version.status = any (%s)
        group by standing.bot_id having count(*) > 1
    )
"""
PLAYED = [Status.VALIDATED.value, Status.ACTIVE.value, Status.RETIRED.value]
MOMENTS = """
    select wanted.sequence, moment.mean, moment.sigma
    from unnest(%s::int[]) as wanted (sequence), lateral (
        (select mean, sigma, 0 as later from ladders_strengthmoment
        where season_id = %s and bot_id = %s and sequence >= wanted.sequence order by sequence limit 1)
        union all
        (select mean, sigma, 1 from ladders_strengthmoment
        where season_id = %s and bot_id = %s and sequence < wanted.sequence order by sequence desc limit 1)
        order by later limit 1
    ) moment
"""


def read_log(season_id: int, upto: int) -> Iterator[Table]:
    """Return the results that counted when the log had come to this line, block by block."""
    return read_blocks(LOG, season_id, upto)


def read_version_log(season_id: int, upto: int) -> Iterator[Table]:
    """Return the same results with versions in the place of bots."""
    return read_blocks(VERSION_LOG, season_id, upto)


def read_blocks(statement: str, season_id: int, upto: int) -> Iterator[Table]:
    """Read a part of the log at a time. Its lines never change, so no transaction is needed around it."""
    for after in range(0, upto, BLOCK):
        values = {"season": season_id, "after": after, "block": min(after + BLOCK, upto), "upto": upto}
        [columns] = ask(statement, values | {"void": Result.Kind.VOID.value})
        if columns[0]:
            yield from tables_of_columns(*columns)


def has_versions(season_id: int) -> bool:
    """Return whether any bot of a season may have played it with more than one version."""
    [[found]] = ask(HAS_VERSIONS, [season_id, PLAYED])
    return bool(found)


def moments_at(season_id: int, bot_id: int, sequences: Sequence[int]) -> list[tuple[int, float, float]]:
    """Return the first estimate that had each result in it, or else the latest before."""
    values = [list(sequences), season_id, bot_id, season_id, bot_id]
    return [(sequence, mean, sigma) for sequence, mean, sigma in ask(MOMENTS, values)]
