"""`aztlan ladder`: the ladders of an arena, or the standings of one."""

import argparse
import time
from collections.abc import Iterator
from typing import Any

from aztlan.remote import Arena, plain
from aztlan.remote_account import known_arena

PAUSE_SECONDS = 1.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("ladder", nargs="?", help="a ladder's address; without it, all ladders are listed")
    parser.add_argument(
        "--wait-for", metavar="BOT", help="wait until this bot has its first result on the ladder"
    )


def run(options: argparse.Namespace) -> int:
    """Print ladders, or the ranks of one."""
    arena = known_arena()
    if options.ladder is None:
        for ladder in arena.every("ladders"):
            print(
                f"{ladder['slug']:20}  {ladder['seats']} seats, {ladder['edition']}: {plain(ladder['name'])}"
            )
        return 0
    bot = options.wait_for
    while bot and not arena.get_patiently(f"ladders/{options.ladder}/bots/{bot}/history"):
        time.sleep(PAUSE_SECONDS)
    print("rank  rating  95% interval  games  wins  bot")
    for row in standings(arena, options.ladder):
        print(line(row) + ("  <" if row["bot"] == bot else ""))
    return 0


def standings(arena: Arena, ladder: str) -> Iterator[dict[str, Any]]:
    """Yield every rank, asking for as many at a time as the arena gives."""
    seen = 0
    while found := arena.get(f"ladders/{ladder}/standings", offset=seen):
        yield from found
        seen += len(found)


def line(row: dict[str, Any]) -> str:
    interval = f"{row['low']:.0f} to {row['high']:.0f}"
    who = plain(f"{row['name']} ({row['bot']}, by {row['owner']})")
    return f"{row['rank']:4}  {row['rating']:6.0f}  {interval:>12}  {row['games']:5}  {row['wins']:4}  {who}"
