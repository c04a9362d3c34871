"""Corrections and the check of a filled arena, as an operator meets them: by the clock."""

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from django.db import connection, transaction

from arena.ladders import correcting, queries, results
from arena.ladders.models import Result, Season
from arena.matches.models import Match
from bench._growth_work import quiet_settings

SEASON = 2
"""The open one of `ladder-0`, which has 60 % of the matches."""
ASK_EVERY = 0.25


def measure_corrections() -> dict[str, float]:
    """Void the newest and the oldest result that count, and correct what follows, as a worker does."""
    counted = Result.objects.filter(season=SEASON, match__isnull=False, voided_by=None).order_by("sequence")
    oldest, newest = counted[0].match_id or 0, counted.reverse()[0].match_id or 0
    figures = {}
    with quiet_settings():
        figures["void the newest result, ms"] = 1000 * seconds(lambda: void(newest))
        figures["void the oldest result, ms"] = 1000 * seconds(lambda: void(oldest))
        waits: list[float] = []
        computed = time.process_time()
        with asking_for_the_lock(waits):
            figures["correct what follows from it, s"] = seconds(correct_all)
        figures["CPU of Python for that, s"] = time.process_time() - computed
    waits.sort()
    figures["median wait meanwhile, ms"] = 1000 * waits[len(waits) // 2]
    figures["longest wait meanwhile, ms"] = 1000 * waits[-1]
    return figures


def void(match_id: int) -> None:
    Match.objects.filter(pk=match_id).update(state=Match.State.VOIDED)
    results.settle_match(match_id)


def correct_all() -> None:
    while not correcting.correct(SEASON, correcting.BATCHES):
        pass


@contextmanager
def asking_for_the_lock(waits: list[float]) -> Iterator[None]:
    """Meanwhile ask for the season's lock from time to time, as settling does, and note how long that took."""
    is_over = Event()

    def lock() -> None:
        with transaction.atomic():
            queries.lock_season(SEASON)

    def ask() -> None:
        while True:
            waits.append(seconds(lock))
            if is_over.wait(ASK_EVERY):
                break
        connection.close()

    thread = Thread(target=ask)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def measure_check() -> dict[str, float]:
    """Run the check as an operator does, and note the memory of its process."""
    Season.objects.get(pk=SEASON)  # fails here, and clearly, where nothing was filled
    began = time.perf_counter()
    check = subprocess.run(
        [sys.executable, "manage.py", "fold_ratings", "--check"], capture_output=True, text=True, check=False
    )
    if check.returncode:
        raise RuntimeError(check.stdout + check.stderr)
    return {
        "fold_ratings --check, s": time.perf_counter() - began,
        "fold_ratings --check, MB": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
    }


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
