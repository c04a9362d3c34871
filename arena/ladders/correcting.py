"""Corrections: when a result is voided, all that follows from it is folded again, in batches.

A season remembers how far its correction has come (`corrected_to`). Each batch is one transaction under the
season's lock: it folds the next results from the history's rows before them, which are right already, and
moves `corrected_to`. So a crash loses at most one batch, and results are settled between batches. Those go by
the standings as they were; the correction reaches them in their turn, and then puts the standings right.
Before the last batch it does so for the bots that it has done with, some at a time, so that the last batch
takes hardly longer than the others.
"""

from collections.abc import Sequence

from django.db import transaction

from arena.ladders import queries
from arena.ladders.fold import fold_result, read_places
from arena.ladders.models import Season, Standing
from arena.ladders.queries import LockedSeason
from arena.outbox import services as outbox
from contests.rating import Rated

BATCH = 1000
"""Results per transaction: about a tenth of a second, which is how long settling may have to wait."""
STANDINGS = 2000
"""Standings per transaction, for the same reason."""
BATCHES = 20
"""Per piece of owed work, so that one is done well within its lease."""


def begin(season: LockedSeason, sequence: int) -> LockedSeason:
    """Correct what follows from a result that counts no more: at once if that is little, else later."""
    is_under_way = season.corrected_to is not None
    first = sequence - 1 if season.corrected_to is None else min(sequence - 1, season.corrected_to)
    season = season._replace(corrected_to=first)
    rows = Season.objects.filter(pk=season.id)
    if is_under_way:
        rows.filter(corrected_from__gt=first).update(corrected_from=first)
        rows.update(corrected_to=first)
        return season
    rows.update(corrected_from=first, corrected_to=first)
    if season.last_sequence - first <= BATCH:
        return fold_batch(season, {}, queries.bots_between(season.id, first, season.last_sequence))
    outbox.owe("correct", {"season": season.id})
    return season


def go_on(payload: dict[str, int]) -> None:
    """Do a piece of a correction that is owed; what then remains is owed anew."""
    if not correct(payload["season"], BATCHES):
        outbox.owe("correct", payload)


def correct(season_id: int, batches: int | None = None) -> bool:
    """Fold up to so many batches; return whether nothing remains to be corrected."""
    known: dict[int, Rated] = {}
    done_to: int | None = None
    while batches is None or batches > 0:
        with transaction.atomic():
            season = queries.lock_season(season_id)
            if season.corrected_to is None:
                return True
            if season.corrected_to != done_to:
                known = {}  # a void has set the correction back, or another worker has moved it on
            season = fold_batch(season, known)
            done_to = season.corrected_to
        if done_to is None:
            return True
        if season.last_sequence - done_to <= BATCH:
            sync_finished(season_id, done_to)
        batches = None if batches is None else batches - 1
    return False


def sync_finished(season_id: int, upto: int) -> None:
    """Put the standings of bots right whose history ends before what is still to be corrected."""
    bots = list(Standing.objects.filter(season=season_id).order_by("bot_id").values_list("bot_id", flat=True))
    for first in range(0, len(bots), STANDINGS):
        with transaction.atomic():
            if queries.lock_season(season_id).corrected_to != upto:
                return  # a void has set the correction back, or another worker has moved it on
            queries.sync_finished(season_id, bots[first : first + STANDINGS], upto)


def fold_batch(
    season: LockedSeason, known: dict[int, Rated], bots: Sequence[int] | None = None
) -> LockedSeason:
    """Fold the next batch of results. `known` has what is known of bots so far; others are looked up.

    With the last batch, the standings of all bots are put right, or of `bots`, if it can only be those.
    """
    after = season.corrected_to or 0
    upto = min(after + BATCH, season.last_sequence)
    games = [
        (result.sequence, read_places(result.places))
        for result in queries.counted_between(season.id, after, upto)
    ]
    unknown = {place.bot for _, places in games for place in places} - known.keys()
    known |= queries.checkpoints(season.id, unknown, after)
    queries.delete_changes(season.id, after, upto)
    queries.copy_changes(
        season.id, (change for sequence, places in games for change in fold_result(sequence, places, known))
    )
    if upto < season.last_sequence:
        Season.objects.filter(pk=season.id).update(corrected_to=upto)
        return season._replace(corrected_to=upto)
    queries.sync_standings(season.id, bots)
    Season.objects.filter(pk=season.id).update(corrected_from=None, corrected_to=None)
    return season._replace(corrected_to=None)
