"""Queries about bots and their versions, and the door to what only their authors may see."""

import re
from collections.abc import Collection
from typing import Any

from django.contrib.postgres.search import SearchQuery, SearchVector
from django.db.models import QuerySet

from arena.accounts import audit
from arena.accounts.models import TeamMembership, User
from arena.accounts.permissions import Person, accounts_of, is_owner, may_read_private
from arena.bots.models import Bot, Version
from arena.listeners import Happening, publish

BOT_FIELDS = [field.name for field in Bot._meta.concrete_fields]  # noqa: SLF001  Django's own name for it

NEWEST = 200
"""So many bots are quickly looked through, ..."""
MANY = 20
"""... and if so many of them have a word, a page of those that have it is soon found from the newest on."""
FEW = 400
"""So many bots are quickly sorted."""


def playable_bots() -> QuerySet[Bot]:
    """Return the bots that matchmakers may choose, with their active versions."""
    return Bot.objects.filter(
        active_version__isnull=False, benched_at=None, disqualified_at=None
    ).select_related("active_version")


def people_behind(owners: Collection[int]) -> dict[int, frozenset[int]]:
    """Return by owner who may change its bots: the person, or the members of the team."""
    found = {owner: {owner} for owner in owners}
    for team, person in TeamMembership.objects.filter(team__in=owners).values_list("team", "person"):
        found[team].add(person)
    return {owner: frozenset(people) for owner, people in found.items()}


def bots_for(person: Person) -> QuerySet[Bot]:
    """Return the bots that somebody may change and enter: their own and those of their teams."""
    return Bot.objects.filter(owner__in=accounts_of(person))


def list_bots(
    search: str = "", runtime: str = "", owner: str = "", of: Person | None = None
) -> QuerySet[Bot]:
    """Return bots for a list, newest first, with only the columns that the list shows."""
    bots = Bot.objects.select_related("owner", "active_version").order_by("-id")
    bots = bots.only(*BOT_FIELDS, "owner__username", "active_version__number", "active_version__runtime")
    if search:
        bots = with_words(bots, beginnings(search))
    if runtime:
        bots = bots.filter(active_version__runtime=runtime)
    if owner:
        bots = bots.filter(owner__username=owner)
    return bots.filter(owner__in=accounts_of(of)) if of else bots


def with_words(bots: QuerySet[Bot], words: SearchQuery) -> QuerySet[Bot]:
    """Leave out the bots whose name and address do not have these words.

    What many bots have is on every page from the newest on, and the index would return thousands to sort: the
    words are put in an order that it does not have. What few have is found by the index alone: with a limit,
    PostgreSQL may walk down all bots instead. The newest bots tell which of the two it is.
    """
    walked = bots.annotate(words=SearchVector("slug", "name", config="simple")).filter(words=words)
    newest = list(Bot.objects.order_by("-id").values_list("pk", flat=True)[:NEWEST])
    if len(walked.filter(pk__in=newest).order_by().values_list("pk")[:MANY]) == MANY:
        return walked
    indexed = bots.annotate(words=SearchVector("name", "slug", config="simple")).filter(words=words)
    few = list(indexed.order_by().values_list("pk", flat=True)[: FEW + 1])
    return walked if len(few) > FEW else bots.filter(pk__in=few)


def bots_called(search: str, most: int) -> list[int]:
    """Return up to so many bots whose name, or whose author's name, has words that begin so, newest first."""
    words = beginnings(search)
    authors = User.objects.annotate(words=SearchVector("username", config="simple")).filter(words=words)
    by_author = Bot.objects.filter(owner__in=list(authors.values_list("pk", flat=True)[:most]))
    found = {*list_bots(search).values_list("pk", flat=True)[:most]}
    # Not in order: PostgreSQL would walk down from the newest of all bots until it has met enough of theirs.
    found.update(by_author.order_by().values_list("pk", flat=True)[:FEW])
    return sorted(found, reverse=True)[:most]


def beginnings(search: str) -> SearchQuery:
    """Return a query for names with a word that begins with each word of the search."""
    words = re.findall(r"\w+", search)[:8]
    # A search without any letter or digit is an empty query, which finds nothing.
    return SearchQuery(" & ".join(f"{word}:*" for word in words), config="simple", search_type="raw")


def why_it_waits(version: Version) -> str:
    """Return what a version waits for and since when, unless it is simply waiting for its turn."""
    return next(filter(None, publish(Happening.VERSION_WAITS, version)), "")


def open_private(user: Person, version: Version, what: str) -> bool:
    """Return whether this person may see what is the author's alone: source, logs, notes.

    Each time staff does, the audit log gets an entry: call this once, when the thing is shown.
    """
    if not may_read_private(user, version.bot):
        return False
    if isinstance(user, User) and not is_owner(user, version.bot):
        audit.record(user, what, version)
    return True


def export_of(user: User) -> dict[str, Any]:
    """Return the bots and versions of somebody who exports their account."""
    bots = Bot.objects.filter(owner=user).order_by("id")
    versions = Version.objects.filter(bot__owner=user).order_by("id")
    return {
        "bots": list(bots.values("slug", "name", "description", "created_at")),
        "versions": list(
            versions.values("bot__slug", "number", "sha256", "size", "runtime", "status", "created_at")
        ),
    }
