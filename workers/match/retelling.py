"""What a seat was sent in a match, recomputed from the record: to the byte, but for the ping.

The record has every action; the report has which questions were put to the seat, what they were charged, and
its strikes. From these follow all messages, the time left in each of them included.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from engine.observation import observe
from engine.record import Record, board_of, check_rules
from engine.state import State
from proto import codec
from proto.messages import Clocks, DecisionRequest, GameOver, MatchStart, Strike, StrikeKind
from workers.match.clock import SeatClock
from workers.match.faults import STRIKES_ALLOWED
from workers.match.spec import DEFAULT_CLOCKS


@dataclass(frozen=True)
class SeatStory:
    """What is known of one seat of a match besides the record."""

    seat: int
    match_id: str = "local"
    clocks: Clocks = DEFAULT_CLOCKS
    charged: Mapping[int, int] | None = None
    """Microseconds by step, of all questions that were put to it. None: all were, and took no time."""
    strikes: Mapping[int, tuple[StrikeKind, str]] = field(default_factory=dict)
    """Kind and reason by step."""
    placements: Sequence[int] = ()
    """As the match counted them; empty where the seat was not told, because its bot had failed."""


@dataclass(frozen=True)
class Told:
    """One message to the seat, as bytes. Of a question also its step and what was played in the end."""

    data: bytes
    step: int = -1
    """How many actions the game had seen; -1 for what is no question."""
    played: int = -1
    charged_us: int = 0


def retell(record: Record, story: SeatStory) -> Iterator[Told]:
    """Yield what the seat was sent, in order. RecordError or RulesVersionError where that cannot be known."""
    check_rules(record)
    state = State.new(len(record.seats), record.seed, record.ruleset, board_of(record))
    state.log_events()
    start = MatchStart(
        story.match_id,
        story.seat,
        len(record.seats),
        record.ruleset.options(),
        state.board,
        story.clocks,
        sha256(record.seed).hexdigest(),
    )
    yield Told(codec.write_match_start(start))
    yield from _questions(record, state, story)
    if story.placements and state.is_over():
        yield Told(codec.write_game_over(GameOver(story.placements, state.scores(), record.seed)))


def _questions(record: Record, state: State, story: SeatStory) -> Iterator[Told]:
    clock, writer = SeatClock(story.clocks), codec.RequestWriter()
    step = asked = told = struck = 0
    while step < len(record.actions) and not state.is_over():
        acting = list(state.acting())
        answers = record.actions[step : step + len(acting)]
        if story.seat in acting:
            log = state.log or []
            news, told = log[told:], len(log)
            mine = step + acting.index(story.seat)
            played = record.actions[mine] if mine < len(record.actions) else -1
            if story.charged is None or mine in story.charged:
                limit = clock.begin_decision()
                asked += 1
                legal = state.legal_actions(story.seat)
                request = DecisionRequest(
                    asked, observe(state, story.seat), legal, news, clock.bank // 1000, limit // 1000
                )
                used = (story.charged or {}).get(mine, 0)
                clock.charge(used)
                yield Told(writer.write(request), mine, played, used)
                if mine in story.strikes:
                    struck += 1
                    kind, reason = story.strikes[mine]
                    strike = Strike(asked, kind, reason, played, struck, STRIKES_ALLOWED)
                    yield Told(codec.write_strike(strike))
        for action in answers:
            state.apply(action)
        step += len(acting)
