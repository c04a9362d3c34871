"""A new version plays only when it is better: tests start, follow their matches and end."""

from collections.abc import Callable

import pytest
from django.core import mail
from pytest_django import Settings

from arena.accounts.models import User
from arena.bots import services as bots
from arena.bots.errors import RefusedError
from arena.bots.models import Bot, Status, Version
from arena.hosts.attempts import Claimant, claim, set_aside, stop_overrun
from arena.hosts.models import Attempt
from arena.ladders.models import MeetingBlock, Result, Standing
from arena.matches.models import Match
from arena.matches.services import rerun_match, void_match
from arena.matches.settling import settle
from arena.notices.models import Notice, WebhookDelivery
from arena.notices.webhooks import add
from arena.promotions import planning, services
from arena.promotions.models import PromotionTest
from contests.sequential import weigh
from tests.arena.cast import KEY, finish
from tests.arena.people import pass_validation, submit
from tests.arena.promotions.playing import matches_of, open_sets, place_first, play_set, play_sets

pytestmark = pytest.mark.django_db
Play = Callable[..., None]


def active_number(bot: Bot) -> int | None:
    bot.refresh_from_db()
    return bot.active_version.number if bot.active_version else None


def test_by_default_a_new_version_plays_at_once(active: Version) -> None:
    bot = active.bot
    assert not bot.only_when_better
    pass_validation(submit(bot, "print(2)\n"))
    assert active_number(bot) == 2
    assert not PromotionTest.objects.exists()


def test_the_first_version_plays_at_once(jaguar: Bot) -> None:
    Bot.objects.filter(pk=jaguar.pk).update(only_when_better=True)
    pass_validation(submit(jaguar))
    assert active_number(jaguar) == 1


def test_a_candidate_waits_and_plays_unrated_sets(trial: PromotionTest, picky: Bot) -> None:
    assert (trial.version.number, trial.baseline.number, trial.state) == (2, 1, "running")
    assert active_number(picky) == 1
    assert planning.plan_sets() == 4, "eight places, and nothing else waits"
    matches = Match.objects.filter(purpose="promotion")
    assert {(match.purpose_id, match.rated, match.seats) for match in matches} == {(trial.pk, False, 2)}
    for one in open_sets(trial):
        first, second = matches_of(one)
        assert bytes(first.seed) == bytes(second.seed)
        tables = [[seat.version_id for seat in match.seats_taken.all()] for match in (first, second)]
        assert tables[0] == tables[1][::-1]
        assert set(tables[0]) == {trial.version_id, trial.baseline_id}


def test_a_better_candidate_is_promoted(trial: PromotionTest, play: Play, picky: Bot, itzel: User) -> None:
    add(itzel, "https://example.org/hook")
    play(50)
    trial.refresh_from_db()
    assert trial.state == "promoted"
    assert trial.sets < 20
    assert active_number(picky) == 2
    assert trial.version.events.latest("pk").status == Status.ACTIVE
    notice = Notice.objects.get(user=itzel)
    assert notice.text == "Version 2 of Jaguar was promoted. It is better than version 1."
    assert notice.link == trial.get_absolute_url() == "/bots/jaguar/versions/2/test"
    call = WebhookDelivery.objects.get(event="promotion.ended")
    assert '"state":"promoted"' in call.body
    assert not Standing.objects.exists()
    assert not MeetingBlock.objects.exists()
    assert not Result.objects.exists()


def test_a_candidate_that_is_not_better_is_rejected(
    trial: PromotionTest, play: Play, picky: Bot, itzel: User
) -> None:
    play(50, wins=False)
    trial.refresh_from_db()
    assert trial.state == "rejected"
    assert active_number(picky) == 1
    assert trial.version.status == Status.VALIDATED
    assert "was not promoted. It does not gain 30 points on version 1." in Notice.objects.get().text


