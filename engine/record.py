"""Records: a game as its ruleset, board, seed and actions, from which every position is recomputed.

A record names the version of the rules by which it was played. It can be read whatever that is, but only a
game of the engine's own version is replayed.

Each step carries two bytes of a rolling hash over all states so far, so a changed action, or an engine that
plays differently, shows at the step where it happens. The hash starts as SHA-256 of the header and goes on
as SHA-256(hash before + action as two bytes, big end first + fingerprint of the state after it).

A record is JSON, or bytes: `AZTR`, a version byte, the header as JSON behind its length, the number of
actions, the actions, all numbers as varints (seven bits per byte, low end first), then the check bytes.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from engine.actions import END
from engine.board import Board
from engine.boardfile import load_board
from engine.errors import BoardError, IllegalActionError, RecordError, RulesetError, RulesVersionError
from engine.events import Event, events
from engine.position import CHOOSING, Position
from engine.randomness import SEED_BYTES
from engine.rulesets import VERSION as RULES_VERSION
from engine.rulesets import Ruleset, ruleset_from_options
from engine.state import State

if TYPE_CHECKING:
    from engine.kernel.single import KernelState

Played = TypeVar("Played", bound="KernelState")

VERSION = 2
"""The form of records. Those of form 1 named no version of the rules: theirs was 1."""
FORMS = (1, 2)
MAGIC = b"AZTR"
MOST_ACTIONS = 10_000
LONGEST_NAME = 100
LONGEST_BOARD_ID = 60
CHECK_BYTES = 2
_STRETCH = 30
"""Pawns are written in groups of this size: one side on the usual board. A step changes few sides."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game that anyone can play again. `seats` names who sat there; `actions` are in playing order."""

    ruleset: Ruleset
    board_id: str
    board_hash: str
    seed: bytes
    seats: tuple[str, ...]
    actions: tuple[int, ...]
    checks: bytes
    version: int = VERSION
    rules: int = RULES_VERSION

    def header(self) -> dict[str, Any]:
        """All but the actions and their checks, as plain data."""
        return {
            "version": self.version,
            **({"rules": self.rules} if self.version > 1 else {}),
            "ruleset": self.ruleset.options(),
            "board": self.board_id,
            "board_hash": self.board_hash,
            "seed": self.seed.hex(),
            "seats": list(self.seats),
        }

    def to_json(self) -> str:
        """The record as a JSON text."""
        data = {**self.header(), "actions": list(self.actions), "checks": self.checks.hex()}
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))

    def to_bytes(self) -> bytes:
        """The record in its compact form."""
        head = json.dumps(self.header(), ensure_ascii=False, separators=(",", ":")).encode()
        out = bytearray(MAGIC + bytes([self.version]))
        _put_varint(out, len(head))
        out += head
        _put_varint(out, len(self.actions))
        for action in self.actions:
            _put_varint(out, action)
        return bytes(out + self.checks)

    @staticmethod
    def from_json(text: str) -> "Record":
        """Read a JSON record; a RecordError names the field that is wrong."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise RecordError("file", "is not JSON") from None
        if not isinstance(data, dict):
            raise RecordError("file", "must be a JSON object")
        checks = _field(data, "checks", str)
        try:
            return _from_data(data, data.get("actions"), bytes.fromhex(checks))
        except ValueError:
            raise RecordError("checks", "must be hexadecimal") from None

    @staticmethod
    def from_bytes(data: bytes) -> "Record":
        """Read a compact record; a RecordError names what is wrong."""
        if data[:4] != MAGIC:
            raise RecordError("file", f"does not begin with {MAGIC.decode()}")
        if data[4:5] not in [bytes([form]) for form in FORMS]:
            raise _unknown_form(data[4:5].hex() or "none")
        length, at = _get_varint(data, 5)
        try:
            head = json.loads(data[at : at + length].decode())
        except (ValueError, RecursionError):
            raise RecordError("header", "is not JSON") from None
        if not isinstance(head, dict):
            raise RecordError("header", "must be a JSON object")
        count, at = _get_varint(data, at + length)
        if count > MOST_ACTIONS:
            raise RecordError("actions", f"{count} are more than any game has")
        actions = []
        for _ in range(count):
            action, at = _get_varint(data, at)
            actions.append(action)
        record = _from_data(head, actions, data[at:])
        if record.version != data[4]:
            raise RecordError("version", f"the file says {data[4]}, its header {record.version}")
        return record


def load_record(data: bytes) -> Record:
    """Read either form."""
    if data[:4] == MAGIC:
        return Record.from_bytes(data)
    try:
        return Record.from_json(data.decode())
    except UnicodeDecodeError:
        raise RecordError("file", "is neither a compact record nor a JSON text") from None


@dataclass(slots=True)
class Recorder:
    """Plays a game and keeps its record. Actions are taken in the order of `State.to_act`."""

    state: State
    names: tuple[str, ...]
    actions: list[int] = field(default_factory=list)
    checks: bytearray = field(default_factory=bytearray)
    rolling: bytes = b""

    def __post_init__(self) -> None:
        state = self.state
        if len(self.names) != state.seats:
            raise RecordError("seats", f"{len(self.names)} names for {state.seats} seats")
        for name in self.names:
            _check_text("seats", name, LONGEST_NAME)
        if state.age > 1 or state.phase != CHOOSING or any(state.power):
            raise RecordError("state", "a record begins with a new game, not in the middle of one")
        self.rolling = _first_hash(self.record())

    def apply(self, action: int) -> None:
        """Apply an action and record it; an illegal one is refused and not recorded."""
        self.state.apply(action)
        self.note(action)

    def note(self, action: int) -> None:
        """Record an action that was just applied to the state, for whoever has better to do in between."""
        self.rolling = roll(self.rolling, action, self.state)
        self.actions.append(action)
        self.checks += self.rolling[:CHECK_BYTES]

    def record(self) -> Record:
        """The record so far."""
        state = self.state
        return Record(
            state.rules,
            state.board.id,
            state.board.hash,
            state.seed,
            self.names,
            tuple(self.actions),
            bytes(self.checks),
        )


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a replay: 0 is the start; the state is the game's own and moves on with the next step."""

    number: int
    seat: int
    action: int
    state: State
    events: list[Event]


