"""Random games for Hypothesis: any seats, any mixture of options, stopped anywhere."""

from collections.abc import Iterator
from itertools import islice
from random import Random

from hypothesis import settings
from hypothesis import strategies as st

from engine import Recorder, State
from engine.position import CHOOSING, CONFLICT, PHASE_NAMES, STEP_GAMES
from engine.rulesets import CHOICES, EDITIONS, Ruleset, ruleset

mixtures = st.builds(Ruleset, st.just("mixed"), *[st.sampled_from(values) for values in CHOICES.values()])
rulesets = st.sampled_from(EDITIONS).map(ruleset) | mixtures
seat_counts = st.integers(2, 4)
seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=25, deadline=None)
some = settings(max_examples=60, deadline=None)

PEACEFUL = 0.7  # how often a game prefers coexistence and playing cards, so that all cards come to be used


def start(seats: int, seed: int, rules: Ruleset) -> State:
    return State.new(seats, Random(seed).randbytes(32), rules)


def pick(state: State, rng: Random) -> int:
    """A random action; peace and cards more often than chance has it, so that hands fill and decks empty."""
    legal = state.legal_actions()
    if state.phase != CHOOSING and rng.random() < PEACEFUL:
        cards = [a for a in legal if 15 <= a < 64 or 128 <= a < 192 or 256 <= a < 1024 or a >= 5120]
        if cards:
            return rng.choice(cards)
    return rng.choice(legal)


def play(state: State, rng: Random) -> Iterator[State]:
    """Yield the state before each decision and at the end; it is the same object all the way."""
    while not state.is_over():
        yield state
        state.apply(pick(state, rng))
    yield state


def kind_of(state: State) -> str:
    """What sort of position this is; some are rare, so they are asked for by name."""
    if state.phase == CONFLICT and state.step == STEP_GAMES:
        return "sacred games"
    if (
        state.phase == CONFLICT
        and not (state.alone[state.actor] | state.claims[state.actor]) & ~state.settled
    ):
        return "great tlatoani"
    return PHASE_NAMES[state.phase]


KINDS_OF_POSITIONS = ("sacred games", "great tlatoani", *PHASE_NAMES)


@st.composite
def positions(draw: st.DrawFn) -> State:
    """A state somewhere in a random game, each kind of position as likely as the others."""
    seats, seed, rules = draw(seat_counts), draw(seeds), draw(rulesets)
    kinds = [kind_of(state) for state in play(start(seats, seed, rules), Random(seed))]
    wanted = draw(st.sampled_from(KINDS_OF_POSITIONS))
    places = [i for i, kind in enumerate(kinds) if kind == wanted] or range(len(kinds))
    last = places[draw(st.integers(0, 10_000)) % len(places)]
    return next(islice(play(start(seats, seed, rules), Random(seed)), last, None))


def recorded(seats: int, seed: int, rules: Ruleset, most: int = 10_000) -> Recorder:
    """A game's record so far; the names have a letter outside ASCII."""
    recorder = Recorder(start(seats, seed, rules), tuple(f"bot {i} ñ" for i in range(seats)))
    rng = Random(seed)
    while not recorder.state.is_over() and len(recorder.actions) < most:
        recorder.apply(pick(recorder.state, rng))
    return recorder


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
