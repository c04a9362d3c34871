"""Positions played on in sampled worlds: games that one seat could not tell from the one that was played.

A world follows from the match, its actions, the seat and a seed alone. So a host plays in it, and the arena
checks what came of it, without any of it being stored.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from engine import cards
from engine.errors import IllegalActionError
from engine.events import CHOSE, DREW
from engine.kernel.plain import Dice
from engine.observation import determinize, observe
from engine.position import RawEvent
from engine.state import State
from workers.match.spec import MatchSpec
from workers.match.strict import DataError, fields, hexadecimal, items, number

MOST_GAMES: Final = 20
_MOST_ACTIONS: Final = 10_000
_SEED_BYTES: Final = 32


@dataclass(frozen=True)
class WorldTask:
    """Games to play on from a position: a match, its actions up to there, and a seed for each game."""

    spec: MatchSpec
    actions: tuple[int, ...]
    seat: int
    """The seat that cannot tell the worlds apart."""
    seeds: tuple[bytes, ...]

    def game_spec(self, seed: bytes) -> MatchSpec:
        """Return the spec of one of the games: bots see nothing of the others', so the seed is its own."""
        return replace(self.spec, match_id=f"{self.spec.match_id}-{seed.hex()[:8]}", seed=seed)

    def to_data(self) -> dict[str, Any]:
        """The task as JSON data."""
        return {
            "match": self.spec.to_data(),
            "actions": list(self.actions),
            "seat": self.seat,
            "seeds": [seed.hex() for seed in self.seeds],
        }

    @staticmethod
    def from_data(data: Any) -> "WorldTask":
        """Read `to_data` back; DataError for anything else."""
        match, actions, seat, seeds = fields(data, "task", ("match", "actions", "seat", "seeds"))
        spec = MatchSpec.from_data(match)
        return WorldTask(
            spec,
            tuple(items(actions, "task.actions", number, _MOST_ACTIONS)),
            number(seat, "task.seat", 0, spec.seats - 1),
            tuple(items(seeds, "task.seeds", lambda one, at: hexadecimal(one, at, _SEED_BYTES), MOST_GAMES)),
        )


def sample_world(task: WorldTask, seed: bytes) -> State:
    """Return the position in a world that the task's seat cannot tell from the real one, with its events."""
    spec = task.spec
    state = State.new(spec.seats, spec.seed, spec.ruleset, spec.load_board())
    state.log_events()
    for action in task.actions:
        state.apply(action)
    dice = Dice(int.from_bytes(seed[:8], "big"))
    world = determinize(observe(state, task.seat), dice, state.board, state.rules)
    world.log = list(state.log or [])
    for seat in set(range(state.seats)) - {task.seat}:
        _tell_draws(world.log, seat, _hand(state, seat), _hand(world, seat))
        _tell_choice(world.log, seat, world.power[seat])
    return world


def _tell_draws(log: list[RawEvent], seat: int, held: list[int], holds: list[int]) -> None:
    """Let a seat have drawn what it holds in this world: in private, in the place of what it really holds."""
    for at in reversed(range(len(log))):
        if log[at][:2] == (DREW, seat) and log[at][2] in held:
            held.remove(log[at][2])
            log[at] = (DREW, seat, holds.pop())


def _tell_choice(log: list[RawEvent], seat: int, card: int) -> None:
    """Let a seat have chosen the power card that lies before it in this world."""
    if card:
        at = max(at for at, event in enumerate(log) if event[:2] == (CHOSE, seat))
        log[at] = (CHOSE, seat, card)


def _hand(state: State, seat: int) -> list[int]:
    counts = state.hands[seat * cards.KINDS : (seat + 1) * cards.KINDS]
    return [kind for kind, count in enumerate(counts) for _ in range(count)]


def play_through(task: WorldTask, seed: bytes, actions: Sequence[int]) -> State:
    """Return how a game ended that was played on; DataError if it did not happen like this."""
    world = sample_world(task, seed)
    try:
        for action in actions:
            world.apply(action)
    except IllegalActionError as error:
        raise DataError(f"games: an action is illegal: {error}") from None
    if not world.is_over():
        raise DataError("games: a game is not over")
    return world
