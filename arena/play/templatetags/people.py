"""Head to head of people and bots: {% people_against bot %}, {% bots_against person %}."""

from typing import Any

from django import template
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.bots.models import Bot
from arena.play.people_results import bots_met_by, people_met_by

register = template.Library()
MOST = 10


@register.inclusion_tag("play/_met.html")
def people_against(bot: Bot) -> dict[str, Any]:
    """Return who met this bot at a table."""
    return {"met": people_met_by(bot, MOST), "of_bot": True, "title": _("Against people")}


@register.inclusion_tag("play/_met.html")
def bots_against(person: User) -> dict[str, Any]:
    """Return which bots this person met at a table."""
    return {"met": bots_met_by(person, MOST), "of_bot": False, "title": _("Against bots, at tables")}
