"""A game between bots in this process: no sockets, no clocks, only the rules."""

from collections.abc import Sequence
from hashlib import sha256
from typing import cast

from aztlan.bot import Bot
from aztlan.conversation import Conversation
from engine.board import Board
from engine.boardfile import load_board
from engine.observation import observe
from engine.record import Record, Recorder
from engine.rulesets import Ruleset, ruleset
from engine.state import State
from proto.messages import Clocks, Decision, DecisionRequest, GameOver, MatchStart

NO_CLOCKS = Clocks(startup_ms=3_600_000, bank_ms=3_600_000, increment_ms=0, decision_ms=3_600_000)


def play_game(
    bots: Sequence[Bot], seed: bytes, rules: Ruleset | None = None, board: Board | None = None
) -> tuple[Record, State]:
    """Play a game to its end and return its record and last state. An illegal action raises."""
    rules, board = rules or ruleset(), board or load_board()
    state = State.new(len(bots), seed, rules, board)
    state.log_events()
    talks = [Conversation(bot) for bot in bots]
    recorder = Recorder(state, tuple(talk.hello().bot_name for talk in talks))
    told = [0] * len(bots)
    for seat, talk in enumerate(talks):
        talk.hear(
            MatchStart("local", seat, len(bots), rules.options(), board, NO_CLOCKS, sha256(seed).hexdigest())
        )
    while not state.is_over():
        for action in [_ask(talks[seat], state, seat, told) for seat in state.acting()]:
            recorder.apply(action)
    over = GameOver(state.placements(), state.scores(), seed)
    for talk in talks:
        talk.hear(over)
    return recorder.record(), state


def _ask(talk: Conversation, state: State, seat: int, told: list[int]) -> int:
    log = state.log or []
    news, told[seat] = log[told[seat] :], len(log)
    request = DecisionRequest(
        len(log),
        observe(state, seat),
        state.legal_actions(seat),
        news,
        NO_CLOCKS.bank_ms,
        NO_CLOCKS.decision_ms,
    )
    return cast("Decision", talk.hear(request)).action
