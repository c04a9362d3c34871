"""The German quick reference; it agrees with the German rulebook wherever it speaks."""

from engine.rulesets import Ruleset

RULESET = Ruleset("german_quick", rafts="all_lakes")
