"""`aztlan play`: local games between folders, files and house bots, and a table of the results."""

import argparse
import json
import secrets
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from aztlan.cli.options import add_shared, processors, whole_number
from aztlan.cli.progress import progress
from aztlan.errors import SdkError
from aztlan.house import HOUSE
from aztlan.local.contest import fill_seats, game_seed, play_jobs, rotations
from aztlan.local.match import Job, Outcome
from aztlan.local.players import Player, find_player
from aztlan.local.standings import Standing, standings
from engine.rulesets import EDITIONS, ruleset


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    house = ", ".join(HOUSE)
    parser.add_argument(
        "bots", nargs="+", metavar="BOT", help=f"a bot's folder, a Python file, or one of {house}"
    )
    parser.add_argument(
        "-n", "--games", type=whole_number, default=10, help="games, or with --duplicate sets (10)"
    )
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), help="seats at the table (one for each bot)")
    parser.add_argument(
        "--edition",
        action="append",
        choices=EDITIONS,
        help="rules to play by (english); given more than once, games go through them in turn",
    )
    parser.add_argument(
        "--duplicate", action="store_true", help="play each seed once for every rotation of the seats"
    )
    parser.add_argument("--seed", help="a text; the same one deals the same games (by default a new one)")
    parser.add_argument("--records", type=Path, metavar="FOLDER", help="save the games' records there")
    add_shared(parser, processors())


def run(options: argparse.Namespace) -> int:
    """Play, print the table, and save the records where that is wished."""
    if options.records:
        make_folder(options.records)
    with tempfile.TemporaryDirectory(prefix="aztlan-") as workshop:
        players = find_players(options.bots, Path(workshop))
        seats = options.seats or max(2, len(players))
        if len(players) > seats or seats > 4:
            raise SdkError(f"{len(players)} bots do not fit a table of {min(seats, 4)} seats")
        seed = options.seed or secrets.token_hex(4)
        sets = plan(players, seats, seed, options)
        jobs = [job for games in sets for job in games]
        outcomes = list(progress(play_jobs(jobs, options.parallel), len(jobs), "games"))
    if options.records:
        save_records(outcomes, options.records)
    places = iter(outcomes)
    table = standings([[next(places) for _ in games] for games in sets])
    if options.json:
        print(json.dumps({"seed": seed, "games": len(jobs), "standings": [as_data(one) for one in table]}))
    else:
        count = "1 game" if len(jobs) == 1 else f"{len(jobs)} games"
        print_table(table, f"{count} of {seats} seats, seed {seed}")
        print_troubles(outcomes)
    return 0


def find_players(texts: Sequence[str], workshop: Path) -> list[Player]:
    """The players that the command line names; a text given twice is one player in two seats."""
    found = {text: find_player(text, workshop) for text in dict.fromkeys(texts)}
    names = [player.name for player in found.values()]
    if len(set(names)) < len(names):
        raise SdkError(f"two different bots have one name ({', '.join(names)}): change one in its bot.toml")
    return [found[text] for text in texts]


def plan(players: list[Player], seats: int, seed: str, options: argparse.Namespace) -> list[list[Job]]:
    """The games, in sets that count as one result: rotations of a seed, or single games in turned seats."""
    turns = rotations(fill_seats(players, seats))
    editions = [ruleset(name) for name in options.edition or ["english"]]
    return [
        [
            Job(seating, game_seed(seed, i), editions[i % len(editions)], options.clocks)
            for seating in (turns if options.duplicate else [turns[i % len(turns)]])
        ]
        for i in range(options.games)
    ]


def make_folder(folder: Path) -> None:
    """Make the folder for records before anything is played for nothing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SdkError(f"the folder {folder} cannot be made: {error.strerror}") from None


def save_records(outcomes: list[Outcome], folder: Path) -> None:
    """One JSON file a game."""
    for number, outcome in enumerate(outcomes, 1):
        (folder / f"game-{number:04}.json").write_text(outcome.record.to_json(), encoding="utf-8")


def as_data(one: Standing) -> dict[str, object]:
    """A standing for programs. An Elo difference beyond measure is null."""
    ends = {"elo": one.elo, "elo_low": one.elo_low, "elo_high": one.elo_high}
    finite = {
        key: None if value is None or abs(value) == float("inf") else value for key, value in ends.items()
    }
    return {**asdict(one), "win_share": one.win_share, **finite}


def print_table(table: list[Standing], title: str) -> None:
    """The standings for people."""
    width = max(len(one.name) for one in table)
    print(title)
    print(f"{'bot':<{width}}  seats   won  win share  mean place  beats others   Elo difference [95%]")
    for one in table:
        print(
            f"{one.name:<{width}}  {one.games:5}  {one.wins:4}  {one.win_share:8.1%}  {one.mean_place:10.2f}"
            f"  {one.beaten:11.1%}   {elo_text(one)}"
        )


def elo_text(one: Standing) -> str:
    """An Elo difference and its interval."""
    if one.elo_low is None or one.elo_high is None:
        return f"{one.elo:+.0f} [play more games]"
    return f"{one.elo:+.0f} [{one.elo_low:+.0f}, {one.elo_high:+.0f}]"


def print_troubles(outcomes: list[Outcome]) -> None:
    """Bots that failed or were struck, each kind of trouble once."""
    shown: set[tuple[str, str]] = set()
    for number, game in enumerate(outcomes, 1):
        for name, trouble in zip(game.names, game.troubles, strict=True):
            if trouble and (name, trouble) not in shown and len(shown) < 10:
                shown.add((name, trouble))
                print(f"game {number}: {name}: {trouble}")
    if shown:
        print("`aztlan check BOT -n 1` shows all that a bot printed.")
