"""How bots and versions look in the API."""

import unicodedata
from typing import Any

from rest_framework import serializers

from arena.accounts.authentication import has_scope
from arena.accounts.fields import TEXTS, Text
from arena.accounts.models import Scope, User
from arena.accounts.permissions import accounts_of, is_owner
from arena.bots.forms import RESERVED
from arena.bots.models import SLUG, Bot, Version, VersionEvent
from arena.bots.selectors import why_it_waits
from workers.runtimes.registry import RUNTIMES


class BotSerializer(serializers.ModelSerializer):
    serializer_field_mapping = TEXTS
    owner = serializers.CharField(source="owner.username", read_only=True)
    active_version = serializers.IntegerField(source="active_version.number", read_only=True, allow_null=True)
    runtime = serializers.CharField(source="active_version.runtime", read_only=True, allow_null=True)
    team = Text(
        required=False,
        write_only=True,
        max_length=150,
        help_text="The name of your team that is to own it; leave it out to own it yourself.",
    )

    class Meta:
        model = Bot
        fields = (
            "slug",
            "name",
            "owner",
            "team",
            "description",
            "active_version",
            "runtime",
            "activates_itself",
            "only_when_better",
            "is_house",
            "benched_at",
            "benched_reason",
            "disqualified_at",
            "disqualified_reason",
            "created_at",
        )
        read_only_fields = (
            "is_house",
            "benched_at",
            "benched_reason",
            "disqualified_at",
            "disqualified_reason",
            "created_at",
        )
        extra_kwargs = {"slug": {"validators": [SLUG]}}

    def validate_team(self, name: str) -> User:
        person = self.context["request"].user
        team = User.objects.filter(pk__in=accounts_of(person), is_team=True, username=name).first()
        if team is None:
            raise serializers.ValidationError("You are in no team of this name.", code="missing")
        return team

    def validate_slug(self, slug: str) -> str:
        if slug in RESERVED or Bot.objects.filter(slug=slug).exists():
            raise serializers.ValidationError("This address is taken.", code="unique")
        return slug

    def validate_name(self, name: str) -> str:
        name = unicodedata.normalize("NFC", name)
        twins = Bot.objects.filter(name__iexact=name)
        if self.instance:
            twins = twins.exclude(pk=self.instance.pk)
        if twins.exists():
            raise serializers.ValidationError("This name is taken.", code="unique")
        return name


class BotEditSerializer(BotSerializer):
    class Meta(BotSerializer.Meta):
        read_only_fields = (*BotSerializer.Meta.read_only_fields, "slug")  # type: ignore[assignment]  # one longer
        fields = tuple(name for name in BotSerializer.Meta.fields if name != "team")  # type: ignore[assignment]  # one shorter
        extra_kwargs = {}


class VersionSerializer(serializers.ModelSerializer):
    """Only the author sees why a version was rejected: for others, code and reason are empty."""

    bot = serializers.CharField(source="bot.slug", read_only=True)

    class Meta:
        model = Version
        fields = (
            "bot",
            "number",
            "status",
            "code",
            "reason",
            "runtime",
            "pinned_runtime",
            "size",
            "sha256",
            "created_at",
        )
        read_only_fields = fields

    def to_representation(self, version: Version) -> dict[str, Any]:
        told = super().to_representation(version)
        request = self.context.get("request")
        if request and is_owner(request.user, version.bot) and has_scope(request, Scope.PRIVATE):
            return told
        for part in (told, *told.get("events", [])):
            part["code"] = part["reason"] = ""
        return told


class EventSerializer(serializers.ModelSerializer):
    class Meta:
        model = VersionEvent
        fields = ("status", "at", "code", "reason")
        read_only_fields = fields


class LogSerializer(serializers.ModelSerializer):
    class Meta:
        model = VersionEvent
        fields = ("status", "at", "code", "reason", "log")
        read_only_fields = fields


class VersionDetailSerializer(VersionSerializer):
    events = EventSerializer(many=True, read_only=True)
    waiting = serializers.SerializerMethodField(
        help_text="What it waits for and since when; empty if it is simply waiting for its turn."
    )

    class Meta(VersionSerializer.Meta):
        fields = (*VersionSerializer.Meta.fields, "waiting", "events")  # type: ignore[assignment]  # longer

    def get_waiting(self, version: Version) -> str:
        return why_it_waits(version)


class UploadSerializer(serializers.Serializer):
    archive = serializers.FileField(
        allow_empty_file=True, help_text="A zip archive with bot.toml at the top, or a single .py file."
    )
    only_when_better = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Changes this setting of the bot: whether new versions play only once they have proved "
        "better than the active one. Leave it out to keep the setting.",
    )


class BotActSerializer(serializers.Serializer):
    act = serializers.ChoiceField(["bench", "disqualify", "reinstate"])
    reason = Text(max_length=500, help_text="Shown to the author.")


class BotFilterSerializer(serializers.Serializer):
    search = Text(required=False, max_length=100, help_text="Words, or beginnings of words, in names.")
    owner = Text(required=False, max_length=150, help_text="The name of the author or team.")
    mine = serializers.BooleanField(
        required=False, default=False, help_text="Only your own bots and those of your teams."
    )
    runtime = serializers.ChoiceField(
        list(RUNTIMES), required=False, help_text="The runtime of the active version."
    )
