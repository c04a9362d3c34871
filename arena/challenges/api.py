"""Challenges in the API."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.fields import empty
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.accounts.authentication import NeedsMatches
from arena.accounts.requests import maker_of, person_of
from arena.bots.models import SLUG, Bot
from arena.bots.selectors import playable_bots
from arena.challenges.services import Challenge, challenge, quota_of
from arena.matches.listing import MatchFilter, list_matches
from arena.matches.serializers import MatchSerializer
from engine.rulesets import EDITIONS


class BotField(serializers.CharField):
    """A bot, by its address."""

    def __init__(self, queryset: QuerySet[Bot] | None = None, **kwargs: Any) -> None:
        super().__init__(max_length=40, validators=[SLUG], **kwargs)
        self.queryset = queryset

    def run_validation(self, data: Any = empty) -> Any:
        slug = super().run_validation(data)
        bots = Bot.objects.select_related("active_version") if self.queryset is None else self.queryset.all()
        bot = bots.filter(slug=slug).first()
        if bot is None:
            raise serializers.ValidationError(f"There is no bot “{slug}” that can play.", code="missing")
        return bot


class QuotaSerializer(serializers.Serializer):
    a_day = serializers.IntegerField()
    left = serializers.IntegerField()
    open_now = serializers.IntegerField()
    wait_seconds = serializers.IntegerField(allow_null=True)


class ChallengeSerializer(serializers.Serializer):
    bot = BotField(help_text="Your own bot, by its address.")
    version_number = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=2**31 - 1,
        help_text="Defaults to the active version.",
    )
    opponents = serializers.ListField(
        child=BotField(playable_bots()),
        min_length=1,
        max_length=3,
    )
    edition = serializers.ChoiceField(EDITIONS, default="english")
    duplicate = serializers.BooleanField(
        default=False, help_text="One match per rotation of the seats, all from one seed."
    )


class Challenges(APIView):
    permission_classes = [NeedsMatches]

    @extend_schema(summary="How many matches you may request", responses=QuotaSerializer)
    def get(self, request: Request) -> Response:
        return Response(QuotaSerializer(quota_of(maker_of(request))).data)

    @extend_schema(
        summary="Request an unrated match or a duplicate set",
        request=ChallengeSerializer,
        responses={201: MatchSerializer(many=True)},
        examples=[
            OpenApiExample(
                "a duplicate set against two house bots",
                {"bot": "jaguar", "opponents": ["house-greedy", "house-random"], "duplicate": True},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        serializer = ChallengeSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        matches = challenge(person_of(request), Challenge(**serializer.validated_data), maker_of(request))
        made = list_matches(MatchFilter(), request.user).filter(pk__in=[match.pk for match in matches])
        return Response(MatchSerializer(made, many=True).data, status=status.HTTP_201_CREATED)
