from collections.abc import Callable
from secrets import token_hex
from typing import Any

import pytest
from django.core import mail
from django.core.files.base import ContentFile
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from rest_framework.test import APIClient

from arena.accounts import limits
from arena.accounts.limits import LIMITS, LimitError
from arena.accounts.models import User
from arena.bots.models import Bot
from arena.redis_client import connect
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


@pytest.mark.parametrize("form", ["password", "email"])
def test_the_old_password_is_not_guessed_at_an_open_browser(client: Client, itzel: User, form: str) -> None:
    client.force_login(itzel)
    new = "quetzalcoatl-1519"
    answers = {
        "password": {"old_password": "wrong", "new_password1": new, "new_password2": new},
        "email": {"email-email": "new@example.org", "email-password": "wrong"},
    }
    guess = {"form": form, **answers[form]}
    for _ in range(LIMITS["old-password"].times):
        assert "Try again in" not in client.post("/accounts/settings", guess).content.decode()
    assert "Try again in" in client.post("/accounts/settings", guess).content.decode()
    at_home = Client()  # where the owner is signed in too
    at_home.force_login(itzel)
    assert "Try again in" not in at_home.post("/accounts/settings", guess).content.decode()


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


def sign_in(browser: Client, door: str, **form: str) -> bool:
    """Try one of the three doors, and return whether it opened."""
    body = {
        "username": "citlali",
        "password": PASSWORD,
        "name": f"token {token_hex(4)}",
        "scopes": [],
        **form,
    }
    kind = "application/json" if door.startswith("/api") else MULTIPART_CONTENT
    return browser.post(door, body, kind).status_code in {201, 302}


DOORS = ["/accounts/sign-in", "/admin/login/", "/api/v1/sign-in"]


def guess_from_everywhere(door: str) -> None:
    """Guess until the account lets no stranger try any more."""
    for number in range(LIMITS["sign-in-account"].times):
        stranger = Client(REMOTE_ADDR=f"2001:db8:0:{number:x}::1")
        assert not sign_in(stranger, door, password="wrong")
    assert not sign_in(Client(REMOTE_ADDR="203.0.113.9"), door)


@pytest.mark.parametrize("door", DOORS)
def test_a_hundred_wrong_passwords_from_one_address_lock_nobody_else_out(citlali: User, door: str) -> None:
    guesser = Client(REMOTE_ADDR="203.0.113.5")
    for _ in range(150):
        assert not sign_in(guesser, door, password="wrong")
    assert not sign_in(guesser, door)
    assert sign_in(Client(REMOTE_ADDR="203.0.113.6"), door)


@pytest.mark.parametrize("door", DOORS)
def test_the_owner_gets_in_with_a_browser_that_is_known_whoever_guesses(citlali: User, door: str) -> None:
    home = Client(REMOTE_ADDR="198.51.100.1")
    assert sign_in(home, door)
    home.post("/accounts/sign-out")
    guess_from_everywhere(door)
    on_the_road = Client(REMOTE_ADDR="192.0.2.77")
    on_the_road.cookies = home.cookies
    assert sign_in(on_the_road, door)


@pytest.mark.parametrize("door", DOORS)
def test_the_owner_gets_in_from_a_network_that_is_known_whoever_guesses(citlali: User, door: str) -> None:
    assert sign_in(Client(REMOTE_ADDR="198.51.100.1"), "/api/v1/sign-in")
    guess_from_everywhere(door)
    assert sign_in(Client(REMOTE_ADDR="198.51.100.1"), door)


def test_the_owner_gets_in_beside_somebody_who_guesses_in_the_same_network(citlali: User) -> None:
    browser, guesser = Client(), Client()
    assert sign_in(browser, DOORS[0])
    browser.post("/accounts/sign-out")
    for number in range(LIMITS["sign-in-address"].times + 10):
        sign_in(guesser, DOORS[0], username=f"citlali{number % 30}", password="wrong")
        sign_in(guesser, DOORS[0], password="wrong")
    assert not sign_in(guesser, DOORS[0])
    assert sign_in(browser, DOORS[0])


