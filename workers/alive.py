"""A sign of life for supervisors: a file that is touched while this worker's consumer is running.

A process may be alive and consume nothing, so the consumer itself gives the sign, not a thread.
"""

from pathlib import Path
from typing import Any

from celery import bootsteps

from workers import env

TOUCH_SECONDS = 5.0


class ShowLife(bootsteps.StartStopStep):
    """Touches the file that ARENA_ALIVE_FILE names, if it names one."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def start(self, parent: Any) -> None:
        path = env.text("ARENA_ALIVE_FILE", "")
        self.timer = parent.timer.call_repeatedly(TOUCH_SECONDS, Path(path).touch) if path else None
        if path:
            Path(path).touch()

    def stop(self, parent: Any) -> None:  # noqa: ARG002  Celery passes it
        if timer := getattr(self, "timer", None):
            timer.cancel()
