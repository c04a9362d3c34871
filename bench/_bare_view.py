"""A Django that does nothing but answer: no middleware, no database, one short page."""

from django.conf import settings
from django.core.asgi import get_asgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path

settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="nothing is signed", USE_TZ=True)


def answer(request: HttpRequest) -> HttpResponse:  # noqa: ARG001  as any view is called
    return HttpResponse("<!doctype html><title>bare</title><p>Here.")


urlpatterns = [path("", answer)]
application = get_asgi_application()
