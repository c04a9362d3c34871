"""`Batch`: games of one seat count on one board, played in parallel. Checks everything that callers pass.

Rows are written into buffers (`array`, `bytearray`, NumPy arrays), so this needs no third-party package. One
batch must not be used by two threads at once; several may be, and play without the interpreter's lock.
"""

from array import array
from collections.abc import Sequence
from functools import cache
from operator import index
from typing import Any, Final

from engine.board import Board
from engine.boardfile import load_board
from engine.errors import IllegalActionError, ObservationError
from engine.kernel.errors import BatchActionError, BatchError
from engine.kernel.foretell import INPUTS, WEIGHTS
from engine.kernel.form import form, native_form
from engine.kernel.judge import FEATURES
from engine.kernel.single import KernelState
from engine.observation import Observation
from engine.randomness import SEED_BYTES
from engine.rulesets import CHOICES, Ruleset, ruleset
from engine.state import State

SKIP: Final = -1
"""In the actions of `step`: leave this game as it is."""
ACTING: Final = -2
"""Observe each game from its acting seat."""
_LARGE: Final = 2**62
_IN_PLACE: Final = ("pawns", "present", "pool", "placed", "hands")


@cache
def _table(board: Board) -> Any:
    return form().Table(board)


@cache
def rule_bits(rules: Ruleset) -> int:
    """Return a bit mask with a bit for each option that is not the first of its choices."""
    return sum(
        1 << i for i, (option, values) in enumerate(CHOICES.items()) if getattr(rules, option) != values[0]
    )


def crew(threads: int) -> Any:
    """Return threads that share the work of a batch's `games`; None where one is wanted, or can be used."""
    return form().Crew(threads) if threads > 1 and native_form() else None


