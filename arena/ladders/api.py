"""Ladders in the API: what their pages show."""

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import generics, mixins, status, viewsets
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.accounts.authentication import NeedsBots
from arena.accounts.permissions import is_owner
from arena.bots.models import Bot
from arena.ladders import selectors, services
from arena.ladders.models import Ladder, Result, Season
from arena.ladders.serializers import (
    LadderSerializer,
    MomentSerializer,
    PairSerializer,
    ResultSerializer,
    RowSerializer,
    pairs,
)

MOST_ROWS = 100
SEASON = OpenApiParameter("season", int, description="Its number; the present one where none is named.")
SEARCH = OpenApiParameter("search", str, description="A part of a bot's or an author's name.")
OFFSET = OpenApiParameter("offset", int, description="How many ranks to leave out.")


@extend_schema_view(
    list=extend_schema(summary="All ladders"), retrieve=extend_schema(summary="A ladder and its seasons")
)
class Ladders(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet):
    permission_classes = [AllowAny]
    serializer_class = LadderSerializer
    queryset = Ladder.objects.prefetch_related("seasons").order_by("-id")
    lookup_field = "slug"
    lookup_value_regex = "[a-z0-9-]{1,40}"


def find_season(request: Request, slug: str) -> Season:
    asked = request.query_params.get("season", "")
    season = selectors.shown_season(
        get_object_or_404(Ladder, slug=slug), read_number(asked, -1) if asked else None
    )
    if season is None:
        raise Http404("This ladder has no such season.")
    return season


def read_number(text: str, otherwise: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else otherwise


class Standings(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        summary="The standings of a season",
        description=f"At most {MOST_ROWS} ranks at a time.",
        parameters=[SEASON, SEARCH, OFFSET],
        responses=RowSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        season = find_season(request, slug)
        search = request.query_params.get("search", "")[:100].replace("\0", "")
        offset = read_number(request.query_params.get("offset", "0"), 0)
        found = selectors.standings(season, search)[offset : offset + MOST_ROWS]
        return Response(RowSerializer(selectors.rows(season, list(found)), many=True).data)


class History(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        summary="A bot's rating after each of its results",
        parameters=[SEASON],
        responses=MomentSerializer(many=True),
    )
    def get(self, request: Request, slug: str, bot: str) -> Response:
        season = find_season(request, slug)
        moments = selectors.history(season, get_object_or_404(Bot, slug=bot))
        return Response(MomentSerializer(moments, many=True).data)


class HeadToHead(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        summary="How the top bots did against each other",
        parameters=[SEASON],
        responses=PairSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        season = find_season(request, slug)
        return Response(pairs(selectors.head_to_head(season, selectors.top_bots(season))))


class Results(generics.ListAPIView):
    permission_classes = [AllowAny]
    serializer_class = ResultSerializer

    @extend_schema(
        summary="The log from which all ratings follow, the latest first",
        description="Fold it from its beginning, without what later lines void, and all ratings come out.",
        parameters=[SEASON],
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return self.list(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Result]:
        season = find_season(self.request, self.kwargs["slug"])
        return Result.objects.filter(season=season).select_related("match", "voids").order_by("-id")


class Entry(APIView):
    permission_classes = [NeedsBots]

    @extend_schema(summary="Enter your bot", request=None, responses={204: None})
    def put(self, request: Request, slug: str, bot: str) -> Response:
        services.enter(get_object_or_404(Ladder, slug=slug), own_bot(request, bot))
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(summary="Take your bot out", responses={204: None})
    def delete(self, request: Request, slug: str, bot: str) -> Response:
        services.leave(get_object_or_404(Ladder, slug=slug), own_bot(request, bot))
        return Response(status=status.HTTP_204_NO_CONTENT)


def own_bot(request: Request, slug: str) -> Bot:
    bot = get_object_or_404(Bot, slug=slug)
    if not is_owner(request.user, bot):
        raise PermissionDenied("This is not your bot.")
    return bot
