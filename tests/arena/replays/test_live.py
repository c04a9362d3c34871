"""Running matches by server-sent events: every frame, in order, also after a broken connection, also late."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from redis import Redis

from arena.hosts import live_frames as published
from arena.hosts.attempts import Claimant
from arena.ladders.models import Ladder
from arena.matches.models import Match
from arena.replays import live
from tests.arena.cast import KEY, ask_for, claim, make_bot, make_season, report_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tidy_connections")]


class Event(dict[str, str]):
    @property
    def data(self) -> Any:
        return json.loads(self["data"])


async def events(answer: Any) -> AsyncIterator[Event]:
    """The events of a stream, as a browser reads them."""
    text = ""
    async for part in answer.streaming_content:
        text += part.decode()
        while "\n\n" in text:
            block, _, text = text.partition("\n\n")
            fields = [line.partition(": ")[::2] for line in block.split("\n") if not line.startswith(":")]
            if any(name == "event" for name, _ in fields):
                yield Event(fields)


async def watch(query: str, last: str = "") -> AsyncIterator[Event]:
    headers = {"last-event-id": last} if last else {}
    answer = await AsyncClient().get(f"/live/events?{query}", headers=headers)
    assert answer["Content-Type"] == "text/event-stream"
    return events(answer)


async def take(stream: AsyncIterator[Event], count: int) -> list[Event]:
    return [await anext(stream) for _ in range(count)]


def frame(step: int, **changes: object) -> dict[str, Any]:
    return {"step": step, "seat": -1, "events": [], "set": changes}


@pytest.fixture
def match(redis: Redis) -> Match:
    return ask_for([make_bot("itzel"), make_bot("rival")])


@pytest.fixture
def claimant(match: Match) -> Claimant:
    return claim(match)


publish = sync_to_async(published.publish)


async def test_a_spectator_gets_what_was_shown_before_and_all_that_follows(
    match: Match, claimant: Claimant
) -> None:
    await publish(claimant, [frame(0), frame(1)])
    stream = await watch(f"match={match.public_id}")
    header, first, second = await take(stream, 3)
    assert [seat["name"] for seat in header.data["seats"]] == ["Itzel", "Rival"]
    assert [first.data["frame"]["step"], second.data["frame"]["step"]] == [0, 1]
    await publish(claimant, [frame(2)])
    [third] = await take(stream, 1)
    assert third.data == {"match": match.public_id, "frame": frame(2)}


async def test_a_broken_connection_goes_on_after_the_last_event_it_had(
    match: Match, claimant: Claimant
) -> None:
    await publish(claimant, [frame(step) for step in range(5)])
    stream = await watch(f"match={match.public_id}")
    had = await take(stream, 4)
    await stream.aclose()  # type: ignore[attr-defined]  # a generator
    await publish(claimant, [frame(5)])
    again = await watch(f"match={match.public_id}", last=had[-1]["id"])
    _, *rest = await take(again, 4)
    assert [one.data["frame"]["step"] for one in rest] == [3, 4, 5]


async def test_one_connection_carries_several_matches_and_resumes_each(
    match: Match, claimant: Claimant
) -> None:
    other = await sync_to_async(ask_for)(
        [await sync_to_async(make_bot)(name) for name in ("third", "fourth")]
    )
    other_hold = await sync_to_async(claim)(other)
    await publish(claimant, [frame(0), frame(1)])
    await publish(other_hold, [frame(0)])
    query = f"match={match.public_id}&match={other.public_id}"
    had = await take(await watch(query), 5)
    await publish(claimant, [frame(2)])
    await publish(other_hold, [frame(1)])
    rest = (await take(await watch(query, last=had[-1]["id"]), 4))[2:]
    assert {(one.data["match"], one.data["frame"]["step"]) for one in rest} == {
        (match.public_id, 2),
        (other.public_id, 1),
    }


async def test_a_new_attempt_begins_again_for_those_who_come_later(match: Match, claimant: Claimant) -> None:
    await publish(claimant, [frame(0), frame(1), frame(0), frame(1), frame(2)])
    _, *shown = await take(await watch(f"match={match.public_id}"), 4)
    assert [one.data["frame"]["step"] for one in shown] == [0, 1, 2]


async def test_the_end_is_told_once_the_report_is_there(match: Match, claimant: Claimant) -> None:
    from arena.hosts import reports

    await publish(claimant, [frame(0), frame(1, over=1)])
    stream = await watch(f"match={match.public_id}")
    await take(stream, 3)
    report = await sync_to_async(report_of)(match)
    await sync_to_async(reports.record_report)(claimant, report)
    over, end = await take(stream, 2)
    assert (over["event"], end["event"]) == ("over", "end")


async def test_a_match_that_is_over_is_told_to_be_so_at_once(match: Match, claimant: Claimant) -> None:
    from arena.hosts import reports

    await sync_to_async(reports.record_report)(claimant, await sync_to_async(report_of)(match))
    _, over, _ = await take(await watch(f"match={match.public_id}"), 3)
    assert over["event"] == "over"


async def test_frames_of_an_event_with_a_delay_come_late_and_in_order(redis: Redis) -> None:
    season = await sync_to_async(make_season)(2)
    versions = [await sync_to_async(make_bot)(name) for name in ("itzel", "rival")]
    match = await sync_to_async(ask_for)(versions, season)
    await Ladder.objects.filter(pk=season.ladder_id).aupdate(live_delay=2)
    claimant = await sync_to_async(claim)(match)
    loop = asyncio.get_running_loop()
    stream = await watch(f"match={match.public_id}")
    await take(stream, 1)
    begun = loop.time()
    await publish(claimant, [frame(0), frame(1)])
    shown = await take(stream, 2)
    assert loop.time() - begun >= 1.9
    assert [one.data["frame"]["step"] for one in shown] == [0, 1]


@pytest.mark.parametrize("query", ["", "match=nothere", "match=../x", "nonsense"])
async def test_what_is_not_there_cannot_be_watched(query: str) -> None:
    assert (await AsyncClient().get(f"/live/events?{query}")).status_code == 404


async def test_a_feed_is_forgotten_some_time_after_the_last_look(
    match: Match, claimant: Claimant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "LINGER_SECONDS", 0)
    monkeypatch.setattr(live, "BLOCK_MS", 20)
    feed = await live.hub().open(match.public_id)
    assert feed is not None
    spectator = live.messages([feed], {})
    await anext(spectator)
    await spectator.aclose()  # type: ignore[attr-defined]  # a generator
    assert feed.reader is not None
    await feed.reader
    assert match.public_id not in live.hub().feeds


@pytest.mark.parametrize(
    ("text", "places"),
    [("", {}), ("a=1-0", {"a": "1-0"}), ("a=1-0;b=2-3", {"a": "1-0", "b": "2-3"}), (";;=;x", {}), ("a=", {})],
)
def test_places_are_read_from_whatever_a_browser_sends(text: str, places: dict[str, str]) -> None:
    assert live.read_places(text) == places


def test_only_the_holder_of_the_attempt_may_show_frames(match: Match, claimant: Claimant) -> None:
    from arena.hosts.attempts import HostRefusedError

    with pytest.raises(HostRefusedError):
        published.publish(Claimant(claimant.attempt_id, KEY[::-1] + "x"), [frame(0)])


@pytest.mark.parametrize(
    "text", ["", "-", "1", "1-", "a-b", "9" * 5000, "9" * 5000 + "-1", "1-" + "9" * 5000, "²-1"]
)
def test_an_id_that_no_entry_has_is_read_as_nonsense_or_as_a_number(text: str) -> None:
    assert len(live.read_id(text)) == 2
