"""What is asked about ladders."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Window
from django.db.models.functions import Coalesce, RowNumber

from arena.bots.models import Bot
from arena.ladders.matchmaking import current_season
from arena.ladders.models import Ladder, RatingChange, Season, Standing
from arena.matches.listing import MatchFilter, list_matches
from arena.matches.models import Match
from contests.rating import INTERVAL, Rated

TREND = 20
TOP = 10


@dataclass(frozen=True)
class StandingsRow:
    """One line of the standings."""

    rank: int
    bot: Bot
    rating: float
    mu: float
    low: float
    high: float
    games: int
    wins: int
    trend: list[float]


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


def standings(season: Season, search: str = "") -> QuerySet[Standing]:
    """Return the standings from the top, with `rank` among all of them whatever is searched for."""
    above = (
        Standing.objects.filter(season=OuterRef("season"))
        .filter(Q(rating__gt=OuterRef("rating")) | Q(rating=OuterRef("rating"), pk__lt=OuterRef("pk")))
        .order_by()
        .values("season")
        .annotate(count=Count("pk"))
        .values("count")
    )
    found = season.standings.select_related("bot__owner", "bot__active_version").order_by("-rating", "pk")
    if search:
        found = found.filter(Q(bot__name__icontains=search) | Q(bot__owner__username__icontains=search))
    return found.annotate(rank=Coalesce(Subquery(above), 0) + 1)


def rows(season: Season, found: Sequence[Standing]) -> list[StandingsRow]:
    """Return standings as they are shown, with their trends: one query for all."""
    trends = latest_ratings(season, [standing.bot_id for standing in found])
    return [
        StandingsRow(
            standing.rank,  # type: ignore[attr-defined]  # annotated by the query
            standing.bot,
            standing.rating,
            standing.mu,
            *Rated(mu=standing.mu, sigma=standing.sigma).interval,
            standing.games,
            standing.wins,
            trends[standing.bot_id],
        )
        for standing in found
    ]


def latest_ratings(season: Season, bots: list[int]) -> dict[int, list[float]]:
    changes = RatingChange.objects.filter(season=season, bot__in=bots).annotate(
        age=Window(RowNumber(), partition_by="bot", order_by=F("sequence").desc())
    )
    found: dict[int, list[float]] = defaultdict(list)
    for bot, rating in changes.filter(age__lte=TREND).order_by("sequence").values_list("bot", "rating"):
        found[bot].append(rating)
    return found


def history(season: Season, bot: Bot) -> list[RatingPoint]:
    """Return a bot's rating after each of its results."""
    changes = RatingChange.objects.filter(season=season, bot=bot).order_by("sequence")
    values = changes.values_list("sequence", "result__created_at", "rating", "mu", "sigma")
    return [
        RatingPoint(sequence, at, rating, mu - INTERVAL * sigma, mu + INTERVAL * sigma)
        for sequence, at, rating, mu, sigma in values
    ]


def head_to_head(season: Season, bots: Sequence[Bot]) -> list[tuple[Bot, list[Cell | None]]]:
    """Return for each of these bots how it did against each of the others, and None against itself."""
    ids = [bot.pk for bot in bots]
    pairs = (
        RatingChange.objects.filter(season=season, bot__in=ids)
        # Named first, so that all that follows means the same one join with the others of a result.
        .annotate(other=F("result__changes__bot"), other_place=F("result__changes__place"))
        .filter(other__in=ids)
        .exclude(other=F("bot"))
        .values_list("bot", "other")
        .annotate(games=Count("pk"), better=Count("pk", filter=Q(place__lt=F("other_place"))))
    )
    cells = {(one, other): Cell(better, games) for one, other, games, better in pairs}
    return [
        (bot, [None if bot == other else cells.get((bot.pk, other.pk), Cell(0, 0)) for other in bots])
        for bot in bots
    ]


def top_bots(season: Season, count: int = TOP) -> list[Bot]:
    return [standing.bot for standing in standings(season)[:count]]


def recent_matches(season: Season, count: int = 10) -> list[Match]:
    of_ladders = list_matches(MatchFilter(purpose=Match.Purpose.LADDER), AnonymousUser())
    matches = of_ladders.filter(purpose_id=season.pk)
    return list(matches[:count])


def places_of(bot: Bot) -> list[tuple[Season, StandingsRow]]:
    """Return where a bot stands in the seasons that are open."""
    found = []
    for season in Season.objects.filter(closed_at=None, standings__bot=bot).select_related("ladder"):
        found += [(season, row) for row in rows(season, list(standings(season).filter(bot=bot)))]
    return found
