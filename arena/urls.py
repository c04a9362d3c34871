"""The addresses of the arena. Each app keeps its own in its `urls.py`."""

from django.contrib import admin
from django.urls import include, path

from arena import health

urlpatterns = [
    path("", include("arena.pages.urls")),
    path("", include("arena.accounts.urls")),
    path("host/v1/", include("arena.matches.host_urls")),
    path("admin/", admin.site.urls),
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
]
