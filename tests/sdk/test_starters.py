"""The starters play whole matches, as `aztlan new` hands them out."""

import shutil

import pytest

from aztlan.cli.new import NEXT
from aztlan.errors import SdkError
from aztlan.local.match import Job, play
from aztlan.local.players import HousePlayer, find_player
from engine import verify
from engine.rulesets import EDITIONS, ruleset
from proto.messages import Clocks
from workers.runtimes.node import has_compiler

TOOLS = {
    "python": "python3",
    "javascript": "node",
    "typescript": "node",
    "cpp": "g++",
    "rust": "cargo",
    "go": "go",
    "java": "javac",
}
PATIENT = Clocks(60_000, 300_000, 0, 60_000)


@pytest.fixture
def starter(command, tmp_path, request):
    """Make a starter's folder, ready to play."""

    def make(language):
        if not shutil.which(TOOLS[language]):
            pytest.skip(f"{TOOLS[language]} is not installed here")
        if language == "typescript" and not has_compiler():
            pytest.skip(
                "the packages of Node bots are not here: `python -m workers.runtimes.node` fetches them"
            )
        folder = tmp_path / "mine"
        code, _, _ = command("new", folder, "--language", language)
        assert code == 0
        if language == "javascript":
            (folder / "node_modules").symlink_to(request.getfixturevalue("node_modules"))
        return find_player(str(folder), tmp_path)

    return make


@pytest.mark.parametrize("language", TOOLS)
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


def test_every_starter_is_tested(command):
    assert sorted(TOOLS) == sorted(NEXT)


@pytest.mark.parametrize("language", [language for language in TOOLS if language != "javascript"])
def test_a_starter_is_fit_for_the_arena(language, starter, command, tmp_path):
    """Built and played once in the sandbox, where this machine has one, and a game of each seat count besides."""
    starter(language)
    clocks = f"{PATIENT.startup_ms},{PATIENT.bank_ms},{PATIENT.increment_ms},{PATIENT.decision_ms}"
    code, printed, _ = command("check", tmp_path / "mine", "-n", "1", "-j", "1", "--clocks", clocks)
    assert code == 0, printed
    assert "all legal" in printed


def test_a_mistake_in_java_or_typescript_is_shown_with_file_and_line(bot_folder, tmp_path):
    for entry, source, said in (
        ("Bot.java", "class Bot {\n  int x = ;\n}\n", "Bot.java:2"),
        ("bot.ts", "const x: number = 1;\nlet = = 2;\n", "bot.ts:2"),
    ):
        if not shutil.which("javac" if entry.endswith("java") else "node") or not has_compiler():
            pytest.skip("javac, node or the packages of Node bots are not installed here")
        folder = bot_folder("jsonlines", entry, {entry: source}, name=entry.partition(".")[2])
        with pytest.raises(SdkError, match=said):
            find_player(str(folder), tmp_path)


def test_a_bot_in_typescript_may_have_several_files(bot_folder, tmp_path):
    if not shutil.which("node") or not has_compiler():
        pytest.skip("node or the packages of Node bots are not installed here")
    helper = "export interface Seen { legal: number[] }\nexport const first = (seen: Seen): number => seen.legal[0];\n"
    source = """
        import { createInterface } from "node:readline";
        import { first, type Seen } from "./helper";
        console.log(JSON.stringify({ type: "hello", name: "two files" }));
        const input = createInterface({ input: process.stdin });
        input.on("line", (line: string) => {
          const message = JSON.parse(line);
          const seen: Seen = { legal: message.legal_actions };
          if (message.type === "decision_request") {
            const answer = { type: "decision", request_id: message.request_id, action: first(seen) };
            console.log(JSON.stringify(answer));
          } else if (message.type === "game_over") {
            input.close();
          }
        });
    """
    folder = bot_folder("jsonlines", "bot.ts", {"bot.ts": source, "helper.ts": helper})
    outcome = play(
        Job((find_player(str(folder), tmp_path), HousePlayer("random")), b"1" * 32, ruleset(), PATIENT)
    )
    assert outcome.troubles == ("", "")
