"""A record of another version of the rules is read, and refused by name before anything is replayed."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from engine import Record, load_record, ruleset, verify
from engine.__main__ import main
from engine.errors import RecordError, RulesVersionError
from engine.record import replay
from engine.rulesets import VERSION
from tests.engine.random_games import recorded

OLD = [Path(__file__).parent / "old_records" / f"rules1.{form}" for form in ("json", "aztr")]
"""A game of four seats, kept from when at most one Eagle and Jaguar Warriors was allowed per turn."""
NEW = recorded(4, 7, ruleset("english")).record()

old_forms = pytest.mark.parametrize("path", OLD, ids=lambda path: path.suffix)
readers = pytest.mark.parametrize("read", [verify, replay])


def test_a_record_names_the_version_of_the_rules_in_both_forms() -> None:
    assert json.loads(NEW.to_json())["rules"] == VERSION
    assert load_record(NEW.to_json().encode()).rules == load_record(NEW.to_bytes()).rules == VERSION


@readers
@old_forms
def test_a_game_of_older_rules_is_refused_by_name(path: Path, read: Callable[[Record], object]) -> None:
    with pytest.raises(
        RulesVersionError, match=r"version 1 of the rules.*use a release of that time"
    ) as caught:
        read(load_record(path.read_bytes()))
    assert (caught.value.where, caught.value.played_by) == ("rules", 1)


@readers
def test_a_game_of_newer_rules_is_refused_by_name(read: Callable[[Record], object]) -> None:
    with pytest.raises(RulesVersionError, match=f"version {VERSION + 1} of the rules.*update this one"):
        read(replace(NEW, rules=VERSION + 1))


def test_an_old_record_that_claims_the_new_rules_does_not_replay_by_them() -> None:
    """The checks cover the header too, so a changed version shows at the first step."""
    forged = json.loads(OLD[0].read_text("utf-8")) | {"version": 2, "rules": VERSION}
    with pytest.raises(RecordError, match="step 1: the state differs"):
        verify(load_record(json.dumps(forged).encode()))


@old_forms
def test_an_old_record_can_be_read_and_handed_on_as_it_is(path: Path) -> None:
    data = path.read_bytes()
    record = load_record(data)
    assert (record.version, record.rules, len(record.seats)) == (1, 1, 4)
    assert (record.to_json().encode() if path.suffix == ".json" else record.to_bytes()) == data


def test_verifying_an_old_record_on_the_command_line_says_why_it_fails(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["verify", str(OLD[0])]) == 1
    assert "was played by version 1 of the rules" in capsys.readouterr().err
