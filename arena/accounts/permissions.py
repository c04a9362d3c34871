"""Who may do what: the one policy, which every page, API view, form and service asks.

Everybody with an account is an author. Organisers also run tournaments of their own, staff also run the arena
and every tournament, and superusers also change the accounts of staff. The members of a team act for its bots
as their owner, and its owners also run the team. What people may *see* of a match is decided by
`arena.matches.visibility`.
"""

from typing import Protocol

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth.models import AnonymousUser

from arena.accounts.models import Scope, TeamMembership, User

Person = User | AnonymousUser


class Owned(Protocol):
    """What belongs to an author: a bot."""

    owner_id: int


class Organised(Protocol):
    """What an organiser runs: a tournament."""

    organiser_id: int


def is_staff(person: Person) -> bool:
    """Whether somebody may void and rerun matches, bench bots, pause hosts, and use the staff's pages."""
    return (
        isinstance(person, User) and person.is_active and person.is_staff and not lacks_second_factor(person)
    )


def lacks_second_factor(person: Person) -> bool:
    """Whether the powers of somebody's role wait for a second factor, as ARENA_SECOND_FACTOR may demand."""
    if not isinstance(person, User) or settings.SECOND_FACTOR == "nobody":
        return False
    is_asked = person.is_staff or (settings.SECOND_FACTOR == "organisers" and person.is_organiser)
    return is_asked and not is_mfa_enabled(person)


def may_take_part(person: Person) -> bool:
    """Whether somebody may create bots, upload versions, enter tournaments and ask for matches."""
    return isinstance(person, User) and person.email_confirmed_at is not None


def accounts_of(person: Person) -> set[int]:
    """Return whose bots somebody may change and enter: their own, and those of their teams."""
    return {person.pk, *person.team_roles} if isinstance(person, User) else set()


def is_owner(person: Person, thing: Owned) -> bool:
    """Whether something is this person's or their team's, to change and to enter."""
    if not isinstance(person, User):
        return False
    return person.pk == thing.owner_id or thing.owner_id in person.team_roles


def may_give_away(person: Person, thing: Owned) -> bool:
    """Whether somebody may move a bot to another owner: a person their own, the owners of a team its bots."""
    if not isinstance(person, User) or person.is_team:
        return False
    return person.pk == thing.owner_id or runs_team(person, thing.owner_id)


def is_member(person: Person, team_id: int) -> bool:
    """Whether somebody belongs to a team, and may see its tokens and notices."""
    return isinstance(person, User) and team_id in person.team_roles


def runs_team(person: Person, team_id: int) -> bool:
    """Whether somebody may invite, remove, appoint owners, make tokens, rename and delete a team."""
    return isinstance(person, User) and person.team_roles.get(team_id) == TeamMembership.Role.OWNER


def may_read_private(person: Person, thing: Owned) -> bool:
    """Whether somebody may read sources, logs and notes. Staff may, and it is recorded each time."""
    return is_owner(person, thing) or is_staff(person)


def may_create_tournaments(person: Person) -> bool:
    return is_staff(person) or (
        isinstance(person, User)
        and person.is_active
        and person.is_organiser
        and not lacks_second_factor(person)
    )


def may_organise(person: Person, event: Organised) -> bool:
    """Whether somebody runs this tournament: its organiser, while they are one, or staff."""
    if is_staff(person):
        return True
    return may_create_tournaments(person) and person.pk == event.organiser_id


def may_change_account(person: Person, account: User) -> bool:
    """Whether staff may change somebody's account; those of staff are changed by superusers alone."""
    return is_staff(person) and (not account.is_staff or may_appoint_staff(person))


def may_appoint_staff(person: Person) -> bool:
    return is_staff(person) and bool(person.is_superuser)


def may_have_scope(person: Person, scope: str) -> bool:
    """Whether a token of this person's may have a scope; a role that is lost later takes its power too."""
    if scope == Scope.STAFF:
        return is_staff(person)
    if scope == Scope.ORGANISE:
        return may_create_tournaments(person)
    if scope == Scope.ACCOUNT:
        return isinstance(person, User) and not person.is_team
    return isinstance(person, User)
