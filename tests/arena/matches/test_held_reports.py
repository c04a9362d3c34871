"""A report of a match whose spectators are kept behind waits for its time, and nothing is lost by that."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from arena.accounts.models import User
from arena.hosts import reports
from arena.hosts.models import Attempt, HeldReport
from arena.ladders import matchmaking, services
from arena.ladders.models import Ladder, Result, Season
from arena.matches import visibility
from arena.matches.models import Match, MatchReport, MatchSeat
from arena.matches.services import MatchRequest, request_duplicate_set, void_match
from arena.matches.settling import settle
from arena.outbox import services as outbox
from arena.outbox.models import Outbox
from arena.tournaments import running
from engine.rulesets import ruleset
from tests.arena import events
from tests.arena.cast import ask_for, claim, finish, make_bot, make_season, report_of
from tests.arena.people import browser_of, program_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    return make_season(2, live_delay=60)


@pytest.fixture
def match(season: Season) -> Match:
    match = ask_for([make_bot("eagle"), make_bot("jaguar")], season)
    finish(match, faulty=[1])
    return match


def come_to_its_time() -> None:
    HeldReport.objects.update(public_at=Now())
    for work in Outbox.objects.filter(kind="publish"):
        assert outbox.deliver(work.pk, work.tries)


def test_until_its_time_a_match_is_running_and_its_host_is_free(match: Match) -> None:
    match.refresh_from_db()
    assert (match.state, match.finished_at) == (Match.State.RUNNING, None)
    assert set(MatchSeat.objects.values_list("placement", "score", "fault")) == {(None, None, "")}
    assert not MatchReport.objects.exists()
    attempt = Attempt.objects.get()
    assert (attempt.state, attempt.fault) == (Attempt.State.DONE, Attempt.Fault.NONE)
    settle([{"match": match.pk}])
    assert not Result.objects.exists()


def test_it_is_owed_for_its_time_and_not_a_moment_earlier(match: Match) -> None:
    work = Outbox.objects.get(kind="publish")
    held = HeldReport.objects.get()
    assert held.public_at >= Attempt.objects.get().ended_at + timedelta(seconds=60)
    assert work.due_at >= held.public_at
    assert not outbox.deliver(work.pk, work.tries)  # a message that came too early
    match.refresh_from_db()
    assert match.state == Match.State.RUNNING


def test_at_its_time_everything_is_there_with_the_time_at_which_it_was_played(match: Match) -> None:
    come_to_its_time()
    match.refresh_from_db()
    attempt = Attempt.objects.get()
    assert (match.state, match.finished_at) == (Match.State.FINISHED, attempt.ended_at)
    assert attempt.fault == Attempt.Fault.BOT
    assert set(MatchSeat.objects.values_list("placement", flat=True)) == {1, 2}
    assert not HeldReport.objects.exists()
    settle([{"match": match.pk}])
    assert Result.objects.count() == 1
    reports.publish({"match": match.pk})  # a message that came twice
    assert MatchReport.objects.count() == 1


def test_a_match_that_is_voided_meanwhile_never_tells_its_result(match: Match) -> None:
    assert void_match(match.pk, "a broken board")
    for work in Outbox.objects.filter(kind="publish"):
        assert outbox.deliver(work.pk, work.tries)
    match.refresh_from_db()
    assert match.state == Match.State.VOIDED
    assert not MatchReport.objects.exists()


def test_a_report_of_a_match_that_is_void_is_refused(season: Season) -> None:
    match = ask_for([make_bot("eagle"), make_bot("jaguar")], season)
    claimant = claim(match)
    told = report_of(match)
    Match.objects.update(state=Match.State.VOIDED)
    with pytest.raises(reports.HostRefusedError):
        reports.record_report(claimant, told)
    assert not HeldReport.objects.exists()


def test_a_delayed_ladder_plays_on_and_its_season_ends_with_its_last_result(
    season: Season, match: Match
) -> None:
    Ladder.objects.update(depth=1)
    assert matchmaking.unplayed_matches(season.pk) == 0
    assert matchmaking.refill(season.pk) == 1
    Match.objects.filter(state=Match.State.QUEUED).update(state=Match.State.VOIDED, finished_at=Now())
    assert not services.close_season(season.pk)


def test_a_game_that_was_played_in_time_is_not_forfeited_while_it_is_held_back(olin: User) -> None:
    event = events.new_event(olin, 2, live_delay=60, round_minutes=5)
    events.play_open(event)
    event.openings.update(deadline=Now() - timedelta(minutes=1))
    running.tick(event.pk)
    game = event.games.get()
    assert (game.placements, game.forfeit) == (None, False)
    come_to_its_time()
    running.settle_match(Match.objects.get())
    game.refresh_from_db()
    assert game.placements
    assert not game.forfeit


def test_the_seed_of_a_duplicate_set_is_told_by_no_door_while_one_of_it_waits() -> None:
    versions = [make_bot("eagle"), make_bot("jaguar")]
    first, second = request_duplicate_set(MatchRequest(versions, ruleset(), Match.Purpose.CHALLENGE))
    finish(first)
    page, api = f"/matches/{first.public_id}/", f"/api/v1/matches/{first.public_id}"
    seed = bytes(first.seed).hex()
    browser, program = browser_of(None), program_of(None)
    for path in (
        "record.json",
        "record.aztr",
        "frames/open",
        "frames/seat0",
        "chances",
        "picture.svg?view=open",
    ):
        assert browser.get(page + path).status_code == 404, path
    assert program.get(f"{api}/replay").status_code == 404
    assert program.get(api).json()["seed"] is None
    html = browser.get(page).content.decode()
    assert seed not in html
    assert "record.json" not in html
    # What everybody saw live stays to be seen: the result, and the public view.
    assert browser.get(f"{page}frames/public").status_code == 200
    assert program.get(api).json()["bots"][0]["placement"]
    finish(second)
    assert program.get(api).json()["seed"] == seed
    assert browser.get(f"{page}record.json").status_code == 200


def test_the_seed_of_a_voided_game_is_secret_until_it_is_played_again(olin: User) -> None:
    event = events.new_event(olin, 2)
    events.play_open(event)
    old = Match.objects.get()
    void_match(old.pk, "a broken board")
    running.settle_match(old)
    new = Match.objects.exclude(pk=old.pk).get()
    assert bytes(new.seed) == bytes(old.seed)
    old.refresh_from_db()
    assert visibility.seed_is_secret(old)
    assert browser_of(None).get(f"/matches/{old.public_id}/record.json").status_code == 404
    finish(new)
    assert browser_of(None).get(f"/matches/{old.public_id}/record.json").status_code == 200


def test_lists_offer_to_watch_only_what_can_be_watched(olin: User) -> None:
    event = events.new_event(olin, 2, release="hidden")
    events.play_open(event)
    match = Match.objects.get()
    for path in ("/", "/matches/", "/bots/bot-0/"):
        html = browser_of(None).get(path).content.decode()
        assert f"/matches/{match.public_id}/" not in html
    assert "held back" in browser_of(None).get("/matches/").content.decode()
    assert f"/matches/{match.public_id}/" in browser_of(olin).get("/matches/").content.decode()
