"""Tasks on the queue `arena`, estimates and counts on `heavy`: one service call each."""

from celery import shared_task

from arena.ladders import matchmaking, services, strengths, tallying


@shared_task
def fill_ladders() -> None:
    matchmaking.fill_all()


@shared_task
def roll_seasons() -> None:
    services.roll_seasons()


@shared_task
def update_best_ranks() -> None:
    services.update_best_ranks()


@shared_task
def estimate_strengths() -> None:
    strengths.estimate_due()


@shared_task
def tally_results() -> None:
    tallying.tally_due()
