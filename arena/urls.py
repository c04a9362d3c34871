"""The addresses of the arena. Each app keeps its own in its `urls.py`."""

from django.contrib import admin
from django.urls import include, path

from arena import health

urlpatterns = [
    path("host/v1/", include("arena.matches.host_urls")),  # asked for most often
    path("", include("arena.pages.urls")),
    path("", include("arena.accounts.urls")),
    path("", include("arena.bots.urls")),
    path("", include("arena.replays.urls")),
    path("", include("arena.challenges.urls")),
    path("", include("arena.tournaments.urls")),
    path("", include("arena.matches.urls")),
    path("", include("arena.ladders.urls")),
    path("", include("arena.api.urls")),
    path("admin/", admin.site.urls),
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
]

handler400 = "arena.pages.errors.bad_request"
handler403 = "arena.pages.errors.forbidden"
handler404 = "arena.pages.errors.not_found"
handler500 = "arena.pages.errors.server_error"
