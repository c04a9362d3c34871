"""The Celery task of a match host: a message names an attempt, and this process tries it."""

import asyncio
import logging
import os
from functools import cache

import uvloop
from billiard.process import current_process
from celery import shared_task

from workers.host import drain
from workers.host.config import read_config
from workers.host.host import MatchHost
from workers.logs import concerning
from workers.sandbox.choose import open_sandbox, settings_from_environment
from workers.settings import RUN_ATTEMPT

log = logging.getLogger(__name__)


@shared_task(name=RUN_ATTEMPT)
def run_attempt(attempt_id: int, token: str) -> None:
    loop, host = this_process()
    with concerning(attempt=attempt_id):
        loop.run_until_complete(host.run(attempt_id, token))
    if host.is_broken:
        this_process.cache_clear()
        loop.run_until_complete(host.close())


@cache
def this_process() -> tuple[asyncio.AbstractEventLoop, MatchHost]:
    """Return this process's event loop and host, made for its first task and kept."""
    config = read_config()
    cpus = own_processor() if config.pin else None
    loop = uvloop.new_event_loop()
    asyncio.set_event_loop(loop)
    sandbox = loop.run_until_complete(open_sandbox(settings_from_environment()))
    return loop, MatchHost(config, sandbox, lambda: drain.is_over(config.drain_seconds), cpus)


def own_processor() -> frozenset[int] | None:
    """Pin this process to one CPU if there are several; return that CPU, for its bots."""
    processors = sorted(os.sched_getaffinity(0))
    index = getattr(current_process(), "index", 0)
    if len(processors) < 2:
        return None
    mine = {processors[index % len(processors)]}
    os.sched_setaffinity(0, mine)
    return frozenset(mine)
