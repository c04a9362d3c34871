"""Proof that the kernel plays by the engine's rules: random games, compared at every decision.

    make prove GAMES=1000000

Game n is settled by n: its seats, its ruleset (an edition or any mixture of options), its board and its way of
playing, which favours crowded boards, empty decks and played cards. At every decision the legal actions and every
field of the state (scores, hands, deck, pawns, all of them) are compared; at every 16th, and at the end, also
the fingerprint, a text of these fields that takes Python longer to write than all the rest; now and then also what
each seat sees, the refusals of actions that are not legal, a playout, a determinization, and the game by itself.

Every golden record is played first. Ctrl-C says how far it came, and FIRST=n goes on from there.
"""

import gc
import os
import signal
import sys
import time
from array import array
from collections import Counter
from collections.abc import Iterator
from functools import cache
from multiprocessing import get_context
from random import Random

from engine import State, encoding, load_board, load_record, observe
from engine.actions import all_actions
from engine.board import Board
from engine.boardfile import board_from_data
from engine.errors import IllegalActionError, ObservationError
from engine.kernel import Batch, BatchActionError, determinize, native_form
from engine.kernel.judge import FEATURES, end_age, judge
from engine.kernel.plain import Dice
from engine.observation import determinize as python_determinize
from engine.record import board_of, fingerprint
from engine.rulesets import CHOICES, EDITIONS, Ruleset, ruleset
from engine.rulesets import VERSION as RULES_VERSION
from tests.engine.make_golden import FOLDER
from tests.engine.small_boards import ISLET, ring

STRETCH = 16
"""How many decisions lie between two comparisons of fingerprints."""
OFTEN = 1 / 2000
"""How often the dearer comparisons are made."""
OUT_OF_RANGE = (-(2**70), -3, 1, 2, 3, 20, 63, 94, 127, 350, 1023, 1024, 5119, 5120, 9215, 9216, 2**31, 2**70)
CHUNK = 200
PROGRESS = 10_000


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


def compare_game(number: int, often: float = OFTEN) -> Counter[str]:
    """Play game `number` in both; an AssertionError names the decision at which they part. Count what was met.

    The kernel's `follow` plays both for a stretch and compares legal actions and fields before each decision.
    """
    rng = Random(number)
    state = start(number, rng)
    peaceful, crowd, stretch = rng.choice((0, 70, 95)), rng.choice((0, 0, 4, 8)), rng.randint(1, STRETCH)
    batch, met = Batch(state.seats, [state.seed], state.rules, state.board), Counter(games=1, decisions=0)
    while not state.is_over():
        done, cards, same = batch.games.follow(0, state, stretch, peaceful, crowd, rng.getrandbits(64))
        met.update(decisions=done, cards=cards, fingerprints=1)
        stretch, where = STRETCH, f"game {number}, decision {met['decisions']}"
        if not same or batch.fingerprint(0) != fingerprint(state):
            raise AssertionError(explain(batch, state, where))
        if rng.random() < often * STRETCH and not state.is_over():
            compare_closely(batch, state, rng, where)
            met["close"] += 1
    compare_ends(batch, state, f"game {number}")
    met.update(reshuffles=state.reshuffles, without_deck=state.deck_at == len(state.deck))
    return met


def compare_record(name: str) -> int:
    """Play a golden record in both; return the number of its decisions."""
    record, rng = load_record((FOLDER / f"{name}.aztr").read_bytes()), Random(name)
    state = State.new(len(record.seats), record.seed, record.ruleset, board_of(record))
    batch = Batch(state.seats, [record.seed], record.ruleset, state.board)
    for number, action in enumerate(record.actions):
        where = f"{name}, decision {number}"
        if not batch.is_at(0, state) or batch.fingerprint(0) != fingerprint(state):
            raise AssertionError(explain(batch, state, where))
        if number % 50 == 0:
            compare_closely(batch, state, rng, where)
        state.apply(action)
        batch.step([action])
    compare_ends(batch, state, name)
    return len(record.actions)


