"""The tables of who listens to what, and who does owed work, name functions that exist."""

from inspect import signature

import pytest
from django.utils.module_loading import import_string

from arena.celery import QUEUES
from arena.listeners import HANDLERS, LISTENERS, Happening, publish
from arena.matches.models import Match


@pytest.mark.parametrize("happening", Happening)
def test_everything_that_is_published_has_a_listener_that_can_be_called(happening: Happening) -> None:
    for listener in LISTENERS[happening]:
        assert signature(import_string(listener.function)).parameters
        assert listener.purpose in {"", *Match.Purpose.values}


@pytest.mark.parametrize("kind", HANDLERS)
def test_owed_work_of_each_kind_has_a_handler_and_a_queue(kind: str) -> None:
    assert len(signature(import_string(HANDLERS[kind].function)).parameters) == 1
    assert HANDLERS[kind].queue in QUEUES


@pytest.mark.django_db
def test_a_listener_with_a_purpose_hears_only_of_that_purpose() -> None:
    assert publish(Happening.RESULTS_DELAYED, [1], purpose="challenge") == []
    assert publish(Happening.RESULTS_DELAYED, [1], purpose="ladder") == [{}]
