"""Keeps each ladder's queue filled to its depth."""

import logging
from collections import Counter
from datetime import timedelta
from random import Random

from django.db import transaction
from django.db.models import Count, Q
from django.db.models.functions import Now
from django.utils import timezone

from arena.bots.models import Bot
from arena.bots.selectors import playable_bots
from arena.ladders.models import Entry, Ladder, Season
from arena.ladders.results import standings_of
from arena.matches.models import Match, MatchSeat
from arena.matches.services import MatchRequest, request_duplicate_set, request_matches
from contests.pairing import Candidate, make_tables
from contests.rating import Rated
from engine.rulesets import ruleset_from_options
from proto.messages import Clocks

log = logging.getLogger(__name__)

OPEN = (Match.State.QUEUED, Match.State.RUNNING)
UNPLAYED = Q(state__in=OPEN, held_report=None)
"""Matches that a host has yet to play to their end; those whose results wait for their time are played."""


def fill_all() -> int:
    """Top up the queues of all open ladders; return how many matches were made."""
    return sum(fill(pk) for pk in Ladder.objects.filter(is_open=True).values_list("pk", flat=True))


def refill(season_id: int) -> int:
    """Top up a queue that is no longer full, so that hosts need not wait for the scheduler."""
    ladder = Ladder.objects.filter(seasons=season_id, is_open=True).values_list("pk", "depth").first()
    return fill(ladder[0]) if ladder and unplayed_matches(season_id) <= ladder[1] * 3 // 4 else 0


@transaction.atomic
def fill(ladder_id: int, random: Random | None = None) -> int:
    """Make as many matches as are missing to the ladder's depth. Of several at once, one does it."""
    ladder = Ladder.objects.select_for_update(skip_locked=True).filter(pk=ladder_id, is_open=True).first()
    season = current_season(ladder) if ladder else None
    if ladder is None or season is None:
        return 0
    missing = min(ladder.depth - unplayed_matches(season.pk), allowed_now(ladder, season))
    tables = missing // ladder.seats if ladder.duplicate else missing
    if tables <= 0:
        return 0
    enter_new_bots(ladder)
    entries = {entry.bot_id: entry for entry in playable_entries(ladder)}
    chosen = make_tables(candidates(season, entries), ladder.seats, tables, random or Random())
    requests = [request_for(season, [entries[one.bot].bot for one in table]) for table in chosen]
    if ladder.duplicate:
        made = sum(len(request_duplicate_set(request)) for request in requests)
    else:
        made = len(request_matches(requests))
    note_paired(entries, chosen)
    return made


def current_season(ladder: Ladder) -> Season | None:
    seasons = ladder.seasons.filter(starts_at__lte=Now(), closed_at=None)
    return seasons.filter(Q(ends_at=None) | Q(ends_at__gt=Now())).order_by("-number").first()


def open_matches(season_id: int) -> int:
    return Match.objects.filter(purpose=Match.Purpose.LADDER, purpose_id=season_id, state__in=OPEN).count()


def unplayed_matches(season_id: int) -> int:
    return Match.objects.filter(UNPLAYED, purpose=Match.Purpose.LADDER, purpose_id=season_id).count()


def allowed_now(ladder: Ladder, season: Season) -> int:
    """Return how many more matches may be made in this minute."""
    if ladder.a_minute is None:
        return ladder.depth
    made = Match.objects.filter(
        purpose=Match.Purpose.LADDER,
        purpose_id=season.pk,
        created_at__gt=timezone.now() - timedelta(minutes=1),
    )
    return ladder.a_minute - made.count()


def enter_new_bots(ladder: Ladder) -> None:
    """Every bot that can play takes part, unless its author takes it out."""
    new = playable_bots().exclude(entries__ladder=ladder)
    Entry.objects.bulk_create([Entry(ladder=ladder, bot=bot) for bot in new], ignore_conflicts=True)


def playable_entries(ladder: Ladder) -> list[Entry]:
    entries = ladder.entries.filter(left_at=None, bot__in=playable_bots())
    return list(entries.select_related("bot__active_version"))


def candidates(season: Season, entries: dict[int, Entry]) -> list[Candidate]:
    now = timezone.now()
    known = standings_of(season, list(entries))
    playing = Counter(
        dict(
            MatchSeat.objects.filter(
                match__purpose=Match.Purpose.LADDER,
                match__purpose_id=season.pk,
                match__state__in=OPEN,
                match__held_report=None,
            )
            .values_list("version__bot_id")
            .annotate(Count("pk"))
        )
    )
    return [
        Candidate(
            bot,
            # The rule is against an author's bots helping each other; house bots help nobody.
            -bot if entry.bot.is_house else entry.bot.owner_id,
            known.get(bot, Rated()).rating,
            known.get(bot, Rated()).sigma,
            (now - (entry.paired_at or entry.joined_at)).total_seconds(),
            playing[bot],
            entry.seats_had,
        )
        for bot, entry in entries.items()
    ]


def request_for(season: Season, bots: list[Bot]) -> MatchRequest:
    ladder = season.ladder
    versions = [bot.active_version for bot in bots if bot.active_version]
    return MatchRequest(
        versions,
        ruleset_from_options(ladder.ruleset),
        Match.Purpose.LADDER,
        Clocks(**ladder.clocks),
        season.pk,
        rated=True,
    )


def note_paired(entries: dict[int, Entry], tables: list[tuple[Candidate, ...]]) -> None:
    paired = {}
    for table in tables:
        for seat, one in enumerate(table):
            entry = paired[one.bot] = entries[one.bot]
            entry.seats_had += [0] * (len(table) - len(entry.seats_had))
            entry.seats_had[seat] += 1
            entry.paired_at = timezone.now()
    Entry.objects.bulk_update(paired.values(), ["seats_had", "paired_at"])
