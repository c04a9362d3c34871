"""`aztlan debug`, `fuzz` and `profile`: what is found, and that it can be looked at again."""

import json

import pytest

from aztlan.local.fuzzing import fuzz_in_process, tables
from aztlan.local.players import find_player
from engine.rulesets import EDITIONS

TROUBLED = """
    if max(observation.pawns) > 9:
        while True:
            pass
    if observation.deck_size == 0 or observation.age == 4:
        raise ValueError("nothing left to draw")
    if observation.age == 3:
        return 3
    return legal[0]
"""


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def game(command, bot_file, own_folder):
    """A recorded game of a bot against a house bot; returns the bot's file."""
    path = bot_file("return legal[-1]")
    code, _, _ = command(
        "play", path, "greedy", "-n", "1", "--in-process", "--records", "games", "--seed", "d"
    )
    assert code == 0
    return path


RECORD = "games/game-0001.json"


def test_unchanged_code_decides_as_it_did(command, game):
    code, printed, _ = command("debug", RECORD, game)
    assert code == 0
    assert printed.endswith("decisions; 0 decisions differ from what was played.\n")


def test_changed_code_shows_each_decision_that_differs_with_its_position(command, game, bot_file):
    bot_file("return legal[0] if observation.age == 2 else legal[-1]")
    code, printed, _ = command("debug", RECORD, game)
    lines = printed.splitlines()
    assert code == 1
    assert lines[0].startswith("step ")
    assert " ms)" in lines[0]
    assert "age 2" in lines[1]
    assert "seat 0" in lines[2]
    assert "points, pawns at" in lines[2]
    count = int(lines[-1].split("; ")[1].split()[0])
    assert count == len([line for line in lines if line.startswith("step ")]) > 1


def test_until_different_stops_at_the_first(command, game, bot_file):
    bot_file("return legal[0]")
    code, printed, _ = command("debug", RECORD, game, "--until-different")
    assert code == 1
    assert len([line for line in printed.splitlines() if line.startswith("step ")]) == 1


def test_a_step_is_shown_alone_and_prints_come_through(command, game, bot_file):
    bot_file("print('I am at', observation.age)\nreturn legal[-1]")
    code, printed, told = command("debug", RECORD, game, "--step", "5")
    assert code == 0
    assert printed.startswith("step 5: played ")
    assert "I am at 1" in printed + told


def test_a_step_of_another_seat_is_refused_with_the_steps_there_are(command, game):
    code, _, told = command("debug", RECORD, game, "--step", "2")
    assert code == 2
    assert "step 2 is not a decision of this seat; its decisions are 1, 5" in told


def test_json_has_one_decision_per_line(command, game, bot_file):
    bot_file("return legal[0]")
    _, printed, _ = command("debug", RECORD, game, "--json")
    rows = [json.loads(line) for line in printed.splitlines()]
    assert rows
    assert all(row["differs"] and row["now"] in row["legal"] for row in rows)


def test_another_seat_can_be_looked_at(command, game):
    code, printed, _ = command("debug", RECORD, game, "--seat", "1", "--until-different")
    assert code == 1
    assert "you are seat 1" in printed
    code, _, told = command("debug", RECORD, game, "--seat", "3")
    assert code == 2
    assert "no seat 3" in told


def test_a_crash_is_shown_with_its_file_and_line(command, game, bot_file):
    path = bot_file("if observation.age == 2:\n    raise ValueError('lost')\nreturn legal[-1]")
    code, printed, _ = command("debug", RECORD, path)
    assert code == 1
    assert printed.splitlines()[-1] == f"{path}:7: ValueError: lost"
    assert "failed at step" in printed


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("no/such/file", "BOT"), "neither a file here nor the id of a match"),
        ((RECORD, "greedy"), "is not a Python bot"),
        (("junk.json", "BOT"), "junk.json is not a record"),
    ],
)
def test_what_cannot_be_debugged_is_said_in_one_sentence(command, game, own_folder, arguments, said):
    (own_folder / "junk.json").write_text("{}")
    code, _, told = command("debug", *[game if one == "BOT" else one for one in arguments])
    assert code == 2
    assert said in told
    assert len(told.splitlines()) == 1


