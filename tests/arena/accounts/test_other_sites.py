"""Signing in with another site, by a real OpenID Connect provider in this process."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.test import Client

from arena.accounts.models import User
from arena.arena_env import providers
from tests.arena.accounts.identity_provider import CLIENT, SECRET, IdentityProvider, running_provider
from tests.arena.people import PASSWORD, browser_of
from workers.env import EnvError

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
LOGIN = "/accounts/oidc/example/login/"


def entry(**changes: str) -> dict[str, str]:
    whole = {
        "kind": "openid_connect", "id": "example", "name": "Example", "server": "https://id.example.org",
        "client_id": CLIENT, "secret": SECRET,
    }  # fmt: skip
    return {key: value for key, value in {**whole, **changes}.items() if value}


@pytest.fixture
def site(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[IdentityProvider]:
    with running_provider() as provider:
        monkeypatch.setenv("ARENA_SIGN_IN_PROVIDERS", json.dumps([entry(server=provider.url)]))
        settings.SOCIALACCOUNT_PROVIDERS = providers("ARENA_SIGN_IN_PROVIDERS")
        yield provider


def go_through(client: Client, site: IdentityProvider, address: str = LOGIN) -> Any:
    """Sign in at the site and come back."""
    answer = client.get(address)
    assert answer.headers["Location"].startswith(f"{site.url}/authorize?")
    return client.get(site.authorize(answer.headers["Location"]), follow=True)


def is_signed_in(client: Client) -> bool:
    return client.get("/accounts/settings").status_code == 200


def test_the_first_time_one_chooses_a_name(client: Client, site: IdentityProvider) -> None:
    assert "Sign in with Example" in client.get("/accounts/sign-in").content.decode()
    page = go_through(client, site).content.decode()
    assert "You signed in with Example for the first time." in page
    assert not User.objects.exists()
    client.post("/accounts/sites/sign-up", {"username": "ana", "email": "ana@example.org"})
    ana = User.objects.get()
    assert (ana.username, ana.email) == ("ana", "ana@example.org")
    assert ana.email_confirmed_at  # the site vouches for it
    assert not ana.has_usable_password()
    assert not EmailAddress.objects.exists()
    assert is_signed_in(client)
    again = Client()
    go_through(again, site)
    assert is_signed_in(again)
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    "person", [{"email_verified": False}, {"email": "other@example.org"}, {"email": None}]
)
def test_an_address_that_the_site_does_not_vouch_for_is_confirmed_by_mail(
    client: Client, site: IdentityProvider, person: dict[str, Any], django_capture_on_commit_callbacks: Any
) -> None:
    site.person |= person
    go_through(client, site)
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/accounts/sites/sign-up", {"username": "ana", "email": "ana@example.org"})
    assert User.objects.get().email_confirmed_at is None
    assert "/accounts/confirm/" in str(mail.outbox[0].body)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"username": "house"}, "can not be used"),
        ({"username": "ITZEL"}, "already exists"),
        ({"username": "<script>"}, "Use 2 to 30 letters"),
        ({"email": "Itzel@example.org"}, "already exists with this email"),
        ({"email": "nonsense"}, "valid email"),
    ],
)
def test_a_name_or_address_that_will_not_do_is_explained(
    client: Client, site: IdentityProvider, itzel: User, changes: dict[str, str], said: str
) -> None:
    go_through(client, site)
    body = {"username": "ana", "email": "ana@example.org", **changes}
    page = client.post("/accounts/sites/sign-up", body).content.decode()
    assert said in page
    assert User.objects.count() == 1


def test_a_site_that_knows_the_address_does_not_open_the_account(
    client: Client, site: IdentityProvider, itzel: User
) -> None:
    site.person["email"] = itzel.email
    page = go_through(client, site).content.decode()
    assert "Sign in to it, then connect this site" in page
    assert not is_signed_in(client)


def test_a_signed_in_person_connects_and_disconnects_a_site(site: IdentityProvider, itzel: User) -> None:
    client = browser_of(itzel)
    go_through(client, site, f"{LOGIN}?process=connect&next=/accounts/security")
    assert SocialAccount.objects.get().user == itzel
    other = Client()
    go_through(other, site)
    assert other.get("/accounts/settings").wsgi_request.user == itzel
    client.post("/accounts/sites", {"account": SocialAccount.objects.get().pk})
    assert not SocialAccount.objects.exists()


def test_the_second_factor_is_asked_for_after_the_site_too(site: IdentityProvider, itzel: User) -> None:
    go_through(browser_of(itzel), site, f"{LOGIN}?process=connect")
    TOTP.activate(itzel, generate_totp_secret())
    client = Client()
    answer = go_through(client, site)
    assert answer.redirect_chain[-1][0] == "/accounts/second-factor/authenticate"
    assert not is_signed_in(client)


def test_an_answer_that_was_not_asked_for_signs_nobody_in(client: Client, site: IdentityProvider) -> None:
    go_through(Client(), site)
    answer = client.get(f"{LOGIN}callback/?code=once&state=stolen", follow=True)
    assert "Signing in with that site did not work." in answer.content.decode()
    assert not is_signed_in(client)


def test_who_cancels_is_told_so(client: Client, site: IdentityProvider) -> None:
    state = site.authorize(client.get(LOGIN).headers["Location"]).partition("state=")[2]
    answer = client.get(f"{LOGIN}callback/?error=access_denied&state={state}", follow=True)
    assert "You cancelled the sign-in with Example." in answer.content.decode()


def test_a_site_that_is_down_takes_nothing_else_down(
    client: Client, site: IdentityProvider, itzel: User
) -> None:
    halfway = site.authorize(client.get(LOGIN).headers["Location"])
    site.shutdown()
    site.server_close()
    for address in (LOGIN, halfway):
        answer = client.get(address, follow=True)
        assert answer.redirect_chain[-1][0] == "/accounts/sign-in"
        page = answer.content.decode()
        assert (
            page.count("Signing in with that site did not work. Try again later, or use your password") == 1
        )
    client.post("/accounts/sign-in", {"username": "itzel", "password": PASSWORD})
    assert is_signed_in(client)


def test_an_unknown_site_is_not_found(client: Client) -> None:
    assert client.get("/accounts/oidc/nowhere/login/").status_code == 404


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("{", "Expecting property name"),
        ("{}", "must be a JSON list"),
        ("[1]", "each entry is an object of texts"),
        (json.dumps([entry(kind="nonsense")]), "its kind 'nonsense' is not known"),
        (json.dumps([entry(kind="../x")]), "is not known"),
        (json.dumps([entry(secret="")]), "lacks 'secret'"),
        (json.dumps([entry(server="")]), "lacks 'server'"),
        (json.dumps([entry(server="id.example.org")]), "must begin with https://"),
        (json.dumps([entry(), entry()]), "names one id twice"),
        (json.dumps([{**entry(), "colour": "red"}]), "'colour' is not known"),
    ],
)
def test_a_wrong_setting_is_named_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, value: str, said: str
) -> None:
    monkeypatch.setenv("ARENA_SIGN_IN_PROVIDERS", value)
    with pytest.raises(EnvError, match=r"^ARENA_SIGN_IN_PROVIDERS") as raised:
        providers("ARENA_SIGN_IN_PROVIDERS")
    assert said in str(raised.value)


def test_an_oauth_provider_needs_only_its_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "ARENA_SIGN_IN_PROVIDERS", json.dumps([{"kind": "github", "client_id": "a", "secret": "b"}])
    )
    code = (
        "import django; django.setup(); from django.urls import reverse; print(reverse('github_login'));"
        "from django.core.management import call_command; call_command('check')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[3],
        env={"DJANGO_SETTINGS_MODULE": "arena.settings", **os.environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "/accounts/github/login/" in done.stdout
