"""The search behind hints: from what the seat knows, and from nothing else."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.play.hint_search import Hint, find_hint
from engine.boardfile import load_board
from engine.observation import determinize, observe
from engine.position import CHOOSING
from engine.rulesets import EDITIONS, ruleset
from engine.state import State

FOREVER = 1e9


def hint_for(state: State, seat: int, seconds: float = FOREVER, now: Any = lambda: 0.0) -> Hint:
    legal = state.legal_actions(seat)
    return find_hint(observe(state, seat), legal, state.rules, state.board.id, seconds, now)


@settings(max_examples=8)
@given(
    st.integers(2, 4),
    st.binary(min_size=32, max_size=32),
    st.integers(0, 90),
    st.randoms(use_true_random=False),
    st.sampled_from(EDITIONS),
)
def test_a_hint_follows_from_what_the_seat_knows_and_from_nothing_else(
    seats: int, seed: bytes, steps: int, chance: Any, edition: str
) -> None:
    """In another world that the seat cannot tell apart, with other cards in the others' hands, it is the same."""
    state = State.new(seats, seed, ruleset(edition), load_board())
    for _ in range(steps):
        state.apply(chance.choice(state.legal_actions()))
        if state.is_over():
            return
    seat = state.to_act()
    other = determinize(observe(state, seat), chance, state.board, state.rules)
    hint = hint_for(state, seat, 0.0, iter(range(10)).__next__)  # one round
    assert hint.action in state.legal_actions(seat)
    assert hint == hint_for(other, seat, 0.0, iter(range(10)).__next__)
    assert 0 <= hint.before <= hint.chance <= 1


def test_while_all_choose_in_secret_each_seat_gets_a_hint() -> None:
    state = State.new(3, bytes(32))
    assert state.phase == CHOOSING
    hints = [hint_for(state, seat, 0.0, iter(range(10)).__next__) for seat in state.acting()]
    assert [hint.action in range(4, 10) for hint in hints] == [True] * 3


def test_the_search_stops_when_its_time_is_up() -> None:
    state = State.new(2, bytes(32))
    clock = iter(range(100)).__next__
    short = hint_for(state, 0, 0.5, clock)
    assert short.games < hint_for(state, 0).games
    assert clock() == 2  # it looked at the clock when it began and after its only round


def test_a_hint_wins_more_often_than_the_worst_choice() -> None:
    """In the last decision of a game the search finds the one that wins."""
    state = State.new(2, bytes(range(32)))
    while not state.is_over():
        before = state.clone()
        state.apply(state.legal_actions()[-1])
    hint = hint_for(before, before.to_act())
    after = before.clone()
    after.apply(hint.action)
    assert hint.chance == (after.placements()[before.to_act()] == 1)
