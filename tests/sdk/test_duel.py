"""`aztlan test` and `aztlan climb`: as an author uses them, from the first set to the answer."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from aztlan.local.duel import Duel, Journal, fingerprint
from aztlan.local.match import bot_environment
from aztlan.local.players import HousePlayer, find_player
from contests.sequential import Plan, seatings


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Journals are kept where the command is run."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def starter(command, tmp_path):
    code, _, _ = command("new", tmp_path / "mine")
    assert code == 0
    return tmp_path / "mine"


def test_a_better_version_is_found_better(command, starter):
    code, printed, _ = command("test", "random", starter, "--in-process")
    line, answer = printed.splitlines()
    assert code == 0
    assert answer == "mine is better than random: it gains more than 0 Elo."
    for word in ("games", "score", "e-value", "of 20", "Elo +"):
        assert word in line


def test_a_worse_version_is_found_not_better_in_json(command, starter):
    code, printed, _ = command("test", starter, "random", "--in-process", "--json")
    data = json.loads(printed)
    assert code == 1
    assert data["conclusion"] == "not better"
    assert data["games"] == 2 * data["sets"]
    assert sum(data["results"].values()) == data["sets"]
    assert data["e_not_better"] >= 20
    assert data["elo"] is None or data["elo"] < 0
    assert data["elo_high"] is None or data["elo_low"] is None or data["elo_low"] < data["elo_high"]


@pytest.mark.parametrize("seats", [3, 4])
def test_tables_of_three_and_four_seats_are_tested_too(command, starter, seats):
    code, printed, _ = command("test", "random", starter, "--seats", seats, "--in-process", "--json")
    data = json.loads(printed)
    assert (code, data["conclusion"], data["seats"]) == (0, "better", seats)
    assert data["games"] == data["sets"] * len(seatings(seats))


def test_a_test_that_runs_out_of_sets_goes_on_from_there(command, starter, own_folder):
    arguments = ("test", starter, "greedy", "--in-process", "--elo0", "-900", "--elo1", "900")
    code, printed, _ = command(*arguments, "--sets", "2", "--alpha", "0.0001", "--beta", "0.0001")
    assert code == 3
    assert "undecided after 2 sets" in printed
    code, printed, told = command(
        *arguments, "--sets", "5", "--alpha", "0.0001", "--beta", "0.0001", "--json"
    )
    assert "resuming after 2 sets" in told
    assert json.loads(printed)["sets"] == 5
    journal = next((own_folder / ".aztlan").glob("test-*.jsonl"))
    assert len(journal.read_text().splitlines()) == 6
    # The same sets played in one go give the same answer.
    whole = command(*arguments, "--sets", "5", "--alpha", "0.0001", "--beta", "0.0001", "--fresh", "--json")
    assert json.loads(whole[1]) == json.loads(printed)


def test_a_changed_bot_is_another_test(starter, tmp_path):
    before = Duel(HousePlayer("random"), find_player(str(starter), tmp_path)).key()
    (starter / "bot.py").write_text((starter / "bot.py").read_text() + "# changed\n")
    after = find_player(str(starter), tmp_path)
    assert Duel(HousePlayer("random"), after).key() != before
    assert fingerprint(after) == fingerprint(find_player(str(starter), tmp_path))


def test_a_journal_that_was_cut_off_loses_the_last_set_alone(tmp_path):
    file = tmp_path / "journal"
    journal = Journal(file, "key")
    journal.keep(0, 1.0)
    journal.keep(1, 0.5)
    file.write_text(file.read_text()[:-5])
    assert Journal(file, "key").results == {0: 1.0}
    assert Journal(file, "another").results == {}


def test_two_versions_may_have_one_name(command, starter, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "bot.toml").write_text((starter / "bot.toml").read_text())
    (other / "bot.py").write_text(
        "from aztlan import Bot, run\n\nclass Worse(Bot):\n    def choose(self, observation, legal):\n"
        "        return legal[0]\n\nrun(Worse())\n"
    )
    code, printed, _ = command("test", other, starter, "--in-process")
    assert code == 0
    assert f"{starter} is better than {other}" in printed


def test_a_bot_that_fails_stops_the_test_and_is_named_with_file_and_line(command, bot_file):
    path = bot_file("raise RuntimeError('out of ideas')")
    code, _, told = command("test", "random", path, "--in-process")
    assert code == 1
    assert "tested failed in set 1" in told
    assert f'{path}", line' in told
    assert "out of ideas" in told
    code, printed, _ = command("test", "random", path, "--in-process", "--keep-going", "--json")
    assert json.loads(printed)["conclusion"] == "not better"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("random", "random"), "are the same bot"),
        (("random", "greedy", "--elo0", "5", "--elo1", "5"), "elo0 must be less than elo1"),
        (("random", "greedy", "--alpha", "2"), "between 0 and 1"),
        (("random", "nowhere"), "nowhere is neither a house bot"),
    ],
)
def test_what_cannot_be_tested_is_said_in_one_sentence(command, arguments, said):
    code, printed, told = command("test", *arguments)
    assert (code, printed) == (2, "")
    assert said in told
    assert len(told.splitlines()) == 1


def test_ctrl_c_keeps_what_was_played(tmp_path, own_folder):
    unsure = ("--alpha", "1e-9", "--beta", "1e-9")
    process = subprocess.Popen(
        [sys.executable, "-m", "aztlan.cli", "test", "greedy", "warlord", "-j", "2", *unsure],
        env=bot_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        files = list(own_folder.glob(".aztlan/*.jsonl"))
        if files and len(files[0].read_text().splitlines()) > 2:
            break
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    printed, told = process.communicate(timeout=60)
    assert process.returncode == 130, told
    assert "run the same command again to resume" in printed
    kept = len(files[0].read_text().splitlines()) - 1
    assert kept >= 2


def test_climb_says_on_which_rung_a_bot_stands(command, starter):
    code, printed, _ = command("climb", starter, "--in-process", "--sets", "40")
    first, second, answer = printed.splitlines()
    assert code == 0
    assert first.startswith("random")
    assert first.endswith("above")
    assert second.startswith("greedy")
    assert answer == "mine stands above random, and not above greedy."


def test_climb_gives_its_rungs_to_programs(command, starter):
    code, printed, _ = command("climb", starter, "--in-process", "--sets", "30", "--json")
    data = json.loads(printed)
    assert code == 0
    assert data["above"] == "random"
    assert [rung["old"] for rung in data["rungs"]] == ["random", "greedy"]
    assert all(rung["sets"] >= 25 for rung in data["rungs"])


def test_climb_stops_at_a_bot_that_fails(command, bot_file):
    code, _, told = command("climb", bot_file("raise RuntimeError('out of ideas')"), "--in-process")
    assert code == 1
    assert "out of ideas" in told


def test_a_house_bot_is_itself_a_rung(command):
    code, _, told = command("climb", "greedy")
    assert code == 2
    assert "is itself a rung" in told


def test_the_plan_of_a_duel_is_part_of_its_answer_and_not_of_its_games():
    one = Duel(HousePlayer("random"), HousePlayer("greedy"))
    other = Duel(HousePlayer("random"), HousePlayer("greedy"), plan=Plan(5.0, 10.0))
    assert one.key() == other.key()
