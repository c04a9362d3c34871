"""A database that cannot answer just now is no fault of the arena's: visitors are told to come again."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def away() -> Iterator[None]:
    """As when no connection was free for ten seconds."""

    def refuse(*_: Any) -> None:
        raise OperationalError("couldn't get a connection after 10.00 sec")

    with connection.execute_wrapper(refuse):
        yield


def test_a_page_says_so_and_when_to_come_again(away: None) -> None:
    answer = Client(raise_request_exception=False).get("/bots/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "very busy" in answer.content.decode()
    assert "connection" not in answer.content.decode()


def test_the_api_says_so_in_its_own_shape(away: None) -> None:
    answer = Client(raise_request_exception=False).get("/api/v1/bots")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json() == {
        "code": "busy",
        "message": "The arena is very busy right now.",
        "fields": {},
        "wait_seconds": 5,
    }
