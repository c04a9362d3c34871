"""How teams look in the API."""

from typing import Any

from rest_framework import serializers

from arena.accounts.fields import Text
from arena.accounts.models import ApiToken, TeamInvitation, TeamMembership, User
from arena.accounts.permissions import may_have_scope
from arena.accounts.serializers import NewTokenSerializer, TokenSerializer
from arena.accounts.usernames import USERNAME


class MemberSerializer(serializers.ModelSerializer):
    username = serializers.CharField(source="person.username", read_only=True)

    class Meta:
        model = TeamMembership
        fields = ("username", "role", "joined_at")
        read_only_fields = fields


class TeamSerializer(serializers.ModelSerializer):
    name = Text(source="username", max_length=30, validators=[USERNAME], help_text="It is public.")
    created_at = serializers.DateTimeField(source="date_joined", read_only=True)
    members = MemberSerializer(many=True, read_only=True)

    class Meta:
        model = User
        fields = ("name", "created_at", "members")
        read_only_fields = ("created_at", "members")


class RoleSerializer(serializers.Serializer):
    role = serializers.ChoiceField(TeamMembership.Role.choices)


class InvitationSerializer(serializers.ModelSerializer):
    team = serializers.CharField(source="team.username", read_only=True)
    person = serializers.CharField(source="person.username", read_only=True, allow_null=True, default=None)
    inviter = serializers.CharField(source="inviter.username", read_only=True)

    class Meta:
        model = TeamInvitation
        fields = ("id", "team", "person", "inviter", "created_at", "expires_at")
        read_only_fields = fields


class NewInvitationSerializer(InvitationSerializer):
    """An invitation; if it is by link, with the link's secret, which is shown only once."""

    secret = serializers.CharField(read_only=True, allow_null=True)

    class Meta(InvitationSerializer.Meta):
        fields = (*InvitationSerializer.Meta.fields, "secret")  # type: ignore[assignment]  # one longer


class InviteSerializer(serializers.Serializer):
    person = Text(
        max_length=150,
        required=False,
        help_text="A username; leave it out for a link that one person can use.",
    )


class AnswerSerializer(serializers.Serializer):
    accept = serializers.BooleanField(help_text="False declines.")


class JoinSerializer(serializers.Serializer):
    secret = Text(max_length=100, help_text="The last part of the link.")


class MoveSerializer(serializers.Serializer):
    to = Text(max_length=150, help_text="Your username, or the name of a team that you are in.")


class TeamTokenSerializer(TokenSerializer):
    maker = serializers.CharField(source="maker.username", read_only=True)

    class Meta(TokenSerializer.Meta):
        model = ApiToken
        fields = (*TokenSerializer.Meta.fields, "maker")  # type: ignore[assignment]  # one longer

    def validate_scopes(self, scopes: Any) -> Any:
        if refused := sorted(scope for scope in scopes if not may_have_scope(self.context["team"], scope)):
            raise serializers.ValidationError(
                f"A team's token cannot have these scopes: {', '.join(refused)}.", code="scope"
            )
        return scopes


class NewTeamTokenSerializer(TeamTokenSerializer, NewTokenSerializer):
    """A team's token with its secret, which is shown only once."""

    class Meta(TeamTokenSerializer.Meta):
        fields = (*TeamTokenSerializer.Meta.fields, "secret")  # type: ignore[assignment]  # one longer
