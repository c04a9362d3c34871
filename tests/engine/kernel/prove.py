"""Proof that the kernel plays by the engine's rules: random games, compared at every decision.

    make prove GAMES=1000000

Game n is settled by n: its seats, its ruleset (an edition or any mixture of options), its board and its way of
playing, which favours crowded boards, empty decks and played cards. At every decision the legal actions and
every field of the state are compared; now and then also the fingerprint, what each seat sees, the refusals
of actions that are not legal, a playout, and a determinization.
"""

import os
import sys
import time
from array import array
from collections import Counter
from collections.abc import Iterator
from functools import cache
from multiprocessing import get_context
from random import Random

from engine import State, encoding, load_board, observe
from engine.actions import all_actions
from engine.board import Board
from engine.boardfile import board_from_data
from engine.errors import IllegalActionError, ObservationError
from engine.kernel import Batch, BatchActionError, determinize, native_form
from engine.kernel.judge import FEATURES, end_age, judge
from engine.kernel.plain import Dice
from engine.observation import determinize as python_determinize
from engine.position import CHOOSING, DEVELOPMENT
from engine.record import fingerprint
from engine.rulesets import CHOICES, EDITIONS, Ruleset, ruleset
from tests.engine.small_boards import ISLET, ring

OFTEN = 1 / 400
"""How often the dearer comparisons are made."""
OUT_OF_RANGE = (-(2**70), -3, 1, 2, 3, 20, 63, 94, 127, 350, 1023, 1024, 5119, 5120, 9215, 9216, 2**31, 2**70)
CHUNK = 200


@cache
def boards() -> list[Board]:
    """The real board most often; a small one, and rings of the least and the most territories."""
    others = [load_board(str(ISLET)), *[board_from_data(f"ring{n}", ring(n)) for n in (5, 60)]]
    return [load_board()] * 9 + others


def start(number: int, rng: Random) -> State:
    """A new game of any seats, rules and board."""
    rules = ruleset(rng.choice(EDITIONS))
    if rng.random() < 0.5:
        rules = Ruleset("mixed", **{option: rng.choice(values) for option, values in CHOICES.items()})
    return State.new(2 + number % 3, rng.randbytes(32), rules, rng.choice(boards()))


def choose(state: State, legal: tuple[int, ...], peaceful: float, crowd: int, rng: Random) -> int:
    """A random action: more often than chance peace and cards, or a place among the first few."""
    if state.phase == DEVELOPMENT and state.step == 0 and crowd:
        return legal[int(rng.random() * crowd) % len(legal)]
    if state.phase != CHOOSING and rng.random() < peaceful:
        cards = [a for a in legal if 15 <= a < 64 or 128 <= a < 192 or 256 <= a < 1024 or a >= 5120]
        if cards:
            return rng.choice(cards)
    return legal[int(rng.random() * len(legal))]


def compare_game(number: int, often: float = OFTEN) -> Counter[str]:
    """Play game `number` in both; an AssertionError names the decision at which they part. Count what was met."""
    rng = Random(number)
    state = start(number, rng)
    batch = Batch(state.seats, [state.seed], state.rules, state.board)
    peaceful, crowd = rng.choice((0, 0.7, 0.95)), rng.choice((0, 0, 4, 8))
    met: Counter[str] = Counter(games=1, decisions=0)
    while not state.is_over():
        where = f"game {number}, decision {met['decisions']}"
        legal = state.legal_actions()
        assert batch.legal_actions(0) == legal, where
        assert batch.is_at(0, state), f"{where}: {batch.fingerprint(0)!r} is not {fingerprint(state)!r}"
        if rng.random() < often:
            compare_closely(batch, state, rng, where)
            met["close"] += 1
        action = choose(state, legal, peaceful, crowd, rng)
        state.apply(action)
        batch.step(array("q", [action]))
        met["decisions"] += 1
        met["cards played"] += (
            15 <= action < 64 or 128 <= action < 192 or 320 <= action < 384 or action >= 5120
        )
    assert batch.is_at(0, state), f"game {number}, at the end"
    assert batch.fingerprint(0) == fingerprint(state)
    assert batch.scores(0) == state.scores()
    assert batch.placements(0) == state.placements()
    met["reshuffles"] += state.reshuffles
    met["ended without deck"] += state.deck_at == len(state.deck)
    return met


