"""The engine and the second reading of the rules play the same games and agree on everything.

`python -m tests.engine.test_second_reading 5000` compares so many games: all seats, editions and mixtures.
"""

import sys
from collections import Counter
from random import Random

from hypothesis import given

from engine import State
from engine.actions import from_text, to_text
from engine.cards import KINDS
from engine.rulesets import CHOICES, EDITIONS, Ruleset, ruleset
from tests.engine.random_games import few, pick, rulesets, seat_counts, seeds, start
from tests.engine.second_reading import CARDS, Game

KIND_NAMES = tuple(CARDS)


def compare(seats: int, seed: int, rules: Ruleset) -> Counter[str]:
    """Play one game by both, random but fond of cards; return how often each kind of action was taken."""
    state, rng, taken = start(seats, seed, rules), Random(seed), Counter[str]()
    second = Game(seats, state.seed, rules.options())
    questions = second.play()
    question = next(questions, None)
    while question is not None:
        seat, answers = question
        assert (state.to_act(), texts(state)) == (seat, answers)
        action = pick(state, rng)
        text = to_text(action, state.board)
        assert from_text(text, state.board) == action
        taken[text.split()[0]] += 1
        state.apply(action)
        try:
            question = questions.send(text)
        except StopIteration:
            question = None
        if state.phase or question is None:  # the choosing is simultaneous, and not to be compared midway
            assert parts_of(state) == parts_of_second(second)
    assert state.is_over()
    assert state.placements() == second.places()
    return taken


def texts(state: State) -> set[str]:
    return {to_text(action, state.board) for action in state.legal_actions()}


def parts_of(state: State) -> dict[str, object]:
    size, ids = state.board.size, state.board.ids
    hands = [state.hands[seat * KINDS : (seat + 1) * KINDS] for seat in range(state.seats)]
    return {
        "scores": state.scores(),
        "order": list(state.order),
        "pawns": {
            (ids[t], side): state.pawns[side * size + t]
            for side in range(state.seats)
            for t in range(size)
            if state.pawns[side * size + t]
        },
        "pool": list(state.pool),
        "reserve": list(state.reserve),
        "removed": list(state.removed),
        "hands": [dict(zip(KIND_NAMES, hand, strict=True)) for hand in hands],
        "deck": [KIND_NAMES[kind] for kind in state.deck[state.deck_at :]],
        "discard": dict(zip(KIND_NAMES, state.discard, strict=True)),
    }


def parts_of_second(game: Game) -> dict[str, object]:
    return {
        "scores": [game.score(seat) for seat in game.seats],
        "order": game.order,
        "pawns": {
            (territory, side): pawns
            for territory, by_side in game.pawns.items()
            for side, pawns in by_side.items()
            if pawns
        },
        "pool": [game.pool[seat] for seat in game.seats],
        "reserve": game.reserve,
        "removed": [game.removed[side] for side in game.seats],
        "hands": [{card: hand[card] for card in CARDS} for hand in game.hands],
        "deck": game.deck,
        "discard": {card: game.discard[card] for card in CARDS},
    }


@few
@given(seat_counts, seeds, rulesets)
def test_the_engine_plays_as_a_second_reading_of_the_books_does(
    seats: int, seed: int, rules: Ruleset
) -> None:
    compare(seats, seed, rules)


def main(games: int) -> None:
    """Compare games of 2, 3 and 4 seats in turn: every edition as it is, then a mixture."""
    rng, taken, played = Random(games), Counter[str](), Counter[str]()
    for number in range(games):
        seats, kind = 2 + number % 3, number // 3 % (len(EDITIONS) + 1)
        mixture = Ruleset("mixed", *[rng.choice(values) for values in CHOICES.values()])
        rules = ruleset(EDITIONS[kind]) if kind < len(EDITIONS) else mixture
        taken += compare(seats, rng.getrandbits(32), rules)
        played[f"{seats} seats, {rules.name}"] += 1
    print("\n".join(f"{name}: {times} games" for name, times in sorted(played.items())))
    print(f"{games} games, all the same: {dict(taken.most_common())}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
