from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from contests.pairing import Candidate, make_tables

PEOPLE = st.integers(1, 8).map(lambda one: frozenset({one}))
CANDIDATES = st.lists(
    st.builds(
        Candidate,
        bot=st.integers(1, 30),
        people=PEOPLE,
        rating=st.floats(800, 2200),
        sigma=st.floats(20, 500),
        waited=st.floats(0, 5000),
        open=st.integers(0, 3),
    ),
    max_size=20,
    unique_by=lambda one: one.bot,
)


def bots(count: int, rating: float = 1500, sigma: float = 100, waited: float = 0) -> list[Candidate]:
    return [Candidate(bot, frozenset({bot}), rating, sigma, waited) for bot in range(1, count + 1)]


@given(CANDIDATES, st.integers(2, 4), st.integers(0, 10), st.integers())
def test_bots_of_one_owner_never_share_a_table(
    candidates: list[Candidate], seats: int, count: int, seed: int
) -> None:
    tables = make_tables(candidates, seats, count, Random(seed))
    for table in tables:
        assert len({one.people for one in table}) == len(table) == seats
    possible = len({one.people for one in candidates}) >= seats
    assert len(tables) == (count if possible else 0)


@given(st.data(), st.integers(2, 4), st.integers(0, 10), st.integers())
def test_nobody_may_change_two_bots_at_a_table(
    data: st.DataObject, seats: int, count: int, seed: int
) -> None:
    teams = st.frozensets(st.integers(1, 8), max_size=3)
    candidates = [
        Candidate(bot, people, 1500, 100, 0)
        for bot, people in enumerate(data.draw(st.lists(teams, max_size=12)))
    ]
    for table in make_tables(candidates, seats, count, Random(seed)):
        everybody = [person for one in table for person in one.people]
        assert len(everybody) == len(set(everybody))
        assert len({one.bot for one in table}) == len(table) == seats


def test_the_least_certain_bot_is_paired_first() -> None:
    candidates = [*bots(8), Candidate(9, frozenset({9}), 1500, 500, 0)]
    [table] = make_tables(candidates, 2, 1, Random(1))
    assert 9 in {one.bot for one in table}


def test_who_waited_longest_is_paired_first() -> None:
    candidates = [*bots(8), Candidate(9, frozenset({9}), 1500, 100, 3600)]
    [table] = make_tables(candidates, 2, 1, Random(1))
    assert 9 in {one.bot for one in table}


def test_everybody_is_given_a_table_before_anybody_is_given_a_second() -> None:
    tables = make_tables(bots(8), 2, 4, Random(3))
    heads = {table[0].bot for table in tables} | {table[1].bot for table in tables}
    assert len(heads) >= 6


def test_opponents_are_mostly_near_but_sometimes_far() -> None:
    near = [Candidate(bot, frozenset({bot}), 1500 + bot, 100, 0) for bot in range(2, 12)]
    far = [Candidate(bot, frozenset({bot}), 2200, 100, 0) for bot in range(12, 22)]
    head = Candidate(1, frozenset({1}), 1500, 500, 9999)
    met = Counter(
        one.bot >= 12
        for seed in range(400)
        for table in make_tables([head, *near, *far], 2, 1, Random(seed))
        for one in table
        if one.bot != 1
    )
    assert 0 < met[True] < met[False] / 4


def test_seats_come_round() -> None:
    had: dict[int, list[int]] = {bot: [0, 0, 0, 0] for bot in range(1, 5)}
    for seed in range(40):
        candidates = [Candidate(bot, frozenset({bot}), 1500, 100, 0, 0, had[bot]) for bot in had]
        for table in make_tables(candidates, 4, 1, Random(seed)):
            for seat, one in enumerate(table):
                had[one.bot][seat] += 1
    assert all(max(seats) - min(seats) <= 1 for seats in had.values())
