"""Ratings on pages."""

from collections.abc import Sequence
from typing import Any

from django import template

from arena.bots.models import Bot
from arena.ladders import charts, selectors

register = template.Library()


@register.inclusion_tag("ladders/_trend.html")
def trend(values: Sequence[float]) -> dict[str, Any]:
    """A line through the latest ratings."""
    change = values[-1] - values[0] if values else 0
    return {"points": charts.sparkline(values), "change": change}


@register.inclusion_tag("ladders/_places.html")
def places_of(bot: Bot) -> dict[str, Any]:
    """Where a bot stands on the ladders."""
    return {"places": selectors.places_of(bot), "bot": bot}


@register.inclusion_tag("ladders/_interval.html")
def interval(row: selectors.StandingsRow, axis: charts.Axis) -> dict[str, Any]:
    """A bot's strength as a bar; all bars of a page share one axis."""
    return {"row": row, "bar": charts.bar(axis, row.mu, row.low, row.high)}


@register.filter
def percent(share: float) -> str:
    """A share as a whole percentage."""
    return f"{share:.0%}"


@register.filter
def signed(points: float | None) -> str:
    """A difference in Elo points with its sign; ∞ where there is no limit."""
    return "∞" if points is None else f"{points:+.0f}".replace("-", "−")
