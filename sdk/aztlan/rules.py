"""The rules as bots use them: what actions mean, the phases, cards, domains and conflicts.

Everything here works on a `State` (see `aztlan.determinize`). These names are stable: they mean the same
in this package, in a clone of the arena and in the sandbox of a match.
"""

from engine.actions import (
    BATTLE,
    COEXIST,
    EAGLE,
    MOVE,
    NAME_TYPE,
    PASS,
    PLACE,
    TLATOANI,
    all_actions,
    to_text,
)
from engine.board import WILD, Board, index_of
from engine.cards import KINDS, LOWEST_POWER, POWER_CARDS
from engine.cards import NAMES as CARD_NAMES
from engine.events import Event, events
from engine.observation import FIELDS, HIDDEN, Observation, determinize, observe
from engine.phases.conflict import contested, power
from engine.phases.scoring import domain_points, domains
from engine.position import (
    CHOOSING,
    CONFLICT,
    DEVELOPMENT,
    LAST_AGE,
    OVER,
    PHASE_NAMES,
    SCORING,
    STEP_MAIN,
    Position,
)
from engine.record import Record, Recorder, load_record, replay, verify
from engine.rulesets import EDITIONS, Ruleset, ruleset
from engine.state import State

__all__ = [
    "BATTLE",
    "CARD_NAMES",
    "CHOOSING",
    "COEXIST",
    "CONFLICT",
    "DEVELOPMENT",
    "EAGLE",
    "EDITIONS",
    "FIELDS",
    "HIDDEN",
    "KINDS",
    "LAST_AGE",
    "LOWEST_POWER",
    "MOVE",
    "NAME_TYPE",
    "OVER",
    "PASS",
    "PHASE_NAMES",
    "PLACE",
    "POWER_CARDS",
    "SCORING",
    "STEP_MAIN",
    "TLATOANI",
    "WILD",
    "Board",
    "Event",
    "Observation",
    "Position",
    "Record",
    "Recorder",
    "Ruleset",
    "State",
    "all_actions",
    "contested",
    "determinize",
    "domain_points",
    "domains",
    "events",
    "index_of",
    "load_record",
    "observe",
    "power",
    "replay",
    "ruleset",
    "to_text",
    "verify",
]
