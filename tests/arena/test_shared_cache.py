"""The cache: shared by all processes, bytes only, and never a reason for an error."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.cache import cache
from pytest_django import Settings

from arena.redis_client import impatient_client
from arena.shared_cache import get_or_build

pytestmark = pytest.mark.usefixtures("redis")
CROWD = 12


def test_what_is_set_is_found_until_its_time_is_over() -> None:
    cache.set("a", b"1", 60)
    assert cache.get("a") == b"1"
    assert 0 < impatient_client().pttl(cache.make_key("a")) <= 60_000
    assert cache.delete("a")
    assert cache.get("a", b"nothing") == b"nothing"


def test_the_first_who_adds_wins_and_touching_keeps_the_value() -> None:
    assert cache.add("a", b"1", 60)
    assert not cache.add("a", b"2", 60)
    assert cache.touch("a", None)
    assert (cache.get("a"), impatient_client().pttl(cache.make_key("a"))) == (b"1", -1)
    assert not cache.touch("b")


def test_clearing_the_cache_leaves_the_queues_alone() -> None:
    impatient_client().set("another", b"stays")
    cache.set("a", b"1")
    cache.clear()
    assert (cache.get("a"), impatient_client().get("another")) == (None, b"stays")


def test_a_crowd_that_asks_at_once_has_it_built_once() -> None:
    together, built = threading.Barrier(CROWD), []

    def build() -> bytes:
        built.append(1)
        return b"costly"

    def ask(_: int) -> bytes:
        together.wait()
        return get_or_build("frames", build, 60)

    with ThreadPoolExecutor(CROWD) as crowd:
        assert set(crowd.map(ask, range(CROWD))) == {b"costly"}
    assert built == [1]


def test_whoever_fails_to_build_leaves_it_to_the_next() -> None:
    def fail() -> bytes:
        raise ValueError("no frames")

    with pytest.raises(ValueError, match="no frames"):
        get_or_build("frames", fail, 60)
    assert get_or_build("frames", lambda: b"built", 60) == b"built"


def test_without_redis_everything_is_built_and_nothing_fails(settings: Settings) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1"
    cache.set("a", b"1")
    assert cache.get("a", b"none") == b"none"
    assert not cache.add("a", b"1")
    assert not cache.delete("a")
    assert get_or_build("frames", lambda: b"built", 60) == b"built"
