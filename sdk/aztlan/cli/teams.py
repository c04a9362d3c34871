"""`aztlan teams`: the teams that you are in."""

import argparse
import json
import sys
from typing import Any

from aztlan.remote import plain
from aztlan.remote_account import signed_in_arena


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--json", action="store_true", help="print one team per line, as JSON")


def run(options: argparse.Namespace) -> int:
    """Print teams and their members."""
    found = list(signed_in_arena().every("teams"))
    for team in found:
        print(json.dumps(team, ensure_ascii=False) if options.json else line(team))
    if not found:
        print("You are in no team.", file=sys.stderr)
    return 0


def line(team: dict[str, Any]) -> str:
    """Return a team as one line, owners first."""
    members = ", ".join(f"{one['username']} ({one['role']})" for one in team["members"])
    return plain(f"{team['name']}: {members}")
