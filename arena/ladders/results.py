"""Settling: appending results to a season's log and folding them in. It all happens under the season's lock.

That lock is taken first, so settling cannot deadlock, and results are folded in the order of their numbers.
"""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from arena.bots.house import RATINGS
from arena.ladders import correcting, queries
from arena.ladders.fold import fold_result
from arena.ladders.models import Entry, Result
from arena.ladders.queries import LockedSeason, NewLine
from arena.matches.models import Match, MatchSeat
from contests.rating import START, Place, joint_places


class Outcome(NamedTuple):
    """How a match or a duplicate set ended: the placement of each bot."""

    match_id: int | None
    set_id: int | None
    placements: Mapping[int, int]


def settle_match(match_id: int) -> bool:
    """Settle one match; return False where there is nothing to add."""
    return bool(settle_matches([match_id]))


@transaction.atomic
def settle_matches(match_ids: Sequence[int]) -> int:
    """Add what matches of one season mean to its log, and fold it in; return the number of new lines."""
    season = queries.lock_season_of(match_ids[0])
    # Read after the lock: they may have been voided or settled meanwhile.
    games = queries.read_games(match_ids)
    played = [game for game in games if game.state == Match.State.FINISHED and game.rated]
    outcomes = [
        Outcome(game.match_id, None, dict(zip(game.bots, game.placements, strict=True)))
        for game in played
        if not game.set_id and not game.is_counted
    ]
    sets = sorted({game.set_id for game in played if game.set_id})
    outcomes += [outcome for set_id in sets if (outcome := outcome_of_set(set_id))]
    if outcomes:
        season = add_results(season, outcomes)
    count = len(outcomes)
    for game in games:
        if game.state == Match.State.VOIDED:
            voided = void(season, game.match_id, game.set_id, _("The match was voided."))
            season = voided or season
            count += voided is not None
    return count


def outcome_of_set(set_id: int) -> Outcome | None:
    """Return the outcome of a set whose matches are all finished; a set that has lost one never counts."""
    states = dict(Match.objects.filter(duplicate_set=set_id).values_list("pk", "state"))
    if set(states.values()) != {Match.State.FINISHED}:
        return None
    if Result.objects.filter(duplicate_set=set_id).exists():
        return None
    games = placements_of(sorted(states))
    return Outcome(None, set_id, joint_places([games[match_id] for match_id in sorted(states)]))


def placements_of(match_ids: Sequence[int]) -> dict[int, dict[int, int]]:
    """Return each bot's placement by match, in the order of seats."""
    seats = MatchSeat.objects.filter(match__in=match_ids).order_by("match", "seat")
    placements: dict[int, dict[int, int]] = {match_id: {} for match_id in match_ids}
    for match_id, bot, placement in seats.values_list("match_id", "version__bot_id", "placement"):
        placements[match_id][bot] = placement or 0
    return placements


def add_results(season: LockedSeason, outcomes: Sequence[Outcome]) -> LockedSeason:
    """Append outcomes to the log and fold them into the standings, in this order."""
    bots = sorted({bot for outcome in outcomes for bot in outcome.placements})
    fixed = fixed_points(season, bots)
    known = queries.read_standings(season.id, bots)
    lines, changes = [], []
    for sequence, outcome in enumerate(outcomes, season.last_sequence + 1):
        places = [Place(bot, place, fixed.get(bot)) for bot, place in outcome.placements.items()]
        kind = Result.Kind.MATCH if outcome.match_id else Result.Kind.DUPLICATE
        text = as_json(places)
        lines.append(NewLine(sequence, kind.value, outcome.match_id, outcome.set_id, text))
        changes += fold_result(sequence, places, known)
    queries.append_lines(season.id, lines)
    queries.insert_changes(season.id, changes)
    queries.save_standings(season.id, known)
    return season._replace(last_sequence=lines[-1].sequence)


def as_json(places: Sequence[Place]) -> str:
    """Return places for the log, without what they do not have: most bots are not fixed."""
    return json.dumps(
        [{name: value for name, value in place._asdict().items() if value is not None} for place in places]
    )


def fixed_points(season: LockedSeason, bots: list[int]) -> dict[int, float]:
    if not season.house_fixed:
        return {}
    entries = Entry.objects.filter(ladder=season.ladder_id, bot__in=bots, bot__is_house=True)
    return {
        entry.bot_id: usual_rating(entry) if entry.fixed_rating is None else entry.fixed_rating
        for entry in entries.select_related("bot", "ladder")
    }


def usual_rating(entry: Entry) -> float:
    """Return where a house bot stands unless staff say otherwise: by what `make bench ONLY=bots` measured."""
    return RATINGS[entry.ladder.seats].get(entry.bot.slug.removeprefix("house-"), START)


def void(season: LockedSeason, match_id: int, set_id: int | None, reason: str) -> LockedSeason | None:
    """Append a correction for a match's result and begin to correct what follows from it.

    Return None where there is no result that counts.
    """
    result = queries.counted_result(season.id, match_id, set_id)
    if result is None:
        return None
    season = season._replace(last_sequence=season.last_sequence + 1)
    queries.append_void(season.id, season.last_sequence, result, reason)
    return correcting.begin(season, result.sequence)
