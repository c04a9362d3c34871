"""The German rulebook."""

from engine.rulesets import Ruleset

RULESET = Ruleset("german", rafts="all_lakes")
