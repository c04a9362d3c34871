"""`aztlan logs`: the build and validation logs of a version, or your bots' output in a match."""

import argparse

from aztlan.cli.status import latest
from aztlan.errors import SdkError
from aztlan.remote import plain
from aztlan.remote_account import signed_in_arena


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("bot", nargs="?", help="the bot's address on the arena")
    parser.add_argument("version", nargs="?", type=int, help="the version's number (the latest)")
    parser.add_argument("--match", metavar="ID", help="show your bots' output and notes in this match")


def run(options: argparse.Namespace) -> int:
    """Print the logs."""
    arena = signed_in_arena()
    if options.match:
        logs = arena.get(f"matches/{options.match}/logs")
        if not logs:
            raise SdkError("there is no log of yours: none of your bots played in it, or it is not over yet")
        for log in logs:
            fault = f"  {plain(log['fault_reason'])}" if log["fault_reason"] else ""
            print(f"--- seat {log['seat']}: {log['bot']} version {log['version']}{fault}")
            print(plain(log["output"]), end="")
            for step, note in sorted(log["notes"].items(), key=lambda item: int(item[0])):
                print(f"step {step}: {plain(note)}")
        return 0
    if not options.bot:
        raise SdkError("name a bot, or a match with --match")
    number = options.version or latest(arena, options.bot)
    for event in arena.get(f"bots/{options.bot}/versions/{number}/logs"):
        print(f"--- {event['status']} {event['at'][:19].replace('T', ' ')} {plain(event['reason'])}".rstrip())
        print(plain(event["log"]), end="" if event["log"].endswith("\n") or not event["log"] else "\n")
    return 0
