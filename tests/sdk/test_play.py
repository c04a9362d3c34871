"""`aztlan play` as a workbench: faults stop it and show everything, Ctrl-C keeps what was played."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from aztlan.local.match import Job, bot_environment, play
from aztlan.local.players import find_player
from engine import load_record, verify

PATIENT = "60000,3600000,0,3600000"
DEADLINE = 300
BOTH = pytest.mark.parametrize("how", [[], ["--in-process"]], ids=["program", "in process"])
FIRST = "return legal[0]"


def aztlan(*arguments, **options):
    command = [sys.executable, "-m", "aztlan.cli", "play", *map(str, arguments)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(
        command, env=bot_environment(), text=True, start_new_session=True, **pipes, **options
    )


@BOTH
def test_the_first_fault_stops_the_games_with_the_whole_traceback(command, bot_file, how):
    source = """
        from aztlan import Bot, run

        def deeper(age):
            return {1: None}[age]

        class Tested(Bot):
            def choose(self, observation, legal):
                return deeper(observation.age) or legal[0]

        run(Tested())
    """
    code, printed, _ = command("play", bot_file(source), "random", "-n", "9", "-j", "1", *how)
    assert code == 1
    assert "1 game of 2 seats" in printed
    assert "stopped before all 9 because a bot failed" in printed
    assert "tested failed in game 1" in printed
    for part in ("line 9, in choose", "line 5, in deeper", "return {1: None}[age]", "KeyError: 2"):
        assert part in printed


@BOTH
def test_a_syntax_error_is_told_with_its_line(command, bot_file, how):
    code, printed, _ = command("play", bot_file("run(\n1 1\n)\n"), "random", "-n", "3", "-j", "1", *how)
    assert code == 1
    assert "line 2" in printed
    assert "SyntaxError" in printed


@BOTH
def test_a_bot_that_fails_may_be_played_on_and_the_exit_code_still_says_so(command, bot_file, how):
    code, printed, _ = command(
        "play",
        bot_file("raise OSError('no')"),
        "random",
        "-n",
        "3",
        "-j",
        "1",
        "--keep-going",
        "--json",
        *how,
    )
    data = json.loads(printed)
    assert (code, data["games"], data["planned"]) == (1, 3, 3)
    assert [one["game"] for one in data["failures"]] == [1, 2, 3]
    assert {one["bot"] for one in data["failures"]} == {"tested"}
    assert all("OSError: no" in one["why"] for one in data["failures"])
    assert {one["name"]: one["wins"] for one in data["standings"]} == {"random": 3, "tested": 0}


@BOTH
def test_what_a_bot_prints_and_notes_is_shown_on_demand_and_apart_from_the_table(bot_file, how):
    source = "print('thinking', observation.age); self.note(f'age {observation.age}'); return legal[0]"
    arguments = (bot_file(source), "random", "-n", "1", "-j", "1", "--json", *how)
    out, err = aztlan(*arguments, "--show-output").communicate(timeout=DEADLINE)
    assert json.loads(out)["games"] == 1
    assert "thinking 5" in err
    assert "tested noted:\nstep " in err
    assert ": age 5\n" in err
    out, err = aztlan(*arguments).communicate(timeout=DEADLINE)
    assert json.loads(out)["games"] == 1
    assert "noted" not in err


def test_three_illegal_answers_in_process_are_a_fault_and_two_are_not(bot_file, rules, tmp_path):
    def outcome(times):
        source = (
            f"self.count = getattr(self, 'count', 0) + 1\nreturn 3 if self.count <= {times} else legal[0]"
        )
        player = find_player(str(bot_file(source)), tmp_path)
        return play(Job((player, player), bytes(32), rules, in_process=True))

    assert outcome(2).failures == {}
    assert "not among the legal actions" in outcome(2).troubles[0]
    failed = outcome(3)
    assert failed.failures.keys() == {0, 1}
    assert "strike 3 of 3" in failed.failures[0]
    assert verify(failed.record).is_over()


def test_a_game_in_process_is_the_game_that_programs_play(bot_file, rules, tmp_path):
    from proto.messages import Clocks

    player = find_player(str(bot_file("return legal[len(legal) // 2]")), tmp_path)
    clocks = Clocks(60_000, 3_600_000, 0, 3_600_000)
    alone, apart = (play(Job((player, player), bytes(32), rules, clocks, one)) for one in (True, False))
    assert alone.record.actions == apart.record.actions
    assert alone.placements == apart.placements


def test_bots_in_one_process_share_neither_modules_nor_folders_nor_memory(bot_folder, rules, tmp_path):
    source = """
        import sys
        import helpers
        from aztlan import Bot, run

        class Tested(Bot):
            def choose(self, seen, legal):
                import later
                helpers.games.add(self.match.seed_commitment)
                assert len(helpers.games) == 1, "left over from another game"
                assert open("who.txt").read() == helpers.WHO == later.WHO == {who!r}
                assert sys.modules["__main__"].Tested is Tested
                return legal[0]

        if __name__ == "__main__":
            run(Tested())
    """
    players = []
    for who in ("one", "two"):
        files = {
            "bot.py": source.format(who=who),
            "helpers.py": f"WHO = {who!r}\ngames = set()\n",
            "later.py": f"WHO = {who!r}\n",
            "who.txt": who,
        }
        players.append(find_player(str(bot_folder("python", "bot.py", files, name=who)), tmp_path))
    before = (dict(sys.modules), sys.path[:], Path.cwd())
    for deal in range(2):
        outcome = play(Job(tuple(players), bytes([deal]) * 32, rules, in_process=True))
        assert outcome.failures == {}
    assert {name for name in sys.modules if name not in before[0]} & {"helpers", "later"} == set()
    assert (sys.modules["__main__"], sys.path, Path.cwd()) == (before[0]["__main__"], *before[1:])


def test_a_file_that_never_runs_a_bot_is_told_so(command, bot_file):
    code, printed, _ = command("play", bot_file("# no run() here\n# run(\n"), "random", "-n1", "--in-process")
    assert code == 1
    assert "ended without calling aztlan.run(bot)" in printed


def test_only_python_bots_are_played_in_process(command, bot_folder):
    folder = bot_folder("jsonlines", "bot.py", {"bot.py": "pass"})
    code, _, told = command("play", folder, "random", "--in-process")
    assert code == 2
    assert "--in-process plays only Python bots and house bots" in told


def test_a_breakpoint_works_in_process(bot_file):
    source = "if observation.age == 1 and observation.phase == 0: breakpoint()\nreturn legal[0]"
    process = aztlan(bot_file(source), "random", "-n", "1", "--in-process")
    out, err = process.communicate("p 'age', observation.age + 41\nc\n", timeout=DEADLINE)
    assert "(Pdb) " in err
    assert "('age', 42)" in err
    assert (process.returncode, "1 game of 2 seats" in out) == (0, True)


def test_leaving_the_debugger_stops_the_games_and_keeps_those_played(bot_file, tmp_path):
    process = aztlan(bot_file("breakpoint()\nreturn legal[0]"), "random", "-n", "5", "--in-process")
    out, _ = process.communicate("q\n", timeout=DEADLINE)
    assert process.returncode == 130
    assert "0 games of 2 seats" in out


def test_a_breakpoint_elsewhere_leads_to_the_option(command, bot_file):
    code, printed, _ = command("play", bot_file("breakpoint()"), "random", "-n", "1", "-j", "1")
    assert code == 1
    assert "breakpoint() works with --in-process" in printed


@pytest.mark.parametrize("how", [["-j", "1"], ["-j", "2"], ["--in-process"]], ids=["1", "2", "in process"])
def test_ctrl_c_keeps_the_games_that_were_played_and_their_records(bot_file, tmp_path, how):
    # One game is played to its end; whoever plays another waits for ever in it.
    source = """\
