"""A bot's results by opponent, seat and so on, and its versions side by side."""

import random
from hashlib import sha256

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from arena.bots.models import Status, Version
from arena.ladders.checking import check
from arena.ladders.models import Season, VersionPair
from arena.ladders.results import settle_matches
from arena.ladders.strengths import estimate_season
from arena.ladders.tallying import tally_due
from arena.matches.models import Match, MatchSeat
from arena.matches.services import MatchRequest, request_duplicate_set
from engine.rulesets import ruleset
from tests.arena.cast import ask_for, finish, make_bot, make_season

pytestmark = pytest.mark.django_db


def next_version(version: Version) -> Version:
    """Make a newer version of a bot that takes the place of this one."""
    Version.objects.filter(pk=version.pk).update(status=Status.RETIRED)
    number = version.number + 1
    return Version.objects.create(
        bot=version.bot,
        number=number,
        sha256=sha256(f"{version.bot.slug} {number}".encode()).hexdigest(),
        size=1,
        runtime="python",
        status=Status.ACTIVE,
    )


def play(season: Season, versions: list[Version], count: int, winner: Version | None = None) -> list[Match]:
    """Play matches at random; `winner`, if given, is put first in all of them."""
    chance = random.Random(count)
    matches = []
    for _ in range(count):
        match = ask_for(chance.sample(versions, season.ladder.seats), season)
        finish(match)
        if winner is not None:
            seats = sorted(MatchSeat.objects.filter(match=match), key=lambda one: one.version_id != winner.pk)
            for place, seat in enumerate(seats, 1):
                MatchSeat.objects.filter(pk=seat.pk).update(placement=place)
        matches.append(match)
    settle_matches([match.pk for match in matches])
    tally_due()
    return matches


@pytest.fixture
def jaguar() -> Version:
    """A bot with results of two versions: the first at random, the second always wins."""
    first, other = make_bot("jaguar"), make_bot("quetzal")
    season = make_season(2)
    play(season, [first, other], 6)
    second = next_version(first)
    play(season, [second, other], 30, winner=second)
    estimate_season(season.pk)
    return second


