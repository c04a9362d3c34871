"""Bots as programs of their own, in real matches over gRPC with clocks, strikes and faults."""

import subprocess
import sys

import pytest

from aztlan.house import HOUSE
from aztlan.local.match import Job, bot_environment, play
from aztlan.local.players import HousePlayer, find_player
from engine import verify
from proto.messages import Clocks

SEED = bytes(range(32))
GREEDY = HousePlayer("greedy")
PATIENT = Clocks(60_000, 300_000, 0, 60_000)


@pytest.fixture
def match(rules, tmp_path):
    """Play one match between a bot's path and house bots."""

    def run(path, *others, clocks=PATIENT):
        players = (find_player(str(path), tmp_path), *(others or (GREEDY,)))
        return play(Job(players, SEED, rules, clocks))

    return run


def test_a_bot_in_a_file_plays_a_whole_match_and_its_record_is_true(match, bot_file):
    outcome = match(bot_file("return legal[-1]"), GREEDY, HousePlayer("random"))
    assert outcome.names == ("tested", "greedy", "random")
    assert outcome.troubles == ("", "", "")
    assert verify(outcome.record).scores() == list(outcome.scores)


def test_a_bot_that_crashes_places_last_and_its_last_words_are_told(match, bot_file):
    outcome = match(bot_file("raise RuntimeError('out of ideas')"))
    assert outcome.placements == (2, 1)
    assert "out of ideas" in outcome.troubles[0]


def test_an_answer_of_none_is_a_strike_and_the_match_goes_on(match, bot_file):
    outcome = match(bot_file("return None if observation.age == 1 and observation.phase == 0 else legal[0]"))
    assert "was not among the legal" in outcome.troubles[0] or "refused" in outcome.troubles[0]
    assert verify(outcome.record)


def test_a_bot_learns_why_the_host_threw_it_out(match, bot_file):
    outcome = match(bot_file("return 2"))
    assert "strike 3 of 3" in outcome.troubles[0]
    assert "the match host ended the stream" in outcome.troubles[0]


def test_a_house_bot_can_be_a_process_of_its_own(match, bot_file):
    path = bot_file(
        "from aztlan.client import run\nfrom aztlan.house import HOUSE\nrun(HOUSE['settler'](1))\n"
    )
    assert match(path).troubles == ("", "")


def test_a_bot_started_by_hand_says_how_to_start_it(bot_file):
    environment = {key: value for key, value in bot_environment().items() if key != "AZTLAN_SOCKET"}
    for arguments in ([str(bot_file("return legal[0]"))], ["-m", "aztlan.house", "random"]):
        done = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True)
        assert done.returncode == 1
        assert "aztlan play" in done.stderr


def test_an_unknown_house_bot_is_answered_with_the_known_ones():
    done = subprocess.run(
        [sys.executable, "-m", "aztlan.house", "tlaloc"],
        env=bot_environment(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr == f"name a house bot: {', '.join(HOUSE)}\n"


PROGRAM = """
    import json, sys
    print(json.dumps({"type": "hello", "name": "lines"}), flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "decision_request":
            answer(message)
        if message["type"] == "game_over":
            break
"""


def lines_bot(bot_folder, answer):
    head = f"import os, sys, time, json\ndef answer(message):\n    {answer}\n"
    body = "\n".join(line[4:] for line in PROGRAM.splitlines())
    return bot_folder("jsonlines", "bot.py", {"bot.py": head + body})


ANSWER = (
    'print(json.dumps({"type": "decision", "request_id": message["request_id"], "action": %s}), flush=True)'
)


def test_a_program_that_speaks_json_lines_plays_a_whole_match(match, bot_folder):
    outcome = match(lines_bot(bot_folder, ANSWER % 'message["legal_actions"][0]'), GREEDY, GREEDY)
    assert outcome.troubles == ("", "", "")
    assert verify(outcome.record)


@pytest.mark.parametrize(
    ("answer", "trouble"),
    [
        ('print("place t01", flush=True)', "not JSON in UTF-8; the program wrote b'place t01"),
        ('print("x" * 70000, flush=True)', "at most 65536 bytes"),
        ('print(json.dumps({"type": "hello"}), flush=True)', "a hello may only be sent once"),
        ("sys.exit(0)", "ended, or closed its stdout, before the match was over"),
        (ANSWER % "10**30", "strike 3 of 3"),
    ],
)
def test_a_program_that_breaks_the_form_is_at_fault_and_told_why(match, bot_folder, answer, trouble):
    outcome = match(lines_bot(bot_folder, answer))
    assert outcome.placements == (2, 1)
    assert trouble in outcome.troubles[0]


def test_a_program_that_never_says_hello_is_out_after_the_start_up_allowance(match, bot_folder):
    folder = bot_folder("jsonlines", "bot.py", {"bot.py": "import time\ntime.sleep(100)\n"})
    outcome = match(folder, clocks=Clocks(1000, 1000, 0, 1000))
    assert "hello" in outcome.troubles[0]


def test_the_bridge_says_what_it_needs():
    def bridge(*argv, **extra):
        environment = {**bot_environment(), **extra}
        done = subprocess.run(
            [sys.executable, "-m", "aztlan.bridge", *argv], env=environment, capture_output=True, text=True
        )
        return done.returncode, done.stderr

    assert bridge() == (2, "usage: python -m aztlan.bridge PROGRAM [ARGUMENT...]\n")
    code, told = bridge("/nowhere/bot", AZTLAN_SOCKET="/nowhere/socket")
    assert (code, told) == (1, "bridge: /nowhere/bot cannot be started: No such file or directory\n")
