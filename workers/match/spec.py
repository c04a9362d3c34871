"""`MatchSpec`: everything that a match host must know to play a match, except the bots."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from engine.board import Board
from engine.boardfile import load_board
from engine.errors import RulesetError
from engine.rulesets import Ruleset, ruleset_from_options
from proto.messages import Clocks
from workers.match.strict import DataError, fields, hexadecimal, items, number, text

DEFAULT_CLOCKS: Final = Clocks(startup_ms=10_000, bank_ms=30_000, increment_ms=100, decision_ms=5_000)
_LONGEST_MS: Final = 3_600_000


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """What is played, from which seed, and against which clocks."""

    match_id: str
    names: tuple[str, ...]
    """Who sits where, by seat, as the record will say."""
    seed: bytes
    ruleset: Ruleset
    board_id: str
    board_hash: str
    clocks: Clocks = DEFAULT_CLOCKS

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return len(self.names)

    def load_board(self) -> Board:
        """Return the board, if this host has exactly the same one."""
        board = load_board(self.board_id)
        if board.hash != self.board_hash:
            raise DataError(f"this host's board {self.board_id} is not the one asked for: update the host")
        return board

    def seed_commitment(self) -> str:
        """The hash of the seed, which may be shown before the match is over."""
        return sha256(self.seed).hexdigest()

    def to_data(self) -> dict[str, Any]:
        """The spec as JSON data."""
        clocks = self.clocks
        return {
            "match_id": self.match_id,
            "names": list(self.names),
            "seed": self.seed.hex(),
            "ruleset": self.ruleset.options(),
            "board_id": self.board_id,
            "board_hash": self.board_hash,
            "clocks": {name: getattr(clocks, name) for name in _CLOCK_FIELDS},
        }

    @staticmethod
    def from_data(data: Any) -> "MatchSpec":
        """Read `to_data` back; DataError for anything else."""
        match_id, names, seed, options, board_id, board_hash, clocks = fields(data, "spec", _SPEC_FIELDS)
        try:
            ruleset = ruleset_from_options(options)
        except RulesetError as error:
            raise DataError(f"spec.ruleset: {error}") from error
        return MatchSpec(
            text(match_id, "spec.match_id", 100),
            _read_names(names),
            hexadecimal(seed, "spec.seed", 32),
            ruleset,
            _read_board_id(board_id),
            text(board_hash, "spec.board_hash", 64),
            read_clocks(clocks, "spec.clocks"),
        )


def _read_names(data: Any) -> tuple[str, ...]:
    names = items(data, "spec.names", lambda name, where: text(name, where, 100), 4)
    if len(names) < 2:
        raise DataError("spec.names must be of 2, 3 or 4 seats")
    return tuple(names)


def _read_board_id(data: Any) -> str:
    board_id = text(data, "spec.board_id", 100)
    if not board_id.replace("_", "").replace("-", "").isalnum():  # never a path
        raise DataError("spec.board_id must be of letters, digits, - and _")
    return board_id


def read_clocks(data: Any, where: str) -> Clocks:
    """Clocks from JSON data, each part at most an hour."""
    values = fields(data, where, _CLOCK_FIELDS)
    lowest = {"increment_ms": 0, "bank_ms": 0}
    clocks = Clocks(
        *(
            number(value, f"{where}.{name}", lowest.get(name, 1), _LONGEST_MS)
            for name, value in zip(_CLOCK_FIELDS, values, strict=True)
        )
    )
    if clocks.bank_ms + clocks.increment_ms == 0:
        raise DataError(f"{where}: without a bank or an increment no bot has time to answer")
    return clocks


_CLOCK_FIELDS: Final = ("startup_ms", "bank_ms", "increment_ms", "decision_ms")
_SPEC_FIELDS: Final = ("match_id", "names", "seed", "ruleset", "board_id", "board_hash", "clocks")
