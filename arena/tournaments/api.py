"""Tournaments in the API: read them, enter bots, and run them from a script."""

from dataclasses import asdict
from datetime import datetime
from functools import cached_property
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import generics, serializers, status
from rest_framework.exceptions import ErrorDetail, PermissionDenied
from rest_framework.permissions import AllowAny, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.accounts import audit
from arena.accounts.authentication import NeedsBots, NeedsOrganise
from arena.accounts.requests import person_of
from arena.bots.models import Bot
from arena.hosts.live_frames import LONGEST_DELAY
from arena.ladders.models import Ladder
from arena.tournaments import acts, export, sections, services
from arena.tournaments.forms import TournamentForm
from arena.tournaments.models import FORMAT_NAMES, Release, State, Tournament, TournamentEntry
from arena.tournaments.selectors import may_organise, picture, visible_rounds
from arena.tournaments.stored_rounds import paired

SLUG = OpenApiParameter("slug", str, OpenApiParameter.PATH, pattern="^[-a-zA-Z0-9_]{1,60}$")


class TournamentSerializer(serializers.ModelSerializer):
    organiser = serializers.CharField(source="organiser.username", read_only=True)
    ruleset = serializers.DictField(child=serializers.CharField(), read_only=True)
    clocks = serializers.DictField(child=serializers.IntegerField(), read_only=True)
    ladder = serializers.CharField(source="ladder.slug", read_only=True, allow_null=True)

    class Meta:
        model = Tournament
        fields = [
            "slug", "name", "description", "organiser", "state", "format", "seats", "rounds", "advance",
            "group_size", "from_group", "cycles", "best_of", "duplicate", "min_rating", "min_games",
            "per_owner", "invitation_only", "lock_at", "round_minutes", "rounds_by_hand", "release",
            "live_delay", "tie_breaks", "ruleset", "clocks", "ladder", "opened_rounds", "created_at",
            "started_at", "finished_at", "cancel_reason",
        ]  # fmt: skip
        read_only_fields = fields


class StandingSerializer(serializers.Serializer):
    place = serializers.IntegerField(allow_null=True, help_text="Null before the first round.")
    bot = serializers.CharField()
    version = serializers.IntegerField(allow_null=True)
    seed = serializers.IntegerField(allow_null=True)
    points = serializers.FloatField(help_text="In wins: a second place of four is two thirds.")
    state = serializers.CharField()


class PodSerializer(serializers.Serializer):
    key = serializers.CharField()
    name = serializers.CharField()
    bots = serializers.ListField(child=serializers.CharField())
    matches = serializers.ListField(child=serializers.CharField())


class RoundSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    name = serializers.CharField()
    pods = PodSerializer(many=True)
    byes = serializers.ListField(child=serializers.CharField())


def standing(entry: TournamentEntry) -> dict[str, Any]:
    """An entry's line of the standings."""
    return {
        "place": entry.place,
        "bot": entry.bot.slug,
        "version": entry.version.number if entry.version else None,
        "seed": entry.seed,
        "points": entry.wins,
        "state": entry.state,
    }


class TournamentDetailSerializer(TournamentSerializer):
    standings = serializers.SerializerMethodField()
    schedule = serializers.SerializerMethodField()

    class Meta(TournamentSerializer.Meta):
        fields = [*TournamentSerializer.Meta.fields, "standings", "schedule"]
        read_only_fields = fields

    @cached_property
    def _entries(self) -> list[TournamentEntry]:
        return list(sections.standings(self.context["tournament"], self.context["visible"]))

    @extend_schema_field(StandingSerializer(many=True))
    def get_standings(self, tournament: Tournament) -> list[dict[str, Any]]:
        return [standing(entry) for entry in self._entries]

    @extend_schema_field(RoundSerializer(many=True))
    def get_schedule(self, tournament: Tournament) -> list[dict[str, Any]]:
        visible: int = self.context["visible"]
        slug = {entry.pk: entry.bot.slug for entry in self._entries}
        games = tournament.games.filter(round__lte=visible, voided_at=None, match__isnull=False)
        matches: dict[str, list[str]] = {}
        for pod, public_id in games.order_by("number").values_list("pod", "match__public_id"):
            matches.setdefault(pod, []).append(public_id)
        return [
            {
                "number": one.number,
                "name": one.name,
                "pods": [
                    {
                        "key": pod.key,
                        "name": pod.name,
                        "bots": [slug[entry] for entry in pod.entrants],
                        "matches": matches.get(pod.key, []),
                    }
                    for pod in one.pods
                ],
                "byes": [slug[entry] for entry in (*one.byes, *one.walkovers)],
            }
            for one in map(paired, sections.known_openings(tournament, visible))
        ]


