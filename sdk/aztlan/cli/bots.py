"""`aztlan bots`: your bots and those of your teams."""

import argparse
import json
import sys
from typing import Any

from aztlan.remote import plain
from aztlan.remote_account import known_arena, signed_in_arena


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--team", metavar="NAME", help="the bots of this team, or of this author")
    parser.add_argument("--json", action="store_true", help="print one bot per line, as JSON")


def run(options: argparse.Namespace) -> int:
    """Print bots, newest first."""
    if options.team:
        found = list(known_arena().every("bots", owner=options.team))
    else:
        found = list(signed_in_arena().every("bots", mine="true"))
    for bot in found:
        print(json.dumps(bot, ensure_ascii=False) if options.json else line(bot))
    if not found:
        print("No bots found.", file=sys.stderr)
    return 0


def line(bot: dict[str, Any]) -> str:
    """Return a bot as one line: its address, name, owner, and what it plays with."""
    if bot["disqualified_at"] or bot["benched_at"]:
        state = "disqualified" if bot["disqualified_at"] else "benched"
    else:
        state = f"version {bot['active_version']}" if bot["active_version"] else "no active version"
    return f"{bot['slug']:24} {plain(bot['name'])} (by {plain(bot['owner'])}): {state}"
