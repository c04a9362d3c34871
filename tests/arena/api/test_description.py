"""The description of the API is built once, whoever asks first and how many at once, and then served as a file."""

import gzip
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from drf_spectacular.generators import SchemaGenerator

from arena.api import description, docs

CROWD = 24


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often the description was built since now, in a process that has just begun."""
    caches = (description._build, description._file, docs.describe)  # a new process has none
    built: list[int] = []
    build = SchemaGenerator.get_schema

    def counted(*args: Any, **kwargs: Any) -> Any:
        built.append(1)
        return build(*args, **kwargs)

    monkeypatch.setattr(SchemaGenerator, "get_schema", counted)
    for one in caches:
        one.cache_clear()
    return built


def test_a_crowd_that_asks_at_once_has_it_built_once_and_nobody_gets_an_error(builds: list[int]) -> None:
    together = threading.Barrier(CROWD)

    def ask(number: int) -> HttpResponse:
        together.wait()
        if number % 4 == 0:
            docs.describe()  # the page for people is drawn from the same
        return description.schema_file(RequestFactory().get("/api/v1/schema"))

    with ThreadPoolExecutor(CROWD) as crowd:
        answers = list(crowd.map(ask, range(CROWD)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert len(builds) == 1


@pytest.mark.django_db
def test_it_is_the_same_whoever_asks_in_whichever_language_and_may_be_kept(
    builds: list[int], client: Client
) -> None:
    german = client.get("/api/v1/schema", headers={"accept-language": "de"})
    packed = client.get("/api/v1/schema?lang=de", headers={"accept-encoding": "gzip"})
    assert gzip.decompress(packed.content) == german.content
    assert json.loads(german.content)["info"]["title"] == "Aztlán Arena"
    assert packed["ETag"] == german["ETag"]
    again = client.get("/api/v1/schema", headers={"if-none-match": german["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert len(builds) == 1
