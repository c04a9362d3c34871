"""SQL by hand for who met whom: adding to the blocks of meetings, checking them, and reading them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arena.ladders.models import MeetingBlock
from arena.sql import ask, columns, run

WIDTH, SEATS = MeetingBlock.WIDTH, MeetingBlock.SEATS


class MeetingCount(NamedTuple):
    """What to add to the meetings of a version with another bot from one seat."""

    version_id: int
    other_id: int
    seat: int
    games: int
    better: int
    worse: int


class Met(NamedTuple):
    """Games against one or several bots, and in how many of them the bot came before and after."""

    games: int
    better: int
    worse: int

    @property
    def points(self) -> float:
        return self.better + (self.games - self.better - self.worse) / 2


class Opponents(NamedTuple):
    """The bots with the most games, the sum over all that were met, and how many those are."""

    most: list[tuple[int, Met]]
    total: Met
    bots: int


class MetFrom(NamedTuple):
    """Meetings of one version in one season from one seat."""

    season_id: int
    version_id: int
    seat: int
    met: Met


class MetByBoth(NamedTuple):
    other_id: int
    older: Met
    newer: Met


PACK = f"""
    select version_id, (other_id / {WIDTH})::int as block,
        array_agg((other_id %% {WIDTH} * {SEATS} + seat)::smallint order by other_id, seat) as keys,
        array_agg(games::int order by other_id, seat) as games,
        array_agg(better::int order by other_id, seat) as better,
        array_agg(worse::int order by other_id, seat) as worse
    from {{}} where games <> 0 group by 1, 2
"""  # noqa: S608  a statement of our own
ADD = f"""
    insert into ladders_meetingblock as kept (season_id, version_id, block, keys, games, better, worse)
    select %s, new.* from ({
    PACK.format(
        "unnest(%s::bigint[], %s::bigint[], %s::int[], %s::int[], %s::int[], %s::int[]) "
        "as new (version_id, other_id, seat, games, better, worse)"
    )
} order by 1, 2) new
    on conflict (version_id, season_id, block) do update set (keys, games, better, worse) = (
        select coalesce(array_agg(key order by key), '{{}}'), coalesce(array_agg(games order by key), '{{}}'),
            coalesce(array_agg(better order by key), '{{}}'), coalesce(array_agg(worse order by key), '{{}}')
        from (
            select key, sum(games)::int as games, sum(better)::int as better, sum(worse)::int as worse from (
                select * from unnest(kept.keys, kept.games, kept.better, kept.worse)
                    as old (key, games, better, worse)
                union all select * from unnest(excluded.keys, excluded.games, excluded.better, excluded.worse)
            ) both_of_them
            group by key having sum(games) <> 0
        ) summed
    )
"""  # noqa: S608  a statement of our own


def add_meetings(season_id: int, counts: Sequence[tuple[int, ...]]) -> None:
    """Add counts; what comes to no games is left out, so the blocks depend on the log alone."""
    run(ADD, [season_id, *columns(counts)])


DIFFERING = f"""
    with counted as (
        select match.id from ladders_result line join matches_match match on match.id = line.match_id
        where line.season_id = %(season)s and line.sequence <= %(upto)s
            and not exists (select from ladders_result void
                where void.voids_id = line.id and void.sequence <= %(upto)s)
        union all
        select match.id from ladders_result line
        join matches_match match on match.duplicate_set_id = line.duplicate_set_id
        where line.season_id = %(season)s and line.sequence <= %(upto)s
            and not exists (select from ladders_result void
                where void.voids_id = line.id and void.sequence <= %(upto)s)
    ), met as (
        select own.version_id, version.bot_id as other_id, own.seat, count(*) as games,
            count(*) filter (where own.placement < other.placement) as better,
            count(*) filter (where own.placement > other.placement) as worse
        from counted join matches_matchseat own on own.match_id = counted.id
        join matches_matchseat other on other.match_id = counted.id and other.seat <> own.seat
        join bots_version version on version.id = other.version_id
        group by 1, 2, 3
    )
    select version_id, block * {WIDTH} from (
        select * from ladders_meetingblock where season_id = %(season)s and keys <> '{{}}'
    ) stored
    full join ({PACK.format("met")}) packed using (version_id, block)
    where (stored.keys, stored.games, stored.better, stored.worse)
        is distinct from (packed.keys, packed.games, packed.better, packed.worse)
    order by 1, 2 limit 1000
"""  # noqa: S608  a statement of our own


def differing_meetings(season_id: int, upto: int) -> list[str]:
    """Return the blocks whose counts are not those of the log, the first thousand of them."""
    rows = ask(DIFFERING, {"season": season_id, "upto": upto})
    return [
        f"meetings of version {version} with the bots {first} to {first + WIDTH - 1}"
        for version, first in rows
    ]


UNPACKED = f"""
    select season_id, version_id, base + key / {SEATS} as other_id, key %% {SEATS} as seat,
        games, better, worse
    from (
        select season_id, version_id, block::bigint * {WIDTH} as base, unnest(keys) as key,
            unnest(games) as games, unnest(better) as better, unnest(worse) as worse
        from ladders_meetingblock where version_id = any (%(versions)s) and season_id = any (%(seasons)s) {{}}
    ) entry