def test_too_many_sets_leave_it_undecided(picky: Bot, host: None, settings: Settings, itzel: User) -> None:
    settings.PROMOTION_SETS = 4
    trial = pass_validation(submit(picky, "print(2)\n")).promotion_tests.get()
    for wins in (True, False, True, False):
        play_sets(trial, 1, wins)
    trial.refresh_from_db()
    assert (trial.state, trial.sets) == ("undecided", 4)
    assert trial.planned_sets.count() == 4, "no more than allowed were planned"
    assert active_number(picky) == 1
    assert Notice.objects.get().text.endswith("4 sets did not tell the two apart. Version 1 stays active.")
    services.start(trial.version_id)
    trial.refresh_from_db()
    assert (trial.state, trial.most_sets, trial.sets) == ("running", 8, 4), "it goes on with its evidence"


def test_a_candidate_that_always_fails_is_rejected(trial: PromotionTest, play: Play, picky: Bot) -> None:
    play(2, wins=False, fails=True)
    trial.refresh_from_db()
    assert trial.state == "rejected"
    assert trial.reason.endswith("it crashed. it exited with code 1")
    assert active_number(picky) == 1


def test_a_crash_is_a_lost_game(trial: PromotionTest) -> None:
    planning.plan_sets()
    one = open_sets(trial)[0]
    for match in matches_of(one):
        finish(match, [match.seats_taken.get(version=trial.baseline_id).seat])
        settle([{"match": match.pk}])
    one.refresh_from_db()
    assert (one.state, one.result, one.failed) == ("counted", 1.0, False)


def test_sets_count_in_the_order_in_which_they_were_planned(trial: PromotionTest) -> None:
    planning.plan_sets()
    first, second, *_ = open_sets(trial)
    play_set(second)
    trial.refresh_from_db()
    assert trial.sets == 0
    play_set(first, wins=False)
    trial.refresh_from_db()
    expected = weigh([0.0, 1.0], trial.plan)
    assert (trial.sets, trial.log_better) == (2, expected.log_better)


def test_a_void_match_leaves_the_evidence(trial: PromotionTest, play: Play, citlali: User) -> None:
    play(3)
    trial.refresh_from_db()
    before = trial.log_better
    [match, _] = matches_of(trial.planned_sets.get(number=2))
    void_match(match.pk, "A host failed.", citlali)
    settle([{"match": match.pk}])
    trial.refresh_from_db()
    assert trial.sets == 2
    assert trial.log_better == weigh([1.0, 1.0], trial.plan).log_better < before


def test_a_match_that_is_run_again_is_replaced_by_another_set(
    trial: PromotionTest, play: Play, citlali: User
) -> None:
    play(1)
    [match, other] = matches_of(trial.planned_sets.get(number=1))
    assert rerun_match(match.pk, citlali, "A host failed.")
    settle([{"match": match.pk}, {"match": other.pk}])
    assert trial.planned_sets.get(number=1).state == "void"
    assert open_sets(trial)


def test_settling_twice_changes_nothing(trial: PromotionTest, play: Play) -> None:
    play(50)
    matches = list(Match.objects.filter(purpose="promotion", state="finished"))
    before = PromotionTest.objects.values().get()
    services.settle(matches)
    assert PromotionTest.objects.values().get() == before
    assert Notice.objects.count() == 1


def test_what_is_stored_follows_from_the_matches(trial: PromotionTest, play: Play) -> None:
    play(4)
    trial.refresh_from_db()
    stored = (trial.sets, trial.log_better, list(trial.planned_sets.values()))
    trial.planned_sets.update(state="open", result=None)
    PromotionTest.objects.update(sets=0, log_better=0.0)
    services.follow(trial.pk)
    trial.refresh_from_db()
    assert (trial.sets, trial.log_better, list(trial.planned_sets.values())) == stored


def test_a_newer_version_takes_the_candidates_place(trial: PromotionTest, picky: Bot) -> None:
    third = submit(picky, "print(3)\n")
    trial.refresh_from_db()
    assert trial.state == "running", "until it passes validation"
    pass_validation(third)
    trial.refresh_from_db()
    assert (trial.state, trial.reason) == ("stopped", "Version 3 took its place as the candidate.")
    assert PromotionTest.objects.get(state="running").version == third
    assert active_number(picky) == 1


