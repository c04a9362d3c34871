"""Tasks of the replays: ids in, one service call."""

from celery import shared_task

from arena.replays import services


@shared_task
def work_out_chances(match_id: int) -> None:
    services.work_out_chances(match_id)
