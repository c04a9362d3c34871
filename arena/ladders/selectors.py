"""Reads: standings, histories, who met whom."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from arena.bots.models import Bot
from arena.bots.selectors import bots_called
from arena.ladders import meeting_queries, reading_queries
from arena.ladders.matchmaking import current_season
from arena.ladders.models import Ladder, Season, Standing
from arena.ladders.strengths import shown_moments, shown_strengths
from arena.matches.listing import MatchFilter, list_matches
from arena.matches.models import Match

TREND = 20
MOST_FOUND = 50
MOST_CALLED_SO = 400
"""Of so many bots with a name, the newest, the best are looked for: whoever finds more needs more letters."""
TOP = 10
LAST = 2**31 - 1
"""No result has a greater number."""


@dataclass(frozen=True)
class StandingsRow:
    """One line of the standings."""

    rank: int
    bot: Bot
    rating: float
    mu: float
    """The estimated strength and its 95% interval, on the same scale as the rating."""
    low: float
    high: float
    games: int
    wins: int
    trend: list[float]
    is_sure: bool = False
    """Whether it may be said that this bot is stronger than the one of the next row."""


@dataclass(frozen=True)
class Cell:
    """How one bot did against another: in how many games it came before it, and how many there were."""

    better: int
    games: int

    @property
    def percent(self) -> int | None:
        return round(100 * self.better / self.games) if self.games else None


@dataclass(frozen=True)
class RatingPoint:
    """A bot's rating after one result."""

    sequence: int
    at: datetime
    rating: float
    low: float
    high: float


def shown_season(ladder: Ladder, number: int | None = None) -> Season | None:
    """Return the season asked for, or the present one, or the latest."""
    if number is not None:
        return ladder.seasons.filter(number=number).first()
    return current_season(ladder) or ladder.seasons.order_by("-number").first()


def live_delays(season_ids: Sequence[int]) -> dict[int, int]:
    """Return by season how many seconds spectators of its matches are kept behind them."""
    return dict(Season.objects.filter(pk__in=season_ids).values_list("pk", "ladder__live_delay"))


def standings(season: Season) -> QuerySet[Standing]:
    """Return the standings from the top."""
    return season.standings.select_related("bot__owner", "bot__active_version").order_by("-rating", "pk")


def above(standing: Standing) -> QuerySet[Standing]:
    """Return the standings above one, in no order."""
    same = Standing.objects.filter(season=standing.season_id)
    return same.filter(rating__gte=standing.rating).exclude(rating=standing.rating, pk__gte=standing.pk)


def below(standing: Standing) -> QuerySet[Standing]:
    """Return the standings below one, in no order."""
    same = Standing.objects.filter(season=standing.season_id)
    return same.filter(rating__lte=standing.rating).exclude(rating=standing.rating, pk__lte=standing.pk)


def rank_of(standing: Standing) -> int:
    return reading_queries.ranks_of(standing.season_id, [standing.pk])[standing.pk]


def standing_of(season: Season, bot_slug: str) -> Standing | None:
    return season.standings.filter(bot__slug=bot_slug).first()


def standings_after(season: Season, last: Standing, count: int) -> list[StandingsRow]:
    """Return the rows that follow one."""
    following = standings(season).filter(pk__in=below(last).order_by("-rating", "pk").values("pk")[:count])
    return rows(season, list(following), rank_of(last) + 1)


def standings_before(season: Season, first: Standing, count: int) -> list[StandingsRow]:
    """Return the rows that lead up to one."""
    leading = above(first).order_by("rating", "-pk").values("pk")[:count]
    found = list(standings(season).filter(pk__in=leading))
    return rows(season, found, rank_of(first) - len(found))


def standings_from(season: Season, offset: int, count: int) -> list[StandingsRow]:
    """Return rows by their rank."""
    place = reading_queries.span_at(season.pk, offset)
    if place is None:
        return []
    below_rating, left_out = place
    ordered = season.standings.filter(rating__lt=below_rating).order_by("-rating", "pk")
    chosen = ordered.values("pk")[offset - left_out : offset - left_out + count]
    return rows(season, list(standings(season).filter(pk__in=chosen)), offset + 1)