def test_an_author_promotes_by_hand(trial: PromotionTest, play: Play, picky: Bot) -> None:
    play(1)
    bots.activate(trial.version_id)
    trial.refresh_from_db()
    assert (trial.state, trial.reason) == ("promoted", "Its author activated it.")
    assert active_number(picky) == 2
    assert not Notice.objects.exists(), "the author knows"


def test_activating_another_version_stops_the_test(trial: PromotionTest, picky: Bot) -> None:
    Bot.objects.update(only_when_better=False, activates_itself=False)
    bots.activate(pass_validation(submit(picky, "print(3)\n")).pk)
    trial.refresh_from_db()
    assert (trial.state, trial.reason) == ("stopped", "Version 1 is no longer the active one.")


@pytest.mark.parametrize("which", ["version", "baseline"])
def test_a_retired_version_ends_the_test(trial: PromotionTest, which: str) -> None:
    bots.retire(getattr(trial, which).pk)
    services.keep_going()
    trial.refresh_from_db()
    assert trial.state == "stopped"
    assert not open_sets(trial)


def test_a_disqualified_bot_is_not_promoted(trial: PromotionTest, play: Play, citlali: User) -> None:
    play(2)
    bots.disqualify(trial.bot_id, "It cheats.", citlali)
    services.keep_going()
    trial.refresh_from_db()
    assert (trial.state, trial.reason) == ("stopped", "The bot is disqualified.")
    with pytest.raises(RefusedError, match="disqualified"):
        services.start(trial.version_id)


def test_stopping_withdraws_what_no_host_has_begun(trial: PromotionTest) -> None:
    planning.plan_sets()
    begun, waiting, *_ = open_sets(trial)
    place_first(matches_of(begun)[0], trial.baseline_id)
    services.stop(trial.version_id)
    assert {match.state for match in matches_of(waiting)} == {"voided"}
    assert {match.state for match in matches_of(begun)} == {"finished", "queued"}
    play_set(begun, wins=False)
    trial.refresh_from_db()
    assert (trial.state, trial.sets) == ("stopped", 1), "a set that had begun counts all the same"
    with pytest.raises(RefusedError, match="No test"):
        services.stop(trial.version_id)
    services.start(trial.version_id)
    trial.refresh_from_db()
    assert (trial.state, trial.sets) == ("running", 1)


def test_trying_a_rejected_version_again_needs_more_evidence(trial: PromotionTest, play: Play) -> None:
    play(50, wins=False)
    again = services.start(trial.version_id)
    assert again.pk != trial.pk
    assert (again.sets, again.alpha) == (0, trial.alpha / 2)
    assert services.start(trial.version_id) == again, "a second click starts no second test"


def test_only_a_validated_version_can_be_tested(active: Version) -> None:
    with pytest.raises(RefusedError, match="validated"):
        services.start(active.pk)
    with pytest.raises(RefusedError, match="validated"):
        services.start(submit(active.bot, "print(2)\n").pk)


def test_a_match_that_takes_too_long_twice_rejects_the_candidate(
    trial: PromotionTest, settings: Settings
) -> None:
    planning.plan_sets()
    [match, _] = matches_of(open_sets(trial)[0])
    for _attempt in range(2):
        claimant = Claimant(Attempt.objects.get(match=match, state="queued").pk, KEY)
        claim(claimant, "host")
        stop_overrun(claimant)
    settle([{"match": match.pk}])
    trial.refresh_from_db()
    assert (trial.state, trial.reason) == ("rejected", "A match took longer than 15 minutes, twice.")


def test_a_match_that_hosts_cannot_play_is_void(trial: PromotionTest) -> None:
    planning.plan_sets()
    one = open_sets(trial)[0]
    [match, _] = matches_of(one)
    set_aside(Attempt.objects.get(match=match))
    settle([{"match": match.pk}])
    one.refresh_from_db()
    trial.refresh_from_db()
    assert (one.state, trial.state) == ("void", "running")


def test_a_notice_is_mailed(trial: PromotionTest, play: Play, itzel: User) -> None:
    play(50)
    [sent] = [one for one in mail.outbox if one.to == [itzel.email]]
    assert "Version 2 of Jaguar was promoted." in sent.body
    assert trial.get_absolute_url() in sent.body
