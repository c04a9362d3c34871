"""Who sees what: an observation holds what its seat may know, all of it and nothing else."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import State, determinize, observe, ruleset
from engine.cards import KINDS
from engine.errors import ObservationError
from engine.observation import FIELDS
from engine.position import CONFLICT, DEVELOPMENT, OVER, SCORING, STEP_GAMES, STEP_MAIN
from engine.record import fingerprint
from tests.engine.random_games import positions, seeds, some
from tests.engine.table import in_conflict, in_development, in_scoring, new_state


def unseen_changed(state: State, seat: int, rng: Random) -> State:
    """Another state that this seat cannot tell from the given one: all it may not know is shuffled."""
    other = state.clone()
    other.seed = rng.randbytes(32)
    pile = list(state.deck[state.deck_at :])
    hands = [other.hands[i * KINDS : (i + 1) * KINDS] for i in range(state.seats)]
    for hand in hands[:seat] + hands[seat + 1 :] if seat >= 0 else hands:
        pile += [kind for kind in range(KINDS) for _ in range(hand[kind])]
    rng.shuffle(pile)
    for i in range(state.seats):
        if i != seat:
            drawn = [pile.pop() for _ in range(sum(hands[i]))]
            other.hands[i * KINDS : (i + 1) * KINDS] = [drawn.count(kind) for kind in range(KINDS)]
    other.deck, other.deck_at = tuple(pile), 0
    if state.phase <= DEVELOPMENT:
        change_face_down_cards(other, seat, rng)
    return other


def change_face_down_cards(state: State, seat: int, rng: Random) -> None:
    power, used = list(state.power), list(state.used)
    for i in range(state.seats):
        if i != seat and power[i]:
            used[i] ^= 1 << (power[i] - 4)
            power[i] = rng.choice([card for card in range(4, 10) if not used[i] >> (card - 4) & 1])
            used[i] |= 1 << (power[i] - 4)
    state.power, state.used = tuple(power), tuple(used)


@some
@given(positions(), st.integers(-1, 3), seeds)
def test_changing_what_a_seat_cannot_see_never_changes_its_observation(
    state: State, seat: int, seed: int
) -> None:
    seat = min(seat, state.seats - 1)
    assert observe(unseen_changed(state, seat, Random(seed)), seat) == observe(state, seat)


@some
@given(positions(), st.integers(-1, 3))
def test_who_thinks_about_a_card_in_a_conflict_is_hidden_from_the_others(state: State, seat: int) -> None:
    """Where the acting seat is hidden, any other seat might be it, and nothing in the observation differs."""
    seat = min(seat, state.seats - 1)
    seen = observe(state, seat)
    if state.is_over() or seen.to_act != -1:
        return
    assert state.phase == CONFLICT
    for other in set(range(state.seats)) - {seat}:
        for step in (STEP_MAIN, STEP_GAMES):
            changed = state.clone()
            changed.actor, changed.step = other, step
            if changed.battle < 0:
                changed.step = STEP_MAIN
            if (
                changed.step == STEP_GAMES
                or not (changed.alone[other] | changed.claims[other]) & ~changed.settled
            ):
                assert observe(changed, seat) == seen


@some
@given(positions(), seeds)
def test_a_sampled_state_looks_the_same_and_allows_the_same(state: State, seed: int) -> None:
    for seat in (*state.acting(), -1):
        seen = observe(state, seat)
        if seen.to_act == -1 and not state.is_over():
            continue
        sample = determinize(seen, Random(seed), state.board, state.rules)
        assert observe(sample, seat) == seen
        if seat >= 0:
            assert sample.legal_actions(seat) == state.legal_actions(seat)
        assert sample.is_over() or len(sample.legal_actions()) >= 2
        sample.playout(seed)
        assert sample.is_over()


@some
@given(positions(), st.integers(0, 3), seeds)
def test_any_seat_can_sample_wherever_it_may_know_whose_decision_it_is(
    state: State, seat: int, seed: int
) -> None:
    seat %= state.seats
    seen = observe(state, seat)
    if seen.to_act == -1 and not state.is_over():
        with pytest.raises(ObservationError, match="hidden"):
            determinize(seen, Random(seed), state.board, state.rules)
        return
    sample = determinize(seen, Random(seed), state.board, state.rules)
    assert observe(sample, seat) == seen
    assert sample.is_over() or len(sample.legal_actions()) >= 2


@some
@given(positions())
def test_an_observation_is_made_of_whole_numbers_and_shares_nothing_with_the_state(state: State) -> None:
    before = fingerprint(state)
    seen = observe(state, 0)
    for name in FIELDS:
        value = getattr(seen, name)
        numbers = value if isinstance(value, list) else [value]
        assert all(type(number) is int for number in numbers), name
        if isinstance(value, list):
            value[:] = [-9] * len(value)
    assert fingerprint(state) == before


class TestHidden:
    def test_the_power_cards_of_others_until_the_reveal(self) -> None:
        table = in_development("card 4", "card 9, used 5", "card 7")
        seen = observe(table.state, 0)
        assert seen.own_power == 4
        assert seen.power == [0, 0, 0]
        assert seen.used == [0b000001, 0b000010, 0]
        assert seen.chosen == [1, 1, 1]
        table.do("place t01", "pass", "place t01", "pass", "place t01", "pass")
        assert observe(table.state, 0).power == [4, 9, 7]
        assert observe(table.state, -1).used == [0b000001, 0b100010, 0b001000]

    def test_the_hands_of_others_but_not_their_sizes(self) -> None:
        table = in_development("holds games", "holds eagle*2 rafts", "")
        seen = observe(table.state, 0)
        assert seen.hand == [0, 0, 0, 0, 1, 0, 0, 0]
        assert seen.hand_sizes == [1, 3, 0]
        assert observe(table.state, -1).hand == [0] * 8

    def test_that_a_seat_is_asked_about_sacred_games(self) -> None:
        table = in_conflict("card 9, pawns t16", "card 5, pawns t16, holds games", "card 4, pawns t16").do(
            "battle t16"
        )
        asked, other = observe(table.state, 1), observe(table.state, 2)
        assert (asked.to_act, asked.step) == (1, STEP_GAMES)
        assert (other.to_act, other.step) == (-1, STEP_MAIN)
        assert (other.battle, other.battle_by) == (15, 0)

    def test_that_a_seat_thinks_about_great_tlatoani_alone(self) -> None:
        table = in_conflict("card 8, pawns t16, holds tlatoani", "card 4, pawns t16*2", "card 5")
        assert observe(table.state, 0).to_act == 0
        assert observe(table.state, 1).to_act == -1
        table.do("tlatoani t16")
        assert observe(table.state, 1).to_act == 0


class TestPublic:
    def test_the_order_of_the_deck_is_hidden_but_its_size_and_the_discard_are_not(self) -> None:
        table = in_conflict("card 9, pawns t01", "card 4, pawns t01", "card 5", deck="only offering games")
        seen = observe(table.state, 2)
        assert seen.deck_size == 2
        assert seen.discard == [3, 3, 3, 8, 2, 3, 3, 3]

    def test_scores_stack_pools_reserves_and_removed_pawns(self) -> None:
        table = in_development("score 5, removed 2", "score 7, reserve 4", "pool 3")
        seen = observe(table.state, -1)
        assert seen.scores == [5, 7, 0]
        assert seen.arrivals == [2, 1, 0]
        assert seen.pool == [1, 1, 3]
        assert seen.removed == [2, 0, 0]
        assert seen.reserve[1] == 4
        assert seen.order == [1, 0, 2]

    def test_the_turn_order_while_power_cards_are_chosen(self) -> None:
        state = new_state(4, seed=3)
        assert observe(state, 2).order == list(state.order)


class TestRefused:
    @pytest.mark.parametrize("seat", [-2, 3, 17])
    def test_a_seat_that_is_not_there(self, seat: int) -> None:
        with pytest.raises(ObservationError, match="no seat"):
            observe(new_state(3), seat)

    @pytest.mark.parametrize(
        ("spoil", "problem"),
        [
            (lambda seen: seen.pawns.pop(), "do not fit"),
            (lambda seen: seen.hand_sizes.__setitem__(1, 9), "do not add up"),
        ],
    )
    def test_an_observation_that_cannot_be(self, spoil: Callable[[object], None], problem: str) -> None:
        state = new_state(3)
        seen = observe(state, 0)
        spoil(seen)
        with pytest.raises(ObservationError, match=problem):
            determinize(seen, Random(1), state.board, state.rules)

    def test_a_scoring_seat_that_could_hold_no_card_to_play(self) -> None:
        """The observer itself holds every card that could be asked about, yet another seat is asked."""
        everything = "jungle*3 mountains*3 fields*3 rafts*3"
        table = in_scoring("card 9, pawns t01", f"card 8, pawns t02, holds {everything}", "card 7")
        table.state.turn, table.state.actor = 0, 0
        table.state.phase = SCORING
        with pytest.raises(ObservationError, match="anything to decide"):
            determinize(observe(table.state, 1), Random(1), table.board, ruleset())


def test_the_end_of_a_game_can_be_sampled_too() -> None:
    state = new_state(3)
    state.playout(1)
    assert state.phase == OVER
    sample = determinize(observe(state, 1), Random(1), state.board, state.rules)
    assert sample.placements() == state.placements()
