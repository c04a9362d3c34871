"""The acts of `tests.arena.events` as fixtures."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.arena import events

if TYPE_CHECKING:
    from arena.accounts.models import User
    from arena.tournaments.models import Tournament


@pytest.fixture
def make_tournament(olin: User) -> Callable[..., Tournament]:
    return partial(events.new_event, olin)


@pytest.fixture
def play_open(db: None) -> Callable[..., int]:
    return events.play_open


@pytest.fixture
def play_out(db: None) -> Callable[..., int]:
    return events.play_out
