"""The frames of a match over HTTP: who gets which view, and what the browser may keep."""

import gzip
import json
from typing import Any

import pytest
from django.test import AsyncClient, Client
from pytest_django import Settings

from arena.accounts import limits
from arena.matches.models import Match
from arena.offload import offload
from arena.replays.stored_frames import frames_of, packed_frames
from engine.record import Record
from tests.arena.cast import ask_for, claim, finish, make_bot

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tidy_connections")]


@pytest.fixture
def running() -> Match:
    match = ask_for([make_bot("itzel"), make_bot("rival")])
    claim(match)
    return match


@pytest.fixture
def over() -> Match:
    match = ask_for([make_bot("itzel"), make_bot("rival"), make_bot("third")])
    finish(match)
    match.refresh_from_db()
    return match


async def test_frames_come_as_lines_of_json_a_header_first(over: Match) -> None:
    answer = await AsyncClient().get(
        f"/matches/{over.public_id}/frames/public", headers={"accept-encoding": "gzip"}
    )
    body = answer.content
    header, *frames = [json.loads(line) for line in gzip.decompress(body).splitlines()]
    assert [seat["name"] for seat in header["seats"]] == ["Itzel", "Rival", "Third"]
    assert frames[0]["step"] == 0
    assert frames[-1]["events"][-1]["kind"] == "game_over"


async def test_frames_made_once_are_kept_and_the_browser_may_keep_them_too(over: Match) -> None:
    address = f"/matches/{over.public_id}/frames/open"
    first = await AsyncClient().get(address, headers={"accept-encoding": "gzip"})
    made = first.content
    kept = await AsyncClient().get(address, headers={"accept-encoding": "gzip"})
    assert kept.content == made
    again = await AsyncClient().get(
        address, headers={"accept-encoding": "gzip", "if-none-match": first["ETag"]}
    )
    assert again.status_code == 304


async def test_views_differ_in_their_etags(over: Match) -> None:
    tags = set()
    for view in ("open", "public", "seat0", "seat1", "seat2"):
        answer = await AsyncClient().get(f"/matches/{over.public_id}/frames/{view}")
        tags.add(answer["ETag"])
    assert len(tags) == 5


async def test_who_reads_no_gzip_gets_plain_lines(over: Match) -> None:
    answer = await AsyncClient().get(f"/matches/{over.public_id}/frames/public")
    assert "Content-Encoding" not in answer
    assert json.loads(answer.content.splitlines()[0])["match"] == over.public_id


@pytest.mark.parametrize("view", ["open", "public", "seat0"])
async def test_a_running_match_has_no_stored_view_at_all(running: Match, view: str) -> None:
    assert (await AsyncClient().get(f"/matches/{running.public_id}/frames/{view}")).status_code == 404


@pytest.mark.parametrize("view", ["seat3", "seat9", "seat-1", "everything", "OPEN"])
async def test_a_view_that_does_not_exist_is_not_found(over: Match, view: str) -> None:
    assert (await AsyncClient().get(f"/matches/{over.public_id}/frames/{view}")).status_code == 404


def test_the_page_of_a_running_match_tells_nothing_of_its_seed(client: Client, running: Match) -> None:
    page = client.get(f"/matches/{running.public_id}/").content
    assert bytes(running.seed).hex().encode() not in page
    assert running.seed_commitment.encode() in page


def test_clocks_count_only_decisions_that_the_view_knows_of(over: Match) -> None:
    record = _record(over)
    times = [dict.fromkeys(range(len(record.actions) + 1), 1000) for _ in range(3)]
    for view in ("open", "public"):
        clocks = [
            frame["set"]["clocks"] for frame in frames_of(record, view, times) if "clocks" in frame["set"]
        ]
        assert clocks[0] == [0, 0, 0]
        total = sum(clocks[-1])
        assert total == len(record.actions) if view == "open" else total <= len(record.actions)


def _record(match: Match) -> Record:
    from arena.replays.selectors import record_of

    record = record_of(match)
    assert record is not None
    return record


async def test_frames_are_made_in_another_process_and_once_for_all_readers(
    over: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    def noted(function: Any, *args: Any) -> Any:
        made.append(function)
        return offload(function, *args)

    monkeypatch.setattr("arena.replays.views.offload", noted)
    bodies = []
    for encoding in ("gzip", "identity"):
        answer = await AsyncClient().get(
            f"/matches/{over.public_id}/frames/seat2", headers={"accept-encoding": encoding}
        )
        bodies.append(gzip.decompress(answer.content) if encoding == "gzip" else answer.content)
    assert made == [packed_frames]
    assert bodies[0] == bodies[1]


def test_without_redis_frames_are_made_for_every_reader(
    over: Match, client: Client, settings: Settings
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1"
    answers = [client.get(f"/matches/{over.public_id}/frames/public") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]


def test_who_opens_new_replays_without_end_is_told_to_wait_and_kept_ones_stay_open(
    over: Match, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    strict = {**limits.LIMITS, "compute": limits.Limit(2, 60, limits.LIMITS["compute"].reason)}
    monkeypatch.setattr(limits, "LIMITS", strict)
    answers = [client.get(f"/matches/{over.public_id}/frames/{view}") for view in ("open", "public", "seat0")]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert 0 < int(answers[-1]["Retry-After"]) <= 60
    assert client.get(f"/matches/{over.public_id}/frames/open").status_code == 200
    assert client.get(f"/matches/{over.public_id}/picture.svg").status_code == 429
