"""Replays in the API: the record of a match that is over, and where its viewer and frames are."""

import json
from base64 import b64encode
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.accounts.authentication import NeedsPrivate
from arena.bots.selectors import open_private
from arena.replays import selectors
from workers.match.retelling import Told


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


class MessageSerializer(serializers.Serializer):
    message = serializers.CharField(help_text="A HostMessage of the protocol, in base64.")
    step = serializers.IntegerField(
        allow_null=True, help_text="Of a decision request: how many actions the game had seen."
    )
    played = serializers.IntegerField(allow_null=True, help_text="The action that was played then.")
    charged_us = serializers.IntegerField(allow_null=True, help_text="Microseconds that the bot was charged.")


class SeatMessagesSerializer(serializers.Serializer):
    seat = serializers.IntegerField()
    bot = serializers.CharField(help_text="The bot's address.")
    name = serializers.CharField()
    version = serializers.IntegerField()
    messages = MessageSerializer(many=True)


class SeatMessages(APIView):
    permission_classes = [NeedsPrivate]

    @extend_schema(
        summary="What your own bots were sent in a match that is over",
        description="For each seat of yours, every message in order, recomputed from the record; "
        "`aztlan debug` feeds them to your bot again. Of other seats you see nothing.",
        parameters=[OpenApiParameter("id", str, OpenApiParameter.PATH, pattern="^[a-z0-9]{1,16}$")],
        responses=SeatMessagesSerializer(many=True),
    )
    def get(self, request: Request, id: str) -> Response:  # noqa: A002  as the address calls it
        match = selectors.find_match(request.user, id)
        record = selectors.open_record(match)
        seats: list[dict[str, Any]] = []
        for taken in selectors.seats_of(match):
            if open_private(request.user, taken.version, f"read messages of match {id}"):
                told = selectors.messages_to(match, record, taken.seat)
                seats.append(
                    {
                        "seat": taken.seat,
                        "bot": taken.version.bot.slug,
                        "name": taken.version.bot.name,
                        "version": taken.version.number,
                        "messages": [message_data(one) for one in told],
                    }
                )
        return Response(seats)


def message_data(told: Told) -> dict[str, Any]:
    is_question = told.step >= 0
    return {
        "message": b64encode(told.data).decode(),
        "step": told.step if is_question else None,
        "played": told.played if is_question else None,
        "charged_us": told.charged_us if is_question else None,
    }
