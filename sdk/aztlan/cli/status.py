"""`aztlan status`: show how far a version has got."""

import argparse
import time
from typing import Any

from aztlan.errors import SdkError
from aztlan.remote import Arena, plain
from aztlan.remote_account import known_arena

SETTLED = {"active", "validated", "rejected", "retired"}
PAUSE_SECONDS = 1.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("bot", help="the bot's address on the arena")
    parser.add_argument("version", nargs="?", type=int, help="the version's number (the latest)")
    parser.add_argument("--watch", action="store_true", help="wait until it is active or rejected")


def run(options: argparse.Namespace) -> int:
    """Show a version; return 1 if it is rejected."""
    arena = known_arena()
    number = options.version or latest(arena, options.bot)
    if options.watch:
        return follow(arena, options.bot, number)
    version = arena.get(f"bots/{options.bot}/versions/{number}")
    for event in version["events"]:
        show_event(event)
    return show_version(version)


def latest(arena: Arena, bot: str) -> int:
    found = arena.get(f"bots/{bot}/versions", page_size=1)["results"]
    if not found:
        raise SdkError(f"{bot} has no version yet: `aztlan upload` sends one")
    return int(found[0]["number"])


def follow(arena: Arena, bot: str, number: int) -> int:
    """Print each change of status as it happens, until the version waits for its author."""
    shown, waiting = 0, ""
    while True:
        version = arena.get_patiently(f"bots/{bot}/versions/{number}")
        for event in version["events"][shown:]:
            show_event(event)
        shown = len(version["events"])
        if version["status"] in SETTLED:
            return show_version(version)
        # Without the waiting time in brackets, which changes with every poll.
        now_waiting = plain(version.get("waiting", "")).partition(" (")[0]
        if now_waiting != waiting:
            waiting = now_waiting
            print(waiting or "in progress", flush=True)
        time.sleep(PAUSE_SECONDS)


def show_event(event: dict[str, Any]) -> None:
    reason = f"  {plain(event['reason'])}" if event["reason"] else ""
    print(f"{event['at'][:19].replace('T', ' ')}  {event['status']:10}{reason}", flush=True)


def show_version(version: dict[str, Any]) -> int:
    said = f": {plain(version['reason'])} ({version['code']})" if version["reason"] else ""
    said = said or (f", {plain(version['waiting'])}" if version.get("waiting") else "")
    print(f"{version['bot']} version {version['number']} is {version['status']}{said}")
    return int(version["status"] == "rejected")