def test_a_known_browser_is_known_to_its_own_accounts_alone(citlali: User, itzel: User) -> None:
    guesser = Client(REMOTE_ADDR="203.0.113.5")
    assert sign_in(guesser, DOORS[0], username="itzel")
    guesser.post("/accounts/sign-out")
    guess_from_everywhere(DOORS[0])
    assert not sign_in(guesser, DOORS[0])
    guesser.cookies["known"] = guesser.cookies["known"].value.replace(":", "x:", 1)
    assert not sign_in(guesser, DOORS[0])


def test_a_known_browser_guesses_no_faster_than_another(citlali: User) -> None:
    browser = Client()
    assert sign_in(browser, DOORS[0])
    browser.post("/accounts/sign-out")
    for _ in range(LIMITS["sign-in"].times):
        assert not sign_in(browser, DOORS[0], password="wrong")
    assert not sign_in(browser, DOORS[0])


def test_a_classroom_signs_in_from_one_address(make_person: Callable[..., User]) -> None:
    for number in range(LIMITS["sign-in-address"].times + 5):
        name = f"pupil{number}"
        make_person(name)
        assert sign_in(Client(), DOORS[0], username=name)


def test_addresses_of_one_ipv6_network_are_one_guesser(citlali: User) -> None:
    for number in range(LIMITS["sign-in"].times):
        sign_in(Client(REMOTE_ADDR=f"2001:db8::{number + 1:x}"), DOORS[0], password="wrong")
    assert not sign_in(Client(REMOTE_ADDR="2001:db8::ffff"), DOORS[0])
    assert sign_in(Client(REMOTE_ADDR="2001:db8:0:1::1"), DOORS[0])


def test_whoever_resets_the_password_by_mail_gets_in_whoever_guesses(
    citlali: User, django_capture_on_commit_callbacks: Any
) -> None:
    guess_from_everywhere(DOORS[0])
    owner = Client(REMOTE_ADDR="192.0.2.77")
    assert not sign_in(owner, DOORS[0])
    with django_capture_on_commit_callbacks(execute=True):
        owner.post("/accounts/reset", {"email": citlali.email})
    [link] = [word for word in mail.outbox[0].body.split() if "/accounts/reset/" in word]
    path = owner.get(link.partition("8000")[2], follow=True).redirect_chain[-1][0]
    new = "quetzalcoatl-1519"
    assert owner.post(path, {"new_password1": new, "new_password2": new}).status_code == 302
    assert sign_in(owner, DOORS[0], password=new)


def test_a_mailbox_is_not_flooded(client: Client, itzel: User) -> None:
    for _ in range(LIMITS["reset"].times):
        assert client.post("/accounts/reset", {"email": itzel.email}).status_code == 302
    assert "Too many e-mails" in client.post("/accounts/reset", {"email": itzel.email}).content.decode()


def test_a_mailbox_is_not_flooded_from_many_networks(itzel: User) -> None:
    sent = [
        Client(REMOTE_ADDR=f"203.0.113.{number}").post("/accounts/reset", {"email": itzel.email}).status_code
        for number in range(20)
    ]
    assert sent.count(302) == LIMITS["reset-mailbox"].times


def test_the_owner_may_reset_from_a_known_place_whoever_floods_the_mailbox(citlali: User) -> None:
    home = Client(REMOTE_ADDR="198.51.100.1")
    assert sign_in(home, DOORS[0])
    home.post("/accounts/sign-out")
    for number in range(20):
        Client(REMOTE_ADDR=f"203.0.113.{number}").post("/accounts/reset", {"email": citlali.email})
    stranger = Client(REMOTE_ADDR="192.0.2.77")
    assert (
        "The link in the latest one still works"
        in stranger.post("/accounts/reset", {"email": citlali.email}).content.decode()
    )
    assert home.post("/accounts/reset", {"email": citlali.email}).status_code == 302


def test_while_redis_is_away_people_still_sign_in(
    client: Client, itzel: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "counters", lambda: connect("redis://127.0.0.1:1"))
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
