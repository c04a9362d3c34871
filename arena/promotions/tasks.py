"""Tasks on the queue `arena`: one service call each."""

from celery import shared_task

from arena.promotions import services


@shared_task
def keep_tests_going() -> None:
    services.keep_going()
