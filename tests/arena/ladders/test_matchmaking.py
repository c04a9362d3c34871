from collections import Counter
from random import Random

import pytest
from django.utils import timezone

from arena.bots.models import Bot, Version
from arena.bots.services import activate
from arena.ladders import matchmaking, reading_queries, services
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


def test_of_a_large_ladder_those_that_wait_longest_play_and_nobody_meets_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(matchmaking, "SMALL", 10)
    monkeypatch.setattr(matchmaking, "MOST_URGENT", 4)
    monkeypatch.setattr(matchmaking, "SAMPLE", 8)
    season = make_season(2, depth=6)
    versions = [make_bot(f"b{n}", owner=f"owner{n % 5}") for n in range(30)]
    benched = [version.bot_id for version in versions[:3]]
    for _ in range(20):
        matchmaking.fill(season.ladder_id, Random(3))
        Bot.objects.filter(pk__in=benched).update(benched_at=timezone.now())
        Match.objects.update(state="finished", finished_at=timezone.now())
    seats = list(MatchSeat.objects.values_list("match", "version__bot_id", "version__bot__owner"))
    assert len(seats) == 2 * 20 * 6
    assert len({(match, owner) for match, _, owner in seats}) == len(seats), "bots of one owner met"
    games = Counter(bot for _, bot, _ in seats)
    others = [games[version.bot_id] for version in versions[3:]]
    assert min(others) >= 3, "somebody is left out"
    assert max(games[bot] for bot in benched) <= 6, "they played in the first round at most"


def test_a_bot_that_can_play_for_the_first_time_is_entered_at_once() -> None:
    season = make_season(2, depth=1)
    make_bot("one")
    matchmaking.fill(season.ladder_id)
    version = make_bot("late")
    Bot.objects.filter(pk=version.bot_id).update(active_version=None)
    Version.objects.filter(pk=version.pk).update(status="validated")
    activate(version.pk)
    assert Entry.objects.filter(ladder=season.ladder, bot=version.bot_id, left_at=None).exists()


def test_an_unrated_match_moves_nothing() -> None:
    season = make_season(2, depth=1)
    for n in range(2):
        make_bot(f"b{n}")
    matchmaking.fill(season.ladder_id)
    match = Match.objects.get()
    Match.objects.update(rated=False)
    finish(match)
    assert not settle_match(match.pk)


def test_the_statements_of_matchmaking_agree_with_the_models_on_who_can_play() -> None:
    season = make_season(2)
    made = [make_bot(f"b{n}").bot for n in range(9)]
    conditions = ("benched_at", "disqualified_at", "active_version")
    for number, bot in enumerate(made[:8]):
        changes = {name: None if name == "active_version" else timezone.now() for name in conditions}
        chosen = {name: changes[name] for place, name in enumerate(conditions) if number >> place & 1}
        Bot.objects.filter(pk=bot.pk).update(slug=bot.slug, **chosen)
    Entry.objects.bulk_create([Entry(ladder=season.ladder, bot=bot) for bot in made[:8]])
    bots = {bot.pk: bot.can_play for bot in Bot.objects.all()}
    assert sorted(bots.values()) == [False] * 7 + [True] * 2
    read = reading_queries.read_entries(season.ladder_id, season.pk, [bot.pk for bot in made])
    assert {entry.bot: entry.can_play for entry in read} == {bot.pk: bots[bot.pk] for bot in made[:8]}
    assert [(entry.mean, entry.own) for entry in read] == [(None, None)] * 8
    able = [bot for bot, can_play in sorted(bots.items()) if can_play]
    offered = reading_queries.bots_to_enter(season.ladder_id, 0, None)
    assert offered == [(bot, bot != made[8].pk) for bot in able]
    assert reading_queries.bots_to_enter(season.ladder_id, able[0], 1) == offered[1:]
