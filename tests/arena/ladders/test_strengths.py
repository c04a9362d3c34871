"""Strengths follow from the log alone, on the scale of the ratings, and never hold settling up."""

import random
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.template.defaultfilters import floatformat
from django.test import Client
from django.utils import timezone

from arena.ladders.checking import check, refold
from arena.ladders.models import Season, Strength, StrengthMoment
from arena.ladders.results import settle_match, settle_matches
from arena.ladders.strengths import differences, estimate_due, estimate_season
from arena.matches.models import Match, MatchSeat
from arena.matches.services import void_match
from contests.rating import Place
from contests.result_log import Line
from contests.strength import estimate
from tests.arena.cast import ask_for, finish, make_bot, make_season

pytestmark = pytest.mark.django_db


def play(season: Season, versions: list, count: int) -> list[Match]:
    chance = random.Random(count)
    matches = [ask_for(chance.sample(versions, season.ladder.seats), season) for _ in range(count)]
    for match in matches:
        finish(match)
    settle_matches([match.pk for match in matches])
    return matches


@pytest.fixture
def season() -> Season:
    season = make_season(3)
    play(season, [make_bot(f"b{n}") for n in range(5)], 12)
    return season


def test_stored_strengths_are_those_of_the_log(season: Season) -> None:
    assert estimate_due() == 1
    lines = [
        Line(sequence, [Place(**place) for place in places])
        for sequence, places in season.results.values_list("sequence", "places")
    ]
    folded = estimate(lines).bots
    stored = {row.bot_id: (row.mean, row.sigma, row.results) for row in season.strengths.all()}
    assert stored == {
        bot: (round(one.mean, 1), round(one.sigma, 1), one.results) for bot, one in folded.items()
    }
    season.refresh_from_db()
    assert season.estimated_to == 12
    assert check(season.pk) == []


def test_a_season_is_estimated_again_only_for_new_results_and_after_a_rest(season: Season) -> None:
    assert estimate_due() == 1
    assert estimate_due() == 0
    play(season, list({seat.version for seat in MatchSeat.objects.all()}), 1)
    Season.objects.filter(pk=season.pk).update(estimated_in=10.0)
    assert estimate_due() == 0
    Season.objects.filter(pk=season.pk).update(estimated_at=timezone.now() - timedelta(seconds=201))
    assert estimate_due() == 1


def test_a_voided_result_leaves_no_trace_in_the_strengths() -> None:
    season, versions = make_season(2), [make_bot(f"b{n}") for n in range(3)]
    [match] = play(season, versions, 1)
    estimate_season(season.pk)
    assert season.strengths.count() == 2
    void_match(match.pk, "its host was broken")
    settle_match(match.pk)
    assert check(season.pk) == []  # still that of the log up to the line that was estimated
    estimate_season(season.pk)
    assert season.strengths.count() == 0
    assert check(season.pk) == []


def test_a_later_estimate_is_not_replaced_by_one_that_took_longer(season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(estimated_to=99)
    assert not estimate_season(season.pk)
    assert not Strength.objects.exists()


def test_a_tampered_strength_is_found_and_mended(season: Season) -> None:
    estimate_season(season.pk)
    tampered = season.strengths.earliest("pk")
    Strength.objects.filter(pk=tampered.pk).update(mean=2400)
    assert len(differences(season.pk)) == 1
    with pytest.raises(CommandError, match="1 stored"):
        call_command("fold_ratings", check=True)
    assert refold(season.pk)
    call_command("fold_ratings", check=True)


def test_a_log_with_an_impossible_line_is_refused_by_its_number_and_holds_up_no_other(season: Season) -> None:
    broken = make_season(2)
    match = ask_for([make_bot("c0"), make_bot("c1")], broken)
    places = [{"bot": 1, "place": 1, "fixed": None}, {"bot": 1, "place": 2, "fixed": None}]
    broken.results.create(sequence=1, kind="match", match=match, places=places)
    Season.objects.filter(pk=broken.pk).update(last_sequence=1)
    assert estimate_due() == 1
    assert season.strengths.exists()
    Season.objects.filter(pk=broken.pk).update(estimated_to=1)
    assert differences(broken.pk) == ["no strengths, line 1: a bot is in it twice."]


def test_the_chart_keeps_what_was_known_when_a_bot_had_new_results(season: Season) -> None:
    estimate_season(season.pk)
    assert StrengthMoment.objects.count() == season.strengths.count()
    estimate_season(season.pk)
    assert StrengthMoment.objects.count() == season.strengths.count()


def test_pages_and_api_have_one_scale_and_one_decimal(client: Client, season: Season) -> None:
    slug = season.ladder.slug
    before = client.get(f"/api/v1/ladders/{slug}/standings").json()
    assert {(row["mu"], row["low"], row["high"]) for row in before} == {(1500.0, 814.0, 2186.0)}
    estimate_season(season.pk)
    rows = client.get(f"/api/v1/ladders/{slug}/standings").json()
    strengths = {row.bot.slug: row for row in season.strengths.select_related("bot")}
    for row in rows:
        assert row["mu"] == strengths[row["bot"]].mean
        assert row["low"] < row["mu"] < row["high"]
        assert abs(row["mu"] - row["rating"]) < 400
        assert row["sure_above_next"] is False
        values = [row["rating"], row["mu"], row["low"], row["high"], *row["trend"]]
        assert all(value == round(value, 1) for value in values)
    history = client.get(f"/api/v1/ladders/{slug}/bots/{rows[0]['bot']}/history").json()
    assert {(one["low"], one["high"]) for one in history} == {(rows[0]["low"], rows[0]["high"])}
    page = client.get(f"/ladders/{slug}/").content.decode()
    assert "OpenSkill" not in page
    assert f"{floatformat(rows[0]['low'], 0)} – {floatformat(rows[0]['high'], 0)}" in page


def test_the_mark_is_shown_only_where_the_next_row_is_the_bot_it_is_about(client: Client) -> None:
    season, versions = make_season(2), [make_bot(f"b{n}") for n in range(3)]
    play(season, versions, 6)
    estimate_season(season.pk)
    slug = season.ladder.slug
    first, second, third = [row["bot"] for row in client.get(f"/api/v1/ladders/{slug}/standings").json()]
    strengths = {row.bot.slug: row for row in season.strengths.select_related("bot")}
    Strength.objects.filter(pk=strengths[first].pk).update(sure_above=strengths[second].bot_id)
    Strength.objects.filter(pk=strengths[second].pk).update(sure_above=strengths[first].bot_id)
    marks = [row["sure_above_next"] for row in client.get(f"/api/v1/ladders/{slug}/standings").json()]
    assert marks == [True, False, False]
    assert client.get(f"/ladders/{slug}/").content.decode().count("sure to be above the next</span>") == 1
    [found] = client.get(f"/api/v1/ladders/{slug}/standings", {"search": third}).json()
    assert found["sure_above_next"] is False
