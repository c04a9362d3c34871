"""A finished match explained without hindsight: every decision, each seat's expectations, luck and play.

A pure function of the stored record, a seed and a number of worlds. Numbers are whole, to be stored
compactly: shares of a win in thousandths, points in tenths.
"""

import json
import zlib
from collections.abc import Sequence
from typing import Any

from arena.analysis.decisions import Judgement, TriedAction, judge_decision
from arena.analysis.knowledge import dice_for, known_value, results, values
from arena.matches.stored_records import read_record
from arena.replays.stored_frames import addresses
from engine.kernel import Batch
from engine.position import CHOOSING
from engine.record import Record, board_of, check_rules
from engine.replay.luck import read_game, value_functions
from engine.state import State

BLUNDER_POINTS = 9.0
"""A decision that gives away so many points of lead is a blunder."""
BRILLIANT_POINTS = 3.0
"""A decision that is so much better than any other, and was not easy to see, is brilliant."""
CHOOSING_FACTOR = 3
"""What a power card is worth depends on those that the others choose at the same time, so it varies more."""
EASY_TO_SEE = 3
"""An action is easy to see if it is among so many at first sight."""
EVEN = 500
"""What a seat can expect before anything is dealt, in thousandths of a win."""


def explain(stored: bytes, worlds: int, seed: str) -> bytes:
    """Return the whole explanation of a stored record, packed."""
    record = read_record(stored)
    check_rules(record)
    state = State.new(len(record.seats), record.seed, record.ruleset, board_of(record))
    at = addresses(stored, "open")
    curve, decisions = [_point(0, at[0], state, worlds, seed)], []
    for number, action in enumerate(record.actions):
        if len(state.legal_actions()) > 1:
            judgement = judge_decision(state, action, worlds, dice_for(seed, "decision", number))
            decisions.append(_decision(number, at[number + 1], state, judgement))
        phase = (state.age, state.phase)
        state.apply(action)
        if (state.age, state.phase) != phase:
            curve.append(_point(number + 1, at[number + 1], state, worlds, seed))
    told = {
        "worlds": worlds,
        "seed": seed,
        "split": split_results(results(state.placements()), record),
        "curve": curve,
        "decisions": decisions,
    }
    return zlib.compress(json.dumps(told, separators=(",", ":")).encode(), 9)


def split_results(final: Sequence[float], record: Record) -> list[dict[str, int]]:
    """Split each result into an even share, luck and play, in thousandths: the parts add up exactly.

    Luck is what `engine.replay.luck` measures: the first turn order and each drawn card against what could
    have come, so it is zero on average. Everything else is play, a seat's own and that of the others: power
    cards too, because they are chosen and not dealt.
    """
    reading = read_game(record, value_functions()[-1])
    luck = [round(1000 * one) for one in reading.luck or [0.0] * len(final)]
    whole = [round(1000 * one) for one in final]
    return [
        {"result": result, "even": EVEN, "luck": chance, "play": result - EVEN - chance}
        for result, chance in zip(whole, luck, strict=True)
    ]


def unpack(packed: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(zlib.decompress(packed))
    return found


def _point(number: int, at: tuple[int, int], state: State, worlds: int, seed: str) -> dict[str, Any]:
    """What each seat could expect by what it knew, and by all cards, at the beginning of a phase."""
    own = [
        known_value(state, seat, worlds, dice_for(seed, "view", number, seat)) for seat in range(state.seats)
    ]
    return {
        "number": number,
        "at": list(at),
        "own": [None if one is None else _share(one) for one in own],
        "open": [_share(one) for one in values(Batch.of([state]))[0]],
    }


def _share(value: float) -> int:
    return max(0, min(1000, round(1000 * value)))


def mark_of(judgement: Judgement, phase: int) -> str:
    """Return whether a decision stands out: `blunder`, `brilliant`, or nothing."""
    if judgement.loss >= BLUNDER_POINTS * (CHOOSING_FACTOR if phase == CHOOSING else 1):
        return "blunder"
    is_best = judgement.best.action == judgement.chosen and judgement.lead >= BRILLIANT_POINTS
    return "brilliant" if is_best and judgement.first_rank >= EASY_TO_SEE else ""


def _decision(number: int, at: tuple[int, int], state: State, judgement: Judgement) -> dict[str, Any]:
    return {
        "number": number,
        "at": list(at),
        "seat": state.to_act(),
        "chosen": judgement.chosen,
        "best": judgement.best.action,
        "loss": round(10 * judgement.loss),
        "mark": mark_of(judgement, state.phase),
        "tried": [_tried(one) for one in judgement.candidates],
    }


def _tried(one: TriedAction) -> list[int]:
    return [one.action, round(10 * one.points), _share(one.share)]
