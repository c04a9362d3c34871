"""Who plays when: rated matches first, then candidates within their quotas, on the ladders of their bots."""

from random import Random

import pytest
from pytest_django import Settings

from arena.accounts.models import User
from arena.bots.models import Bot, Version
from arena.hosts.models import Host
from arena.ladders.models import Entry
from arena.ladders.services import leave
from arena.matches.models import Match
from arena.promotions import planning, selectors
from arena.promotions.models import PromotionTest
from tests.arena.cast import ask_for, make_bot, make_season
from tests.arena.people import make_active, pass_validation, playing, submit
from tests.arena.promotions.playing import matches_of

pytestmark = pytest.mark.django_db


def candidates(owner: User, count: int) -> list[PromotionTest]:
    """Bots of an author, each with a candidate."""
    found = []
    for number in range(count):
        bot = make_active(owner, f"{owner.username}-{number}")
        Bot.objects.filter(pk=bot.pk).update(only_when_better=True)
        version = pass_validation(submit(bot, f"print('{bot.slug} again')\n"))
        found.append(version.promotion_tests.get())
    return found


def test_without_a_host_nothing_is_planned(trial: PromotionTest) -> None:
    Host.objects.update(paused=True)
    assert planning.plan_sets() == 0
    assert selectors.why_it_waits(trial) == "It waits for a match host: none is online."


def test_while_others_wait_tests_keep_to_a_share(trial: PromotionTest, mateo: User) -> None:
    ask_for([playing(trial.bot), playing(make_active(mateo, "quetzal"))])
    assert planning.plan_sets() == 1, "a quarter of eight places is one set of two matches"
    assert planning.plan_sets() == 0, "which is still open"


def test_one_set_always_fits(trial: PromotionTest, mateo: User) -> None:
    Host.objects.update(slots=1)
    ask_for([playing(trial.bot), playing(make_active(mateo, "quetzal"))])
    assert planning.plan_sets() == 1


def test_one_test_has_few_sets_open_and_never_too_many(trial: PromotionTest, settings: Settings) -> None:
    Host.objects.update(slots=1000)
    assert planning.plan_sets() == planning.MOST_OPEN
    PromotionTest.objects.update(most_sets=planning.MOST_OPEN + 1)
    Match.objects.all().update(state="voided")
    trial.planned_sets.filter(number__lte=5).update(state="void")
    assert planning.plan_sets() == 5
    trial.planned_sets.filter(number__lte=16).update(state="void")
    assert planning.plan_sets() == 11


def test_three_tests_of_an_author_play_at_a_time(host: None, itzel: User, mateo: User) -> None:
    own, other = candidates(itzel, 4), candidates(mateo, 1)
    Host.objects.update(slots=1000)
    planning.plan_sets()
    assert [test.planned_sets.exists() for test in [*own, *other]] == [True, True, True, False, True]
    assert selectors.why_it_waits(own[3]) == "It waits for your other tests: 3 of them run at a time."


def test_an_authors_sets_per_day_are_limited(trial: PromotionTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "SETS_A_DAY", 2)
    planning.plan_sets()
    Match.objects.all().update(state="voided")
    assert planning.plan_sets() == 0
    assert "maximum" in selectors.why_it_waits(trial)


def test_the_promising_get_more(host: None, itzel: User, mateo: User) -> None:
    good, bad = candidates(itzel, 1)[0], candidates(mateo, 1)[0]
    PromotionTest.objects.filter(pk=good.pk).update(log_better=1.0, log_not_better=-1.0)
    PromotionTest.objects.filter(pk=bad.pk).update(log_better=-1.0, log_not_better=1.0)
    assert planning.plan_sets() == 4
    assert (good.planned_sets.count(), bad.planned_sets.count()) == (3, 1)


@pytest.mark.parametrize("seats", [3, 4])
def test_other_bots_of_the_ladder_sit_at_larger_tables(trial: PromotionTest, seats: int) -> None:
    season = make_season(seats=seats)
    others = [make_bot(f"other-{number}") for number in range(5)]
    for version in [*others, trial.baseline]:
        Entry.objects.create(ladder=season.ladder, bot=version.bot)
    make_season(seats=2)  # in which the bot does not take part
    planning.plan_sets(Random(1))
    for one in trial.planned_sets.all():
        tables = [[seat.version_id for seat in match.seats_taken.all()] for match in matches_of(one)]
        exchanged = {trial.version_id: trial.baseline_id, trial.baseline_id: trial.version_id}
        assert tables[1] == [exchanged.get(version, version) for version in tables[0]]
        assert len(set(tables[0])) == seats == one.seats
        assert set(tables[0]) - set(exchanged) <= {version.pk for version in others}


def test_a_small_ladder_is_filled_with_whom_it_has(trial: PromotionTest) -> None:
    season = make_season(seats=4)
    Entry.objects.create(ladder=season.ladder, bot=trial.bot)
    planning.plan_sets()
    assert {one.seats for one in trial.planned_sets.all()} == {2}
    Match.objects.all().update(state="voided")
    only = make_bot("only")
    Entry.objects.create(ladder=season.ladder, bot=only.bot)
    planning.plan_sets()
    latest = trial.planned_sets.latest("number")
    assert latest.seats == 4
    table = [seat.version_id for seat in matches_of(latest)[0].seats_taken.all()]
    assert sorted(table) == sorted([trial.version_id, trial.baseline_id, only.pk, only.pk])


def test_a_ladder_that_the_bot_left_does_not_matter(trial: PromotionTest, candidate: Version) -> None:
    season = make_season(seats=3)
    leave(season.ladder, candidate.bot)
    Entry.objects.create(ladder=season.ladder, bot=make_bot("other").bot)
    planning.plan_sets()
    assert {one.seats for one in trial.planned_sets.all()} == {2}
