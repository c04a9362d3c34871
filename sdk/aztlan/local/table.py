"""A game between bots in this process: no sockets, no clocks, only the rules."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Protocol, cast

from aztlan.bot import Bot
from aztlan.conversation import Conversation
from engine.board import Board
from engine.boardfile import load_board
from engine.observation import observe
from engine.record import Record, Recorder
from engine.rulesets import Ruleset, ruleset
from engine.state import State
from proto.messages import (
    BotMessage,
    Clocks,
    Decision,
    DecisionRequest,
    GameOver,
    Hello,
    HostMessage,
    MatchStart,
)

NO_CLOCKS = Clocks(startup_ms=3_600_000, bank_ms=3_600_000, increment_ms=0, decision_ms=3_600_000)


class Talk(Protocol):
    """One seat of the table."""

    def hello(self) -> Hello: ...

    def hear(self, message: HostMessage) -> BotMessage | None: ...


def play_game(
    bots: Sequence[Bot], seed: bytes, rules: Ruleset | None = None, board: Board | None = None
) -> tuple[Record, State]:
    """Play a game to its end and return its record and last state. An illegal action raises."""
    return play_seats([Conversation(bot) for bot in bots], seed, rules, board)


def play_seats(
    talks: Sequence[Talk], seed: bytes, rules: Ruleset | None = None, board: Board | None = None
) -> tuple[Record, State]:
    """Play a game between whatever answers; a request's id is the number of the action in the record."""
    rules, board = rules or ruleset(), board or load_board()
    state = State.new(len(talks), seed, rules, board)
    state.log_events()
    recorder = Recorder(state, tuple(talk.hello().bot_name for talk in talks))
    told = [0] * len(talks)
    for seat, talk in enumerate(talks):
        talk.hear(
            MatchStart("local", seat, len(talks), rules.options(), board, NO_CLOCKS, sha256(seed).hexdigest())
        )
    while not state.is_over():
        step = len(recorder.actions) + 1
        answers = [_ask(talks[seat], state, seat, told, step + i) for i, seat in enumerate(state.acting())]
        for action in answers:
            recorder.apply(action)
    over = GameOver(state.placements(), state.scores(), seed)
    for talk in talks:
        talk.hear(over)
    return recorder.record(), state


def _ask(talk: Talk, state: State, seat: int, told: list[int], step: int) -> int:
    log = state.log or []
    news, told[seat] = log[told[seat] :], len(log)
    request = DecisionRequest(
        step,
        observe(state, seat),
        state.legal_actions(seat),
        news,
        NO_CLOCKS.bank_ms,
        NO_CLOCKS.decision_ms,
    )
    return cast("Decision", talk.hear(request)).action
