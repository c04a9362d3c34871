"""The French rulebook."""

from engine.rulesets import Ruleset

RULESET = Ruleset("french", landing="next_free")
