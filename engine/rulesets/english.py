"""The English rulebook: the default."""

from engine.rulesets import Ruleset

RULESET = Ruleset("english")
