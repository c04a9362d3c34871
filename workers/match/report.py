"""`MatchReport`: how a match went. Everything that the arena records about it follows from this."""

import json
from dataclasses import dataclass, field
from typing import Any, Final

from engine.errors import RecordError
from engine.record import Record
from proto.messages import MAX_BOT_NAME, MAX_NOTE, StrikeKind
from workers.match.faults import STRIKES_ALLOWED, Fault, FaultKind
from workers.match.strict import DataError, choice, fields, items, number, text

OUTPUT_KEPT: Final = 64 * 1024
"""How many of the last bytes of a bot's stdout and stderr a report carries."""
NOTES_KEPT: Final = 128 * 1024
"""How many bytes of notes a report carries per seat; further notes are dropped and counted."""
_MOST_STEPS: Final = 10_000
REASON_KEPT: Final = 500
_LONGEST_US: Final = 24 * 3600 * 10**6
"""No match takes a day: none of its clocks may exceed an hour."""


@dataclass(frozen=True, slots=True)
class StrikeNote:
    """A strike: after how many actions of the game, its kind, and the reason in words."""

    step: int
    kind: StrikeKind
    reason: str


@dataclass(slots=True)
class SeatReport:
    """One seat of a match, filled in during play. Its texts are a stranger's: escape them when shown.

    `steps`, `wall_us` and `charged_us` belong together: how many actions the game had seen when the seat was
    asked, the time until its answer came or its time was up, and the part of that that was charged.
    """

    bot_name: str = ""
    placement: int = 0
    score: int = 0
    fault: Fault | None = None
    strikes: list[StrikeNote] = field(default_factory=list)
    late: int = 0
    repeated: int = 0
    unknown: int = 0
    refused_clients: int = 0
    startup_us: int | None = None
    ping_us: int | None = None
    steps: list[int] = field(default_factory=list)
    wall_us: list[int] = field(default_factory=list)
    charged_us: list[int] = field(default_factory=list)
    notes: dict[int, str] = field(default_factory=dict)
    notes_dropped: int = 0
    output: str = ""
    exit: str = ""

    def keep_note(self, step: int, note: str) -> None:
        """Keep a note, truncated to its limit, unless the seat has used up its space."""
        kept = clean(note.encode()[:MAX_NOTE])
        if sum(len(one) for one in self.notes.values()) + len(kept) > NOTES_KEPT:
            self.notes_dropped += 1
        else:
            self.notes[step] = kept

    def to_data(self) -> dict[str, Any]:
        """The seat as JSON data."""
        data: dict[str, Any] = {name: getattr(self, name) for name in _SEAT_FIELDS}
        if self.fault:
            data["fault"] = {
                "kind": self.fault.kind.value,
                "step": self.fault.step,
                "reason": self.fault.reason,
            }
        data["strikes"] = [
            {"step": one.step, "kind": one.kind.name.lower(), "reason": one.reason} for one in self.strikes
        ]
        data["notes"] = [[step, note] for step, note in self.notes.items()]
        return data

    @staticmethod
    def from_data(data: Any, where: str) -> "SeatReport":
        """Read `to_data` back; DataError for anything else."""
        seat = SeatReport(**dict(zip(_SEAT_FIELDS, fields(data, where, _SEAT_FIELDS), strict=True)))
        text(seat.bot_name, f"{where}.bot_name", MAX_BOT_NAME)
        number(seat.placement, f"{where}.placement", 1, 4)
        for name in ("score", "late", "repeated", "unknown", "refused_clients", "notes_dropped"):
            number(getattr(seat, name), f"{where}.{name}")
        for name in ("startup_us", "ping_us"):
            if getattr(seat, name) is not None:
                _read_time(getattr(seat, name), f"{where}.{name}")
        items(seat.steps, f"{where}.steps", number, _MOST_STEPS)
        for name in ("wall_us", "charged_us"):
            items(getattr(seat, name), f"{where}.{name}", _read_time, _MOST_STEPS)
            _read_time(sum(getattr(seat, name)), f"the sum of {where}.{name}")
        if not len(seat.steps) == len(seat.wall_us) == len(seat.charged_us):
            raise DataError(f"{where}: steps, wall_us and charged_us must be equally long")
        seat.fault = None if seat.fault is None else _read_fault(seat.fault, f"{where}.fault")
        seat.strikes = items(seat.strikes, f"{where}.strikes", _read_strike, STRIKES_ALLOWED)
        seat.notes = dict(items(seat.notes, f"{where}.notes", _read_note, _MOST_STEPS))
        text(seat.output, f"{where}.output", OUTPUT_KEPT)
        text(seat.exit, f"{where}.exit", REASON_KEPT)
        return seat


