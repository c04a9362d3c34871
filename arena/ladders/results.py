"""The log of results and what is folded from it. Everything happens under the lock of the season's row.

One lock, taken first: settling cannot deadlock, and results are folded in the order of their numbers.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple
from typing import NamedTuple

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from arena.ladders.models import Entry, Ladder, RatingChange, Result, Season, Standing
from arena.matches.models import Match, MatchSeat
from arena.sql import ask, columns, run
from contests.rating import START, Place, Rated, joint_places, rate

RATED_FIELDS = tuple(Rated.__dataclass_fields__)
CHANGED = ("sequence", "bot_id", "place", "rating", "change", "mu", "sigma")


class PlayedMatch(NamedTuple):
    """A match as it stands, with its bots and how they were placed in the order of seats."""

    match_id: int
    state: str
    rated: bool
    set_id: int | None
    is_counted: bool
    bots: list[int]
    placements: list[int]


class NewResult(NamedTuple):
    """What a result is of, a match or a duplicate set, and by bot who came where."""

    match_id: int | None
    set_id: int | None
    placements: Mapping[int, int]


Change = tuple[int, int, int, float, float, float, float]
"""The number of a result, a bot, its place, its rating after it, how that changed, its mu and sigma."""

LOCK = """
    select season.id, season.ladder_id, season.last_sequence, ladder.house_fixed
    from ladders_season season join ladders_ladder ladder on ladder.id = season.ladder_id
    where season.id = (select purpose_id from matches_match where id = %s)
    for update of season
"""
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


def settle_match(match_id: int) -> bool:
    """Settle one alone; False where there is nothing to add."""
    return bool(settle_matches([match_id]))


@transaction.atomic
def settle_matches(match_ids: Sequence[int]) -> int:
    """Add what matches of one season mean to its log, and fold it in; return how many results that were."""
    [[season_id, ladder_id, last_sequence, house_fixed]] = ask(LOCK, [match_ids[0]])
    season = Season(pk=season_id, last_sequence=last_sequence)
    season.ladder = Ladder(pk=ladder_id, house_fixed=house_fixed)
    # Read after the lock: they may have been voided or settled meanwhile.
    games = [PlayedMatch(*row) for row in ask(GAMES, [list(match_ids)])]
    voided = [game for game in games if game.state == Match.State.VOIDED]
    played = [game for game in games if game.state == Match.State.FINISHED and game.rated]
    new = [
        NewResult(game.match_id, None, dict(zip(game.bots, game.placements, strict=True)))
        for game in played
        if not game.set_id and not game.is_counted
    ]
    if new:
        add_results(season, new)
    sets = sorted({game.set_id for game in played if game.set_id})
    return (
        len(new)
        + sum(add_duplicate_set(season, set_id) for set_id in sets)
        + sum(void(season, game.match_id, game.set_id, _("The match was voided.")) for game in voided)
    )


def lock_season(season_id: int) -> Season:
    return Season.objects.select_for_update(of=["self"]).select_related("ladder").get(pk=season_id)


def add_duplicate_set(season: Season, set_id: int) -> bool:
    """Count a set once all its matches are finished; a set that has lost one never counts."""
    states = dict(Match.objects.filter(duplicate_set=set_id).values_list("pk", "state"))
    if set(states.values()) != {Match.State.FINISHED}:
        return False
    if Result.objects.filter(duplicate_set=set_id, kind=Result.Kind.DUPLICATE).exists():
        return False
    games = placements_of(sorted(states))
    places = joint_places([games[match_id] for match_id in sorted(states)])
    add_results(season, [NewResult(None, set_id, places)])
    return True


def placements_of(match_ids: Sequence[int]) -> dict[int, dict[int, int]]:
    """Return by match and bot who came where, in the order of seats."""
    seats = MatchSeat.objects.filter(match__in=match_ids).order_by("match", "seat")
    found: dict[int, dict[int, int]] = {match_id: {} for match_id in match_ids}
    for match_id, bot, placement in seats.values_list("match_id", "version__bot_id", "placement"):
        found[match_id][bot] = placement or 0
    return found


ADD = """
    with line as (
        insert into ladders_result
            (season_id, sequence, kind, match_id, duplicate_set_id, places, reason, created_at)
        select %s, sequence, case when match_id is null then 'duplicate' else 'match' end, match_id, set_id,
            places, '', statement_timestamp()
        from unnest(%s::int[], %s::bigint[], %s::bigint[], %s::jsonb[])
            as new (sequence, match_id, set_id, places)
        returning id, sequence
    ), counted as (
        update ladders_season set last_sequence = %s where id = %s
    )
    insert into ladders_ratingchange
        (result_id, season_id, sequence, bot_id, place, rating, change, mu, sigma)
    select line.id, %s, new.*
    from unnest(%s::int[], %s::bigint[], %s::int[], %s::float8[], %s::float8[], %s::float8[], %s::float8[])
        as new (sequence, bot_id, place, rating, change, mu, sigma)
    join line using (sequence)
