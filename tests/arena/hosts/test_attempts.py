"""Claims, leases, beats, the reaper, and when a match is set aside."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now

from arena.accounts.models import User
from arena.hosts import attempts
from arena.hosts import services as hosts
from arena.hosts.attempts import Claimant, HostRefusedError
from arena.hosts.models import Attempt
from arena.hosts.queueing import request_build
from arena.hosts.reports import record_report
from arena.matches.models import Match
from arena.matches.services import rerun_match, void_match
from tests.arena.cast import HOST_STATE, KEY, ask_for, claim, make_bot, make_season, report_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return ask_for([make_bot("one"), make_bot("two")])


def expire(match: Match) -> None:
    Attempt.objects.filter(match=match, state="running").update(lease_until=Now() - timedelta(seconds=1))


def states(match: Match) -> list[str]:
    return list(Attempt.objects.filter(match=match).order_by("number").values_list("state", flat=True))


def test_a_claimed_attempt_has_a_lease_and_its_match_runs(match: Match) -> None:
    attempt = Attempt.objects.get(pk=claim(match).attempt_id)
    match.refresh_from_db()
    assert (match.state, attempt.state, attempt.host) == ("running", "running", "host")
    assert attempt.lease_until
    assert attempt.started_at
    assert attempt.lease_until - attempt.started_at == timedelta(seconds=20)


def test_a_second_host_is_refused_and_the_first_may_ask_again(match: Match) -> None:
    claimant = claim(match)
    attempts.claim(claimant, "host")
    with pytest.raises(HostRefusedError, match="already running"):
        attempts.claim(Claimant(claimant.attempt_id, "other" * 10), "host")


@pytest.mark.parametrize(
    ("changes", "reason"), [({"paused": True}, "paused"), ({"degraded": True}, "does not enforce")]
)
def test_a_paused_or_degraded_host_is_refused(settings: Any, changes: dict[str, bool], reason: str) -> None:
    settings.RATED_ON_DEGRADED_HOSTS = False
    match = ask_for([make_bot("one"), make_bot("two")], make_season(2))
    hosts.beat("host", HOST_STATE)
    hosts.Host.objects.update(**changes)
    claimant = Claimant(Attempt.objects.get(match=match).pk, KEY)
    with pytest.raises(HostRefusedError, match=reason):
        attempts.claim(claimant, "host")
    assert states(match) == ["queued"]


def test_a_beat_prolongs_the_lease_only_for_its_holder(match: Match) -> None:
    claimant = claim(match)
    expire(match)
    assert not attempts.beat(Claimant(claimant.attempt_id, "other" * 10))
    assert attempts.beat(claimant)
    assert attempts.reap() == 0


def overrun(claimant: Claimant) -> None:
    """Let the attempt's time pass while its host beats."""
    assert attempts.beat(claimant)
    Attempt.objects.filter(pk=claimant.attempt_id).update(started_at=Now() - timedelta(seconds=901))
    assert not attempts.beat(claimant)


def test_no_beat_prolongs_an_attempt_beyond_its_own_bound(match: Match) -> None:
    claimant = claim(match)
    overrun(claimant)
    assert states(match) == ["overrun", "queued"]
    assert "not over after 900 seconds" in Attempt.objects.get(pk=claimant.attempt_id).note
    with pytest.raises(HostRefusedError, match="took too long"):
        record_report(claimant, report_of(match))
    record_report(claim(match), report_of(match))
    assert Match.objects.get().state == "finished"


def test_a_match_that_takes_too_long_twice_is_set_aside_and_may_be_rerun(match: Match, citlali: User) -> None:
    overrun(claim(match))
    overrun(claim(match))
    assert states(match) == ["overrun"] * 2
    assert Match.objects.get().state == "set_aside"
    assert rerun_match(match.pk, citlali)
    record_report(claim(match), report_of(match))
    assert Match.objects.get().state == "finished"


def test_the_bound_is_the_holders_alone_to_meet(match: Match) -> None:
    claimant = claim(match)
    Attempt.objects.update(started_at=Now() - timedelta(seconds=901))
    assert not attempts.beat(Claimant(claimant.attempt_id, "other" * 10))
    assert states(match) == ["running"]


def test_the_reaper_gives_the_match_to_another_and_the_first_must_abandon(match: Match) -> None:
    claimant = claim(match)
    expire(match)
    assert attempts.reap() == 1
    assert attempts.reap() == 0
    assert states(match) == ["lost", "queued"]
    assert not attempts.beat(claimant)
    assert Match.objects.get().state == "queued"


def test_five_lost_attempts_set_a_match_aside_and_a_rerun_allows_five_more(
    match: Match, citlali: User
) -> None:
    for _ in range(5):
        claim(match)
        expire(match)
        attempts.reap()
    assert states(match) == ["lost"] * 5
    assert Match.objects.get().state == "set_aside"
    assert rerun_match(match.pk, citlali)
    assert not rerun_match(match.pk, citlali)
    for _ in range(4):
        claim(match)
        expire(match)
        attempts.reap()
    record_report(claim(match), report_of(match))
    assert Match.objects.get().state == "finished"


def test_what_a_stopping_host_gives_back_is_not_counted_but_its_own_fault_is(match: Match) -> None:
    for _ in range(6):
        attempts.give_back(claim(match), "stopping", host_at_fault=False)
    assert Match.objects.get().state == "queued"
    for _ in range(5):
        attempts.give_back(claim(match), "no disk", host_at_fault=True)
    assert Match.objects.get().state == "set_aside"


def test_voiding_a_running_match_makes_its_host_abandon_it(match: Match) -> None:
    claimant = claim(match)
    assert void_match(match.pk, "wrong bots")
    assert not void_match(match.pk, "again")
    assert not attempts.beat(claimant)
    with pytest.raises(HostRefusedError, match="voided"):
        record_report(claimant, report_of(match))
    assert Match.objects.get().state == "voided"


def test_a_version_is_built_once_at_a_time() -> None:
    version = make_bot("one")
    assert request_build(version)
    assert not request_build(version)
    Attempt.objects.update(state="done")
    assert request_build(version)
    assert list(Attempt.objects.order_by("number").values_list("number", flat=True)) == [1, 2]
