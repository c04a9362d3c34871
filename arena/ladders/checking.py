"""Folding a season's log from nothing, to check what is stored or to put it right."""

from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from itertools import groupby
from operator import itemgetter

from django.db import connection, transaction

from arena.ladders import correcting, queries, strengths, tallying
from arena.ladders.fold import fold_result, read_places
from arena.ladders.models import RatingChange, Result, Season, Standing
from arena.ladders.queries import Change
from contests.rating import Place, Rated

CHUNK = 2000
LAST = 2**31 - 1
"""No result has a greater number."""


@contextmanager
def snapshot() -> Iterator[None]:
    """See one state of the database throughout, without holding anybody up.

    Inside a transaction of the caller's, that transaction decides what is seen.
    """
    is_outermost = not connection.in_atomic_block
    with transaction.atomic(), connection.cursor() as cursor:
        if is_outermost:
            cursor.execute("set transaction isolation level repeatable read, read only")
            # Nobody waits for it, and strengths take their time between two statements.
            cursor.execute(
                "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0"
            )
        yield


def differences(season_id: int) -> Generator[str]:
    """Fold from nothing and tell where what is stored differs, down to the last bit.

    Both sides are streamed, so memory depends on the number of bots alone. While a correction is under way,
    what it has not reached yet is left out.
    """
    with snapshot():
        season = Season.objects.get(pk=season_id)
        upto = season.last_sequence if season.corrected_to is None else season.corrected_to
        known: dict[int, Rated] = {}
        yield from compare_changes(season_id, upto, known)
        if season.corrected_to is None:
            yield from compare_standings(season_id, known)
        yield from queries.differing_counts(season_id)
        yield from strengths.differences(season_id)
        yield from tallying.differences(season_id)


def compare_changes(season_id: int, upto: int, known: dict[int, Rated]) -> Iterator[str]:
    """Walk along the log and the history side by side."""
    stored = groupby(stored_changes(season_id, upto), key=itemgetter(0))
    at, kept = next(stored, (upto + 1, iter(())))
    for sequence, places in counted_results(season_id, upto):
        while at < sequence:
            yield from (f"change of bot {row.bot_id} by result {at}, which does not count" for row in kept)
            at, kept = next(stored, (upto + 1, iter(())))
        rows = set(kept) if at == sequence else set()
        for row in sorted(rows ^ set(fold_result(sequence, places, known))):
            yield f"change of bot {row.bot_id} by result {sequence}"
        if at == sequence:
            at, kept = next(stored, (upto + 1, iter(())))
    for row in kept:
        yield f"change of bot {row.bot_id} by result {row.sequence}, which does not count"
    for _, rest in stored:
        yield from (
            f"change of bot {row.bot_id} by result {row.sequence}, which does not count" for row in rest
        )


def stored_changes(season_id: int, upto: int) -> Iterator[Change]:
    rows = RatingChange.objects.filter(season=season_id, sequence__lte=upto).order_by("sequence", "bot_id")
    return (Change(*row) for row in rows.values_list(*Change._fields).iterator(CHUNK))


def counted_results(season_id: int, upto: int) -> Iterator[tuple[int, list[Place]]]:
    results = Result.objects.filter(season=season_id, sequence__lte=upto, voided_by=None)
    lines = results.exclude(kind=Result.Kind.VOID).order_by("sequence").values_list("sequence", "places")
    for sequence, places in lines.iterator(CHUNK):
        yield sequence, read_places(places)


def compare_standings(season_id: int, folded: dict[int, Rated]) -> Iterator[str]:
    rows = Standing.objects.filter(season=season_id).values_list("bot_id", *Rated._fields)
    stored = {bot: Rated(*values) for bot, *values in rows.iterator(CHUNK)}
    for bot in sorted(stored.keys() | folded.keys()):
        if stored.get(bot) != folded.get(bot):
            yield f"bot {bot}: stored {stored.get(bot)}, folded {folded.get(bot)}"


def check(season_id: int) -> list[str]:
    """Return where a season's stored values differ from its fold, without changing or locking anything."""
    return list(differences(season_id))


def refold(season_id: int) -> bool:
    """Fold a season again from nothing if anything stored differs; return whether it did."""
    correcting.correct(season_id)
    with closing(differences(season_id)) as found:
        if next(found, None) is None:
            return False
    with transaction.atomic():
        season = queries.lock_season(season_id)
        queries.recount_ratings(season_id)
        queries.ensure_standings(season_id)
        queries.delete_changes(season_id, season.last_sequence, LAST)
        Season.objects.filter(pk=season_id).update(corrected_from=0, corrected_to=0)
    strengths.estimate_season(season_id)
    if tallying.differences(season_id):
        tallying.recount(season_id)
    return correcting.correct(season_id)
