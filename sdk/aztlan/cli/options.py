"""Options that several commands share."""

import argparse
import os
import re

from proto.messages import Clocks
from workers.match.spec import DEFAULT_CLOCKS

LONGEST_MS = 3_600_000


def whole_number(text: str) -> int:
    """Parse a number of games or processes."""
    if not re.fullmatch(r"[1-9]\d{0,6}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def read_clocks(text: str) -> Clocks:
    """Parse clocks such as 10000,30000,100,5000."""
    parts = text.split(",")
    if len(parts) != 4 or not all(part.isdecimal() and int(part) <= LONGEST_MS for part in parts):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not four numbers of milliseconds: start-up, bank, increment, one decision"
        )
    return Clocks(*map(int, parts))


def add_shared(parser: argparse.ArgumentParser, processes: int) -> None:
    """Add the options of commands that play games."""
    usual = DEFAULT_CLOCKS
    parser.add_argument(
        "-j",
        "--parallel",
        type=whole_number,
        metavar="N",
        help=f"processes (here {processes})",
    )
    parser.add_argument(
        "--clocks",
        type=read_clocks,
        default=usual,
        metavar="MS,MS,MS,MS",
        help="start-up, bank, increment and most for one decision, in milliseconds "
        f"({usual.startup_ms},{usual.bank_ms},{usual.increment_ms},{usual.decision_ms})",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
