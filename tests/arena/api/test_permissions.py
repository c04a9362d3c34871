"""Every address, asked by nobody, the owner, a rival, an organiser and staff. A new one must be added here."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import unquote

import pytest
from django.contrib import admin
from django.core.files.base import ContentFile
from django.db import transaction
from django.urls import get_resolver, resolve
from drf_spectacular.generators import SchemaGenerator

from arena.accounts import tokens
from arena.accounts.models import AuditEntry, User
from arena.bots.models import Version
from arena.hosts import services as hosts
from arena.notices.models import Webhook
from arena.teams import inviting
from arena.tournaments.models import Tournament
from arena.tournaments.services import publish
from engine.rulesets import ruleset
from tests.arena.cast import HOST_STATE, ask_for, finish, make_season
from tests.arena.people import (
    browser_of,
    make_active,
    make_team,
    pass_validation,
    playing,
    program_of,
    submit,
)
from tests.workers.archives.zips import GOOD, make

pytestmark = pytest.mark.django_db
ALL_READ = (200, 200, 200, 200, 200)
SIGNED_IN = (401, 200, 200, 200, 200)
OWNER = (401, 200, 403, 403, 403)
OWNER_AND_STAFF = (401, 200, 403, 403, 200)
STAFF = (401, 403, 403, 403, 200)
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
    ("post", "bots/jaguar/acts"): (STAFF, {"act": "bench", "reason": "It cheats."}),
    ("get", "bots/jaguar/results"): (ALL_READ, None),
    ("get", "bots/jaguar/compare"): (ALL_READ, None),
    ("get", "bots/jaguar/versions"): (ALL_READ, None),
    ("post", "bots/jaguar/versions"): ((401, 201, 403, 403, 403), "upload"),
    ("get", "bots/jaguar/versions/1"): (ALL_READ, None),
    ("post", "bots/jaguar/versions/1/activate"): (OWNER, {}),
    ("post", "bots/jaguar/versions/1/build"): ((401, 400, 403, 403, 403), {}),  # it plays
    ("post", "bots/jaguar/versions/1/retire"): (OWNER, {}),
    ("get", "bots/jaguar/versions/1/test"): ((401, 404, 403, 403, 403), None),  # it was never tested
    ("post", "bots/jaguar/versions/1/test"): (OWNER, {"act": "start"}),
    ("get", "bots/jaguar/versions/1/logs"): (OWNER_AND_STAFF, None),
    ("get", "bots/jaguar/versions/1/source"): (OWNER_AND_STAFF, None),
    ("post", "bots/jaguar/move"): (OWNER, {"to": "knights"}),
    ("get", "teams"): (SIGNED_IN, None),
    ("post", "teams"): ((401, 201, 201, 201, 201), {"name": "new-team"}),
    ("get", "teams/knights"): (ALL_READ, None),
    ("patch", "teams/knights"): (OWNER, {"name": "others"}),
    ("delete", "teams/knights"): ((401, 204, 403, 403, 403), None),
    ("patch", "teams/knights/members/mateo"): (OWNER, {"role": "owner"}),
    ("delete", "teams/knights/members/mateo"): ((401, 204, 204, 403, 403), None),  # he leaves
    ("get", "teams/knights/invitations"): (OWNER, None),
    ("post", "teams/knights/invitations"): ((401, 201, 403, 403, 403), {"person": "citlali"}),
    ("delete", "teams/knights/invitations/{invitation}"): ((401, 204, 403, 403, 403), None),
    ("get", "teams/knights/tokens"): ((401, 200, 200, 403, 403), None),
    ("post", "teams/knights/tokens"): ((401, 201, 403, 403, 403), {"name": "CI", "scopes": ["bots"]}),
    ("delete", "teams/knights/tokens/{team_token}"): ((401, 204, 403, 403, 403), None),
    ("get", "invitations"): (SIGNED_IN, None),
    ("post", "invitations"): ((401, 400, 400, 400, 400), {"secret": "nonsense"}),
    ("post", "invitations/{invitation}"): ((401, 404, 404, 204, 404), {"accept": True}),  # olin is invited
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
    ("get", "search"): (ALL_READ, {"q": "jag"}),
    ("get", "follows"): (SIGNED_IN, None),
    ("post", "follows"): ((401, 204, 204, 204, 204), {"bot": "jaguar"}),
    ("post", "follows/stop"): ((401, 204, 204, 204, 204), {"tournament": "cup"}),
    ("get", "notices"): (SIGNED_IN, None),
    ("post", "notices/read"): ((401, 204, 204, 204, 204), {}),
    ("get", "matches"): (ALL_READ, None),
    ("get", "matches/{match}"): (ALL_READ, None),
    ("post", "matches/{match}/acts"): (STAFF, {"act": "void", "reason": "A broken board."}),
    ("get", "matches/{match}/logs"): (SIGNED_IN, None),  # each sees their own seats: test_private_parts
    ("get", "matches/{match}/explained"): ((404, 404, 404, 404, 404), None),  # it is not over
    ("get", "matches/{match}/messages"): ((401, 404, 404, 404, 404), None),  # it is not over
    ("get", "matches/{match}/replay"): ((404, 404, 404, 404, 404), None),  # it is not over
    ("get", "challenges"): (SIGNED_IN, None),
    ("post", "challenges"): ((401, 201, 400, 400, 400), CHALLENGE),
    ("get", "queue"): (ALL_READ, None),
    ("get", "runtime"): (ALL_READ, None),
    ("get", "webhooks"): (SIGNED_IN, None),
    ("post", "webhooks"): ((401, 201, 201, 201, 201), {"url": "https://example.org/hook"}),
    ("delete", "webhooks/{webhook}"): ((401, 204, 404, 404, 404), None),
    ("get", "webhooks/{webhook}/calls"): ((401, 200, 404, 404, 404), None),
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
    ("patch", "tournaments/cup"): ((401, 403, 403, 200, 200), {"best_of": 3}),
    ("get", "tournaments/cup/standings"): (ALL_READ, None),
    ("get", "tournaments/cup/export"): (ALL_READ, None),
    ("post", "tournaments/cup/acts"): ((401, 403, 403, 200, 200), {"act": "cancel"}),
    ("post", "tournaments/cup/entries"): ((401, 200, 400, 200, 200), {"bot": "jaguar"}),
    ("get", "schema"): (ALL_READ, None),
    ("get", "docs"): (ALL_READ, None),
}
ALL_SEE = (200, 200, 200, 200, 200)
SIGN_IN_FIRST = (302, 200, 200, 200, 200)

SIGN_IN_TO_ACT = (302, 302, 302, 302, 302)
OWNERS_PAGE = (302, 200, 403, 403, 403)
OWNERS_ACT = (302, 302, 403, 403, 403)
ORGANISERS_PAGE = (302, 403, 403, 200, 200)
STAFF_PAGE = (302, 403, 403, 403, 200)
STAFF_ACT = (302, 403, 403, 403, 302)
HOSTS_ONLY = (401, 401, 401, 401, 401)
NOWHERE = (404, 404, 404, 404, 404)

# A page that is missing here for a method must refuse that method.
PAGES: dict[tuple[str, str], tuple[int, ...]] = {
    ("get", ""): ALL_SEE,
    ("get", "bots/"): ALL_SEE,
    ("get", "bots/jaguar/"): ALL_SEE,
    ("get", "bots/jaguar/results/"): ALL_SEE,
    ("get", "bots/jaguar/compare/"): ALL_SEE,
    ("get", "bots/mine"): SIGN_IN_FIRST,
    ("get", "bots/new"): SIGN_IN_FIRST,
    ("post", "bots/new"): SIGN_IN_FIRST,
    ("get", "bots/jaguar/edit"): OWNERS_PAGE,
    ("post", "bots/jaguar/edit"): OWNERS_PAGE,
    ("get", "bots/jaguar/upload"): OWNERS_PAGE,
    ("post", "bots/jaguar/upload"): OWNERS_PAGE,
    ("get", "bots/jaguar/versions/1/"): ALL_SEE,
    ("get", "bots/jaguar/versions/1/source"): (302, 200, 403, 403, 200),
    ("post", "bots/jaguar/versions/1/activate"): OWNERS_ACT,
    ("post", "bots/jaguar/versions/1/build"): OWNERS_ACT,
    ("post", "bots/jaguar/versions/1/retire"): OWNERS_ACT,
    ("get", "bots/jaguar/versions/1/test"): OWNERS_PAGE,
    ("post", "bots/jaguar/versions/1/test/start"): OWNERS_ACT,
    ("post", "bots/jaguar/versions/1/test/stop"): OWNERS_ACT,
    ("get", "bots/jaguar/move"): OWNERS_PAGE,
    ("post", "bots/jaguar/move"): OWNERS_PAGE,
    ("get", "teams/"): SIGN_IN_FIRST,
    ("post", "teams/"): SIGN_IN_FIRST,
    ("get", "teams/knights/"): ALL_SEE,
    ("get", "teams/knights/manage"): OWNERS_PAGE,
    ("post", "teams/knights/manage"): OWNERS_PAGE,
    ("get", "teams/knights/delete"): OWNERS_PAGE,
    ("post", "teams/knights/delete"): OWNERS_PAGE,
    ("post", "teams/knights/leave"): SIGN_IN_TO_ACT,
    ("post", "teams/knights/members/mateo"): (302, 404, 403, 403, 403),  # no act is named
    ("post", "teams/knights/invitations/{invitation}/revoke"): OWNERS_ACT,
    ("get", "teams/knights/tokens"): (302, 200, 200, 403, 403),
    ("post", "teams/knights/tokens"): OWNERS_PAGE,
    ("post", "teams/knights/tokens/{team_token}/revoke"): OWNERS_ACT,
    ("post", "team-invitations/{invitation}"): (302, 404, 404, 302, 404),  # olin is invited
    ("get", "join-team/nonsense"): (302, 404, 404, 404, 404),
    ("post", "join-team/nonsense"): (302, 404, 404, 404, 404),
    ("get", "challenge"): SIGN_IN_FIRST,
    ("post", "challenge"): SIGN_IN_FIRST,
    ("get", "play/"): ALL_SEE,
    ("post", "play/"): ALL_SEE,
    ("get", "play/first-game/"): ALL_SEE,
    ("post", "play/first-game/"): (409, 409, 409, 409, 409),  # no house bot can play here
    ("get", "play/challenge/"): ALL_SEE,
    ("post", "play/challenge/"): (200, 409, 409, 409, 409),  # guests are asked to sign in
    ("get", "play/challenge/2020-01-01/"): NOWHERE,
    ("post", "play/challenge/2020-01-01/"): NOWHERE,
    ("get", "play/people/"): ALL_SEE,
    ("post", "play/nothing/hint"): NOWHERE,
    ("get", "play/offline/"): ALL_SEE,
    ("get", "play/offline/service-worker.js"): ALL_SEE,
    ("get", "engine/nothing/nothing"): NOWHERE,
    ("get", "play/nothing/"): NOWHERE,  # whose seat is whose: tests/arena/play
    ("get", "play/nothing/join/x/"): NOWHERE,
    ("post", "play/nothing/join/x/"): NOWHERE,
    ("get", "play/nothing/events"): NOWHERE,
    ("post", "play/nothing/decide"): NOWHERE,
    ("post", "play/nothing/leave"): NOWHERE,
    ("post", "play/nothing/rematch"): NOWHERE,
    ("get", "authors/itzel/"): ALL_SEE,
    ("get", "accounts/sign-up"): (200, 302, 302, 302, 302),
    ("post", "accounts/sign-up"): (200, 302, 302, 302, 302),
    ("get", "accounts/sign-in"): (200, 302, 302, 302, 302),
    ("post", "accounts/sign-in"): (200, 302, 302, 302, 302),
    ("post", "accounts/sign-out"): SIGN_IN_TO_ACT,
    ("get", "accounts/confirm/nonsense"): ALL_SEE,
    ("post", "accounts/confirm/nonsense"): SIGN_IN_TO_ACT,
    ("post", "accounts/language"): SIGN_IN_TO_ACT,  # for everybody, in fact: it leads back to the page
    ("post", "accounts/confirm-again"): SIGN_IN_TO_ACT,
    ("get", "accounts/reset"): ALL_SEE,
    ("post", "accounts/reset"): ALL_SEE,
    ("get", "accounts/reset/sent"): ALL_SEE,
    ("get", "accounts/reset/done"): ALL_SEE,
    ("get", "accounts/reset/x/y"): ALL_SEE,
    ("post", "accounts/reset/x/y"): ALL_SEE,
    ("get", "accounts/settings"): SIGN_IN_FIRST,
    ("post", "accounts/settings"): SIGN_IN_FIRST,
    ("get", "accounts/tokens"): SIGN_IN_FIRST,
    ("post", "accounts/tokens"): SIGN_IN_FIRST,
    ("post", "accounts/tokens/{token}/revoke"): SIGN_IN_TO_ACT,  # one's own alone: test_tokens
    ("get", "accounts/security"): SIGN_IN_FIRST,
    ("post", "accounts/sessions/1/end"): (
        302,
        404,
        404,
        404,
        404,
    ),  # one's own alone: test_sessions_and_leaving
    ("post", "accounts/sessions/end-others"): SIGN_IN_TO_ACT,
    ("get", "accounts/export"): SIGN_IN_FIRST,
    ("get", "accounts/delete"): SIGN_IN_FIRST,
    ("post", "accounts/delete"): SIGN_IN_FIRST,
    ("get", "accounts/reauthenticate"): SIGN_IN_FIRST,
    ("post", "accounts/reauthenticate"): SIGN_IN_FIRST,
    ("get", "accounts/second-factor/authenticate"): SIGN_IN_TO_ACT,
    ("post", "accounts/second-factor/authenticate"): SIGN_IN_TO_ACT,
    ("get", "accounts/second-factor/reauthenticate"): SIGN_IN_TO_ACT,  # nobody here has a second factor
    ("post", "accounts/second-factor/reauthenticate"): SIGN_IN_TO_ACT,
    ("get", "accounts/second-factor/app/set-up"): SIGN_IN_FIRST,
    ("post", "accounts/second-factor/app/set-up"): SIGN_IN_FIRST,
    ("get", "accounts/second-factor/app/turn-off"): (302, 404, 404, 404, 404),
    ("post", "accounts/second-factor/app/turn-off"): (302, 404, 404, 404, 404),
    ("get", "accounts/second-factor/codes"): (302, 404, 404, 404, 404),
    ("get", "accounts/second-factor/codes/new"): SIGN_IN_FIRST,
    ("post", "accounts/second-factor/codes/new"): SIGN_IN_FIRST,
    ("get", "accounts/second-factor/codes/download"): (302, 404, 404, 404, 404),
    ("post", "accounts/second-factor/codes/download"): (302, 404, 404, 404, 404),
    ("get", "accounts/second-factor/passkeys/add"): SIGN_IN_FIRST,
    ("post", "accounts/second-factor/passkeys/add"): SIGN_IN_FIRST,
    ("get", "accounts/second-factor/passkeys/sign-in"): SIGN_IN_TO_ACT,
    ("post", "accounts/second-factor/passkeys/sign-in"): SIGN_IN_TO_ACT,
    ("get", "accounts/second-factor/passkeys/reauthenticate"): SIGN_IN_TO_ACT,
    ("post", "accounts/second-factor/passkeys/reauthenticate"): SIGN_IN_TO_ACT,
    ("get", "accounts/second-factor/passkeys/1/remove"): (302, 404, 404, 404, 404),
    ("post", "accounts/second-factor/passkeys/1/remove"): (302, 404, 404, 404, 404),
    ("get", "accounts/second-factor/passkeys/1/rename"): (302, 404, 404, 404, 404),
    ("post", "accounts/second-factor/passkeys/1/rename"): (302, 404, 404, 404, 404),
    ("get", "accounts/sites"): SIGN_IN_FIRST,
    ("post", "accounts/sites"): SIGN_IN_FIRST,
    ("get", "accounts/sites/sign-up"): SIGN_IN_TO_ACT,
    ("post", "accounts/sites/sign-up"): SIGN_IN_TO_ACT,
    ("get", "accounts/oidc/example/login/"): (404, 404, 404, 404, 404),  # no site is set up
    ("post", "accounts/oidc/example/login/"): (404, 404, 404, 404, 404),
    ("get", "accounts/oidc/example/login/callback/"): (404, 404, 404, 404, 404),
    ("post", "accounts/oidc/example/login/callback/"): (404, 404, 404, 404, 404),
    ("get", "accounts/notices"): SIGN_IN_FIRST,
    ("get", "accounts/following"): SIGN_IN_FIRST,
    ("get", "search/"): ALL_SEE,
    ("post", "bots/jaguar/follow"): SIGN_IN_TO_ACT,
    ("post", "tournaments/cup/follow"): SIGN_IN_TO_ACT,
    ("get", "bots/jaguar/card.png"): ALL_SEE,
    ("get", "matches/{over}/card.png"): ALL_SEE,
    ("get", "tournaments/cup/card.png"): ALL_SEE,
    ("get", "ladders/ladder-0/card.png"): ALL_SEE,
    ("get", "matches/feed.atom"): ALL_SEE,
    ("get", "tournaments/feed.atom"): ALL_SEE,
    ("get", "bots/jaguar/feed.atom"): ALL_SEE,
    ("get", "tournaments/cup/feed.atom"): ALL_SEE,
    ("get", "ladders/ladder-0/feed.atom"): ALL_SEE,
    ("get", "docs/"): (404, 404, 404, 404, 404),  # it is not built: test_docs_site
    ("get", "docs/nothing.html"): (404, 404, 404, 404, 404),
    ("get", "matches/"): ALL_SEE,
    ("get", "matches/{over}/"): ALL_SEE,
    ("get", "matches/{over}/embed/"): ALL_SEE,
    ("get", "matches/{over}/frames/open"): ALL_SEE,
    ("get", "matches/{over}/chances"): (202, 202, 202, 202, 202),
    ("get", "matches/{over}/explained"): (202, 202, 202, 202, 202),
    ("get", "matches/{over}/champion/3"): ALL_SEE,
    ("get", "matches/{over}/analysis/"): ALL_SEE,
    ("post", "matches/{over}/analysis/try"): (
        400,
        400,
        400,
        400,
        400,
    ),  # nothing is tried: tests/arena/analysis
    ("get", "matches/{over}/variations/"): ALL_SEE,
    ("post", "matches/{over}/variations/"): (400, 400, 400, 400, 400),
    ("get", "matches/{over}/variations/nothing/"): NOWHERE,
    ("post", "matches/{over}/continuations/"): (400, 400, 400, 400, 400),
    ("get", "matches/{over}/continuations/nothing/"): NOWHERE,
    ("get", "matches/{over}/continuations/nothing/result"): NOWHERE,
    ("post", "matches/{over}/continuations/nothing/stop"): NOWHERE,
    ("get", "bots/jaguar/decisions/"): OWNERS_PAGE,
    ("get", "matches/{over}/author/0"): (404, 200, 404, 404, 200),
    ("get", "matches/{over}/record.json"): ALL_SEE,
    ("get", "matches/{over}/record.aztr"): ALL_SEE,
    ("get", "matches/{over}/picture.svg"): ALL_SEE,
    ("get", "live/"): ALL_SEE,
    ("get", "live/events"): (404, 404, 404, 404, 404),  # no match is named
    ("get", "boards/aztlan.svg"): ALL_SEE,
    ("get", "boards/aztlan.json"): ALL_SEE,
    ("get", "how-to-play/"): ALL_SEE,
    ("get", "how-to-play/nothing.svg"): (404, 404, 404, 404, 404),
    ("get", "queue/"): ALL_SEE,
    ("get", "runtimes"): ALL_SEE,
    ("get", "enter-a-bot"): ALL_SEE,
    ("get", "simple/"): ALL_SEE,
    ("get", "simple/aztlan/"): (404, 404, 404, 404, 404),  # it is not built
    ("get", "simple/files/0/nothing.whl"): (404, 404, 404, 404, 404),
    ("get", "operator/"): STAFF_PAGE,
    ("post", "operator/matches/{match}/rerun"): STAFF_ACT,
    ("post", "operator/matches/{match}/void"): STAFF_ACT,
    ("post", "operator/hosts/host/pause"): STAFF_ACT,
    ("post", "operator/builds/{version}/rebuild"): STAFF_ACT,
    ("get", "webhooks/"): SIGN_IN_FIRST,
    ("post", "webhooks/"): SIGN_IN_FIRST,
    ("post", "webhooks/{webhook}/delete"): (302, 302, 404, 404, 404),
    ("get", "ladders/"): ALL_SEE,
    ("get", "ladders/ladder-0/"): ALL_SEE,
    ("get", "ladders/ladder-0/seasons/1/"): ALL_SEE,
    ("get", "ladders/ladder-0/head-to-head/"): ALL_SEE,
    ("get", "ladders/ladder-0/bots/jaguar/"): ALL_SEE,
    ("post", "ladders/ladder-0/bots/jaguar/take-part"): (302, 302, 404, 404, 404),
    ("get", "tournaments/"): ALL_SEE,
    ("get", "tournaments/new"): ORGANISERS_PAGE,
    ("post", "tournaments/new"): ORGANISERS_PAGE,
    ("get", "tournaments/cup/"): ALL_SEE,
    ("get", "tournaments/cup/stage"): ALL_SEE,
    ("get", "tournaments/cup/edit"): ORGANISERS_PAGE,
    ("post", "tournaments/cup/edit"): ORGANISERS_PAGE,
    ("get", "tournaments/cup/desk"): ORGANISERS_PAGE,
    ("post", "tournaments/cup/desk"): (302, 403, 403, 302, 302),
    ("post", "tournaments/cup/entries"): (302, 404, 404, 404, 404),  # no bot is named
    ("get", "tournaments/cup/export.json"): ALL_SEE,
    ("post", "host/v1/hosts/host/beat"): HOSTS_ONLY,
    ("post", "host/v1/attempts/1/claim"): HOSTS_ONLY,
    ("post", "host/v1/attempts/1/beat"): HOSTS_ONLY,
    ("post", "host/v1/attempts/1/frames"): HOSTS_ONLY,
    ("post", "host/v1/attempts/1/give-back"): HOSTS_ONLY,
    ("post", "host/v1/attempts/1/report"): HOSTS_ONLY,
    ("get", "host/v1/archives/x"): HOSTS_ONLY,
    ("post", "host/v1/tables/beat"): HOSTS_ONLY,
    ("get", "host/v1/tables/news"): HOSTS_ONLY,
    ("post", "host/v1/tables/1/claim"): HOSTS_ONLY,
    ("post", "host/v1/tables/1/actions"): HOSTS_ONLY,
    ("get", "favicon.ico"): (302, 302, 302, 302, 302),
}
SAMPLES = {
    "token": 1,
    "team_token": 1,
    "invitation": 1,
    "match": "abc",
    "over": "abc",
    "webhook": 1,
    "version": 1,
}


@pytest.fixture
def people(itzel: User, mateo: User, olin: User, citlali: User) -> dict[str, User | None]:
    return {"nobody": None, "owner": itzel, "rival": mateo, "organiser": olin, "staff": citlali}


@pytest.fixture
def names(active: Version, itzel: User, mateo: User, olin: User) -> dict[str, object]:
    """What stands in the addresses: a token of the owner's, a match of the owner and the rival."""
    quetzal = playing(make_active(mateo, "quetzal"))
    pass_validation(submit(active.bot, "print(2)"))
    make_season(seats=2)
    cup = Tournament.objects.create(
        slug="cup",
        name="Cup",
        organiser=olin,
        ruleset=ruleset().options(),
        clocks=CLOCKS,
        seats=2,
        format="swiss",
    )
    publish(cup.pk, olin)
    hosts.beat("host", HOST_STATE)
    over = ask_for([active, quetzal])
    finish(over)
    knights = make_team("knights", itzel, mateo)
    return {
        "team_token": tokens.make_token(knights, "old", ["bots"], itzel)[0].pk,
        "invitation": inviting.invite(itzel, knights.pk, "olin").pk,
        "over": over.public_id,
        "version": active.pk,
        "webhook": Webhook.objects.create(owner=itzel, url="https://example.org/").pk,
        "token": tokens.make_token(itzel, "old", [])[0].pk,
        "match": ask_for([active, quetzal]).public_id,
    }


