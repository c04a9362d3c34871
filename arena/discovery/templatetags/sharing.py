"""What pages need to be shared and followed: {% share "bot" bot.slug bot.name %}, {% follow_button bot %}."""

from typing import Any

from django import template
from django.urls import reverse

from arena.accounts.models import User
from arena.bots.models import Bot
from arena.tournaments.models import Tournament

register = template.Library()


@register.inclusion_tag("discovery/_share.html", takes_context=True)
def share(context: dict[str, Any], kind: str, name: str, title: str) -> dict[str, Any]:
    """The tags by which other sites show a link: its title and a card; and a feed for all but matches."""
    request = context["request"]
    return {
        "title": title,
        "address": request.build_absolute_uri(request.path),
        "card": request.build_absolute_uri(reverse(f"{kind}-card", args=[name])),
        "feed": reverse(f"{kind}-feed", args=[name]) if kind != "match" else "",
    }


@register.inclusion_tag("discovery/_follow_button.html", takes_context=True)
def follow_button(context: dict[str, Any], thing: Bot | Tournament) -> dict[str, Any]:
    """A button to follow a bot or an event, for those who are signed in."""
    user = context["request"].user
    is_bot = isinstance(thing, Bot)
    followed = False
    if isinstance(user, User):
        wanted = {"bot": thing.pk} if is_bot else {"tournament": thing.pk}
        followed = user.follows.filter(**wanted).exists()
    return {
        "action": reverse("follow-bot" if is_bot else "follow-event", args=[thing.slug]),
        "user": user,
        "is_followed": followed,
        "csrf_token": context.get("csrf_token"),
    }
