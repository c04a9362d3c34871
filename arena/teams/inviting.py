"""Invitations to teams: by name or by a link, which one person may use once."""

import hashlib
import secrets
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.accounts import audit, limits
from arena.accounts.models import TeamInvitation, TeamMembership, User
from arena.bots.errors import RefusedError
from arena.bots.services import check_may_take_part
from arena.notices.services import notify
from arena.teams import services
from arena.teams.selectors import open_invitations

VALID_FOR = timedelta(days=7)
MOST_OPEN = 30
State = TeamInvitation.State


@transaction.atomic
def invite(actor: User, team_id: int, name: str) -> TeamInvitation:
    """Invite somebody by their name. They are told, and accept or decline."""
    team = services.lock_as_owner(actor, team_id)
    person = User.objects.filter(
        username__iexact=name, is_active=True, is_team=False, email_confirmed_at__isnull=False
    ).first()
    if person is None:
        raise RefusedError("unknown", _("There is nobody of this name who could join."))
    if team.members.filter(person=person).exists():
        raise RefusedError("member", _("%s is already in the team.") % person.username)
    if open_invitations().filter(team=team, person=person).exists():
        raise RefusedError("invited", _("%s is already invited.") % person.username)
    check_open(actor, team)
    # An invitation that has expired would be in the way of a new one.
    team.invitations.filter(person=person, state=State.OPEN).update(state=State.REVOKED)
    invitation = TeamInvitation.objects.create(
        team=team, person=person, inviter=actor, expires_at=timezone.now() + VALID_FOR
    )
    audit.record(actor, "invite to a team", team, person.username)
    values = {"who": actor.username, "team": team.username}
    notify(person.pk, lambda: _("%(who)s invites you to the team %(team)s.") % values, "/teams/")
    return invitation


@transaction.atomic
def invite_by_link(actor: User, team_id: int) -> tuple[TeamInvitation, str]:
    """Return an invitation for whoever has its secret, which is not stored."""
    team = services.lock_as_owner(actor, team_id)
    check_open(actor, team)
    secret = secrets.token_urlsafe(24)
    invitation = TeamInvitation.objects.create(
        team=team, digest=digest_of(secret), inviter=actor, expires_at=timezone.now() + VALID_FOR
    )
    audit.record(actor, "invite to a team", team, "link")
    return invitation, secret


def check_open(actor: User, team: User) -> None:
    if open_invitations().filter(team=team).count() >= MOST_OPEN:
        raise RefusedError(
            "quota-invitations", _("The team has %d open invitations. Take one back first.") % MOST_OPEN
        )
    limits.spend("invite", actor.pk)


def digest_of(secret: str) -> bytes:
    return hashlib.sha256(secret.encode(errors="replace")).digest()


def find_link(secret: str) -> TeamInvitation | None:
    return open_invitations().filter(digest=digest_of(secret)).first()


@transaction.atomic
def accept(person: User, invitation: TeamInvitation) -> TeamMembership:
    """Join the team. Of two who accept the same link at once, one does."""
    check_may_take_part(person)
    team = services.lock(invitation.team_id)
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
    if team.members.filter(person=person).exists():
        raise RefusedError("member", _("You are already in the team."))
    services.check_room_for(person)
    if team.members.count() >= services.MOST_MEMBERS:
        raise RefusedError("quota-members", _("The team is full: %d members.") % services.MOST_MEMBERS)
    close(invitation, person, State.ACCEPTED)
    membership = TeamMembership.objects.create(team=team, person=person)
    audit.record(person, "join a team", team)
    services.forget_roles(person)
    values = {"who": person.username, "team": team.username}
    for owner in team.members.filter(role=services.Role.OWNER).values_list("person", flat=True):
        notify(
            owner, lambda: _("%(who)s has joined the team %(team)s.") % values, services.team_address(team)
        )
    return membership


@transaction.atomic
def decline(person: User, invitation: TeamInvitation) -> None:
    close(invitation, person, State.DECLINED)


def close(invitation: TeamInvitation, person: User, state: str) -> None:
    """Use an invitation up, if it is still open and this person's to use; the row decides."""
    rows = TeamInvitation.objects.filter(pk=invitation.pk, state=State.OPEN, expires_at__gt=timezone.now())
    if not rows.filter(Q(person=None) | Q(person=person)).update(state=state):
        raise RefusedError("closed", _("This invitation was used or taken back, or has expired."))


@transaction.atomic
def revoke(actor: User, team_id: int, invitation_id: int) -> None:
    """Take an invitation back."""
    team = services.lock_as_owner(actor, team_id)
    if not team.invitations.filter(pk=invitation_id, state=State.OPEN).update(state=State.REVOKED):
        raise RefusedError("closed", _("This invitation was used or taken back, or has expired."))
    audit.record(actor, "take back invitation", team)
