"""The pages of authors, their bots and the staff: sound for axe, nothing cut off on a phone, pictures of each."""

from collections.abc import Callable
from functools import partial

import pytest
from django.contrib.auth.tokens import default_token_generator
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from playwright.sync_api import Page, expect

from arena.accounts import tokens
from arena.accounts.models import Scope, User
from arena.bots import services as bots
from arena.bots.models import Status
from arena.hosts import attempts
from arena.hosts import services as hosts
from arena.notices import webhooks
from arena.notices.services import notify
from arena.teams import inviting
from tests.arena.cast import HOST_STATE, ask_for, claim, finish, make_bot
from tests.arena.people import make_active, make_person, make_team, submit
from tests.e2e.looks import LOOKS, look_over

Open = Callable[..., Page]
Cookies = Callable[[str], list[dict[str, str]]]
OUTSIDE = (
    "/accounts/sign-in", "/accounts/sign-up", "/accounts/reset", "/accounts/reset/sent", "/accounts/reset/done",
    "/bots/", "/bots/axolotl/", "/matches/", "/queue/", "/live/", "/authors/itzel/", "/teams/knights/", "/api/v1/docs",
)  # fmt: skip
INSIDE = (
    "/bots/mine", "/bots/new", "/bots/axolotl/", "/bots/axolotl/edit", "/bots/axolotl/upload",
    "/bots/axolotl/versions/1/", "/bots/axolotl/versions/2/", "/bots/benched/", "/accounts/settings",
    "/accounts/tokens", "/accounts/notices", "/webhooks/", "/challenge", "/authors/itzel/",
    "/accounts/security", "/accounts/reauthenticate", "/teams/", "/teams/knights/", "/teams/knights/manage",
    "/teams/knights/tokens", "/teams/knights/delete", "/bots/axolotl/move",
)  # fmt: skip


@pytest.fixture
def itzel(transactional_db: None) -> User:
    """An author with bots in every condition, and whatever else an author can have."""
    itzel = make_person("itzel")
    axolotl = make_active(itzel, "axolotl")
    rejected = submit(axolotl, "print(")
    bots.set_status(
        rejected.pk, Status.REJECTED, "It does not start: line 1: '(' was never closed", "main.py\n"
    )
    bots.bench(make_active(itzel, "benched").pk, "It crashed in ten matches in a row.")
    bots.create_bot(itzel, "new-one", "A New One With a Rather Long Name")
    rival = make_bot("huitzilopochtli-the-hummingbird", "mateo")
    for turn in range(3):
        finish(ask_for([axolotl.active_version, rival]), faulty=[turn % 2] if turn else [])
    tokens.make_token(itzel, "my build server", Scope.values)
    make_knights(itzel)
    webhooks.add(itzel, "https://example.org/hooks/a-rather-long-address/of-some-service?for=me")
    for text in ("Version 2 of Axolotl was rejected.", "Axolotl is first on The Open Ladder."):
        notify(itzel.pk, partial(str, text), "/bots/axolotl/")
    return itzel


def make_knights(itzel: User) -> None:
    """A team with everything that a team can have; and somebody invites itzel to another."""
    nelli = make_person("a-name-of-thirty-letters-as-it")
    team = make_team("knights", itzel, nelli, make_person("tlaloc"))
    make_active(team, "eagle")
    tokens.make_token(team, "the team's build server", ["bots", "private"], itzel)
    inviting.invite_by_link(itzel, team.pk)
    make_person("olin")
    inviting.invite(itzel, team.pk, "olin")
    notify(team.pk, partial(str, "Eagle is first on The Open Ladder."), "/bots/eagle/")
    inviting.invite(nelli, make_team("the-other-team-of-thirty-signs", nelli).pk, "itzel")


@pytest.mark.parametrize("size", LOOKS)
def test_pages_for_those_outside_are_sound(open_page: Open, itzel: User, size: str) -> None:
    reset = f"/accounts/reset/{urlsafe_base64_encode(force_bytes(itzel.pk))}"
    forgotten = [f"{reset}/{default_token_generator.make_token(itzel)}", f"{reset}/of-last-year"]
    page = open_page("/", ready="h1", **LOOKS[size])
    assert "\n".join(look_over(page, [*OUTSIDE, *forgotten], size)) == ""


@pytest.mark.parametrize("size", LOOKS)
def test_pages_for_authors_are_sound(open_page: Open, itzel: User, signed_in: Cookies, size: str) -> None:
    page = open_page("/", ready="h1", cookies=signed_in("itzel"), **LOOKS[size])
    findings = look_over(page, INSIDE, f"itzel-{size}")
    page.goto("/bots/new")
    page.get_by_role("button", name="Create").click()
    assert "\n".join(findings) == ""


@pytest.mark.parametrize("size", LOOKS)
def test_the_operators_page_is_sound(open_page: Open, itzel: User, signed_in: Cookies, size: str) -> None:
    make_person("citlali", is_staff=True)
    pair = [make_bot("maize"), make_bot("jade")]
    hosts.beat("match-host-7.eu-west.example.org", {**HOST_STATE, "trouble": "no space left on the device"})
    match = ask_for(pair)
    for _ in range(5):
        attempts.give_back(claim(match), "The disk is full: 0 bytes of 20 GB are left", host_at_fault=True)
    claim(ask_for(pair))
    page = open_page("/", ready="h1", cookies=signed_in("citlali"), **LOOKS[size])
    page.get_by_role("link", name="Staff").click()
    expect(page.get_by_role("heading", name="Operator")).to_be_visible()
    assert "\n".join(look_over(page, ["/operator/", "/queue/"], f"staff-{size}")) == ""
