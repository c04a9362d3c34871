"""The web application: `uvicorn arena.asgi:application`."""

import os

from django.core.asgi import get_asgi_application

from arena.body_limit import limit_bodies
from arena.static_files import serve_static

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
os.environ.setdefault("ARENA_DATABASE_POOL", "10")

application = serve_static(limit_bodies(get_asgi_application()))
