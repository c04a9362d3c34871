"""How tournaments look in the API, and what it takes to create and run one."""

from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from arena.bots.models import Bot
from arena.hosts.live_frames import LONGEST_DELAY
from arena.ladders.models import Ladder
from arena.tournaments import sections
from arena.tournaments.acts import ACTS
from arena.tournaments.forms import CLOCKS
from arena.tournaments.models import FORMAT_NAMES, Release, Tournament, TournamentEntry, default_tie_breaks
from arena.tournaments.stored_rounds import paired
from contests.formats.points import WIN
from engine.rulesets import EDITIONS


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
    """An entry's line of the standings."""

    place = serializers.IntegerField(allow_null=True, help_text="Null before the first round.")
    bot = serializers.CharField(source="bot.slug")
    version = serializers.IntegerField(source="version.number", read_only=True, allow_null=True)
    seed = serializers.IntegerField(allow_null=True)
    points = serializers.FloatField(source="wins", help_text="In wins: second place out of four is 2/3.")
    state = serializers.CharField()


def standing_lines(entries: QuerySet[TournamentEntry] | list[TournamentEntry]) -> list[dict[str, Any]]:
    """Return lines as `StandingSerializer` describes them; thousands are read without making objects."""
    if isinstance(entries, QuerySet):
        rows = list(entries.values_list(*(_LINE.values())))
    else:
        rows = [
            (one.place, one.bot.slug, one.version and one.version.number, one.seed, one.points, one.state)
            for one in entries
        ]
    return [dict(zip(_LINE, row, strict=True)) | {"points": row[4] / WIN} for row in rows]


_LINE: Final = {
    "place": "place",
    "bot": "bot__slug",
    "version": "version__number",
    "seed": "seed",
    "points": "points",
    "state": "state",
}


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


class TournamentDetailSerializer(TournamentSerializer):
    standings = serializers.SerializerMethodField()
    schedule = serializers.SerializerMethodField()

    class Meta(TournamentSerializer.Meta):
        fields = [*TournamentSerializer.Meta.fields, "standings", "schedule"]
        read_only_fields = fields

    @extend_schema_field(StandingSerializer(many=True))
    def get_standings(self, tournament: Tournament) -> list[dict[str, Any]]:
        return standing_lines(sections.standings(tournament, self.context["visible"]))

    @extend_schema_field(RoundSerializer(many=True))
    def get_schedule(self, tournament: Tournament) -> list[dict[str, Any]]:
        visible: int = self.context["visible"]
        slug = dict(tournament.entries.values_list("pk", "bot__slug"))
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
    """A time that must name its time zone."""

    default_error_messages = {
        "zone": "Name the time zone, as in 2030-01-31T18:00:00Z or 2030-01-31T12:00:00-06:00."
    }

    def enforce_timezone(self, value: datetime) -> datetime:
        if value.tzinfo is None:
            self.fail("zone")
        return super().enforce_timezone(value)


class NewTournamentSerializer(serializers.Serializer):
    """The fields of the form on the pages, with the same defaults."""

    name = serializers.CharField(max_length=80)
    description = serializers.CharField(max_length=4000, required=False, allow_blank=True)
    format = serializers.ChoiceField([*FORMAT_NAMES.items()])
    seats = serializers.IntegerField(min_value=2, max_value=4, default=4)
    edition = serializers.ChoiceField(EDITIONS, default="english")
    clock = serializers.ChoiceField([*CLOCKS], default="standard")
    rounds = serializers.IntegerField(min_value=1, max_value=1000, required=False, allow_null=True)
    advance = serializers.IntegerField(min_value=1, max_value=3, default=1)
    group_size = serializers.IntegerField(min_value=2, max_value=64, default=4)
    from_group = serializers.IntegerField(min_value=1, max_value=63, default=2)
    cycles = serializers.IntegerField(min_value=1, max_value=20, default=1)
    best_of = serializers.IntegerField(min_value=1, max_value=21, default=1)
    duplicate = serializers.BooleanField(default=False)
    tie_breaks = serializers.CharField(default=" ".join(default_tie_breaks()))
    ladder = serializers.SlugRelatedField(
        slug_field="slug",
        queryset=Ladder.objects.all(),
        required=False,
        allow_null=True,
        help_text="The address of a ladder, whose ratings decide seeds and entry conditions.",
    )
    min_rating = serializers.FloatField(required=False, allow_null=True)
    min_games = serializers.IntegerField(min_value=0, max_value=10**6, default=0)
    per_owner = serializers.IntegerField(min_value=1, max_value=1000, default=1)
    invitation_only = serializers.BooleanField(default=False)
    lock_at = NamedZoneField(
        required=False,
        allow_null=True,
        help_text="When entries close: in the future, with its time zone.",
    )
    round_minutes = serializers.IntegerField(min_value=1, max_value=10**5, required=False, allow_null=True)
    rounds_by_hand = serializers.BooleanField(default=False)
    release = serializers.ChoiceField(Release.choices, default="public")
    live_delay = serializers.IntegerField(min_value=0, max_value=LONGEST_DELAY, default=0)


class ActSerializer(serializers.Serializer):
    act = serializers.ChoiceField(ACTS)
    bot = serializers.CharField(required=False, max_length=40, help_text="The bot that the act is about.")
    reason = serializers.CharField(required=False, max_length=200, allow_blank=True)
    game = serializers.RegexField(r"^[0-9]{1,9}$", required=False, help_text="The ID of the game to void.")
    round = serializers.RegexField(
        r"^[0-9]{1,9}$",
        required=False,
        help_text="The round up to which results are released, from which rounds are taken back, or to open.",
    )
    from_round = serializers.RegexField(
        r"^[0-9]{1,9}$", required=False, help_text="The first round that the disqualification applies to."
    )
    release = serializers.ChoiceField(Release.choices, required=False)
    slugs = serializers.CharField(
        required=False,
        help_text="Seeds by hand: addresses of bots, strongest first, separated by spaces.",
    )
    preview = serializers.BooleanField(default=False, help_text="Only show what would change.")


class ChangeSerializer(serializers.Serializer):
    dropped = serializers.ListField(child=serializers.CharField())
    added = serializers.ListField(child=serializers.CharField())
    results = serializers.ListField(child=serializers.CharField(), help_text="Pods whose result changes.")


class TakePartSerializer(serializers.Serializer):
    bot = serializers.SlugRelatedField(slug_field="slug", queryset=Bot.objects.all())
    withdraw = serializers.BooleanField(default=False)
