"""What authors are told of events: entry, invitation, start, their match, disqualification, podium, cancellation."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from arena.accounts.models import User
from arena.bots.models import Bot
from arena.notices.models import Notice, WebhookDelivery
from arena.notices.webhooks import add
from arena.outbox.models import Outbox
from arena.tournaments import calendar, entering, news, services
from arena.tournaments.models import Tournament
from tests.arena.people import browser_of

pytestmark = pytest.mark.django_db
Make = Callable[..., Tournament]
Play = Callable[[Tournament], int]


def delivered() -> None:
    """Have all news told that is owed, twice, as a worker may."""
    for owed in Outbox.objects.filter(kind="event_news").order_by("pk"):
        news.deliver(owed.payload)
        news.deliver(owed.payload)
    Outbox.objects.filter(kind="event_news").delete()


def told(name: str) -> list[str]:
    """What the author of a bot was told, oldest first."""
    owner = Bot.objects.get(slug=name).owner
    return list(Notice.objects.filter(user=owner).order_by("pk").values_list("text", flat=True))


def test_the_course_of_an_event_is_told_once(make_tournament: Make, play_out: Play, olin: User) -> None:
    tournament = make_tournament(3, format="swiss", rounds=1)
    delivered()
    assert told("bot-0")[0] == "Bot-0 has entered Cup."
    assert told("bot-0")[1].startswith("Cup has started with 3 bots. Bot-0 has seed ")
    meetings = [text for number in range(3) for text in told(f"bot-{number}") if ", Round 1: " in text]
    assert len(meetings) == 2, "one has a bye"
    play_out(tournament)
    delivered()
    winner = tournament.entries.get(place=1).bot
    assert told(winner.slug)[-1] == f"{winner.name} has won Cup!"
    last = tournament.entries.get(place=3).bot
    assert told(last.slug)[-1] == f"{last.name} is on the podium of Cup: place 3 of 3."
    for number in range(3):
        assert len(told(f"bot-{number}")) == len(set(told(f"bot-{number}")))


def test_an_invitation_to_a_draft_is_told_when_it_opens(
    make_tournament: Make, olin: User, jaguar: Bot, active: object
) -> None:
    tournament = make_tournament(2, state="draft")
    entering.invite(tournament.pk, jaguar, olin)
    assert told("jaguar") == []
    services.publish(tournament.pk, olin)
    delivered()
    assert told("jaguar") == ["Jaguar is invited to Cup. Enter it on its page."]
    link = Notice.objects.get(user=jaguar.owner).link
    assert browser_of(jaguar.owner).get(link).status_code == 200


def test_an_invitation_to_an_open_event_is_told_at_once(
    make_tournament: Make, olin: User, jaguar: Bot, active: object
) -> None:
    tournament = make_tournament(2, state="registration")
    entering.invite(tournament.pk, jaguar, olin)
    assert told("jaguar") == ["Jaguar is invited to Cup. Enter it on its page."]


def test_a_disqualification_is_told_with_its_reason(make_tournament: Make, olin: User) -> None:
    tournament = make_tournament(4)
    entering.disqualify(tournament.pk, Bot.objects.get(slug="bot-2"), olin, "two hands")
    assert told("bot-2")[-1] == "Bot-2 was disqualified from Cup. Reason: two hands"
    entering.withdraw(tournament.pk, Bot.objects.get(slug="bot-1"), olin, "its author is ill")
    assert told("bot-1")[-1] == "The organiser withdrew Bot-1 from Cup. Reason: its author is ill"


def test_a_preview_tells_nobody(make_tournament: Make, olin: User) -> None:
    make_tournament(4)
    browser_of(olin).post("/tournaments/cup/desk", {"preview": "disqualify", "bot": "bot-2", "reason": "x"})
    assert told("bot-2") == ["Bot-2 has entered Cup."]


def test_every_cancellation_is_told(make_tournament: Make, olin: User) -> None:
    tournament = make_tournament(2, state="registration")
    services.cancel(tournament.pk, olin, "rain")
    delivered()
    assert told("bot-0")[-1] == "Cup was cancelled. Reason: rain"
    services.reinstate(tournament.pk, olin)
    services.cancel(tournament.pk, olin, "rain")
    delivered()
    assert told("bot-0").count("Cup was cancelled. Reason: rain") == 2


def test_a_draft_is_cancelled_quietly(make_tournament: Make, olin: User) -> None:
    tournament = make_tournament(2, state="draft")
    services.cancel(tournament.pk, olin, "")
    assert not Outbox.objects.filter(kind="event_news").exists()


def test_an_event_that_the_clock_cancels_is_told_too(make_tournament: Make) -> None:
    tournament = make_tournament(1, state="registration")
    Tournament.objects.filter(pk=tournament.pk).update(lock_at="2020-01-01T00:00Z")
    calendar.keep_time()
    delivered()
    assert told("bot-0")[-1].startswith("Cup was cancelled. Reason: Entries have closed.")


def test_nothing_is_told_before_it_is_released(make_tournament: Make, play_out: Play, olin: User) -> None:
    tournament = make_tournament(4, format="swiss", rounds=2, release="hidden")
    play_out(tournament)
    delivered()
    texts = [text for number in range(4) for text in told(f"bot-{number}")]
    assert not [text for text in texts if "Round 2" in text or "won" in text or "podium" in text]
    services.release_rounds(tournament.pk, olin, "entrants", 2)
    delivered()
    winner = tournament.entries.get(place=1).bot
    assert told(winner.slug)[-1] == f"{winner.name} has won Cup!"


def test_webhooks_are_called_with_the_bot_the_event_and_the_news(make_tournament: Make, olin: User) -> None:
    tournament = make_tournament(2, state="registration")
    owner = Bot.objects.get(slug="bot-0").owner
    assert add(owner, "https://example.org/events")
    services.lock(tournament.pk, olin)
    services.start(tournament.pk, olin)
    delivered()
    calls = {one.event: json.loads(one.body) for one in WebhookDelivery.objects.order_by("pk")}
    assert list(calls) == ["tournament.started", "tournament.match"]
    assert calls["tournament.match"]["opponents"] == ["bot-1"]
    assert calls["tournament.match"]["bot"] == "bot-0"
    assert calls["tournament.match"]["tournament"]["slug"] == "cup"
    assert WebhookDelivery.objects.count() == 2