ELSEWHERE = (
    "sign-out", "confirm/", "favicon.ico", "second-factor/authenticate", "passkeys/sign-in", "sites/sign-up",
    "accounts/language",
)  # fmt: skip
"""Pages that lead somebody who is not signed in elsewhere than to the sign-in and back."""


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
        leads_elsewhere = any(part in path for part in ELSEWHERE)
        if role == "nobody" and answer.status_code == 302 and not leads_elsewhere:
            assert unquote(answer.headers["Location"]).startswith("/accounts/sign-in?next=/"), path
    assert found == {key: answers[ROLES.index(role)] for key, answers in PAGES.items()}


@pytest.mark.parametrize("role", ["owner", "rival", "organiser"])
def test_only_staff_acts_as_operator(
    role: str, people: dict[str, User | None], names: dict[str, object]
) -> None:
    on_record = AuditEntry.objects.count()
    for method, path in PAGES:
        if path.startswith("operator/"):
            answer = getattr(browser_of(people[role]), method)("/" + path.format(**names))
            assert "Only staff may see this." in answer.content.decode(), path
    assert AuditEntry.objects.count() == on_record


def test_a_page_refuses_every_method_that_is_not_in_the_table(
    people: dict[str, User | None], names: dict[str, object]
) -> None:
    browser = browser_of(people["staff"])
    for path in sorted({path for _, path in PAGES}):
        for method in {"get", "post"} - {m for m, known in PAGES if known == path}:
            answer = getattr(browser, method)("/" + path.format(**names))
            assert answer.status_code == 405, (method, path)


