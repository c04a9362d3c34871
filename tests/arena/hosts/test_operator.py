"""The operator's page, and what staff can do there."""

import pytest
from django.test import Client

from arena.accounts.models import AuditEntry, User
from arena.hosts import services as hosts
from arena.hosts.models import Attempt, Host
from arena.matches.models import Match
from tests.arena.cast import HOST_STATE, ask_for, finish, make_bot

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(User.objects.create(username="citlali", email="c@example.org", is_staff=True))
    return client


@pytest.fixture
def aside() -> Match:
    match = ask_for([make_bot("one"), make_bot("two")])
    Attempt.objects.update(state="lost", fault="host", note="The host stopped sending heartbeats.")
    Match.objects.update(state="set_aside")
    return match


def test_only_staff_sees_the_operators_page(client: Client, aside: Match) -> None:
    for path in ("/operator/", f"/operator/matches/{aside.public_id}/void"):
        answer = client.post(path) if "void" in path else client.get(path)
        assert (answer.status_code, "sign-in" in answer["Location"]) == (302, True)
    client.force_login(User.objects.create(username="itzel", email="i@example.org"))
    assert client.get("/operator/").status_code == 403
    assert Match.objects.get().state == "set_aside"


def test_the_page_shows_hosts_queues_faults_and_what_was_set_aside(staff: Client, aside: Match) -> None:
    hosts.beat("alpha", {**HOST_STATE, "degraded": True, "trouble": "The disk is full."})
    other = ask_for([make_bot("three"), make_bot("four")])
    finish(other, faulty=[0])
    page = staff.get("/operator/").content.decode()
    for words in (
        "alpha",
        "bubblewrap",
        "degraded",
        "The disk is full.",
        aside.public_id,
        "crashed",
        "Rerun",
    ):
        assert words in page


def test_one_click_reruns_or_voids_and_leaves_a_line_in_the_log(staff: Client, aside: Match) -> None:
    staff.post(f"/operator/matches/{aside.public_id}/rerun")
    assert Match.objects.get().state == "queued"
    assert Attempt.objects.latest("number").state == "queued"
    staff.post(f"/operator/matches/{aside.public_id}/void", {"reason": "broken board"})
    assert Match.objects.get().state == "voided"
    assert list(AuditEntry.objects.order_by("pk").values_list("act", flat=True)) == ["rerun", "void"]


def test_pausing_a_host_tells_it_at_its_next_beat(staff: Client) -> None:
    assert not hosts.beat("alpha", HOST_STATE).paused
    staff.post("/operator/hosts/alpha/pause", {"paused": "yes"})
    assert hosts.beat("alpha", HOST_STATE).paused
    staff.post("/operator/hosts/alpha/pause", {"paused": "no"})
    assert not hosts.beat("alpha", HOST_STATE).paused
    assert Host.objects.count() == 1
