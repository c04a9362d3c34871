import math
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from contests.rating import START, Place, Rated, elo, expected, fold, joint_places, k_factor, rate

PLACES = st.integers(2, 4).flatmap(lambda n: st.lists(st.integers(1, n), min_size=n, max_size=n))


def results(bots: int = 6) -> st.SearchStrategy[list[list[Place]]]:
    table = st.lists(st.integers(1, bots), min_size=2, max_size=4, unique=True)
    seated = table.flatmap(
        lambda who: st.permutations(range(1, len(who) + 1)).map(
            lambda places: [Place(bot, place) for bot, place in zip(who, places, strict=True)]
        )
    )
    return st.lists(seated, max_size=12)


def test_two_equals_gain_and_lose_half_of_k() -> None:
    assert elo([1500.0, 1500.0], [0, 0], [1, 2]) == [1520.0, 1480.0]


def test_a_game_of_four_counts_each_pair_and_shares_k_over_them() -> None:
    first, second, third, fourth = elo([1500.0] * 4, [0] * 4, [1, 2, 3, 4])
    assert (first, fourth) == (1520.0, 1480.0)
    assert math.isclose(second, 1500 + 40 / 6)
    assert math.isclose(third, 1500 - 40 / 6)


def test_a_draw_between_equals_moves_nothing() -> None:
    assert elo([1600.0, 1600.0, 1600.0], [5, 5, 5], [1, 1, 1]) == [1600.0] * 3


def test_k_falls_with_the_number_of_games() -> None:
    assert [k_factor(games) for games in (0, 19, 20, 99, 100)] == [40, 40, 24, 24, 12]


def test_four_hundred_points_are_ten_to_one() -> None:
    assert math.isclose(expected(1900, 1500), 10 / 11)


@given(st.lists(st.floats(500, 2500), min_size=4, max_size=4), PLACES)
def test_elo_gives_what_it_takes_where_k_is_equal(ratings: list[float], places: list[int]) -> None:
    ratings = ratings[: len(places)]
    after = elo(ratings, [0] * len(places), places)
    assert math.isclose(sum(after), sum(ratings), abs_tol=1e-6)


@given(PLACES)
def test_a_better_place_never_gains_less_among_equals(places: list[int]) -> None:
    after = elo([START] * len(places), [0] * len(places), places)
    ranked = sorted(zip(places, after, strict=True))
    for (place, rating), (next_place, next_rating) in pairwise(ranked):
        assert rating >= next_rating or place == next_place


def test_a_fixed_point_stays_where_it_is_and_others_are_measured_against_it() -> None:
    places = [Place(1, 1), Place(2, 2, fixed=1800.0)]
    after = rate({}, places)
    assert after[2].rating == 1800.0
    assert after[1].rating > 1520  # more than for beating an equal
    assert (after[1].games, after[2].games, after[1].wins, after[2].wins) == (1, 1, 1, 0)


def width(rated: Rated) -> float:
    low, high = rated.interval
    return high - low


@settings(deadline=None)
@given(results())
def test_folding_step_by_step_is_folding_at_once_to_the_last_bit(log: list[list[Place]]) -> None:
    known: dict[int, Rated] = {}
    for places in log:
        known = {**known, **rate(known, places)}
    assert known == fold(log)


@settings(deadline=None)
@given(results())
def test_every_game_is_counted_once_for_each_of_its_bots(log: list[list[Place]]) -> None:
    for bot, rated in fold(log).items():
        assert rated.games == sum(bot in {place.bot for place in places} for places in log)


def test_a_duplicate_set_counts_the_sum_of_placements() -> None:
    games = [{1: 1, 2: 2, 3: 3}, {1: 2, 2: 1, 3: 3}, {1: 3, 2: 1, 3: 2}]
    assert joint_places(games) == {2: 1, 1: 2, 3: 3}


def test_equal_sums_in_a_duplicate_set_are_a_draw() -> None:
    assert joint_places([{1: 1, 2: 2}, {1: 2, 2: 1}]) == {1: 1, 2: 1}
