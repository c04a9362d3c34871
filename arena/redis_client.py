"""The arena's connection to Redis."""

from django.conf import settings
from redis import Redis


def redis_client() -> Redis:
    return Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2, socket_timeout=2)