"""  # noqa: S608  a statement of our own
"""The entries of blocks. Arrays in a list of columns advance together, at half the cost of a join."""
SUMS = "sum(games)::int as games, sum(better)::int as better, sum(worse)::int as worse"
"""As integers: sums of these are then integers too, and not PostgreSQL's slower decimals."""
OPPONENTS = f"""
    with met as materialized (
        select other_id, {SUMS} from ({UNPACKED.format("")}) unpacked
        where %(seat)s::int is null or seat = %(seat)s group by other_id
    ), total as materialized (
        select sum(games) as games, sum(better) as better, sum(worse) as worse, count(*) as opponents from met
    )
    select other_id, met.games, met.better, met.worse, total.*
    from total, met order by met.games desc, other_id limit %(most)s
"""  # noqa: S608  a statement of our own
AGAINST = f"""
    select season_id, version_id, seat, {SUMS}
    from ({UNPACKED.format(f"and block = %(other)s / {WIDTH}")}) unpacked
    where other_id = %(other)s group by season_id, version_id, seat
"""  # noqa: S608  a statement of our own
MET_BY_BOTH = f"""
    with met as materialized (
        select version_id, other_id, {SUMS} from ({UNPACKED.format("")}) unpacked
        group by version_id, other_id
    )
    select other_id, older.games, older.better, older.worse, newer.games, newer.better, newer.worse
    from met older join met newer using (other_id)
    where older.version_id = %(older)s and newer.version_id = %(newer)s
    order by least(older.games, newer.games) desc, other_id limit %(most)s
"""  # noqa: S608  a statement of our own
STATE = """
    select concat(extract(epoch from pg_postmaster_start_time()), ' ',
        string_agg(xmin::text || ctid::text, ' ' order by ctid)),
        coalesce(sum(pg_column_size(keys)), 0)::int
    from ladders_meetingblock where version_id = any (%s) and season_id = any (%s)
"""
AMONG = f"""
    select version.bot_id, entry.other_id, sum(entry.games), sum(entry.better)
    from bots_version version
    join ladders_meetingblock kept on kept.version_id = version.id and kept.season_id = %(season)s
        and kept.block = any (%(blocks)s),
    lateral (
        select kept.block::bigint * {WIDTH} + key / {SEATS} as other_id, games, better
        from unnest(kept.keys, kept.games, kept.better) as entry (key, games, better)
    ) entry
    where version.bot_id = any (%(bots)s) and entry.other_id = any (%(bots)s)
    group by version.bot_id, entry.other_id
"""  # noqa: S608  a statement of our own


def opponents_met(versions: Sequence[int], seasons: Sequence[int], seat: int | None, most: int) -> Opponents:
    """Add up the meetings of a bot with each other bot, from one seat or all."""
    rows = ask(OPPONENTS, {"versions": list(versions), "seasons": list(seasons), "seat": seat, "most": most})
    if not rows:
        return Opponents([], Met(0, 0, 0), 0)
    *total, count = rows[0][4:]
    return Opponents([(other, Met(*met[:3])) for other, *met in rows], Met(*total), count)


def met_with(versions: Sequence[int], seasons: Sequence[int], other_id: int) -> list[MetFrom]:
    """Return the meetings with one bot."""
    rows = ask(AGAINST, {"versions": list(versions), "seasons": list(seasons), "other": other_id})
    return [MetFrom(season, version, seat, Met(*met)) for season, version, seat, *met in rows]


def met_by_both(older: int, newer: int, seasons: Sequence[int], most: int) -> list[MetByBoth]:
    """Return opponents that two versions have both met, most games of the lesser side first."""
    values = {"versions": [older, newer], "seasons": list(seasons), "older": older, "newer": newer}
    rows = ask(MET_BY_BOTH, values | {"most": most})
    return [MetByBoth(other, Met(*met[:3]), Met(*met[3:])) for other, *met in rows]


def met_among(season_id: int, bots: Iterable[int]) -> dict[tuple[int, int], tuple[int, int]]:
    """Return for pairs of these bots how often they met, and how often the first came before the second."""
    ids = list(bots)
    values = {"season": season_id, "bots": ids, "blocks": sorted({bot // WIDTH for bot in ids})}
    return {(bot, other): (games, better) for bot, other, games, better in ask(AMONG, values)}


def state_of(versions: Sequence[int], seasons: Sequence[int]) -> tuple[str, int]:
    """Return a text that is another one once any of these blocks has changed, and the size of their keys.

    PostgreSQL writes a changed row to another place (`ctid`) or in another transaction (`xmin`). A server
    that was started again, or another one, has another state. The entries of the blocks are not read.
    """
    [(state, size)] = ask(STATE, [list(versions), list(seasons)])
    return state, size
