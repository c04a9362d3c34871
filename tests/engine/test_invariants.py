"""What holds in every position of every game, with all seats, editions and mixtures of options."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import State, load_board
from engine.actions import all_actions
from engine.cards import IN_DECK, KINDS
from engine.errors import IllegalActionError
from engine.position import CHOOSING
from engine.record import fingerprint
from engine.rulesets import Ruleset
from tests.engine.random_games import few, play, positions, rulesets, seat_counts, seeds, some, start

EVERY_ACTION = all_actions(load_board())
OUT_OF_RANGE = (-(2**70), -1, 1, 2, 3, 20, 63, 94, 127, 350, 1023, 1024, 5119, 5120, 9215, 9216, 2**31, 2**70)


@few
@given(seat_counts, seeds, rulesets)
def test_pawns_and_cards_are_conserved_and_every_question_has_two_answers(
    seats: int, seed: int, rules: Ruleset
) -> None:
    for state in play(start(seats, seed, rules), Random(seed)):
        check_pawns(state)
        check_cards(state)
        assert state.is_over() or len(set(state.legal_actions())) == len(state.legal_actions()) >= 2


def check_pawns(state: State) -> None:
    size = state.board.size
    for side in range(state.seats):
        seat = state.side_of.index(side)
        on_board = state.pawns[side * size : (side + 1) * size]
        parts = [state.reserve[side], state.removed[side], state.pool[seat], *on_board]
        assert min(parts) >= 0
        assert sum(parts) == (60 if state.seats == 2 else 30)
        assert state.present[side] == sum(1 << t for t in range(size) if on_board[t])


def check_cards(state: State) -> None:
    everywhere = Counter(state.deck[state.deck_at :])
    for counts in (state.discard, *[state.hands[i * KINDS : (i + 1) * KINDS] for i in range(state.seats)]):
        assert min(counts) >= 0
        everywhere.update(dict(enumerate(counts)))
    assert [everywhere[kind] for kind in range(KINDS)] == list(IN_DECK)


@some
@given(positions())
def test_every_action_is_either_legal_and_applies_or_is_refused_by_a_rule(state: State) -> None:
    legal, before = set(state.legal_actions()), fingerprint(state)
    for action in legal:
        state.clone().apply(action)
    for action in {*EVERY_ACTION, *OUT_OF_RANGE} - legal:
        with pytest.raises(IllegalActionError) as caught:
            state.apply(action)
        assert caught.value.rule
        assert caught.value.action == action
    assert fingerprint(state) == before
    assert legal <= set(EVERY_ACTION)


@some
@given(positions())
def test_only_the_acting_seats_are_asked(state: State) -> None:
    acting, before = state.acting(), fingerprint(state)
    assert (state.to_act() in acting) == (not state.is_over())
    for seat in range(state.seats):
        assert bool(state.legal_actions(seat)) == (seat in acting)
        if seat not in acting:
            with pytest.raises(IllegalActionError):
                state.apply(state.legal_actions()[0] if acting else 0, seat)
    assert len(acting) <= 1 or state.phase == CHOOSING
    assert fingerprint(state) == before


@some
@given(positions(), seeds)
def test_a_clone_and_its_original_go_their_own_ways(state: State, seed: int) -> None:
    before = fingerprint(state)
    copy = state.clone()
    assert fingerprint(copy) == before
    copy.playout(seed)
    assert fingerprint(state) == before
    other, end = state.clone(), fingerprint(copy)
    state.playout(seed + 1)
    assert fingerprint(copy) == end
    other.playout(seed)
    assert fingerprint(other) == end


@some
@given(positions(), seeds)
def test_a_playout_makes_the_random_choices_it_says_it_makes(state: State, seed: int) -> None:
    by_hand, word = state.clone(), (seed * 2654435761 + 1) % 2**32 or 1
    while not by_hand.is_over():
        word ^= word << 13 & 0xFFFFFFFF
        word ^= word >> 17
        word ^= word << 5 & 0xFFFFFFFF
        legal = by_hand.legal_actions()
        by_hand.apply(legal[word % len(legal)])
    assert state.playout(seed) == by_hand.placements()
    assert fingerprint(state) == fingerprint(by_hand)


@few
@given(seat_counts, seeds, rulesets)
def test_a_game_is_settled_by_its_seed_and_actions_alone(seats: int, seed: int, rules: Ruleset) -> None:
    first = start(seats, seed, rules)
    actions, rng = [], Random(seed)
    while not first.is_over():
        actions.append(rng.choice(first.legal_actions()))
        first.apply(actions[-1])
    again = start(seats, seed, rules)
    for action in actions:
        again.apply(action)
    assert fingerprint(again) == fingerprint(first)
    assert sorted(first.placements()) == list(range(1, seats + 1))


@some
@given(positions())
def test_the_places_follow_the_scores(state: State) -> None:
    ranked = sorted(range(state.seats), key=state.placements().__getitem__)
    scores = [state.scores()[seat] for seat in ranked]
    assert scores == sorted(scores, reverse=True)


@given(st.integers(2, 4), seeds)
@few
def test_conflicts_left_at_scoring_are_coexistences(seats: int, seed: int) -> None:
    """After the conflict phase every contested territory has been settled."""
    for state in play(start(seats, seed, Ruleset("english")), Random(seed)):
        if state.phase == 3:
            seen = both = 0
            for mask in state.present:
                both |= seen & mask
                seen |= mask
            assert both & ~state.settled == 0
