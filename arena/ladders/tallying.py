"""Keeping the counts by version, on the queue `heavy`: they follow the log and never hold settling up.

Each batch is a transaction that ends by moving `Season.tallied_to`, so each line is counted once, however
many workers try. The log only grows: voiding a result adds a line, which subtracts what the result had added.
"""

import zlib
from collections.abc import Iterable, Sequence
from time import monotonic

from django.db import transaction
from django.db.models import F

from arena.ladders import meeting_queries, tally_queries
from arena.ladders.meeting_queries import MeetingCount
from arena.ladders.models import CardTally, MeetingBlock, Season, SeatTally
from arena.ladders.tally_queries import CardCount, LoggedMatch, SeatCount
from arena.matches.archived_reports import find_record
from arena.matches.stored_records import read_record
from engine.errors import EngineError
from engine.replay.luck import Reading, read_game, value_function

BATCH = 100
"""Lines per transaction: some tenths of a second."""
MOST_SECONDS = 20.0
"""Per task, so that estimates have their turn too."""


def tally_due() -> int:
    """Count new lines of all seasons; return how many batches that took."""
    ends, batches = monotonic() + MOST_SECONDS, 0
    behind = Season.objects.filter(last_sequence__gt=F("tallied_to")).order_by("pk")
    for season_id in behind.values_list("pk", flat=True):
        while tally_batch(season_id):
            batches += 1
            if monotonic() > ends:
                return batches
    return batches


def tally_batch(season_id: int) -> bool:
    """Count the next lines of a season; return False if there are none, or somebody else has counted them."""
    season = Season.objects.get(pk=season_id)
    matches = tally_queries.lines_after(season_id, season.tallied_to, BATCH)
    if not matches:
        return False
    readings = [read_match(match, season.luck_sha256) for match in matches]
    with transaction.atomic():
        meeting_queries.add_meetings(season_id, summed(meetings_of(matches), 3))
        tally_queries.add_seats(season_id, summed(seats_of(matches, readings), 2))
        if cards := summed(cards_of(matches, readings), 4):
            tally_queries.add_cards(season_id, cards)
        moved = Season.objects.filter(pk=season_id, tallied_to=season.tallied_to).update(
            tallied_to=matches[-1].sequence
        )
        if not moved:
            transaction.set_rollback(True)
    return bool(moved)


def recount(season_id: int) -> None:
    """Begin again from the first line."""
    with transaction.atomic():
        for model in (MeetingBlock, SeatTally, CardTally):
            model.objects.filter(season=season_id).delete()
        Season.objects.filter(pk=season_id).update(tallied_to=0)
    while tally_batch(season_id):
        pass


def differences(season_id: int) -> list[str]:
    """Return where the counts differ from the log, up to the line that they have come to."""
    upto = Season.objects.values_list("tallied_to", flat=True).get(pk=season_id)
    return meeting_queries.differing_meetings(season_id, upto)


def read_match(match: LoggedMatch, sha256: str) -> Reading | None:
    """Replay a match; None where its record is gone, or of rules that this release does not play."""
    stored = find_record(match.match_id) if match.record is None else bytes(match.record)
    if stored is None:
        return None
    try:
        return read_game(read_record(stored), value_function(sha256))
    except (EngineError, zlib.error):
        return None


def meetings_of(matches: Iterable[LoggedMatch]) -> Iterable[MeetingCount]:
    for match in matches:
        for seat, (version, place) in enumerate(zip(match.versions, match.placements, strict=True)):
            for other_seat, (other, other_place) in enumerate(zip(match.bots, match.placements, strict=True)):
                if seat != other_seat:
                    better, worse = int(place < other_place), int(place > other_place)
                    yield MeetingCount(
                        version, other, seat, match.sign, match.sign * better, match.sign * worse
                    )


def seats_of(matches: Sequence[LoggedMatch], readings: Sequence[Reading | None]) -> Iterable[SeatCount]:
    for match, reading in zip(matches, readings, strict=True):
        luck = reading.luck if reading else None
        for seat, (version, place) in enumerate(zip(match.versions, match.placements, strict=True)):
            counts = [1, int(place == 1), place]
            counts += [1, place, round(1000 * luck[seat])] if luck else [0, 0, 0]
            yield SeatCount(version, seat, *(match.sign * count for count in counts))


def cards_of(matches: Sequence[LoggedMatch], readings: Sequence[Reading | None]) -> Iterable[CardCount]:
    for match, reading in zip(matches, readings, strict=True):
        for seat, age, card in reading.cards if reading else ():
            place = match.placements[seat]
            counts = (match.sign, match.sign * (place == 1), match.sign * place)
            yield CardCount(match.versions[seat], seat, age, card, *counts)


def summed(counts: Iterable[tuple[int, ...]], keys: int) -> list[tuple[int, ...]]:
    """Add up the counts of equal keys, which come first; sorted, so that no writers deadlock."""
    totals: dict[tuple[int, ...], list[int]] = {}
    for count in counts:
        total = totals.setdefault(count[:keys], [0] * (len(count) - keys))
        for place, value in enumerate(count[keys:]):
            total[place] += value
    return [(*key, *total) for key, total in sorted(totals.items())]
