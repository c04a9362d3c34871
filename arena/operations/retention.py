"""Retention: delete old logs and replays. Results, ratings and seeds always stay."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.core.files.storage import default_storage
from django.db.models import Q, QuerySet
from django.utils import timezone

from arena.bots.models import VersionEvent
from arena.hosts.models import Attempt
from arena.matches.models import Match, MatchReport, ReportArchive, SeatLog
from arena.notices.models import WebhookDelivery
from arena.replays.models import WinChances

# Keeps each statement well below the statement timeout, and its locks short.
BATCH = 1000
KEEP_DONE = timedelta(days=7)
"""How long an attempt is kept that went well: what came of it is in the report."""


def forget_old() -> dict[str, int]:
    """Delete logs and replays that are older than the settings allow; return how many, by kind."""
    found: dict[str, int] = {}
    if settings.KEEP_LOGS_DAYS:
        found |= forget_logs(timezone.now() - timedelta(days=settings.KEEP_LOGS_DAYS))
    if settings.KEEP_REPLAYS_DAYS:
        found |= forget_replays(timezone.now() - timedelta(days=settings.KEEP_REPLAYS_DAYS))
    return found


def forget_logs(before: datetime) -> dict[str, int]:
    """Delete the output and notes of bots, build logs, and what was sent to webhooks."""
    old_builds = VersionEvent.objects.filter(at__lt=before).exclude(log="")
    return {
        "logs of seats": in_batches(SeatLog.objects.filter(seat__match__finished_at__lt=before), delete),
        "logs of builds": in_batches(old_builds, lambda rows: rows.update(log="")),
        "deliveries": in_batches(WebhookDelivery.objects.filter(created_at__lt=before), delete),
        "attempts": in_batches(attempts_that_went_well(max(before, timezone.now() - KEEP_DONE)), delete),
    }


def attempts_that_went_well(before: datetime) -> QuerySet[Attempt]:
    """Return attempts whose report was published. Those that failed stay: they say what goes wrong."""
    done = Attempt.objects.filter(ended_at__lt=before, state=Attempt.State.DONE, match__isnull=False)
    return done.exclude(fault__in=[Attempt.Fault.HOST, Attempt.Fault.ARENA]).filter(held_report=None)


def forget_replays(before: datetime) -> dict[str, int]:
    """Delete records and what was computed from them. Those of tournaments stay as proof."""
    old = Q(match__finished_at__lt=before) & ~Q(match__purpose=Match.Purpose.TOURNAMENT)
    return {
        "chances": in_batches(WinChances.objects.filter(old), delete),
        "records": in_batches(MatchReport.objects.filter(old), delete),
        "archives": in_batches(ReportArchive.objects.filter(finished_to__lt=before), delete_archives),
    }


def delete_archives(archives: QuerySet[ReportArchive]) -> int:
    """Delete archives with their files; where it is killed between the two, the next night goes on."""
    for archive in archives:
        default_storage.delete(archive.name)
    return archives.delete()[0]


def delete(rows: QuerySet) -> int:
    return rows.delete()[0]


def in_batches(rows: QuerySet, forget: Callable[[QuerySet], int]) -> int:
    """Apply `forget` to all rows, some at a time; afterwards none of them may be in the query any more."""
    count = 0
    while ids := list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        count += forget(rows.filter(pk__in=ids))
    return count
