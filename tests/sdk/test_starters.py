"""The starters play whole matches, as `aztlan new` hands them out."""

import shutil

import pytest

from aztlan.local.match import Job, play
from aztlan.local.players import HousePlayer, find_player
from engine import verify
from engine.rulesets import EDITIONS, ruleset
from proto.messages import Clocks

PATIENT = Clocks(60_000, 300_000, 0, 60_000)


@pytest.fixture
def starter(command, tmp_path, request):
    """Make a starter's folder, ready to play."""

    def make(language):
        if language == "cpp" and not shutil.which("g++"):
            pytest.skip("g++ is not installed here")
        if language == "javascript" and not shutil.which("node"):
            pytest.skip("node is not installed here")
        folder = tmp_path / "mine"
        code, _, _ = command("new", folder, "--language", language)
        assert code == 0
        if language == "javascript":
            (folder / "node_modules").symlink_to(request.getfixturevalue("node_modules"))
        return find_player(str(folder), tmp_path)

    return make


@pytest.mark.parametrize("language", ["python", "javascript", "cpp"])
def test_a_starter_plays_whole_matches_at_every_table_without_a_strike(language, starter):
    bot = starter(language)
    assert bot.name == "mine"
    for seats in (2, 3, 4):
        players = (*[HousePlayer("random")] * (seats - 1), bot)
        rules = ruleset(EDITIONS[seats % len(EDITIONS)])
        outcome = play(Job(players, bytes([seats]) * 32, rules, PATIENT))
        assert outcome.troubles == ("",) * seats
        assert verify(outcome.record).placements() == list(outcome.placements)


def test_the_python_starter_is_better_than_chance(starter):
    """In the sum over a few deals: it grows, and growing is better than nothing."""
    bot = starter("python")
    points = {"mine": 0, "random": 0}
    for deal in range(3):
        outcome = play(Job((bot, HousePlayer("random")), bytes([deal]) * 32, ruleset(), PATIENT))
        for name, score in zip(outcome.names, outcome.scores, strict=True):
            points[name] += score
    assert points["mine"] > points["random"]
