"""Compares what a report says about its seats with its own record, to find hosts that are mistaken or lie.

When a seat fails or gets a strike, the runner takes an action for it, and `stand_in` says which. So a report
that invents a fault or a strike would need a record with exactly those actions.
"""

from collections.abc import Sequence

from engine.boardfile import load_board
from engine.state import State
from workers.match.faults import STRIKES_ALLOWED, UNASKED_ALLOWED, Fault, FaultKind
from workers.match.report import MatchReport, SeatReport
from workers.match.stand_in import default_action
from workers.match.strict import DataError

BEFORE_HELLO = (FaultKind.NO_HELLO, FaultKind.VERSION)
Rounds = list[tuple[int, ...]]
"""The steps that were asked at the same time, in order: (0, 1), (2,), (3,) and so on."""


def check_seats(report: MatchReport, actors: Sequence[int]) -> None:
    """Raise DataError if the report contradicts itself. `actors` are the seats that took its actions."""
    if report.play_us > report.wall_us:
        raise DataError("report: play_us cannot be more than wall_us")
    for number, seat in enumerate(report.seats):
        own = [step for step, actor in enumerate(actors) if actor == number]
        check_times(seat, f"report.seats[{number}]", own)
        check_strikes(seat, f"report.seats[{number}]")
    if any(seat.fault or seat.strikes for seat in report.seats):
        rounds, defaults = replay_rounds(report)
        for number, seat in enumerate(report.seats):
            own = [step for step, actor in enumerate(actors) if actor == number]
            check_stand_in(seat, f"report.seats[{number}]", own, rounds, defaults)


def check_times(seat: SeatReport, where: str, own: Sequence[int]) -> None:
    """Compare what the seat was asked with the decisions that it had to make."""
    if seat.steps != list(own[: len(seat.steps)]):
        raise DataError(f"{where}.steps are not those at which the seat had to decide")
    if any(charged > wall for charged, wall in zip(seat.charged_us, seat.wall_us, strict=True)):
        raise DataError(f"{where}: more time was charged than passed")
    if not set(seat.notes) <= set(seat.steps):
        raise DataError(f"{where}.notes belong to answers that nobody asked for")
    if seat.fault is None and seat.steps != list(own):
        raise DataError(f"{where}: a seat without a fault is asked for each of its decisions")
    if seat.startup_us is None and (seat.fault is None or seat.steps or seat.fault.step):
        raise DataError(f"{where}: it played without saying hello")
    if seat.startup_us is not None and seat.fault and seat.fault.kind in BEFORE_HELLO:
        raise DataError(f"{where}: it said hello, although its fault is that it did not")


def check_strikes(seat: SeatReport, where: str) -> None:
    """Compare strikes and fault with each other."""
    struck = [strike.step for strike in seat.strikes]
    if struck != sorted(set(struck)) or not set(struck) <= set(seat.steps):
        raise DataError(f"{where}.strikes are not for questions that the seat was asked, in order")
    is_struck_out = len(struck) == STRIKES_ALLOWED
    if is_struck_out and seat.fault is None:
        raise DataError(f"{where}: a seat with {STRIKES_ALLOWED} strikes has a fault")
    if seat.fault and seat.fault.kind is FaultKind.STRIKES and not is_struck_out:
        raise DataError(f"{where}: its fault is {STRIKES_ALLOWED} strikes, and it has {len(struck)}")
    unasked = seat.late + seat.repeated + seat.unknown
    if seat.fault and seat.fault.kind is FaultKind.FLOOD and unasked <= UNASKED_ALLOWED:
        raise DataError(f"{where}: its fault is a flood of {unasked} messages, which is still allowed")


def check_stand_in(
    seat: SeatReport, where: str, own: Sequence[int], rounds: Rounds, defaults: frozenset[int]
) -> None:
    """Check that the host's own actions were played after the fault, and at each strike."""
    replaced = [strike.step for strike in seat.strikes]
    if seat.fault:
        current = round_of(seat.fault, where, rounds)
        before = [step for step in own if step < current[0]]
        after = [step for step in own if step > current[-1]]
        asked = [step for step in own if step in current]
        if seat.steps not in (before, before + asked):
            raise DataError(f"{where}: it was asked after its fault, or not before it")
        if seat.fault.kind is FaultKind.STRIKES and replaced[-1] not in current:
            raise DataError(f"{where}: its fault is not at its last strike")
        # An answer may have come just before the fault.
        replaced += after if seat.steps == before + asked else asked + after
    if not defaults.issuperset(replaced):
        raise DataError(f"{where}: its actions after its fault, or at a strike, are not the host's")


def round_of(fault: Fault, where: str, rounds: Rounds) -> tuple[int, ...]:
    for steps in rounds:
        if steps[0] == fault.step:
            return steps
    raise DataError(
        f"{where}.fault is at step {fault.step}, where nobody was asked (after the end, for example)"
    )


def replay_rounds(report: MatchReport) -> tuple[Rounds, frozenset[int]]:
    """Return which steps were asked together, and the steps at which the host would have played the same."""
    record = report.record
    state = State.new(len(record.seats), record.seed, record.ruleset, load_board(record.board_id))
    rounds: Rounds = []
    defaults: set[int] = set()
    step = 0
    while step < len(record.actions):
        acting = state.acting()
        rounds.append(tuple(range(step, step + len(acting))))
        for seat, at in zip(acting, rounds[-1], strict=True):
            if record.actions[at] == default_action(record.seed, seat, at, state.legal_actions(seat)):
                defaults.add(at)
        for at in rounds[-1]:
            state.apply(record.actions[at])
        step += len(acting)
    return rounds, frozenset(defaults)
