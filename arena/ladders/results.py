"""The log of results and what is folded from it. Everything happens under the lock of the season's row.

One lock, taken first: settling cannot deadlock, and results are folded in the order of their numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from django.db import transaction
from django.db.models import Exists, Q, Subquery
from django.utils.translation import gettext as _

from arena.ladders.models import Entry, RatingChange, Result, Season, Standing
from arena.ladders.rating import START, Place, Rated, joint_places, rate
from arena.matches.models import Match, MatchSeat

RATED_FIELDS = tuple(Rated.__dataclass_fields__)


@transaction.atomic
def settle_match(match_id: int) -> bool:
    """Add what a ladder's match means to the log, and fold it in; False where there is nothing to add."""
    season = lock_season(Subquery(Match.objects.filter(pk=match_id).values("purpose_id")[:1]))
    # Read after the lock: it may have been voided or settled meanwhile. All in one query, with its seats.
    is_counted = Exists(Result.objects.filter(match=match_id))
    names = ("match__state", "match__rated", "match__duplicate_set_id", "version__bot_id", "placement")
    seats = MatchSeat.objects.filter(match=match_id).order_by("seat").values_list(*names, is_counted)
    placements = {bot: placement or 0 for _state, _rated, _set, bot, placement, _counted in seats}
    state, rated, set_id, _bot, _placement, counted = seats[0]
    if state == Match.State.VOIDED:
        return void(season, match_id, set_id, _("The match was voided."))
    if state != Match.State.FINISHED or not rated:
        return False
    if set_id:
        return add_duplicate_set(season, set_id)
    if counted:
        return False
    add_result(season, Result(kind=Result.Kind.MATCH, match_id=match_id), placements)
    return True


def lock_season(season_id: int | Subquery) -> Season:
    seasons = Season.objects.select_for_update(of=["self"]).select_related("ladder")
    return seasons.only("last_sequence", "ladder__house_fixed").get(Q(pk=season_id))


def add_duplicate_set(season: Season, set_id: int) -> bool:
    """Count a set once all its matches are finished; a set that has lost one never counts."""
    states = dict(Match.objects.filter(duplicate_set=set_id).values_list("pk", "state"))
    if set(states.values()) != {Match.State.FINISHED}:
        return False
    if Result.objects.filter(duplicate_set=set_id, kind=Result.Kind.DUPLICATE).exists():
        return False
    games = placements_of(sorted(states))
    places = joint_places([games[match_id] for match_id in sorted(states)])
    add_result(season, Result(kind=Result.Kind.DUPLICATE, duplicate_set_id=set_id), places)
    return True


def placements_of(match_ids: Sequence[int]) -> dict[int, dict[int, int]]:
    """Return by match and bot who came where, in the order of seats."""
    seats = MatchSeat.objects.filter(match__in=match_ids).order_by("match", "seat")
    found: dict[int, dict[int, int]] = {match_id: {} for match_id in match_ids}
    for match_id, bot, placement in seats.values_list("match_id", "version__bot_id", "placement"):
        found[match_id][bot] = placement or 0
    return found


def add_result(season: Season, result: Result, placements: Mapping[int, int]) -> None:
    """Write a line of the log and fold it into the standings."""
    fixed = fixed_points(season, list(placements))
    places = [Place(bot, place, fixed.get(bot)) for bot, place in placements.items()]
    result.places = [asdict(place) for place in places]
    append(season, result)
    known = standings_of(season, list(placements))
    after = rate(known, places)
    RatingChange.objects.bulk_create(changes(result, known, after))
    save_standings(season, after)


def fixed_points(season: Season, bots: list[int]) -> dict[int, float]:
    if not season.ladder.house_fixed:
        return {}
    entries = Entry.objects.filter(ladder=season.ladder_id, bot__in=bots, bot__is_house=True)
    return {
        bot: START if rating is None else rating for bot, rating in entries.values_list("bot", "fixed_rating")
    }


def append(season: Season, result: Result) -> None:
    season.last_sequence += 1
    result.season, result.sequence = season, season.last_sequence
    result.save()
    Season.objects.filter(pk=season.pk).update(last_sequence=season.last_sequence)


def standings_of(season: Season, bots: list[int]) -> dict[int, Rated]:
    rows = Standing.objects.filter(season=season, bot__in=bots).values_list("bot", *RATED_FIELDS)
    return {bot: Rated(*values) for bot, *values in rows}


def changes(result: Result, before: Mapping[int, Rated], after: Mapping[int, Rated]) -> list[RatingChange]:
    return [
        RatingChange(
            result=result,
            season_id=result.season_id,
            sequence=result.sequence,
            bot_id=place["bot"],
            place=place["place"],
            rating=after[place["bot"]].rating,
            change=after[place["bot"]].rating - before.get(place["bot"], Rated()).rating,
            mu=after[place["bot"]].mu,
            sigma=after[place["bot"]].sigma,
        )
        for place in result.places
    ]


def save_standings(season: Season, rated: Mapping[int, Rated]) -> None:
    Standing.objects.bulk_create(
        [Standing(season=season, bot_id=bot, **asdict(one)) for bot, one in sorted(rated.items())],
        update_conflicts=True,
        unique_fields=["season", "bot"],
        update_fields=RATED_FIELDS,
    )


def void(season: Season, match_id: int, set_id: int | None, reason: str) -> bool:
    """Append a correction for a match's result, if it was counted, and fold the season again."""
    counted = Result.objects.filter(season=season, voided_by=None)
    result = (counted.filter(duplicate_set=set_id) if set_id else counted.filter(match=match_id)).first()
    if result is None:
        return False
    append(season, Result(kind=Result.Kind.VOID, voids=result, reason=reason))
    store(season, *fold_season(season))
    return True


def fold_season(season: Season) -> tuple[dict[int, Rated], list[RatingChange]]:
    """Fold the season's log from nothing: what the standings and the history must be."""
    results = Result.objects.filter(season=season).exclude(kind=Result.Kind.VOID).filter(voided_by=None)
    known: dict[int, Rated] = {}
    history: list[RatingChange] = []
    for result in results.order_by("sequence").iterator(chunk_size=1000):
        after = rate(known, [Place(**place) for place in result.places])
        history += changes(result, known, after)
        known |= after
    return known, history


def store(season: Season, rated: Mapping[int, Rated], history: Sequence[RatingChange]) -> None:
    """Put a fold in the place of what is stored."""
    RatingChange.objects.filter(season=season).delete()
    Standing.objects.filter(season=season).exclude(bot__in=list(rated)).delete()
    RatingChange.objects.bulk_create(history, batch_size=1000)
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
    names = ("result_id", "sequence", "bot_id", "place", "rating", "change", "mu", "sigma")
    kept = set(season.changes.values_list(*names))
    folded = {tuple(getattr(change, name) for name in names) for change in history}
    return found + [f"change of bot {row[2]} by result {row[1]}" for row in sorted(kept ^ folded)]


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
