"""The pages of ladders and their API say the same."""

import random

import pytest
from django.test import Client

from arena.accounts.models import User
from arena.ladders.charts import history_chart, marks, sparkline
from arena.ladders.models import Entry, Season
from arena.ladders.results import settle_match
from arena.ladders.tallying import tally_due
from tests.arena.cast import ask_for, finish, make_bot, make_season

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    """A ladder on which four bots have played six matches."""
    season = make_season(2)
    versions = [make_bot(f"b{n}") for n in range(4)]
    chance = random.Random(3)
    for _ in range(6):
        match = ask_for(chance.sample(versions, 2), season)
        finish(match)
        settle_match(match.pk)
    return season


def test_the_standings_show_rating_interval_games_and_trend(client: Client, season: Season) -> None:
    page = client.get(f"/ladders/{season.ladder.slug}/").content.decode()
    top = season.standings.order_by("-rating").first()
    assert top
    assert f"{top.rating:.0f}" in page
    assert top.bot.name in page
    assert "<polyline" in page
    told = client.get(f"/api/v1/ladders/{season.ladder.slug}/standings").json()
    assert [row["rank"] for row in told] == list(range(1, len(told) + 1))
    assert told[0]["rating"] == round(top.rating, 1)
    assert told[0]["low"] < told[0]["mu"] < told[0]["high"]
    assert sum(row["games"] for row in told) == 12


def test_a_search_keeps_the_rank_among_all(client: Client, season: Season) -> None:
    told = client.get(f"/api/v1/ladders/{season.ladder.slug}/standings").json()
    last = told[-1]
    [found] = client.get(f"/api/v1/ladders/{season.ladder.slug}/standings", {"search": last["name"]}).json()
    assert found["rank"] == last["rank"] == len(told)
    page = client.get(f"/ladders/{season.ladder.slug}/", {"q": last["name"]}).content.decode()
    assert last["name"] in page
    assert (
        "No bot or author here"
        in client.get(f"/ladders/{season.ladder.slug}/", {"q": "zzz"}).content.decode()
    )


def test_a_bots_history_is_a_chart_a_table_and_data(client: Client, season: Season) -> None:
    bot = season.standings.latest("games").bot
    page = client.get(f"/ladders/{season.ladder.slug}/bots/{bot.slug}/")
    assert b"<polygon" in page.content
    told = client.get(f"/api/v1/ladders/{season.ladder.slug}/bots/{bot.slug}/history").json()
    assert told[-1]["rating"] == round(season.standings.get(bot=bot).rating, 1)
    assert client.get(bot.get_absolute_url()).status_code == 200


def test_head_to_head_counts_every_meeting_from_both_sides(client: Client, season: Season) -> None:
    tally_due()
    told = client.get(f"/api/v1/ladders/{season.ladder.slug}/head-to-head").json()
    assert sum(pair["games"] for pair in told) == 12
    assert sum(pair["better"] for pair in told) == 6
    assert client.get(f"/ladders/{season.ladder.slug}/head-to-head/").status_code == 200


def test_the_log_of_results_is_public(client: Client, season: Season) -> None:
    told = client.get(f"/api/v1/ladders/{season.ladder.slug}/results").json()["results"]
    assert [line["number"] for line in told] == [6, 5, 4, 3, 2, 1]
    assert told[0]["match"]


@pytest.mark.parametrize("path", ["/ladders/", "/queue/", "/api/v1/ladders", "/api/v1/queue"])
def test_pages_answer_with_and_without_anything_to_show(client: Client, path: str) -> None:
    assert client.get(path).status_code == 200
    make_season(3)
    assert client.get(path).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/ladders/nowhere/",
        "/ladders/{}/seasons/7/",
        "/api/v1/ladders/{}/standings?season=7",
        "/ladders/{}/bots/nobody/",
    ],
)
def test_what_does_not_exist_is_not_found(client: Client, season: Season, path: str) -> None:
    assert client.get(path.format(season.ladder.slug)).status_code == 404


def test_only_its_owner_takes_a_bot_out(client: Client, season: Season) -> None:
    bot = season.standings.earliest("pk").bot
    address = f"/ladders/{season.ladder.slug}/bots/{bot.slug}/take-part"
    client.force_login(User.objects.create(username="rival", email="rival@example.org"))
    assert client.post(address, {"take_part": "no"}).status_code == 404
    client.force_login(bot.owner)
    assert client.post(address, {"take_part": "no"}).status_code == 302
    assert Entry.objects.get(ladder=season.ladder, bot=bot).left_at
    client.post(address, {"take_part": "yes"})
    assert Entry.objects.get(ladder=season.ladder, bot=bot).left_at is None


def test_a_sparkline_goes_from_left_to_right_and_high_is_up() -> None:
    assert sparkline([1500, 1600, 1550], 100, 20) == "0,20 50,0 100,10"
    assert sparkline([1500]) == ""


def test_a_chart_has_round_marks_and_stays_within_its_frame() -> None:
    chart = history_chart([1500, 1620, 1580], [500, 700, 1450], [2500, 2400, 1700])
    assert chart
    assert [tick.label for tick in chart.ticks] == [f"{mark:.0f}" for mark in marks(1400, 1720)]
    heights = [float(point.split(",")[1]) for point in chart.band.split()]
    assert min(heights) >= 0
    assert max(heights) <= chart.height
