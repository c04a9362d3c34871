"""What the home page shows of the contests: the tops of the ladders, the events under way."""

from typing import Any

from django import template
from django.db.models.functions import Now

from arena.ladders.models import Ladder, Season, Standing
from arena.ladders.reading_queries import top_standings
from arena.tournaments.models import State, Tournament

register = template.Library()
TOP = 3
MOST_LADDERS = 4
MOST_EVENTS = 6
UNDER_WAY = [State.REGISTRATION, State.LOCKED, State.RUNNING, State.PAUSED]


@register.inclusion_tag("pages/_contests.html")
def contests() -> dict[str, Any]:
    """Open ladders with their first three, and tournaments that take entries or are played: five queries."""
    ladders = list(Ladder.objects.filter(is_open=True)[:MOST_LADDERS])
    tops: dict[int, list[Standing]] = {ladder.pk: [] for ladder in ladders}
    for standing in _tops(ladders) if ladders else ():
        tops[standing.season.ladder_id].append(standing)
    events = Tournament.objects.filter(state__in=UNDER_WAY).order_by("-id")[:MOST_EVENTS]
    return {"tops": [(ladder, tops[ladder.pk]) for ladder in ladders], "events": list(events)}


def _tops(ladders: list[Ladder]) -> list[Standing]:
    """Return the top of the latest season of each ladder, best first."""
    begun = Season.objects.filter(ladder__in=ladders, starts_at__lte=Now())
    seasons = list(begun.order_by("ladder_id", "-number").distinct("ladder_id").values_list("pk", flat=True))
    found = Standing.objects.filter(pk__in=top_standings(seasons, TOP)).select_related("bot", "season")
    return list(found.order_by("season", "-rating", "pk"))
