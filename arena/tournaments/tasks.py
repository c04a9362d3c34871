"""Tasks on the queue `arena`: one service call each."""

from celery import shared_task

from arena.tournaments import calendar


@shared_task
def keep_time() -> None:
    calendar.keep_time()
