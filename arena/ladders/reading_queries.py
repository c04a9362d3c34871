"""SQL by hand for pages, ranks and matchmaking: reads by index, however much was played."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from arena.ladders.models import RatingCount
from arena.sql import ask


class RankReached(NamedTuple):
    """A rank that a bot reached with its latest results, and what it had reached before."""

    entry_id: int
    bot_id: int
    rank: int
    bots: int
    house_passed: int
    best_before: int | None
    passed_before: int
    told_at: datetime | None


TRENDS = """
    select bot.id, array(
        select rating from ladders_ratingchange where season_id = %s and bot_id = bot.id
        order by sequence desc limit %s
    )
    from unnest(%s::bigint[]) as bot (id)
"""
SPAN = "select min(sequence), max(sequence) from ladders_ratingchange where season_id = %s and bot_id = %s"
THINNED = """
    select distinct on (change.sequence) change.sequence, result.created_at, change.rating
    from unnest(%s::int[]) as wanted (sequence), lateral (
        select sequence, rating from ladders_ratingchange
        where season_id = %s and bot_id = %s and sequence >= wanted.sequence order by sequence limit 1
    ) change
    join ladders_result result on result.season_id = %s and result.sequence = change.sequence
    order by change.sequence
"""
LATEST = """
    select change.sequence, result.created_at, change.rating
    from ladders_ratingchange change
    join ladders_result result using (season_id, sequence)
    where change.season_id = %s and change.bot_id = %s and change.sequence < %s
    order by change.sequence desc limit %s