class NamedZoneField(serializers.DateTimeField):
    """A time that says in which zone it is meant."""

    default_error_messages = {
        "zone": "Name the time zone: 2030-01-31T18:00:00Z, or 2030-01-31T12:00:00-06:00 for noon there."
    }

    def enforce_timezone(self, value: datetime) -> datetime:
        if value.tzinfo is None:
            self.fail("zone")
        return super().enforce_timezone(value)


class NewTournamentSerializer(serializers.Serializer):
    """What the form on the pages asks for; what is missing has the form's default."""

    name = serializers.CharField(max_length=80)
    description = serializers.CharField(max_length=4000, required=False, allow_blank=True)
    format = serializers.ChoiceField([*FORMAT_NAMES.items()])
    seats = serializers.IntegerField(min_value=2, max_value=4, default=4)
    edition = serializers.ChoiceField(
        ["english", "german", "german_quick", "italian", "french"], default="english"
    )
    clock = serializers.ChoiceField(["blitz", "standard", "long"], default="standard")
    rounds = serializers.IntegerField(min_value=1, max_value=1000, required=False, allow_null=True)
    advance = serializers.IntegerField(min_value=1, max_value=3, default=1)
    group_size = serializers.IntegerField(min_value=2, max_value=64, default=4)
    from_group = serializers.IntegerField(min_value=1, max_value=63, default=2)
    cycles = serializers.IntegerField(min_value=1, max_value=20, default=1)
    best_of = serializers.IntegerField(min_value=1, max_value=21, default=1)
    duplicate = serializers.BooleanField(default=False)
    tie_breaks = serializers.CharField(
        default="points head_to_head buchholz sonneborn_berger placements rating seed"
    )
    ladder = serializers.SlugRelatedField(
        slug_field="slug",
        queryset=Ladder.objects.all(),
        required=False,
        allow_null=True,
        help_text="Its address: seeds and entry conditions go by its ratings.",
    )
    min_rating = serializers.FloatField(required=False, allow_null=True)
    min_games = serializers.IntegerField(min_value=0, max_value=10**6, default=0)
    per_owner = serializers.IntegerField(min_value=1, max_value=1000, default=1)
    invitation_only = serializers.BooleanField(default=False)
    lock_at = NamedZoneField(
        required=False, allow_null=True, help_text="When entries close: in the future, with its time zone."
    )
    round_minutes = serializers.IntegerField(min_value=1, max_value=10**5, required=False, allow_null=True)
    rounds_by_hand = serializers.BooleanField(default=False)
    release = serializers.ChoiceField(Release.choices, default="public")
    live_delay = serializers.IntegerField(min_value=0, max_value=LONGEST_DELAY, default=0)


class ActSerializer(serializers.Serializer):
    act = serializers.ChoiceField(
        [
            "publish", "lock", "start", "pause", "resume", "open_next_round", "cancel", "reinstate", "void",
            "take_back", "release", "seed", "enter", "invite", "withdraw", "disqualify",
        ]
    )  # fmt: skip
    bot = serializers.CharField(required=False, max_length=40, help_text="Whom to enter, invite or put out.")
    reason = serializers.CharField(required=False, max_length=200, allow_blank=True)
    game = serializers.RegexField(r"^[0-9]{1,9}$", required=False, help_text="The id of a game to void.")
    round = serializers.RegexField(
        r"^[0-9]{1,9}$",
        required=False,
        help_text="Release results up to this round; take back from it on; open it.",
    )
    from_round = serializers.RegexField(
        r"^[0-9]{1,9}$", required=False, help_text="Disqualify from this round on."
    )
    release = serializers.ChoiceField(Release.choices, required=False)
    slugs = serializers.CharField(
        required=False, help_text="Seeds by hand: bots, strongest first, with spaces between."
    )
    preview = serializers.BooleanField(default=False, help_text="Only tell what would change.")


