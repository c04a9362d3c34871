"""`aztlan play`: local games between folders, files and house bots, and a table of the results."""

import argparse
import json
import secrets
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from aztlan.cli.options import add_shared, processors, whole_number
from aztlan.cli.progress import progress
from aztlan.cli.tables import as_data, failures_data, output_of, print_table, print_troubles
from aztlan.errors import SdkError
from aztlan.house import HOUSE
from aztlan.local.contest import Seating, fill_seats, game_seed, gauntlet, play_jobs, rotations, round_robin
from aztlan.local.match import Job, Outcome
from aztlan.local.player_results import PlayerResult, standings
from aztlan.local.players import Player, ProgramPlayer, find_player
from engine.rulesets import EDITIONS, ruleset

INTERRUPTED = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    house = ", ".join(HOUSE)
    parser.add_argument(
        "bots", nargs="+", metavar="BOT", help=f"a bot's folder, a Python file, or one of {house}"
    )
    parser.add_argument(
        "-n", "--games", type=whole_number, default=10, help="games per table, or with --duplicate sets (10)"
    )
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), help="seats at the table (one for each bot)")
    parser.add_argument(
        "--edition",
        action="append",
        choices=EDITIONS,
        help="rules to play by (english); several are played in turn",
    )
    parser.add_argument(
        "--duplicate", action="store_true", help="play each seed once for every rotation of the seats"
    )
    parser.add_argument("--seed", help="a text; the same one deals the same games (by default a new one)")
    parser.add_argument(
        "--records", type=Path, metavar="FOLDER", help="save the games' records in this folder"
    )
    tables = parser.add_mutually_exclusive_group()
    tables.add_argument("--round-robin", action="store_true", help="play every table that the bots can make")
    tables.add_argument("--gauntlet", action="store_true", help="have the first bot meet all the others")
    parser.add_argument(
        "--in-process",
        action="store_true",
        help="run Python bots in this process: fast, without clocks; breakpoint() works",
    )
    parser.add_argument("--show-output", action="store_true", help="show what the bots print and note")
    parser.add_argument("--keep-going", action="store_true", help="play on when a bot has failed")
    add_shared(parser, processors())


def run(options: argparse.Namespace) -> int:
    """Play, print the table, and save the records if asked to; return 1 if a bot failed."""
    records = make_folder(options.records) if options.records else None
    with tempfile.TemporaryDirectory(prefix="aztlan-") as workshop:
        players = find_players(options.bots, Path(workshop))
        if options.in_process:
            check_in_process(players)
        tables = seat_players(players, options)
        seed = options.seed or secrets.token_hex(4)
        sets = plan(tables, seed, options)
        jobs = [job for games in sets for job in games]
        contest = Contest(jobs, records, options)
        contest.play()
    numbers = iter(range(len(jobs)))
    by_set = [[contest.outcomes.get(next(numbers)) for _ in games] for games in sets]
    table = standings([played for games in by_set if (played := [one for one in games if one])])
    if options.json:
        print(json.dumps(contest.as_data(seed, table)))
    else:
        print(contest.title(len(tables[0]), seed))
        if table:
            print_table(table)
        print_troubles(contest.outcomes)
    if contest.interrupted:
        return INTERRUPTED
    return int(any(one.failures for one in contest.outcomes.values()))


