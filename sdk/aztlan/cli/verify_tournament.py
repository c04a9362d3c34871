"""`aztlan verify-tournament`: recompute an event from its public export."""

import argparse
from pathlib import Path

from aztlan.errors import SdkError
from aztlan.verify_tournament import verify_tournament

MOST_BYTES = 200_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("export", type=Path, help="the JSON export of a finished tournament")


def run(options: argparse.Namespace) -> int:
    """Print what does not follow from the export; return 1 if there is anything."""
    path: Path = options.export
    try:
        if path.stat().st_size > MOST_BYTES:
            raise SdkError(f"{path} is too large to be an export")
        text = path.read_text("utf-8")
    except OSError as error:
        raise SdkError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SdkError(f"{path} is not a text file, so it cannot be an export") from None
    try:
        problems = verify_tournament(text)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "py4swiss":
            raise
        raise SdkError(
            "this event was paired by the FIDE Dutch system, which py4swiss computes: `pip install py4swiss`"
        ) from None
    for problem in problems:
        print(f"{path}: FAILED: {problem}")
    if not problems:
        print(f"{path}: ok: every seed, pairing, game and place follows")
    return 1 if problems else 0
