"""Computing in another process: its answers, its errors, and what happens when it is killed."""

import os
from collections.abc import Iterator
from functools import partial
from math import factorial

import psutil
import pytest

from arena.offload import Helper


@pytest.fixture
def helper() -> Iterator[Helper]:
    made = Helper()
    yield made
    made.stop()


def test_it_is_another_process_which_stays(helper: Helper) -> None:
    numbers = {helper.call(os.getpid) for _ in range(3)}
    assert len(numbers) == 1
    assert os.getpid() not in numbers


def test_an_error_reaches_the_caller_and_the_next_call_is_answered(helper: Helper) -> None:
    with pytest.raises(ValueError, match="negative"):
        helper.call(partial(factorial, -1))
    assert helper.call(partial(factorial, 5)) == 120


def test_one_that_was_killed_is_started_again(helper: Helper) -> None:
    first = helper.call(os.getpid)
    process = psutil.Process(first)
    process.kill()
    psutil.wait_procs([process], timeout=60)
    assert helper.call(os.getpid) != first


def test_it_ends_with_the_connection_so_that_a_killed_web_process_leaves_nothing(helper: Helper) -> None:
    process = psutil.Process(helper.call(os.getpid))
    assert helper.connection is not None
    helper.connection.close()
    psutil.wait_procs([process], timeout=60)
    assert not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