class Batch:
    """Games from their seeds (32 bytes each), by one ruleset; or of states, by `Batch.of`."""

    def __init__(
        self, seats: int, seeds: Sequence[bytes], rules: Ruleset | None = None, board: Board | None = None
    ) -> None:
        for seed in seeds:
            if not isinstance(seed, bytes) or len(seed) != SEED_BYTES:
                raise BatchError(f"a seed is {SEED_BYTES} bytes, not {seed!r:.60}")
        rules = rules or ruleset()
        self.lay_out(seats, [rules] * len(seeds), board or load_board())
        for i, seed in enumerate(seeds):
            self.games.deal(i, seed, rule_bits(rules))

    def lay_out(self, seats: int, rules: list[Ruleset], board: Board) -> None:
        """Make room for one game per ruleset; `games` holds them in the form that runs."""
        if type(seats) is not int or not 2 <= seats <= 4:
            raise BatchError(f"a game has 2, 3 or 4 seats, not {seats!r:.20}")
        self.seats, self.size, self.board, self.rules = seats, len(rules), board, rules
        self.games = form().Games(_table(board), seats, len(rules))
        self.observation_size, self.action_count = self.games.sizes()

    @classmethod
    def of(cls, states: Sequence[State]) -> "Batch":
        """Return a batch of these states, which keep their rulesets; all need one seat count and board."""
        if not states:
            raise BatchError("a batch of no states has no number of seats")
        batch, first = cls.__new__(cls), states[0]
        batch.lay_out(first.seats, [state.rules for state in states], first.board)
        for i, state in enumerate(states):
            if state.seats != first.seats or state.board is not first.board:
                raise BatchError(
                    f"game {i}: all games of a batch need the same number of seats and the same board"
                )
            try:
                batch.games.load(i, state, rule_bits(state.rules))
            except ValueError as error:
                raise BatchError(f"game {i}: this is not a valid state: {error}") from None
        return batch

    def clone(self) -> "Batch":
        """Return an independent copy."""
        copy = type(self).__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy.games = self.games.clone()
        return copy

    def step(self, actions: Any) -> None:
        """Play one action in each game, for its acting seat; SKIP (-1) leaves a game as it is.

        An action that the rules forbid raises BatchActionError, which names the game, and no game has moved.
        """
        given = _numbers(actions, self.size)
        problem = self.games.check(given, 0, self.size, False)
        if problem is not None:
            game, rule = problem
            raise BatchActionError(game, rule, int(actions[game]))
        self.games.apply(given, 0, self.size)

    def to_act(self) -> list[int]:
        """Return the acting seat of each game; -1 where it is over."""
        return [seat if seat < 128 else -1 for seat in self.games.actors()]

    def age(self, game: int) -> int:
        """Return the age of one game."""
        return int(self.games.age(game))

    def legal_actions(self, game: int) -> tuple[int, ...]:
        """Return the legal actions of one game, in the order of `State.legal_actions`."""
        found: tuple[int, ...] = self.games.legal(index(game))
        return found

    def legal_mask(self, out: Any = None) -> Any:
        """1 for each legal action of each game, by its index in `engine.encoding.actions`, as bytes."""
        shape = (self.size, self.action_count)
        out = _room(shape) if out is None else _checked(out, shape, "bB?", "bytes")
        self.games.mask_into(out, 0, self.size)
        return out

    def observe_into(self, out: Any, seat: int = ACTING) -> None:
        """Write what a seat (by default each game's acting one; -1: spectators) sees, as 16-bit numbers."""
        if not ACTING <= seat < self.seats:
            raise BatchError(f"there is no seat {seat} to observe from")
        out = _checked(out, (self.size, self.observation_size), "h", "16-bit integers")
        self.games.observe_into(out, 0, self.size, seat)

    def state(self, game: int) -> State:
        """Return one game as a state of the Python engine."""
        found, size = self.games.fields(game), self.board.size
        state = State(self.board, self.rules[game], self.seats, self.games.seed(game))
        found["pawns"] = [
            n for side in range(self.seats) for n in found["pawns"][60 * side : 60 * side + size]
        ]
        for name, value in found.items():
            if name != "rules":
                setattr(state, name, list(value) if name in _IN_PLACE else value)
        return state

    def single(self, game: int) -> KernelState:
        """Return a copy of one game that is played by itself."""
        found: KernelState = self.games.single(index(game), IllegalActionError)
        return found

    def scores(self, game: int) -> list[int]:
        """Return the points by seat."""
        return list(self.games.fields(game)["score"])

    def placements(self, game: int) -> list[int]:
        """Return the places by seat, 1 for the best; final when the game is over."""
        return list(self.games.placements(game))

    def fingerprint(self, game: int) -> bytes:
        """Return the `engine.record.fingerprint` of one game."""
        found: bytes = self.games.fingerprint(game)
        return found

    def is_at(self, game: int, state: State) -> bool:
        """Return whether a game is in exactly this state, in every field, and offers the same actions."""
        return bool(self.games.same(game, state, rule_bits(state.rules), state.legal_actions()))

    def judge_into(self, out: Any) -> None:
        """Write `engine.kernel.judge.FEATURES` of each seat of each game, as 32-bit numbers."""
        out = _checked(out, (self.size, self.seats * len(FEATURES)), "i", "32-bit integers")
        self.games.judge_into(out)

    def foretell_into(self, out: Any, network: Any) -> None:
        """Write what a network (`engine.kernel.foretell`) foretells for each seat of each game, as floats."""
        out = _checked(out, (self.size, self.seats), "f", "32-bit floats")
        self.games.foretell_into(out, _network(network))

    def think(
        self, network: Any, worlds: int, seed: int, explore: float = 0.0, seen: Any = None
    ) -> "array[int]":
        """Return for each game the action that the network likes best for the acting seat; -1 if it is over.

        What the seat cannot know is dealt anew in each of the worlds. With the chance `explore` it is any
        legal action. `seen` gets what the network saw after the action in the last world, a row per game.
        """
        if not 1 <= worlds <= 1000 or not 0 <= explore <= 1:
            raise BatchError(f"{worlds} worlds and the chance {explore}: 1 to 1000 and 0 to 1 are possible")
        if seen is not None:
            seen = _checked(seen, (self.size, INPUTS), "f", "32-bit floats")
        chosen = array("q", bytes(8 * self.size))
        self.games.think_into(
            chosen, seen, _network(network), worlds, round(explore * 1_000_000), seed % 2**64
        )
        return chosen

    def end_age(self, seed: int) -> None:
        """Play each game's age to its end in the quick way of `engine.kernel.judge.end_age`."""
        self.games.end_age(seed % 2**64)

    def take(self, numbers: Any) -> "Batch":
        """Return copies of these games in this order; a game may be listed several times."""
        given = _numbers(numbers, len(numbers))
        chosen = type(self).__new__(type(self))
        chosen.__dict__.update(self.__dict__)
        chosen.games, chosen.size = self.games.take(given), len(given)
        chosen.rules = [self.rules[i] for i in given]
        return chosen

    def playouts(self, game: int, n: int, seed: int) -> tuple[list[list[int]], int]:
        """Return the placements of n uniformly random playouts of one game, and their number of decisions."""
        if type(n) is not int or n < 0:
            raise BatchError(f"the number of playouts is {n!r:.20}; it must be 0 or more")
        places, decisions = self.games.playouts(game, n, seed % 2**64)
        return [list(places[i : i + self.seats]) for i in range(0, len(places), self.seats)], decisions


