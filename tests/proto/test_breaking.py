"""What would break the bots of the tagged contract, done on purpose in every way."""

from pathlib import Path

import pytest

from proto.breaking import breaks, load_snapshot, save_snapshot
from proto.descriptors import read_contract

OLD = """syntax = "proto3";
package game.bot.v1;
service PlayService {
  rpc Play(stream Move) returns (stream Score);
}
message Move {
  reserved 9;
  uint32 step = 1;
  repeated uint32 steps = 2;
  Side side = 3;
  oneof kind {
    string note = 4;
  }
  map<string, string> options = 5;
}
message Score {
  uint32 points = 1;
}
enum Side {
  reserved 8;
  SIDE_UNSPECIFIED = 0;
  SIDE_LEFT = 1;
  SIDE_RIGHT = 2;
}
"""


def compare(new: str, tmp_path: Path) -> list[str]:
    contracts = []
    for name, text in (("old", OLD), ("new", new)):
        path = tmp_path / name / "proto/bot/v1/bot.proto"
        path.parent.mkdir(parents=True)
        path.write_text(text)
        contracts.append(read_contract(tmp_path / name))
    return breaks(*contracts)


def test_our_contract_honours_the_tagged_one() -> None:
    assert breaks(load_snapshot(), read_contract()) == []


def test_the_snapshot_is_a_whole_contract(tmp_path: Path) -> None:
    path = tmp_path / "tagged.json"
    save_snapshot(read_contract(), path)
    assert breaks(read_contract(), load_snapshot(path)) == []
    assert len(load_snapshot(path).file) == len(read_contract().file)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("uint32 points = 1;", "uint32 points = 1; uint32 more = 2;"),
        ("SIDE_RIGHT = 2;", "SIDE_RIGHT = 2; SIDE_FRONT = 3;"),
        ("enum Side {", "message Extra { uint32 one = 1; }\nenum Side {"),
        ("string note = 4;", "string note = 4; Score score = 6;"),
        ("message Move {", "// A comment.\nmessage Move {"),
        ("rpc Play", "rpc Watch(Score) returns (stream Score); rpc Play"),
    ],
)
def test_additions_break_nobody(old: str, new: str, tmp_path: Path) -> None:
    assert old in OLD
    assert compare(OLD.replace(old, new), tmp_path) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("uint32 step = 1;", "", "field game.bot.v1.Move.step is gone"),
        ("uint32 step = 1;", "uint32 pace = 1;", "field game.bot.v1.Move.step is gone or renamed"),
        ("uint32 step = 1;", "uint32 pace = 1;", "pace takes the number 1 of game.bot.v1.Move.step"),
        ("uint32 step = 1;", "uint32 step = 7;", "its number was 1 and is 7"),
        ("uint32 step = 1;", "sint32 step = 1;", "its type was uint32 and is sint32"),
        ("Side side = 3;", "Score side = 3;", "its type was game.bot.v1.Side and is game.bot.v1.Score"),
        ("repeated uint32 steps", "uint32 steps", "it was repeated and is not, or the reverse"),
        ("uint32 step = 1;", "repeated uint32 step = 1;", "it was repeated and is not, or the reverse"),
        ("oneof kind {\n    string note = 4;\n  }", "string note = 4;", "it moved into or out of a oneof"),
        ("oneof kind {", "oneof sort {", "oneof game.bot.v1.Move.kind is gone"),
        ("map<string, string>", "map<string, uint32>", "its type was string and is uint32"),
        ("reserved 9;", "bool done = 9;", "done takes the reserved number 9"),
        ("  SIDE_RIGHT = 2;\n", "", "value game.bot.v1.Side.SIDE_RIGHT is gone"),
        ("SIDE_RIGHT = 2;", "SIDE_RIGHT = 3;", "its number was 2 and is 3"),
        ("SIDE_RIGHT = 2;", "SIDE_WEST = 2;", "SIDE_WEST takes the number 2 of game.bot.v1.Side.SIDE_RIGHT"),
        ("  reserved 8;\n  SIDE_UNSPECIFIED = 0;", "SIDE_UNSPECIFIED = 0; SIDE_UP = 8;", "reserved number 8"),
        ("(stream Move)", "(Move)", "its messages were stream .game.bot.v1.Move"),
        ("returns (stream Score)", "returns (stream Move)", "its messages were stream .game.bot.v1.Move"),
        ("rpc Play(", "rpc Run(", "rpc game.bot.v1.PlayService.Play is gone"),
        ("service PlayService", "service RunService", "service game.bot.v1.PlayService is gone"),
        ("Score", "Points", "message game.bot.v1.Score is gone"),
        ("game.bot.v1", "game.bot.v2", "message game.bot.v1.Move is gone"),
    ],
)
def test_what_breaks_a_bot_is_named(old: str, new: str, fault: str, tmp_path: Path) -> None:
    assert old in OLD
    assert any(fault in found for found in compare(OLD.replace(old, new), tmp_path))
