import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from arena.accounts import limits, tokens
from arena.accounts.limits import LIMITS
from arena.accounts.models import User
from tests.arena.people import PASSWORD, browser_of

pytestmark = pytest.mark.django_db
FORM = {"username": "ana", "email": "ana@example.org", "password1": PASSWORD, "password2": PASSWORD}


def link_in_mail() -> str:
    found = re.search(r"http://localhost:\d+(\S+)", str(mail.outbox[-1].body))
    assert found
    return found[1]


@pytest.fixture
def sends_mail(django_capture_on_commit_callbacks: Any) -> Any:
    return django_capture_on_commit_callbacks


def sign_up(client: Client, sends_mail: Any, **changes: str) -> Any:
    with sends_mail(execute=True):
        return client.post("/accounts/sign-up", {**FORM, **changes})


def test_who_signs_up_is_signed_in_and_confirms_by_the_link(client: Client, sends_mail: Any) -> None:
    answer = sign_up(client, sends_mail)
    assert answer.headers["Location"] == "/bots/mine"
    ana = User.objects.get(username="ana")
    assert ana.email_confirmed_at is None
    assert ana.role == "author"
    link = link_in_mail()
    assert "Confirm" in client.get(link).content.decode()
    assert User.objects.get(pk=ana.pk).email_confirmed_at is None  # mail programs open links by themselves
    client.post(link)
    assert User.objects.get(pk=ana.pk).email_confirmed_at is not None


def test_who_signs_up_with_an_address_that_got_many_mails_asks_for_the_link_later(client: Client) -> None:
    for _ in range(LIMITS["confirm-mailbox"].times):
        limits.spend("confirm-mailbox", FORM["email"])
    answer = client.post("/accounts/sign-up", FORM, follow=True)
    assert answer.redirect_chain[-1][0] == "/bots/mine"
    page = answer.content.decode()
    assert "Too many e-mails to this address. Try again in" in page
    assert "Send it again" in page
    assert User.objects.get().username == "ana"


def test_nobody_keeps_a_newcomer_from_confirming_by_asking_for_resets(
    client: Client, sends_mail: Any
) -> None:
    for number in range(20):
        Client(REMOTE_ADDR=f"203.0.113.{number}").post("/accounts/reset", {"email": FORM["email"]})
    sign_up(client, sends_mail)
    assert "/accounts/confirm/" in link_in_mail()


def test_a_wrong_link_confirms_nothing(client: Client, itzel: User) -> None:
    User.objects.update(email_confirmed_at=None)
    client.force_login(itzel)
    answer = client.post("/accounts/confirm/nonsense:1:2", follow=True)
    assert "invalid or has expired" in answer.content.decode()
    assert User.objects.get(pk=itzel.pk).email_confirmed_at is None


def test_a_link_to_an_address_that_was_changed_confirms_nothing(client: Client, sends_mail: Any) -> None:
    sign_up(client, sends_mail)
    link = link_in_mail()
    User.objects.update(email="other@example.org")
    client.post(link)
    assert User.objects.get().email_confirmed_at is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"username": "ITZEL"}, "taken"),
        ({"username": "house"}, "taken"),
        ({"username": "аdam"}, "Use 2 to 30 letters"),  # a Cyrillic letter
        ({"username": "<script>"}, "Use 2 to 30 letters"),
        ({"username": "a" * 31}, "30"),
        ({"email": "Itzel@example.org"}, "taken"),
        ({"email": "nonsense"}, "valid email"),
        ({"password1": "12345678", "password2": "12345678"}, "common"),
        ({"password2": "another-1325"}, "match"),
    ],
)
def test_a_sign_up_that_will_not_do_is_explained(
    client: Client, itzel: User, changes: dict[str, str], said: str
) -> None:
    answer = client.post("/accounts/sign-up", {**FORM, **changes})
    assert answer.status_code == 200
    assert said in answer.content.decode()
    assert list(answer.context["form"].errors) == [list(changes)[-1]]  # beside its field, and once
    assert User.objects.count() == 1


def test_a_forgotten_password_is_reset_by_mail(client: Client, itzel: User, sends_mail: Any) -> None:
    with sends_mail(execute=True):
        client.post("/accounts/reset", {"email": itzel.email})
    form = client.get(link_in_mail(), follow=True)
    path = form.redirect_chain[-1][0]
    client.post(path, {"new_password1": "new-password-99", "new_password2": "new-password-99"})
    assert client.login(username="itzel", password="new-password-99")


