import pytest
from django.core.files.base import ContentFile
from django.test import Client
from pytest_django import Settings
from rest_framework.test import APIClient

from arena.accounts import limits
from arena.accounts.limits import LIMITS, LimitError
from arena.accounts.models import User
from arena.bots.models import Bot
from tests.arena.people import PASSWORD

pytestmark = pytest.mark.django_db
WRONG = {"username": "itzel", "password": "wrong"}
RIGHT = {"username": "itzel", "password": PASSWORD}


def test_after_five_wrong_passwords_even_the_right_one_must_wait(client: Client, itzel: User) -> None:
    for _ in range(LIMITS["sign-in"].times):
        assert "Try again in" not in client.post("/accounts/sign-in", WRONG).content.decode()
    answer = client.post("/accounts/sign-in", RIGHT)
    assert "Try again in" in answer.content.decode()
    assert not answer.wsgi_request.user.is_authenticated


def test_the_door_of_the_administration_is_guarded_like_the_other(client: Client, citlali: User) -> None:
    wrong = {"username": "citlali", "password": "wrong"}
    for _ in range(LIMITS["sign-in"].times):
        assert "Try again in" not in client.post("/admin/login/", wrong).content.decode()
    answer = client.post("/admin/login/", {**wrong, "password": PASSWORD})
    assert "Try again in" in answer.content.decode()
    assert not answer.wsgi_request.user.is_authenticated


def test_the_door_of_the_administration_opens_for_staff_alone(itzel: User, citlali: User) -> None:
    for name, status in (("itzel", 200), ("citlali", 302)):
        answer = Client().post("/admin/login/?next=/admin/", {"username": name, "password": PASSWORD})
        assert answer.status_code == status


def test_the_old_password_is_not_guessed_at_an_open_browser(client: Client, itzel: User) -> None:
    client.force_login(itzel)
    for _ in range(LIMITS["sign-in-account"].times):
        limits.spend("sign-in-account", "itzel")
    new = "quetzalcoatl-1519"
    form = {"form": "password", "old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert "Try again in" in client.post("/accounts/settings", form).content.decode()


def test_uploads_by_the_form_are_counted_too(client: Client, jaguar: Bot, itzel: User) -> None:
    client.force_login(itzel)
    for _ in range(LIMITS["upload"].times):
        limits.spend("upload", itzel.pk)
    upload = {"archive": ContentFile(b"print(1)", name="bot.py")}
    answer = client.post("/bots/jaguar/upload", upload)
    assert "Too many uploads. Try again in" in answer.content.decode()
    assert not jaguar.versions.exists()


def test_the_api_says_why_and_how_long(itzel: User) -> None:
    program = APIClient()
    body = {**WRONG, "name": "x", "scopes": []}
    for _ in range(LIMITS["sign-in"].times):
        answer = program.post("/api/v1/sign-in", body)
        assert (answer.status_code, answer.json()["code"]) == (401, "password")
    answer = program.post("/api/v1/sign-in", body)
    assert answer.status_code == 429
    assert 0 < answer.json()["wait_seconds"] <= LIMITS["sign-in"].seconds
    assert answer.headers["Retry-After"] == str(answer.json()["wait_seconds"])


def test_others_are_not_locked_out_by_one_who_guesses(client: Client, itzel: User) -> None:
    for _ in range(LIMITS["sign-in"].times + 1):
        client.post("/accounts/sign-in", WRONG)
    elsewhere = Client(REMOTE_ADDR="10.0.0.7")
    assert elsewhere.post("/accounts/sign-in", RIGHT).status_code == 302


def test_a_right_password_starts_the_count_again(client: Client, itzel: User) -> None:
    for _ in range(3):
        for _ in range(LIMITS["sign-in"].times - 1):
            client.post("/accounts/sign-in", WRONG)
        assert Client().post("/accounts/sign-in", RIGHT).status_code == 302


def test_many_networks_against_one_account_are_slowed_down_too(itzel: User) -> None:
    for number in range(LIMITS["sign-in-account"].times):
        limits.spend("sign-in-account", "itzel")
        assert number >= 0
    answer = Client(REMOTE_ADDR="10.9.9.9").post("/accounts/sign-in", RIGHT)
    assert "Too many attempts to sign in to this account." in answer.content.decode()


def test_a_mailbox_is_not_flooded(client: Client, itzel: User) -> None:
    for _ in range(LIMITS["mail"].times):
        client.post("/accounts/reset", {"email": itzel.email})
    assert "Too many e-mails" in client.post("/accounts/reset", {"email": itzel.email}).content.decode()


def test_an_address_that_a_client_claims_counts_only_behind_our_proxy(
    client: Client, settings: Settings
) -> None:
    from django.test import RequestFactory

    from arena.accounts.client import client_address

    request = RequestFactory().get("/", HTTP_X_FORWARDED_FOR="1.1.1.1, 2.2.2.2")
    assert client_address(request) == "127.0.0.1"
    settings.BEHIND_PROXY = True
    assert client_address(request) == "2.2.2.2"


def test_while_redis_is_away_people_still_sign_in(
    client: Client, itzel: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    from redis import Redis

    monkeypatch.setattr(limits, "counters", lambda: Redis(port=1, socket_connect_timeout=0.2))
    assert client.post("/accounts/sign-in", RIGHT).status_code == 302


def test_a_limit_says_how_long_to_wait(db: None) -> None:
    for _ in range(LIMITS["upload"].times):
        limits.spend("upload", 1)
    limits.spend("upload", 2)
    with pytest.raises(LimitError, match=r"Too many uploads\. Try again in") as error:
        limits.spend("upload", 1)
    assert 1 <= error.value.seconds <= LIMITS["upload"].seconds
    assert f"Try again in {error.value.seconds} s" in str(error.value)


def test_nobody_finds_out_who_is_here_by_signing_up(client: Client, itzel: User) -> None:
    form = {"username": "ana", "email": itzel.email, "password1": PASSWORD, "password2": PASSWORD}
    for _ in range(LIMITS["sign-up-try"].times):
        limits.spend("sign-up-try", "127.0.0.1")
    page = client.post("/accounts/sign-up", form).content.decode()
    assert "Too many attempts to sign up from your network. Try again in" in page
    assert "taken" not in page
