"""The web application: `uvicorn --no-proxy-headers arena.asgi:application`."""

import os

import django

from arena.body_limit import limit_bodies
from arena.static_files import serve_static

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
os.environ.setdefault("ARENA_DATABASE_POOL", "10")

django.setup(set_prefix=False)

from arena.handler import Handler  # noqa: E402  it reads the settings
from arena.proxies import believe_proxies  # noqa: E402

application = believe_proxies(serve_static(limit_bodies(Handler())))
