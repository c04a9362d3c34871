"""What changes ladders: seasons, entries, and what follows from a settled match."""

import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Window
from django.db.models.functions import Now, RowNumber
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.bots.models import Bot
from arena.bots.services import bench
from arena.ladders import matchmaking, results
from arena.ladders.models import Entry, Ladder, Season, Standing
from arena.matches.models import Match, MatchSeat
from arena.notices.services import notify
from arena.outbox.models import Outbox
from engine.rulesets import Ruleset
from proto.messages import Clocks

log = logging.getLogger(__name__)

FAILURES_TO_BENCH = 3
GAMES_TO_RANK = 10
"""Before so many games a rank says little, and nobody is told of it."""


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
    """Create a ladder with its first season, of so many days or without an end."""
    values = {
        field: getattr(clocks, field) for field in ("startup_ms", "bank_ms", "increment_ms", "decision_ms")
    }
    ladder = Ladder.objects.create(
        slug=slug, name=name, seats=seats, ruleset=ruleset.options(), clocks=values, **options
    )
    now = timezone.now()
    Season.objects.create(
        ladder=ladder, number=1, starts_at=now, ends_at=now + timedelta(days=days) if days else None
    )
    return ladder


def settle(matches: Sequence[Match]) -> None:
    """What follows from matches of ladders that are over; safe to run twice."""
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
            reason = _("version %(number)d failed in %(count)d matches in a row, last: it %(fault)s.") % {
                "number": seat.version.number,
                "count": FAILURES_TO_BENCH,
                "fault": seat.get_fault_display(),
            }
            bench(seat.version.bot_id, reason)


def enter(ladder: Ladder, bot: Bot) -> None:
    Entry.objects.update_or_create(ladder=ladder, bot=bot, defaults={"left_at": None})


def leave(ladder: Ladder, bot: Bot) -> None:
    """Take a bot out of a ladder; it keeps its standing, and is not entered again by itself."""
    Entry.objects.update_or_create(ladder=ladder, bot=bot, defaults={"left_at": timezone.now()})


@transaction.atomic
def start_next_season(season_id: int) -> Season | None:
    """Start the season after one that is over, of the same length; None where it has started already."""
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
        },
    )
    return following if is_new else None


@transaction.atomic
def close_season(season_id: int) -> bool:
    """Archive a season once the last of its matches is settled."""
    season = Season.objects.select_for_update().get(pk=season_id)
    if season.closed_at or matchmaking.open_matches(season.pk) or has_unsettled(season):
        return False
    Season.objects.filter(pk=season_id).update(closed_at=Now())
    return True


def has_unsettled(season: Season) -> bool:
    owed = [
        payload["match"] for payload in Outbox.objects.filter(kind="settle").values_list("payload", flat=True)
    ]
    return Match.objects.filter(pk__in=owed, purpose=Match.Purpose.LADDER, purpose_id=season.pk).exists()


def roll_seasons() -> None:
    """Start what begins and archive what is over."""
    over = Season.objects.filter(ends_at__lte=Now(), closed_at=None, ladder__is_open=True)
    for season_id in over.values_list("pk", flat=True):
        start_next_season(season_id)
        close_season(season_id)


def update_best_ranks() -> int:
    """Note new best ranks, and tell the authors; return how many there were."""
    found = 0
    for season in Season.objects.filter(closed_at=None).select_related("ladder"):
        ranked = (
            Standing.objects.filter(season=season)
            .annotate(rank=Window(RowNumber(), order_by=[F("rating").desc(), F("pk").asc()]))
            .values_list("bot_id", "rank", "games")
        )
        best = dict(season.ladder.entries.values_list("bot_id", "best_rank"))
        for bot_id, rank, games in ranked:
            known = best.get(bot_id)
            if games >= GAMES_TO_RANK and (known is None or rank < known):
                found += note_best_rank(season, bot_id, rank, is_first=known is None)
    return found


@transaction.atomic
def note_best_rank(season: Season, bot_id: int, rank: int, is_first: bool) -> bool:
    entries = Entry.objects.select_for_update().filter(ladder=season.ladder_id, bot=bot_id)
    entry = entries.select_related("bot").first()
    if entry is None or (entry.best_rank is not None and entry.best_rank <= rank):
        return False
    Entry.objects.filter(pk=entry.pk).update(best_rank=rank)
    if not is_first and not entry.bot.is_house:
        text = _("%(bot)s is number %(rank)d of %(ladder)s, its best rank so far.") % {
            "bot": entry.bot.name,
            "rank": rank,
            "ladder": season.ladder.name,
        }
        notify(entry.bot.owner_id, text, season.ladder.get_absolute_url())
    return True
