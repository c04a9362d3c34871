"""Rulebook sections Game Components, Game Board, Power Cards, Setup."""

from collections import Counter

import pytest

from engine import State, load_board
from engine.cards import FULL_DECK, IN_DECK, NAMES, OFFERING
from engine.errors import EngineError
from engine.position import turn_order
from tests.engine.table import new_state


def test_the_board_has_six_territories_of_each_of_five_types() -> None:
    board = load_board()
    assert board.size == 30
    assert Counter(board.types[kind] for kind in board.type_of) == dict.fromkeys(
        ("jungle", "desert", "mountains", "fields", "city"), 6
    )


def test_the_deck_has_thirty_cards_of_eight_kinds() -> None:
    assert len(NAMES) == len(IN_DECK) == 8
    assert len(FULL_DECK) == 30
    assert Counter(FULL_DECK) == {kind: 9 if kind == OFFERING else 3 for kind in range(8)}


def test_power_cards_have_their_type_and_end_value_and_the_4_is_wild() -> None:
    board = load_board()
    types = [board.types[kind] if kind >= 0 else "wild" for kind in board.card_types]
    assert types == ["wild", "jungle", "desert", "mountains", "fields", "city"]
    assert board.card_values == [1, 3, 6, 10, 15, 21]


@pytest.mark.parametrize(("seats", "pawns"), [(2, 60), (3, 30), (4, 30)])
def test_every_side_begins_with_all_its_pawns_in_the_reserve(seats: int, pawns: int) -> None:
    state = new_state(seats)
    assert state.reserve == (pawns,) * seats
    assert state.removed == (0,) * seats
    assert not any(state.pawns)


def test_all_counters_start_on_0_in_a_stack_whose_top_plays_first() -> None:
    for seed in range(20):
        state = new_state(4, seed)
        assert state.scores() == [0, 0, 0, 0]
        assert sorted(state.arrival) == [0, 1, 2, 3]
        assert [state.arrival[seat] for seat in turn_order(state)] == [3, 2, 1, 0]
        assert state.order == turn_order(state)


def test_the_stack_is_random_and_every_seat_is_on_top_sometimes() -> None:
    tops = Counter(new_state(4, seed).order[0] for seed in range(200))
    assert set(tops) == {0, 1, 2, 3}
    assert min(tops.values()) > 25


def test_nobody_begins_with_prosperity_cards() -> None:
    state = new_state(3)
    assert not any(state.hands)
    assert Counter(state.deck) == Counter(FULL_DECK)


@pytest.mark.parametrize("seats", [-1, 0, 1, 5])
def test_a_game_has_two_to_four_seats(seats: int) -> None:
    with pytest.raises(EngineError, match="2, 3 or 4 seats"):
        State.new(seats, bytes(32))


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_has_32_bytes(length: int) -> None:
    with pytest.raises(EngineError, match="32 bytes"):
        State.new(4, bytes(length))