def compare_closely(batch: Batch, state: State, rng: Random, where: str) -> None:
    """All that is too slow to compare at every decision."""
    assert batch.fingerprint(0) == fingerprint(state), where
    assert Batch.of([state]).is_at(0, state), where
    assert fingerprint(batch.state(0)) == fingerprint(state), where
    compare_views(batch, state, where)
    compare_refusals(batch, state, rng, where)
    seed = rng.getrandbits(40)
    assert batch.playouts(0, 2, seed)[0] == [state.clone().playout(seed + i) for i in range(2)], where
    compare_judgements(state, seed, where)
    compare_worlds(state, seed, where)


def compare_views(batch: Batch, state: State, where: str) -> None:
    """What each seat and spectators see, and the mask."""
    row = array("h", bytes(2 * batch.observation_size))
    for seat in range(-1, state.seats):
        batch.observe_into(row, seat)
        assert row.tolist() == encoding.encode(observe(state, seat), state.board), where
    assert bytes(batch.legal_mask()) == bytes(encoding.action_mask(state.legal_actions(), state.board)), where


def compare_refusals(batch: Batch, state: State, rng: Random, where: str) -> None:
    """Actions that are not legal are refused with the same rule, and change nothing."""
    legal, before = set(state.legal_actions()), fingerprint(state)
    for action in {*rng.sample(all_actions(state.board), 8), *rng.sample(OUT_OF_RANGE, 6)} - legal:
        expected = found = None
        try:
            state.apply(action)
        except IllegalActionError as error:
            expected = (error.rule, error.action)
        try:
            batch.step([action])
        except BatchActionError as error:
            found = (error.rule, error.action)
        assert found == expected, f"{where}, action {action}"
    assert batch.fingerprint(0) == before, where


def compare_judgements(state: State, seed: int, where: str) -> None:
    """The numbers that evaluations are made of, and the quick end of an age."""
    batch = Batch.of([state]).take([0, 0])
    numbers = array("i", bytes(4 * batch.size * state.seats * len(FEATURES)))
    batch.judge_into(numbers)
    assert numbers.tolist() == 2 * [number for seat in judge(state) for number in seat], where
    batch.end_age(seed)
    for i in range(2):
        after = state.clone()
        end_age(after, seed + i)
        assert batch.is_at(i, after), where


def compare_worlds(state: State, seed: int, where: str) -> None:
    """The same seed samples the same world from the acting seat's observation, and a seat sees no difference."""
    seen = observe(state, state.to_act())
    try:
        expected = python_determinize(seen, Dice(seed), state.board, state.rules)
    except ObservationError:
        return
    world = determinize([seen], [seed], state.board, state.rules)
    assert world.is_at(0, expected), where
    assert observe(world.state(0), seen.seat) == seen, where


def chunk(numbers: range) -> Counter[str]:
    """Compare some games."""
    return sum((compare_game(number) for number in numbers), Counter())


def main() -> None:
    """Compare GAMES games from number FIRST on, on JOBS processes."""
    games, first = int(os.environ.get("GAMES") or 1_000_000), int(os.environ.get("FIRST") or 0)
    if not native_form():
        sys.exit("The native kernel is not built here, so there is nothing to prove: `make install`.")
    began, total = time.monotonic(), Counter[str]()
    with get_context("fork").Pool(int(os.environ.get("JOBS") or os.cpu_count() or 1)) as pool:
        for met in pool.imap_unordered(chunk, chunks(first, first + games)):
            before, total = total["games"], total + met
            if total["games"] // 10_000 > before // 10_000 or total["games"] == games:
                words = ", ".join(f"{count:,} {name}" for name, count in total.items())
                print(f"{words}: no difference in {time.monotonic() - began:.0f} s", flush=True)


def chunks(first: int, last: int) -> Iterator[range]:
    """The numbers in pieces."""
    for at in range(first, last, CHUNK):
        yield range(at, min(at + CHUNK, last))


if __name__ == "__main__":
    main()
