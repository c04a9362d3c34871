"""`aztlan ladder`: the ladders of an arena, or the standings of one."""

import argparse
import sys
import time
from collections.abc import Iterator
from typing import Any

from aztlan.cli.status import latest
from aztlan.errors import SdkError
from aztlan.remote import Arena, plain
from aztlan.remote_account import known_arena

PAUSE_SECONDS = 1.0
RESTING = {"validated", "retired"}
"""Statuses in which a version plays no matches until its author activates one."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("ladder", nargs="?", help="a ladder's address; without it, all ladders are listed")
    parser.add_argument(
        "--wait-for", metavar="BOT", help="wait until this bot has its first result on the ladder"
    )


def run(options: argparse.Namespace) -> int:
    """Print all ladders, or the standings of one."""
    arena = known_arena()
    if options.ladder is None:
        for ladder in arena.every("ladders"):
            print(
                f"{ladder['slug']:20}  {ladder['seats']} seats, {ladder['edition']}: {plain(ladder['name'])}"
            )
        return 0
    arena.get(f"ladders/{options.ladder}")  # fails early if there is no such ladder
    bot = options.wait_for
    if bot:
        wait_for(arena, options.ladder, bot)
    print("rank  rating  95% interval  games  wins  bot")
    for row in standings(arena, options.ladder):
        print(line(row) + ("  <" if row["bot"] == bot else ""))
    return 0


def wait_for(arena: Arena, ladder: str, bot: str) -> None:
    """Wait for a bot's first result, printing what it waits for; raise SdkError if none can come."""
    said = ""
    while not arena.get_patiently(f"ladders/{ladder}/bots/{bot}/history"):
        state = hopeful_state(arena, bot)
        if state != said:
            print(f"waiting: {state}", file=sys.stderr, flush=True)
            said = state
        time.sleep(PAUSE_SECONDS)


def hopeful_state(arena: Arena, bot: str) -> str:
    """Return how far a bot is on its way to a ladder; raise SdkError if its author has to act first."""
    found = arena.get_patiently(f"bots/{bot}")
    for end in ("disqualified", "benched"):
        if found[f"{end}_at"]:
            raise SdkError(f"{bot} is {end} and plays no matches: {plain(found[f'{end}_reason'])}")
    if found["active_version"]:
        return f"{bot} version {found['active_version']} is active, and has no result on this ladder yet"
    number = latest(arena, bot)
    version = arena.get_patiently(f"bots/{bot}/versions/{number}")
    if version["status"] == "rejected":
        reason = plain(version["reason"]) or f"`aztlan logs {bot}` tells its author why"
        raise SdkError(f"{bot} version {number} is rejected and plays no matches: {reason}")
    if version["status"] in RESTING:
        raise SdkError(f"{bot} has no active version and plays no matches: activate one on its page")
    return f"{bot} version {number} is {version['status']}, and not active yet"


def standings(arena: Arena, ladder: str) -> Iterator[dict[str, Any]]:
    """Yield every row of the standings, page by page."""
    seen = 0
    while found := arena.get(f"ladders/{ladder}/standings", offset=seen):
        yield from found
        seen += len(found)


def line(row: dict[str, Any]) -> str:
    interval = f"{row['low']:.0f} to {row['high']:.0f}"
    who = plain(f"{row['name']} ({row['bot']}, by {row['owner']})")
    return f"{row['rank']:4}  {row['rating']:6.0f}  {interval:>12}  {row['games']:5}  {row['wins']:4}  {who}"