def playouts(state: State, n: int, seed: int) -> list[list[int]]:
    """Return the placements of `state.clone().playout(seed + i)` for i below n; the state does not change."""
    return Batch.of([state]).playouts(0, n, seed)[0]


def determinize(
    observations: Sequence[Observation],
    seeds: Sequence[int],
    board: Board | None = None,
    rules: Ruleset | None = None,
) -> Batch:
    """Return one game per seed: full states consistent with its observation, or with the only one given.

    The same seed gives the same state in every form of the kernel, and any two seeds independent ones.
    """
    if not observations or len(observations) not in (1, len(seeds)):
        raise BatchError(
            f"{len(observations)} observations do not fit {len(seeds)} seeds: give one, or one each"
        )
    batch, rules = Batch.__new__(Batch), rules or ruleset()
    batch.lay_out(observations[0].seats, [rules] * len(seeds), board or load_board())
    words = array("Q", [seed % 2**64 for seed in seeds])
    each = len(seeds) if len(observations) == 1 else 1
    for i, seen in enumerate(observations):
        if seen.seats != batch.seats:
            raise BatchError(f"observation {i} is of {seen.seats} seats, the first of {batch.seats}")
        try:
            batch.games.determinize(i, i + each, seen, rule_bits(rules), words[i : i + each])
        except ValueError as error:
            raise ObservationError(f"observation {i}: {error}") from None
    return batch


def _numbers(actions: Any, count: int) -> Any:
    """Return an array of 64-bit numbers; arrays that already hold such numbers are used as they are."""
    try:
        view = memoryview(actions)
    except TypeError:
        view = None
    fine = (
        isinstance(actions, Sequence)
        if view is None
        else view.ndim == 1 and view.format in list("bBhHiIlLqQ")
    )
    try:
        if not fine or isinstance(actions, bytes):
            raise TypeError
        numbers: Any = view
        if view is None or view.format not in ("l", "q") or view.itemsize != 8 or not view.contiguous:
            numbers = array("q", [max(-_LARGE, min(_LARGE, index(action))) for action in actions])
    except TypeError:
        raise BatchError("actions are a row of whole numbers, one for each game") from None
    if len(numbers) != count:
        raise BatchError(f"{len(numbers)} actions were given for {count} games")
    return numbers


def _network(weights: Any) -> memoryview:
    try:
        view = memoryview(weights)
        fine = view.c_contiguous and view.nbytes == 4 * WEIGHTS and view.format in ("f", "B")
    except TypeError:
        fine = False
    if not fine:
        raise BatchError(f"a network is {WEIGHTS} 32-bit floats, as arrays or bytes")
    return view


def _room(shape: tuple[int, int]) -> memoryview:
    empty = memoryview(bytearray(shape[0] * shape[1]))
    return empty.cast("B", shape) if all(shape) else empty


def _checked(out: Any, shape: tuple[int, int], kinds: str, words: str) -> memoryview:
    """Return a buffer that can hold these rows; raise one clear error for everything else."""
    try:
        view = memoryview(out)
    except TypeError:
        raise BatchError(f"a buffer of {words} is needed, not {type(out).__name__}") from None
    fits = view.shape == shape or view.shape == (shape[0] * shape[1],)
    if view.readonly or not view.c_contiguous or view.format not in list(kinds) or not fits:
        raise BatchError(
            f"a writable buffer of {shape[0]} x {shape[1]} {words} in C order is needed; this one has shape "
            f"{view.shape}, format {view.format!r}{', and is read-only' if view.readonly else ''}"
        )
    return view
