"""Malformed records of every kind: the only error ever is a RecordError that says where."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import Record, load_record, ruleset, verify
from engine.errors import RecordError
from tests.engine.random_games import junk, recorded

SHORT = recorded(2, 1, ruleset("english"), most=12).record()
many = settings(max_examples=300, deadline=None)


def read(data: bytes) -> None:
    """Read and replay; whatever is wrong must come as a RecordError with a place."""
    try:
        record = load_record(data)
        assert load_record(record.to_json().encode()) == record
        assert load_record(record.to_bytes()) == record
        verify(record)
    except RecordError as error:
        assert error.where
        assert str(error).startswith("record: ")


@many
@given(st.binary(max_size=60))
@example(b"")
@example(b"AZTR")
@example(b"AZTR\x01")
@example(b"AZTR\x02")
@example(b"AZTR\x03")
@example(b"AZTR\x01\xff\xff\xff\xff\xff\xff")
@example(b"AZTR\x01\x02[]\x00")
@example(b"AZTR\x01\x04null\x00")
@example(b"[" * 100_000)
@example(b"AZTR\x01\xa0\x8d\x06" + b"[" * 100_000)
@example(b'{"version":' + b"9" * 5000 + b"}")
def test_no_bytes_break_the_reader(data: bytes) -> None:
    read(data)
    read(b"AZTR\x01" + data)
    read(b"AZTR\x02" + data)


@many
@given(st.data(), st.integers(0, 255))
def test_no_changed_byte_of_a_compact_record_breaks_the_reader(data: st.DataObject, byte: int) -> None:
    good = SHORT.to_bytes()
    at = data.draw(st.integers(0, len(good) - 1))
    read(good[:at] + bytes([byte]) + good[at + 1 :])
    read(good[:at] + bytes([byte]) + good[at:])
    read(good[:at])


@many
@given(st.data(), junk)
def test_no_junk_in_any_place_of_a_json_record_breaks_the_reader(data: st.DataObject, value: Any) -> None:
    raw = json.loads(SHORT.to_json())
    at = raw
    while True:
        key = data.draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
        if not isinstance(at[key], dict | list) or data.draw(st.booleans()):
            break
        at = at[key]
    if data.draw(st.booleans()):
        at[key] = value
    else:
        del at[key]
    read(json.dumps(raw).encode())


def changed(**values: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda raw: raw.update(values)


@pytest.mark.parametrize(
    ("spoil", "where"),
    [
        (changed(version=3), "version"),
        (changed(version=0), "version"),
        (changed(version="1"), "version"),
        (changed(version=True), "version"),
        (lambda raw: raw.pop("version"), "version"),
        (changed(rules=0), "rules"),
        (changed(rules=2**31), "rules"),
        (changed(rules="2"), "rules"),
        (changed(rules=True), "rules"),
        (lambda raw: raw.pop("rules"), "rules"),
        (changed(seats=["a"]), "seats"),
        (changed(seats=["a"] * 5), "seats"),
        (changed(seats=["a", 7]), "seats"),
        (changed(seats=["a", "b" * 101]), "seats"),
        (changed(seats=["a", "\ud800"]), "seats"),
        (changed(seats="ab"), "seats"),
        (changed(seed="00"), "seed"),
        (changed(seed="zz" * 32), "seed"),
        (changed(seed=None), "seed"),
        (changed(board=None), "board"),
        (changed(board="x" * 5000), "board"),
        (changed(board="\ud800"), "board"),
        (changed(board_hash=7), "board_hash"),
        (changed(board_hash="\udfff"), "board_hash"),
        (changed(ruleset="english"), "ruleset"),
        (changed(ruleset={}), "ruleset"),
        (lambda raw: raw["ruleset"].update(tie="bottom"), "ruleset"),
        (lambda raw: raw["ruleset"].update(name="\ud800"), "ruleset"),
        (lambda raw: raw["ruleset"].update(extra="no"), "ruleset"),
        (changed(actions=None), "actions"),
        (changed(actions={}), "actions"),
        (changed(actions=[9, -1]), "actions"),
        (changed(actions=[9, 9216]), "actions"),
        (changed(actions=[9, 4.0]), "actions"),
        (changed(actions=[True]), "actions"),
        (changed(actions=["9"]), "actions"),
        (changed(actions=[0] * 10_001), "actions"),
        (changed(checks="zz"), "checks"),
        (changed(checks=""), "checks"),
        (changed(checks=7), "checks"),
    ],
)
def test_the_field_that_is_wrong_is_named(spoil: Callable[[dict[str, Any]], Any], where: str) -> None:
    raw = json.loads(SHORT.to_json())
    spoil(raw)
    with pytest.raises(RecordError) as caught:
        Record.from_json(json.dumps(raw))
    assert caught.value.where == where


def test_a_compact_record_of_another_version_says_which_it_is() -> None:
    with pytest.raises(RecordError, match="03 is not known; this engine reads 1 and 2"):
        Record.from_bytes(b"AZTR\x03" + SHORT.to_bytes()[5:])
    with pytest.raises(RecordError, match="the file says 1, its header 2"):
        Record.from_bytes(b"AZTR\x01" + SHORT.to_bytes()[5:])


def test_a_compact_record_with_too_many_actions_is_refused_before_they_are_read() -> None:
    good = SHORT.to_bytes()
    header = good.index(b"{"), good.rindex(b"}") + 1
    with pytest.raises(RecordError, match="more than any game has"):
        Record.from_bytes(good[: header[1]] + b"\xff\xff\xff\x7f")
