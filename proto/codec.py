"""Between bytes and plain values. Only this module and `proto.codec_game` read and write generated messages.

A host writes what it says with `write_*` and reads with `read_bot_message`; a bot does the reverse. Reading
returns None for a kind of message that this version does not know, so that later versions can add some.
"""

from collections.abc import Callable
from typing import Any, Final

from google.protobuf.message import DecodeError

from proto.bot.v1 import bot_pb2 as pb
from proto.codec_game import (
    ObservationWriter,
    board_message,
    event_messages,
    read_board,
    read_events,
    read_observation,
)
from proto.messages import (
    BotMessage,
    Clocks,
    Decision,
    DecisionRequest,
    GameOver,
    Hello,
    HostMessage,
    MatchStart,
    Ping,
    Pong,
    Strike,
    StrikeKind,
)


class CodecError(Exception):
    """Bytes that are not a message of the contract."""


def write_match_start(start: MatchStart) -> bytes:
    """Encode the start of a match for one seat."""
    clocks = start.clocks
    return pb.HostMessage(
        match_start=pb.MatchStart(
            match_id=start.match_id,
            seat=start.seat,
            seats=start.seats,
            ruleset=start.ruleset,
            board=board_message(start.board),
            clocks=pb.Clocks(
                startup_ms=clocks.startup_ms,
                bank_ms=clocks.bank_ms,
                increment_ms=clocks.increment_ms,
                decision_ms=clocks.decision_ms,
            ),
            seed_commitment=start.seed_commitment,
        )
    ).SerializeToString()


class RequestWriter:
    """Encodes the questions to one seat. Keep one per seat: it writes only what has changed."""

    def __init__(self) -> None:
        self._message = pb.HostMessage()
        self._target = self._message.decision_request
        self._target.request_id = 0  # from now on the inner messages are parts of the outer one
        self._observation = ObservationWriter(self._target.observation)

    def write(self, request: DecisionRequest) -> bytes:
        """Encode a question. Of the events, only what the observing seat may see is written."""
        target = self._target
        target.request_id = request.request_id
        target.time_left_ms = request.time_left_ms
        target.time_limit_ms = request.time_limit_ms
        del target.legal_actions[:]
        target.legal_actions.extend(request.legal_actions)
        del target.events[:]
        target.events.extend(event_messages(request.events, request.observation.seat))
        self._observation.write(request.observation)
        return self._message.SerializeToString()


def write_strike(strike: Strike) -> bytes:
    """Encode a warning."""
    return pb.HostMessage(
        strike=pb.Strike(
            request_id=strike.request_id,
            kind=pb.StrikeKind.Name(strike.kind),
            reason=strike.reason,
            action=strike.action,
            strikes=strike.strikes,
            strikes_allowed=strike.strikes_allowed,
        )
    ).SerializeToString()


def write_game_over(over: GameOver) -> bytes:
    """Encode the end of a match."""
    return pb.HostMessage(
        game_over=pb.GameOver(placements=over.placements, scores=over.scores, seed=over.seed)
    ).SerializeToString()


def write_ping(ping: Ping) -> bytes:
    """Encode a ping."""
    return pb.HostMessage(ping=pb.Ping(ping_id=ping.ping_id)).SerializeToString()


def read_host_message(data: bytes) -> HostMessage | None:
    """Decode what a host says."""
    message = _parse(pb.HostMessage, data)
    kind = message.WhichOneof("kind")
    return _HOST_READERS[kind](getattr(message, kind)) if kind else None


def _read_match_start(message: pb.MatchStart) -> MatchStart:
    clocks = message.clocks
    return MatchStart(
        message.match_id,
        message.seat,
        message.seats,
        dict(message.ruleset),
        read_board(message.board),
        Clocks(clocks.startup_ms, clocks.bank_ms, clocks.increment_ms, clocks.decision_ms),
        message.seed_commitment,
    )


def _read_decision_request(message: pb.DecisionRequest) -> DecisionRequest:
    return DecisionRequest(
        message.request_id,
        read_observation(message.observation),
        message.legal_actions[:],
        read_events(message.events),
        message.time_left_ms,
        message.time_limit_ms,
    )


def _read_strike(message: pb.Strike) -> Strike:
    kind = StrikeKind(message.kind)
    return Strike(
        message.request_id, kind, message.reason, message.action, message.strikes, message.strikes_allowed
    )


_HOST_READERS: Final[dict[str, Callable[[Any], HostMessage]]] = {
    "match_start": _read_match_start,
    "decision_request": _read_decision_request,
    "strike": _read_strike,
    "game_over": lambda message: GameOver(list(message.placements), list(message.scores), message.seed),
    "ping": lambda message: Ping(message.ping_id),
}


def write_hello(hello: Hello) -> bytes:
    """Encode a bot's first message."""
    return pb.BotMessage(
        hello=pb.Hello(protocol_version=hello.protocol_version, bot_name=hello.bot_name)
    ).SerializeToString()


def write_decision(decision: Decision) -> bytes:
    """Encode an answer."""
    return pb.BotMessage(
        decision=pb.Decision(request_id=decision.request_id, action=decision.action, note=decision.note)
    ).SerializeToString()


def write_pong(pong: Pong) -> bytes:
    """Encode the answer to a ping."""
    return pb.BotMessage(pong=pb.Pong(ping_id=pong.ping_id)).SerializeToString()


def read_bot_message(data: bytes) -> BotMessage | None:
    """Decode what a bot says. The bytes are a stranger's: anything else raises CodecError."""
    message = _parse(pb.BotMessage, data)
    kind = message.WhichOneof("kind")
    if kind == "decision":
        decision = message.decision
        return Decision(decision.request_id, decision.action, decision.note)
    if kind == "hello":
        return Hello(message.hello.protocol_version, message.hello.bot_name)
    return Pong(message.pong.ping_id) if kind == "pong" else None


def _parse(message_type: Any, data: bytes) -> Any:
    try:
        return message_type.FromString(data)
    except DecodeError as error:
        raise CodecError(f"not a {message_type.DESCRIPTOR.name}: {error}") from None
