"""Tasks for operators: one service call each."""

from celery import shared_task

from arena.operations import care, stuck

# A backup of a large arena takes longer than other tasks may.
BACKUP_SECONDS = 6 * 3600


@shared_task
def forget_old() -> None:
    care.forget_old()


@shared_task(time_limit=BACKUP_SECONDS, soft_time_limit=BACKUP_SECONDS - 60)
def make_backup() -> None:
    care.make_backup()


@shared_task
def refresh_statistics() -> None:
    care.refresh_statistics()


@shared_task
def report_stuck() -> None:
    stuck.report_stuck()