class Contest:
    """A run of games that ends when all are played, a bot fails, or somebody presses Ctrl-C.

    What was played by then is kept: each record is saved as soon as its game is over.
    """

    def __init__(self, jobs: list[Job], records: Path | None, options: argparse.Namespace) -> None:
        self.jobs, self.records, self.options = jobs, records, options
        self.outcomes: dict[int, Outcome] = {}
        self.interrupted = False

    def play(self) -> None:
        """Play the games until there is a reason to stop."""
        processes = self.options.parallel or (1 if self.options.in_process else processors())
        try:
            with closing(play_jobs(self.jobs, processes)) as games:
                for number, outcome in progress(games, len(self.jobs), "games"):
                    self.keep(number, outcome)
                    if outcome.failures and not self.options.keep_going:
                        break
        except KeyboardInterrupt:
            self.interrupted = True

    def keep(self, number: int, outcome: Outcome) -> None:
        """Keep the outcome of a game; save its record and print its output if asked to."""
        self.outcomes[number] = outcome
        if self.records:
            file = self.records / f"game-{number + 1:04}.json"
            file.write_text(outcome.record.to_json(), encoding="utf-8")
        if self.options.show_output:
            print(output_of(number, outcome), end="", file=sys.stderr, flush=True)

    def title(self, seats: int, seed: str) -> str:
        """Return a line that says how much was played."""
        played, planned = len(self.outcomes), len(self.jobs)
        count = "1 game" if played == 1 else f"{played} games"
        text = f"{count} of {seats} seats, seed {seed}"
        if self.interrupted:
            return f"{text}; stopped by Ctrl-C before all {planned}"
        if played < planned:
            return f"{text}; stopped before all {planned} because a bot failed (--keep-going plays on)"
        return text

    def as_data(self, seed: str, table: list[PlayerResult]) -> dict[str, object]:
        """Return the whole contest as JSON data."""
        return {
            "seed": seed,
            "games": len(self.outcomes),
            "planned": len(self.jobs),
            "interrupted": self.interrupted,
            "standings": [as_data(one) for one in table],
            "failures": failures_data(self.outcomes),
        }


def find_players(texts: Sequence[str], workshop: Path) -> list[Player]:
    """Return the players that the command line names; a name given twice is one player in two seats."""
    found = {text: find_player(text, workshop) for text in dict.fromkeys(texts)}
    names = [player.name for player in found.values()]
    if len(set(names)) < len(names):
        raise SdkError(
            f"two different bots have the same name ({', '.join(names)}): change one in its bot.toml"
        )
    return [found[text] for text in texts]


def check_in_process(players: list[Player]) -> None:
    """Refuse programs that cannot be played in this process."""
    for player in players:
        if isinstance(player, ProgramPlayer) and player.source is None:
            raise SdkError(
                f"{player.name} is not a Python bot: --in-process plays only Python bots and house bots"
            )


def seat_players(players: list[Player], options: argparse.Namespace) -> list[Seating]:
    """Return the tables to play: one, or all those of a round robin or gauntlet."""
    different = len(set(players))
    if options.round_robin or options.gauntlet:
        seats = options.seats or 2
        if different < seats:
            raise SdkError(f"{different} different bots do not fill a table of {seats} seats")
        return (round_robin if options.round_robin else gauntlet)(players, seats)
    seats = options.seats or max(2, len(players))
    if len(players) > seats or seats > 4:
        raise SdkError(
            f"{len(players)} bots do not fit a table of {min(seats, 4)} seats: add --round-robin, "
            "or --gauntlet to have the first one meet the others"
        )
    return [fill_seats(players, seats)]


def plan(tables: list[Seating], seed: str, options: argparse.Namespace) -> list[list[Job]]:
    """Return the games in sets that count as one result each: all rotations of a seed, or single games."""
    editions = [ruleset(name) for name in options.edition or ["english"]]
    sets = []
    for i in range(options.games):
        for number, table in enumerate(tables):
            turns = rotations(table)
            dealt = game_seed(f"{seed}/table {number}" if number else seed, i)
            rules = editions[i % len(editions)]
            seatings = turns if options.duplicate else [turns[i % len(turns)]]
            sets.append([Job(one, dealt, rules, options.clocks, options.in_process) for one in seatings])
    return sets


def make_folder(folder: Path) -> Path:
    """Create the folder for records, before any game is played in vain."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SdkError(f"the folder {folder} cannot be created: {error.strerror}") from None
    return folder.resolve()
