"""Highlights: a game in about a minute, as steps and how long each is shown.

Of sixty placings per age a few are shown, so that the board is seen to fill; then the reveal, the conflicts
over most pawns, each seat's scoring, and the key moments for longest.
"""

from collections.abc import Sequence
from typing import Any, Final

from engine.board import Board
from engine.replay.frames import Frame
from engine.replay.moments import Moment, moments

MILLISECONDS: Final = 60_000
PLACINGS: Final = 6
CONFLICTS: Final = 4
MOMENT_WEIGHT: Final = 4.0
PLACING_WEIGHT: Final = 0.4
CONFLICT_WEIGHT: Final = 1.2
WEIGHTS: Final = {
    "game_over": 5.0,
    "power_revealed": 2.5,
    "age_scored": 1.8,
    "end_scored": 1.5,
    "tlatoani_played": 1.2,
    "games_played": 1.2,
    "age_began": 1.0,
}
_CONFLICTS: Final = {"battle_declared", "coexistence", "conflict_tied"}


def story(frames: Sequence[Frame], board: Board) -> dict[str, Any]:
    """Return what a viewer tells of a game that is over: its key moments, and its highlights."""
    found = moments(frames, board)
    return {"moments": found, "highlights": highlights(frames, found)}


def highlights(frames: Sequence[Frame], found: Sequence[Moment]) -> list[list[int]]:
    """Return [step, milliseconds] in order; together they last MILLISECONDS."""
    if not found:
        return []
    weights: dict[int, float] = {}
    for age in _by_age([frame for frame in frames if not frame.get("sub")]):
        weights |= _weights_of(age)
    for moment in found:
        weights[moment["step"]] = max(MOMENT_WEIGHT, weights.get(moment["step"], 0))
    total = sum(weights.values())
    return [[step, round(MILLISECONDS * weights[step] / total)] for step in sorted(weights)]


def _by_age(frames: Sequence[Frame]) -> list[list[Frame]]:
    ages: list[list[Frame]] = []
    for frame in frames:
        if not ages or any(event["kind"] == "age_began" for event in frame["events"]):
            ages.append([])
        ages[-1].append(frame)
    return ages


def _weights_of(age: Sequence[Frame]) -> dict[int, float]:
    """The steps of one age that are shown, with their share of the time."""
    placed = [frame["step"] for frame in age if _has(frame, {"pawn_placed", "eagle_placed"})]
    every = max(1, -(-len(placed) // PLACINGS))
    weights = dict.fromkeys(placed[every - 1 :: every], PLACING_WEIGHT)
    fought = sorted((frame for frame in age if _has(frame, _CONFLICTS)), key=_stakes, reverse=True)
    weights |= dict.fromkeys((frame["step"] for frame in fought[:CONFLICTS]), CONFLICT_WEIGHT)
    for frame in age:
        known = [WEIGHTS[event["kind"]] for event in frame["events"] if event["kind"] in WEIGHTS]
        if known:
            weights[frame["step"]] = max(known)
    return weights


def _has(frame: Frame, kinds: set[str]) -> bool:
    return any(event["kind"] in kinds for event in frame["events"])


def _stakes(frame: Frame) -> int:
    """How many pawns a conflict was about."""
    powers = [power for event in frame["events"] for power in event.get("powers", [])]
    return sum(int(pawns) for _, _, pawns in powers)
