"""What one seat was told in a game, from an arena or from a file, and what its bot says to it now."""

import json
import time
from base64 import b64decode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aztlan.errors import SdkError
from aztlan.local.in_process import ProgramSeat
from aztlan.remote import Arena, RemoteError
from engine.board import Board
from engine.cards import NAMES as CARD_NAMES
from engine.errors import RecordError, RulesVersionError
from engine.position import PHASE_NAMES
from engine.record import Record
from proto import codec
from proto.messages import Decision, DecisionRequest, MatchStart
from workers.match.retelling import SeatStory, Told, retell

NOT_FOUND = 404


@dataclass(frozen=True)
class Replayed:
    """One decision, then and now."""

    step: int
    """The number of the action in the record, from 1."""
    request: DecisionRequest
    board: Board
    played: int
    then_us: int
    now: int
    """What the bot answers now; -1 where it failed."""
    now_us: int

    @property
    def differs(self) -> bool:
        """Whether the bot now decides otherwise; where nothing was played, only a bad answer is."""
        if self.played < 0:
            return self.now not in self.request.legal_actions
        return self.now != self.played


def from_arena(arena: Arena, match_id: str, seat: int | None, name: str) -> list[Told]:
    """Fetch what a seat of the author's own was sent in a match."""
    try:
        seats = arena.get(f"matches/{match_id}/messages")
    except RemoteError as error:
        if error.status == NOT_FOUND:
            error.args = (f"{arena.url} has no record of match {match_id} for you: {error}",)
        raise
    if not seats:
        raise SdkError(
            f"none of your bots played in match {match_id}; `aztlan matches --bot NAME` lists their matches"
        )
    if seat is None:
        named = [one for one in seats if name in (one["name"], one["bot"])] or seats
        if len(named) > 1:
            numbers = ", ".join(f"{one['seat']} ({one['name']})" for one in named)
            raise SdkError(f"you had several seats in match {match_id}: choose one with --seat: {numbers}")
        found = named[0]
    else:
        found = next((one for one in seats if one["seat"] == seat), None)
        if found is None:
            raise SdkError(f"seat {seat} of match {match_id} is not yours")
    return [read_told(one) for one in found["messages"]]


def read_told(data: dict[str, Any]) -> Told:
    """Read a message of the API."""
    step = data["step"]
    if step is None:
        return Told(b64decode(data["message"]))
    return Told(b64decode(data["message"]), step, data["played"], data["charged_us"])


def from_record(record: Record, seat: int | None, name: str, source: Path) -> list[Told]:
    """Tell again what a seat was sent in a recorded game."""
    if seat is None:
        seats = [number for number, who in enumerate(record.seats) if who == name]
        if len(seats) != 1:
            names = ", ".join(f"{number} {who}" for number, who in enumerate(record.seats))
            raise SdkError(f"{source}: which seat is yours? Choose it with --seat: {names}")
        seat = seats[0]
    if not 0 <= seat < len(record.seats):
        raise SdkError(f"{source} has the seats 0 to {len(record.seats) - 1}, but no seat {seat}")
    try:
        return list(retell(record, SeatStory(seat)))
    except RulesVersionError as error:
        raise SdkError(f"{source} cannot be replayed here; {error}") from None
    except RecordError as error:
        raise SdkError(f"{source} is not a valid record; {error}") from None


def replay_told(told: Iterable[Told], seat: ProgramSeat) -> Iterator[Replayed]:
    """Feed the messages to a bot in this process; yield each of its decisions, until it fails."""
    board: Board | None = None
    for one in told:
        message = codec.read_host_message(one.data)
        if message is None:
            continue
        if isinstance(message, MatchStart):
            board = message.board
        began = time.perf_counter()
        answer = seat.tell(message, one.step + 1)
        spent = int((time.perf_counter() - began) * 1e6)
        if isinstance(message, DecisionRequest) and board is not None:
            now = answer.action if isinstance(answer, Decision) else -1
            yield Replayed(one.step + 1, message, board, one.played, one.charged_us, now, spent)
        if seat.fault:
            return


def save_finding(file: Path, record: Record, seat: int, step: int, kind: str, why: str) -> None:
    """Save a position that gave trouble, as a file that `aztlan debug` opens."""
    data = {
        "finding": kind,
        "why": why,
        "seat": seat,
        "step": step,
        "record": json.loads(record.to_json()),
    }
    file.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")


def read_finding(text: bytes) -> tuple[int, int] | None:
    """Return the seat and step of a saved finding; None for any other file."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or "finding" not in data:
        return None
    seat, step = data.get("seat"), data.get("step")
    return (seat, step) if isinstance(seat, int) and isinstance(step, int) else None


def position_lines(request: DecisionRequest, board: Board, names: Sequence[str] = ()) -> list[str]:
    """Return a position in a few lines: scores, own cards, and who stands where."""
    seen = request.observation
    hand = [f"{count} x {CARD_NAMES[kind]}" for kind, count in enumerate(seen.hand) if count]
    lines = [
        f"age {seen.age}, {PHASE_NAMES[seen.phase]}; you are seat {seen.seat}"
        + (f" with power card {seen.own_power}" if seen.own_power else "")
        + (f"; in hand {', '.join(hand)}" if hand else "")
    ]
    for seat in range(seen.seats):
        side = seen.side_of[seat]
        pawns = seen.pawns[side * board.size : (side + 1) * board.size]
        places = " ".join(
            board.ids[t] + (f"*{count}" if count > 1 else "") for t, count in enumerate(pawns) if count
        )
        who = f" {names[seat]}" if names else ""
        lines.append(f"seat {seat}{who}: {seen.scores[seat]} points, pawns at {places or 'none'}")
    return lines
