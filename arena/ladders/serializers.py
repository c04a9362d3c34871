"""How ladders look in the API."""

from typing import Any

from rest_framework import serializers

from arena.ladders.models import Ladder, Result, Season
from arena.ladders.selectors import Cell, RatingPoint


class SeasonSerializer(serializers.ModelSerializer):
    results = serializers.IntegerField(source="last_sequence", read_only=True)

    class Meta:
        model = Season
        fields = ("number", "starts_at", "ends_at", "closed_at", "results", "luck_sha256")
        read_only_fields = fields


class LadderSerializer(serializers.ModelSerializer):
    edition = serializers.CharField(source="ruleset.name", read_only=True)
    clocks = serializers.DictField(child=serializers.IntegerField(), read_only=True)
    seasons = SeasonSerializer(many=True, read_only=True)

    class Meta:
        model = Ladder
        fields = (
            "slug", "name", "description", "seats", "edition", "clocks", "house_fixed", "duplicate",
            "live_delay", "is_open", "seasons",
        )  # fmt: skip
        read_only_fields = fields


class Points(serializers.FloatField):
    """Elo points, to one decimal: more would say nothing."""

    def to_representation(self, value: float) -> float:  # type: ignore[override]  # as FloatField does
        return round(value, 1)


class RowSerializer(serializers.Serializer):
    rank = serializers.IntegerField()
    bot = serializers.CharField(source="bot.slug")
    name = serializers.CharField(source="bot.name")
    owner = serializers.CharField(source="bot.owner.username")
    is_house = serializers.BooleanField(source="bot.is_house")
    rating = Points(help_text="Elo.")
    mu = Points(help_text="The estimated strength, on the same scale.")
    low = Points(help_text="The lower end of the strength's 95% interval.")
    high = Points(help_text="Its upper end.")
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    trend = serializers.ListField(child=Points(), help_text="The latest ratings.")
    sure_above_next = serializers.BooleanField(
        source="is_sure", help_text="Whether the evidence says that it is stronger than the next bot."
    )


class MomentSerializer(serializers.Serializer):
    result = serializers.IntegerField(source="sequence")
    at = serializers.DateTimeField()
    rating = Points()
    low = Points(help_text="The lower end of the 95% interval of its strength as it was known then.")
    high = Points(help_text="Its upper end.")

    def to_representation(self, moment: RatingPoint) -> dict[str, Any]:
        """Return what the fields would say, at a fraction of their cost: there are up to 500 moments.

        `make bench ONLY=growth` measures it as the rating history of the busiest bot.
        """
        return {
            "result": moment.sequence,
            "at": moment.at,
            "rating": round(moment.rating, 1),
            "low": round(moment.low, 1),
            "high": round(moment.high, 1),
        }


class PairSerializer(serializers.Serializer):
    bot = serializers.CharField()
    other = serializers.CharField()
    better = serializers.IntegerField(help_text="In how many games the first came before the other.")
    games = serializers.IntegerField()


class PlaceSerializer(serializers.Serializer):
    bot = serializers.IntegerField()
    place = serializers.IntegerField()
    fixed = serializers.FloatField(allow_null=True)


class ResultSerializer(serializers.ModelSerializer):
    number = serializers.IntegerField(source="sequence", read_only=True)
    match = serializers.CharField(source="match.public_id", read_only=True, allow_null=True, default=None)
    voids = serializers.IntegerField(source="voids.sequence", read_only=True, allow_null=True, default=None)
    places = PlaceSerializer(many=True, read_only=True)

    class Meta:
        model = Result
        fields = ("number", "kind", "match", "duplicate_set", "voids", "places", "reason", "created_at")
        read_only_fields = fields


def pairs(table: list[tuple[Any, list[Cell | None]]]) -> list[dict[str, Any]]:
    """Return a head-to-head table as a flat list."""
    bots = [bot for bot, _ in table]
    return [
        {"bot": bot.slug, "other": other.slug, "better": cell.better, "games": cell.games}
        for bot, cells in table
        for other, cell in zip(bots, cells, strict=True)
        if cell
    ]
