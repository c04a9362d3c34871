"""Old logs and replays go when the settings say so; results and whatever is younger stay."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from arena.hosts.models import Attempt
from arena.ladders.checking import check
from arena.ladders.models import Standing
from arena.ladders.results import settle_match
from arena.matches.models import Match, MatchReport, SeatLog
from arena.operations.retention import forget_old
from tests.arena.cast import ask_for, finish, make_bot, make_season

pytestmark = pytest.mark.django_db


def played(days_ago: int) -> Match:
    season, versions = make_season(2), [make_bot(f"b{n}-{days_ago}") for n in range(2)]
    match = ask_for(versions, season)
    finish(match)
    settle_match(match.pk)
    Match.objects.filter(pk=match.pk).update(finished_at=timezone.now() - timedelta(days=days_ago))
    return match


def test_logs_are_kept_as_long_as_the_setting_says(settings: Settings) -> None:
    settings.KEEP_LOGS_DAYS, settings.KEEP_REPLAYS_DAYS = 10, 0
    played(11)
    young = played(9)
    assert forget_old()["logs of seats"] == 2
    assert set(SeatLog.objects.values_list("seat__match", flat=True)) == {young.pk}
    assert MatchReport.objects.count() == 2


def test_a_forgotten_replay_leaves_the_result_and_a_page(settings: Settings, client: Client) -> None:
    settings.KEEP_LOGS_DAYS, settings.KEEP_REPLAYS_DAYS = 0, 10
    match = played(11)
    assert forget_old()["records"] == 1
    assert client.get(match.get_absolute_url()).status_code == 200
    assert Standing.objects.count() == 2
    assert check(match.purpose_id or 0) == []


def test_records_of_tournaments_are_never_forgotten(settings: Settings) -> None:
    settings.KEEP_REPLAYS_DAYS = 10
    match = played(11)
    Match.objects.filter(pk=match.pk).update(purpose=Match.Purpose.TOURNAMENT)
    assert forget_old()["records"] == 0


def test_attempts_that_went_well_are_forgotten_after_a_week(settings: Settings) -> None:
    settings.KEEP_LOGS_DAYS, settings.KEEP_REPLAYS_DAYS = 90, 0
    old, young, failed = (played(days) for days in (8, 6, 9))
    for match, days in ((old, 8), (young, 6), (failed, 9)):
        Attempt.objects.filter(match=match).update(ended_at=timezone.now() - timedelta(days=days))
    Attempt.objects.filter(match=failed).update(state=Attempt.State.LOST, fault=Attempt.Fault.HOST)
    assert forget_old()["attempts"] == 1
    assert set(Attempt.objects.values_list("match", flat=True)) == {young.pk, failed.pk}


def test_nothing_is_forgotten_where_everything_is_kept(settings: Settings) -> None:
    settings.KEEP_LOGS_DAYS = settings.KEEP_REPLAYS_DAYS = 0
    played(4000)
    assert forget_old() == {}
