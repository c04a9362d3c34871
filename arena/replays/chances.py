"""Win chances. Random playouts from the beginning of each phase, with all cards known."""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.kernel import playouts as play_out
from engine.record import Record, replay
from engine.replay.frames import OPEN, Lens
from engine.state import State


@dataclass(frozen=True, slots=True)
class Moment:
    """A boundary of the game: the step at which it is shown, and each seat's share of the wins."""

    step: int
    shares: tuple[float, ...]


def chances(record: Record, playouts: int) -> list[Moment]:
    """The shares at the start, at each new phase, and at the end, where the winner's is 1."""
    return [Moment(step, _shares(state, playouts)) for step, state in _boundaries(record)]


def _boundaries(record: Record) -> Iterator[tuple[int, State]]:
    lens, before = Lens(OPEN), None
    for step in replay(record):
        lens.see(step.state, step.events)
        now = (step.state.age, step.state.phase)
        if now != before:
            yield lens.steps, step.state.clone()
        before = now


def _shares(state: State, playouts: int) -> tuple[float, ...]:
    if state.is_over():
        return tuple(float(place == 1) for place in state.placements())
    places = play_out(state, playouts, 0)
    return tuple(sum(one[seat] == 1 for one in places) / playouts for seat in range(state.seats))
