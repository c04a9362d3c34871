"""The command `aztlan`: what it prints, what it saves, and how it ends when something is wrong."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from aztlan.cli import COMMANDS
from aztlan.cli.new import NEXT
from aztlan.cli.progress import progress
from aztlan.local.match import bot_environment
from engine import load_record, verify


def test_help_names_every_command(command):
    code, printed, _ = command("--help")
    assert code == 0
    for name in ("new", "play", "check", "replay", "verify"):
        assert name in printed


@pytest.mark.parametrize("language", sorted(NEXT))
def test_new_makes_a_folder_named_after_the_bot(command, tmp_path, language):
    folder = tmp_path / "xolotl"
    code, printed, _ = command("new", folder, "-l", language)
    assert code == 0
    assert 'name = "xolotl"' in (folder / "bot.toml").read_text()
    assert f"aztlan check {folder}" in printed
    assert (folder / "bot.proto").exists() == (language == "javascript")


def test_what_new_says_to_do_next_can_be_pasted(command, tmp_path):
    _, printed, _ = command("new", tmp_path / "my first bot")
    assert f"aztlan check '{tmp_path / 'my first bot'}'" in printed


def test_without_a_command_all_are_listed_and_the_version_can_be_asked_for(command):
    code, printed, told = command()
    assert (code, printed) == (2, "")
    assert all(name in told for name in COMMANDS)
    code, printed, _ = command("--version")
    assert code == 0
    assert printed.startswith("aztlan 0.")


def test_new_touches_nothing_that_is_there(command, tmp_path):
    (tmp_path / "mine").mkdir()
    code, printed, told = command("new", tmp_path / "mine")
    assert (code, printed) == (2, "")
    assert told == f"aztlan new: {tmp_path / 'mine'} already exists; choose another name\n"


@pytest.mark.parametrize("name", ["a" * 61, 'quo"te', "tab\tbed"])
def test_new_refuses_names_that_a_bot_may_not_have(command, tmp_path, name):
    code, _, told = command("new", tmp_path / name)
    assert code == 2
    assert "is not a valid bot name" in told
    assert not (tmp_path / name).exists()


def test_play_prints_a_table_with_the_best_first(command):
    code, printed, _ = command(
        "play", "random", "greedy", "--seats", "3", "-n", "4", "--seed", "s", "-j", "1"
    )
    title, head, first, second = printed.splitlines()
    assert code == 0
    assert title == "4 games of 3 seats, seed s"
    for word in ("win share", "mean place", "Elo difference [95%]"):
        assert word in head
    assert first.startswith("greedy")
    assert second.startswith("random")


def test_play_deals_the_same_games_from_the_same_seed(command):
    arguments = ("play", "random", "greedy", "--duplicate", "-n", "2", "--seed", "s", "-j", "1", "--json")
    first, second = command(*arguments), command(*arguments)
    assert first == second
    data = json.loads(first[1])
    assert data["games"] == 4
    assert {one["name"] for one in data["standings"]} == {"random", "greedy"}
    assert all(one["games"] == 4 for one in data["standings"])


def test_play_saves_records_that_replay_and_verify_understand(command, tmp_path):
    saved = tmp_path / "saved"
    code, _, _ = command(
        "play",
        "greedy",
        "random",
        "-n",
        "3",
        "--edition",
        "french",
        "--edition",
        "german",
        "--records",
        saved,
        "-j",
        "1",
    )
    assert code == 0
    files = sorted(saved.iterdir())
    records = [load_record(file.read_bytes()) for file in files]
    assert [record.ruleset.name for record in records] == ["french", "german", "french"]
    code, printed, _ = command("verify", *files)
    assert code == 0
    assert printed.count(": ok: ") == 3
    code, printed, _ = command("replay", files[0])
    assert code == 0
    assert printed.splitlines()[0].startswith("french rules, board aztlan")
    assert printed.splitlines()[-1].startswith("final: ")


def test_play_prints_why_a_bot_failed(command, bot_file):
    code, printed, _ = command(
        "play", bot_file("raise RuntimeError('no idea')"), "random", "-n", "1", "-j", "1"
    )
    assert code == 1
    assert "game 1: tested: " in printed
    assert "no idea" in printed


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nobody", "random"], "nobody is neither a house bot"),
        (["random"] * 5, "5 bots do not fit a table of 4 seats"),
        (["random", "greedy", "settler", "--seats", "2"], "3 bots do not fit a table of 2 seats"),
        (["random", "--games", "0"], "'0' is not a whole number of at least 1"),
        (["random", "--clocks", "1,2"], "is not four numbers of milliseconds"),
        (["random", "--edition", "klingon"], "invalid choice: 'klingon'"),
        (["random", "--records", __file__], "cannot be created: File exists"),
    ],
)
def test_play_refuses_in_a_sentence(command, arguments, told):
    code, printed, errors = command("play", *arguments)
    assert (code, printed) == (2, "")
    assert told in errors.splitlines()[-1]


def test_two_bots_of_one_name_are_told_apart_by_their_author(command, tmp_path, bot_file):
    other = tmp_path / "other"
    other.mkdir()
    first = bot_file("return legal[0]")
    (other / "tested.py").write_text(first.read_text())
    code, _, told = command("play", first, other / "tested.py")
    assert code == 2
    assert "two different bots have the same name" in told


@pytest.fixture
def record(command, tmp_path):
    command("play", "random", "random", "-n", "1", "--seed", "s", "--records", tmp_path, "-j", "1")
    return tmp_path / "game-0001.json"


def test_verify_reads_the_compact_form_too(command, record, tmp_path):
    compact = tmp_path / "game.aztr"
    compact.write_bytes(load_record(record.read_bytes()).to_bytes())
    code, printed, _ = command("verify", compact)
    assert code == 0
    assert "english rules" in printed


def test_verify_names_the_step_that_was_changed(command, record):
    data = json.loads(record.read_text())
    data["actions"][3], data["actions"][5] = data["actions"][5], data["actions"][3]
    record.write_text(json.dumps(data))
    code, printed, _ = command("verify", record)
    assert code == 1
    assert "FAILED: record: step " in printed


@pytest.mark.parametrize("content", [b"", b"{}", b"AZTR", b"\x00\xff", b"[" * 100_000])
def test_verify_and_replay_refuse_what_is_no_record(command, tmp_path, content):
    path = tmp_path / "game"
    path.write_bytes(content)
    code, printed, _ = command("verify", path)
    assert code == 1
    assert "FAILED: record: " in printed
    code, _, told = command("replay", path)
    assert code == 2
    assert told.startswith(f"aztlan replay: {path} is not a valid record; record: ")


def test_replay_prints_the_steps_asked_for_and_the_score_so_far(command, record):
    code, printed, _ = command("replay", record, "--from", "3", "--to", "6")
    steps = [line.split()[0] for line in printed.splitlines() if line[:4].strip().isdecimal()]
    assert code == 0
    assert steps == ["3", "4", "5", "6"]
    assert printed.splitlines()[-1].startswith("so far: ")
    code, _, told = command("replay", record, "--from", "9999")
    assert code == 2
    assert "the record has the steps 1 to" in told


def test_a_missing_file_is_told_in_a_sentence(command, tmp_path):
    code, _, told = command("replay", tmp_path / "none.json")
    assert code == 2
    assert told == f"aztlan replay: {tmp_path / 'none.json'} cannot be read: No such file or directory\n"


def test_replay_into_a_pipe_that_closes_early_ends_quietly(record):
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "aztlan.cli", "replay", str(record)],
        stdout=writing,
        stderr=subprocess.PIPE,
        env=bot_environment(),
    )
    os.close(writing)
    os.close(reading)
    assert process.communicate()[1] == b""
    assert process.returncode == 0


def test_a_record_of_older_rules_is_refused_by_name(command):
    old = Path(__file__).parents[1] / "engine" / "old_records" / "rules1.json"
    code, out, told = command("replay", old)
    assert (code, out) == (2, "")
    assert "cannot be replayed here; record: rules: this game was played by version 1 of the rules" in told
    code, out, _ = command("verify", old)
    assert code == 1
    assert "FAILED: record: rules: this game was played by version 1 of the rules" in out


def test_every_saved_game_is_a_true_record(record):
    assert verify(load_record(record.read_bytes())).is_over()


class Terminal(io.StringIO):
    """A person watches."""

    def isatty(self):
        return True


def test_progress_is_shown_where_a_person_watches_and_nowhere_else(monkeypatch):
    for watched, shown in ((Terminal(), "[##########....................] 1/3 games"), (io.StringIO(), "")):
        monkeypatch.setattr("sys.stderr", watched)
        assert list(progress(iter("abc"), 3, "games")) == ["a", "b", "c"]
        assert shown in watched.getvalue()
    assert watched.getvalue() == ""
