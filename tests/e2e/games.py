"""Games worth looking at: seats that build domains, fight where they are stronger, and use their cards."""

import random

from engine import actions
from engine.position import CHOOSING, CONFLICT, DEVELOPMENT
from engine.record import Record, Recorder
from engine.rulesets import ruleset
from engine.state import State


def sensible_action(state: State, chance: random.Random) -> int:
    """A quick choice that looks like play: a taste for own borders and matching territories."""
    legal = state.legal_actions()
    if state.phase == CHOOSING or len(legal) == 1:
        return chance.choice(legal)
    if state.phase == DEVELOPMENT:
        return max(legal, key=lambda action: _worth(state, action, chance))
    if state.phase == CONFLICT:
        return chance.choice(legal)
    return max(legal, key=lambda action: (action != actions.PASS, chance.random()))


def _worth(state: State, action: int, chance: random.Random) -> float:
    board, seat = state.board, state.to_act()
    mine = state.present[state.side_of[seat]]
    if action == actions.PASS:
        return 1.5
    t = action & 63
    wanted = board.card_types[state.power[seat] - 4]
    near = (board.adjacent[t] & mine).bit_count()
    worth = 1.2 * near + 2 * (board.type_of[t] == wanted) - 2 * (mine >> t & 1) + chance.random() * 2.5
    return worth - (2.5 if action >= actions.MOVE else 0)


def play(seats: int, seed: bytes, names: tuple[str, ...], edition: str = "english") -> Record:
    """A whole game."""
    recorder = Recorder(State.new(seats, seed, ruleset(edition)), names)
    chance = random.Random(seed)
    while not recorder.state.is_over():
        recorder.apply(sensible_action(recorder.state, chance))
    return recorder.record()
