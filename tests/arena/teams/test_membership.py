"""Founding a team, joining and leaving it; and races for the last owner and for one link."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from arena.accounts import leaving, tokens
from arena.accounts.models import ApiToken, AuditEntry, TeamInvitation, TeamMembership, User
from arena.bots.errors import RefusedError
from arena.bots.models import Bot
from arena.notices.models import Notice
from arena.notices.services import notify
from arena.teams import inviting, services
from tests.arena.people import PASSWORD, browser_of, make_active, make_person, make_team

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]


def roles(team: User) -> dict[str, str]:
    return dict(team.members.values_list("person__username", "role"))


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(RefusedError) as refused:
        act()
    return refused.value.code


def test_a_founder_owns_the_team_and_the_act_is_recorded(itzel: User) -> None:
    team = services.create_team(itzel, "knights")
    assert roles(team) == {"itzel": "owner"}
    assert AuditEntry.objects.get(actor=itzel).act == "create a team"


@pytest.mark.parametrize("name", ["MATEO", "house", "Knights"])
def test_people_and_teams_share_their_names(itzel: User, mateo: User, name: str) -> None:
    services.create_team(itzel, "knights")
    assert refusal(lambda: services.create_team(itzel, name)) == "taken"


@pytest.mark.parametrize(
    "name", ["", "a", "a b", "jäger", "x" * 31, "<b>bold</b>", "a\0b", "-a-", "../admin"]
)
def test_odd_names_are_refused_with_a_sentence(itzel: User, name: str) -> None:
    answer = browser_of(itzel).post("/teams/", {"name": name})
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    assert not User.objects.filter(is_team=True).exists()


def test_nobody_founds_or_joins_without_a_confirmed_address(itzel: User, mateo: User) -> None:
    User.objects.filter(pk=mateo.pk).update(email_confirmed_at=None)
    mateo.refresh_from_db()
    assert refusal(lambda: services.create_team(mateo, "knights")) == "unconfirmed"
    team = services.create_team(itzel, "eagles")
    assert refusal(lambda: inviting.invite(itzel, team.pk, "mateo")) == "unknown"
    invitation, _secret = inviting.invite_by_link(itzel, team.pk)
    assert refusal(lambda: inviting.accept(mateo, invitation)) == "unconfirmed"


def test_there_is_a_limit_of_teams_and_of_members(
    itzel: User, mateo: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    team = services.create_team(itzel, "one")
    monkeypatch.setattr(services, "MOST_TEAMS", 1)
    assert refusal(lambda: services.create_team(itzel, "two")) == "quota-teams"
    monkeypatch.setattr(services, "MOST_MEMBERS", 1)
    invitation = inviting.invite(itzel, team.pk, "mateo")
    assert refusal(lambda: inviting.accept(mateo, invitation)) == "quota-members"


def test_nobody_signs_in_as_a_team(client: Client, itzel: User) -> None:
    team = services.create_team(itzel, "knights")
    team.set_password(PASSWORD)  # whoever gave it one
    team.save()
    answer = client.post("/accounts/sign-in", {"username": "knights", "password": PASSWORD})
    assert answer.status_code == 200
    answer = APIClient().post(
        "/api/v1/sign-in", {"username": "knights", "password": PASSWORD, "name": "x", "scopes": []}
    )
    assert answer.status_code == 401


def test_staff_cannot_give_a_team_a_password_or_a_role(itzel: User, citlali: User) -> None:
    team = services.create_team(itzel, "knights")
    answer = browser_of(citlali).post(
        f"/admin/accounts/user/{team.pk}/password/", {"password1": PASSWORD, "password2": PASSWORD}
    )
    assert answer.status_code == 403
    for flag in ("is_staff", "is_superuser", "is_organiser"):
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.filter(pk=team.pk).update(**{flag: True})
        setattr(team, flag, True)
        with pytest.raises(ValidationError):
            team.validate_constraints()
        setattr(team, flag, False)


def test_an_invitation_by_name_is_told_accepted_and_used_up(itzel: User, mateo: User) -> None:
    team = services.create_team(itzel, "knights")
    invitation = inviting.invite(itzel, team.pk, "MATEO")
    assert "itzel invites you to the team knights." in mateo.notices.get().text
    assert refusal(lambda: inviting.invite(itzel, team.pk, "mateo")) == "invited"
    inviting.accept(mateo, invitation)
    assert roles(team) == {"itzel": "owner", "mateo": "member"}
    assert refusal(lambda: inviting.accept(mateo, invitation)) == "member"
    services.leave_team(mateo, team.pk)
    assert refusal(lambda: inviting.accept(mateo, invitation)) == "closed"


def test_nobody_accepts_what_was_sent_to_another(itzel: User, mateo: User, olin: User) -> None:
    team = services.create_team(itzel, "knights")
    invitation = inviting.invite(itzel, team.pk, "mateo")
    assert refusal(lambda: inviting.accept(olin, invitation)) == "closed"
    assert browser_of(olin).post(f"/team-invitations/{invitation.pk}").status_code == 404
    assert roles(team) == {"itzel": "owner"}


@pytest.mark.parametrize("end", ["declined", "revoked", "expired"])
def test_a_closed_invitation_opens_nothing_and_another_may_follow(itzel: User, mateo: User, end: str) -> None:
    team = services.create_team(itzel, "knights")
    invitation = inviting.invite(itzel, team.pk, "mateo")
    if end == "declined":
        inviting.decline(mateo, invitation)
    elif end == "revoked":
        inviting.revoke(itzel, team.pk, invitation.pk)
        assert refusal(lambda: inviting.revoke(itzel, team.pk, invitation.pk)) == "closed"
    else:
        TeamInvitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert refusal(lambda: inviting.accept(mateo, invitation)) == "closed"
    assert "knights" not in browser_of(mateo).get("/teams/").content.decode().split("<main")[1]
    inviting.accept(mateo, inviting.invite(itzel, team.pk, "mateo"))


def test_a_link_is_shown_once_and_lets_one_person_in(itzel: User, mateo: User, olin: User) -> None:
    team = services.create_team(itzel, "knights")
    browser = browser_of(itzel)
    page = browser.post("/teams/knights/manage", {"form": "link"}).content.decode()
    link = page.split('<code class="secret">http://testserver')[1].split("<")[0]
    assert link not in browser.get("/teams/knights/manage").content.decode()
    assert browser_of(mateo).get(link).status_code == 200
    assert roles(team) == {"itzel": "owner"}  # a look does not join
    assert browser_of(mateo).post(link).headers["Location"] == "/teams/knights/"
    assert roles(team) == {"itzel": "owner", "mateo": "member"}
    assert browser_of(olin).post(link).status_code == 404


def test_the_last_owner_stays_until_somebody_else_is_one(itzel: User, mateo: User) -> None:
    team = make_team("knights", itzel, mateo)
    assert refusal(lambda: services.leave_team(itzel, team.pk)) == "last-owner"
    assert refusal(lambda: services.set_role(itzel, team.pk, itzel.pk, "member")) == "last-owner"
    assert refusal(lambda: services.remove_member(itzel, team.pk, itzel.pk)) == "last-owner"
    services.set_role(itzel, team.pk, mateo.pk, "owner")
    services.leave_team(itzel, team.pk)
    assert roles(team) == {"mateo": "owner"}


def test_the_last_member_leaves_a_team_with_bots_only_after_moving_them(itzel: User) -> None:
    team = make_team("knights", itzel)
    make_active(team, "jaguar")
    answer = browser_of(itzel).post("/teams/knights/leave", follow=True)
    assert "the team still has bots" in answer.content.decode()
    assert refusal(lambda: services.delete_team(itzel, team.pk)) == "has-bots"


def test_an_empty_team_goes_with_its_last_member_or_is_deleted(itzel: User, mateo: User) -> None:
    team = make_team("knights", itzel)
    assert services.leave_team(itzel, team.pk)
    assert not User.objects.filter(username="knights").exists()
    make_team("eagles", itzel, mateo)
    browser_of(itzel).post("/teams/eagles/delete", {"name": "eagle"})
    assert User.objects.filter(username="eagles").exists()
    browser_of(itzel).post("/teams/eagles/delete", {"name": "eagles"})
    assert not User.objects.filter(username="eagles").exists()
    assert mateo.notices.get().text == "The team eagles was deleted."


def test_members_do_not_run_the_team(itzel: User, mateo: User, olin: User) -> None:
    team = make_team("knights", itzel, mateo, olin)
    acts: list[Callable[[], object]] = [
        lambda: services.rename_team(mateo, team.pk, "mine"),
        lambda: services.delete_team(mateo, team.pk),
        lambda: services.set_role(mateo, team.pk, mateo.pk, "owner"),
        lambda: services.remove_member(mateo, team.pk, olin.pk),
        lambda: inviting.invite(mateo, team.pk, "citlali"),
        lambda: inviting.invite_by_link(mateo, team.pk),
    ]
    assert {refusal(act) for act in acts} == {"not-owner"}


def test_who_leaves_takes_the_tokens_they_made_along(itzel: User, mateo: User) -> None:
    team = make_team("knights", itzel, mateo)
    services.set_role(itzel, team.pk, mateo.pk, "owner")
    tokens.make_token(team, "his", ["bots"], mateo)
    tokens.make_token(team, "hers", ["bots"], itzel)
    services.remove_member(itzel, team.pk, mateo.pk)
    assert list(ApiToken.objects.filter(revoked_at=None).values_list("name", flat=True)) == ["hers"]
    assert "You were removed from the team knights." in mateo.notices.values_list("text", flat=True)


def test_a_renamed_team_keeps_everything_but_its_address(itzel: User, mateo: User) -> None:
    team = make_team("knights", itzel)
    jaguar = make_active(team, "jaguar")
    answer = browser_of(itzel).post("/teams/knights/manage", {"form": "rename", "name": "Eagles"})
    assert answer.headers["Location"] == "/teams/Eagles/manage"
    assert browser_of(None).get("/teams/knights/").status_code == 404
    assert "Jaguar" in browser_of(None).get("/teams/Eagles/").content.decode()
    assert browser_of(None).get("/authors/Eagles/").headers["Location"] == "/teams/Eagles/"
    assert [APIClient().get(f"/api/v1/{kind}/Eagles").status_code for kind in ("authors", "teams")] == [
        404,
        200,
    ]
    jaguar.refresh_from_db()
    assert jaguar.owner == team
    taken = browser_of(itzel).post("/teams/Eagles/manage", {"form": "rename", "name": "mateo"})
    assert "This name is taken." in taken.content.decode()


def test_a_deleted_account_leaves_its_teams_to_the_longest_member(
    itzel: User, mateo: User, olin: User
) -> None:
    team = make_team("knights", itzel, mateo, olin)
    make_active(team, "jaguar")
    leaving.delete_account(itzel)
    assert roles(team) == {"mateo": "owner", "olin": "member"}
    assert "You are now an owner" in mateo.notices.get().text
    assert Bot.objects.get().benched_at is None


def test_the_team_of_nobody_stops_playing_and_is_a_former_author(itzel: User) -> None:
    team = make_team("knights", itzel)
    make_active(team, "jaguar")
    make_team("empty", itzel)
    leaving.delete_account(itzel)
    team.refresh_from_db()
    assert team.username == f"former author {team.pk}"
    assert not User.objects.filter(username="empty").exists()
    assert Bot.objects.get().benched_at is not None
    assert browser_of(None).get(f"/authors/{team.username}/").status_code == 200


def test_the_export_names_teams_and_tokens_made_for_them(itzel: User) -> None:
    team = make_team("knights", itzel)
    _token, secret = tokens.make_token(team, "CI", ["bots"], itzel)
    export = leaving.export_account(itzel)
    assert [(one["team__username"], one["role"]) for one in export["teams"]] == [("knights", "owner")]
    assert [one["name"] for one in export["team_tokens"]] == ["CI"]
    assert secret not in str(export)


def test_what_a_team_is_told_each_member_is_told_and_finds_on_its_page(itzel: User, mateo: User) -> None:
    team = make_team("knights", itzel, mateo)
    notify(team.pk, lambda: "Your bot won.", "/")
    assert set(Notice.objects.values_list("user__username", flat=True)) == {"knights", "itzel", "mateo"}
    assert "Your bot won." in browser_of(mateo).get("/teams/knights/").content.decode()
    assert "Your bot won." not in browser_of(None).get("/teams/knights/").content.decode()


def at_once(*acts: Callable[[], object]) -> list[str]:
    """Do all of this at the same time, and return how each went."""
    ready, ends = threading.Barrier(len(acts)), []

    def run(act: Callable[[], object]) -> None:
        try:
            ready.wait(30)
            act()
            ends.append("done")
        except RefusedError as error:
            ends.append(error.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[act]) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return sorted(ends)


@pytest.mark.django_db(transaction=True)
def test_of_two_last_owners_who_leave_at_once_one_stays() -> None:
    itzel, mateo, olin = make_person("itzel"), make_person("mateo"), make_person("olin")
    team = make_team("knights", itzel, mateo, olin)
    team.members.filter(person=mateo).update(role="owner")
    ends = at_once(lambda: services.leave_team(itzel, team.pk), lambda: services.leave_team(mateo, team.pk))
    assert ends == ["done", "last-owner"]
    assert TeamMembership.objects.filter(team=team, role="owner").count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_link_that_two_accept_at_once_lets_one_in() -> None:
    itzel, mateo, olin = make_person("itzel"), make_person("mateo"), make_person("olin")
    team = make_team("knights", itzel)
    invitation, _secret = inviting.invite_by_link(itzel, team.pk)
    ends = at_once(lambda: inviting.accept(mateo, invitation), lambda: inviting.accept(olin, invitation))
    assert ends == ["closed", "done"]
    assert team.members.count() == 2


@pytest.mark.django_db(transaction=True)
def test_an_invitation_accepted_twice_at_once_joins_once() -> None:
    itzel, mateo = make_person("itzel"), make_person("mateo")
    team = make_team("knights", itzel)
    invitation = inviting.invite(itzel, team.pk, "mateo")
    ends = at_once(lambda: inviting.accept(mateo, invitation), lambda: inviting.accept(mateo, invitation))
    assert ends == ["done", "member"]
    assert team.members.count() == 2