@dataclass(frozen=True, slots=True)
class MatchReport:
    """The whole match. `placements` put failed seats last; `game_placements` are those of the game itself."""

    match_id: str
    record: Record
    seats: tuple[SeatReport, ...]
    game_placements: tuple[int, ...]
    wall_us: int
    """From the start of the bots to the end of the last."""
    play_us: int
    """From the first question to the last answer."""
    stalled_us: int
    """How long the host kept its own event loop waiting; charged to no bot."""

    @property
    def placements(self) -> list[int]:
        """By seat, 1 for the best."""
        return [seat.placement for seat in self.seats]

    @property
    def scores(self) -> list[int]:
        """Points of the game by seat."""
        return [seat.score for seat in self.seats]

    def to_data(self) -> dict[str, Any]:
        """The report as JSON data."""
        return {
            "match_id": self.match_id,
            "record": json.loads(self.record.to_json()),
            "seats": [seat.to_data() for seat in self.seats],
            "game_placements": list(self.game_placements),
            "wall_us": self.wall_us,
            "play_us": self.play_us,
            "stalled_us": self.stalled_us,
        }

    @staticmethod
    def from_data(data: Any) -> "MatchReport":
        """Read `to_data` back; DataError for anything else. The record's game is checked by `verify`."""
        match_id, record, seats, by_game, wall, play, stalled = fields(data, "report", _REPORT_FIELDS)
        try:
            read = Record.from_json(json.dumps(record))
        except RecordError as error:
            raise DataError(f"report.record: {error}") from error
        report = MatchReport(
            text(match_id, "report.match_id", 100),
            read,
            tuple(items(seats, "report.seats", SeatReport.from_data, 4)),
            tuple(items(by_game, "report.game_placements", number, 4)),
            _read_time(wall, "report.wall_us"),
            _read_time(play, "report.play_us"),
            _read_time(stalled, "report.stalled_us"),
        )
        everyone = list(range(1, len(read.seats) + 1))
        if sorted(report.placements) != everyone or sorted(report.game_placements) != everyone:
            raise DataError("report: each seat of the record must have a place of its own")
        return report


def clean(data: bytes, longest: int | None = None) -> str:
    """Return a stranger's bytes as text that databases accept: invalid UTF-8 and NUL become U+FFFD."""
    return data.decode("utf-8", "replace").replace("\0", "\ufffd")[:longest]


def _read_time(value: Any, where: str) -> int:
    return number(value, where, 0, _LONGEST_US)


def _read_fault(data: Any, where: str) -> Fault:
    kind, step, reason = fields(data, where, ("kind", "step", "reason"))
    return Fault(
        choice(kind, f"{where}.kind", FaultKind),
        number(step, f"{where}.step", 0, _MOST_STEPS),
        text(reason, f"{where}.reason", REASON_KEPT),
    )


def _read_strike(data: Any, where: str) -> StrikeNote:
    step, kind, reason = fields(data, where, ("step", "kind", "reason"))
    names = {one.name.lower(): one for one in StrikeKind}
    if not isinstance(kind, str) or kind not in names:
        raise DataError(f"{where}.kind must be one of {', '.join(names)}")
    read = number(step, f"{where}.step", 0, _MOST_STEPS)
    return StrikeNote(read, names[kind], text(reason, f"{where}.reason", REASON_KEPT))


def _read_note(data: Any, where: str) -> tuple[int, str]:
    if not isinstance(data, list) or len(data) != 2:
        raise DataError(f"{where} must be a step and a text")
    return number(data[0], where, 0, _MOST_STEPS), text(data[1], where, MAX_NOTE)


_SEAT_FIELDS: Final = tuple(SeatReport.__dataclass_fields__)
_REPORT_FIELDS: Final = ("match_id", "record", "seats", "game_placements", "wall_us", "play_us", "stalled_us")
