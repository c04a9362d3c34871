"""Tasks for operators: one service call each."""

import logging

from celery import shared_task

from arena.operations import retention

log = logging.getLogger(__name__)


@shared_task
def forget_old() -> None:
    for kind, count in retention.forget_old().items():
        log.info("forgot %s %s", count, kind)
