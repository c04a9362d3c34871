"""What the home page shows of the contests: the tops of the ladders, the events under way."""

from typing import Any

from django import template

from arena.ladders.models import Ladder
from arena.ladders.selectors import shown_season, standings
from arena.tournaments.models import State, Tournament

register = template.Library()
TOP = 3
MOST_LADDERS = 4


@register.inclusion_tag("pages/_contests.html")
def contests() -> dict[str, Any]:
    """Open ladders with their first three, and tournaments that take entries or are played."""
    tops = []
    for ladder in Ladder.objects.filter(is_open=True)[:MOST_LADDERS]:
        season = shown_season(ladder)
        tops.append((ladder, list(standings(season)[:TOP]) if season else []))
    states = [State.REGISTRATION, State.LOCKED, State.RUNNING, State.PAUSED]
    return {"tops": tops, "events": list(Tournament.objects.filter(state__in=states).order_by("-id")[:6])}
