"""Pages that ask nothing of the database: the same template or serializer on rows already in memory."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.urls import path
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import arena.urls

SHOWN: dict[str, Any] = {}
"""What the measured page was made of: `html`, a template's name and context; `api`, a serializer and rows."""


def html(request: HttpRequest) -> HttpResponse:
    name, context = SHOWN["html"]
    return HttpResponse(loader.render_to_string(name, context, request))


class Api(APIView):
    permission_classes = (AllowAny,)

    def get(self, request: Request) -> Response:
        serializer, rows, many = SHOWN["api"]
        data = serializer(rows, many=many, context={"request": request}).data
        return Response({"next": None, "previous": None, "results": data} if many else data)


urlpatterns = [path("bench/html", html), path("bench/api", Api.as_view()), *arena.urls.urlpatterns]
