"""A bot's results and comparisons of its versions in the API: what their pages show."""

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.bots.models import Bot
from arena.ladders.api import number_in
from arena.ladders.comparing import VersionChoiceError, choose_versions, compare_versions_of
from arena.ladders.explorer import Grouping, ResultTally, SortedBy, explore
from arena.ladders.explorer_views import ExplorerForm


class Share(serializers.FloatField):
    """A share from 0 to 1, to four decimals."""

    def to_representation(self, value: float) -> float:  # type: ignore[override]  # as FloatField does
        return round(value, 4)


class ScoreSerializer(serializers.Serializer):
    games = serializers.IntegerField()
    score = serializers.SerializerMethodField(
        help_text="The share of opponents placed before; null without games."
    )

    def get_score(self, tally: ResultTally) -> float | None:
        return round(tally.score, 4) if tally.games else None


class TallySerializer(serializers.Serializer):
    key = serializers.CharField()
    name = serializers.CharField()
    games = serializers.IntegerField()
    firsts = serializers.IntegerField(allow_null=True, help_text="First places; null in results by opponent.")
    score = Share(help_text="The share of opponents that the bot placed before; a draw counts half.")
    low = Share(help_text="The lower end of its 95% interval, for one look.")
    high = Share(help_text="Its upper end.")
    score_without_luck = Share(
        source="adjusted", allow_null=True, help_text="Over the games of which the luck is known."
    )
    games_without_luck = serializers.IntegerField(source="read", help_text="How many those are.")


class ExploredSerializer(serializers.Serializer):
    total = TallySerializer()
    rows = TallySerializer(many=True)
    note = serializers.CharField(help_text="What could not be done as it was asked; usually empty.")


class DifferenceSerializer(serializers.Serializer):
    mean = serializers.FloatField(
        allow_null=True, help_text="Elo points that the newer version is stronger by."
    )
    low = serializers.FloatField(
        allow_null=True, help_text="The lower end of its 95% interval; null: no limit."
    )
    high = serializers.FloatField(allow_null=True, help_text="Its upper end.")
    better = serializers.SerializerMethodField(
        help_text="`newer` or `older` where the evidence is enough, however often one looks; else null."
    )

    def get_better(self, difference: object) -> str | None:
        return {1: "newer", -1: "older"}.get(getattr(difference, "verdict", 0))


class OnLadderSerializer(serializers.Serializer):
    ladder = serializers.CharField(source="season.ladder.slug")
    season = serializers.IntegerField(source="season.number")
    seats = serializers.IntegerField(source="season.ladder.seats")
    older = ScoreSerializer()
    newer = ScoreSerializer()
    difference = DifferenceSerializer(allow_null=True)


class AgainstOpponentSerializer(serializers.Serializer):
    opponent = serializers.CharField(source="slug")
    name = serializers.CharField()
    older = ScoreSerializer()
    newer = ScoreSerializer()


class DirectSerializer(serializers.Serializer):
    results = serializers.IntegerField(help_text="A duplicate set is one result.")
    score = Share(help_text="The newer version's.")
    difference = DifferenceSerializer(help_text="This interval may be looked at after every result.")


class VersionsComparedSerializer(serializers.Serializer):
    older = serializers.IntegerField(source="older.number")
    newer = serializers.IntegerField(source="newer.number")
    ladders = OnLadderSerializer(many=True)
    opponents = AgainstOpponentSerializer(many=True, help_text="Those that both have met, most games first.")
    direct = DirectSerializer(allow_null=True)


class BotResults(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        summary="A bot's results on the ladders, grouped and filtered",
        parameters=[
            OpenApiParameter(
                "by", str, enum=[group.value for group in Grouping], description="Default: opponent."
            ),
            OpenApiParameter("ladder", str, description="The address of a ladder."),
            OpenApiParameter("season", int, description="The number of a season."),
            OpenApiParameter("version", int, description="The number of a version."),
            OpenApiParameter("opponent", str, description="The address of a bot; not with power cards."),
            OpenApiParameter("seat", int, description="Counted from 1."),
            OpenApiParameter("sort", str, enum=[sort.value for sort in SortedBy]),
            OpenApiParameter("order", str, enum=["up", "down"]),
        ],
        responses=ExploredSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        bot = get_object_or_404(Bot, slug=slug)
        form = ExplorerForm(request.query_params)
        if not form.is_valid():
            raise ValidationError(
                {name: [str(error) for error in errors] for name, errors in form.errors.items()}
            )
        return Response(ExploredSerializer(explore(bot, form.wanted())).data)


class CompareVersions(APIView):
    permission_classes = [AllowAny]

    @extend_schema(
        summary="Two versions of a bot side by side",
        parameters=[
            OpenApiParameter(
                "from", int, description="The number of a version; by default the newest with results."
            ),
            OpenApiParameter("to", int, description="The number of another."),
        ],
        responses=VersionsComparedSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        bot = get_object_or_404(Bot, slug=slug)
        try:
            older, newer = choose_versions(bot, [number_in(request, "from"), number_in(request, "to")])
        except VersionChoiceError as error:
            raise ValidationError({"from": [str(error)]}) from None
        found = compare_versions_of(bot, older, newer, request.user)
        return Response(VersionsComparedSerializer(found).data)
