"""What `champion` would have done: the house bot itself, asked about one decision. Without Django.

The number of its simulations is fixed, so it always answers the same.
"""

from hashlib import sha256

from arena.analysis.positions import position_after
from aztlan.bot import Match
from aztlan.house.champion import Champion
from engine.observation import observe
from proto.messages import Clocks

SIMULATIONS = 160
LONG_MS = 3_600_000


def champions_choice(stored: bytes, number: int) -> int:
    """Return the action that `champion` takes at a decision of a record, by what the seat knew."""
    state = position_after(stored, number, ())
    seat, legal = state.to_act(), state.legal_actions()
    if len(legal) == 1:
        return legal[0]
    bot = Champion(seed=number, simulations=SIMULATIONS)
    clocks = Clocks(startup_ms=LONG_MS, bank_ms=LONG_MS, increment_ms=0, decision_ms=LONG_MS)
    bot.match = Match(
        "analysis", seat, state.seats, state.board, state.rules, clocks, sha256(b"").hexdigest()
    )
    bot.time_left = bot.time_limit = LONG_MS / 1000
    return bot.choose(observe(state, seat), legal)
