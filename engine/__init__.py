"""The rules of Aztlán: exact, deterministic, standard library only."""

from engine.boardfile import load_board
from engine.observation import Observation, determinize, observe
from engine.record import Record, Recorder, load_record, replay, verify
from engine.rulesets import ruleset
from engine.state import State

__all__ = [
    "Observation",
    "Record",
    "Recorder",
    "State",
    "determinize",
    "load_board",
    "load_record",
    "observe",
    "replay",
    "ruleset",
    "verify",
]
