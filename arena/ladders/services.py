"""Writes: seasons, entries, and what follows from a settled match."""

import logging
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_noop

from arena.bots.models import Bot
from arena.bots.services import bench
from arena.ladders import matchmaking, reading_queries, results
from arena.ladders.models import Entry, Ladder, Season
from arena.matches.models import Match, MatchSeat
from arena.matches.models.match import SeatFault
from arena.notices.services import notify, say
from arena.outbox.models import Outbox
from arena.stored_sentences import FAILED_IN_A_ROW, stored
from engine.replay.luck import value_functions
from engine.rulesets import Ruleset
from proto.messages import Clocks

log = logging.getLogger(__name__)

FAILURES_TO_BENCH = 3
GAMES_TO_RANK = 10
"""Before this many games a rank says little, and nobody is told of it."""
TOP_TEN = 10


@transaction.atomic
def create_ladder(
    *,
    slug: str,
    name: str,
    seats: int,
    ruleset: Ruleset,
    clocks: Clocks,
    days: int | None = None,
    **options: Any,
) -> Ladder:
    """Create a ladder with its first season, which lasts this many days or has no end."""
    values = {
        field: getattr(clocks, field) for field in ("startup_ms", "bank_ms", "increment_ms", "decision_ms")
    }
    ladder = Ladder.objects.create(
        slug=slug, name=name, seats=seats, ruleset=ruleset.options(), clocks=values, **options
    )
    now = timezone.now()
    Season.objects.create(
        ladder=ladder,
        number=1,
        starts_at=now,
        ends_at=now + timedelta(days=days) if days else None,
        luck_sha256=value_functions()[-1].sha256,
    )
    return ladder


def settle(matches: Sequence[Match]) -> None:
    """Settle matches of ladders that are over; safe to run twice."""
    seasons: dict[int, list[int]] = {}
    for match in matches:
        if match.purpose_id is not None:
            seasons.setdefault(match.purpose_id, []).append(match.pk)
    for match_ids in seasons.values():
        results.settle_matches(match_ids)
    bench_failing(matches)
    for season_id in seasons:
        matchmaking.refill(season_id)


def bench_failing(matches: Sequence[Match]) -> None:
    """Bench the bots of versions that failed in each of their last few rated matches."""
    finished = [match for match in matches if match.state == Match.State.FINISHED]
    for seat in MatchSeat.objects.filter(match__in=finished).exclude(fault=""):
        last = MatchSeat.objects.filter(
            version=seat.version, match__purpose=Match.Purpose.LADDER, match__state=Match.State.FINISHED
        ).order_by("-match__finished_at")
        faults = list(last.values_list("fault", flat=True)[:FAILURES_TO_BENCH])
        if (
            len(faults) == FAILURES_TO_BENCH
            and all(faults)
            and seat.version.bot.active_version_id == seat.version_id
        ):
            reason = stored(
                FAILED_IN_A_ROW,
                {
                    "number": seat.version.number,
                    "count": FAILURES_TO_BENCH,
                    "fault": SeatFault(seat.fault).label,
                },
            )
            bench(seat.version.bot_id, reason)


def enter(ladder: Ladder, bot: Bot) -> None:
    Entry.objects.update_or_create(ladder=ladder, bot=bot, defaults={"left_at": None})


def leave(ladder: Ladder, bot: Bot) -> None:
    """Take a bot out of a ladder; it keeps its standing and is not entered again automatically."""
    Entry.objects.update_or_create(ladder=ladder, bot=bot, defaults={"left_at": timezone.now()})


@transaction.atomic
def start_next_season(season_id: int) -> Season | None:
    """Start the season after one that is over, with the same length; return None if it has started."""
    season = Season.objects.select_for_update().get(pk=season_id)
    if season.ends_at is None:
        return None
    ends_at = season.ends_at + (season.ends_at - season.starts_at)
    following, is_new = Season.objects.get_or_create(
        ladder=season.ladder,
        number=season.number + 1,
        defaults={
            "starts_at": season.ends_at,
            "ends_at": max(ends_at, timezone.now() + timedelta(minutes=1)),
            "luck_sha256": value_functions()[-1].sha256,
        },
    )
    return following if is_new else None


@transaction.atomic
def close_season(season_id: int) -> bool:
    """Close a season once the last of its matches is settled and no correction is under way."""
    season = Season.objects.select_for_update().get(pk=season_id)
    is_corrected = season.corrected_to is not None
    if season.closed_at or is_corrected or matchmaking.open_matches(season.pk) or has_unsettled(season):
        return False
    Season.objects.filter(pk=season_id).update(closed_at=Now())
    return True


def has_unsettled(season: Season) -> bool:
    owed = [
        payload["match"] for payload in Outbox.objects.filter(kind="settle").values_list("payload", flat=True)
    ]
    return Match.objects.filter(pk__in=owed, purpose=Match.Purpose.LADDER, purpose_id=season.pk).exists()


def roll_seasons() -> None:
    """Start the seasons that follow those that are over, and close the latter."""
    over = Season.objects.filter(ends_at__lte=Now(), closed_at=None, ladder__is_open=True)
    for season_id in over.values_list("pk", flat=True):
        start_next_season(season_id)
        close_season(season_id)


def update_best_ranks() -> int:
    """Note the best ranks of bots that have played, and tell their authors what matters; return how many."""
    told = 0
    for season in Season.objects.filter(closed_at=None, last_sequence__gt=F("ranked_to")):
        told += note_best_ranks(season)
    return told


@transaction.atomic
def note_best_ranks(season: Season) -> int:
    reached = reading_queries.note_ranks(
        season.pk, season.ladder_id, season.ranked_to, season.last_sequence, GAMES_TO_RANK
    )
    day_ago = timezone.now() - timedelta(days=1)
    # A first rank is no news, and nobody is told twice a day.
    worth_telling = {
        one.entry_id: (one, milestone)
        for one in reached
        if one.best_before is not None and (one.told_at is None or one.told_at < day_ago)
        if (milestone := milestone_of(one))
    }
    entries = Entry.objects.filter(pk__in=worth_telling).select_related("bot", "ladder")
    for entry in entries:
        one, milestone = worth_telling[entry.pk]
        values = {"bot": entry.bot.name, "ladder": entry.ladder.name, "rank": one.rank}
        notify(entry.bot.owner_id, partial(say, milestone, values), entry.ladder.get_absolute_url())
    return entries.update(told_at=Now())


def milestone_of(one: reading_queries.RankReached) -> str:
    """Return what to tell about a new best rank; nothing where it hardly matters to a person."""
    before = one.best_before or one.bots
    if one.bots > TOP_TEN and one.rank <= TOP_TEN < before:
        return gettext_noop("%(bot)s is in the top ten of %(ladder)s for the first time: number %(rank)d.")
    if one.bots >= 2 * TOP_TEN and one.rank * 10 <= one.bots < before * 10:
        return gettext_noop("%(bot)s is in the top tenth of %(ladder)s for the first time: number %(rank)d.")
    if one.house_passed > one.passed_before:
        return gettext_noop(
            "%(bot)s has passed another house bot of %(ladder)s for the first time: number %(rank)d."
        )
    return ""
