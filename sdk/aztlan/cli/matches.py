"""`aztlan matches`: who met whom, and how it ended."""

import argparse
import json
import sys
from itertools import islice
from typing import Any

from aztlan.cli.options import whole_number
from aztlan.remote import plain
from aztlan.remote_account import known_arena


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--bot", help="only matches of this bot (its address on the arena)")
    parser.add_argument("--state", choices=["queued", "running", "finished", "voided", "set_aside"])
    parser.add_argument("--purpose", choices=["validation", "challenge", "ladder", "tournament"])
    parser.add_argument("--seats", type=int, choices=[2, 3, 4])
    parser.add_argument("-n", "--number", type=whole_number, default=20, help="how many (20)")
    parser.add_argument("--json", action="store_true", help="print one match per line, as JSON")


def run(options: argparse.Namespace) -> int:
    """Print matches, newest first."""
    arena = known_arena()
    wanted = {name: getattr(options, name) for name in ("bot", "state", "purpose", "seats")}
    page_size = max(1, min(options.number, 200))
    found = list(islice(arena.every("matches", page_size=page_size, **wanted), options.number))
    if options.bot and not found:
        arena.get(f"bots/{options.bot}")  # fails with its own message if there is no such bot
    for match in found:
        print(json.dumps(match, ensure_ascii=False) if options.json else line(match))
    if not found:
        print("No matches found.", file=sys.stderr)
    return 0


def line(match: dict[str, Any]) -> str:
    """Return a match as one line: the winner first."""
    seats = sorted(match["bots"], key=lambda seat: (seat["placement"] or 0, seat["seat"]))
    when = match["created_at"][:16].replace("T", " ")
    return f"{match['id']}  {when}  {match['state']:9} {', '.join(map(result, seats))}"


def result(seat: dict[str, Any]) -> str:
    name = plain(seat["name"])
    return f"{seat['placement']}. {name} {seat['score']}" if seat["placement"] else name
