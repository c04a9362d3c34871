"""Where one is signed in, what the arena knows, and leaving it."""

import json
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.usersessions.models import UserSession
from django.test import Client

from arena.accounts import audit, tokens
from arena.accounts.models import ApiToken, AuditEntry, User
from arena.bots.models import Bot
from arena.bots.selectors import playable_bots
from arena.notices.models import Notice, Webhook
from arena.notices.services import notify
from tests.arena.people import PASSWORD, browser_of, make_active

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
FORM = {"username": "itzel", "password": PASSWORD}


def signed_in(agent: str) -> Client:
    client = Client(HTTP_USER_AGENT=agent)
    client.post("/accounts/sign-in", FORM)
    return client


def is_in(client: Client) -> bool:
    return client.get("/accounts/settings").status_code == 200


def test_the_page_lists_every_session(itzel: User) -> None:
    signed_in("Firefox on a laptop")
    page = signed_in("<b>a phone").get("/accounts/security").content.decode()
    assert "Firefox on a laptop" in page
    assert "&lt;b&gt;a phone" in page
    assert page.count("this browser") == 1


def test_a_session_from_before_is_listed_too(client: Client, itzel: User) -> None:
    client.force_login(itzel)
    assert "this browser" in client.get("/accounts/security").content.decode()


def test_one_session_is_signed_out(itzel: User) -> None:
    lost, mine = signed_in("lost"), signed_in("mine")
    session = UserSession.objects.get(user_agent="lost")
    answer = mine.post(f"/accounts/sessions/{session.pk}/end", follow=True)
    assert "That session is signed out." in answer.content.decode()
    assert (is_in(lost), is_in(mine)) == (False, True)
    assert mine.post(f"/accounts/sessions/{session.pk}/end").status_code == 404


def test_ending_the_own_session_signs_out(itzel: User) -> None:
    client = signed_in("mine")
    answer = client.post(f"/accounts/sessions/{UserSession.objects.get().pk}/end")
    assert answer.headers["Location"] == "/accounts/sign-in"
    assert not is_in(client)


def test_all_others_are_signed_out_at_once(itzel: User) -> None:
    others, mine = [signed_in("one"), signed_in("two")], signed_in("mine")
    mine.post("/accounts/sessions/end-others")
    assert [is_in(each) for each in [*others, mine]] == [False, False, True]


def test_nobody_ends_the_session_of_another(itzel: User, mateo: User) -> None:
    client = signed_in("hers")
    session = UserSession.objects.get()
    assert browser_of(mateo).post(f"/accounts/sessions/{session.pk}/end").status_code == 404
    browser_of(mateo).post("/accounts/sessions/end-others")
    assert is_in(client)


def test_the_export_has_everything_but_secrets(itzel: User, mateo: User) -> None:
    make_active(itzel, "jaguar")
    make_active(mateo, "rival")
    _token, secret = tokens.make_token(itzel, "laptop", ["bots"])
    TOTP.activate(itzel, totp := generate_totp_secret())
    Webhook.objects.create(owner=itzel, url="https://example.org/hook")
    notify(itzel.pk, lambda: "Your jaguar won.")
    answer = browser_of(itzel).get("/accounts/export")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="aztlan-arena-itzel.json"'
    text = answer.content.decode()
    export: dict[str, Any] = json.loads(text)
    assert export["account"]["email"] == "itzel@example.org"
    assert [bot["slug"] for bot in export["bots"]] == ["jaguar"]
    assert [version["bot__slug"] for version in export["versions"]] == ["jaguar"]
    assert export["tokens"][0]["name"] == "laptop"
    assert export["second_factors"][0]["type"] == "totp"
    assert export["webhooks"][0]["url"] == "https://example.org/hook"
    assert "Your jaguar won." in [notice["text"] for notice in export["notices"]]
    for hidden in (secret, totp, itzel.password, "rival"):
        assert hidden not in text


def test_who_leaves_is_gone_and_results_stay(itzel: User, citlali: User) -> None:
    bot = make_active(itzel, "jaguar")
    tokens.make_token(itzel, "laptop", ["bots"])
    TOTP.activate(itzel, generate_totp_secret())
    Webhook.objects.create(owner=itzel, url="https://example.org/hook")
    notify(itzel.pk, lambda: "Your jaguar won.")
    audit.record(citlali, "bench", bot, "slow")
    other = signed_in("another browser")
    client = browser_of(itzel)
    assert "not the name" in client.post("/accounts/delete", {"username": "mateo"}).content.decode()
    answer = client.post("/accounts/delete", {"username": "itzel"}, follow=True)
    assert "Your account is deleted." in answer.content.decode()
    assert (is_in(client), is_in(other)) == (False, False)
    for model in (ApiToken, Authenticator, Webhook, Notice, UserSession):
        assert not model.objects.exists()
    gone = User.objects.get(pk=itzel.pk)
    assert (gone.username, gone.is_active, gone.about) == (f"former author {gone.pk}", False, "")
    assert "itzel" not in gone.email
    assert not gone.has_usable_password()
    assert Bot.objects.get().owner == gone
    assert not playable_bots().exists()
    assert AuditEntry.objects.count() == 1
    assert f"former author {gone.pk}" in Client().get("/bots/jaguar/").content.decode()
    page = Client().get(f"/authors/former%20author%20{gone.pk}/").content.decode()
    assert "This author has left." in page
    assert "itzel" not in page


def test_the_name_and_address_are_free_again(itzel: User) -> None:
    browser_of(itzel).post("/accounts/delete", {"username": "itzel"})
    body = {"username": "itzel", "email": "itzel@example.org", "password1": PASSWORD, "password2": PASSWORD}
    assert Client().post("/accounts/sign-up", body).status_code == 302
    assert User.objects.filter(username="itzel").count() == 1