def compare_ends(batch: Batch, state: State, name: str) -> None:
    """Compare two games that are over."""
    assert batch.is_at(0, state), explain(batch, state, f"{name}, at the end")
    assert batch.fingerprint(0) == fingerprint(state), f"{name}, at the end"
    assert batch.scores(0) == state.scores(), f"{name}, at the end"
    assert batch.placements(0) == state.placements(), f"{name}, at the end"


def explain(batch: Batch, state: State, where: str) -> str:
    """Name what differs, field by field."""
    kernel, names = batch.state(0), [name for name in batch.games.fields(0) if name != "rules"]
    parts = {name: (getattr(kernel, name), getattr(state, name)) for name in names}
    parts["legal actions"] = (batch.legal_actions(0), state.legal_actions())
    parts["fingerprint"] = (batch.fingerprint(0), fingerprint(state))
    apart = [f"{name} is {a} instead of {b}" for name, (a, b) in parts.items() if a != b]
    return f"{where}: {'; '.join(apart) or 'what follows from the fields differs'}"


def golden_records() -> list[str]:
    """The names of the golden records of the rules as they are."""
    return sorted(path.stem for path in FOLDER.glob(f"rules{RULES_VERSION}-*.aztr"))


def compare_closely(batch: Batch, state: State, rng: Random, where: str) -> None:
    """All that is too slow to compare at every decision."""
    assert batch.fingerprint(0) == fingerprint(state), where
    assert Batch.of([state]).is_at(0, state), where
    assert fingerprint(batch.state(0)) == fingerprint(state), where
    compare_views(batch, state, where)
    compare_refusals(batch, state, rng, where)
    seed = rng.getrandbits(40)
    assert batch.playouts(0, 2, seed)[0] == [state.clone().playout(seed + i) for i in range(2)], where
    compare_single(batch, state.clone(), rng, where)
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


def compare_single(batch: Batch, state: State, rng: Random, where: str) -> None:
    """A game by itself answers as the state does, for some decisions and a playout to the end."""
    game = batch.single(0)
    for _ in range(20):
        legal = state.legal_actions() if not state.is_over() else ()
        assert game.legal_actions() == legal, where
        assert (game.to_act(), game.is_over()) == (state.to_act(), state.is_over()), where
        assert (game.scores(), game.placements()) == (state.scores(), state.placements()), where
        if legal:
            action = rng.choice(legal)
            game.apply(action)
            state.apply(action)
    seed = rng.getrandbits(64)
    assert game.clone().playout(seed) == state.clone().playout(seed), where


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
    """Compare the golden records, then GAMES games from number FIRST on, on JOBS processes."""
    games, first = int(os.environ.get("GAMES") or 1_000_000), int(os.environ.get("FIRST") or 0)
    if not native_form():
        sys.exit("The native kernel is not built here, so there is nothing to prove: `make install`.")
    records = [compare_record(name) for name in golden_records()]
    print(f"{len(records)} golden records, {sum(records):,} decisions: no difference")
    began, total = time.monotonic(), Counter[str]()
    with get_context("fork").Pool(int(os.environ.get("JOBS") or os.cpu_count() or 1), _set_up_worker) as pool:
        try:
            for met in pool.imap(chunk, chunks(first, first + games)):
                before, total = total["games"], total + met
                if total["games"] // PROGRESS > before // PROGRESS or total["games"] == games:
                    words = ", ".join(f"{count:,} {name}" for name, count in total.items())
                    print(f"{words}: no difference in {time.monotonic() - began:.0f} s", flush=True)
        except KeyboardInterrupt:
            sys.exit(
                f"Stopped. Games {first} to {first + total['games'] - 1} are equal; FIRST={first + total['games']} goes on."
            )


def _set_up_worker() -> None:
    """Let the parent alone answer Ctrl-C, and look for cycles seldom: a game leaves none."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(100_000)


def chunks(first: int, last: int) -> Iterator[range]:
    """The numbers in pieces."""
    for at in range(first, last, CHUNK):
        yield range(at, min(at + CHUNK, last))


if __name__ == "__main__":
    main()
