"""Exporting an account, and deleting it. Results stay, as other people's ratings depend on them."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone

from arena.accounts.models import ApiToken, User
from arena.accounts.usernames import FORMER_AUTHOR
from arena.listeners import Happening, publish


def export_account(user: User) -> dict[str, Any]:
    """Return everything that the arena knows about a person and may show them: no secrets, no passwords."""
    tokens = ApiToken.objects.filter(user=user)
    export: dict[str, Any] = {
        "account": {
            "username": user.username,
            "email": user.email,
            "email_confirmed_at": user.email_confirmed_at,
            "about": user.about,
            "role": user.role,
            "mails_notices": user.mails_notices,
            "date_joined": user.date_joined,
            "last_login": user.last_login,
        },
        "tokens": list(
            tokens.values("name", "start", "scopes", "created_at", "last_used_at", "revoked_at").order_by(
                "id"
            )
        ),
        "second_factors": rows_of(Authenticator, user, "type", "created_at", "last_used_at"),
        "sign_in_with": rows_of(SocialAccount, user, "provider", "uid", "date_joined", "last_login"),
        "sessions": rows_of(UserSession, user, "created_at", "ip", "user_agent"),
    }
    for part in publish(Happening.ACCOUNT_EXPORTED, user):
        export |= part
    return export


def rows_of(model: Any, user: User, *fields: str) -> list[dict[str, Any]]:
    return list(model.objects.filter(user=user).order_by("pk").values(*fields))


@transaction.atomic
def delete_account(user: User) -> None:
    """Remove the person from their account: bots stop playing; results, replays and the audit log stay."""
    publish(Happening.ACCOUNT_LEAVES, user)
    for session in UserSession.objects.filter(user=user):
        session.end()
    for model in (ApiToken, Authenticator, SocialAccount, EmailAddress):
        model.objects.filter(user=user).delete()
    User.objects.filter(pk=user.pk).update(
        username=FORMER_AUTHOR % user.pk,
        email=f"former-{user.pk}@arena.invalid",
        first_name="",
        last_name="",
        about="",
        password=make_password(None),
        email_confirmed_at=None,
        is_active=False,
        is_staff=False,
        is_superuser=False,
        is_organiser=False,
        left_at=timezone.now(),
    )
