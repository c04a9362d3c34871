"""Every address, asked by nobody, the owner, a rival, an organiser and staff. New ones are added here."""

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.db import transaction
from django.urls import resolve

from arena.accounts import tokens
from arena.accounts.models import User
from arena.api.urls import v1
from arena.bots.models import Version
from arena.matches.models import Webhook
from arena.tournaments.models import Tournament
from arena.tournaments.services import publish
from engine.rulesets import ruleset
from tests.arena.cast import ask_for, make_season
from tests.arena.people import browser_of, make_active, pass_validation, program_of, submit
from tests.workers.archives.zips import GOOD, make

pytestmark = pytest.mark.django_db
ALL_READ = (200, 200, 200, 200, 200)
SIGNED_IN = (401, 200, 200, 200, 200)
OWNER = (401, 200, 403, 403, 403)
OWNER_AND_STAFF = (401, 200, 403, 403, 200)
ROLES = ("nobody", "owner", "rival", "organiser", "staff")
NEW_BOT = {"slug": "new-bot", "name": "New"}
SIGN_IN = {"username": "x", "password": "x", "name": "x", "scopes": []}
CLOCKS = {"startup_ms": 5000, "bank_ms": 60000, "increment_ms": 500, "decision_ms": 10000}
CHALLENGE = {"bot": "jaguar", "opponents": ["quetzal"]}

# method, address and body, and the answer to each role.
API: dict[tuple[str, str], tuple[tuple[int, ...], Any]] = {
    ("get", "bots"): (ALL_READ, None),
    ("post", "bots"): ((401, 201, 201, 201, 201), NEW_BOT),
    ("get", "bots/jaguar"): (ALL_READ, None),
    ("patch", "bots/jaguar"): (OWNER, {"description": "x"}),
    ("get", "bots/jaguar/versions"): (ALL_READ, None),
    ("post", "bots/jaguar/versions"): ((401, 201, 403, 403, 403), "upload"),
    ("get", "bots/jaguar/versions/1"): (ALL_READ, None),
    ("post", "bots/jaguar/versions/1/activate"): (OWNER, {}),
    ("post", "bots/jaguar/versions/1/retire"): (OWNER, {}),
    ("get", "bots/jaguar/versions/1/logs"): (OWNER_AND_STAFF, None),
    ("get", "bots/jaguar/versions/1/source"): (OWNER_AND_STAFF, None),
    ("get", "authors/itzel"): (ALL_READ, None),
    ("get", "me"): (SIGNED_IN, None),
    ("patch", "me"): (SIGNED_IN, {"about": "x"}),
    ("get", "tokens"): (SIGNED_IN, None),
    ("post", "tokens"): ((401, 201, 201, 201, 201), {"name": "x", "scopes": []}),
    ("delete", "tokens/{token}"): ((401, 204, 404, 404, 404), None),
    ("post", "sign-in"): (
        (401, 401, 401, 401, 401),
        SIGN_IN,
    ),
    ("get", "notices"): (SIGNED_IN, None),
    ("post", "notices/read"): ((401, 204, 204, 204, 204), {}),
    ("get", "matches"): (ALL_READ, None),
    ("get", "matches/{match}"): (ALL_READ, None),
    ("get", "matches/{match}/logs"): (SIGNED_IN, None),  # each sees their own seats: test_private_parts
    ("get", "matches/{match}/replay"): ((404, 404, 404, 404, 404), None),  # it is not over
    ("get", "challenges"): (SIGNED_IN, None),
    ("post", "challenges"): ((401, 201, 400, 400, 400), CHALLENGE),
    ("get", "queue"): (ALL_READ, None),
    ("get", "webhooks"): (SIGNED_IN, None),
    ("post", "webhooks"): ((401, 201, 201, 201, 201), {"url": "https://example.org/hook"}),
    ("delete", "webhooks/{webhook}"): ((401, 204, 404, 404, 404), None),
    ("get", "ladders"): (ALL_READ, None),
    ("get", "ladders/ladder-0"): (ALL_READ, None),
    ("get", "ladders/ladder-0/standings"): (ALL_READ, None),
    ("get", "ladders/ladder-0/results"): (ALL_READ, None),
    ("get", "ladders/ladder-0/head-to-head"): (ALL_READ, None),
    ("get", "ladders/ladder-0/bots/jaguar/history"): (ALL_READ, None),
    ("put", "ladders/ladder-0/bots/jaguar"): ((401, 204, 403, 403, 403), None),
    ("delete", "ladders/ladder-0/bots/jaguar"): ((401, 204, 403, 403, 403), None),
    ("get", "tournaments"): (ALL_READ, None),
    ("post", "tournaments"): ((401, 403, 403, 400, 400), {}),
    ("get", "tournaments/cup"): (ALL_READ, None),
    ("get", "tournaments/cup/standings"): (ALL_READ, None),
    ("get", "tournaments/cup/export"): (ALL_READ, None),
    ("post", "tournaments/cup/acts"): ((401, 403, 403, 200, 200), {"act": "cancel"}),
    ("post", "tournaments/cup/entries"): ((401, 200, 400, 200, 200), {"bot": "jaguar"}),
    ("get", "schema"): (ALL_READ, None),
    ("get", "docs"): (ALL_READ, None),
}
ALL_SEE = (200, 200, 200, 200, 200)
SIGN_IN_FIRST = (302, 200, 200, 200, 200)
OWNERS_PAGE = (302, 200, 403, 403, 403)
OWNERS_ACT = (302, 302, 403, 403, 403)

