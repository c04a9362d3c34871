"""The jaguar has an active version and a candidate that plays only when it is better; one host is online."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from arena.bots.models import Bot, Version
    from arena.promotions.models import PromotionTest


@pytest.fixture
def picky(active: Version) -> Bot:
    """The jaguar, whose new versions play only when they are better."""
    from arena.bots.models import Bot

    Bot.objects.filter(pk=active.bot_id).update(only_when_better=True)
    return Bot.objects.get(pk=active.bot_id)


@pytest.fixture
def host(db: None) -> None:
    from arena.hosts import services as hosts
    from tests.arena.cast import HOST_STATE

    hosts.beat("host", {**HOST_STATE, "slots": 8})


@pytest.fixture
def candidate(picky: Bot, host: None) -> Version:
    from tests.arena.people import pass_validation, submit

    return pass_validation(submit(picky, "print(2)\n"))


@pytest.fixture
def trial(candidate: Version) -> PromotionTest:
    """The running test of the candidate."""
    return candidate.promotion_tests.get()


@pytest.fixture
def play(trial: PromotionTest) -> Callable[..., None]:
    """Plan sets and have them all won by the candidate, or lost, until so many were played."""
    from tests.arena.promotions.playing import play_sets

    return lambda sets, wins=True, fails=False: play_sets(trial, sets, wins, fails)
