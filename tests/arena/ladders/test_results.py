"""The stored ratings are what the log folds to, whatever happens in whatever order, and at the same time."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.utils import ProgrammingError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.bots.house import RATINGS
from arena.bots.models import Bot
from arena.ladders.checking import check, refold
from arena.ladders.models import RatingChange, Result, Season, Standing
from arena.ladders.results import settle_match, settle_matches
from arena.matches.models import Match
from arena.matches.services import void_match
from contests.rating import Place, fold
from tests.arena.cast import ask_for, finish, make_bot, make_season

pytestmark = pytest.mark.django_db


def play(season: Season, versions: list, count: int, chance: random.Random) -> list[Match]:
    matches = [ask_for(chance.sample(versions, season.ladder.seats), season) for _ in range(count)]
    for match in matches:
        finish(match)
    return matches


def test_a_settled_match_moves_the_ratings_of_its_bots() -> None:
    season, versions = make_season(), [make_bot(f"b{n}") for n in range(4)]
    [match] = play(season, versions, 1, random.Random(1))
    assert settle_match(match.pk)
    ratings = {standing.bot_id: standing.rating for standing in Standing.objects.filter(season=season)}
    winner = match.seats_taken.get(placement=1).version.bot_id
    assert ratings[winner] == max(ratings.values()) == 1520.0
    assert check(season.pk) == []


def test_settling_twice_counts_once() -> None:
    season, versions = make_season(2), [make_bot(f"b{n}") for n in range(2)]
    [match] = play(season, versions, 1, random.Random(1))
    assert settle_match(match.pk)
    assert not settle_match(match.pk)
    assert Result.objects.count() == 1
    assert set(Standing.objects.values_list("games", flat=True)) == {1}


def test_matches_settled_at_once_fold_as_if_one_by_one_and_count_once() -> None:
    season, versions = make_season(2), [make_bot(f"b{n}") for n in range(3)]
    matches = play(season, versions, 8, random.Random(8))
    settle_match(matches[3].pk)
    void_match(matches[5].pk, "its host was broken")
    Match.objects.filter(pk=matches[6].pk).update(rated=False)
    ids = [match.pk for match in matches]
    assert settle_matches(ids) == 5
    assert settle_matches(ids) == 0
    assert list(Result.objects.order_by("sequence").values_list("match", flat=True)) == [
        ids[3],
        *ids[:3],
        ids[4],
        ids[7],
    ]
    assert check(season.pk) == []
    void_match(ids[0], "on second thoughts")
    assert settle_matches(ids) == 1
    assert check(season.pk) == []


def test_the_database_refuses_to_change_or_delete_a_result() -> None:
    season, versions = make_season(2), [make_bot(f"b{n}") for n in range(2)]
    [match] = play(season, versions, 1, random.Random(1))
    settle_match(match.pk)
    with pytest.raises(ProgrammingError, match="only ever added to"), transaction.atomic():
        Result.objects.update(reason="nobody will notice")
    with connection.cursor() as cursor, pytest.raises(ProgrammingError), transaction.atomic():
        cursor.execute("delete from ladders_result")


def test_voiding_appends_a_correction_and_leaves_no_trace_in_the_ratings() -> None:
    season, versions = make_season(2), [make_bot(f"b{n}") for n in range(3)]
    first, *others = play(season, versions, 5, random.Random(5))
    for match in (first, *others):
        settle_match(match.pk)
    void_match(first.pk, "its host was broken")
    assert settle_match(first.pk)
    assert not settle_match(first.pk)
    assert list(Result.objects.order_by("sequence").values_list("kind", flat=True))[-1] == "void"
    assert not RatingChange.objects.filter(season=season, sequence=1).exists()
    assert check(season.pk) == []
    lines = Result.objects.filter(match__in=others).order_by("sequence").values_list("places", flat=True)
    never_played = fold([Place(**place) for place in places] for places in lines)
    assert {standing.bot_id: standing.rating for standing in season.standings.all()} == {
        bot: rated.rating for bot, rated in never_played.items()
    }


def test_a_tampered_rating_is_found_and_mended() -> None:
    season, versions = make_season(2), [make_bot(f"b{n}") for n in range(2)]
    [match] = play(season, versions, 1, random.Random(1))
    settle_match(match.pk)
    Standing.objects.filter(bot=versions[0].bot).update(rating=2400)
    with pytest.raises(CommandError, match="1 stored"):
        call_command("fold_ratings", check=True)
    assert refold(season.pk)
    assert not refold(season.pk)
    call_command("fold_ratings", check=True)


def test_house_bots_are_fixed_points_where_the_ladder_says_so() -> None:
    season = make_season(2, house_fixed=True)
    house, guest = make_bot("house-bot", is_house=True), make_bot("guest")
    season.ladder.entries.create(bot=house.bot, fixed_rating=1234.0)
    match = ask_for([house, guest], season)
    finish(match)
    settle_match(match.pk)
    assert Standing.objects.get(bot=house.bot).rating == 1234.0
    assert Standing.objects.get(bot=guest.bot).rating != 1500.0
    season.ladder.entries.update(fixed_rating=2000.0)  # the log remembers what it was
    assert check(season.pk) == []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_house_bot_stands_on_its_rung_unless_staff_say_otherwise(seats: int) -> None:
    season = make_season(seats, house_fixed=True)
    played = [make_bot("house-warlord", is_house=True), make_bot("house-greedy", is_house=True)]
    played += [make_bot(f"guest-{n}") for n in range(seats - 2)]
    for version in played:
        season.ladder.entries.create(bot=version.bot)
    match = ask_for(played, season)
    finish(match)
    settle_match(match.pk)
    ratings = dict(Standing.objects.values_list("bot__slug", "rating"))
    assert ratings["house-warlord"] == RATINGS[seats]["warlord"] == 1500.0
    assert ratings["house-greedy"] == RATINGS[seats]["greedy"] < 1500.0
    assert check(season.pk) == []


def test_a_duplicate_set_counts_as_one_result_when_its_last_match_is_over() -> None:
    from arena.matches.services import MatchRequest, request_duplicate_set
    from engine.rulesets import ruleset

    season, versions = make_season(3, duplicate=True), [make_bot(f"b{n}") for n in range(3)]
    request = MatchRequest(versions, ruleset("english"), "ladder", purpose_id=season.pk, rated=True)
    matches = request_duplicate_set(request)
    assert len({bytes(match.seed) for match in matches}) == 1
    assert len({match.seats_taken.get(seat=0).version_id for match in matches}) == 3
    for match in matches:
        assert Result.objects.count() == 0
        finish(match)
        settle_match(match.pk)
    assert Result.objects.get().kind == "duplicate"
    assert set(Standing.objects.values_list("games", flat=True)) == {1}
    assert check(season.pk) == []


@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    seed=st.integers(0, 2**32),
    acts=st.lists(st.sampled_from(["settle", "two", "again", "void"]), max_size=10),
)
def test_any_order_of_settling_and_voiding_folds_to_what_is_stored(seed: int, acts: list[str]) -> None:
    chance = random.Random(seed)
    season, number = make_season(2), Bot.objects.count()
    versions = [make_bot(f"b{number + n}") for n in range(3)]
    waiting, settled = play(season, versions, 2 * len(acts), chance), []
    for act in acts:
        if act == "settle":
            match = waiting.pop(chance.randrange(len(waiting)))
            assert settle_match(match.pk)
            settled.append(match)
        elif act == "two":
            two = [waiting.pop(chance.randrange(len(waiting))) for _ in range(2)]
            assert settle_matches([match.pk for match in two]) == 2
            settled += two
        elif settled:
            match = chance.choice(settled)
            if act == "void":
                void_match(match.pk, "chance")
            settle_match(match.pk)
        assert check(season.pk) == []


@pytest.mark.django_db(transaction=True)
def test_concurrent_settling_and_voiding_neither_deadlocks_nor_loses_an_update() -> None:
    season, versions = make_season(4), [make_bot(f"b{n}") for n in range(6)]
    matches = play(season, versions, 24, random.Random(4))

    def in_a_thread(act: Callable[[], object]) -> object:
        try:
            return act()
        finally:
            connection.close()

    def void(match: Match) -> None:
        void_match(match.pk, "in the middle of it all")
        settle_match(match.pk)

    acts: list[Callable[[], object]] = [lambda match=match: settle_match(match.pk) for match in matches * 2]
    acts += [lambda match=match: void(match) for match in matches[:6]]
    random.Random(7).shuffle(acts)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(in_a_thread, acts))
    assert Result.objects.filter(kind="match", voided_by=None).count() == 18
    sequences = list(Result.objects.order_by("sequence").values_list("sequence", flat=True))
    assert sequences == list(range(1, len(sequences) + 1))
    games = sum(Standing.objects.values_list("games", flat=True))
    assert games == 18 * 4
    assert check(season.pk) == []
