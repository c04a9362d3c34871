"""Makes the cast: people, their bots, and versions that passed validation."""

import time

from django.core.files.base import ContentFile
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from arena.accounts import tokens
from arena.accounts.models import Scope, TeamMembership, User
from arena.bots import services
from arena.bots.models import Bot, Status, Version
from arena.teams.services import create_team

PASSWORD = "tenochtitlan-1325"


def make_person(name: str, **flags: bool) -> User:
    return User.objects.create_user(
        name, f"{name}@example.org", PASSWORD, email_confirmed_at=timezone.now(), **flags
    )


def make_team(name: str, owner: User, *members: User) -> User:
    """A team of these people, whoever has a confirmed address or not."""
    team = create_team(owner, name)
    for person in members:
        TeamMembership.objects.create(team=team, person=person)
        person.__dict__.pop("team_roles", None)
    return team


def submit(bot: Bot, source: str = "print(1)\n") -> Version:
    upload = ContentFile(source.encode(), name="bot.py")
    return services.submit_version(uploader=bot.owner, bot=bot, upload=upload)


def pass_validation(version: Version) -> Version:
    """Have a version pass, as the match hosts would."""
    services.set_status(version.pk, Status.BUILT, log="a secret build log\n")
    services.finish_validation(version.pk, log="a secret validation log\n")
    version.refresh_from_db()
    return version


def make_active(owner: User, slug: str) -> Bot:
    """Make a bot with an active version."""
    bot = services.create_bot(owner, slug, slug.title())
    pass_validation(submit(bot, f"print('{slug}')\n"))
    bot.refresh_from_db()
    return bot


def playing(bot: Bot) -> Version:
    """The version of a bot that plays."""
    assert bot.active_version
    return bot.active_version


def browser_of(user: User | None) -> Client:
    """A browser in which this person is signed in, or nobody."""
    client = Client()
    if user:
        client.force_login(user)
        confirm_now(client, user)
    return client


def confirm_now(client: Client, user: User) -> None:
    """Have a browser's owner confirm who they are, as before acts that matter."""
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()


def program_of(user: User | None, *scopes: str) -> APIClient:
    """A program with a token of this person's, of all scopes or of those named."""
    client = APIClient()
    if user:
        name = f"token {user.tokens.count()}"
        _, secret = tokens.make_token(user, name, scopes or Scope.values)
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client
