"""The addresses of the arena. Each app keeps its own in its `urls.py`."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("host/v1/", include("arena.hosts.host_urls")),  # asked for most often
    path("host/v1/tables/", include("arena.play.table_urls")),
    path("", include("arena.replays.urls")),  # it registers the converter of match ids
    path("", include("arena.analysis.urls")),
    path("", include("arena.discovery.urls")),
    path("", include("arena.pages.urls")),
    path("", include("arena.accounts.urls")),
    path("", include("arena.notices.urls")),
    path("", include("arena.packages.urls")),
    path("", include("arena.browser.urls")),
    path("", include("arena.bots.urls")),
    path("", include("arena.teams.urls")),
    path("", include("arena.play.urls")),
    path("", include("arena.challenges.urls")),
    path("", include("arena.tournaments.urls")),
    path("", include("arena.promotions.urls")),
    path("", include("arena.hosts.urls")),
    path("", include("arena.ladders.urls")),
    path("", include("arena.api.urls")),
    path("admin/", admin.site.urls),
]

handler400 = "arena.pages.errors.bad_request"
handler403 = "arena.pages.errors.forbidden"
handler404 = "arena.pages.errors.not_found"
handler500 = "arena.pages.errors.server_error"
