"""Loops of uniformly random play, ours and the peers', each run for a moment when the parent asks.

`python -m bench._engine_loops` reads lines of a loop's name and seconds, and answers each with a line of
JSON: what was counted, and the processor seconds it took, since a busy machine stretches those of the clock.
"""

import json
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import count
from random import Random
from time import process_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine import State

Counts = dict[str, float]
SEATS_OF_PLAYOUTS = 4


def for_seconds(seconds: float, play: Callable[[int], Counts]) -> Counts:
    """Play games until the time is over; sum up what they counted."""
    total: Counts = {"games": 0}
    begin = process_time()
    for number in count():
        for name, value in play(number).items():
            total[name] = total.get(name, 0) + value
        total["games"] += 1
        total["seconds"] = process_time() - begin
        if total["seconds"] >= seconds:
            return total
    raise AssertionError("counting never ends")


def ours(seats: int) -> Callable[[float], Counts]:
    """`legal_actions()` and `apply()`, driven from Python."""
    from engine import State

    rng = Random(seats)
    random = rng.random

    def game(_: int) -> Counts:
        state = State.new(seats, rng.randbytes(32))
        decisions = 0
        while not state.is_over():
            legal = state.legal_actions()
            state.apply(legal[int(random() * len(legal))])
            decisions += 1
        return {"decisions": decisions}

    return lambda seconds: for_seconds(seconds, game)


def single() -> Callable[[float], Counts]:
    """The same loop as `ours`, line by line, over a game of the kernel."""
    from engine.kernel import Batch

    rng = Random(SEATS_OF_PLAYOUTS)
    random = rng.random

    def game(_: int) -> Counts:
        state = Batch(SEATS_OF_PLAYOUTS, [rng.randbytes(32)]).single(0)
        decisions = 0
        while not state.is_over():
            legal = state.legal_actions()
            state.apply(legal[int(random() * len(legal))])
            decisions += 1
        return {"decisions": decisions}

    return lambda seconds: for_seconds(seconds, game)


def our_playouts() -> Callable[[float], Counts]:
    """`State.playout`: the whole game inside the engine. How long each game is was counted before."""
    from engine import State

    games = [(number.to_bytes(32, "big"), number) for number in range(200)]
    lengths = [sum(1 for _ in _by_hand(State.new(SEATS_OF_PLAYOUTS, seed), number)) for seed, number in games]

    def game(number: int) -> Counts:
        seed, chance = games[number % len(games)]
        State.new(SEATS_OF_PLAYOUTS, seed).playout(chance)
        return {"decisions": lengths[number % len(games)]}

    return lambda seconds: for_seconds(seconds, game)


def kernel_playouts() -> Callable[[float], Counts]:
    """`engine.kernel`: whole games from their beginning, some hundred at a call, without the interpreter."""
    from engine.kernel import Batch

    batch = Batch(SEATS_OF_PLAYOUTS, [number.to_bytes(32, "big") for number in range(200)])

    def games(number: int) -> Counts:
        return {"decisions": batch.playouts(number % 200, 100, number * 100)[1]}

    return lambda seconds: for_seconds(seconds, games)


def _by_hand(state: "State", seed: int) -> Iterator[None]:
    """The decisions of a playout, one by one."""
    word = (seed * 2654435761 + 1) & 0xFFFFFFFF or 1
    while not state.is_over():
        word ^= (word << 13) & 0xFFFFFFFF
        word ^= word >> 17
        word ^= (word << 5) & 0xFFFFFFFF
        legal = state.legal_actions()
        state.apply(legal[word % len(legal)])
        yield


def our_clones() -> Callable[[float], Counts]:
    """`State.clone` of states all along a game of four."""
    from engine import State

    rng, state, states = Random(1), State.new(4, bytes(32)), []
    while not state.is_over():
        states.append(state.clone())
        state.apply(rng.choice(state.legal_actions()))

    def clones(_: int) -> Counts:
        for one in states:
            one.clone()
        return {"clones": len(states)}

    return lambda seconds: for_seconds(seconds, clones)


def hearts_documented() -> Callable[[float], Counts]:
    """OpenSpiel's hearts the way its documentation plays: chance is sampled from `chance_outcomes()`."""
    game = import_module("pyspiel").load_game("hearts")
    rng = Random(1)
    random = rng.random

    def play(_: int) -> Counts:
        state = game.new_initial_state()
        steps = decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, weights)[0])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(random() * len(legal))])
                decisions += 1
            steps += 1
        return {"steps": steps, "decisions": decisions}

    return lambda seconds: for_seconds(seconds, play)


def hearts_bare() -> Callable[[float], Counts]:
    """The leanest loop: chance nodes are taken for decisions, their outcomes for legal actions."""
    game = import_module("pyspiel").load_game("hearts")
    random = Random(1).random
    chance = _chance_nodes()

    def play(_: int) -> Counts:
        state = game.new_initial_state()
        steps = 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(random() * len(legal))])
            steps += 1
        return {"steps": steps, "decisions": steps - chance}

    return lambda seconds: for_seconds(seconds, play)


def hearts_inside() -> Callable[[float], Counts]:
    """OpenSpiel's playouts in C++: `evaluate_bots` with its uniformly random bots."""
    pyspiel = import_module("pyspiel")
    game = pyspiel.load_game("hearts")
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(4)]
    chance = _chance_nodes()

    def play(number: int) -> Counts:
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, number)
        steps = state.move_number()
        return {"steps": steps, "decisions": steps - chance}

    return lambda seconds: for_seconds(seconds, play)


def _chance_nodes() -> int:
    """A game of hearts always has the same number: whom to pass to, and the 52 cards dealt."""
    state = import_module("pyspiel").load_game("hearts").new_initial_state()
    found = 0
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
        found += 1
    return found


def catanatron() -> Callable[[float], Counts]:
    """Catan of four random bots in plain Python."""
    library = import_module("catanatron")
    players = [library.RandomPlayer(color) for color in list(library.Color)[:4]]

    def play(_: int) -> Counts:
        game = library.Game(players)
        game.play()
        return {"decisions": len(game.state.actions)}

    return lambda seconds: for_seconds(seconds, play)


LOOPS: dict[str, Callable[[], Callable[[float], Counts]]] = {
    "2 seats": lambda: ours(2),
    "3 seats": lambda: ours(3),
    "4 seats": lambda: ours(4),
    "4 seats, kernel": single,
    "playout": our_playouts,
    "kernel": kernel_playouts,
    "clone": our_clones,
    "hearts, documented loop": hearts_documented,
    "hearts, bare loop": hearts_bare,
    "hearts, inside C++": hearts_inside,
    "catanatron": catanatron,
}


def serve() -> None:
    """Answer until the parent closes the pipe. A loop is made once, so what it prepares is not measured."""
    made: dict[str, Callable[[float], Counts]] = {}
    for line in sys.stdin:
        name, _, seconds = line.strip().rpartition(" ")
        try:
            if name not in made:
                made[name] = LOOPS[name]()
                made[name](0.01)
            answer: object = made[name](float(seconds))
        except ImportError as error:
            answer = {"missing": str(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve()