"""


class RatingPoint(NamedTuple):
    """What was known of a bot after one result, and when that was recorded."""

    sequence: int
    at: datetime
    rating: float


def latest_ratings(season_id: int, bots: Sequence[int], count: int) -> dict[int, list[float]]:
    """Return the latest ratings of each bot, oldest first."""
    return {bot: ratings[::-1] for bot, ratings in ask(TRENDS, [season_id, count, list(bots)])}


def thinned_history(season_id: int, bot_id: int, count: int) -> list[RatingPoint]:
    """Return up to so many moments of a bot's season, evenly spread over its results, oldest first."""
    [[first, last]] = ask(SPAN, [season_id, bot_id])
    if first is None:
        return []
    wanted = sorted({first + (last - first) * step // (count - 1) for step in range(count)})
    return [RatingPoint(*row) for row in ask(THINNED, [wanted, season_id, bot_id, season_id])]


def latest_history(season_id: int, bot_id: int, before: int, count: int) -> list[RatingPoint]:
    """Return a bot's moments before a result, the latest first."""
    return [RatingPoint(*row) for row in ask(LATEST, [season_id, bot_id, before, count])]


SPANS = """
    spans as materialized (
        select span, sum(bots) over (order by span desc) - bots as above from ladders_ratingcount
        where season_id = %(season)s
    )
"""
RANK = """
    (select above from spans where span = floor(standing.rating / %(width)s)) + (
        select count(*) from ladders_standing other
        where other.season_id = %(season)s and other.rating >= standing.rating
            and other.rating < (floor(standing.rating / %(width)s) + 1) * %(width)s
            and (other.rating > standing.rating or other.id < standing.id)
    ) + 1
"""
"""The rank of `standing`: all of higher spans, and those before it in its own span."""
RANKS = f"""
    with {SPANS}, played as (
        select distinct bot_id from ladders_ratingchange
        where season_id = %(season)s and sequence > %(after)s and sequence <= %(upto)s
    ), house as materialized (
        select standing.id, rating from ladders_standing standing
        where season_id = %(season)s and bot_id in (select id from bots_bot where is_house)
    ), ranked as materialized (
        select standing.bot_id, standing.games, bot.is_house, ({RANK})::int as rank,
            (select sum(bots)::int from ladders_ratingcount where season_id = %(season)s) as bots,
            (
                select count(*)::int from house where house.rating < standing.rating
                    or (house.rating = standing.rating and house.id > standing.id)
            ) as passed
        from played join ladders_standing standing using (bot_id)
        join bots_bot bot on bot.id = standing.bot_id
        where season_id = %(season)s and games >= %(games)s
    ), reached as (
        select entry.id, ranked.*, entry.best_rank, entry.house_passed, entry.told_at
        from ranked join ladders_entry entry on entry.bot_id = ranked.bot_id and entry.ladder_id = %(ladder)s
        where entry.best_rank is null or rank < entry.best_rank or passed > entry.house_passed
        for update of entry
    ), noted as (
        update ladders_entry entry set best_rank = least(entry.best_rank, reached.rank),
            house_passed = greatest(entry.house_passed, reached.passed)
        from reached where reached.id = entry.id
    ), marked as (
        update ladders_season set ranked_to = %(upto)s where id = %(season)s
    )
    select id, bot_id, rank, bots, passed, best_rank, house_passed, told_at from reached
    where not is_house order by rank
"""  # noqa: S608  a statement of our own


def note_ranks(season_id: int, ladder_id: int, after: int, upto: int, games: int) -> list[RankReached]:
    """Note the best ranks of bots that played in these results; return those that are new."""
    values = {"season": season_id, "ladder": ladder_id, "after": after, "upto": upto, "games": games}
    values["width"] = RatingCount.WIDTH
    return [RankReached(*row) for row in ask(RANKS, values)]


ENTERED = "select bot_id from ladders_entry where ladder_id = %s limit %s"
CHOOSE = """
    with waiting as (
        select bot_id from ladders_entry where ladder_id = %(ladder)s and left_at is null
        order by coalesce(paired_at, joined_at) limit %(most)s
    ), newest as (
        select bot_id from ladders_entry where ladder_id = %(ladder)s order by id desc limit %(most)s
    ), beginners as (
        select bot_id from newest where not exists (
            select from ladders_standing standing
            where season_id = %(season)s and standing.bot_id = newest.bot_id and games >= %(games)s
        )
    ), bounds as (
        select min(bot_id) as low, max(bot_id) as high from ladders_entry where ladder_id = %(ladder)s
    ), drawn as (
        select entry.bot_id
        from unnest(%(draws)s::float8[]) as draw, bounds, lateral (
            select bot_id from ladders_entry
            where ladder_id = %(ladder)s and bot_id >= low + floor(draw * (high - low + 1))::bigint
            order by bot_id limit 1
        ) entry
    )
    select bot_id from waiting union select bot_id from beginners union select bot_id from drawn
"""


def entered_bots(ladder_id: int, most: int) -> list[int]:
    """Return up to so many bots of a ladder, in no order."""
    return [bot for (bot,) in ask(ENTERED, [ladder_id, most])]


def choose_entries(
    ladder_id: int, season_id: int, most: int, games: int, draws: Sequence[float]
) -> list[int]:
    """Return bots to choose from: those that wait longest, beginners, and some drawn at random.

    Beginners are the newest entries with fewer games than `games`. `draws` are numbers from 0 to 1; each
    draws the entry at that place among all, in the order of their bots.
    """
    values = {
        "ladder": ladder_id,
        "season": season_id,
        "most": most,
        "games": games,
        "draws": list(draws),
    }
    return [bot for (bot,) in ask(CHOOSE, values)]


class WaitingEntry(NamedTuple):
    """What matchmaking looks at of an entry."""

    bot: int
    owner: int
    is_house: bool
    can_play: bool
    waits_since: datetime
    seats_had: list[int]
    mean: float | None
    """The bot's strength and its own deviation, as far as they were estimated."""
    own: float | None


CAN_PLAY = "bot.active_version_id is not null and bot.benched_at is null and bot.disqualified_at is null"
"""As `Bot.can_play`."""
ENTRIES = f"""
    select entry.bot_id, bot.owner_id, bot.is_house, {CAN_PLAY},
        coalesce(entry.paired_at, entry.joined_at), entry.seats_had, strength.mean, strength.own
    from unnest(%(bots)s::bigint[]) as chosen (id)
    join ladders_entry entry on entry.ladder_id = %(ladder)s and entry.bot_id = chosen.id
    join bots_bot bot on bot.id = chosen.id
    left join ladders_strength strength on strength.season_id = %(season)s and strength.bot_id = chosen.id
    where entry.left_at is null order by entry.id
"""  # noqa: S608  a statement of our own
TO_ENTER = f"""
    select bot.id, entry.id is not null from (
        select id from bots_bot bot where {CAN_PLAY} and id > %s order by id limit %s
    ) bot
    left join ladders_entry entry on entry.ladder_id = %s and entry.bot_id = bot.id order by bot.id
"""  # noqa: S608  a statement of our own


def read_entries(ladder_id: int, season_id: int, bots: Sequence[int]) -> list[WaitingEntry]:
    """Return the entries of these bots that have not left."""
    rows = ask(ENTRIES, {"ladder": ladder_id, "season": season_id, "bots": list(bots)})
    return [
        WaitingEntry(bot, owner, is_house, can_play, waits_since, json.loads(seats_had), mean, own)
        for bot, owner, is_house, can_play, waits_since, seats_had, mean, own in rows
    ]


def bots_to_enter(ladder_id: int, after: int, most: int | None) -> list[tuple[int, bool]]:
    """Return the bots after one that can play, and whether each was entered once; all, or so many."""
    return [(bot, is_entered) for bot, is_entered in ask(TO_ENTER, [after, most, ladder_id])]


TOPS = """
    select standing.id from unnest(%s::bigint[]) as season (id), lateral (
        select id, rating from ladders_standing where season_id = season.id
        order by rating desc, id limit %s
    ) standing
"""


def top_standings(seasons: Sequence[int], count: int) -> list[int]:
    """Return the first standings of each season."""
    return [pk for (pk,) in ask(TOPS, [list(seasons), count])]


RANKED = f"""
    with {SPANS} select id, ({RANK})::int from ladders_standing standing where id = any (%(standings)s)
"""  # noqa: S608  a statement of our own
SPAN_AT = """
    select span, before::int from (
        select span, bots, sum(bots) over (order by span desc) - bots as before
        from ladders_ratingcount where season_id = %s
    ) counted
    where before + bots > %s order by span desc limit 1
"""
COUNT = "select coalesce(sum(bots), 0)::int from ladders_ratingcount where season_id = %s"


def ranks_of(season_id: int, standings: Sequence[int]) -> dict[int, int]:
    """Return the rank of each of these standings, wherever they are."""
    values = {"season": season_id, "standings": list(standings), "width": RatingCount.WIDTH}
    return dict(ask(RANKED, values))


def span_at(season_id: int, offset: int) -> tuple[float, int] | None:
    """Return below which rating to look for the standing with so many before it, and how many are above that.

    None if there are not so many standings.
    """
    for span, before in ask(SPAN_AT, [season_id, offset]):
        return float((span + 1) * RatingCount.WIDTH), before
    return None


def count_standings(season_id: int) -> int:
    [[count]] = ask(COUNT, [season_id])
    return int(count)
