"""What a browser is sent depends on what its seat may know, and on nothing else."""

import json
import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from arena.play.seat_game import SeatGame
from engine.boardfile import load_board
from engine.position import CHOOSING, DEVELOPMENT
from engine.rulesets import ruleset

SEEDS = st.binary(min_size=32, max_size=32)


def new_game(seats: int, seed: bytes) -> SeatGame:
    return SeatGame(seats, seed, ruleset(), load_board(), range(seats))


def sent(game: SeatGame, seat: int) -> bytes:
    """All bytes that tell a seat about the game."""
    return json.dumps([game.frames[seat], game.turn(seat)]).encode()


@given(st.integers(2, 4), SEEDS, st.randoms(use_true_random=False), st.integers(0, 4))
def test_nobody_is_sent_which_cards_the_others_have_chosen(
    seats: int, seed: bytes, chance: Any, ages: int
) -> None:
    """Two games that differ in what the others chose look the same until the cards are revealed."""
    one, other = new_game(seats, seed), new_game(seats, seed)
    while not one.state.is_over() and (one.state.age <= ages or one.state.phase != CHOOSING):
        action = chance.choice(one.state.legal_actions())
        one.play([action])
        other.play([action])
    if one.state.is_over():
        return
    me = chance.randrange(seats)
    for seat in one.state.acting():
        legal = one.state.legal_actions(seat)
        mine = chance.choice(legal)
        one.play([mine])
        other.play([mine if seat == me else chance.choice(legal)])
    while one.state.phase == DEVELOPMENT:
        assert sent(one, me) == sent(other, me)
        action = chance.choice(
            [one_ for one_ in one.state.legal_actions() if one_ in other.state.legal_actions()]
        )
        one.play([action])
        other.play([action])


@given(SEEDS, SEEDS, st.integers(2, 4))
def test_nobody_is_sent_the_deck(seed: bytes, another: bytes, seats: int) -> None:
    """Two games whose decks differ look the same until a card is drawn, if the first order of play is equal."""
    one, other = new_game(seats, seed), new_game(seats, another)
    if one.state.arrival != other.state.arrival:
        return
    chance = random.Random(seed)
    while one.state.phase in (CHOOSING, DEVELOPMENT):
        for seat in range(seats):
            assert sent(one, seat) == sent(other, seat)
        action = chance.choice(one.state.legal_actions())
        one.play([action])
        other.play([action])


@given(SEEDS, st.integers(2, 4), st.randoms(use_true_random=False))
def test_a_game_that_is_followed_is_the_game_that_is_read_at_once(
    seed: bytes, seats: int, chance: Any
) -> None:
    followed, actions = new_game(seats, seed), []
    for _ in range(60):
        actions.append(chance.choice(followed.state.legal_actions()))
        followed.play(actions[-1:])
    at_once = new_game(seats, seed)
    at_once.play(actions)
    assert [sent(followed, seat) for seat in range(seats)] == [sent(at_once, seat) for seat in range(seats)]


def test_a_seat_that_is_not_asked_is_sent_no_actions() -> None:
    game = new_game(3, bytes(32))
    game.play([4, 5, 6])
    asked = game.state.to_act()
    assert [bool(game.turn(seat)["legal"]) for seat in range(3)] == [seat == asked for seat in range(3)]