def results(**query: object) -> dict:
    answer = Client().get("/api/v1/bots/jaguar/results", query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_results_by_opponent_seat_edition_seat_count_and_version(jaguar: Version) -> None:
    [row] = results()["rows"]
    assert (row["key"], row["games"]) == ("quetzal", 36)
    assert row["low"] < row["score"] < row["high"]
    assert row["score"] >= 30 / 36
    assert sum(one["games"] for one in results(by="seat")["rows"]) == 36
    assert [one["key"] for one in results(by="seat")["rows"]] == ["1", "2"]
    assert [(one["key"], one["games"]) for one in results(by="edition")["rows"]] == [("english", 36)]
    assert [(one["key"], one["games"]) for one in results(by="seats")["rows"]] == [("2", 36)]
    by_version = {one["key"]: one for one in results(by="version")["rows"]}
    assert (by_version["1"]["games"], by_version["2"]["games"]) == (6, 30)
    assert by_version["2"]["score"] == 1
    assert by_version["2"]["firsts"] == 30


def test_results_by_power_card_leave_the_opponent_out_and_say_so(jaguar: Version) -> None:
    found = results(by="card", opponent="quetzal")
    assert "over all opponents" in found["note"]
    assert {one["key"] for one in found["rows"]} <= {"4", "5", "6", "7", "8", "9"}
    assert sum(one["games"] for one in found["rows"]) == 5 * 36


def test_filters_and_sorting_are_in_the_address(jaguar: Version) -> None:
    assert results(version=2)["total"]["games"] == 30
    assert results(version=2, seat=1)["total"]["games"] + results(version=2, seat=2)["total"]["games"] == 30
    assert results(opponent="nobody")["rows"] == []
    assert results(ladder="elsewhere")["rows"] == []
    games = [one["games"] for one in results(by="version", sort="games", order="up")["rows"]]
    assert games == [6, 30]
    page = Client().get("/bots/jaguar/results/?by=version&sort=games&order=up").content.decode()
    assert 'aria-sort="ascending"' in page
    assert page.index(">6<") < page.index(">30<")


def test_every_group_has_a_page(jaguar: Version) -> None:
    for by in ("opponent", "seat", "edition", "seats", "card", "age", "version", "ladder"):
        answer = Client().get("/bots/jaguar/results/", {"by": by})
        assert answer.status_code == 200
        assert 'aria-current="page"' in answer.content.decode()


def test_scores_without_luck_stand_beside_the_scores(jaguar: Version) -> None:
    [row] = results(by="seats")["rows"]
    assert row["games_without_luck"] == row["games"] == 36
    assert row["score_without_luck"] is not None
    assert "Without luck" in Client().get("/bots/jaguar/results/?by=seats").content.decode()


def test_a_bad_filter_gets_a_sentence(jaguar: Version) -> None:
    for query in (
        {"by": "colour"},
        {"seat": "9"},
        {"version": "x"},
        {"opponent": "<b>"},
        {"version": "9" * 30},
    ):
        answer = Client().get("/api/v1/bots/jaguar/results", query)
        assert answer.status_code == 400, query
        page = Client().get("/bots/jaguar/results/", query)
        assert page.status_code == 200
        assert 'role="alert"' in page.content.decode()
        assert "<b>" not in page.content.decode()


def test_a_bot_without_results_has_pages_that_say_so() -> None:
    make_bot("jaguar")
    assert "no results on a ladder yet" in Client().get("/bots/jaguar/results/").content.decode()
    assert "only one version so far" in Client().get("/bots/jaguar/compare/").content.decode()
    assert Client().get("/api/v1/bots/jaguar/compare").status_code == 400
    assert results()["rows"] == []


def test_the_pages_of_a_bot_lead_to_its_results_and_versions(jaguar: Version) -> None:
    page = Client().get("/bots/jaguar/").content.decode()
    assert "/bots/jaguar/results/" in page
    assert "/bots/jaguar/compare/" in page


def test_versions_are_compared_on_the_elo_scale(jaguar: Version) -> None:
    found = Client().get("/api/v1/bots/jaguar/compare?from=2&to=1").json()
    assert (found["older"], found["newer"]) == (1, 2)
    [ladder] = found["ladders"]
    assert (ladder["older"]["games"], ladder["newer"]["games"]) == (6, 30)
    assert ladder["newer"]["score"] == 1
    difference = ladder["difference"]
    assert difference["low"] < difference["mean"] < difference["high"]
    assert difference["mean"] > 0
    [opponent] = found["opponents"]
    assert opponent["opponent"] == "quetzal"
    assert found["direct"] is None
    assert Client().get("/api/v1/bots/jaguar/compare").json() == found  # those with results, by default


def test_better_is_only_said_on_evidence_that_may_be_watched(jaguar: Version) -> None:
    pair = VersionPair.objects.get()
    page = Client().get("/bots/jaguar/compare/").content.decode()
    assert ("Version 2 is better." in page) == (pair.sure == 1)
    VersionPair.objects.update(sure=1)
    assert "Version 2 is better." in Client().get("/bots/jaguar/compare/").content.decode()
    VersionPair.objects.update(sure=0)
    assert "Too early to say" in Client().get("/bots/jaguar/compare/").content.decode()
    assert Client().get("/api/v1/bots/jaguar/compare").json()["ladders"][0]["difference"]["better"] is None


def test_the_check_of_ratings_covers_comparisons_of_versions(jaguar: Version) -> None:
    season = Season.objects.get()
    assert check(season.pk) == []
    VersionPair.objects.update(spread=1.0)
    assert any("comparison of the versions" in line for line in check(season.pk))


def test_games_between_two_versions_are_counted_by_set(jaguar: Version) -> None:
    first = jaguar.bot.versions.get(number=1)
    for _ in range(3):
        match = ask_for([first, jaguar])
        finish(match)
    direct = Client().get("/api/v1/bots/jaguar/compare").json()["direct"]
    assert direct["results"] == 3
    assert 0 <= direct["score"] <= 1
    assert direct["difference"]["better"] is None
    assert "in 3 results" in Client().get("/bots/jaguar/compare/").content.decode()


def test_a_wrong_choice_of_versions_gets_a_sentence(jaguar: Version) -> None:
    for query, sentence in (
        ("from=2&to=2", "two different versions"),
        ("from=2&to=7", "no version 7"),
    ):
        assert sentence in Client().get(f"/bots/jaguar/compare/?{query}").content.decode()
        answer = Client().get(f"/api/v1/bots/jaguar/compare?{query}")
        assert answer.status_code == 400
        assert sentence in answer.content.decode()


def test_reading_results_costs_the_same_however_many_were_played(jaguar: Version) -> None:
    def cost(path: str) -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            Client().get(path)
        return len(queries)

    paths = ["/bots/jaguar/results/", "/bots/jaguar/compare/", "/api/v1/bots/jaguar/results?by=card"]
    before = [cost(path) for path in paths]
    play(Season.objects.get(), [jaguar, Version.objects.get(bot__slug="quetzal")], 10)
    assert [cost(path) for path in paths] == before


def test_the_page_of_a_rated_match_shows_luck_beside_the_result(jaguar: Version) -> None:
    season = Season.objects.get()
    match = Match.objects.filter(purpose=Match.Purpose.LADDER).latest("pk")
    page = Client().get(match.get_absolute_url()).content.decode()
    assert ">Luck</a>" in page
    assert season.luck_sha256[:12] in page
    Season.objects.update(luck_sha256="")  # a season from before luck was measured
    assert ">Luck</a>" not in Client().get(match.get_absolute_url()).content.decode()


def test_luck_stays_secret_while_a_match_of_the_same_seed_is_still_to_be_played() -> None:
    season = make_season(2, duplicate=True)
    request = MatchRequest(
        [make_bot("jaguar"), make_bot("quetzal")],
        ruleset("english"),
        Match.Purpose.LADDER,
        purpose_id=season.pk,
        rated=True,
    )
    first, second = request_duplicate_set(request)
    finish(first)
    assert ">Luck</a>" not in Client().get(first.get_absolute_url()).content.decode()
    finish(second)
    assert ">Luck</a>" in Client().get(first.get_absolute_url()).content.decode()
