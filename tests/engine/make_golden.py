"""`python -m tests.engine.make_golden`: keep games that must replay; existing ones stay.

A change of how games go or of the record's form shows as a golden record that no longer replays. Then the
change is wrong, or needs a new version: of the record's form (the old one can still be read), or of the rules
(the old games are refused by name, and golden ones of the new rules take their place).
"""

import json
from pathlib import Path

from engine.rulesets import EDITIONS, VERSION, Ruleset, ruleset
from tests.engine.random_games import recorded

FOLDER = Path(__file__).parent / "golden"
RESULTS = FOLDER / "results.json"
MIXED = ruleset("italian", landing="next_free", rafts="all_lakes", offerings="one_set", empty_deck="no_draw")
RULES = {**{name: ruleset(name) for name in EDITIONS}, "mixed": MIXED}


def main() -> None:
    """Make the games that are not there yet."""
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for seats in (2, 3, 4):
        for edition, rules in RULES.items():
            name = f"rules{VERSION}-{seats}-{edition}"
            if name in results or any(FOLDER.glob(f"{name}.*")):
                print(f"{name}: there already, left alone")
            else:
                results[name] = make(name, seats, rules)
                print(f"{name}: made")
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(result)}" for name, result in results.items())
    RESULTS.write_text(f"{{\n{lines}\n}}\n")


def make(name: str, seats: int, rules: Ruleset) -> dict[str, object]:
    recorder = recorded(seats, seats * 1000 + len(name), rules)
    record, state = recorder.record(), recorder.state
    (FOLDER / f"{name}.json").write_text(record.to_json(), "utf-8")
    (FOLDER / f"{name}.aztr").write_bytes(record.to_bytes())
    return {"decisions": len(record.actions), "scores": state.scores(), "placements": state.placements()}


if __name__ == "__main__":
    main()
