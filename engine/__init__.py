"""The rules of Aztlán: exact, deterministic, standard library only."""

# ruff: noqa: E402  the form is settled before any module that has two is imported
from engine.form import choose

FORM = choose()

from engine.boardfile import load_board
from engine.observation import Observation, determinize, observe
from engine.record import Record, Recorder, load_record, verify
from engine.rulesets import ruleset
from engine.state import State

__all__ = [
    "FORM",
    "Observation",
    "Record",
    "Recorder",
    "State",
    "determinize",
    "load_board",
    "load_record",
    "observe",
    "ruleset",
    "verify",
]