def replay(record: Record, board: Board | None = None) -> Iterator[Step]:
    """The steps of the game; a RecordError names the first that does not fit.

    A game of another version of the rules is refused here, before the first step is asked for.
    """
    return _steps(record, _start(record, board))


def _steps(record: Record, state: State) -> Iterator[Step]:
    state.log_events()
    yield Step(0, -1, -1, state, _taken(state))
    for number, seat, action in _play(record, state, fingerprint):
        yield Step(number, seat, action, state, _taken(state))


def check_rules(record: Record) -> None:
    """Refuse a game that was played by another version of the rules: this engine could play it wrongly."""
    if record.rules != RULES_VERSION:
        raise RulesVersionError(record.rules, RULES_VERSION)


def _start(record: Record, board: Board | None) -> State:
    return State.new(len(record.seats), record.seed, record.ruleset, checked_board(record, board))


def checked_board(record: Record, board: Board | None = None) -> Board:
    """Return the board of a record that can be replayed: of the same rules, and on the same board."""
    check_rules(record)
    board = board or board_of(record)
    if board.hash != record.board_hash:
        raise RecordError(
            "board_hash", f"the board {record.board_id!r} here is not the one that was played on"
        )
    return board


def _play(
    record: Record, state: Played, written: Callable[[Played], bytes]
) -> Iterator[tuple[int, int, int]]:
    """Play all actions on the state and check each; yield its number, its seat and itself."""
    rolling = _first_hash(record)
    for number, action in enumerate(record.actions, 1):
        seat = state.to_act()
        try:
            state.apply(action)
        except IllegalActionError as error:
            raise RecordError(f"step {number}", str(error)) from None
        rolling = _rolled(rolling, action, written(state))
        if rolling[:CHECK_BYTES] != record.checks[(number - 1) * CHECK_BYTES : number * CHECK_BYTES]:
            raise RecordError(
                f"step {number}", "the state differs from the recorded one: changed data or another engine"
            )
        yield number, seat, action


def verify(record: Record, board: Board | None = None, actors: list[int] | None = None) -> State:
    """Replay all of it and return the last state; a RecordError if it does not fit or is not finished.

    Into `actors`, if given, go the seats that took the actions.
    """
    return play_to_the_end(record, _start(record, board), fingerprint, actors)


def play_to_the_end(
    record: Record, state: Played, written: Callable[[Played], bytes], actors: list[int] | None = None
) -> Played:
    """Play a record on a new game, whose fingerprint `written` gives, and check it all as `verify` does."""
    seats = [seat for _, seat, _ in _play(record, state, written)]
    if actors is not None:
        actors += seats
    if not state.is_over():
        raise RecordError(f"step {len(record.actions)}", "the record ends before the game is over")
    return state


def board_of(record: Record) -> Board:
    """The board that a record names, from the boards that came with the engine (never a path)."""
    if not record.board_id.replace("-", "").replace("_", "").isalnum():
        raise RecordError("board", "a board id may only have letters, digits, - and _")
    try:
        return load_board(record.board_id)
    except BoardError as error:
        raise RecordError("board", str(error)) from None


