"""Villains play real matches against honest bots: nothing gets out, nothing is left, and the game goes on.

A folder a villain: bot.py, and in expect.toml what must happen to it. `held` names what it tried in vain,
`faults` how the report may call its end, `reason` what that may say, `limits` those that differ from the
harness's; a villain `everywhere` has all four seats, and `known` names what is documented as not held;
`held_rlimits` and `reason_rlimits` are for a host without a cgroup.
"""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.workers.sandbox.conftest import Harness

VILLAINS = Path(__file__).parent / "villains"
NAMES = sorted(folder.name for folder in VILLAINS.iterdir() if (folder / "expect.toml").exists())


@pytest.mark.parametrize("name", NAMES)
def test_it_gets_nothing_and_leaves_nothing(name: str, harness: Harness) -> None:
    play_and_judge(name, harness)


def play_and_judge(name: str, harness: Harness) -> None:
    expected = tomllib.loads((VILLAINS / name / "expect.toml").read_text())
    result = harness.play(name)
    assert "error" not in result, result
    cold, first, warm, second = result["seats"]
    limits_by = "rlimits" if "limits by rlimits" in harness.opening["cold"] else "cgroup"
    everywhere = expected.get("everywhere", False)
    for villain in result["seats"] if everywhere else (cold, warm):
        judge(villain, expected, limits_by)
    for sign in expected.get("known", []):
        assert any(f"known {sign}" in villain["output"] for villain in result["seats"]), result["seats"]
    for honest in () if everywhere else (first, second):
        assert not honest["fault"], honest
        assert not honest["strikes"], honest
    assert result["left"] == {"processes": [], "mounts": [], "cgroups": [], "files": []}


def judge(villain: dict[str, Any], expected: dict[str, Any], limits_by: str) -> None:
    assert "ESCAPED" not in villain["output"], villain["output"]
    for attempt in expected.get("held", []) + expected.get(f"held_{limits_by}", []):
        assert f"held {attempt}:" in villain["output"], (attempt, villain["output"], villain["fault"])
    fault = villain["fault"]
    if not expected["faults"]:
        assert fault is None
        return
    assert fault, villain
    assert fault["kind"] in expected["faults"], fault
    told = f"{fault['reason']} {villain['exit']}"
    reasons = expected.get(f"reason_{limits_by}", expected.get("reason", []))
    assert not reasons or any(reason in told for reason in reasons), told
