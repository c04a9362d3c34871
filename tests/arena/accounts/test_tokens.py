from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from arena.accounts import tokens
from arena.accounts.models import ApiToken, Scope, User
from tests.arena.people import PASSWORD, browser_of

pytestmark = pytest.mark.django_db
Program = Callable[..., APIClient]


def test_the_secret_is_kept_nowhere(itzel: User) -> None:
    _, secret = tokens.make_token(itzel, "laptop", ["bots"])
    with connection.cursor() as cursor:
        cursor.execute("select t::text from accounts_apitoken t")
        [[row]] = cursor.fetchall()
    assert secret[12:] not in row
    assert tokens.digest(secret).hex() in row


def test_the_page_shows_the_secret_once(itzel: User) -> None:
    client = browser_of(itzel)
    page = client.post("/accounts/tokens", {"name": "laptop", "scopes": ["bots"]}).content.decode()
    token = ApiToken.objects.get()
    assert f"{token.start}" in page
    secret = page.split('<code class="secret">')[1].split("<")[0]
    assert tokens.find_token(secret) == token
    assert secret not in client.get("/accounts/tokens").content.decode()


def test_a_revoked_token_opens_nothing(api: Program, itzel: User) -> None:
    program = api(itzel)
    assert program.get("/api/v1/me").status_code == 200
    tokens.revoke_token(itzel, ApiToken.objects.get().pk)
    answer = program.get("/api/v1/me")
    assert (answer.status_code, answer.json()["code"]) == (401, "token")


def test_a_token_of_an_account_that_was_switched_off_opens_nothing(api: Program, itzel: User) -> None:
    program = api(itzel)
    User.objects.update(is_active=False)
    assert program.get("/api/v1/me").status_code == 401


def test_nobody_revokes_the_token_of_another(itzel: User, mateo: User, api: Program) -> None:
    token, _ = tokens.make_token(itzel, "laptop", [])
    assert api(mateo).delete(f"/api/v1/tokens/{token.pk}").status_code == 404
    assert not tokens.revoke_token(mateo, token.pk)
    assert ApiToken.objects.get(pk=token.pk).revoked_at is None


def test_its_use_is_noted_at_most_once_a_minute(itzel: User) -> None:
    _, secret = tokens.make_token(itzel, "laptop", [])
    tokens.find_token(secret)
    first = ApiToken.objects.get().last_used_at
    assert first is not None
    tokens.find_token(secret)
    assert ApiToken.objects.get().last_used_at == first
    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(minutes=2))
    tokens.find_token(secret)
    last = ApiToken.objects.get().last_used_at
    assert last is not None
    assert last > first


@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("get", "/api/v1/me", Scope.ACCOUNT),
        ("get", "/api/v1/tokens", Scope.ACCOUNT),
        ("get", "/api/v1/notices", Scope.ACCOUNT),
        ("post", "/api/v1/bots", Scope.BOTS),
        ("patch", "/api/v1/bots/jaguar", Scope.BOTS),
        ("post", "/api/v1/bots/jaguar/versions", Scope.BOTS),
        ("get", "/api/v1/bots/jaguar/versions/1/logs", Scope.PRIVATE),
        ("get", "/api/v1/bots/jaguar/versions/1/source", Scope.PRIVATE),
        ("get", "/api/v1/challenges", Scope.MATCHES),
        ("post", "/api/v1/challenges", Scope.MATCHES),
        ("post", "/api/v1/bots/jaguar/acts", Scope.STAFF),
    ],
)
def test_a_token_does_only_what_its_scopes_allow(
    api: Program, itzel: User, active: object, method: str, path: str, scope: str
) -> None:
    User.objects.update(is_staff=scope == Scope.STAFF)
    others = [each for each in Scope.values if each != scope]
    answer = getattr(api(itzel, *others), method)(path)
    assert answer.status_code == 403
    assert scope in answer.json()["message"]
    assert getattr(api(itzel, scope), method)(path).status_code in {200, 400, 415}


def test_a_token_makes_no_stronger_one(api: Program, itzel: User) -> None:
    weak = api(itzel, Scope.ACCOUNT)
    assert weak.post("/api/v1/tokens", {"name": "strong", "scopes": ["bots"]}).status_code == 403
    answer = weak.post("/api/v1/tokens", {"name": "same", "scopes": ["account"]})
    assert answer.status_code == 201
    assert tokens.find_token(answer.json()["secret"]) is not None


def test_names_are_used_once_until_revoked(api: Program, itzel: User) -> None:
    program = api(itzel)
    body = {"name": "laptop", "scopes": []}
    first = program.post("/api/v1/tokens", body).json()
    answer = program.post("/api/v1/tokens", body)
    assert answer.status_code == 400
    assert "name" in answer.json()["fields"]
    assert program.delete(f"/api/v1/tokens/{first['id']}").status_code == 204
    assert program.post("/api/v1/tokens", body).status_code == 201


def test_there_is_a_most_of_tokens(itzel: User) -> None:
    for number in range(tokens.MOST_TOKENS):
        tokens.make_token(itzel, str(number), [])
    with pytest.raises(tokens.TokenError, match="Revoke one"):
        tokens.make_token(itzel, "one more", [])


def test_a_password_makes_a_token(itzel: User) -> None:
    body = {"username": "itzel", "password": PASSWORD, "name": "cli", "scopes": ["bots"]}
    answer = APIClient().post("/api/v1/sign-in", body)
    assert answer.status_code == 201
    assert answer.json()["scopes"] == ["bots"]
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Bearer {answer.json()['secret']}")
    assert program.get("/api/v1/bots").status_code == 200


def test_the_page_offers_scopes_that_fit_the_role(itzel: User, olin: User, citlali: User) -> None:
    for person, roles in ((itzel, set()), (olin, {"organise"}), (citlali, {"organise", "staff"})):
        client = browser_of(person)
        page = client.get("/accounts/tokens").content.decode()
        offered = {scope for scope in Scope.values if f'value="{scope}"' in page}
        assert offered == {"private", "bots", "matches", "account"} | roles
        client.post("/accounts/tokens", {"name": "strong", "scopes": ["staff"]})
        assert person.tokens.exists() == ("staff" in roles)
