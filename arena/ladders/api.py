"""Ladders in the API: what their pages show."""

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import generics, mixins, status, viewsets
from rest_framework.exceptions import NotFound, PermissionDenied, ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.accounts.authentication import NeedsBots
from arena.accounts.permissions import is_owner
from arena.bots.models import Bot
from arena.ladders import selectors, services
from arena.ladders.models import Ladder, Result, Season
from arena.ladders.paging import read_number
from arena.ladders.selectors import StandingsRow
from arena.ladders.serializers import (
    LadderSerializer,
    MomentSerializer,
    PairSerializer,
    ResultSerializer,
    RowSerializer,
    pairs,
)

MOST_ROWS = 100
MOST_MOMENTS = 500
SEASON = OpenApiParameter("season", int, description="Its number; by default the current season.")
SEARCH = OpenApiParameter("search", str, description="Words, or beginnings of words, in names.")
OFFSET = OpenApiParameter(
    "offset", int, description="How many ranks to leave out; `after` goes on exactly where a page ended."
)
AFTER = OpenApiParameter("after", str, description="The address of the bot after which to go on.")
BEFORE = OpenApiParameter("before", int, description="The number of the result before which to go on.")


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
    number = request.query_params.get("season", "")
    season = selectors.shown_season(
        get_object_or_404(Ladder, slug=slug), (read_number(number) or -1) if number else None
    )
    if season is None:
        raise Http404("This ladder has no such season.")
    return season


def number_in(request: Request, name: str) -> int | None:
    """Return a number that a request names, or None; refuse what is no number."""
    text = request.query_params.get(name, "")
    number = read_number(text)
    if text and number is None:
        raise ValidationError({name: ["A whole number from 0 to 999999999."]})
    return number


class Standings(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        summary="The standings of a season",
        description=f"At most {MOST_ROWS} ranks at a time.",
        parameters=[SEASON, SEARCH, AFTER, OFFSET],
        responses=RowSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        season = find_season(request, slug)
        search = request.query_params.get("search", "")[:100].replace("\0", "")
        if search:
            rows = selectors.standings_found(season, search, MOST_ROWS)
        else:
            rows = standings_asked_for(season, request)
        return Response(RowSerializer(rows, many=True).data)


def standings_asked_for(season: Season, request: Request) -> list[StandingsRow]:
    offset = number_in(request, "offset") or 0
    if not (slug := request.query_params.get("after", "")[:100].replace("\0", "")):
        return selectors.standings_from(season, offset, MOST_ROWS)
    last = selectors.standing_of(season, slug)
    if last is None:
        raise NotFound("The bot that `after` names has no standing in this season: begin again without it.")
    return selectors.standings_after(season, last, MOST_ROWS)


class History(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        summary="A bot's rating after each of its results",
        description=f"The latest {MOST_MOMENTS} of them, oldest first; `before` goes further back.",
        parameters=[SEASON, BEFORE],
        responses=MomentSerializer(many=True),
    )
    def get(self, request: Request, slug: str, bot: str) -> Response:
        season = find_season(request, slug)
        before = number_in(request, "before")
        moments = selectors.history(season, get_object_or_404(Bot, slug=bot), before, MOST_MOMENTS)
        return Response(MomentSerializer(moments[::-1], many=True).data)


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
    paged_by = "-sequence"

    @extend_schema(
        summary="The log from which all ratings follow, the latest first",
        description="Fold it from its beginning, without what later lines void, and all ratings come out.",
        parameters=[SEASON],
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return self.list(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Result]:
        season = find_season(self.request, self.kwargs["slug"])
        return Result.objects.filter(season=season).select_related("match", "voids").order_by("-sequence")


class LadderEntry(APIView):
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
