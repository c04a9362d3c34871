"""The Italian rulebook."""

from engine.rulesets import Ruleset

RULESET = Ruleset("italian", tie="top", eagle="placed")
