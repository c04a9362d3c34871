"""Queries about teams, their members and invitations."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone

from arena.accounts.models import ApiToken, TeamInvitation, TeamMembership, User


def find_team(name: str) -> User:
    if "\0" in name:  # which PostgreSQL cannot compare
        raise Http404
    return get_object_or_404(User, is_team=True, is_active=True, username=name)


def teams_of(person: User) -> QuerySet[TeamMembership]:
    return person.memberships.select_related("team").order_by("team__username")


def members_of(team: User) -> QuerySet[TeamMembership]:
    """Return the members, owners first."""
    return team.members.select_related("person").order_by("-role", "person__username")


def open_invitations() -> QuerySet[TeamInvitation]:
    """Return the invitations that can still be accepted."""
    waiting = TeamInvitation.objects.filter(
        state=TeamInvitation.State.OPEN, expires_at__gt=timezone.now(), team__is_active=True
    )
    return waiting.select_related("team", "person", "inviter")


def export_of(user: User) -> dict[str, Any]:
    """Return the teams of somebody who exports their account, with what they made for them."""
    made = ApiToken.objects.filter(maker=user).order_by("id")
    return {
        "teams": list(user.memberships.order_by("id").values("team__username", "role", "joined_at")),
        "team_invitations": list(
            user.team_invitations.order_by("id").values("team__username", "state", "created_at")
        ),
        "team_tokens": list(made.values("user__username", "name", "start", "created_at", "revoked_at")),
    }
