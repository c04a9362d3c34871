"""Passkeys, with Chromium's virtual authenticator; and the pages around second factors, sound and shown."""

from collections.abc import Callable

import pytest
from allauth.mfa.models import Authenticator
from playwright.sync_api import Page, expect

from arena.accounts.models import User
from tests.arena.people import PASSWORD, make_person
from tests.e2e.conftest import shoot
from tests.e2e.looks import LOOKS, look_over, serious

Open = Callable[..., Page]
KEY = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


@pytest.fixture
def itzel(transactional_db: None) -> User:
    return make_person("itzel")


@pytest.fixture
def site(address: str) -> str:
    """Passkeys belong to names, not to addresses."""
    return address.replace("127.0.0.1", "localhost")


def sign_in(page: Page, site: str) -> None:
    page.goto(f"{site}/accounts/sign-in")
    page.get_by_label("Username").fill("itzel")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


def test_a_passkey_signs_in_without_a_password(open_page: Open, itzel: User, site: str) -> None:
    page = open_page(f"{site}/accounts/sign-in", ready="h1")
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})
    sign_in(page, site)
    page.goto(f"{site}/accounts/security")
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Name").fill("my laptop")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    assert serious(page) == []
    page.get_by_role("link", name="Done").click()
    expect(page.get_by_text("my laptop").first).to_be_visible()
    assert Authenticator.objects.filter(user=itzel, type="webauthn").count() == 1
    page.get_by_role("button", name="Sign out", exact=True).first.click()
    page.goto(f"{site}/accounts/sign-in")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("link", name="itzel")).to_be_visible()


def test_a_second_factor_by_key_is_asked_for_after_the_password(
    open_page: Open, itzel: User, site: str
) -> None:
    page = open_page(f"{site}/accounts/sign-in", ready="h1")
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})
    sign_in(page, site)
    page.goto(f"{site}/accounts/second-factor/passkeys/add")
    page.get_by_label("Sign in with it alone").uncheck()
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.context.clear_cookies()
    page.goto(f"{site}/accounts/sign-in")
    page.get_by_label("Username").fill("itzel")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Second factor")).to_be_visible()
    assert serious(page) == []
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("link", name="itzel")).to_be_visible()


@pytest.mark.parametrize("size", LOOKS)
def test_the_pages_of_security_are_sound(open_page: Open, itzel: User, size: str) -> None:
    page = open_page("/accounts/sign-in", ready="h1", **LOOKS[size])
    sign_in(page, "")
    paths = (
        "security",
        "second-factor/app/set-up",
        "second-factor/passkeys/add",
        "sites",
        "delete",
        "reauthenticate",
    )
    assert look_over(page, [f"/accounts/{path}" for path in paths], size) == []


def test_who_has_no_passkey_is_told_so(open_page: Open, itzel: User, site: str) -> None:
    # The browser's own refusal, without the complaint that a test would count.
    refuse = (
        "navigator.credentials.get = () => Promise.reject(new Error('none')); console.error = () => null;"
    )
    page = open_page(f"{site}/accounts/sign-in", ready="h1", script=refuse)
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_have_text(
        "The browser gave no passkey. Try again, or use another way."
    )
    shoot(page, "sign-in-without-passkey")
