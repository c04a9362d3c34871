"""What is asked about bots and their versions, and who may see the private part of them."""

import re

from django.contrib.auth.models import AnonymousUser
from django.contrib.postgres.search import SearchQuery, SearchVector
from django.db.models import QuerySet

from arena.accounts import audit
from arena.accounts.models import User
from arena.bots.models import Bot, Version
from arena.listeners import Happening, publish

BOT_FIELDS = [field.name for field in Bot._meta.concrete_fields]  # noqa: SLF001  Django's own name for it


def playable_bots() -> QuerySet[Bot]:
    """Return the bots that matchmakers may choose, with their active versions."""
    return Bot.objects.filter(
        active_version__isnull=False, benched_at=None, disqualified_at=None
    ).select_related("active_version")


def list_bots(search: str = "", runtime: str = "", owner: str = "") -> QuerySet[Bot]:
    """Return bots for a list, newest first, with what a line of it shows and no more."""
    bots = Bot.objects.select_related("owner", "active_version").order_by("-id")
    bots = bots.only(*BOT_FIELDS, "owner__username", "active_version__number", "active_version__runtime")
    if search:
        bots = bots.annotate(words=SearchVector("name", "slug", config="simple")).filter(
            words=beginnings(search)
        )
    if runtime:
        bots = bots.filter(active_version__runtime=runtime)
    if owner:
        bots = bots.filter(owner__username=owner)
    return bots


def beginnings(search: str) -> SearchQuery:
    """Return a query for names that have, for each word of the search, a word that begins with it."""
    words = re.findall(r"\w+", search)[:8]
    # A search of signs alone is an empty query, which finds nothing.
    return SearchQuery(" & ".join(f"{word}:*" for word in words), config="simple", search_type="raw")


def why_it_waits(version: Version) -> str:
    """Return what a version waits for, and since when, where that is not simply its turn."""
    return next(filter(None, publish(Happening.VERSION_WAITS, version)), "")


def is_owner(user: User | AnonymousUser, bot: Bot) -> bool:
    return user.is_authenticated and user.pk == bot.owner_id


def open_private(user: User | AnonymousUser, version: Version, what: str) -> bool:
    """Whether this person may see what only the author may: source, logs, notes.

    Staff may too, and each time leaves a line in the audit log: call it once, when the thing is shown.
    """
    if is_owner(user, version.bot):
        return True
    if isinstance(user, User) and user.is_active and user.is_staff:
        audit.record(user, what, version)
        return True
    return False
