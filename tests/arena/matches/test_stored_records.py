"""Stored records come out as they went in, also those that were stored before."""

import random
import zlib

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.matches.stored_records import pack_record, read_record, unpack_record
from engine.record import Record, Recorder
from engine.rulesets import ruleset
from engine.state import State

EDITIONS = ["english", "french", "german", "german_quick", "italian"]
NAMES = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=20)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Any number of steps of a game of any edition."""
    seats = draw(st.integers(2, 4))
    names = tuple(draw(st.lists(NAMES, min_size=seats, max_size=seats)))
    rules = ruleset(draw(st.sampled_from(EDITIONS)))
    recorder = Recorder(State.new(seats, draw(st.binary(min_size=32, max_size=32)), rules), names)
    chance = random.Random(draw(st.integers(0, 1000)))
    for _ in range(draw(st.integers(0, 400))):
        if recorder.state.is_over():
            break
        recorder.apply(chance.choice(recorder.state.legal_actions()))
    return recorder.record()


@settings(max_examples=30)
@given(records())
def test_a_stored_record_comes_out_as_it_went_in(record: Record) -> None:
    assert read_record(pack_record(record)) == record
    assert unpack_record(pack_record(record)) == record.to_bytes()


@settings(max_examples=10)
@given(records())
def test_records_of_before_are_read_too(record: Record) -> None:
    assert read_record(zlib.compress(record.to_bytes(), 6)) == record
    assert read_record(zlib.compress(record.to_json().encode(), 6)) == record
