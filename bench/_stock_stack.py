"""The arena on Django's stock stack: its ASGI handler alone, WhiteNoise and Django's cache as middleware."""

import os

from django.conf import settings
from django.core.asgi import get_asgi_application

os.environ.setdefault("ARENA_DATABASE_POOL", "10")
settings.CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": settings.REDIS_URL}
}
settings.CACHE_MIDDLEWARE_SECONDS = settings.SHARED_SECONDS
settings.CACHE_MIDDLEWARE_KEY_PREFIX = "stock"
watch, *others = settings.MIDDLEWARE
settings.MIDDLEWARE = [
    watch,
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.cache.UpdateCacheMiddleware",
    *others,
    "django.middleware.cache.FetchFromCacheMiddleware",
]
stock = get_asgi_application()

from arena.proxies import believe_proxies  # noqa: E402  it reads the settings

application = believe_proxies(stock)
