"""Who may do what, by role and act; and nobody but `arena.accounts.permissions` decides it.

What each page and each operation of the API answers to each role is in `tests/arena/api/test_permissions.py`.
"""

import ast
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

import arena
from arena.accounts import permissions
from arena.accounts.models import Scope, User
from arena.accounts.permissions import Person

NOW = timezone.now()
PEOPLE: dict[str, Person] = {
    "nobody": AnonymousUser(),
    "new author": User(pk=1, username="new"),
    "author": User(pk=2, username="itzel", email_confirmed_at=NOW),
    "former organiser": User(pk=3, username="omar", email_confirmed_at=NOW),
    "organiser": User(pk=4, username="olin", email_confirmed_at=NOW, is_organiser=True),
    "other organiser": User(pk=5, username="oyohualli", email_confirmed_at=NOW, is_organiser=True),
    "staff": User(pk=6, username="citlali", email_confirmed_at=NOW, is_staff=True),
    "superuser": User(pk=7, username="xochitl", email_confirmed_at=NOW, is_staff=True, is_superuser=True),
    "team member": User(pk=9, username="nelli", email_confirmed_at=NOW),
    "team owner": User(pk=10, username="tlaloc", email_confirmed_at=NOW),
    "team": User(pk=11, username="knights", email_confirmed_at=NOW, is_team=True),
    "former staff": User(pk=8, username="yaotl", is_staff=True, is_superuser=True, is_active=False),
}

for person in PEOPLE.values():  # read from the database otherwise
    if isinstance(person, User):
        person.team_roles = {9: {11: "member"}, 10: {11: "owner"}}.get(person.pk, {})
CONFIRMED = {
    "author", "former organiser", "organiser", "other organiser", "staff", "superuser",
    "team member", "team owner", "team",
}  # fmt: skip


@dataclass
class Bot:
    owner_id: int


@dataclass
class Event:
    organiser_id: int


OWN_BOT, TEAMS_BOT = Bot(owner_id=2), Bot(owner_id=11)
CUP, FORMER_CUP = Event(organiser_id=4), Event(organiser_id=3)
ACTS: dict[str, tuple[Callable[[Person], bool], set[str]]] = {
    "void matches, bench bots, pause hosts": (permissions.is_staff, {"staff", "superuser"}),
    "create bots and request matches": (
        permissions.may_take_part,
        CONFIRMED,
    ),
    "change the author's bot": (lambda one: permissions.is_owner(one, OWN_BOT), {"author"}),
    "read the source of the author's bot": (
        lambda one: permissions.may_read_private(one, OWN_BOT),
        {"author", "staff", "superuser"},
    ),
    "change the team's bot": (
        lambda one: permissions.is_owner(one, TEAMS_BOT),
        {"team member", "team owner", "team"},
    ),
    "read the source of the team's bot": (
        lambda one: permissions.may_read_private(one, TEAMS_BOT),
        {"team member", "team owner", "team", "staff", "superuser"},
    ),
    "move the author's bot to a team": (lambda one: permissions.may_give_away(one, OWN_BOT), {"author"}),
    "move the team's bot elsewhere": (
        lambda one: permissions.may_give_away(one, TEAMS_BOT),
        {"team owner"},
    ),
    "see the team's tokens and notices": (
        lambda one: permissions.is_member(one, 11),
        {"team member", "team owner"},
    ),
    "invite, remove, appoint and rename": (lambda one: permissions.runs_team(one, 11), {"team owner"}),
    "have tokens that change the account": (
        lambda one: permissions.may_have_scope(one, Scope.ACCOUNT),
        PEOPLE.keys() - {"nobody", "team"},
    ),
    "create tournaments": (
        permissions.may_create_tournaments,
        {"organiser", "other organiser", "staff", "superuser"},
    ),
    "run the organiser's tournament": (
        lambda one: permissions.may_organise(one, CUP),
        {"organiser", "staff", "superuser"},
    ),
    "run the former organiser's tournament": (
        lambda one: permissions.may_organise(one, FORMER_CUP),
        {"staff", "superuser"},
    ),
    "change an author's account": (
        lambda one: permissions.may_change_account(one, User(username="itzel")),
        {"staff", "superuser"},
    ),
    "change the account of staff": (
        lambda one: permissions.may_change_account(one, User(username="citlali", is_staff=True)),
        {"superuser"},
    ),
    "appoint staff": (permissions.may_appoint_staff, {"superuser"}),
    "have tokens that act as staff": (
        lambda one: permissions.may_have_scope(one, Scope.STAFF),
        {"staff", "superuser"},
    ),
    "have tokens that run tournaments": (
        lambda one: permissions.may_have_scope(one, Scope.ORGANISE),
        {"organiser", "other organiser", "staff", "superuser"},
    ),
    "have tokens that upload bots": (
        lambda one: permissions.may_have_scope(one, Scope.BOTS),
        PEOPLE.keys() - {"nobody"},
    ),
}


@pytest.mark.parametrize("act", ACTS)
def test_who_may(act: str) -> None:
    allows, expected = ACTS[act]
    assert {role for role, person in PEOPLE.items() if allows(person)} == expected


ROLES = {"is_staff", "is_organiser", "is_superuser", "team_roles"}
DECIDE = {"accounts/permissions.py", "accounts/models.py"}


def test_no_other_module_looks_at_roles() -> None:
    """Pages, API views and services ask the policy; a role that is read elsewhere is a second policy."""
    root = Path(arena.__file__).parent
    found = [
        f"{path.relative_to(root)}:{node.lineno} {node.attr}"
        for path in root.rglob("*.py")
        if str(path.relative_to(root)) not in DECIDE
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in ROLES
    ]
    assert found == []
