"""Periodic tasks: one service call each."""

from celery import shared_task

from arena.hosts import attempts


@shared_task
def reap() -> None:
    attempts.reap()
