"""Between messages and values: what goes in comes out, hidden things stay hidden, garbage is refused."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.boardfile import load_board
from engine.events import event
from engine.observation import FIELDS, observe
from engine.position import PHASE_NAMES
from engine.rulesets import EDITIONS, ruleset
from engine.state import State
from proto import codec
from proto.bot.v1 import bot_pb2 as pb
from proto.codec_game import LISTS, NUMBERS, RETIRED
from proto.messages import (
    Clocks,
    Decision,
    DecisionRequest,
    GameOver,
    Hello,
    MatchStart,
    Ping,
    Pong,
    Strike,
    StrikeKind,
)


def random_game(seats: int, seed: int, edition: str) -> Iterator[State]:
    """The positions of a game played at random, events logged."""
    state = State.new(seats, random.Random(seed).randbytes(32), ruleset(edition))
    state.log_events()
    chance = random.Random(seed)
    while not state.is_over():
        yield state
        state.apply(chance.choice(state.legal_actions()))
    yield state


@settings(max_examples=12, deadline=None)
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**32), edition=st.sampled_from(EDITIONS))
def test_a_question_reads_as_it_was_written_at_every_step_of_a_game(
    seats: int, seed: int, edition: str
) -> None:
    told = [0] * seats
    writers = [codec.RequestWriter() for _ in range(seats)]
    for state in random_game(seats, seed, edition):
        for seat in state.acting():
            seen, legal = observe(state, seat), list(state.legal_actions(seat))
            news = state.log[told[seat] :]
            told[seat] = len(state.log)
            request = DecisionRequest(7, seen, legal, news, 1500, 900)
            data = writers[seat].write(request)
            assert pb.HostMessage.FromString(data) == pb.HostMessage.FromString(
                codec.RequestWriter().write(request)
            )
            read = codec.read_host_message(data)
            assert isinstance(read, DecisionRequest)
            assert read.observation == seen
            assert read.legal_actions == legal
            assert (read.request_id, read.time_left_ms, read.time_limit_ms) == (7, 1500, 900)
            assert [event(raw) for raw in read.events] == [event(raw).seen_by(seat) for raw in news]


def test_the_contract_has_every_field_of_an_observation_and_no_other() -> None:
    assert set(LISTS) | set(NUMBERS) | {"phase"} == set(FIELDS)
    in_use = [field.name for field in pb.Observation.DESCRIPTOR.fields if field.name not in RETIRED]
    assert in_use == list(FIELDS)


def test_a_retired_field_stays_in_the_contract_and_is_always_0() -> None:
    names = {field.name for field in pb.Observation.DESCRIPTOR.fields}
    assert set(RETIRED) <= names - set(FIELDS)
    for state in random_game(2, 7, "english"):
        for seat in state.acting():
            request = DecisionRequest(7, observe(state, seat), list(state.legal_actions(seat)), [], 1500, 900)
            sent = pb.HostMessage.FromString(
                codec.RequestWriter().write(request)
            ).decision_request.observation
            assert {getattr(sent, name) for name in RETIRED} == {0}


def test_the_contract_names_events_and_phases_as_the_engine_does() -> None:
    arguments = range(20)
    for number in range(1, len(pb.EventKind.keys())):
        assert pb.EventKind.Name(number) == f"EVENT_KIND_{event((number - 1, *arguments)).kind.upper()}"
    with pytest.raises(IndexError):
        event((len(pb.EventKind.keys()) - 1, *arguments))
    assert [name.lower() for name in pb.Phase.keys()[1:]] == [f"phase_{name}" for name in PHASE_NAMES]
    assert {f"STRIKE_KIND_{kind.name}": kind.value for kind in StrikeKind} == dict(pb.StrikeKind.items()[1:])


def test_a_match_start_carries_the_whole_board_but_its_drawing() -> None:
    board = load_board()
    start = MatchStart("m-1", 2, 3, ruleset("french").options(), board, Clocks(1, 2, 3, 4), "ab" * 32)
    read = codec.read_host_message(codec.write_match_start(start))
    assert isinstance(read, MatchStart)
    for name in ("match_id", "seat", "seats", "ruleset", "clocks", "seed_commitment"):
        assert getattr(read, name) == getattr(start, name)
    assert read.board.hash == board.hash
    for name in (
        "id",
        "types",
        "size",
        "ids",
        "names",
        "type_of",
        "neighbours",
        "lakes",
        "card_types",
        "card_values",
    ):
        assert getattr(read.board, name) == getattr(board, name), name
    game = State.new(3, bytes(32), ruleset("french"), read.board)
    assert game.playout(1) == State.new(3, bytes(32), ruleset("french"), board).playout(1)


def test_short_messages_of_the_host_read_as_they_were_written() -> None:
    strike = Strike(3, StrikeKind.ILLEGAL_ACTION, "why", 64, 2, 3)
    over = GameOver([2, 1, 3], [10, 20, 0], bytes(range(32)))
    assert codec.read_host_message(codec.write_strike(strike)) == strike
    assert codec.read_host_message(codec.write_game_over(over)) == over
    assert codec.read_host_message(codec.write_ping(Ping(9))) == Ping(9)


number = st.integers(0, 2**32 - 1)
text = st.text(max_size=50)


@given(hello=st.builds(Hello, number, text), decision=st.builds(Decision, number, number, text), pong=number)
def test_messages_of_a_bot_read_as_they_were_written(hello: Hello, decision: Decision, pong: int) -> None:
    assert codec.read_bot_message(codec.write_hello(hello)) == hello
    assert codec.read_bot_message(codec.write_decision(decision)) == decision
    assert codec.read_bot_message(codec.write_pong(Pong(pong))) == Pong(pong)


@given(st.binary(max_size=200))
def test_any_bytes_of_a_bot_are_a_message_or_a_codec_error(data: bytes) -> None:
    try:
        message = codec.read_bot_message(data)
    except codec.CodecError:
        return
    assert message is None or isinstance(message, Hello | Decision | Pong)


def test_a_name_that_is_no_utf8_is_refused() -> None:
    good = codec.write_hello(Hello(1, "name"))
    with pytest.raises(codec.CodecError, match="not a BotMessage"):
        codec.read_bot_message(good.replace(b"name", b"na\xff\xfe"))


def test_messages_of_a_later_version_are_none_and_not_an_error() -> None:
    later = b"\xa2\x06\x02hi"  # field 100, which this version does not know
    assert codec.read_bot_message(later) is None
    assert codec.read_host_message(later) is None
    assert codec.read_bot_message(b"") is None


def test_only_the_fast_parser_is_used() -> None:
    from google.protobuf.internal import api_implementation

    assert api_implementation.Type() == "upb"
