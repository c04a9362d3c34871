"""`aztlan replay`: a record for people, step by step."""

import argparse
from pathlib import Path

from aztlan.cli.options import whole_number
from aztlan.cli.records import read_record
from aztlan.errors import SdkError
from aztlan.moves import action_text
from engine.board import Board
from engine.cards import NAMES as CARD_NAMES
from engine.errors import RecordError, RulesVersionError
from engine.events import Event, Value
from engine.position import PHASE_NAMES
from engine.record import Record, Step, board_of, replay
from engine.state import State


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "record",
        type=Path,
        metavar="RECORD",
        help="a record (JSON or compact), or the API's replay",
    )
    parser.add_argument(
        "--from",
        dest="first",
        type=whole_number,
        default=1,
        metavar="STEP",
        help="the first step to print (1)",
    )
    parser.add_argument(
        "--to",
        dest="last",
        type=whole_number,
        metavar="STEP",
        help="the last step to print (the last of the game)",
    )


def run(options: argparse.Namespace) -> int:
    """Print the requested steps."""
    try:
        record = read_record(options.record)
        board = board_of(record)
        last = options.last or len(record.actions)
        if options.first > min(last, len(record.actions)):
            raise SdkError(f"the record has the steps 1 to {len(record.actions)}")
        steps = replay(record)
        print(headline(record))
        before = ""
        for step in steps:
            if step.number >= options.first and step.number:
                print_step(step, before, record, board)
            before = f"age {step.state.age} {PHASE_NAMES[step.state.phase]}"
            if step.number == last:
                print(scores(step.state, record))
                break
    except RulesVersionError as error:
        raise SdkError(f"{options.record} cannot be replayed here; {error}") from None
    except RecordError as error:
        raise SdkError(f"{options.record} is not a valid record; {error}") from None
    return 0


def headline(record: Record) -> str:
    """Return the rules, the board, the length and the players in one line."""
    names = ", ".join(f"{seat} {name}" for seat, name in enumerate(record.seats))
    return (
        f"{record.ruleset.name} rules, board {record.board_id}, {len(record.actions)} steps; seats: {names}"
    )


def print_step(step: Step, when: str, record: Record, board: Board) -> None:
    """Print one action and its events."""
    who = f"{step.seat} {record.seats[step.seat]}"
    print(f"{step.number:4}  {when:<18} {who:<16} {action_text(step.action, board)}")
    for event in step.events:
        print(f"{'':25} {event_text(event, board)}")


def event_text(event: Event, board: Board) -> str:
    """Return an event with its named values: `pawn_moved seat 1, side 1, from t01, to t02`."""
    values = (f"{name} {_value(event.kind, name, value, board)}" for name, value in event.data.items())
    return f"- {event.kind.replace('_', ' ')}: {', '.join(values)}"


def _value(kind: str, name: str, value: Value, board: Board) -> str:
    if isinstance(value, list):
        return " ".join(board.ids[one] if name == "territories" else str(one) for one in value)
    if name in ("territory", "from", "to") and 0 <= value < board.size:
        return board.ids[value]
    if name == "type":
        return board.types[value]
    if name == "card" and kind in ("card_drawn", "blessing_played"):
        return CARD_NAMES[value]
    return str(value)


def scores(state: State, record: Record) -> str:
    """Return the scores, best first."""
    ranked = sorted(range(state.seats), key=lambda seat: state.placements()[seat])
    line = ", ".join(f"{record.seats[seat]} {state.scores()[seat]}" for seat in ranked)
    return f"{'final' if state.is_over() else 'so far'}: {line}"
