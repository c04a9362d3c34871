"""Golden records: games of all seats and editions that must replay for as long as their rules hold."""

import json
from typing import Any

import pytest

from engine import load_record, verify
from engine.record import VERSION as FORM
from engine.rulesets import VERSION as RULES_VERSION
from tests.engine.make_golden import FOLDER, RESULTS, RULES

GOLDEN: dict[str, dict[str, Any]] = json.loads(RESULTS.read_text())
every_game = pytest.mark.parametrize("name", sorted(GOLDEN))


@every_game
@pytest.mark.parametrize("form", ["json", "aztr"])
def test_it_replays_to_its_stored_end(name: str, form: str) -> None:
    record = load_record((FOLDER / f"{name}.{form}").read_bytes())
    state = verify(record)
    found = {"decisions": len(record.actions), "scores": state.scores(), "placements": state.placements()}
    assert found == GOLDEN[name]


@every_game
def test_both_of_its_forms_are_the_same_record(name: str) -> None:
    text, data = (FOLDER / f"{name}.json").read_text("utf-8"), (FOLDER / f"{name}.aztr").read_bytes()
    record = load_record(data)
    assert load_record(text.encode()) == record
    if record.version == FORM:
        assert record.to_json() == text
        assert record.to_bytes() == data


def test_all_seats_and_editions_are_kept() -> None:
    assert {f"rules{RULES_VERSION}-{seats}-{edition}" for seats in (2, 3, 4) for edition in RULES} <= set(
        GOLDEN
    )
    assert {path.stem for path in FOLDER.iterdir()} == {*GOLDEN, RESULTS.stem}
