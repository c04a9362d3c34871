"""SQL by hand for the log of results and its fold; what pages ask is in `reading_queries.py`."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import connection

from arena.ladders.models import RatingCount, Result
from arena.matches.models import Match
from arena.sql import ask, columns, run
from contests.rating import Rated


class LockedSeason(NamedTuple):
    """A season whose row is locked until the end of the transaction."""

    id: int
    ladder_id: int
    house_fixed: bool
    last_sequence: int
    corrected_to: int | None


class PlayedMatch(NamedTuple):
    """A match as it stands, with its bots and their placements in the order of seats."""

    match_id: int
    state: str
    rated: bool
    set_id: int | None
    is_counted: bool
    bots: list[int]
    placements: list[int]


class NewLine(NamedTuple):
    """A line for the log; `places` is JSON."""

    sequence: int
    kind: str
    match_id: int | None
    set_id: int | None
    places: str


class LoggedResult(NamedTuple):
    """A result in the log that counts."""

    id: int
    sequence: int
    places: list[dict[str, Any]]


class Change(NamedTuple):
    """What one result made of one bot: the columns of RatingChange but the season."""

    sequence: int
    bot_id: int
    place: int
    rating: float
    games: int
    wins: int


SEASON = """
    select season.id, season.ladder_id, ladder.house_fixed, season.last_sequence, season.corrected_to
    from ladders_season season join ladders_ladder ladder on ladder.id = season.ladder_id
    where season.id = {} for update of season
"""
LOCK = SEASON.format("%s")
LOCK_OF_MATCH = SEASON.format("(select purpose_id from matches_match where id = %s and purpose = %s)")


def lock_season(season_id: int) -> LockedSeason:
    [row] = ask(LOCK, [season_id])
    return LockedSeason(*row)


def lock_season_of(match_id: int) -> LockedSeason:
    [row] = ask(LOCK_OF_MATCH, [match_id, Match.Purpose.LADDER.value])
    return LockedSeason(*row)


GAMES = """
    select match.id, match.state, match.rated, match.duplicate_set_id,
        exists (select from ladders_result where match_id = match.id),
        array_agg(version.bot_id order by seat.seat),
        array_agg(coalesce(seat.placement, 0) order by seat.seat)
    from matches_match match
    join matches_matchseat seat on seat.match_id = match.id
    join bots_version version on version.id = seat.version_id
    where match.id = any (%s) group by match.id order by match.id
"""


def read_games(match_ids: Sequence[int]) -> list[PlayedMatch]:
    return [PlayedMatch(*row) for row in ask(GAMES, [list(match_ids)])]


APPEND = """
    insert into ladders_result
        (season_id, sequence, kind, match_id, duplicate_set_id, places, reason, created_at)
    select %s, new.*, '', statement_timestamp()
    from unnest(%s::int[], %s::text[], %s::bigint[], %s::bigint[], %s::jsonb[])
        as new (sequence, kind, match_id, set_id, places)
"""
APPEND_VOID = """
    insert into ladders_result (season_id, sequence, kind, voids_id, places, reason, created_at)
    values (%s, %s, %s, %s, '[]', %s, statement_timestamp())
"""
COUNT_LINES = "update ladders_season set last_sequence = %s where id = %s"
INSERT_CHANGES = """
    insert into ladders_ratingchange
        (season_id, sequence, bot_id, place, rating, games, wins)
    select %s, new.*
    from unnest(%s::int[], %s::bigint[], %s::int[], %s::float8[], %s::int[], %s::int[]) as new
"""


def append_lines(season_id: int, lines: Sequence[NewLine]) -> None:
    run(APPEND, [season_id, *columns(lines)])
    run(COUNT_LINES, [lines[-1].sequence, season_id])


def append_void(season_id: int, sequence: int, voided: LoggedResult, reason: str) -> None:
    """Append a line that voids another, and take back at once what the history shows of that one."""
    run(APPEND_VOID, [season_id, sequence, Result.Kind.VOID.value, voided.id, reason])
    run(COUNT_LINES, [sequence, season_id])
    delete_changes(season_id, voided.sequence - 1, voided.sequence)


def insert_changes(season_id: int, changes: Sequence[Change]) -> None:
    run(INSERT_CHANGES, [season_id, *columns(changes)])


STANDINGS = """
    select bot_id, rating, games, wins from ladders_standing
    where season_id = %s and bot_id = any (%s)
