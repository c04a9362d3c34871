"""SQL by hand for the estimate of strengths."""

from collections.abc import Sequence

from arena.ladders.models import Result
from arena.sql import ask, columns
from contests.result_log import Table, tables_of_columns

LOG = """
    select result.sequence, (place->>'bot')::bigint, (place->>'place')::int, (place->>'fixed')::float8
    from ladders_result result, jsonb_array_elements(places) place
    where season_id = %(season)s and sequence <= %(upto)s and kind <> %(void)s and not exists (
        select from ladders_result void where voids_id = result.id and void.sequence <= %(upto)s
    )
    order by result.sequence
"""
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


def read_log(season_id: int, upto: int) -> list[Table]:
    """Return the results that counted when the log had come to this line."""
    rows = ask(LOG, {"season": season_id, "upto": upto, "void": Result.Kind.VOID.value})
    return tables_of_columns(*columns(rows)) if rows else []


def moments_at(season_id: int, bot_id: int, sequences: Sequence[int]) -> list[tuple[int, float, float]]:
    """Return the first estimate that had each result in it, or else the latest before."""
    values = [list(sequences), season_id, bot_id, season_id, bot_id]
    return [(sequence, mean, sigma) for sequence, mean, sigma in ask(MOMENTS, values)]
