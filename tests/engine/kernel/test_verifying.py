"""The kernel verifies records as the engine does: the same end, or the same refusal in the same words."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import load_record, verify
from engine.errors import RecordError
from engine.kernel.verifying import verify_record
from tests.engine.kernel.prove import golden_records
from tests.engine.make_golden import FOLDER

GOLDEN = {name: load_record((FOLDER / f"{name}.aztr").read_bytes()) for name in golden_records()}


def outcome(check, record):
    actors = []
    try:
        end = check(record, actors=actors)
    except RecordError as error:
        return error.where, str(error), actors
    return end.scores(), end.placements(), actors


@pytest.mark.parametrize("name", GOLDEN)
def test_every_golden_record_has_the_same_end_and_actors(name):
    found = outcome(verify_record, GOLDEN[name])
    assert found == outcome(verify, GOLDEN[name])
    assert len(found[2]) == len(GOLDEN[name].actions)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_changed_record_is_refused_at_the_same_step_in_the_same_words(data):
    record = GOLDEN[data.draw(st.sampled_from(sorted(GOLDEN)))]
    at = data.draw(st.integers(0, len(record.actions) - 1))
    actions, checks = list(record.actions), bytearray(record.checks)
    match data.draw(st.sampled_from(("action", "check", "end", "seed", "rules", "board"))):
        case "action":
            actions[at] = data.draw(st.sampled_from([*range(400), 1025, 5121, 9215]))
        case "check":
            checks[at] ^= data.draw(st.integers(1, 255))
        case "end":
            actions, checks = actions[:at], checks[: 2 * at]
        case "seed":
            record = replace(record, seed=data.draw(st.binary(min_size=32, max_size=32)))
        case "rules":
            record = replace(record, rules=1)
        case "board":
            record = replace(record, board_hash="0" * 64)
    record = replace(record, actions=type(record.actions)(actions), checks=bytes(checks))
    assert outcome(verify_record, record) == outcome(verify, record)
