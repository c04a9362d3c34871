"""The web application: `uvicorn arena.asgi:application`."""

import os
import warnings

from django.core.asgi import get_asgi_application

from arena.body_limit import limit_bodies

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
os.environ.setdefault("ARENA_DATABASE_POOL", "10")
# WhiteNoise hands over small files as plain iterators; Django reads them at once, which is meant.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")

application = limit_bodies(get_asgi_application())
