"""The statements of `arena.hosts.queries` do what their plain ORM forms do, on random data."""

import json
import random
from datetime import timedelta

import pytest
from django.conf import settings
from django.db.models import F
from django.db.models.functions import Now
from django.test import override_settings
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis
from hypothesis import strategies as st

from arena.bots.models import Version
from arena.hosts import queries, reports
from arena.hosts.models import Attempt, Host, WorldGames
from arena.hosts.queueing import request_build
from arena.matches.models import Match, MatchReport, MatchSeat
from bench import _plain_statements as plain
from tests.arena.cast import ask_for, claim, make_bot, make_season, report_of
from tests.arena.statements import outcome
from workers.match.report import MatchReport as Report

LANGUAGES = ("Python", "JavaScript", "C++")
KEYS = ("a" * 64, "b" * 64)
# The same versions do for all examples.
FIXTURES = [*hypothesis.default.suppress_health_check, HealthCheck.function_scoped_fixture]


@pytest.fixture
def works(db: None) -> tuple[Version, ...]:
    """A version in each language."""
    versions = []
    for language in LANGUAGES:
        version = make_bot(f"bot-{len(versions)}")
        Version.objects.filter(pk=version.pk).update(language=language)
        version.refresh_from_db()
        versions.append(version)
    return tuple(versions)


hosts = st.fixed_dictionaries(
    {
        "paused": st.integers(0, 5).map(lambda number: number == 0),
        "degraded": st.booleans(),
        "cannot_run": st.lists(st.sampled_from(LANGUAGES), unique=True, max_size=1),
        "languages": st.dictionaries(
            st.sampled_from(LANGUAGES),
            st.booleans().map(lambda works: {"works": works, "missing": not works, "trouble": ""}),
        ),
    }
)


@hypothesis(max_examples=60, suppress_health_check=FIXTURES)
@given(data=st.data())
@pytest.mark.django_db
def test_who_may_claim_what(works: tuple[Version, ...], data: st.DataObject) -> None:
    is_rated, rated_anywhere, is_known = (data.draw(st.booleans()) for _ in range(3))
    work = data.draw(st.sampled_from(["build", "match", "worlds"]))
    Attempt.objects.all().delete()
    Host.objects.all().delete()
    if work == "build":
        request_build(data.draw(st.sampled_from(works)))
    elif work == "worlds":
        languages = data.draw(st.lists(st.sampled_from(LANGUAGES), min_size=3, max_size=5))
        games = WorldGames.objects.create(asked_by="key", task={}, versions=[], languages=languages)
        Attempt.objects.create(worlds=games, number=1)
    else:
        seated = data.draw(st.lists(st.sampled_from(works), min_size=2, max_size=2, unique=True))
        ask_for(seated, make_season(2) if is_rated else None)
    attempt = Attempt.objects.latest("pk")
    Attempt.objects.filter(pk=attempt.pk).update(
        state=data.draw(st.sampled_from([Attempt.State.QUEUED, *Attempt.State.values])),
        key_hash=data.draw(st.sampled_from(["", *KEYS])),
    )
    if is_known:
        Host.objects.create(name="host", last_beat=Now(), **data.draw(hosts))
    attempt_id = data.draw(st.sampled_from([attempt.pk, attempt.pk, attempt.pk, attempt.pk + 1]))
    with override_settings(RATED_ON_DEGRADED_HOSTS=rated_anywhere):
        by_hand, by_orm = (
            outcome(lambda form=form: form(attempt_id, KEYS[0], "host"), Attempt, Match)
            for form in (queries.claim, plain.claim)
        )
    assert by_hand == by_orm


def test_a_lease_is_as_long_as_the_settings_say(works: tuple[Version, ...]) -> None:
    claimant = claim(ask_for(works[:2]))
    lease = (
        Attempt.objects.annotate(lease=F("lease_until") - F("started_at")).get(pk=claimant.attempt_id).lease
    )
    assert lease == timedelta(seconds=settings.LEASE_SECONDS)


@pytest.mark.parametrize("seed", range(5))
def test_what_a_host_is_told(works: tuple[Version, ...], seed: int) -> None:
    chance = random.Random(seed)
    for version in works:
        built = chance.choice(["", f"built/{version.sha256}"])
        Version.objects.filter(pk=version.pk).update(built_archive=built, number=chance.randrange(1, 99))
    match = ask_for(chance.sample(works, chance.choice([2, 3])))

    by_hand, by_orm = (form(match.pk) for form in (queries.read_match, plain.read_match))
    for name in ("ruleset", "clocks"):
        assert json.loads(getattr(by_hand, name)) == json.loads(getattr(by_orm, name))
    assert by_hand._replace(ruleset="", clocks="") == by_orm._replace(ruleset="", clocks="")
    assert len(by_hand.players) == match.seats


@hypothesis(max_examples=25, suppress_health_check=FIXTURES)
@given(
    faulty=st.sets(st.integers(0, 2), max_size=2),
    state=st.sampled_from([Attempt.State.RUNNING, *Attempt.State.values]),
    match_state=st.sampled_from([Match.State.RUNNING, *Match.State.values]),
    expected=st.sampled_from([Attempt.State.RUNNING.value, Attempt.State.DONE.value]),
)
@pytest.mark.django_db
def test_what_is_written_of_a_result(
    works: tuple[Version, ...], faulty: set[int], state: str, match_state: str, expected: str
) -> None:
    match = ask_for(works)
    claimant = claim(match)
    result = reports.result_of(Report.from_data(report_of(match, sorted(faulty))))
    Attempt.objects.filter(pk=claimant.attempt_id).update(state=state)
    Match.objects.filter(pk=match.pk).update(state=match_state, finished_at=Now())
    by_hand, by_orm = (
        outcome(
            lambda form=form: form(claimant.attempt_id, expected, result),
            Attempt,
            Match,
            MatchReport,
            MatchSeat,
        )
        for form in (queries.record_result, plain.record_result)
    )
    assert by_hand == by_orm
    assert by_hand[0].is_finished == (state == expected and match_state == Match.State.RUNNING)
