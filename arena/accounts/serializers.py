"""How accounts look in the API."""

from typing import Any

from rest_framework import serializers

from arena.accounts.fields import TEXTS, Text
from arena.accounts.models import ApiToken, Scope, User


class AuthorSerializer(serializers.ModelSerializer):
    role = serializers.ChoiceField(choices=["author", "organiser", "staff"], read_only=True)

    class Meta:
        model = User
        fields = ("username", "role", "about", "date_joined")
        read_only_fields = fields


class MeSerializer(serializers.ModelSerializer):
    serializer_field_mapping = TEXTS
    role = serializers.ChoiceField(choices=["author", "organiser", "staff"], read_only=True)

    class Meta:
        model = User
        fields = ("username", "role", "about", "email", "email_confirmed_at", "mails_notices", "date_joined")
        read_only_fields = ("username", "email", "email_confirmed_at", "date_joined")


class ScopesField(serializers.MultipleChoiceField):
    """A list of scopes, always answered in the same order."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=Scope.choices, **kwargs)

    def to_representation(self, value: Any) -> list[str]:  # type: ignore[override]  # the base has a set
        return sorted(super().to_representation(value))


class TokenSerializer(serializers.ModelSerializer):
    serializer_field_mapping = TEXTS
    scopes = ScopesField()

    class Meta:
        model = ApiToken
        fields = ("id", "name", "start", "scopes", "created_at", "last_used_at")
        read_only_fields = ("id", "start", "created_at", "last_used_at")


class NewTokenSerializer(TokenSerializer):
    """A token with its secret, which is shown only once."""

    secret = serializers.CharField(read_only=True)

    class Meta(TokenSerializer.Meta):
        fields = (*TokenSerializer.Meta.fields, "secret")  # type: ignore[assignment]  # one longer


class SignInSerializer(serializers.Serializer):
    username = Text(max_length=150)
    password = serializers.CharField(max_length=1000, trim_whitespace=False, style={"input_type": "password"})
    name = Text(max_length=60, help_text="The name of the new token.")
    scopes = ScopesField()
    code = serializers.CharField(
        max_length=20,
        required=False,
        help_text="For accounts with a second factor: its code, or a recovery code.",
    )