"""


def add_results(season: Season, lines: Sequence[NewResult]) -> None:
    """Write lines of the log and fold them into the standings, in this order."""
    bots = sorted({bot for line in lines for bot in line.placements})
    fixed = fixed_points(season, bots)
    known = standings_of(season, bots)
    rows, history = [], []
    for sequence, line in enumerate(lines, season.last_sequence + 1):
        places = [Place(bot, place, fixed.get(bot)) for bot, place in line.placements.items()]
        after = rate(known, places)
        rows.append((sequence, line.match_id, line.set_id, json.dumps([asdict(place) for place in places])))
        history += changes(sequence, places, known, after)
        known |= after
    season.last_sequence += len(lines)
    run(ADD, [season.pk, *columns(rows), season.last_sequence, season.pk, season.pk, *columns(history)])
    save_standings(season, known)


def fixed_points(season: Season, bots: list[int]) -> dict[int, float]:
    if not season.ladder.house_fixed:
        return {}
    entries = Entry.objects.filter(ladder=season.ladder_id, bot__in=bots, bot__is_house=True)
    return {
        bot: START if rating is None else rating for bot, rating in entries.values_list("bot", "fixed_rating")
    }


STANDINGS = """
    select bot_id, rating, mu, sigma, games, wins from ladders_standing
    where season_id = %s and bot_id = any (%s)
"""
STAND = """
    insert into ladders_standing (season_id, bot_id, rating, mu, sigma, games, wins)
    select %s, new.*
    from unnest(%s::bigint[], %s::float8[], %s::float8[], %s::float8[], %s::int[], %s::int[])
        as new (bot_id, rating, mu, sigma, games, wins)
    on conflict (season_id, bot_id) do update
    set rating = excluded.rating, mu = excluded.mu, sigma = excluded.sigma, games = excluded.games,
        wins = excluded.wins
"""


def standings_of(season: Season, bots: list[int]) -> dict[int, Rated]:
    return {bot: Rated(*values) for bot, *values in ask(STANDINGS, [season.pk, bots])}


def save_standings(season: Season, rated: Mapping[int, Rated]) -> None:
    if rated:
        run(STAND, [season.pk, *columns([(bot, *astuple(one)) for bot, one in sorted(rated.items())])])


def changes(
    sequence: int, places: Sequence[Place], before: Mapping[int, Rated], after: Mapping[int, Rated]
) -> list[Change]:
    found = []
    for place in places:
        was, now = before.get(place.bot, Rated()), after[place.bot]
        found.append(
            (sequence, place.bot, place.place, now.rating, now.rating - was.rating, now.mu, now.sigma)
        )
    return found


def void(season: Season, match_id: int, set_id: int | None, reason: str) -> bool:
    """Append a correction for a match's result, if it was counted, and fold the season again."""
    counted = Result.objects.filter(season=season, voided_by=None)
    result = (counted.filter(duplicate_set=set_id) if set_id else counted.filter(match=match_id)).first()
    if result is None:
        return False
    season.last_sequence += 1
    Result.objects.create(
        season=season, sequence=season.last_sequence, kind=Result.Kind.VOID, voids=result, reason=reason
    )
    Season.objects.filter(pk=season.pk).update(last_sequence=season.last_sequence)
    store(season, *fold_season(season))
    return True


def fold_season(season: Season) -> tuple[dict[int, Rated], list[Change]]:
    """Fold the season's log from nothing: what the standings and the history must be."""
    results = Result.objects.filter(season=season).exclude(kind=Result.Kind.VOID).filter(voided_by=None)
    known: dict[int, Rated] = {}
    history: list[Change] = []
    for result in results.order_by("sequence").iterator(chunk_size=1000):
        places = [Place(**place) for place in result.places]
        after = rate(known, places)
        history += changes(result.sequence, places, known, after)
        known |= after
    return known, history


def store(season: Season, rated: Mapping[int, Rated], history: Sequence[Change]) -> None:
    """Put a fold in the place of what is stored."""
    RatingChange.objects.filter(season=season).delete()
    Standing.objects.filter(season=season).exclude(bot__in=list(rated)).delete()
    results = dict(Result.objects.filter(season=season).values_list("sequence", "pk"))
    RatingChange.objects.bulk_create(
        (
            RatingChange(
                result_id=results[change[0]], season=season, **dict(zip(CHANGED, change, strict=True))
            )
            for change in history
        ),
        batch_size=1000,
    )
    save_standings(season, rated)


def differences(season: Season) -> list[str]:
    """Fold from nothing and tell where what is stored differs, down to the last bit."""
    rated, history = fold_season(season)
    stored = {bot: Rated(*values) for bot, *values in season.standings.values_list("bot", *RATED_FIELDS)}
    found = [
        f"bot {bot}: stored {stored.get(bot)}, folded {rated.get(bot)}"
        for bot in sorted(stored.keys() | rated.keys())
        if stored.get(bot) != rated.get(bot)
    ]
    kept = set(season.changes.filter(sequence=F("result__sequence")).values_list(*CHANGED))
    return found + [f"change of bot {row[1]} by result {row[0]}" for row in sorted(kept ^ set(history))]


@transaction.atomic
def refold(season_id: int) -> list[str]:
    """Fold a season again and store it; return what differed."""
    season = lock_season(season_id)
    found = differences(season)
    if found:
        store(season, *fold_season(season))
    return found


@transaction.atomic
def check(season_id: int) -> list[str]:
    """Return where a season's stored values differ from its fold, without changing anything."""
    return differences(lock_season(season_id))