"""
STAND = """
    insert into ladders_standing (season_id, bot_id, rating, games, wins)
    select %s, new.*
    from unnest(%s::bigint[], %s::float8[], %s::int[], %s::int[]) as new (bot_id, rating, games, wins)
    on conflict (season_id, bot_id) do update
    set rating = excluded.rating, games = excluded.games, wins = excluded.wins
"""


def read_standings(season_id: int, bots: Iterable[int]) -> dict[int, Rated]:
    return {bot: Rated(*values) for bot, *values in ask(STANDINGS, [season_id, list(bots)])}


def save_standings(season_id: int, rated: Mapping[int, Rated]) -> None:
    rows = [(bot, one.rating, one.games, one.wins) for bot, one in sorted(rated.items())]
    run(STAND, [season_id, *columns(rows)])


COUNTED = """
    select id, sequence, places from ladders_result result
    where season_id = %s and (match_id = %s or duplicate_set_id = %s)
        and not exists (select from ladders_result where voids_id = result.id)
"""
COUNTED_BETWEEN = """
    select id, sequence, places from ladders_result result
    where season_id = %s and sequence > %s and sequence <= %s and kind <> %s
        and not exists (select from ladders_result where voids_id = result.id)
    order by sequence
"""


def counted_result(season_id: int, match_id: int, set_id: int | None) -> LoggedResult | None:
    """Return the result of a match, or of its duplicate set, unless there is none or it was voided."""
    for pk, sequence, places in ask(COUNTED, [season_id, match_id, set_id]):
        return LoggedResult(pk, sequence, as_list(places))
    return None


def counted_between(season_id: int, after: int, upto: int) -> list[LoggedResult]:
    """Return the results that count after one sequence number and up to another."""
    rows = ask(COUNTED_BETWEEN, [season_id, after, upto, Result.Kind.VOID.value])
    return [LoggedResult(pk, sequence, as_list(places)) for pk, sequence, places in rows]


def as_list(places: Any) -> list[dict[str, Any]]:
    """Read a JSON column, which Django's connections return as text."""
    found: list[dict[str, Any]] = json.loads(places)
    return found


CHECKPOINTS = """
    select bot.id, change.rating, change.games, change.wins
    from unnest(%s::bigint[]) as bot (id), lateral (
        select * from ladders_ratingchange
        where season_id = %s and bot_id = bot.id and sequence <= %s order by sequence desc limit 1
    ) change
"""
DELETE_CHANGES = "delete from ladders_ratingchange where season_id = %s and sequence > %s and sequence <= %s"
COPY_CHANGES = """
    copy ladders_ratingchange (season_id, sequence, bot_id, place, rating, games, wins)
    from stdin (format binary)
"""
CHANGE_TYPES = ["int8", "int4", "int8", "int2", "float8", "int4", "int4"]
BOTS_BETWEEN = """
    select distinct (place->>'bot')::bigint from ladders_result, jsonb_array_elements(places) place
    where season_id = %s and sequence > %s and sequence <= %s
"""
SYNC_STANDINGS = """
    with latest as (
        select standing.id, change.* from ladders_standing standing, lateral (
            select sequence, rating, games, wins from ladders_ratingchange change
            where change.season_id = standing.season_id and change.bot_id = standing.bot_id
            order by sequence desc limit 1
        ) change
        where standing.season_id = %(season)s {of_bots}
    )
    update ladders_standing standing set rating = latest.rating, games = latest.games,
        wins = latest.wins
    from latest where latest.id = standing.id
        and (standing.rating, standing.games, standing.wins)
            is distinct from (latest.rating, latest.games, latest.wins)
"""
DROP_EMPTY_STANDINGS = """
    delete from ladders_standing standing where season_id = %(season)s {of_bots} and (
        select true from ladders_ratingchange change
        where change.season_id = standing.season_id and change.bot_id = standing.bot_id limit 1
    ) is null
"""
"""As `not exists`, PostgreSQL would join this with all of the season's history."""


