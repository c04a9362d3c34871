"""How matches look in the API: public data only, never a bot's own output or notes."""

from rest_framework import serializers

from arena.matches.models import Match, MatchSeat, SeatLog
from arena.matches.visibility import seed_is_secret


class SeatSerializer(serializers.ModelSerializer):
    bot = serializers.CharField(source="bot_slug", read_only=True)
    name = serializers.CharField(source="bot_name", read_only=True)
    owner = serializers.CharField(source="owner_name", read_only=True)
    version = serializers.IntegerField(source="version_number", read_only=True)
    fault = serializers.ChoiceField(MatchSeat.Fault.choices, allow_blank=True, read_only=True)

    class Meta:
        model = MatchSeat
        fields = (
            "seat", "bot", "name", "owner", "version", "placement", "score", "fault", "fault_step", "strikes",
            "time_used_ms", "person",
        )  # fmt: skip
        read_only_fields = fields


class MatchSerializer(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id", read_only=True)
    edition = serializers.CharField(source="ruleset.name", read_only=True)
    duplicate_set = serializers.IntegerField(source="duplicate_set_id", read_only=True, allow_null=True)
    bots = SeatSerializer(source="seated", many=True, read_only=True)

    class Meta:
        model = Match
        fields = (
            "id", "purpose", "state", "rated", "seats", "edition", "duplicate_set", "bots", "created_at",
            "started_at", "finished_at",
        )  # fmt: skip
        read_only_fields = fields


class MatchDetailSerializer(MatchSerializer):
    ruleset = serializers.DictField(child=serializers.CharField(), read_only=True)
    clocks = serializers.DictField(child=serializers.IntegerField(), read_only=True)
    board_id = serializers.CharField(read_only=True)
    board_hash = serializers.CharField(read_only=True)
    seed = serializers.SerializerMethodField(
        help_text="In hexadecimal; null until the match and all others with the same seed are over."
    )

    class Meta(MatchSerializer.Meta):
        fields = (  # type: ignore[assignment]  # longer
            *MatchSerializer.Meta.fields, "ruleset", "clocks", "board_id", "board_hash", "seed_commitment",
            "seed",
        )  # fmt: skip

    def get_seed(self, match: Match) -> str | None:
        is_told = match.state == Match.State.FINISHED and not seed_is_secret(match)
        return bytes(match.seed).hex() or None if is_told else None


class SeatLogSerializer(serializers.ModelSerializer):
    seat = serializers.IntegerField(source="seat.seat", read_only=True)
    bot = serializers.CharField(source="seat.version.bot.slug", read_only=True)
    version = serializers.IntegerField(source="seat.version.number", read_only=True)
    fault_reason = serializers.CharField(source="seat.fault_reason", read_only=True)
    notes = serializers.DictField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = SeatLog
        fields = ("seat", "bot", "version", "fault_reason", "output", "notes")
        read_only_fields = fields