if not hasattr(self, "mine"):
    try:
        open("first", "x").close()
        self.mine = True
    except FileExistsError:
        open(f"waits-{os.getpid()}", "w").close()
        while True:
            time.sleep(1)
return legal[0]
"""
    records = tmp_path / "records"
    process = aztlan(bot_file(source), "random", "-n", "6", "--records", records, "--clocks", PATIENT, *how)
    try:
        until(lambda: list(records.glob("*.json")) and list(tmp_path.glob("waits-*")), process)
        bots = [int(path.name.partition("-")[2]) for path in tmp_path.glob("waits-*")]
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=DEADLINE)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert "1 game of 2 seats" in out
    assert "stopped by Ctrl-C before all 6" in out
    assert "Traceback" not in err
    [record] = records.glob("*.json")
    assert verify(load_record(record.read_bytes())).is_over()
    _, alive = psutil.wait_procs([psutil.Process(bot) for bot in bots if psutil.pid_exists(bot)], 60)
    assert alive == []


def until(condition, process):
    deadline = time.monotonic() + DEADLINE
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("arguments", "games", "seats"),
    [
        (["random", "greedy", "settler", "--round-robin"], 3, {"random": 2, "greedy": 2, "settler": 2}),
        (["random", "greedy", "settler", "--gauntlet"], 2, {"random": 2, "greedy": 1, "settler": 1}),
        (["random", "greedy", "settler", "warlord", "{bot}", "--round-robin", "--seats", "4"], 5, None),
        (["{bot}", "random", "greedy", "settler", "warlord", "--gauntlet", "--seats", "3"], 6, None),
        (["{bot}", "random", "greedy", "--gauntlet", "--duplicate"], 4, None),
    ],
)
def test_more_bots_than_seats_meet_in_a_round_robin_or_a_gauntlet(command, bot_file, arguments, games, seats):
    bot = str(bot_file(FIRST))
    given = [one.format(bot=bot) for one in arguments]
    code, printed, _ = command("play", *given, "-n", "1", "-j", "1", "--json", "--in-process", "--seed", "s")
    data = json.loads(printed)
    assert (code, data["games"]) == (0, games)
    found = {one["name"]: one["games"] for one in data["standings"]}
    assert found == seats or seats is None
    assert data["failures"] == []
    if "--gauntlet" in arguments and seats is None:
        assert found["tested"] == games


def test_a_round_robin_needs_different_bots_for_every_seat(command):
    code, _, told = command("play", "random", "greedy", "--round-robin", "--seats", "3")
    assert code == 2
    assert "2 different bots do not fill a table of 3 seats" in told
