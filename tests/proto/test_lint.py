"""The style of the contract: every rule, broken on purpose."""

from pathlib import Path

import pytest

from proto.descriptors import ContractError, read_contract
from proto.lint import lint_file

GOOD = """syntax = "proto3";
package game.bot.v1;
// A service.
service PlayService {
  // A call.
  rpc Play(Move) returns (Move);
}
// A message.
message Move {
  // A field.
  repeated uint32 big_steps = 1;
  // A choice.
  oneof kind {
    // One.
    Side side = 2;
  }
  // A map.
  map<string, string> options = 3;
}
// An enum.
enum Side {
  // None.
  SIDE_UNSPECIFIED = 0;
  // One.
  SIDE_LEFT = 1;
}
"""


def faults_of(text: str, tmp_path: Path, name: str = "proto/bot/v1/bot.proto") -> list[str]:
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return [fault for file in read_contract(tmp_path).file for fault in lint_file(file)]


def test_our_contract_follows_the_style() -> None:
    assert [fault for file in read_contract().file for fault in lint_file(file)] == []


def test_a_good_file_has_no_fault(tmp_path: Path) -> None:
    assert faults_of(GOOD, tmp_path) == []


@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        ("// A service.\n", "", "service game.bot.v1.PlayService has no comment"),
        ("  // A call.\n", "", "rpc game.bot.v1.PlayService.Play has no comment"),
        ("// A message.\n", "", "message game.bot.v1.Move has no comment"),
        ("  // A field.\n", "", "field game.bot.v1.Move.big_steps has no comment"),
        ("  // A choice.\n", "", "oneof game.bot.v1.Move.kind has no comment"),
        ("  // A map.\n", "", "field game.bot.v1.Move.options has no comment"),
        ("// An enum.\n", "", "enum game.bot.v1.Side has no comment"),
        ("  // One.\n  SIDE_LEFT", "  SIDE_LEFT", "value game.bot.v1.Side.SIDE_LEFT has no comment"),
        ("PlayService", "Play_Service", "must be PascalCase"),
        ("PlayService", "Player", "must end in Service"),
        ("rpc Play", "rpc play", "must be PascalCase"),
        ("Move", "move", "must be PascalCase"),
        ("big_steps", "bigSteps", "must be lower_snake_case"),
        ("oneof kind", "oneof Kind", "must be lower_snake_case"),
        ("SIDE_LEFT", "SIDE_Left", "must be UPPER_SNAKE_CASE"),
        ("SIDE_LEFT", "LEFT", "must start with SIDE_"),
        ("SIDE_UNSPECIFIED", "SIDE_NONE", "0, and 0 alone, is SIDE_UNSPECIFIED"),
        (
            "repeated uint32 big_steps = 1;",
            "repeated uint32 big_steps = 1 [packed = false];",
            "must be packed",
        ),
        ("repeated uint32 big_steps", "optional uint32 big_steps", "must not be optional"),
        ("package game.bot.v1", "package game.bot", "end in a version"),
        ("package game.bot.v1", "package game.robot.v1", "the folder must end like the package"),
        ('syntax = "proto3"', 'syntax = "proto2"', "must be proto3"),
    ],
)
def test_a_broken_rule_is_named(right: str, wrong: str, fault: str, tmp_path: Path) -> None:
    assert right in GOOD
    assert any(fault in found for found in faults_of(GOOD.replace(right, wrong), tmp_path))


def test_a_file_name_is_lower_snake_case(tmp_path: Path) -> None:
    assert "must be lower_snake_case" in faults_of(GOOD, tmp_path, "proto/bot/v1/Bot.proto")[0]


def test_a_file_that_protoc_refuses_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match=r"bot\.proto"):
        faults_of("message", tmp_path)
