"""Following bots and events, and what followers are told."""

import pytest
from django.test import Client

from arena.accounts.models import User
from arena.bots.models import Bot
from arena.discovery import services
from arena.discovery.models import Follow
from arena.notices.models import Notice
from arena.outbox import services as outbox
from arena.outbox.models import Outbox
from tests.arena import events
from tests.arena.cast import make_bot
from tests.arena.people import browser_of, program_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]


def tell(follower: User) -> list[str]:
    """Do what is owed to followers; what this one was told."""
    for work in Outbox.objects.filter(kind="follows"):
        outbox.deliver(work.pk, work.tries)
    return list(Notice.objects.filter(user=follower).order_by("pk").values_list("text", flat=True))


def test_a_bot_is_followed_from_its_page_and_left_from_the_list(itzel: User) -> None:
    make_bot("jade")
    browser = browser_of(itzel)
    assert "Follow" in browser.get("/bots/jade/").content.decode()
    for _ in range(2):  # a second click changes nothing
        assert browser.post("/bots/jade/follow")["Location"] == "/bots/jade/"
    assert Follow.objects.count() == 1
    assert "Stop following" in browser.get("/bots/jade/").content.decode()
    assert "Jade" in browser.get("/accounts/following").content.decode()
    assert browser.post("/bots/jade/follow", {"stop": "1", "list": "1"})["Location"] == "/accounts/following"
    assert not Follow.objects.exists()


def test_nobody_is_asked_to_follow_without_an_account(client: Client) -> None:
    make_bot("jade")
    assert "/bots/jade/follow" not in client.get("/bots/jade/").content.decode()


def test_followers_but_not_the_author_hear_of_a_new_version(itzel: User, mateo: User) -> None:
    version = make_bot("jade", "mateo")
    for person in (itzel, mateo):
        services.follow(person, version.bot)
    services.bot_can_play(version.bot_id)
    assert tell(itzel) == ["Jade now plays with version 1."]
    assert Notice.objects.get().user == itzel


def test_followers_of_an_event_hear_that_it_starts_and_ends_but_not_how(itzel: User, olin: User) -> None:
    event = events.new_event(olin, 2, release="hidden")
    services.follow(itzel, event)
    events.play_out(event)
    told = tell(itzel)
    assert f"{event.name} is over." in told
    slugs = Bot.objects.values_list("name", flat=True)
    assert not any(name in text for name in slugs for text in told)


def test_a_cancelled_event_is_told(itzel: User, olin: User) -> None:
    from arena.tournaments.services import cancel

    event = events.new_event(olin, 2)
    services.follow(itzel, event)
    cancel(event.pk, olin, "rain")
    assert tell(itzel) == [f"{event.name} was cancelled."]


def test_a_draft_can_be_followed_by_nobody_else(itzel: User, olin: User) -> None:
    from arena.tournaments.models import Tournament

    event = events.new_event(olin, 2)
    Tournament.objects.filter(pk=event.pk).update(state="draft")
    assert browser_of(itzel).post(f"/tournaments/{event.slug}/follow").status_code == 404
    answer = program_of(itzel).post("/api/v1/follows", {"tournament": event.slug})
    assert answer.status_code == 404


def test_there_is_an_end_to_following(itzel: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_FOLLOWS", 1)
    services.follow(itzel, make_bot("jade").bot)
    make_bot("copal")
    assert program_of(itzel).post("/api/v1/follows", {"bot": "copal"}).status_code == 400
    page = browser_of(itzel).post("/bots/copal/follow", follow=True).content.decode()
    assert "Stop following one first." in page


def test_the_api_lists_follows_and_wants_one_thing_at_a_time(itzel: User) -> None:
    make_bot("jade")
    program = program_of(itzel)
    assert program.post("/api/v1/follows", {}).status_code == 400
    assert program.post("/api/v1/follows", {"bot": "nothing"}).status_code == 400
    assert program.post("/api/v1/follows", {"bot": "jade"}).status_code == 204
    [row] = program.get("/api/v1/follows").json()["results"]
    assert (row["bot"], row["tournament"]) == ("jade", None)
    assert program.post("/api/v1/follows/stop", {"bot": "jade"}).status_code == 204
    assert program.get("/api/v1/follows").json()["results"] == []
