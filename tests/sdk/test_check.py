"""`aztlan check` passes a good bot and finds each fault of a bad one, in words and by its exit code."""

import json

import pytest

from aztlan.local.checks import judge_leftovers
from aztlan.local.trial import Trial

PATIENT = "60000,300000,0,60000"
FIRST = """
    from aztlan import Bot, run

    class First(Bot):
        def choose(self, seen, legal):
            return legal[0]

    run(First())
"""


@pytest.fixture
def check(command):
    """Check a bot in a few games; return the exit code and the verdicts by name."""

    def run(path, *options, clocks=PATIENT):
        code, printed, told = command("check", path, "-n1", "-j1", "--json", "--clocks", clocks, *options)
        assert told == ""
        data = json.loads(printed)
        assert data["fit"] == (code == 0)
        return code, {one["what"]: (one["passed"], one["why"]) for one in data["verdicts"]}

    return run


def failed(verdicts):
    return {what for what, (passed, _) in verdicts.items() if not passed}


def test_a_good_bot_is_fit_and_every_verdict_says_what_was_seen(command, bot_folder):
    folder = bot_folder("python", "bot.py", {"bot.py": FIRST})
    code, printed, _ = command("check", folder, "-n", "3", "--clocks", PATIENT)
    assert code == 0
    lines = printed.splitlines()
    assert [line.split()[:2] for line in lines[:-1]] == [
        ["ok", "archive"],
        ["ok", "build"],
        ["ok", "sandbox"],
        ["ok", "imports"],
        ["ok", "start-up"],
        ["ok", "legal"],
        ["ok", "time"],
        ["ok", "memory"],
        ["ok", "leftovers"],
    ]
    assert "9 games" in printed
    assert lines[-1] == "tested is fit for the arena."


def test_a_crash_is_told_with_what_the_bot_printed(check, bot_file):
    code, verdicts = check(bot_file("raise RuntimeError('lost my way')"))
    assert code == 1
    assert failed(verdicts) == {"sandbox", "legal play"}
    assert "lost my way" in verdicts["sandbox"][1]
    assert "lost my way" in verdicts["legal play"][1]


def test_a_bot_that_does_not_start_is_not_waited_for_a_hundred_times(check, bot_file):
    code, verdicts = check(bot_file("run(1 / 0)"), "-n", "50")
    assert code == 1
    assert {"start-up", "legal play"} <= failed(verdicts)
    assert "147 more were not played" in verdicts["legal play"][1]


def test_an_illegal_action_is_told_with_the_rule_it_breaks(check, bot_file):
    source = "if observation.phase == 0 and observation.age == 2: return 3\nreturn legal[0]"
    code, verdicts = check(bot_file(source))
    assert code == 1
    assert failed(verdicts) == {"legal play"}
    assert "3 illegal actions" in verdicts["legal play"][1]
    assert "power card" in verdicts["legal play"][1]


def test_answers_that_come_too_late_are_counted(check, bot_file):
    source = "if observation.phase == 0 and observation.age == 1: time.sleep(60)\nreturn legal[0]"
    code, verdicts = check(bot_file(source), clocks="60000,300000,0,500")
    assert code == 1
    assert "time" in failed(verdicts)
    assert "no answer within 500 ms" in verdicts["time"][1]


def test_a_hungry_bot_is_found_out(check, bot_file):
    source = "if not hasattr(self, 'hoard'): self.hoard = b'x' * 300_000_000; time.sleep(1)\nreturn legal[0]"
    code, verdicts = check(bot_file(source))
    assert code == 1
    assert failed(verdicts) >= {"memory"}
    assert "of 256 MiB" in verdicts["memory"][1]


def test_a_process_that_outlives_its_game_is_found_and_ended(check, bot_file):
    source = (
        "if observation.age == 5 and not hasattr(self, 'child'):\n"
        "    command = [sys.executable, '-c', 'import time; time.sleep(600)']\n"
        "    self.child = subprocess.Popen(command, start_new_session=True)\n"
        "return legal[0]"
    )
    code, verdicts = check(bot_file(source))
    assert code == 1
    assert failed(verdicts) == {"leftovers"}
    assert "python" in verdicts["leftovers"][1]


def test_a_bot_that_does_not_end_after_the_game_is_told_so(check, bot_file):
    path = bot_file("return legal[0]")
    path.write_text(path.read_text() + "time.sleep(600)\n")
    code, verdicts = check(path)
    assert code == 1
    assert "did not end by itself" in verdicts["leftovers"][1]


def test_a_busy_machine_does_not_make_a_bot_unfit():
    def trial(exited):
        return Trial(
            startup=1, times=[1], illegal=[], late=[], fault="", memory=1, exited=exited, left_behind=[]
        )

    games = [trial(exited=False), *[trial(exited=True)] * 5]
    assert judge_leftovers(games, []).passed
    assert not judge_leftovers([trial(exited=False)] * 2 + [trial(exited=True)], []).passed


def test_a_bot_that_writes_into_its_folder_is_told_that_it_cannot(check, bot_folder):
    source = """\
        from aztlan import Bot, run
        class A(Bot):
            def choose(self, seen, legal):
                open("log.txt", "a").write("hm\\n")
                return legal[0]
        run(A())
    """
    code, verdicts = check(bot_folder("python", "bot.py", {"bot.py": source}))
    assert code == 1
    assert failed(verdicts) == {"sandbox", "leftovers"}
    assert "Read-only file system" in verdicts["sandbox"][1]
    assert "log.txt" in verdicts["leftovers"][1]


def test_a_house_bot_needs_no_check(command):
    code, _, told = command("check", "greedy")
    assert code == 2
    assert told == "aztlan check: greedy is a house bot; name a folder or a Python file of yours\n"
