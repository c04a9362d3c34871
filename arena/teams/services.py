"""Changes to teams and to who belongs to them.

Whatever changes a team's members locks the team first, so that two owners who leave at once do not leave a
team without one.
"""

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.accounts import audit, limits, tokens
from arena.accounts.leaving import delete_account
from arena.accounts.models import TeamMembership, User
from arena.accounts.permissions import runs_team
from arena.accounts.usernames import RESERVED_NAMES
from arena.bots.errors import RefusedError
from arena.bots.services import check_may_take_part
from arena.notices.services import notify

MOST_TEAMS = 10
"""How many teams one person may be in."""
MOST_MEMBERS = 30
Role = TeamMembership.Role


def check_name(name: str, but: User | None = None) -> None:
    """Refuse a name that somebody has, or that nobody may have; people and teams share their names."""
    twins = User.objects.filter(username__iexact=name).exclude(pk=but.pk if but else 0)
    if name.casefold() in RESERVED_NAMES or twins.exists():
        raise RefusedError("taken", _("This name is taken."))


@transaction.atomic
def create_team(person: User, name: str) -> User:
    """Found a team, whose only owner is this person; the caller has validated the name's letters."""
    check_may_take_part(person)
    User.objects.select_for_update(no_key=True).get(pk=person.pk)  # two at once count one by one
    check_room_for(person)
    check_name(name)
    limits.spend("team", person.pk)
    try:
        with transaction.atomic():
            team = User.objects.create(
                username=name,
                email=f"team-{name.casefold()}@arena.invalid",
                password=make_password(None),
                email_confirmed_at=timezone.now(),
                mails_notices=False,
                is_team=True,
            )
    except IntegrityError:
        raise RefusedError("taken", _("This name is taken.")) from None
    TeamMembership.objects.create(team=team, person=person, role=Role.OWNER)
    audit.record(person, "create a team", team)
    forget_roles(person)
    return team


def check_room_for(person: User) -> None:
    if person.memberships.count() >= MOST_TEAMS:
        raise RefusedError("quota-teams", _("Nobody can be in more than %d teams.") % MOST_TEAMS)


def forget_roles(person: User) -> None:
    """Have a person's roles read again by whoever asks next in this request."""
    person.__dict__.pop("team_roles", None)


def lock(team_id: int) -> User:
    team = User.objects.select_for_update(no_key=True).filter(pk=team_id, is_team=True).first()
    if team is None:
        raise RefusedError("gone", _("This team no longer exists."))
    return team


def lock_as_owner(actor: User, team_id: int) -> User:
    """Return the team, locked, if the actor runs it at this moment."""
    team = lock(team_id)
    forget_roles(actor)
    if not runs_team(actor, team_id):
        raise RefusedError("not-owner", _("Only the owners of the team may do this."))
    return team


@transaction.atomic
def rename_team(actor: User, team_id: int, name: str) -> User:
    team = lock_as_owner(actor, team_id)
    check_name(name, but=team)
    before = team.username
    team.username, team.email = name, f"team-{name.casefold()}@arena.invalid"
    try:
        with transaction.atomic():
            team.save(update_fields=["username", "email"])
    except IntegrityError:
        raise RefusedError("taken", _("This name is taken.")) from None
    audit.record(actor, "rename a team", team, before)
    return team


@transaction.atomic
def delete_team(actor: User, team_id: int) -> None:
    """Delete a team that has no bots. Its members are told."""
    team = lock_as_owner(actor, team_id)
    if team.bots.exists():
        raise RefusedError("has-bots", _("The team still has bots. Move them to somebody first."))
    for person in team.members.exclude(person=actor).values_list("person", flat=True):
        notify(person, lambda: _("The team %s was deleted.") % team.username)
    audit.record(actor, "delete a team", team)
    team.delete()
    forget_roles(actor)


@transaction.atomic
def set_role(actor: User, team_id: int, person_id: int, role: str) -> None:
    """Make a member an owner, or an owner a member; the last owner stays one."""
    team = lock_as_owner(actor, team_id)
    membership = membership_of(team, person_id)
    if membership.role == role:
        return
    if role == Role.MEMBER:
        check_other_owner(team, membership)
    membership.role = role
    membership.save(update_fields=["role"])
    audit.record(actor, f"make {role} of a team", team, membership.person.username)
    forget_roles(actor)
    if membership.person != actor:
        notify(person_id, lambda: said_role(team, role), team_address(team))


def said_role(team: User, role: str) -> str:
    if role == Role.OWNER:
        return _("You are now an owner of the team %s.") % team.username
    return _("You are now a member of the team %s, no longer an owner.") % team.username


def team_address(team: User) -> str:
    return f"/teams/{team.username}/"


def membership_of(team: User, person_id: int) -> TeamMembership:
    membership = team.members.select_related("person").filter(person=person_id).first()
    if membership is None:
        raise RefusedError("not-member", _("This person is not in the team."))
    return membership


def check_other_owner(team: User, membership: TeamMembership) -> None:
    owners = team.members.filter(role=Role.OWNER)
    if membership.role == Role.OWNER and not owners.exclude(pk=membership.pk).exists():
        raise RefusedError("last-owner", _("A team needs an owner. Make somebody else an owner first."))


@transaction.atomic
def remove_member(actor: User, team_id: int, person_id: int) -> None:
    """Take somebody out of a team, as one of its owners."""
    team = lock_as_owner(actor, team_id)
    membership = membership_of(team, person_id)
    check_other_owner(team, membership)
    end_membership(membership)
    audit.record(actor, "remove from a team", team, membership.person.username)
    notify(person_id, lambda: _("You were removed from the team %s.") % team.username, team_address(team))


@transaction.atomic
def leave_team(person: User, team_id: int) -> bool:
    """Leave a team; return whether it went with its last member. The last owner of others or bots stays."""
    team = lock(team_id)
    membership = membership_of(team, person.pk)
    is_last = not team.members.exclude(pk=membership.pk).exists()
    if is_last and team.bots.exists():
        raise RefusedError(
            "has-bots",
            _("You are the last member, and the team still has bots. Move them to your account first."),
        )
    if not is_last:
        check_other_owner(team, membership)
    audit.record(person, "leave a team", team)
    end_membership(membership)
    if is_last:
        team.delete()
    forget_roles(person)
    return is_last


def end_membership(membership: TeamMembership) -> None:
    """End it, with the team's tokens that this person made: they know the secrets."""
    tokens.revoke_tokens_made_by(membership.person, membership.team_id)
    membership.delete()


def leave_all(user: User) -> None:
    """Take somebody who deletes their account out of their teams; the longest member inherits one."""
    user.team_invitations.all().delete()
    for team_id in sorted(user.memberships.values_list("team", flat=True)):
        team = lock(team_id)
        end_membership(membership_of(team, user.pk))
        others = team.members.order_by("joined_at", "pk")
        if others.filter(role=Role.OWNER).exists():
            continue
        if heir := others.first():
            others.filter(pk=heir.pk).update(role=Role.OWNER)
            notify(heir.person_id, lambda: said_role(team, Role.OWNER), team_address(team))  # noqa: B023  called at once
        elif team.bots.exists():
            delete_account(team)
        else:
            team.delete()
