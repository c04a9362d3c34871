"""Matches in the API."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import mixins, serializers, viewsets
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.accounts.authentication import NeedsPrivate, NeedsStaff
from arena.accounts.fields import Text
from arena.accounts.requests import person_of
from arena.bots import selectors
from arena.bots.errors import RefusedError
from arena.bots.models import SLUG
from arena.matches.listing import MatchFilter, list_matches, with_results
from arena.matches.models import Match, SeatLog
from arena.matches.serializers import MatchDetailSerializer, MatchSerializer, SeatLogSerializer
from arena.matches.services import rerun_match, void_match
from arena.matches.visibility import conceal, known_to, may_see

MATCH_ID = OpenApiParameter("id", str, OpenApiParameter.PATH, pattern="^[a-z0-9]{1,16}$")


class MatchFilterSerializer(serializers.Serializer):
    bot = serializers.CharField(
        required=False,
        max_length=40,
        validators=[SLUG],
        help_text="The address of a bot that plays in the match.",
    )
    state = serializers.ChoiceField(Match.State.choices, required=False)
    purpose = serializers.ChoiceField(Match.Purpose.choices, required=False)
    seats = serializers.IntegerField(required=False, min_value=2, max_value=4)


@extend_schema_view(
    list=extend_schema(
        summary="Matches, newest first",
        parameters=[MatchFilterSerializer],
        responses=MatchSerializer(many=True),
    ),
    retrieve=extend_schema(
        summary="A match",
        description="The seed is shown once the match, and all of its duplicate set, is over; its SHA-256 is "
        "shown from the start. In a contest with a delay, a match counts as running until then.",
        responses=MatchDetailSerializer,
    ),
)
class Matches(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet):
    permission_classes = [AllowAny]
    lookup_field = "public_id"
    lookup_url_kwarg = "id"
    lookup_value_regex = "[a-z0-9]{1,16}"

    def get_serializer_class(self) -> type[MatchSerializer]:
        return MatchDetailSerializer if self.action == "retrieve" else MatchSerializer

    def get_queryset(self) -> QuerySet[Match]:
        if self.action == "retrieve":
            return known_to(
                self.request.user, Match.objects.select_related("terms").prefetch_related(with_results())
            )
        wanted = MatchFilterSerializer(data=self.request.query_params.dict())
        wanted.is_valid(raise_exception=True)
        return list_matches(MatchFilter(**wanted.validated_data), self.request.user)

    def paginate_queryset(self, queryset: Any) -> Any:
        return conceal(super().paginate_queryset(queryset) or [], self.request.user)

    def get_object(self) -> Match:
        return conceal([super().get_object()], self.request.user)[0]


class MatchLogs(APIView):
    permission_classes = [NeedsPrivate]

    @extend_schema(
        summary="The output and notes of your own bots in a match",
        description="You see nothing of other bots. Staff see everything; this is recorded.",
        parameters=[MATCH_ID],
        responses=SeatLogSerializer(many=True),
    )
    def get(self, request: Request, id: str) -> Response:  # noqa: A002  as the address calls it
        match = get_object_or_404(Match, public_id=id)
        if not may_see(match, request.user):
            raise PermissionDenied("The organiser has not released this match yet.")
        logs = (
            SeatLog.objects.filter(seat__match=match)
            .select_related("seat__version__bot")
            .order_by("seat__seat")
        )
        seen = [
            log
            for log in logs
            if selectors.open_private(request.user, log.seat.version, f"read logs of match {id}")
        ]
        return Response(SeatLogSerializer(seen, many=True).data)


class MatchActSerializer(serializers.Serializer):
    act = serializers.ChoiceField(["void", "rerun"])
    reason = Text(max_length=500, help_text="Shown to the authors of its bots.")


class MatchActs(APIView):
    permission_classes = [NeedsStaff]

    @extend_schema(
        summary="Void or rerun a match, as staff",
        description="Rerunning a finished match voids it and plays it again; one that was set aside is tried "
        "again. The authors of its bots are told the reason, and the act is recorded.",
        parameters=[MATCH_ID],
        request=MatchActSerializer,
        responses=MatchDetailSerializer,
        examples=[
            OpenApiExample("void it", {"act": "void", "reason": "A host failed."}, request_only=True),
        ],
    )
    def post(self, request: Request, id: str) -> Response:  # noqa: A002  as the address calls it
        match = get_object_or_404(Match, public_id=id)
        wanted = MatchActSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        staff, reason = person_of(request), wanted.validated_data["reason"]
        if wanted.validated_data["act"] == "void":
            if not void_match(match.pk, reason, staff):
                raise RefusedError("void", "This match is already void.")
        elif not rerun_match(match.pk, staff, reason):
            raise RefusedError("not-over", "This match is neither set aside nor finished.")
        return Response(
            MatchDetailSerializer(Match.objects.prefetch_related(with_results()).get(pk=match.pk)).data
        )