def standings_found(season: Season, search: str, count: int = MOST_FOUND) -> list[StandingsRow]:
    """Return the best rows whose bot or author is called so, with their ranks among all."""
    called_so = season.standings.filter(bot__in=bots_called(search, MOST_CALLED_SO))
    # Sorted here: with a limit, PostgreSQL may walk down all the standings until it has found enough.
    best = sorted(called_so.values_list("rating", "pk"), key=lambda one: (-one[0], one[1]))[:count]
    return rows(season, list(standings(season).filter(pk__in=[pk for _, pk in best])), None)


def rows(season: Season, found: Sequence[Standing], first_rank: int | None = None) -> list[StandingsRow]:
    """Return standings as they are shown, with their trends. Without `first_rank`, ranks are looked up."""
    trends = reading_queries.latest_ratings(season.pk, [standing.bot_id for standing in found], TREND)
    if first_rank is None:
        ranks = reading_queries.ranks_of(season.pk, [standing.pk for standing in found]) if found else {}
    else:
        ranks = {standing.pk: rank for rank, standing in enumerate(found, first_rank)}
    strengths = shown_strengths(season.pk, [standing.bot_id for standing in found])
    following = [standing.bot_id for standing in found[1:]] if first_rank is not None else []
    return [
        StandingsRow(
            ranks[standing.pk],
            standing.bot,
            standing.rating,
            *strengths[standing.bot_id][0],
            standing.games,
            standing.wins,
            trends[standing.bot_id],
            following_bot is not None and strengths[standing.bot_id][1] == following_bot,
        )
        for standing, following_bot in zip_longest(found, following)
    ]


def history(season: Season, bot: Bot, before: int | None, count: int) -> list[RatingPoint]:
    """Return a bot's rating after its latest results, or after those before a result, the latest first."""
    found = reading_queries.latest_history(season.pk, bot.pk, LAST if before is None else before, count)
    return with_strengths(season, bot, found)


def thinned_history(season: Season, bot: Bot, count: int) -> list[RatingPoint]:
    """Return up to so many moments of a bot's season, evenly spread, oldest first."""
    return with_strengths(season, bot, reading_queries.thinned_history(season.pk, bot.pk, count))


def with_strengths(
    season: Season, bot: Bot, found: Sequence[reading_queries.RatingPoint]
) -> list[RatingPoint]:
    strengths = shown_moments(season.pk, bot.pk, [one.sequence for one in found])
    return [
        RatingPoint(
            one.sequence, one.at, one.rating, strengths[one.sequence].low, strengths[one.sequence].high
        )
        for one in found
    ]


def head_to_head(season: Season, bots: Sequence[Bot]) -> list[tuple[Bot, list[Cell | None]]]:
    """Return for each of these bots how it did against each of the others, and None against itself."""
    met = meeting_queries.met_among(season.pk, [bot.pk for bot in bots])
    cells = {pair: Cell(better, games) for pair, (games, better) in met.items()}
    return [
        (bot, [None if bot == other else cells.get((bot.pk, other.pk), Cell(0, 0)) for other in bots])
        for bot in bots
    ]


def top_bots(season: Season, count: int = TOP) -> list[Bot]:
    return [standing.bot for standing in standings(season)[:count]]


def recent_matches(season: Season, count: int = 10) -> list[Match]:
    of_ladders = list_matches(MatchFilter(purpose=Match.Purpose.LADDER), AnonymousUser())
    return list(of_ladders.filter(purpose_id=season.pk)[:count])


def places_of(bot: Bot) -> list[tuple[Season, StandingsRow]]:
    """Return where a bot stands in the seasons that are open."""
    open_seasons = Season.objects.filter(closed_at=None, standings__bot=bot).select_related("ladder")
    return [(season, row) for season in open_seasons for row in row_of(season, bot)]


def row_of(season: Season, bot: Bot) -> list[StandingsRow]:
    """Return a bot's row in the standings, if it has one."""
    found = standings(season).filter(bot=bot).first()
    return rows(season, [found], rank_of(found)) if found else []


def corrections(most: int) -> list[Season]:
    """Return seasons that are being corrected."""
    corrected = Season.objects.filter(corrected_to__isnull=False).select_related("ladder")
    return list(corrected.order_by("pk")[:most])
