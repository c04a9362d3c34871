"""Luck has the expectation zero, whatever the value function: each chance event is compared with its mean."""

import random
from dataclasses import replace
from math import isclose, sqrt
from statistics import fmean, variance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import IN_DECK, KINDS
from engine.errors import RecordError, RulesVersionError
from engine.record import Record, Recorder
from engine.replay.luck import (
    ChanceEvents,
    DrawnCard,
    TableValues,
    chance_events,
    luck_of,
    luck_of_draw,
    read_game,
    value_function,
    value_functions,
)
from engine.rulesets import ruleset
from engine.state import State


def play(seats: int, number: int, edition: str = "english") -> tuple[Record, State]:
    chance = random.Random(number)
    state = State.new(seats, chance.randbytes(32), ruleset(edition))
    recorder = Recorder(state, tuple(f"bot {seat}" for seat in range(seats)))
    while not state.is_over():
        recorder.apply(chance.choice(state.legal_actions()))
    return recorder.record(), state


numbers = st.floats(-1, 1)
tables = st.builds(
    TableValues,
    order=st.tuples(numbers, numbers, numbers),
    cards=st.tuples(*[st.tuples(*[numbers] * KINDS)] * 5),
    next_offering=numbers,
    blessed=numbers,
)
draws = st.builds(
    DrawnCard,
    seat=st.integers(0, 2),
    age=st.integers(1, 5),
    kind=st.just(0),
    left=st.tuples(*[st.integers(0, 9)] * KINDS).filter(any),
    offerings=st.integers(0, 9),
    blessed=st.tuples(*[st.integers(0, 12)] * 3),
)


@given(tables, draws)
def test_the_luck_of_a_draw_is_zero_on_the_mean_over_all_cards_that_could_have_come(
    table: TableValues, draw: DrawnCard
) -> None:
    lucks = [luck_of_draw(table, replace(draw, kind=kind)) for kind in range(KINDS)]
    total = sum(count * luck for count, luck in zip(draw.left, lucks, strict=True))
    assert isclose(total, 0, abs_tol=1e-9)


@given(tables)
def test_the_luck_of_the_first_order_is_zero_on_the_mean_over_all_orders(table: TableValues) -> None:
    orders = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    lucks = [luck_of(ChanceEvents(order, (), ()), table) for order in orders]
    for seat in range(3):
        assert isclose(sum(luck[seat] for luck in lucks), 0, abs_tol=1e-9)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("edition", ["english", "french", "german"])
def test_every_drawn_card_could_have_come_and_is_in_a_hand_or_was_played(seats: int, edition: str) -> None:
    drawn = 0
    for number in range(8):
        record, state = play(seats, number, edition)
        found = chance_events(record)
        assert sorted(found.order) == list(range(seats))
        assert len(found.chosen) == 5 * seats
        for draw in found.draws:
            assert draw.left[draw.kind] > 0
            assert all(0 <= count <= most for count, most in zip(draw.left, IN_DECK, strict=True))
        drawn += len(found.draws)
        for seat in range(seats):
            in_hand = sum(state.hands[seat * KINDS : (seat + 1) * KINDS])
            assert in_hand <= sum(draw.seat == seat for draw in found.draws)
    assert drawn > 50


def test_luck_adds_up_to_zero_over_a_table() -> None:
    value = value_functions()[-1]
    for seats in (2, 3, 4):
        record, _ = play(seats, 3)
        luck = read_game(record, value).luck
        assert luck is not None
        assert isclose(sum(luck), 0, abs_tol=1e-9)
        assert any(luck)


@pytest.mark.parametrize("seats", [2, 4])
def test_results_without_luck_have_the_mean_of_the_results(seats: int) -> None:
    """A small form of `make bench ONLY=luck`: 400 random games, always the same ones."""
    table = value_functions()[-1].tables[seats]
    results, lucks = [], []
    for number in range(400):
        record, state = play(seats, number)
        results.append((seats - state.placements()[0]) / (seats - 1))
        lucks.append(luck_of(chance_events(record), table)[0])
    assert abs(fmean(lucks)) <= 2 * sqrt(variance(results) / len(results))
    assert variance(lucks) > 0


def test_a_value_function_is_named_by_its_hash() -> None:
    value = value_functions()[-1]
    assert value_function(value.sha256) is value
    assert value_function("0" * 64) is None
    assert len({one.sha256 for one in value_functions()}) == len(value_functions())


def test_without_a_value_function_only_the_cards_are_read() -> None:
    record, _ = play(2, 1)
    reading = read_game(record, None)
    assert reading.luck is None
    assert len(reading.cards) == 10


def test_a_record_that_cannot_be_played_again_is_refused() -> None:
    record, _ = play(2, 1)
    with pytest.raises(RecordError):
        chance_events(replace(record, actions=record.actions[:-3]))
    with pytest.raises(RulesVersionError):
        chance_events(replace(record, rules=record.rules + 1))
