"""The arena's connections to Redis."""

import asyncio
from functools import cache
from weakref import WeakKeyDictionary

from django.conf import settings
from redis import Redis
from redis.asyncio import BlockingConnectionPool
from redis.asyncio import Redis as AsyncRedis
from redis.backoff import NoBackoff
from redis.retry import Retry

PATIENCE_SECONDS = 1
"""A Redis that takes longer counts as unavailable: visitors must not wait for a counter or a cache."""
ASYNC_CONNECTIONS = 16
_async_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncRedis] = WeakKeyDictionary()


def redis_client() -> Redis:
    """Return a client for one block: `with redis_client() as client`."""
    return Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2, socket_timeout=2)


def impatient_client() -> Redis:
    """Return the client that all threads of this process share, for what pages can do without."""
    return connect(settings.REDIS_URL)


@cache
def connect(url: str) -> Redis:
    """Return a client that hardly retries: otherwise visitors would wait seconds for each call."""
    return Redis.from_url(
        url,
        socket_connect_timeout=PATIENCE_SECONDS,
        socket_timeout=PATIENCE_SECONDS,
        retry=Retry(NoBackoff(), 1),
    )


def async_client() -> AsyncRedis:
    """Return the same for coroutines: one client per event loop, as its connections belong to the loop."""
    loop = asyncio.get_running_loop()
    client = _async_clients.get(loop)
    if client is None:
        pool = BlockingConnectionPool.from_url(
            settings.REDIS_URL,
            max_connections=ASYNC_CONNECTIONS,
            timeout=PATIENCE_SECONDS,
            socket_connect_timeout=PATIENCE_SECONDS,
            socket_timeout=PATIENCE_SECONDS,
        )
        client = _async_clients[loop] = AsyncRedis(connection_pool=pool)
    return client