@pytest.mark.parametrize("role", ROLES)
def test_the_administration_is_for_staff_alone(role: str, people: dict[str, User | None]) -> None:
    browser = browser_of(people[role])
    for path in [
        "",
        *(f"{model._meta.app_label}/{model._meta.model_name}/" for model in admin.site._registry),
    ]:
        answer = browser.get(f"/admin/{path}")
        assert answer.status_code == (200 if role == "staff" else 302), path
        if role != "staff":
            assert answer.headers["Location"].startswith("/admin/login/?next=/")


def routes(patterns: Sequence[Any], before: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern).removeprefix("^" if before else "")
        if hasattr(pattern, "url_patterns"):
            yield from routes(pattern.url_patterns, route)
        else:
            yield route


def test_every_address_of_the_arena_is_in_the_tables() -> None:
    asked = [f"/{path.format(**SAMPLES)}" for _, path in PAGES]
    asked += [f"/api/v1/{path.format(**SAMPLES)}" for _, path in API]
    known = set(routes(get_resolver().url_patterns))
    missing = known - {resolve(path).route for path in asked}
    assert {route for route in missing if not route.startswith("admin/")} == set()


def test_every_operation_of_the_api_is_in_the_table() -> None:
    described = SchemaGenerator().get_schema(request=None, public=True)["paths"]  # type: ignore[no-untyped-call]  # no types
    told = {(method, resolve(sample(path)).route) for path, item in described.items() for method in item}
    asked = {(method, resolve(f"/api/v1/{path.format(**SAMPLES)}").route) for method, path in API}
    assert told - asked == set()


def sample(path: str) -> str:
    """An address of this shape: any number or name will do."""
    return re.sub(r"{(\w+)}", lambda found: "1" if found[1] in {"id", "number"} else "abc", path)
