"""Replays in the API: the record of a match that is over, and where its viewer and frames are."""

import json

from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.replays import selectors


class ReplaySerializer(serializers.Serializer):
    record = serializers.JSONField(help_text="Everything to play the match again; `aztlan verify` checks it.")
    watch = serializers.URLField(help_text="The page with the viewer; any step has an address of its own.")
    frames = serializers.URLField(help_text="What spectators see, one JSON object a line.")


class Replay(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        summary="The replay of a match that is over",
        parameters=[OpenApiParameter("id", str, OpenApiParameter.PATH, pattern="^[a-z0-9]{1,16}$")],
        responses=ReplaySerializer,
    )
    def get(self, request: Request, id: str) -> Response:  # noqa: A002  as the address calls it
        match = selectors.find_match(request.user, id)
        record = selectors.open_record(match)
        frames = reverse("match-frames", args=[match.public_id, "public"])
        return Response(
            {
                "record": json.loads(record.to_json()),
                "watch": request.build_absolute_uri(match.get_absolute_url()),
                "frames": request.build_absolute_uri(frames),
            }
        )
