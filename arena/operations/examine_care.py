"""Backups and other scheduled care, and work that is stuck."""

from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from arena.operations.care import BACKUP, FAILED, RUNBOOK
from arena.operations.diagnosis import Diagnosis, ok, warning, wrong
from arena.operations.models import CareRun
from arena.operations.stuck import count_stuck

LATE = timedelta(hours=26)


def care_is_taken() -> Iterator[Diagnosis]:
    runs = {run.kind: run for run in CareRun.objects.all()}
    for run in runs.values():
        if run.note.startswith(FAILED):
            yield wrong(f"The last {run.kind} {run.note}", f"See {RUNBOOK}#aztlancarefailed.")
        else:
            yield ok(f"The last {run.kind} went well at {run.ran_at:%Y-%m-%d %H:%M} UTC: {run.note}.")
    if not settings.BACKUPS:
        yield warning(
            "No backups are scheduled here.", "Set ARENA_BACKUPS to a folder, or make sure others make them."
        )
        return
    backup = runs.get(BACKUP)
    if backup is None or backup.succeeded_at is None:
        yield warning(
            "No scheduled backup has been made yet.",
            "See that a worker of the queue heavy and the scheduler run at 3:10 UTC.",
        )
    elif backup.succeeded_at < timezone.now() - LATE:
        yield wrong(
            f"The last good backup is of {backup.succeeded_at:%Y-%m-%d %H:%M} UTC.",
            f"See {RUNBOOK}#aztlanbackupold.",
        )


def nothing_is_stuck() -> Iterator[Diagnosis]:
    stuck = {kind: count for kind, count in count_stuck().items() if count}
    for kind, count in stuck.items():
        yield wrong(f"{count} of kind {kind} are stuck.", f"See {RUNBOOK}#stuck-{kind.replace('_', '-')}.")
    if not stuck:
        yield ok("Nothing is stuck.")