class ChangeSerializer(serializers.Serializer):
    dropped = serializers.ListField(child=serializers.CharField())
    added = serializers.ListField(child=serializers.CharField())
    results = serializers.ListField(
        child=serializers.CharField(), help_text="Pods whose result is not what it was."
    )


class TakePartSerializer(serializers.Serializer):
    bot = serializers.SlugRelatedField(slug_field="slug", queryset=Bot.objects.all())
    withdraw = serializers.BooleanField(default=False)


def shown(request: Request, slug: str) -> Tournament:
    """The tournament, unless it is a draft of somebody else's."""
    tournament = get_object_or_404(Tournament.objects.select_related("organiser", "ladder"), slug=slug)
    if tournament.state == State.DRAFT and not may_organise(tournament, request.user):
        raise Http404
    return tournament


def detail(request: Request, tournament: Tournament) -> dict[str, Any]:
    """A tournament with what the person may see of its results."""
    tournament.refresh_from_db()
    context = {"tournament": tournament, "visible": visible_rounds(tournament, request.user)}
    return dict(TournamentDetailSerializer(tournament, context=context).data)


class Tournaments(generics.ListAPIView):
    serializer_class = TournamentSerializer

    def get_permissions(self) -> list[BasePermission]:
        return [NeedsOrganise()] if self.request.method == "POST" else [AllowAny()]

    def get_queryset(self) -> QuerySet[Tournament]:
        return Tournament.objects.select_related("organiser", "ladder").exclude(state=State.DRAFT)

    @extend_schema(summary="Tournaments, the latest first")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        summary="Create a tournament",
        description="It is a draft, which nobody else sees, until the act `publish`.",
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
        return Response(detail(request, shown(request, slug)))

    @extend_schema(
        summary="Change the rules of your tournament, until its versions are locked",
        parameters=[SLUG],
        request=NewTournamentSerializer(partial=True),
        responses=TournamentDetailSerializer,
        examples=[OpenApiExample("best of three", {"best_of": 3}, request_only=True)],
    )
    def patch(self, request: Request, slug: str) -> Response:
        tournament = shown(request, slug)
        if not may_organise(tournament, request.user):
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
        tournament = shown(request, slug)
        entries = sections.standings(tournament, visible_rounds(tournament, request.user))
        return Response([standing(entry) for entry in entries])


class TournamentExport(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        summary="Everything about a tournament, to check it with `aztlan verify-tournament`",
        parameters=[SLUG],
        responses={200: dict[str, Any]},
    )
    def get(self, request: Request, slug: str) -> Response:
        tournament = shown(request, slug)
        return Response(export.to_data(picture(tournament, visible_rounds(tournament, request.user))))


class TournamentActs(APIView):
    permission_classes = [NeedsOrganise]

    @extend_schema(
        summary="Run a tournament: one act of its organiser",
        description="With `preview` nothing is done. The answer tells which pairings fall away or are new, "
        "and which results change.",
        parameters=[SLUG],
        request=ActSerializer,
        responses={200: ChangeSerializer},
        examples=[OpenApiExample("open it for entries", {"act": "publish"}, request_only=True)],
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = shown(request, slug)
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
        tournament = shown(request, slug)
        wanted = TakePartSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        bot, author = wanted.validated_data["bot"], person_of(request)
        if wanted.validated_data["withdraw"]:
            services.withdraw(tournament.pk, bot, author, "by its author")
        else:
            services.enter(tournament.pk, bot, author)
        return Response(detail(request, tournament))
