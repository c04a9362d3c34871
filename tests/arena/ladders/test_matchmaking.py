import pytest
from django.utils import timezone

from arena.bots.models import Bot
from arena.ladders import matchmaking, services
from arena.ladders.models import Entry, Result
from arena.ladders.results import settle_match
from arena.matches.models import Match, MatchSeat
from arena.outbox.models import Outbox
from arena.outbox.services import deliver
from tests.arena.cast import finish, make_bot, make_season

pytestmark = pytest.mark.django_db


def settle_all() -> None:
    for pk, tries in Outbox.objects.filter(kind="settle").values_list("pk", "tries"):
        deliver(pk, tries)
    assert not Outbox.objects.filter(kind="settle").exists()


def test_the_queue_is_filled_to_its_depth_and_no_further() -> None:
    season = make_season(2, depth=5)
    for n in range(4):
        make_bot(f"b{n}")
    assert matchmaking.fill(season.ladder_id) == 5
    assert matchmaking.fill(season.ladder_id) == 0
    assert Match.objects.filter(state="queued", rated=True, purpose_id=season.pk).count() == 5


def test_no_more_matches_are_made_in_a_minute_than_the_ladder_allows() -> None:
    season = make_season(2, depth=5, a_minute=3)
    for n in range(4):
        make_bot(f"b{n}")
    assert matchmaking.fill(season.ladder_id) == 3
    Match.objects.update(state="finished", finished_at=timezone.now())
    assert matchmaking.fill(season.ladder_id) == 0
    Match.objects.update(created_at=timezone.now() - timezone.timedelta(minutes=2))
    assert matchmaking.fill(season.ladder_id) == 3


def test_a_duplicate_ladder_makes_whole_sets_within_its_depth() -> None:
    season = make_season(2, depth=5, duplicate=True)
    for n in range(4):
        make_bot(f"b{n}")
    assert matchmaking.fill(season.ladder_id) == 4
    assert Match.objects.values("duplicate_set").distinct().count() == 2


def test_bots_of_one_author_never_meet_but_house_bots_do() -> None:
    season = make_season(3, depth=10)
    for n in range(3):
        make_bot(f"mine{n}", owner="itzel")
        make_bot(f"house{n}", owner="house", is_house=True)
    matchmaking.fill(season.ladder_id)
    for match in Match.objects.all():
        owners = list(
            MatchSeat.objects.filter(match=match).values_list("version__bot__owner__username", flat=True)
        )
        assert owners.count("itzel") <= 1
    assert Match.objects.count() == 10


def test_benched_and_departed_bots_are_not_paired() -> None:
    season = make_season(2, depth=3)
    benched, gone, *_ = (make_bot(f"b{n}") for n in range(4))
    Bot.objects.filter(pk=benched.bot_id).update(benched_at=timezone.now())
    services.leave(season.ladder, gone.bot)
    matchmaking.fill(season.ladder_id)
    assert not MatchSeat.objects.filter(version__in=[benched, gone]).exists()
    assert MatchSeat.objects.count() == 6


def test_a_queue_of_which_a_quarter_is_played_is_filled_again_when_matches_are_settled() -> None:
    season = make_season(2, depth=8)
    for n in range(3):
        make_bot(f"b{n}")
    matchmaking.fill(season.ladder_id)
    first, second, third, *_ = Match.objects.order_by("pk")
    finish(first)
    settle_all()
    assert matchmaking.open_matches(season.pk) == 7
    finish(second)
    settle_all()
    assert matchmaking.open_matches(season.pk) == 8
    assert Result.objects.count() == 2
    type(season.ladder).objects.update(is_open=False, depth=20)
    finish(third)
    settle_all()
    assert matchmaking.open_matches(season.pk) == 7, "a closed ladder is not filled"


def test_a_version_that_fails_three_times_in_a_row_is_benched_and_its_author_told() -> None:
    season = make_season(2, depth=1)
    bad, good = make_bot("bad"), make_bot("good")
    for played in range(3):
        assert Bot.objects.get(pk=bad.bot_id).benched_at is None, played
        matchmaking.fill(season.ladder_id)
        match = Match.objects.get(state="queued")
        finish(match, faulty=[match.seats_taken.get(version=bad).seat])
        settle_all()
    assert Bot.objects.get(pk=bad.bot_id).benched_at
    assert Bot.objects.get(pk=good.bot_id).benched_at is None
    assert "failed in 3 matches" in bad.bot.owner.notices.get().text


def test_a_season_ends_is_archived_when_its_last_match_is_settled_and_another_begins() -> None:
    season = make_season(2, depth=1, days=1)
    for n in range(2):
        make_bot(f"b{n}")
    matchmaking.fill(season.ladder_id)
    type(season).objects.update(starts_at=timezone.now() - timezone.timedelta(days=2))
    type(season).objects.update(ends_at=timezone.now() - timezone.timedelta(days=1))
    services.roll_seasons()
    season.refresh_from_db()
    assert season.closed_at is None, "a match of it is still open"
    assert matchmaking.current_season(season.ladder).number == 2
    finish(Match.objects.get(purpose_id=season.pk))
    services.roll_seasons()
    season.refresh_from_db()
    assert season.closed_at is None, "its last match is not settled"
    settle_all()
    services.roll_seasons()
    season.refresh_from_db()
    assert season.closed_at
    assert season.standings.count() == 2


def test_a_new_best_rank_is_told_once() -> None:
    season = make_season(2)
    one, two = make_bot("one"), make_bot("two")
    for version in (one, two):
        services.enter(season.ladder, version.bot)
    season.standings.create(bot=one.bot, rating=1600, mu=1600, sigma=50, games=10)
    other = season.standings.create(bot=two.bot, rating=1500, mu=1500, sigma=50, games=10)
    assert services.update_best_ranks() == 2
    assert not two.bot.owner.notices.exists(), "the first rank is no news"
    other.rating = 1700
    other.save()
    assert services.update_best_ranks() == 1
    assert services.update_best_ranks() == 0
    assert "number 1 of" in two.bot.owner.notices.get().text
    assert Entry.objects.get(bot=two.bot).best_rank == 1


def test_an_unrated_match_moves_nothing() -> None:
    season = make_season(2, depth=1)
    for n in range(2):
        make_bot(f"b{n}")
    matchmaking.fill(season.ladder_id)
    match = Match.objects.get()
    Match.objects.update(rated=False)
    finish(match)
    assert not settle_match(match.pk)
