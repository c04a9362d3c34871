"""The cache that all web processes share: Django's cache framework on Redis.

Django's own Redis backend stores pickles, opens a new connection for every request under ASGI, and raises an
error when Redis is down. This one stores bytes, shares one client per process, and treats a failing Redis as
an empty cache: pages become slower, never wrong.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.core.cache import cache
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from redis import RedisError

from arena.redis_client import async_client, impatient_client

log = logging.getLogger(__name__)
BUILD_SECONDS = 10
"""How long others wait for an answer that is being built before they build it themselves."""
FAILURES = (RedisError, OSError)


class RedisCache(BaseCache):
    """Values are bytes. Named in `settings.CACHES`."""

    def __init__(self, _location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        try:
            value = impatient_client().get(self.make_and_validate_key(key, version))
        except FAILURES as error:
            return warn(error, default)
        return default if value is None else value

    async def aget(self, key: str, default: Any = None, version: int | None = None) -> Any:
        try:
            value = await async_client().get(self.make_and_validate_key(key, version))
        except FAILURES as error:
            return warn(error, default)
        return default if value is None else value

    def set(
        self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        self._set(key, value, timeout, version)

    async def aset(
        self,
        key: str,
        value: Any,
        timeout: float | None = DEFAULT_TIMEOUT,  # noqa: ASYNC109  as Django calls it
        version: int | None = None,
    ) -> None:
        name = self.make_and_validate_key(key, version)
        try:
            await async_client().set(name, value, px=self._milliseconds(timeout))
        except FAILURES as error:
            warn(error)

    def add(
        self, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        return self._set(key, value, timeout, version, nx=True)

    def touch(self, key: str, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        value = self.get(key, version=version)
        return value is not None and self._set(key, value, timeout, version)

    def delete(self, key: str, version: int | None = None) -> bool:
        try:
            return bool(impatient_client().delete(self.make_and_validate_key(key, version)))
        except FAILURES as error:
            return bool(warn(error))

    def clear(self) -> None:
        """Delete what this cache wrote, and nothing else: the queues are in the same Redis."""
        client = impatient_client()
        for name in client.scan_iter(f"{self.key_prefix}:*", count=1000):
            client.delete(name)

    def _set(
        self, key: str, value: Any, timeout: float | None, version: int | None, nx: bool = False
    ) -> bool:
        name = self.make_and_validate_key(key, version)
        if value is True:  # how allauth marks a token as used
            value = b"1"
        try:
            return bool(impatient_client().set(name, value, px=self._milliseconds(timeout), nx=nx))
        except FAILURES as error:
            return bool(warn(error))

    def _milliseconds(self, timeout: float | None) -> int | None:
        seconds = self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
        return None if seconds is None else max(1, int(seconds * 1000))


def warn(error: Exception, answer: Any = None) -> Any:
    log.warning("The cache is not used while Redis is unavailable: %s", error)
    return answer


def get_or_build(key: str, build: Callable[[], bytes], seconds: int) -> bytes:
    """Return what is cached, or build it: once, however many processes are asked for it at the same time."""
    found: bytes | None = cache.get(key)
    if found is not None:
        return found
    with _lock(f"lock:{key}"):
        found = cache.get(key)  # another process may have built it meanwhile
        if found is None:
            found = build()
            cache.set(key, found, seconds)
        return found


@contextmanager
def _lock(name: str) -> Iterator[None]:
    """Hold a lock for the block; without Redis, or after waiting too long, go on without it."""
    lock = impatient_client().lock(name, timeout=BUILD_SECONDS, blocking_timeout=BUILD_SECONDS, sleep=0.02)
    is_held = False
    try:
        is_held = lock.acquire()
    except FAILURES as error:
        warn(error)
    try:
        yield
    finally:
        if is_held:
            with suppress(*FAILURES):  # it may have expired
                lock.release()