PAGES: dict[tuple[str, str], tuple[int, ...]] = {
    ("get", ""): ALL_SEE,
    ("get", "bots/"): ALL_SEE,
    ("get", "bots/jaguar/"): ALL_SEE,
    ("get", "bots/mine"): SIGN_IN_FIRST,
    ("get", "bots/new"): SIGN_IN_FIRST,
    ("get", "bots/jaguar/edit"): OWNERS_PAGE,
    ("post", "bots/jaguar/edit"): OWNERS_PAGE,
    ("get", "bots/jaguar/upload"): OWNERS_PAGE,
    ("post", "bots/jaguar/upload"): OWNERS_PAGE,
    ("get", "bots/jaguar/versions/1/"): ALL_SEE,
    ("get", "bots/jaguar/versions/1/source"): (302, 200, 403, 403, 200),
    ("post", "bots/jaguar/versions/1/activate"): OWNERS_ACT,
    ("post", "bots/jaguar/versions/1/retire"): OWNERS_ACT,
    ("get", "matches/"): ALL_SEE,
    ("get", "challenge"): SIGN_IN_FIRST,
    ("get", "authors/itzel/"): ALL_SEE,
    ("get", "accounts/sign-up"): (200, 302, 302, 302, 302),
    ("get", "accounts/sign-in"): (200, 302, 302, 302, 302),
    ("post", "accounts/sign-out"): (302, 302, 302, 302, 302),
    ("get", "accounts/confirm/nonsense"): ALL_SEE,
    ("post", "accounts/confirm-again"): (302, 302, 302, 302, 302),
    ("get", "accounts/reset"): ALL_SEE,
    ("get", "accounts/reset/sent"): ALL_SEE,
    ("get", "accounts/reset/done"): ALL_SEE,
    ("get", "accounts/reset/x/y"): ALL_SEE,
    ("get", "accounts/settings"): SIGN_IN_FIRST,
    ("get", "accounts/tokens"): SIGN_IN_FIRST,
    ("post", "accounts/tokens/{token}/revoke"): (302, 302, 302, 302, 302),
    ("get", "accounts/notices"): SIGN_IN_FIRST,
    ("get", "admin/"): (302, 302, 302, 302, 200),
    ("get", "admin/bots/bot/"): (302, 302, 302, 302, 200),
    ("get", "admin/bots/version/"): (302, 302, 302, 302, 200),
    ("get", "admin/accounts/user/"): (302, 302, 302, 302, 200),
    ("get", "admin/accounts/apitoken/"): (302, 302, 302, 302, 200),
    ("get", "admin/accounts/auditentry/"): (302, 302, 302, 302, 200),
}


@pytest.fixture
def people(itzel: User, mateo: User, olin: User, citlali: User) -> dict[str, User | None]:
    return {"nobody": None, "owner": itzel, "rival": mateo, "organiser": olin, "staff": citlali}


@pytest.fixture
def names(active: Version, itzel: User, mateo: User, olin: User) -> dict[str, object]:
    """What stands in the addresses: a token of the owner's, a match of the owner and the rival."""
    quetzal = make_active(mateo, "quetzal")
    pass_validation(submit(active.bot, "print(2)"))
    make_season(seats=2)
    cup = Tournament.objects.create(
        slug="cup", name="Cup", organiser=olin, ruleset=ruleset().options(), clocks=CLOCKS, seats=2
    )
    publish(cup.pk, olin)
    return {
        "webhook": Webhook.objects.create(owner=itzel, url="https://example.org/").pk,
        "token": tokens.make_token(itzel, "old", [])[0].pk,
        "match": ask_for([active, quetzal.active_version]).public_id,  # type: ignore[list-item]
    }


@contextmanager
def undone() -> Iterator[None]:
    """Undo whatever the block changes: one arena serves all addresses of a role."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.parametrize("role", ROLES)
def test_the_api_answers(role: str, people: dict[str, User | None], names: dict[str, object]) -> None:
    program = program_of(people[role])
    found = {}
    for (method, path), (_, body) in API.items():
        options: dict[str, Any] = {"data": body} if body is not None else {}
        if body == "upload":
            options = {"data": {"archive": ContentFile(make(*GOOD), name="a.zip")}, "format": "multipart"}
        with undone():
            answer = getattr(program, method)("/api/v1/" + path.format(**names), **options)
        found[method, path] = answer.status_code
        if answer.status_code >= 400:
            assert set(answer.json()) == {"code", "message", "fields", "wait_seconds"}
    assert found == {key: answers[ROLES.index(role)] for key, (answers, _) in API.items()}


@pytest.mark.parametrize("role", ROLES)
def test_the_pages_answer(role: str, people: dict[str, User | None], names: dict[str, object]) -> None:
    found = {}
    for method, path in PAGES:
        with undone():
            answer = getattr(browser_of(people[role]), method)("/" + path.format(**names))
        found[method, path] = answer.status_code
        if role == "nobody" and answer.status_code == 302 and "sign-out" not in path:
            to = answer.headers["Location"]
            assert to.startswith(("/accounts/sign-in?next=/", "/admin/login/?next=/")), path
    assert found == {key: answers[ROLES.index(role)] for key, answers in PAGES.items()}


def test_every_address_of_these_apps_is_in_the_tables() -> None:
    found = set()
    for app in ("accounts", "bots", "challenges", "pages"):
        urls = importlib.import_module(f"arena.{app}.urls")
        found |= {pattern.name for pattern in urls.urlpatterns}
    found |= {pattern.name for pattern in v1}
    samples = {"token": 1, "match": "abc", "webhook": 1}
    asked = [f"/{path.format(**samples)}" for _, path in PAGES if not path.startswith("admin")]
    asked += [f"/api/v1/{path.format(**samples)}" for _, path in API]
    assert found - {resolve(path).url_name for path in asked} == set()
