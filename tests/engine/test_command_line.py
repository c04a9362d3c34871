"""`python -m engine`: play, verify, info, and one clear sentence for everything else."""

import subprocess
import sys
from pathlib import Path

import pytest

from engine import ruleset
from engine.__main__ import main
from tests.engine.random_games import recorded
from tests.engine.small_boards import ISLET

Captured = pytest.CaptureFixture[str]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_play_prints_a_readable_game_with_the_board(seats: int, capsys: Captured) -> None:
    assert main(["play", "--seats", str(seats), "--seed", "x", "--bots", "random"]) == 0
    out = capsys.readouterr().out
    assert all(f"Age {age}, {phase}" in out for age in range(1, 6) for phase in ("choosing", "development"))
    assert out.count("t07 deser") == out.count("t30 jungl") >= 10
    assert "~~ l1 ~~" in out
    assert "places by seat" in out
    assert max(map(len, out.splitlines())) < 200
    assert out.isascii()


def test_the_same_seed_plays_the_same_game(capsys: Captured) -> None:
    games = []
    for seed in ("x", "x", "y", "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"):
        assert main(["play", "--seats", "3", "--seed", seed, "--edition", "french"]) == 0
        games.append(capsys.readouterr().out)
    assert games[0] == games[1] == games[3] != games[2]  # the last is the SHA-256 of x


@pytest.mark.parametrize("name", ["game.json", "game.aztr"])
def test_a_game_is_kept_and_verified(name: str, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / name
    assert main(["play", "--record", str(path), "--option", "rafts=all_lakes", "--option", "tie=top"]) == 0
    assert main(["verify", str(path)]) == 0
    out = capsys.readouterr().out
    assert "decisions replays" in out
    assert "english+" in out
    assert all(f"{place}. seat" in out for place in (1, 2, 3, 4))


def test_a_game_on_another_board_is_played_kept_and_verified(tmp_path: Path, capsys: Captured) -> None:
    path = str(tmp_path / "game.aztr")
    assert main(["play", "--board", str(ISLET), "--record", path]) == 0
    assert "south city" in capsys.readouterr().out
    assert main(["verify", path]) == 1
    assert "there is no board 'islet'" in capsys.readouterr().err
    assert main(["verify", path, "--board", str(ISLET)]) == 0


def test_a_bad_record_is_named_with_its_step(tmp_path: Path, capsys: Captured) -> None:
    data = bytearray(recorded(3, 5, ruleset()).record().to_bytes())
    data[-1] ^= 1
    path = tmp_path / "bad.aztr"
    path.write_bytes(data)
    assert main(["verify", str(path)]) == 1
    assert "record: step " in capsys.readouterr().err


def test_a_record_cannot_write_to_the_terminal(tmp_path: Path, capsys: Captured) -> None:
    """Names come from strangers; control characters must not reach the screen."""
    path = tmp_path / "game.json"
    assert main(["play", "--seats", "2", "--record", str(path)]) == 0
    path.write_text(path.read_text().replace('"random"', r'"\u001b[2J"', 1))
    main(["verify", str(path)])
    captured = capsys.readouterr()
    assert "\x1b" not in captured.out + captured.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "required"),
        (["fly"], "invalid choice: 'fly'"),
        (["play", "--seats", "5"], "invalid choice: 5"),
        (["play", "--seats", "two"], "invalid int value"),
        (["play", "--edition", "klingon"], "klingon"),
        (["play", "--bots", "clever"], "clever"),
        (["play", "--option", "tie=bottom"], "tie=lowest|top"),
        (["play", "--option", "name=x"], "is not one of"),
        (["play", "--seed"], "expected one argument"),
        (["verify"], "required"),
    ],
)
def test_bad_arguments_get_one_sentence_and_exit_2(arguments: list[str], said: str, capsys: Captured) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["play", "--board", "nowhere"], "there is no board 'nowhere'"),
        (["verify", "/nowhere/game.json"], "No such file"),
        (["verify", "/"], "directory"),
    ],
)
def test_files_that_are_not_there_get_one_sentence_and_exit_2(
    arguments: list[str], said: str, capsys: Captured
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1


def test_info_says_which_form_runs(capsys: Captured) -> None:
    assert main(["info"]) == 0
    assert "the engine runs" in capsys.readouterr().out


def test_a_reader_that_stops_early_is_no_error() -> None:
    command = f"{sys.executable} -m engine play | head -n 1"
    result = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("4 seats, rules english")
    assert result.stderr == ""