def checkpoints(season_id: int, bots: Iterable[int], upto: int) -> dict[int, Rated]:
    """Return what was known of bots after the result with this number; new ones are left out."""
    return {bot: Rated(*values) for bot, *values in ask(CHECKPOINTS, [list(bots), season_id, upto])}


def delete_changes(season_id: int, after: int, upto: int) -> None:
    run(DELETE_CHANGES, [season_id, after, upto])


def copy_changes(season_id: int, changes: Iterable[Change]) -> None:
    """Insert many rows; faster than `insert_changes` from some hundreds on."""
    with connection.cursor() as cursor, cursor.copy(COPY_CHANGES) as copy:
        copy.set_types(CHANGE_TYPES)
        for change in changes:
            copy.write_row((season_id, *change))


def bots_between(season_id: int, after: int, upto: int) -> list[int]:
    """Return the bots of the results after one sequence number and up to another, voided ones included."""
    return [bot for (bot,) in ask(BOTS_BETWEEN, [season_id, after, upto])]


def sync_standings(season_id: int, bots: Sequence[int] | None = None) -> None:
    """Make the standings what the history ends with: those of these bots, or all."""
    of_bots = "" if bots is None else "and standing.bot_id = any (%(bots)s)"
    values = {"season": season_id, "bots": bots}
    run(SYNC_STANDINGS.format(of_bots=of_bots), values)
    run(DROP_EMPTY_STANDINGS.format(of_bots=of_bots), values)


def sync_finished(season_id: int, bots: Sequence[int], upto: int) -> None:
    """Do so for those of these bots whose history ends with the result of this number, or before."""
    of_bots = "and standing.bot_id = any (%(bots)s) and change.sequence <= %(upto)s"
    run(SYNC_STANDINGS.format(of_bots=of_bots), {"season": season_id, "bots": bots, "upto": upto})


COUNTS = """
    select floor(rating / %(width)s)::int as span, count(*)::int as bots from ladders_standing
    where season_id = %(season)s group by 1
"""
DIFFERING_COUNTS = f"""
    select coalesce(stored.span, counted.span) from (
        select span, bots from ladders_ratingcount where season_id = %(season)s and bots <> 0
    ) stored
    full join ({COUNTS}) counted using (span)
    where stored.bots is distinct from counted.bots order by 1
"""  # noqa: S608  a statement of our own
DELETE_COUNTS = "delete from ladders_ratingcount where season_id = %s"
INSERT_COUNTS = f"""
    insert into ladders_ratingcount (season_id, span, bots)
    select %(season)s, counted.* from ({COUNTS}) counted
"""  # noqa: S608  a statement of our own
ENSURE_STANDINGS = """
    insert into ladders_standing (season_id, bot_id, rating, games, wins)
    select distinct season_id, (place->>'bot')::bigint, 0, 0, 0
    from ladders_result, jsonb_array_elements(places) place where season_id = %s
    on conflict do nothing
"""


def differing_counts(season_id: int) -> list[str]:
    """Return the spans of ratings whose count is not that of the standings."""
    rows = ask(DIFFERING_COUNTS, {"season": season_id, "width": RatingCount.WIDTH})
    return [f"count of ratings from {span * RatingCount.WIDTH}" for (span,) in rows]


def recount_ratings(season_id: int) -> None:
    run(DELETE_COUNTS, [season_id])
    run(INSERT_COUNTS, {"season": season_id, "width": RatingCount.WIDTH})


def ensure_standings(season_id: int) -> None:
    """Give every bot of the log a standing, which a correction then puts right."""
    run(ENSURE_STANDINGS, [season_id])


NOTE_PAIRED = """
    update ladders_entry entry set seats_had = new.seats_had, paired_at = statement_timestamp()
    from unnest(%s::bigint[], %s::jsonb[]) as new (id, seats_had) where entry.id = new.id
"""


def note_paired(entries: Sequence[tuple[int, str]]) -> None:
    """Note that these entries were paired now; their counts of seats are JSON."""
    if entries:
        run(NOTE_PAIRED, columns(entries))
