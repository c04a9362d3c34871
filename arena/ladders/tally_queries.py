"""SQL by hand for the counts by version: reading lines of the log, and adding them by seat and card."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.ladders.models import Result
from arena.sql import ask, columns, run


class LoggedMatch(NamedTuple):
    """A match that a line of the log added (`sign` 1) or took away (-1), with its seats in order."""

    sequence: int
    sign: int
    match_id: int
    versions: list[int]
    bots: list[int]
    placements: list[int]
    record: bytes | None


class SeatCount(NamedTuple):
    """What to add to a SeatTally."""

    version_id: int
    seat: int
    games: int
    firsts: int
    places: int
    read: int
    read_places: int
    luck: int


class CardCount(NamedTuple):
    """What to add to a CardTally."""

    version_id: int
    seat: int
    age: int
    card: int
    games: int
    firsts: int
    places: int


LINES = """
    select line.sequence, case when line.kind = %(void)s then -1 else 1 end, match.id,
        array_agg(seat.version_id order by seat.seat), array_agg(version.bot_id order by seat.seat),
        array_agg(coalesce(seat.placement, 0) order by seat.seat), report.record
    from (
        select line.sequence, line.kind, coalesce(line.match_id, voided.match_id) as match_id,
            coalesce(line.duplicate_set_id, voided.duplicate_set_id) as set_id
        from ladders_result line left join ladders_result voided on voided.id = line.voids_id
        where line.season_id = %(season)s and line.sequence > %(after)s order by line.sequence limit %(most)s
    ) line
    cross join lateral (
        select id from matches_match where id = line.match_id
        union all select id from matches_match where duplicate_set_id = line.set_id
    ) match
    join matches_matchseat seat on seat.match_id = match.id
    join bots_version version on version.id = seat.version_id
    left join matches_matchreport report on report.match_id = match.id
    group by line.sequence, line.kind, match.id, report.record order by line.sequence, match.id
"""
ADD = """
    insert into {table} (season_id, {keys}, {counts})
    select %s, new.* from unnest({arrays}) as new
    on conflict (version_id, season_id, {rest}) do update set {sums}
"""


def adding(table: str, keys: Sequence[str], counts: Sequence[str]) -> str:
    """Return a statement that adds counts to the rows of some keys, the first of which is the version."""
    return ADD.format(
        table=table,
        keys=", ".join(keys),
        counts=", ".join(counts),
        arrays=", ".join(["%s::bigint[]"] * (len(keys) + len(counts))),
        rest=", ".join(keys[1:]),
        sums=", ".join(f"{count} = {table}.{count} + excluded.{count}" for count in counts),
    )


ADD_SEATS = adding("ladders_seattally", ["version_id", "seat"], SeatCount._fields[2:])
ADD_CARDS = adding("ladders_cardtally", ["version_id", "seat", "age", "card"], CardCount._fields[4:])


def lines_after(season_id: int, after: int, most: int) -> list[LoggedMatch]:
    """Return the matches of up to so many lines of the log."""
    values = {"season": season_id, "after": after, "most": most, "void": Result.Kind.VOID.value}
    return [LoggedMatch(*row) for row in ask(LINES, values)]


def add_seats(season_id: int, counts: Sequence[tuple[int, ...]]) -> None:
    run(ADD_SEATS, [season_id, *columns(counts)])


def add_cards(season_id: int, counts: Sequence[tuple[int, ...]]) -> None:
    run(ADD_CARDS, [season_id, *columns(counts)])
