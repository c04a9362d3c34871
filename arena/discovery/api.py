"""Searching and following in the API."""

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.accounts.authentication import NeedsAccount
from arena.accounts.requests import person_of
from arena.bots.models import Bot
from arena.discovery import services
from arena.discovery.models import Follow
from arena.discovery.searching import LONGEST, search
from arena.tournaments.models import Tournament
from arena.tournaments.visibility import find_tournament


class FoundThingSerializer(serializers.Serializer):
    name = serializers.CharField()
    address = serializers.CharField(help_text="Its address in the API's own addresses.")
    url = serializers.CharField(help_text="Its page.")


class FoundSerializer(serializers.Serializer):
    bots = FoundThingSerializer(many=True)
    authors = FoundThingSerializer(many=True)
    tournaments = FoundThingSerializer(many=True)
    ladders = FoundThingSerializer(many=True)
    matches = FoundThingSerializer(many=True)


class SearchEverything(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        summary="Search everything",
        description="The beginnings of names, or the id of a match; up to ten of each kind.",
        parameters=[OpenApiParameter("q", str, required=True, description=f"At most {LONGEST} characters.")],
        responses=FoundSerializer,
    )
    def get(self, request: Request) -> Response:
        if "q" not in request.query_params:
            raise ValidationError({"q": "Say what to look for."}, code="required")
        found = search(request.query_params["q"], request.user)

        def thing(name: str, address: str, url: str) -> dict[str, str]:
            return {"name": name, "address": address, "url": request.build_absolute_uri(url)}

        return Response(
            {
                "bots": [thing(one.name, one.slug, one.get_absolute_url()) for one in found.bots],
                "authors": [
                    thing(one.username, one.username, f"/authors/{one.username}/") for one in found.people
                ],
                "tournaments": [thing(one.name, one.slug, one.get_absolute_url()) for one in found.events],
                "ladders": [thing(one.name, one.slug, one.get_absolute_url()) for one in found.ladders],
                "matches": [
                    thing(one.public_id, one.public_id, one.get_absolute_url()) for one in found.matches
                ],
            }
        )


class FollowSerializer(serializers.ModelSerializer):
    bot = serializers.SlugRelatedField("slug", queryset=Bot.objects.all(), required=False, allow_null=True)
    tournament = serializers.SlugRelatedField(
        "slug", queryset=Tournament.objects.all(), required=False, allow_null=True
    )

    class Meta:
        model = Follow
        fields = ("bot", "tournament", "created_at")
        read_only_fields = ("created_at",)
        validators: list[object] = []

    def validate(self, values: dict[str, Bot | Tournament | None]) -> dict[str, Bot | Tournament | None]:
        if (values.get("bot") is None) == (values.get("tournament") is None):
            raise ValidationError("Name either a bot or a tournament.", code="follow")
        return values


def thing_of(serializer: FollowSerializer, request: Request) -> Bot | Tournament:
    """What is named; a draft does not exist for those who may not see it."""
    serializer.is_valid(raise_exception=True)
    values = serializer.validated_data
    bot: Bot | None = values.get("bot")
    return bot or find_tournament(values["tournament"].slug, request.user)


class Follows(generics.ListAPIView):
    serializer_class = FollowSerializer
    permission_classes = [NeedsAccount]

    def get_queryset(self) -> QuerySet[Follow]:
        if not self.request.user.is_authenticated:
            return Follow.objects.none()
        return self.request.user.follows.select_related("bot", "tournament")

    @extend_schema(summary="What you follow, newest first")
    def get(self, request: Request) -> Response:
        return self.list(request)

    @extend_schema(summary="Follow a bot or a tournament", responses={204: None})
    def post(self, request: Request) -> Response:
        try:
            services.follow(person_of(request), thing_of(FollowSerializer(data=request.data), request))
        except services.FollowError as error:
            raise ValidationError(str(error), code="follows") from error
        return Response(status=status.HTTP_204_NO_CONTENT)


class Unfollow(APIView):
    permission_classes = [NeedsAccount]

    @extend_schema(
        summary="Stop following a bot or a tournament", request=FollowSerializer, responses={204: None}
    )
    def post(self, request: Request) -> Response:
        services.unfollow(person_of(request), thing_of(FollowSerializer(data=request.data), request))
        return Response(status=status.HTTP_204_NO_CONTENT)
