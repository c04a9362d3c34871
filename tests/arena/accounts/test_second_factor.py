"""Authenticator apps, recovery codes, and confirming who one is before acts that matter."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.core import mail
from django.test import Client
from rest_framework.test import APIClient

from arena.accounts.models import ApiToken, AuditEntry, User
from tests.arena.people import PASSWORD, browser_of, make_person

pytestmark = pytest.mark.django_db
SECRET = generate_totp_secret()
Api = Callable[..., APIClient]


def code_of(secret: str = SECRET) -> str:
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30)))


@pytest.fixture
def guarded(itzel: User, redis: Any) -> User:
    """Itzel, whose account has an authenticator app and recovery codes."""
    TOTP.activate(itzel, SECRET)
    RecoveryCodes.activate(itzel)
    return itzel


def recovery_code(user: User) -> str:
    codes = Authenticator.objects.get(user=user, type="recovery_codes").wrap().get_unused_codes()
    return str(codes[0])


def sign_in(client: Client, **more: str) -> Any:
    return client.post("/accounts/sign-in", {"username": "itzel", "password": PASSWORD, **more})


def is_signed_in(client: Client) -> bool:
    return client.get("/accounts/settings").status_code == 200


def test_an_app_is_set_up_with_its_code_and_recovery_codes_follow(itzel: User, redis: Any) -> None:
    client = browser_of(itzel)
    page = client.get("/accounts/second-factor/app/set-up").content.decode()
    found = re.search(r'<code class="secret">(\w+)</code>', page)
    assert found
    answer = client.post("/accounts/second-factor/app/set-up", {"code": code_of(found[1])}, follow=True)
    page = answer.content.decode()
    assert "Recovery codes" in page
    assert page.count("<li><code>") == 10
    assert '<span class="tag good">on</span>' in client.get("/accounts/security").content.decode()


def test_a_wrong_code_sets_nothing_up(itzel: User, redis: Any) -> None:
    client = browser_of(itzel)
    client.get("/accounts/second-factor/app/set-up")
    answer = client.post("/accounts/second-factor/app/set-up", {"code": "000000"})
    assert "Incorrect code" in answer.content.decode()
    assert not Authenticator.objects.exists()


def test_an_unconfirmed_address_gets_no_second_factor(itzel: User) -> None:
    User.objects.update(email_confirmed_at=None)
    for path in ("app/set-up", "passkeys/add"):
        answer = browser_of(itzel).get(f"/accounts/second-factor/{path}", follow=True)
        assert "Confirm your e-mail address first." in answer.content.decode()


def test_a_password_alone_opens_nothing(client: Client, guarded: User) -> None:
    answer = sign_in(client)
    assert answer.headers["Location"] == "/accounts/second-factor/authenticate"
    assert not is_signed_in(client)
    page = client.get("/accounts/second-factor/authenticate").content.decode()
    assert "or a recovery code" in page
    client.post("/accounts/second-factor/authenticate", {"code": "000000"})
    assert not is_signed_in(client)


def test_the_code_signs_in_and_leads_on(client: Client, guarded: User) -> None:
    sign_in(client, next="/bots/mine")
    answer = client.post("/accounts/second-factor/authenticate", {"code": code_of()})
    assert answer.headers["Location"] == "/bots/mine"
    assert is_signed_in(client)


def test_a_recovery_code_works_once(guarded: User) -> None:
    code = recovery_code(guarded)
    for works in (True, False):
        client = Client()
        sign_in(client)
        client.post("/accounts/second-factor/authenticate", {"code": code})
        assert is_signed_in(client) is works


def test_guessing_codes_is_slowed_down(client: Client, guarded: User) -> None:
    sign_in(client)
    for _ in range(5):
        client.post("/accounts/second-factor/authenticate", {"code": "000000"})
    answer = client.post("/accounts/second-factor/authenticate", {"code": code_of()})
    assert "Too many attempts with a wrong code." in answer.content.decode()
    assert not is_signed_in(client)


def test_the_door_of_the_administration_asks_for_the_code_too(client: Client, citlali: User) -> None:
    TOTP.activate(citlali, SECRET)
    body = {"username": "citlali", "password": PASSWORD}
    answer = client.post("/admin/login/?next=/admin/", body)
    assert answer.headers["Location"] == "/accounts/second-factor/authenticate"
    assert client.get("/admin/").status_code == 302


def test_a_program_needs_the_code_too(guarded: User) -> None:
    body = {"username": "itzel", "password": PASSWORD, "name": "cli", "scopes": []}
    answer = APIClient().post("/api/v1/sign-in", body)
    assert (answer.status_code, answer.json()["code"]) == (401, "second-factor")
    assert "as `code`" in answer.json()["message"]
    answer = APIClient().post("/api/v1/sign-in", {**body, "code": "000000"})
    assert (answer.status_code, answer.json()["code"]) == (401, "second-factor")
    assert not ApiToken.objects.exists()
    assert APIClient().post("/api/v1/sign-in", {**body, "code": code_of()}).status_code == 201


def test_acts_that_matter_ask_again_who_it_is(client: Client, itzel: User, redis: Any) -> None:
    client.force_login(itzel)  # long ago
    answer = client.post("/accounts/tokens", {"name": "laptop", "scopes": ["bots"]})
    assert answer.headers["Location"] == "/accounts/reauthenticate?next=%2Faccounts%2Ftokens"
    assert not ApiToken.objects.exists()
    assert (
        "incorrect" in client.post(answer.headers["Location"], {"password": "wrong"}).content.decode().lower()
    )
    page = client.post(answer.headers["Location"], {"password": PASSWORD, "next": "/accounts/tokens"})
    assert "Copy the token now" in page.content.decode()  # what was asked for is done, nothing is typed twice
    assert ApiToken.objects.get().name == "laptop"


@pytest.mark.parametrize(
    "path",
    ["/accounts/export", "/accounts/delete", "/accounts/second-factor/app/set-up",
     "/accounts/second-factor/passkeys/add"],
)  # fmt: skip
def test_these_pages_ask_again_who_it_is(client: Client, itzel: User, path: str) -> None:
    client.force_login(itzel)
    answer = client.get(path)
    assert answer.headers["Location"].startswith("/accounts/reauthenticate?next=")
    sign_in(client)
    assert browser_of(itzel).get(path).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_change_of_factors_is_mailed(itzel: User, redis: Any) -> None:
    client = browser_of(itzel)
    page = client.get("/accounts/second-factor/app/set-up").content.decode()
    secret = page.split('<code class="secret">')[1].split("<")[0]
    client.post("/accounts/second-factor/app/set-up", {"code": code_of(secret)})
    assert [message.to for message in mail.outbox] == [["itzel@example.org"]]


@pytest.mark.parametrize(
    ("asked", "keeps"), [("nobody", {"olin", "citlali"}), ("staff", {"olin"}), ("organisers", set())]
)
def test_roles_wait_for_a_second_factor_where_the_setting_says_so(
    olin: User, citlali: User, settings: Any, api: Api, redis: Any, asked: str, keeps: set[str]
) -> None:
    settings.SECOND_FACTOR = asked
    assert (browser_of(citlali).get("/admin/").status_code == 200) is ("citlali" in keeps)
    assert (browser_of(citlali).get("/operator/").status_code == 200) is ("citlali" in keeps)
    assert (browser_of(olin).get("/tournaments/new").status_code == 200) is ("olin" in keeps)
    for person in (olin, citlali):
        TOTP.activate(person, SECRET)
    assert browser_of(citlali).get("/admin/").status_code == 200
    assert browser_of(citlali).get("/operator/").status_code == 200
    assert browser_of(olin).get("/tournaments/new").status_code == 200


def test_staff_without_a_second_factor_are_led_to_add_one(citlali: User, settings: Any) -> None:
    settings.SECOND_FACTOR = "staff"
    for path in ("/admin/", "/operator/"):
        answer = browser_of(citlali).get(path, follow=True)
        assert answer.redirect_chain[-1][0] == "/accounts/security"
        assert "Your role needs a second factor here. Add" in answer.content.decode()


def test_staff_remove_the_factors_of_somebody_who_is_locked_out(guarded: User, citlali: User) -> None:
    body = {"action": "remove_factors", "_selected_action": [guarded.pk], "reason": "Lost her phone."}
    browser_of(citlali).post("/admin/accounts/user/", body)
    assert not Authenticator.objects.exists()
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.reason) == ("remove second factors", "Lost her phone.")
    assert "Lost her phone." in guarded.notices.get().text


def test_only_superusers_remove_the_factors_of_staff(citlali: User) -> None:
    TOTP.activate(citlali, SECRET)
    ayotl = make_person("ayotl", is_staff=True)
    body = {"action": "remove_factors", "_selected_action": [citlali.pk], "reason": "Mine now."}
    browser_of(ayotl).post("/admin/accounts/user/", body)
    assert Authenticator.objects.exists()


def test_changing_an_account_as_staff_asks_again_who_it_is(
    client: Client, itzel: User, citlali: User
) -> None:
    client.force_login(citlali)
    new = {"password1": "quetzalcoatl-1519", "password2": "quetzalcoatl-1519", "usable_password": "true"}
    answer = client.post(f"/admin/accounts/user/{itzel.pk}/password/", new)
    assert answer.headers["Location"].startswith("/accounts/reauthenticate?")
    assert User.objects.get(pk=itzel.pk).check_password(PASSWORD)


def test_the_administration_shows_no_page_of_allauth(citlali: User) -> None:
    page = browser_of(citlali).get("/admin/").content.decode()
    for name in ("socialaccount", "mfa/authenticator", "usersession", "emailaddress"):
        assert name not in page
