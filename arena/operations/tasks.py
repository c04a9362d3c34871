"""Tasks for operators: one service call each."""

import logging

from celery import shared_task

from arena.operations import retention
from arena.storage_down import StorageDownError

log = logging.getLogger(__name__)


@shared_task
def forget_old() -> None:
    try:
        for kind, count in retention.forget_old().items():
            log.info("forgot %s %s", count, kind)
    except StorageDownError as error:
        log.error("%s The next night deletes what was left.", error)
