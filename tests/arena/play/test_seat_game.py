"""What a browser is sent depends on what its seat may know, and on nothing else."""

import json
import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from arena.play.seat_game import SeatGame
from engine.actions import COEXIST, PASS, TLATOANI
from engine.boardfile import load_board
from engine.events import DREW
from engine.observation import HIDDEN, visible_actor
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


def to_a_visible_decision(game: SeatGame, me: int) -> None:
    """Pass at decisions of which `me` may not know that they are open: Sacred Games, Great Tlatoani."""
    while not game.state.is_over() and visible_actor(game.state, me) == HIDDEN:
        game.play([PASS])


def two_deals(seed: bytes, seats: int, me: int, chance: Any) -> tuple[SeatGame, SeatGame] | None:
    """Play one game until another seat draws a card; return it, and the same with another card there."""
    one, actions = new_game(seats, seed), list[int]()
    while not one.state.is_over():
        before, drawn = len(one.state.log or ()), one.state.deck_at
        # Peace where there is a choice, as it brings the cards.
        legal = one.state.legal_actions()
        actions.append(chance.choice([a for a in legal if COEXIST <= a < TLATOANI] or legal))
        one.play(actions[-1:])
        draws = [event for event in (one.state.log or ())[before:] if event[0] == DREW]
        if len(draws) == 1 and draws[0][1] != me:
            other = new_game(seats, seed)
            other.play(actions[:-1])
            deck = list(other.state.deck)
            unlike = [at for at in range(drawn + 1, len(deck)) if deck[at] != deck[drawn]]
            if not unlike:
                return None
            at = chance.choice(unlike)
            deck[drawn], deck[at] = deck[at], deck[drawn]
            other.state.deck = tuple(deck)
            other.play(actions[-1:])
            return one, other
    return None


@given(SEEDS, st.integers(2, 4), st.randoms(use_true_random=False))
def test_nobody_is_sent_which_cards_the_others_have_drawn(seed: bytes, seats: int, chance: Any) -> None:
    """Two games in which another seat drew another card look the same while the seat may know the same.

    One of the two may ask that seat about its card where the other has nothing to ask: nobody else learns it.
    """
    me = chance.randrange(seats)
    games = two_deals(seed, seats, me, chance)
    if games is None:
        return
    one, other = games
    assert one.state.hands != other.state.hands
    while True:
        to_a_visible_decision(one, me)
        to_a_visible_decision(other, me)
        if one.state.is_over() or other.state.is_over() or one.observation(me) != other.observation(me):
            return
        assert sent(one, me) == sent(other, me)
        common = [a for a in one.state.legal_actions() if a in other.state.legal_actions()]
        if not common:
            return
        action = chance.choice(common)
        one.play([action])
        other.play([action])