def test_a_reset_tells_nobody_whether_an_account_exists(client: Client, itzel: User) -> None:
    known = client.post("/accounts/reset", {"email": itzel.email}, follow=True).content
    unknown = client.post("/accounts/reset", {"email": "nobody@example.org"}, follow=True).content
    assert known == unknown


def test_a_new_address_needs_the_password_and_must_be_confirmed(
    client: Client, itzel: User, sends_mail: Any
) -> None:
    client.force_login(itzel)
    form = {"form": "email", "email-email": "new@example.org", "email-password": "wrong"}
    assert "This password is wrong" in client.post("/accounts/settings", form).content.decode()
    with sends_mail(execute=True):
        client.post("/accounts/settings", {**form, "email-password": PASSWORD})
    itzel.refresh_from_db()
    assert (itzel.email, itzel.email_confirmed_at) == ("new@example.org", None)
    asked, told = mail.outbox
    assert asked.to == ["new@example.org"]
    assert told.to == ["itzel@example.org"]
    assert "If this was not you" in told.body
    assert "new@example.org" not in told.body


def test_a_new_password_signs_out_everywhere_else(client: Client, itzel: User) -> None:
    other = Client()
    client.force_login(itzel)
    other.force_login(itzel)
    new = "another-password-7"
    form = {"form": "password", "old_password": PASSWORD, "new_password1": new, "new_password2": new}
    client.post("/accounts/settings", form)
    assert client.get("/bots/mine").status_code == 200
    assert other.get("/bots/mine").status_code == 302


NEW = {"new_password1": "another-password-7", "new_password2": "another-password-7"}


@pytest.mark.parametrize("keep", [False, True])
def test_a_new_password_revokes_the_tokens_or_says_that_they_stay(
    client: Client, itzel: User, keep: bool
) -> None:
    _, secret = tokens.make_token(itzel, "laptop", [])
    client.force_login(itzel)
    form = {"form": "password", "old_password": PASSWORD, **NEW, **({"keep_tokens": "on"} if keep else {})}
    page = client.post("/accounts/settings", form, follow=True).content.decode()
    assert ("1 API token still works." if keep else "1 API token was revoked.") in page
    assert bool(tokens.find_token(secret)) == keep
    assert "Your password has been changed." in itzel.notices.get().text


def test_a_reset_revokes_the_tokens_too(client: Client, itzel: User, sends_mail: Any) -> None:
    _, secret = tokens.make_token(itzel, "laptop", [])
    with sends_mail(execute=True):
        client.post("/accounts/reset", {"email": itzel.email})
    path = client.get(link_in_mail(), follow=True).redirect_chain[-1][0]
    assert "Keep my API tokens" in client.get(path).content.decode()
    assert "1 API token was revoked." in client.post(path, NEW, follow=True).content.decode()
    assert tokens.find_token(secret) is None


def test_a_password_that_staff_sets_revokes_the_tokens_too(itzel: User, citlali: User) -> None:
    _, secret = tokens.make_token(itzel, "laptop", [])
    client = browser_of(citlali)
    form = {"usable_password": "true", "password1": NEW["new_password1"], "password2": NEW["new_password2"]}
    assert client.post(f"/admin/accounts/user/{itzel.pk}/password/", form).status_code == 302
    assert tokens.find_token(secret) is None
    assert "1 API token was revoked." in itzel.notices.get().text


def test_the_administration_has_no_page_of_its_own_for_a_new_password(client: Client, citlali: User) -> None:
    client.force_login(citlali)
    assert client.get("/admin/password_change/").headers["Location"] == "/accounts/settings"


def test_the_profile_is_saved(client: Client, itzel: User) -> None:
    client.force_login(itzel)
    client.post("/accounts/settings", {"form": "profile", "about": "On trains."})
    itzel.refresh_from_db()
    assert (itzel.about, itzel.mails_notices) == ("On trains.", False)
    assert "On trains." in client.get("/authors/itzel/").content.decode()


def test_an_account_that_was_switched_off_has_no_page_and_no_way_in(client: Client, itzel: User) -> None:
    User.objects.update(is_active=False)
    assert client.get("/authors/itzel/").status_code == 404
    answer = client.post("/accounts/sign-in", {"username": "itzel", "password": PASSWORD})
    assert not answer.wsgi_request.user.is_authenticated
