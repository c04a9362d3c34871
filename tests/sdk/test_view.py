"""Views and moves say in names what observations and actions say in numbers."""

import random

from hypothesis import given
from hypothesis import strategies as st

from aztlan import Kind, View, action_text, group, read_move
from engine import load_board, observe
from engine.actions import all_actions
from engine.phases import scoring
from engine.state import State

BOARD = load_board()


def position(seats, seed, steps):
    """A state after some random actions, with a seat that is asked."""
    state, dice = State.new(seats, bytes([seed]) * 32), random.Random(seed)
    for _ in range(steps):
        if state.is_over():
            break
        state.apply(dice.choice(state.legal_actions()))
    return state


states = st.builds(position, st.sampled_from([2, 3, 4]), st.integers(0, 255), st.integers(0, 300))


@given(states)
def test_a_view_counts_what_the_engine_counts(state):
    for me in range(state.seats):
        view = View(observe(state, me), BOARD)
        for seat in range(state.seats):
            side = state.side_of[seat]
            present = state.present[side]
            assert view.territories(seat) == [t for t in range(30) if present >> t & 1]
            assert [view.pawns(t, seat) for t in range(30)] == state.pawns[side * 30 : side * 30 + 30]
            assert sorted(t for domain in view.domains(seat) for t in domain) == view.territories(seat)
        assert view.domains() == view.domains(me)
        assert len(view.domains()) == len(scoring.domains(state, me)) or state.phase == 3


@given(states)
def test_borders_touch_and_do_not_overlap_the_own_land(state):
    view = View(observe(state, 0), BOARD)
    own = set(view.territories())
    for t in view.border():
        assert t not in own
        assert own & set(view.neighbours(t))


@given(states)
def test_empty_land_shared_land_and_the_rest_make_the_board(state):
    view = View(observe(state, 0), BOARD)
    shared = [t for t in range(30) if len(view.seats_in(t)) > 1]
    assert view.contested() == shared
    assert view.empty() == [t for t in range(30) if not view.seats_in(t)]


def test_points_follow_the_table_of_the_rules():
    state = State.new(3, bytes(32))
    for card in (9, 8, 7):
        state.apply(card)
    state.present[0] = 1 << 0 | 1 << 1 | 1 << 7  # t01 and t02 touch, t08 lies apart: city, mountains, city
    for t in (0, 1, 7):
        state.pawns[t] = 1
    view = View(observe(state, 0), BOARD)
    assert view.domains() == [[0, 1], [7]]
    assert view.points(BOARD.types.index("city")) == (2 + 1) + (1 + 1)
    assert view.points(BOARD.types.index("mountains")) == 2 + 1
    assert view.points(BOARD.types.index("jungle")) == 0
    assert view.type_of(0) == "city"
    assert view.card_points(9) == 5  # the city's card
    assert view.card_points(4) == 5  # the wild card: the best of all types
    assert view.with_pawn(6).domains() == [[0, 1, 6, 7]]  # t07 joins them
    assert view.with_pawn(6).card_points(9) == 4 + 2 * 2
    assert view.pawns(6) == 0


def test_unused_cards_of_another_seat_include_the_one_that_lies_face_down():
    state = State.new(3, bytes(32))
    state.apply(9)
    assert View(observe(state, 0), BOARD).unused_cards() == [4, 5, 6, 7, 8]
    assert View(observe(state, 1), BOARD).unused_cards(0) == [4, 5, 6, 7, 8, 9]
    assert View(observe(state, 0), BOARD).phase == "choosing"
    assert sorted(View(observe(state, 0), BOARD).others) == [1, 2]


def test_every_action_of_the_board_is_read_as_what_its_text_says():
    for action in all_actions(BOARD):
        move, text = read_move(action), action_text(action, BOARD)
        assert text.startswith(move.kind)
        if move.kind in (Kind.MOVE, Kind.RAFT):
            assert BOARD.ids[move.number] in text
            assert text.endswith(BOARD.ids[move.target])
        elif move.kind in (Kind.PLACE, Kind.EAGLE, Kind.BATTLE, Kind.COEXIST, Kind.TLATOANI):
            assert text.endswith(BOARD.ids[move.number])
        elif move.kind == Kind.CARD:
            assert text == f"card {move.number}"
        elif move.kind == Kind.NAME:
            assert text.endswith(BOARD.types[move.number])


@given(states)
def test_grouping_loses_no_action(state):
    legal = state.legal_actions()
    groups = group(legal)
    assert sorted(move.action for moves in groups.values() for move in moves) == sorted(legal)
    assert all(move.kind is kind for kind, moves in groups.items() for move in moves)
