"""Promotion tests on other pages."""

import math
from typing import Any

from django import template

from arena.bots.models import Bot
from arena.promotions import selectors

register = template.Library()


@register.inclusion_tag("promotions/_running.html")
def running_test_of(bot: Bot) -> dict[str, Any]:
    """Return one line about the bot's running test, which only its owner sees."""
    return {"test": selectors.running_test(bot), "bot": bot}


@register.filter
def signed(elo: float) -> str:
    """An Elo difference with its sign; an end of an interval that is not known yet is infinite."""
    if math.isinf(elo):
        return "∞" if elo > 0 else "−∞"
    return f"{elo:+.0f}".replace("-", "−")
