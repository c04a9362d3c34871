"""Verification of records by the kernel, which writes a game's fingerprint in a fraction of Python's time."""

from collections.abc import Callable
from operator import methodcaller
from typing import Any

from engine.kernel.batch import Batch
from engine.kernel.form import native_form
from engine.kernel.single import KernelState
from engine.record import Record, checked_board, fingerprint, play_to_the_end


def verify_record(record: Record, actors: list[int] | None = None) -> KernelState:
    """Replay all of a record and return the game at its end; refuse what `engine.record.verify` refuses."""
    board = checked_board(record)
    game = Batch(len(record.seats), [record.seed], record.ruleset, board).single(0)
    written: Callable[[Any], bytes] = methodcaller("fingerprint") if native_form() else fingerprint
    return play_to_the_end(record, game, written, actors)