def test_fuzz_finds_a_crash_an_illegal_answer_and_an_endless_loop(command, bot_file):
    path = bot_file(TROUBLED)
    code, printed, _ = command("fuzz", path, "-n", "30", "--slow", "300", "--json")
    data = json.loads(printed)
    assert code == 1
    assert {one["kind"] for one in data["findings"]} == {"crash", "illegal", "slow"}
    by_kind = {one["kind"]: one for one in data["findings"]}
    assert f"{path}:11: ValueError: nothing left to draw" in by_kind["crash"]["why"]
    assert any(f"{path}:{line}" in by_kind["slow"]["why"] for line in (8, 9))


def test_each_finding_is_a_file_that_debug_opens(command, bot_file):
    path = bot_file(TROUBLED.replace("while True:\n            pass", "return 4"))
    _, printed, _ = command("fuzz", path, "-n", "12", "--json")
    for one in json.loads(printed)["findings"]:
        code, shown, _ = command("debug", one["file"], path)
        assert code == 1
        if one["kind"] == "crash":
            assert "nothing left to draw" in shown
            assert f"failed at step {one['step']}\n" in shown
        else:
            assert f"step {one['step']}: " in shown
            assert "which is not legal" in shown


def test_a_sound_bot_has_no_findings(command, own_folder, bot_file):
    code, printed, _ = command("fuzz", bot_file("return legal[0]"), "-n", "12")
    assert code == 0
    assert printed.endswith("No crash, no illegal answer, no slow decision.\n")
    assert not (own_folder / "findings").exists()


def test_a_bot_that_does_not_even_start_is_a_finding(command, bot_file):
    code, printed, _ = command("fuzz", bot_file("import nowhere_at_all\nrun(1)\n"), "-n", "3")
    assert code == 1
    assert "ModuleNotFoundError: No module named 'nowhere_at_all'" in printed


def test_fuzz_goes_where_games_seldom_go(bot_file, tmp_path):
    """Tall towers, empty decks, all editions and seat counts."""
    bot = find_player(str(bot_file("return legal[0]")), tmp_path)
    todo = list(tables(120, "fuzz"))
    assert {table.edition for table in todo} == set(EDITIONS)
    assert {table.seats for table in todo} == {2, 3, 4}
    games = [fuzz_in_process(bot, table, 60_000) for table in todo]
    assert max(game.tallest for game in games) > 25
    assert sum(game.empty_decks for game in games) > 0
    assert sum(game.decisions for game in games) > 5000


def test_programs_of_other_languages_are_fuzzed_over_their_own_protocol(command, bot_folder):
    source = """
        import json, sys
        print(json.dumps({"type": "hello", "name": "x"}), flush=True)
        for line in sys.stdin:
            message = json.loads(line)
            if message["type"] == "decision_request":
                legal = message["legal_actions"]
                action = 3 if message["observation"]["age"] == 3 else legal[0]
                answer = {"type": "decision", "request_id": message["request_id"], "action": action}
                print(json.dumps(answer), flush=True)
    """
    folder = bot_folder("jsonlines", "bot.py", {"bot.py": source})
    code, printed, _ = command("fuzz", folder, "-n", "2", "--json")
    findings = json.loads(printed)["findings"]
    assert code == 1
    assert [one["kind"] for one in findings] == ["illegal"] * len(findings) != []


def test_profile_shows_times_by_phase_beside_the_limits(command, bot_file):
    code, printed, told = command("profile", bot_file("return legal[0]"), "-n", "1", "-j", "1")
    assert (code, told) == (0, "")
    for word in ("choosing", "development", "all", "start-up", "memory", "of 256 MiB", "of 5000 ms"):
        assert word in printed


def test_the_slowest_decision_can_be_debugged(command, bot_file):
    path = bot_file("return legal[0]")
    code, printed, _ = command("profile", path, "-n", "1", "-j", "1", "--json")
    data = json.loads(printed)
    assert code == 0
    assert [one["phase"] for one in data["phases"]][-1] == "all"
    assert data["phases"][-1]["decisions"] == sum(one["decisions"] for one in data["phases"][:-1])
    assert all(one["median"] <= one["p99"] <= one["worst"] for one in data["phases"])
    first = data["phases"][0]
    code, shown, _ = command("debug", first["file"], path)
    assert code == 0
    assert shown.startswith(f"step {first['worst_at']['step']}: ")


def test_profile_says_that_a_bot_failed(command, bot_file):
    code, _, told = command("profile", bot_file("raise RuntimeError('out of ideas')"), "-n", "1", "-j", "1")
    assert code == 1
    assert "it failed in 3 of 3 games" in told
    assert "out of ideas" in told
