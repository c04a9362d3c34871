"""How a promotion test looks in the API."""

import math
from typing import Any

from rest_framework import serializers

from arena.promotions.models import PromotionTest
from arena.promotions.selectors import PromotionProgress

SHOWN_DIGITS = 4


class PlanSerializer(serializers.Serializer):
    elo0 = serializers.FloatField(help_text="A gain above this is better.")
    elo1 = serializers.FloatField(help_text="The gain that the test should find.")
    alpha = serializers.FloatField(help_text="The largest chance of a wrong promotion.")
    beta = serializers.FloatField(help_text="The largest chance of rejecting a version that gains elo1.")


class ScoreBySeatsSerializer(serializers.Serializer):
    seats = serializers.IntegerField()
    sets = serializers.IntegerField()
    games = serializers.IntegerField()
    score = serializers.FloatField()


class PromotionTestSerializer(serializers.Serializer):
    """How a candidate stands against the active version."""

    bot = serializers.CharField()
    version = serializers.IntegerField(help_text="The candidate.")
    baseline = serializers.IntegerField(help_text="The active version that it is tested against.")
    state = serializers.ChoiceField(PromotionTest.State.choices)
    reason = serializers.CharField(allow_blank=True)
    waiting = serializers.CharField(allow_blank=True, help_text="Why no sets are played at the moment.")
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    plan = PlanSerializer()
    sets = serializers.IntegerField(help_text="How many duplicate sets count so far.")
    most_sets = serializers.IntegerField()
    sets_left = serializers.IntegerField(
        allow_null=True, help_text="About how many more it takes, if results stay as they are."
    )
    void_sets = serializers.IntegerField()
    games = serializers.IntegerField()
    score = serializers.FloatField(help_text="The share of games in which the candidate placed first.")
    elo = serializers.FloatField(allow_null=True, help_text="The gain; null if it is infinite.")
    elo_low = serializers.FloatField(allow_null=True, help_text="May be looked at after every set.")
    elo_high = serializers.FloatField(allow_null=True)
    e_better = serializers.FloatField(help_text="Evidence for better; promoted at 1 / alpha.")
    e_not_better = serializers.FloatField(help_text="Evidence for not better; rejected at 1 / beta.")
    by_seats = ScoreBySeatsSerializer(many=True)
    log_better = serializers.ListField(
        child=serializers.FloatField(), help_text="The natural logarithm of e_better after each set."
    )
    log_not_better = serializers.ListField(child=serializers.FloatField())


class PromotionActSerializer(serializers.Serializer):
    act = serializers.ChoiceField(
        ["start", "stop"], help_text="`start` also goes on with a test that was stopped or ended undecided."
    )


def progress_data(progress: PromotionProgress) -> dict[str, Any]:
    """Return a test as JSON data."""
    test, evidence = progress.test, progress.evidence
    low, high = progress.interval
    return {
        "bot": test.bot.slug,
        "version": test.version.number,
        "baseline": test.baseline.number,
        "state": test.state,
        "reason": test.reason,
        "waiting": progress.waiting,
        "started_at": test.started_at,
        "ended_at": test.ended_at,
        "plan": {name: getattr(test, name) for name in ("elo0", "elo1", "alpha", "beta")},
        "sets": evidence.sets,
        "most_sets": test.most_sets,
        "sets_left": progress.sets_left,
        "void_sets": progress.void_sets,
        "games": progress.games,
        "score": rounded(evidence.score),
        "elo": rounded(evidence.elo, 1),
        "elo_low": rounded(low, 1),
        "elo_high": rounded(high, 1),
        "e_better": rounded(e_value(evidence.log_better)),
        "e_not_better": rounded(e_value(evidence.log_not_better)),
        "by_seats": [
            {"seats": one.seats, "sets": one.sets, "games": one.games, "score": rounded(one.score)}
            for one in progress.by_seats
        ],
        "log_better": [rounded(one.log_better) for one in progress.course.steps],
        "log_not_better": [rounded(one.log_not_better) for one in progress.course.steps],
    }


def e_value(log: float) -> float:
    return math.exp(min(log, 50))


def rounded(value: float, digits: int = SHOWN_DIGITS) -> float | None:
    return round(value, digits) if math.isfinite(value) else None