def fingerprint(p: Position) -> bytes:
    """All of a state as bytes: each part as ASCII such as `[1, -1, 20]`, in this order, joined by `;`."""
    stretches = range(0, len(p.pawns), _STRETCH)
    parts = (
        _digits((p.age, p.phase, p.step, p.actor, p.turn, p.reshuffles, p.deck_at, p.arrivals)),
        _digits(p.order),
        _digits(p.side_of),
        b"[" + b", ".join([_digits(tuple(p.pawns[at : at + _STRETCH]))[1:-1] for at in stretches]) + b"]",
        _digits(tuple(p.pool)),
        _digits(tuple(p.placed)),
        _digits(p.reserve),
        _digits(p.removed),
        _digits(p.score),
        _digits(p.arrival),
        _digits(p.power),
        _digits(p.used),
        _digits(tuple(p.hands)),
        _digits(p.deck),
        _digits(p.discard),
        _digits((p.settled, *p.claims, p.battle, p.spared)),
        _digits((p.pending, p.raft_all, *p.rafts)),
    )
    return b";".join(parts)


@lru_cache(maxsize=4096)
def _digits(part: tuple[int, ...]) -> bytes:
    """Most parts do not change from step to step; writing them again would be most of a record's cost."""
    return str(list(part)).encode()


def roll(rolling: bytes, action: int, p: Position) -> bytes:
    """The rolling hash after an action that led to this state."""
    return _rolled(rolling, action, fingerprint(p))


def _rolled(rolling: bytes, action: int, written: bytes) -> bytes:
    return hashlib.sha256(rolling + action.to_bytes(2, "big") + written).digest()


def _first_hash(record: Record) -> bytes:
    head = json.dumps(record.header(), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(head.encode()).digest()


def _taken(state: State) -> list[Event]:
    raw = state.log or []
    state.log = []
    return events(raw)


def _field(data: dict[str, Any], name: str, kind: type) -> Any:
    if not isinstance(data.get(name), kind) or isinstance(data.get(name), bool):
        raise RecordError(name, f"must be there and be a {kind.__name__}")
    return data[name]


def _check_text(where: str, text: Any, longest: int) -> None:
    """A record's texts are hashed and stored, so each must be short and have a UTF-8 form."""
    try:
        fine = isinstance(text, str) and len(text) <= longest and text.encode() is not None
    except UnicodeEncodeError:
        fine = False
    if not fine:
        raise RecordError(where, f"must be a text of at most {longest} characters")


def _from_data(data: dict[str, Any], actions: Any, checks: bytes) -> Record:
    version = _field(data, "version", int)
    if version not in FORMS:
        raise _unknown_form(version)
    rules = _field(data, "rules", int) if version > 1 else 1
    if not 1 <= rules < 2**31:
        raise RecordError("rules", "must be the number of a version of the rules, 1 or more")
    names = _field(data, "seats", list)
    if not 2 <= len(names) <= 4:
        raise RecordError("seats", "must be two to four names")
    for name in names:
        _check_text("seats", name, LONGEST_NAME)
    _check_text("board", data.get("board"), LONGEST_BOARD_ID)
    _check_text("board_hash", data.get("board_hash"), 64)
    try:
        seed = bytes.fromhex(_field(data, "seed", str))
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise RecordError("seed", f"must be {SEED_BYTES} bytes in hexadecimal")
    try:
        options = ruleset_from_options(data.get("ruleset"))
    except RulesetError as error:
        raise RecordError("ruleset", str(error)) from None
    _check_text("ruleset", options.name, LONGEST_NAME)
    if not isinstance(actions, list) or len(actions) > MOST_ACTIONS:
        raise RecordError("actions", f"must be a list of at most {MOST_ACTIONS} numbers")
    if not all(type(action) is int and 0 <= action < END for action in actions):
        raise RecordError("actions", f"must be whole numbers from 0 to {END - 1}")
    if len(checks) != CHECK_BYTES * len(actions):
        raise RecordError("checks", f"must be {CHECK_BYTES} bytes for each of the {len(actions)} actions")
    return Record(
        options,
        data["board"],
        data["board_hash"],
        seed,
        tuple(names),
        tuple(actions),
        checks,
        version,
        rules,
    )


def _unknown_form(form: object) -> RecordError:
    return RecordError(
        "version", f"{str(form)[:20]} is not known; this engine reads {' and '.join(map(str, FORMS))}"
    )


def _put_varint(out: bytearray, number: int) -> None:
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def _get_varint(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while at < len(data) and shift < 35:
        number |= (data[at] & 127) << shift
        at += 1
        if data[at - 1] < 128:
            return number, at
        shift += 7
    raise RecordError("file", "ends in the middle of a number")
