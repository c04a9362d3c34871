"""`aztlan verify`: replay records and say whether they are valid."""

import argparse
from pathlib import Path

from aztlan.cli.records import read_record
from aztlan.errors import SdkError
from engine.errors import RecordError
from engine.record import verify


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "records",
        nargs="+",
        type=Path,
        metavar="RECORD",
        help="a record (JSON or compact), or the API's replay",
    )


def run(options: argparse.Namespace) -> int:
    """Verify each record; return 1 if any fails."""
    failed = 0
    for path in options.records:
        try:
            record = read_record(path)
            state = verify(record)
        except (RecordError, SdkError) as error:
            failed = 1
            print(f"{path}: FAILED: {error}")
            continue
        winner = state.placements().index(1)
        print(
            f"{path}: ok: {len(record.actions)} actions, {record.ruleset.name} rules, "
            f"{record.seats[winner]} (seat {winner}) won with {state.scores()[winner]} points"
        )
    return failed
