"""The web application: `uvicorn --no-proxy-headers arena.asgi:application`."""

import os

from django.core.asgi import get_asgi_application

from arena.body_limit import limit_bodies
from arena.static_files import serve_static

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
os.environ.setdefault("ARENA_DATABASE_POOL", "10")

django_application = get_asgi_application()

# These read the settings.
from arena.proxies import believe_proxies  # noqa: E402
from arena.shared_answers import share_answers  # noqa: E402
from arena.turns import Turns  # noqa: E402

application = believe_proxies(serve_static(limit_bodies(Turns(share_answers(django_application)))))
