"""Long standings and histories are read page by page, and odd addresses get a quick, clear answer."""

import json
from dataclasses import replace

import pytest
from django.test import Client
from rest_framework.renderers import JSONRenderer
from rest_framework.serializers import Serializer

from arena.bots.models import Bot
from arena.ladders import selectors
from arena.ladders.models import RatingChange, Result, Season
from arena.ladders.serializers import MomentSerializer
from tests.arena.cast import ask_for, make_bot, make_season

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    """A ladder of 120 bots, of which some have the same rating; the first has 70 results."""
    season = make_season(2)
    for number in range(120):
        bot = make_bot(f"b{number:03}").bot
        season.standings.create(bot=bot, rating=2000.0 - number // 3, games=1)
    first = Bot.objects.get(slug="b000")
    match = ask_for([Bot.objects.get(slug=slug).active_version for slug in ("b000", "b001")], season)
    Result.objects.create(season=season, sequence=1, kind="match", match=match, places=[])
    for sequence in range(2, 71):
        line = {"season": season, "sequence": sequence, "kind": "void"}
        Result.objects.create(**line, voids=Result.objects.latest("pk"))
    values = {"wins": 0, "place": 1}
    for sequence in range(1, 71):
        RatingChange.objects.create(
            season=season, bot=first, sequence=sequence, rating=1500.0 + sequence, games=sequence, **values
        )
    return season


def ranks(client: Client, query: str) -> list[int]:
    page = client.get(f"/ladders/ladder-0/{query}")
    assert page.status_code == 200
    return [row.rank for row in page.context["rows"]]


def test_pages_lead_down_to_the_last_and_up_again(client: Client, season: Season) -> None:
    seen, query = [], ""
    while True:
        page = client.get(f"/ladders/ladder-0/{query}").context["page"]
        seen += [(row.rank, row.bot.slug) for row in page.rows]
        if not page.next:
            break
        query = page.next
    assert [rank for rank, _ in seen] == list(range(1, 121))
    assert len({slug for _, slug in seen}) == 120
    back = client.get(f"/ladders/ladder-0/{page.previous}").context["page"]
    assert [(row.rank, row.bot.slug) for row in back.rows] == seen[50:100]
    assert back.next


@pytest.mark.parametrize(
    ("query", "first", "words"),
    [
        ("?page=2", 51, ""),
        ("?page=999999999", 101, "There is no page 999999999"),
        ("?page=99999999999999999999", 1, "There is no such page"),
        ("?page=-1", 1, "There is no such page"),
        ("?page=0", 1, "There is no such page"),
        ("?page=%00", 1, "There is no such page"),
        ("?after=nobody", 1, "No bot called nobody"),
        ("?before=b000x", 1, "No bot called b000x"),
        ("?after=%00", 1, "No bot called"),
    ],
)
def test_pages_that_are_not_there_are_explained(
    client: Client, season: Season, query: str, first: int, words: str
) -> None:
    assert ranks(client, query)[0] == first
    assert words in client.get(f"/ladders/ladder-0/{query}").content.decode()


def test_the_page_after_the_last_bot_is_empty(client: Client, season: Season) -> None:
    assert ranks(client, "?after=b119") == []


def test_the_standings_of_the_api_go_on_after_a_bot(client: Client, season: Season) -> None:
    path = "/api/v1/ladders/ladder-0/standings"
    first = client.get(path).json()
    assert [row["rank"] for row in first] == list(range(1, 101))
    rest = client.get(path, {"after": first[-1]["bot"]}).json()
    assert [row["rank"] for row in rest] == list(range(101, 121))
    assert rest == client.get(path, {"offset": "100"}).json()
    assert client.get(path, {"offset": "999999999"}).json() == []
    gone = client.get(path, {"after": "nobody"})
    assert gone.status_code == 404
    assert "begin again" in gone.content.decode()
    for bad in ("-1", "x", "9" * 30):
        answer = client.get(path, {"offset": bad})
        assert answer.status_code == 400
        assert "whole number" in answer.content.decode()


def test_a_history_is_read_backwards_page_by_page(client: Client, season: Season) -> None:
    address = "/ladders/ladder-0/bots/b000/"
    page = client.get(address)
    assert [one.sequence for one in page.context["moments"]] == list(range(70, 40, -1))
    assert "?before=41" in page.content.decode()
    page = client.get(f"{address}?before=11")
    assert [one.sequence for one in page.context["moments"]] == list(range(10, 0, -1))
    assert "no earlier results" in client.get(f"{address}?before=1").content.decode()
    assert client.get(f"{address}?before=-5").context["before"] is None
    path = "/api/v1/ladders/ladder-0/bots/b000/history"
    assert [one["result"] for one in client.get(path).json()] == list(range(1, 71))
    assert [one["result"] for one in client.get(path, {"before": "4"}).json()] == [1, 2, 3]
    assert client.get(path, {"before": "x"}).status_code == 400


def test_moments_are_written_as_their_fields_say(season: Season) -> None:
    [moment] = selectors.history(season, Bot.objects.get(slug="b000"), 2, 9)
    moment = replace(moment, rating=1500.26, low=1490.04, high=1510.06)
    as_fields = Serializer.to_representation(MomentSerializer(), moment)
    told = JSONRenderer().render(MomentSerializer(moment).data)
    assert json.loads(told) == json.loads(JSONRenderer().render(as_fields))
    assert json.loads(told)["at"].endswith("Z")


def test_a_long_history_is_thinned_evenly_with_its_first_and_last(season: Season) -> None:
    found = selectors.thinned_history(season, Bot.objects.get(slug="b000"), 8)
    assert [one.sequence for one in found] == [1, 10, 20, 30, 40, 50, 60, 70]
    assert found[-1].rating == 1570.0
    assert len(selectors.thinned_history(season, Bot.objects.get(slug="b000"), 300)) == 70
    assert selectors.thinned_history(season, Bot.objects.get(slug="b001"), 8) == []
