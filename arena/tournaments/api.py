"""Tournaments in the API: read them, enter bots, and run them from a script."""

from dataclasses import asdict
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_noop
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import generics, serializers, status
from rest_framework.exceptions import ErrorDetail, PermissionDenied
from rest_framework.permissions import AllowAny, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.accounts import audit
from arena.accounts.authentication import NeedsBots, NeedsOrganise
from arena.accounts.permissions import may_organise
from arena.accounts.requests import person_of
from arena.tournaments import acts, entering, export, sections, services
from arena.tournaments.forms import TournamentForm
from arena.tournaments.models import State, Tournament
from arena.tournaments.selectors import picture
from arena.tournaments.serializers import (
    ActSerializer,
    ChangeSerializer,
    NewTournamentSerializer,
    StandingSerializer,
    TakePartSerializer,
    TournamentDetailSerializer,
    TournamentSerializer,
    standing_lines,
)
from arena.tournaments.visibility import find_tournament, visible_rounds

SLUG = OpenApiParameter("slug", str, OpenApiParameter.PATH, pattern="^[-a-zA-Z0-9_]{1,60}$")


def detail(request: Request, tournament: Tournament) -> dict[str, Any]:
    """Return a tournament with what the person may see of its results."""
    tournament.refresh_from_db()
    context = {"tournament": tournament, "visible": visible_rounds(tournament, request.user)}
    return dict(TournamentDetailSerializer(tournament, context=context).data)


class Tournaments(generics.ListAPIView):
    serializer_class = TournamentSerializer

    def get_permissions(self) -> list[BasePermission]:
        return [NeedsOrganise()] if self.request.method == "POST" else [AllowAny()]

    def get_queryset(self) -> QuerySet[Tournament]:
        return Tournament.objects.select_related("organiser", "ladder").exclude(state=State.DRAFT)

    @extend_schema(summary="Tournaments, newest first")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        summary="Create a tournament",
        description="It stays a draft, which nobody else sees, until the act `publish`.",
        request=NewTournamentSerializer,
        responses={201: TournamentDetailSerializer},
        examples=[
            OpenApiExample(
                "a Swiss of pods", {"name": "Spring Cup", "format": "swiss", "seats": 4}, request_only=True
            )
        ],
    )
    def post(self, request: Request) -> Response:
        wanted = NewTournamentSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        organiser = person_of(request)
        form = TournamentForm(wanted.validated_data, instance=Tournament(organiser=organiser))
        tournament = save(form)
        audit.record(organiser, "create tournament", tournament)
        return Response(detail(request, tournament), status=status.HTTP_201_CREATED)


def save(form: TournamentForm) -> Tournament:
    if form.is_valid():
        tournament: Tournament = form.save()
        return tournament
    raise serializers.ValidationError(
        {
            "non_field_errors" if name == NON_FIELD_ERRORS else name: [
                ErrorDetail(one["message"], one["code"] or "invalid") for one in errors
            ]
            for name, errors in form.errors.get_json_data().items()
        }
    )


class TournamentDetail(APIView):
    def get_permissions(self) -> list[BasePermission]:
        return [NeedsOrganise()] if self.request.method == "PATCH" else [AllowAny()]

    @extend_schema(
        summary="A tournament with its standings and schedule",
        parameters=[SLUG],
        responses=TournamentDetailSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(detail(request, find_tournament(slug, request.user)))

    @extend_schema(
        summary="Change the rules of your tournament, before its versions are locked",
        parameters=[SLUG],
        request=NewTournamentSerializer(partial=True),
        responses=TournamentDetailSerializer,
        examples=[OpenApiExample("best of three", {"best_of": 3}, request_only=True)],
    )
    def patch(self, request: Request, slug: str) -> Response:
        tournament = find_tournament(slug, request.user)
        if not may_organise(request.user, tournament):
            raise PermissionDenied("Only its organiser and staff may do this.")
        wanted = NewTournamentSerializer(data=request.data, partial=True)
        wanted.is_valid(raise_exception=True)
        with transaction.atomic():
            tournament = services.to_edit(tournament.pk, person_of(request))
            unchanged = TournamentForm(instance=tournament)
            known = {name: unchanged[name].value() for name in unchanged.fields}
            save(TournamentForm({**known, **wanted.validated_data}, instance=tournament))
            audit.record(person_of(request), "change tournament", tournament)
        return Response(detail(request, tournament))


class TournamentStandings(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        summary="The standings of a tournament, best first", parameters=[SLUG],
        responses=StandingSerializer(many=True),
    )  # fmt: skip
    def get(self, request: Request, slug: str) -> Response:
        tournament = find_tournament(slug, request.user)
        entries = sections.standings(tournament, visible_rounds(tournament, request.user))
        return Response(standing_lines(entries))


class TournamentExport(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        summary="Everything about a tournament, for `aztlan verify-tournament` to check",
        parameters=[SLUG],
        responses={200: dict[str, Any]},
    )
    def get(self, request: Request, slug: str) -> Response:
        tournament = find_tournament(slug, request.user)
        return Response(export.to_data(picture(tournament, visible_rounds(tournament, request.user))))


class TournamentActs(APIView):
    permission_classes = [NeedsOrganise]

    @extend_schema(
        summary="Run your tournament",
        description="With `preview`, nothing is done. The answer lists pairings that are dropped or added, "
        "and results that change.",
        parameters=[SLUG],
        request=ActSerializer,
        responses={200: ChangeSerializer},
        examples=[OpenApiExample("open it for entries", {"act": "publish"}, request_only=True)],
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = find_tournament(slug, request.user)
        wanted = ActSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        data = {name: str(value) for name, value in wanted.validated_data.items()}
        act = acts.read(tournament, data)
        actor = person_of(request)
        change = services.preview(lambda: act.run(actor), tournament.pk)
        if not wanted.validated_data["preview"]:
            act.run(actor)
        return Response(asdict(change))


class TournamentEntries(APIView):
    permission_classes = [NeedsBots]

    @extend_schema(
        summary="Enter one of your bots, or withdraw it",
        parameters=[SLUG],
        request=TakePartSerializer,
        responses={200: TournamentDetailSerializer},
        examples=[OpenApiExample("enter the jaguar", {"bot": "jaguar"}, request_only=True)],
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = find_tournament(slug, request.user)
        wanted = TakePartSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        bot, author = wanted.validated_data["bot"], person_of(request)
        if wanted.validated_data["withdraw"]:
            entering.withdraw(tournament.pk, bot, author, gettext_noop("Withdrawn by its author."))
        else:
            entering.enter(tournament.pk, bot, author)
        return Response(detail(request, tournament))
