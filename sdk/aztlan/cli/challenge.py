"""`aztlan challenge`: ask the arena for an unrated match, or a duplicate set, against chosen bots."""

import argparse
import time

from aztlan.cli.matches import line
from aztlan.remote_account import signed_in_arena

OVER = {"finished", "voided", "set_aside"}
PAUSE_SECONDS = 1.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("bot", help="your bot's address on the arena")
    parser.add_argument("opponents", nargs="+", help="one to three addresses of other bots")
    parser.add_argument("--version", type=int, help="the number of your bot's version (the active one)")
    parser.add_argument("--edition", default="english", help="the edition of the rules (english)")
    parser.add_argument(
        "--duplicate", action="store_true", help="play one seed in every rotation of the seats"
    )
    parser.add_argument("--watch", action="store_true", help="wait until all matches are over")


def run(options: argparse.Namespace) -> int:
    """Request the matches and print them."""
    arena = signed_in_arena()
    body = {
        "bot": options.bot,
        "opponents": options.opponents,
        "version_number": options.version,
        "edition": options.edition,
        "duplicate": options.duplicate,
    }
    for match in arena.post("challenges", body):
        while options.watch and match["state"] not in OVER:
            time.sleep(PAUSE_SECONDS)
            match = arena.get_patiently(f"matches/{match['id']}")
        print(line(match), flush=True)
    return 0
