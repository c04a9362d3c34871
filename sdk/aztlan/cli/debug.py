"""`aztlan debug`: feed a bot, in this process, the messages that its seat got in a match."""

import argparse
import json
import re
import tempfile
from pathlib import Path
from typing import Any

from aztlan.cli.exits import NO, YES
from aztlan.cli.options import whole_number
from aztlan.cli.records import read_record
from aztlan.errors import SdkError
from aztlan.local.in_process import ProgramSeat
from aztlan.local.players import ProgramPlayer, find_player
from aztlan.local.told import Replayed, from_arena, from_record, position_lines, read_finding, replay_told
from aztlan.moves import action_text
from aztlan.remote import plain
from aztlan.remote_account import signed_in_arena
from engine.board import Board
from engine.errors import RecordError
from proto.messages import DecisionRequest
from workers.match.retelling import Told

MATCH_ID = re.compile(r"[a-z0-9]{1,16}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "source", metavar="MATCH-ID|FILE", help="a match of yours, a record, or a file of `aztlan fuzz`"
    )
    parser.add_argument("bot", metavar="BOT", help="your bot's folder or Python file")
    parser.add_argument("--seat", type=int, choices=range(4), help="your seat, where it is not clear")
    parser.add_argument("--step", type=whole_number, metavar="N", help="show only the decision at this step")
    parser.add_argument(
        "--until-different", action="store_true", help="stop at the first decision that differs"
    )
    parser.add_argument("--json", action="store_true", help="print the decisions as JSON, one per line")


def run(options: argparse.Namespace) -> int:
    """Feed the messages to the bot; return 1 if a decision differs or the bot fails."""
    with tempfile.TemporaryDirectory(prefix="aztlan-") as workshop:
        player = find_player(options.bot, Path(workshop))
        if not isinstance(player, ProgramPlayer) or player.source is None:
            raise SdkError(f"{options.bot} is not a Python bot, and only those can be debugged in process")
        told, step = open_source(options, player.name)
        step = options.step or step
        seat = ProgramSeat(player.name, player.source, player.folder, 0, b"")
        different = decisions = 0
        for one in replay_told(until(told, step), seat):
            decisions += 1
            different += one.differs
            if one.step == step or (one.differs and step is None):
                show(one, options.json)
            if one.differs and options.until_different:
                break
    if step is not None and not seat.fault and not any(one.step + 1 == step for one in told if one.step >= 0):
        steps = [one.step + 1 for one in told if one.step >= 0]
        raise SdkError(f"step {step} is not a decision of this seat; its decisions are {some(steps)}")
    if seat.fault:
        print(plain(f"{seat.printed}\n{player.name} failed at step {seat.fault.step}\n{seat.where}"))
        return NO
    if not options.json:
        count = "1 decision differs" if different == 1 else f"{different} decisions differ"
        print(f"{decisions} decisions; {count} from what was played.")
    return NO if different else YES


def open_source(options: argparse.Namespace, name: str) -> tuple[list[Told], int | None]:
    """Return the messages that the seat got, and the step that a finding is about, if it is one."""
    path = Path(options.source)
    if not path.is_file():
        if not MATCH_ID.fullmatch(options.source):
            raise SdkError(f"{options.source} is neither a file here nor the id of a match")
        return from_arena(signed_in_arena(), options.source, options.seat, name), None
    try:
        record = read_record(path)
    except RecordError as error:
        raise SdkError(f"{path} is not a record; {error}") from None
    finding = read_finding(path.read_bytes())
    seat = options.seat if options.seat is not None else finding[0] if finding else None
    return from_record(record, seat, name, path), finding[1] if finding else None


def until(told: list[Told], step: int | None) -> list[Told]:
    """Drop the messages after a step."""
    if step is None:
        return told
    return [one for one in told if one.step < step]


def some(steps: list[int]) -> str:
    return ", ".join(map(str, steps[:20])) + (" ..." if len(steps) > 20 else "")


def show(one: Replayed, as_json: bool) -> None:
    """Print one decision, then and now, with its position."""
    if as_json:
        print(json.dumps(as_data(one)))
        return
    now = answer_text(one.now, one.request, one.board)
    then = f"played {action_text(one.played, one.board)}" if one.played >= 0 else "unanswered"
    took = f" (took {one.then_us / 1000:.1f} ms)" if one.then_us else ""
    print(f"step {one.step}: {then}{took}, now {now} (takes {one.now_us / 1000:.1f} ms)")
    for line in position_lines(one.request, one.board):
        print(f"    {line}")


def answer_text(action: int, request: DecisionRequest, board: Board) -> str:
    if action < 0:
        return "fails"
    if action not in request.legal_actions:
        return f"{action}, which is not legal"
    return action_text(action, board)


def as_data(one: Replayed) -> dict[str, Any]:
    """Return a decision as JSON data."""
    return {
        "step": one.step,
        "age": one.request.observation.age,
        "phase": one.request.observation.phase,
        "played": one.played if one.played >= 0 else None,
        "played_text": action_text(one.played, one.board) if one.played >= 0 else None,
        "now": one.now if one.now >= 0 else None,
        "now_text": answer_text(one.now, one.request, one.board),
        "then_ms": one.then_us / 1000,
        "now_ms": one.now_us / 1000,
        "differs": one.differs,
        "legal": list(one.request.legal_actions),
    }
